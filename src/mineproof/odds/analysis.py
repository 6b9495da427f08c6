"""What can be known of a position: every certain cell, and the odds of every other."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from functools import cached_property
from math import log
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mineproof._native import counting
from mineproof.errors import Cancelled, InconsistentPosition, InvalidBoard
from mineproof.limit import DEFAULT, Limit
from mineproof.odds import exact, hard
from mineproof.odds.conflict import Conflict, find_conflict

if TYPE_CHECKING:
    from threading import Event

    from numpy.typing import NDArray

    from mineproof.board.grid import Cell, CellLike
    from mineproof.board.position import Position

_local = threading.local()


def engine() -> counting.Engine:
    """The engine of this thread: its workspace is used again and again."""
    if not hasattr(_local, "engine"):
        _local.engine = counting.Engine()
    found: counting.Engine = _local.engine
    return found


class Best(NamedTuple):
    """The closed cell that is least likely a mine."""

    cell: Cell
    risk: float


@dataclass(frozen=True, eq=False)
class Analysis:
    """Everything that follows from a position and its number of mines.

    Complete: each cell that is a mine on all boards, or on none, is listed as such.
    """

    position: Position
    consistent: bool
    exact: bool
    """Whether the odds are exact, but for rounding; cells said to be certain always are."""
    complete: bool
    """Whether all certain cells are listed; False only when a limit cut the search short."""
    probabilities: NDArray[np.float64]
    """How likely each cell is a mine: rows × cols, NaN where opened (everywhere, if the position is inconsistent)."""
    marks: bytes
    log_solutions: float
    """The natural logarithm of the number of solutions; -inf when there are none, NaN when it was not counted."""
    errors: NDArray[np.float64] | None = None
    """How far each sampled probability may be off (one standard error); None when they are exact."""

    @cached_property
    def safe(self) -> frozenset[Cell]:
        """Closed cells that are certainly safe."""
        return self._marked(counting.SAFE)

    @cached_property
    def mined(self) -> frozenset[Cell]:
        """Closed cells that are certainly mines."""
        return self._marked(counting.MINED)

    def _marked(self, mark: int) -> frozenset[Cell]:
        cell = self.position.grid.cell
        return frozenset(cell(i) for i, found in enumerate(self.marks) if found == mark)

    @cached_property
    def solutions(self) -> int:
        """How many boards look like this, exactly."""
        return exact.count_solutions(self.position) if self.consistent else 0

    @cached_property
    def conflict(self) -> Conflict | None:
        """Why there is no solution; None when there is one."""
        return None if self.consistent else find_conflict(self.position)

    @property
    def best(self) -> Best | None:
        """The closed cell with the least risk, the first of equals; a certain one if there is any."""
        closed = ~np.isnan(self.probabilities)
        if not closed.any():
            return None
        index = int(np.nanargmin(self.probabilities))
        return Best(self.position.grid.cell(index), float(self.probabilities.flat[index]))

    def numbers(self, cell: CellLike) -> dict[int, float]:
        """What a closed cell would show if it were opened and safe, and how likely each number is then.

        >>> from mineproof import Position, analyse
        >>> analyse(Position.from_text("3x1x1\\nHHH")).numbers("B1")
        {1: 1.0}
        """
        at = self.position.grid.at(cell)
        if self.position[at] not in "HFQS":
            raise InvalidBoard(f"{at} is open")
        logs = {}
        for number in range(9):
            opened = analyse(self.position.with_symbol(at, str(number)))
            if opened.consistent:
                logs[number] = opened.log_solutions
        most = max(logs.values(), default=0.0)
        weights = {number: float(np.exp(log - most)) for number, log in logs.items()}
        return {number: weight / sum(weights.values()) for number, weight in weights.items()}

    def samples(self, count: int, *, seed: int) -> NDArray[np.bool_]:
        """Boards that look like this, each as likely as any other: count × rows × cols, True for a mine."""
        grid = self.position.grid
        if not self.consistent:
            raise InconsistentPosition("there is no board that looks like this")
        _count(self.position, DEFAULT)
        boards = b"".join(engine().samples(self.position.cells, count, seed))
        return np.frombuffer(boards, np.bool_).reshape(count, grid.rows, grid.cols)

    @cached_property
    def components(self) -> list[tuple[list[Cell], list[Cell]]]:
        """Groups of clues that hang together, each with the unknown cells around it."""
        _count(self.position, DEFAULT)
        cell = self.position.grid.cell
        return [(list(map(cell, clues)), list(map(cell, cells))) for clues, cells in engine().components()]


def _count(position: Position, limit: Limit, cancel: Event | None = None) -> int:
    grid = position.grid
    return engine().count(grid.rows, grid.cols, position.cells, position.mines, limit.seconds, limit.memory, cancel)


def analyse(
    position: Position, limit: Limit = DEFAULT, *, strict: bool = False, cancel: Event | None = None
) -> Analysis:
    """All certain cells and the odds of all others.

    An inconsistent position gives an analysis that says so, or with ``strict`` raises `InconsistentPosition`. A
    position too hard to count within the limit gets its certain cells by SAT and its odds by sampling. ``cancel`` is an
    event that another thread may set.

    >>> from mineproof import Position, analyse
    >>> found = analyse(Position.from_text("3x2x2\\nHHH\\n121"))
    >>> found.consistent, sorted(map(str, found.safe)), found.solutions
    (True, ['B1'], 1)
    """
    grid = position.grid
    start = time.monotonic()
    # A third of the time for the count: what is left must do when it fails.
    outcome = _count(position, Limit(limit.seconds / 3, limit.memory), cancel)
    if cancel is not None and cancel.is_set():
        raise Cancelled("the analysis was cancelled")
    if outcome == counting.COUNTED:
        probabilities = np.empty((grid.rows, grid.cols))
        marks = engine().odds(probabilities)
        return Analysis(position, True, True, True, probabilities, marks, engine().log_solutions)
    if outcome == counting.TOO_FINE:
        return _from_integers(position)
    if outcome == counting.STOPPED:
        left = limit.seconds - (time.monotonic() - start)
        found = hard.estimate(position, left, engine(), cancel)
        if found.consistent is not False:
            return Analysis(
                position, True, False, found.complete, found.probabilities, found.marks, np.nan, errors=found.errors
            )
    nothing = np.full((grid.rows, grid.cols), np.nan)
    analysis = Analysis(position, False, True, True, nothing, bytes(len(grid)), -np.inf)
    if strict:
        raise InconsistentPosition(str(analysis.conflict))
    return analysis


def _from_integers(position: Position) -> Analysis:
    """By the reference: the numbers are beyond the range of floats."""
    found = exact.analyse_exactly(position)
    grid = position.grid
    probabilities = np.full((grid.rows, grid.cols), np.nan)
    marks = bytearray(len(grid))
    for cell, risk in found.probabilities.items():
        probabilities[cell] = float(risk)
        marks[grid.index(cell)] = counting.UNSURE
    for cells, mark in ((found.safe, counting.SAFE), (found.mined, counting.MINED)):
        for cell in cells:
            marks[grid.index(cell)] = mark
    return Analysis(position, True, True, True, probabilities, bytes(marks), log(found.solutions))
