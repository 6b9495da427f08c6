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
from mineproof.board.grid import whole
from mineproof.errors import Cancelled, CannotConvert, InconsistentPosition, InvalidBoard
from mineproof.limit import DEFAULT, Limit, check_limit
from mineproof.logic.conflict import Conflict, find_conflict
from mineproof.odds import exact, hard

if TYPE_CHECKING:
    from threading import Event

    from numpy.typing import NDArray

    from mineproof.board.grid import Cell, CellLike
    from mineproof.board.position import Position

_local = threading.local()

MOST_SAMPLES = 1_000_000
MOST_WORK = 3e7
"""Of joining the components over the number of mines exactly; beyond it the normal law does, and bounds its error."""


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
    consistent: bool | None
    """Whether any board looks like this; None when a limit left no time to find out."""
    exact: bool
    """Whether the odds are exact, but for rounding; cells said to be certain always are certain."""
    complete: bool
    """Whether all certain cells are listed; False only when a limit cut the search short."""
    probabilities: NDArray[np.float64]
    """How likely each cell is a mine: rows × cols, NaN where opened (everywhere, if the position is inconsistent)."""
    marks: bytes
    log_solutions: float
    """The natural logarithm of the number of solutions; -inf when there are none, NaN when it was not counted."""
    errors: NDArray[np.float64] | None = None
    """How far each probability may be off: a standard error if sampled, a bound if joined by the normal law; None when
    they are exact."""

    def __post_init__(self) -> None:
        self.probabilities.setflags(write=False)

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
        return 0 if self.consistent is False else exact.count_solutions(self.position)

    @cached_property
    def conflict(self) -> Conflict | None:
        """Why there is no solution; None when there is one."""
        return find_conflict(self.position) if self.consistent is False else None

    @cached_property
    def best(self) -> Best | None:
        """The closed cell with the least risk, the first of equals; a certain one if there is any."""
        closed = ~np.isnan(self.probabilities)
        if not closed.any():
            return None
        index = int(np.nanargmin(self.probabilities))
        return Best(self.position.grid.cell(index), float(self.probabilities.flat[index]))

    def numbers(self, cell: CellLike, limit: Limit = DEFAULT) -> dict[int, float]:
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
            opened = analyse(self.position.with_symbol(at, str(number)), Limit(limit.seconds / 9, limit.memory))
            if not opened.exact:
                raise CannotConvert(f"what {at} would show is too hard to count within the limit")
            if opened.consistent:
                logs[number] = opened.log_solutions
        most = max(logs.values(), default=0.0)
        weights = {number: float(np.exp(log - most)) for number, log in logs.items()}
        return {number: weight / sum(weights.values()) for number, weight in weights.items()}

    def samples(self, count: int, *, seed: int) -> NDArray[np.bool_]:
        """Boards that look like this, each as likely as any other: count × rows × cols, True for a mine."""
        grid = self.position.grid
        if not 0 <= whole(count, "the number of samples") <= MOST_SAMPLES or not 0 <= whole(seed, "a seed") < 2**64:
            raise InvalidBoard(f"from 0 to {MOST_SAMPLES:,} samples can be drawn, with a seed from 0 to 2^64 - 1")
        if not self.consistent:
            raise InconsistentPosition("there is no board that looks like this")
        if not isinstance(_counted(self.position, DEFAULT, np.inf), Analysis):
            raise CannotConvert("this position is too hard to draw boards from")
        boards = b"".join(engine().samples(count, seed))
        return np.frombuffer(boards, np.bool_).reshape(count, grid.rows, grid.cols)

    @cached_property
    def components(self) -> list[tuple[list[Cell], list[Cell]]]:
        """Groups of clues that hang together and the cells around them, when all that the clues prove is taken out."""
        if _count(self.position, DEFAULT, None) == counting.STOPPED:
            raise CannotConvert("this position is too hard to be cut into components")
        cell = self.position.grid.cell
        return [(list(map(cell, clues)), list(map(cell, cells))) for clues, cells in engine().components()]


def _count(position: Position, limit: Limit, cancel: Event | None) -> int:
    grid = position.grid
    engine().start(grid.rows, grid.cols, position.cells, position.mines)
    return engine().count(limit.seconds, limit.memory, cancel)


def _counted(position: Position, limit: Limit, most_work: float, cancel: Event | None = None) -> Analysis | int:
    """The analysis by counting, or the outcome that came instead."""
    outcome = _count(position, limit, cancel)
    return outcome if outcome != counting.COUNTED else read_odds(engine(), position, most_work, limit.seconds, cancel)


def read_odds(
    counted: counting.Engine, position: Position, most_work: float, seconds: float, cancel: Event | None = None
) -> Analysis | int:
    """The analysis that an engine holds which has counted the position, or the outcome that came instead."""
    probabilities = np.empty((position.grid.rows, position.grid.cols))
    errors = np.empty_like(probabilities)
    outcome, marks = counted.odds(probabilities, errors, most_work, seconds, cancel)
    if outcome != counting.COUNTED:
        return outcome
    exact, logs = counted.exact, counted.log_solutions
    return Analysis(position, True, exact, True, probabilities, marks, logs, errors=None if exact else errors)


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
    check_limit(limit)
    start = time.monotonic()
    # A third of the time for the count: what is left must do when it fails, unless nothing else would help.
    share = 0.9 if hard.too_large(position, limit.seconds * 2 / 3) else 1 / 3
    counted = _counted(position, Limit(limit.seconds * share, limit.memory), MOST_WORK, cancel)
    if cancel is not None and cancel.is_set():
        raise Cancelled("the analysis was cancelled")
    if isinstance(counted, Analysis):
        return counted
    if counted == counting.TOO_FINE:
        return _from_integers(position)
    if counted == counting.STOPPED:
        left = limit.seconds - (time.monotonic() - start)
        found = hard.estimate(position, left, engine(), cancel, limit.memory)
        if found.consistent is not False:
            return Analysis(
                position,
                found.consistent,
                exact=False,
                complete=found.complete,
                probabilities=found.probabilities,
                marks=found.marks,
                log_solutions=np.nan,
                errors=found.errors,
            )
    nothing = np.full((position.grid.rows, position.grid.cols), np.nan)
    analysis = Analysis(position, False, True, True, nothing, bytes(len(position.cells)), -np.inf)
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
