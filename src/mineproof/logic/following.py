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

_KNOWN = np.zeros(256, np.bool_)
_KNOWN[list((NUMBERS + MINES + "S").encode())] = True


def emptied(queue: deque[int]) -> Iterator[int]:
    """The items of a queue. Each is removed when the next one is asked for, so an interrupted item stays in the queue.

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
    """The last position of a game. A position that does not continue the game starts another one.

    >>> from mineproof import Position
    >>> followed = Followed()
    >>> followed.see(Position.from_text("3x1x1\\n1HH")), followed.see(Position.from_text("3x1x1\\n1H1"))
    ((True, [0]), (False, [2]))
    """

    def __init__(self) -> None:
        self._before: Position | None = None

    def see(self, position: Position) -> tuple[bool, list[int]]:
        """Whether this is another game, and the newly known cells: opened, or named safe by the game."""
        symbols: NDArray[np.uint8] = np.frombuffer(position.cells, np.uint8)
        known = _KNOWN[symbols]
        before, self._before = self._before, position
        same_game = False
        if before is not None and (before.grid, before.mines) == (position.grid, position.mines):
            old = np.frombuffer(before.cells, np.uint8)
            changed = old != symbols
            open_before = _KNOWN[old] & (old != ord("S"))
            same_game = not (changed & open_before).any()
            if same_game:
                known &= changed
        new: list[int] = np.flatnonzero(known).tolist()
        return not same_game, new
