"""Analysis that follows a game: after a move only the components that the move touched are counted again."""

from __future__ import annotations

import os
import threading
import warnings
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakSet

from mineproof._native import counting
from mineproof.board.grid import CellLike, Cells
from mineproof.board.position import Position, Seen, check_symbols, position_of
from mineproof.errors import InvalidArgument, InvalidBoard, shorten
from mineproof.limit import DEFAULT, Limit, check_limit
from mineproof.odds.analysis import MOST_WORK, Analysis, LeastRisk, analyse, read_odds
from mineproof.odds.counted import check_room

if TYPE_CHECKING:
    from collections.abc import Iterable


class Proved(NamedTuple):
    """Cells that have become certain."""

    safe: Cells
    mined: Cells


class Analyst:
    """Follows a position as cells open. The cost of a move does not depend on the size of the board. A copy begins with
    the same position, and then follows on its own.

    >>> from mineproof import Game
    >>> game = Game("beginner", "opening", seed=1)
    >>> analyst = Analyst(game.position)
    >>> changed = game.open("E5")
    >>> proved = analyst.see(changed, game.shows(changed))
    >>> len(proved.safe), len(proved.mined)
    (12, 7)
    >>> analyst.analysis().solutions
    4060
    """

    def __init__(self, position: Position | Seen, limit: Limit = DEFAULT) -> None:
        position = position_of(position)
        check_limit(limit)
        check_room(position.grid, limit)
        self.grid = position.grid
        self.mines = position.mines
        self.limit = limit
        self._symbols = bytearray(position.cells)
        self._start()
        self._count()
        _analysts.add(self)

    def _start(self) -> None:
        self._counter = counting.Counter()
        self._counter.start(self.grid.rows, self.grid.cols, self._symbols, self.mines, follow=True)
        self._outcome = counting.STOPPED
        # For one thread at a time. A signal handler in the same thread passes, and finds that the counter is busy.
        self._lock = threading.RLock()

    def __getstate__(self) -> dict[str, object]:
        """The state without the counter: a copy counts on its own."""
        with self._lock:
            return {name: value for name, value in vars(self).items() if name not in ("_counter", "_outcome", "_lock")}

    def __setstate__(self, state: dict[str, object]) -> None:
        vars(self).update(state)
        self._symbols = bytearray(self._symbols)
        self._start()
        self._count()
        _analysts.add(self)

    def __repr__(self) -> str:
        return f"<Analyst of {self.grid}x{self.mines}, {sum(map(self._symbols.count, range(48, 57)))} cells open>"

    @property
    def position(self) -> Position:
        """The position seen so far."""
        return Position(self.grid, self.mines, bytes(self._symbols))

    def see(self, cells: Iterable[CellLike], symbols: Iterable[str]) -> Proved:
        """Update cells with the symbols they show now, given as text or a list. Return the newly `proved` cells.

        >>> Analyst(Position.from_text("3x1x1\\nHHH")).see(["A1"], ["1"])
        Proved(safe=[], mined=[B1])
        """
        if not isinstance(symbols, str):
            symbols = list(symbols)
            wrong = next((symbol for symbol in symbols if not isinstance(symbol, str) or len(symbol) != 1), None)
            if wrong is not None:
                raise InvalidArgument(f"not a cell symbol: {shorten(wrong)}")
            symbols = "".join(symbols)
        if isinstance(cells, Cells) and cells.grid == self.grid:
            indices = cells.indices
            if indices and not 0 <= min(indices) <= max(indices) < len(self.grid):
                raise InvalidBoard("a cell is outside this board")
        else:
            indices = [self.grid.index(cell) for cell in cells]
        if len(symbols) != len(indices):
            raise InvalidArgument(f"{len(indices)} cells cannot show {len(symbols)} symbols")
        shown = symbols.encode("ascii", "backslashreplace")
        check_symbols(shown)
        with self._lock:
            self._counter.see(indices, shown, self._symbols)
            self._count()
        return self.proved()

    def _count(self) -> None:
        self._outcome = counting.STOPPED  # in case the count is interrupted
        clock = self.limit.start()
        self._outcome = self._counter.count(clock)
        clock.check_cancelled()

    def proved(self) -> Proved:
        """Proved cells that have not been reported yet; after an undo they are reported again.

        These are all cells that follow from the clues. `analysis` adds those that need the number of mines.
        """
        with self._lock:
            safe, mined = self._counter.take_proved()
        return Proved(Cells(self.grid, safe), Cells(self.grid, mined))

    def least_risk(self) -> LeastRisk | None:
        """The least risky cell that is not proved, by its component and the average density; None if all are proved.

        Fast on any board; `analysis` takes the number of mines into account exactly.
        """
        with self._lock:
            if self._outcome != counting.COUNTED:
                return None
            best = self._counter.quick_best()
        return None if best is None else LeastRisk(self.grid.cell(best[0]), best[1])

    def best(self) -> LeastRisk | None:
        """The old name of `least_risk`."""
        warnings.warn("Analyst.best is now called least_risk", DeprecationWarning, stacklevel=2)
        return self.least_risk()

    def analysis(self, most_work: float = MOST_WORK) -> Analysis:
        """The same as ``analyse(position)``, from the components that are already counted."""
        clock = self.limit.start()
        with self._lock:
            position = self.position
            if self._outcome == counting.COUNTED:
                return read_odds(self._counter, position, most_work, clock)
        return analyse(position, clock.rest())


_analysts: WeakSet[Analyst] = WeakSet()


def _after_fork() -> None:
    """In a forked process, count again what another thread was counting: that thread does not exist here."""
    for analyst in _analysts:
        if analyst._lock.acquire(blocking=False):
            analyst._lock.release()
        else:
            analyst._start()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
