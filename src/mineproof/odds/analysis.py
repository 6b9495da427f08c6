"""What can be known of a position: every certain cell, and the odds of every other."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mineproof._native import counting
from mineproof.board.grid import whole
from mineproof.board.position import CLOSED
from mineproof.errors import InconsistentPosition, InvalidBoard, OutOfTime
from mineproof.limit import DEFAULT, Clock, Limit, check_limit
from mineproof.logic.conflict import Conflict, find_conflict
from mineproof.odds import hard
from mineproof.odds.counted import CountedPosition
from mineproof.odds.solutions import TOO_MANY, combine

if TYPE_CHECKING:
    from threading import Event

    from numpy.typing import NDArray

    from mineproof._native.counting import Counter
    from mineproof.board.grid import Cell, CellLike
    from mineproof.board.position import Position

MOST_SAMPLES = 1_000_000
MOST_WORK = 3e7
"""Of joining the components over the number of mines exactly; beyond it the normal law does, and bounds its error."""
EQUAL = 1e-9
"""Risks that differ by less differ by rounding only: the first cell of equals is chosen, on every machine."""


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
    """Whether the odds are exact, except for rounding; cells said to be certain always are certain."""
    complete: bool
    """Whether all certain cells are listed; False only when a limit cut the search short."""
    probabilities: NDArray[np.float64]
    """How likely each cell is a mine: rows × cols. NaN where opened, where a limit left no time for an estimate (see
    `unrated`), and everywhere if the position is inconsistent."""
    marks: bytes
    log_solutions: float
    """The natural logarithm of the number of solutions; -inf when there are none, NaN when it was not counted."""
    errors: NDArray[np.float64] | None = None
    """How far each probability may be off: a standard error if sampled, a bound if joined by the normal law; None when
    they are exact."""
    _counted: CountedPosition | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        self.probabilities.setflags(write=False)

    def __getstate__(self) -> dict[str, object]:
        """Without the counter, which stays in its process."""
        return {**self.__dict__, "_counted": None}

    @cached_property
    def safe(self) -> frozenset[Cell]:
        """Closed cells that are certainly safe."""
        return self._cells(self._marked(counting.MARK_SAFE))

    @cached_property
    def mined(self) -> frozenset[Cell]:
        """Closed cells that are certainly mines."""
        return self._cells(self._marked(counting.MARK_MINED))

    @cached_property
    def unrated(self) -> frozenset[Cell]:
        """Closed cells that are not certain and have no odds: a limit left no time for an estimate."""
        return self._cells(self._marked(counting.MARK_UNSURE) & np.isnan(self.probabilities).ravel())

    def _marked(self, mark: int) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = np.frombuffer(self.marks, np.uint8) == mark
        return found

    def _cells(self, where: NDArray[np.bool_]) -> frozenset[Cell]:
        return frozenset(map(self.position.grid.cell, np.flatnonzero(where).tolist()))

    @cached_property
    def solutions(self) -> int:
        """How many boards look like this, exactly. `count_solutions` takes a limit."""
        return self.count_solutions()

    def count_solutions(self, limit: Limit = DEFAULT) -> int:
        """How many boards look like this, exactly; raises `OutOfTime` when the limit is too short for that."""
        clock = limit.start()
        if self.consistent is False:
            return 0
        with self._count().joined(clock) as counter:
            rows = counter.solution_rows(clock)
            free, mines = counter.free_cells, counter.mines_left
        clock.check_cancelled()
        if rows is None:
            raise OutOfTime(TOO_MANY)
        return combine(rows, free, mines, clock)

    def _count(self) -> CountedPosition:
        return self._counted or CountedPosition(self.position)

    @cached_property
    def conflict(self) -> Conflict | None:
        """Why there is no solution; None when there is one."""
        return find_conflict(self.position) if self.consistent is False else None

    @cached_property
    def best(self) -> Best | None:
        """The closed cell with the least risk, the first of equals; a certain one if there is any. None when no risk is
        known."""
        if np.isnan(self.probabilities).all():
            return None
        index = int(np.argmax(self.probabilities.ravel() <= np.nanmin(self.probabilities) + EQUAL))
        return Best(self.position.grid.cell(index), float(self.probabilities.flat[index]))

    def numbers(self, cell: CellLike, limit: Limit = DEFAULT) -> dict[int, float]:
        """What a closed cell would show if it were opened and safe, and how likely each number is then.

        >>> from mineproof import Position, analyse
        >>> analyse(Position.from_text("3x1x1\\nHHH")).numbers("B1")
        {1: 1.0}
        """
        clock = limit.start()
        at = self.position.grid.at(cell)
        if self.position[at] not in CLOSED:
            raise InvalidBoard(f"{at} is open")
        logs = {}
        for number in range(9):
            opened = analyse(self.position.with_symbol(at, str(number)), clock.rest(1 / (9 - number)))
            if not opened.exact:
                raise OutOfTime(f"what {at} would show is too hard to count within the limit")
            if opened.consistent:
                logs[number] = opened.log_solutions
        most = max(logs.values(), default=0.0)
        weights = {number: float(np.exp(log - most)) for number, log in logs.items()}
        return {number: weight / sum(weights.values()) for number, weight in weights.items()}

    def samples(self, count: int, *, seed: int, limit: Limit = DEFAULT) -> NDArray[np.bool_]:
        """Boards that look like this, each as likely as any other: count × rows × cols, True for a mine."""
        clock = limit.start()
        grid = self.position.grid
        if not 0 <= whole(count, "the number of samples") <= MOST_SAMPLES or not 0 <= whole(seed, "a seed") < 2**64:
            raise InvalidBoard(f"from 0 to {MOST_SAMPLES:,} samples can be drawn, with a seed from 0 to 2^64 - 1")
        if self.consistent is False:
            raise InconsistentPosition("there is no board that looks like this")
        if count * len(grid) > limit.memory:
            raise InvalidBoard(
                f"{count} boards of {len(grid)} cells do not fit into the {limit.memory} bytes of the limit"
            )
        with self._count().joined(clock) as counter:
            boards = counter.samples(count, seed, clock)
        clock.check_cancelled()
        if len(boards) < count:
            raise OutOfTime(f"there was time for {len(boards)} of {count} boards only")
        return np.frombuffer(b"".join(boards), np.bool_).reshape(count, grid.rows, grid.cols)

    @cached_property
    def components(self) -> list[tuple[list[Cell], list[Cell]]]:
        """Groups of clues that hang together and the cells around them, when all that the clues prove is taken out."""
        with self._count().joined(DEFAULT.start()) as counter:
            found = counter.components()
        cell = self.position.grid.cell
        return [(list(map(cell, clues)), list(map(cell, cells))) for clues, cells in found]


def analyse(
    position: Position, limit: Limit = DEFAULT, *, strict: bool = False, cancel: Event | None = None
) -> Analysis:
    """All certain cells and the odds of all others.

    An inconsistent position gives an analysis that says so, or with ``strict`` raises `InconsistentPosition`. A
    position too hard to count within the limit gets its certain cells by SAT and its odds by sampling. ``cancel`` is an
    event that another thread may set; it may be part of the limit, too.

    >>> from mineproof import Position, analyse
    >>> found = analyse(Position.from_text("3x2x2\\nHHH\\n121"))
    >>> found.consistent, sorted(map(str, found.safe)), found.solutions
    (True, ['B1'], 1)
    """
    check_limit(limit)
    clock = (limit if cancel is None else replace(limit, cancel=cancel)).start()
    clock.check_cancelled()
    counted = CountedPosition(position)
    counter = counted.start()
    analysis = _analysis(position, counter, clock)
    counted.keep(counter)
    object.__setattr__(analysis, "_counted", counted)
    if strict and analysis.consistent is False:
        raise InconsistentPosition(str(find_conflict(position, clock.rest())))
    return analysis


def _analysis(position: Position, counter: Counter, clock: Clock) -> Analysis:
    outcome, settled = hard.count(counter, clock)
    if outcome == counting.HARD:
        found = hard.estimate(position, counter, clock, settled=settled)
    elif outcome == counting.COUNTED:
        return read_odds(counter, position, MOST_WORK, clock)
    else:
        found = hard.proved_only(position, counter) if outcome == counting.STOPPED else None
    return _inconsistent(position) if found is None else _estimated(position, found)


def read_odds(counter: Counter, position: Position, most_work: float, clock: Clock) -> Analysis:
    """The analysis of a position that was counted whole."""
    probabilities, errors = np.empty((2, position.grid.rows, position.grid.cols))
    outcome, marks = counter.odds(probabilities, errors, most_work, clock)
    clock.check_cancelled()
    if outcome == counting.INCONSISTENT:
        return _inconsistent(position)
    if outcome != counting.COUNTED:
        return _estimated(position, hard.proved_only(position, counter))
    exact, logs = counter.joined_exactly, counter.log_solutions
    return Analysis(position, True, exact, True, probabilities, marks, logs, errors=None if exact else errors)


def _inconsistent(position: Position) -> Analysis:
    nothing = np.full((position.grid.rows, position.grid.cols), np.nan)
    return Analysis(position, False, True, True, nothing, bytes(len(position.cells)), -np.inf)


def _estimated(position: Position, found: hard.Estimate) -> Analysis:
    return Analysis(
        position, found.consistent, False, found.complete, found.probabilities, found.marks, np.nan, found.errors
    )
