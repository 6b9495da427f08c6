"""Successive positions of one game: what is new in each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mineproof.board.position import MINES, NUMBERS

if TYPE_CHECKING:
    from collections import deque
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from mineproof.board.position import Position

_TELLS = np.zeros(256, np.bool_)
_TELLS[list((NUMBERS + MINES + "S").encode())] = True


def emptied(queue: deque[int]) -> Iterator[int]:
    """The items of a queue, each of which leaves it when the next one is asked for: what there is no time for stays.

    >>> from collections import deque
    >>> queue = deque([1, 2, 3])
    >>> for item in emptied(queue):
    ...     if item == 2:
    ...         break
    >>> queue
    deque([2, 3])
    """
    while queue:
        yield queue[0]
        queue.popleft()


class Followed:
    """What has been seen of a game. A position that does not continue it starts another game.

    >>> from mineproof import Position
    >>> followed = Followed()
    >>> followed.see(Position.from_text("3x1x1\\n1HH")), followed.see(Position.from_text("3x1x1\\n1H1"))
    ((True, [0]), (False, [2]))
    """

    def __init__(self) -> None:
        self._before: Position | None = None

    def see(self, position: Position) -> tuple[bool, list[int]]:
        """Whether this is another game, and the cells that tell something new: open, or named by the game."""
        now: NDArray[np.uint8] = np.frombuffer(position.cells, np.uint8)
        told = _TELLS[now]
        before, self._before = self._before, position
        if before is not None and (before.grid, before.mines) == (position.grid, position.mines):
            old = np.frombuffer(before.cells, np.uint8)
            changed = old != now
            told_before = _TELLS[old] & (old != ord("S"))
            if not (changed & told_before).any():
                found: list[int] = np.flatnonzero(told & changed).tolist()
                return False, found
        everything: list[int] = np.flatnonzero(told).tolist()
        return True, everything
