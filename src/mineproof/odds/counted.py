"""A position and the counter that counted it, kept together so that nothing is counted twice.

Counters are large and are reused: they come from a pool, and return to it when their position is no longer needed. Only
the latest few positions keep theirs; an older one is counted again on demand.
"""

from __future__ import annotations

from collections import deque
from contextlib import contextmanager
from typing import TYPE_CHECKING
from weakref import ref

import numpy as np

from mineproof._native import counting
from mineproof._native.clock import bytes_of_board
from mineproof.errors import OutOfTime
from mineproof.logic.conflict import inconsistent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mineproof._native.counting import Counter
    from mineproof.board.grid import Grid
    from mineproof.board.position import Position
    from mineproof.limit import Clock, Limit

MOST_KEPT = 16
"""The number of positions that keep their counter."""

_spare: list[Counter] = []
_kept: deque[ref[CountedPosition]] = deque()


class CountedPosition:
    """A position that lends its counter to one caller at a time; other callers get another counter."""

    __slots__ = ("__weakref__", "_counter", "position")

    def __init__(self, position: Position) -> None:
        self.position = position
        self._counter: Counter | None = None

    def start(self) -> Counter:
        """A counter that has read the position, but has counted nothing yet."""
        counter = _take()
        grid = self.position.grid
        counter.start(grid.rows, grid.cols, self.position.cells, self.position.mines)
        return counter

    @contextmanager
    def joined(self, clock: Clock) -> Iterator[Counter]:
        """A counter that has counted the position, and joined its components exactly."""
        check_room(self.position.grid, clock.limit)
        counter, self._counter = self._counter, None
        if counter is None or not counter.joined_exactly:
            counter = counter or self.start()
            self._join(counter, clock)
        yield counter
        self.keep(counter)

    def _join(self, counter: Counter, clock: Clock) -> None:
        shape = (self.position.grid.rows, self.position.grid.cols)
        outcome = counter.count(clock)
        if outcome == counting.COUNTED:
            outcome, _ = counter.odds(np.empty(shape), np.empty(shape), np.inf, clock)
        clock.check_cancelled()
        if outcome == counting.INCONSISTENT:
            raise inconsistent(self.position, clock)
        if outcome != counting.COUNTED:
            raise OutOfTime("this position is too hard to count within the limit")

    def keep(self, counter: Counter) -> None:
        """Keep the counter for this position; not after an exception, when its state is unknown."""
        self._give_back()  # the counter that another caller has left here
        self._counter = counter
        _kept.append(ref(self))
        while len(_kept) > MOST_KEPT:
            oldest = _kept.popleft()()
            if oldest is not None and oldest is not self:
                oldest._give_back()

    def _give_back(self, spare: list[Counter] = _spare, most: int = MOST_KEPT) -> None:
        # The defaults keep these values: the names of the module may be gone when the interpreter exits.
        counter, self._counter = self._counter, None
        if counter is not None and len(spare) < most:
            spare.append(counter)

    def __del__(self) -> None:
        self._give_back()


def has_room(grid: Grid, limit: Limit) -> bool:
    """Whether the memory is enough to count a board of this size, whatever its cells show."""
    return bytes_of_board(len(grid)) <= limit.memory


def check_room(grid: Grid, limit: Limit) -> None:
    """Raise `OutOfTime` if a board of this size does not fit into the memory of the limit."""
    if not has_room(grid, limit):
        raise OutOfTime(f"to count a board of {len(grid):,} cells takes more memory than {limit.memory:,} bytes")


def _take() -> Counter:
    try:
        return _spare.pop()
    except IndexError:
        return counting.Counter()
