"""The analysis of a position: every certain cell, and the odds of every other."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field, replace
from functools import cached_property
from secrets import randbelow
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mineproof._native import counting
from mineproof.board.grid import CellSet, whole
from mineproof.board.html import beside, listed
from mineproof.board.position import CLOSED, SHOWN_CELLS, position_of
from mineproof.board.render import odds_table
from mineproof.board.svg import Highlight
from mineproof.errors import InvalidArgument, OutOfTime
from mineproof.limit import DEFAULT, Clock, Limit, check_limit
from mineproof.logic.conflict import Conflict, conflict_of, inconsistent
from mineproof.odds import hard
from mineproof.odds.counted import CountedPosition, has_room
from mineproof.odds.solutions import TOO_MANY, combine
from mineproof.odds.words import in_words

if TYPE_CHECKING:
    from threading import Event

    from numpy.typing import NDArray

    from mineproof._native.counting import Counter
    from mineproof.board.grid import Cell, CellLike
    from mineproof.board.position import Position, Seen

MOST_SAMPLES = 1_000_000
"""The most boards drawn at once."""
MOST_WORK = 3e7
"""The most steps for joining the components exactly. Beyond that the normal law is used, and its error is bounded."""
SHOWING = Limit(seconds=2)
"""The limit for finding what is shown besides the odds: the number of boards, or the conflict."""
EQUAL = 1e-9
"""Risks that differ by less count as equal, so that rounding never changes which cell is chosen."""


class LeastRisk(NamedTuple):
    """The closed cell that is least likely to be a mine. It need not be the best guess."""

    cell: Cell
    risk: float


class Outlook(NamedTuple):
    """What comes after a safe cell has shown a number."""

    share: float
    """The probability of the number, if the cell is safe."""
    leads_on: bool
    """Whether a certain move follows, or nothing is left to open."""


@dataclass(frozen=True, eq=False)
class Analysis:
    """Everything that follows from a position and its number of mines.

    Unless a limit cut the search short, each cell that is a mine on all boards, or on none, is listed as such.
    """

    position: Position
    consistent: bool | None
    """Whether any board is consistent with the position; None if time ran out before that was known."""
    exact: bool
    """Whether the odds are exact, except for rounding. Cells listed as certain are always certain."""
    complete: bool
    """Whether all certain cells are listed; False only when a limit cut the search short."""
    probabilities: NDArray[np.float64]
    """The probability of a mine in each cell: rows × cols. NaN where opened, where time ran out before an estimate
    (see `unrated`), and everywhere if the position is inconsistent."""
    marks: bytes
    """What is known of each cell, as one of the ``MARK_…`` of `mineproof._native.counting`."""
    log_solutions: float
    """The natural logarithm of the number of solutions; -inf if there are none, NaN if they were not counted."""
    errors: NDArray[np.float64] | None = None
    """The error of each probability: a standard error if sampled, a bound if joined by the normal law; None if all
    are exact."""
    ended: str = "time ran out"
    """Why the search was cut short, if it was."""
    _counted: CountedPosition | None = field(default=None, repr=False)

    def __repr__(self) -> str:
        odds = {True: "exact odds" if self.exact else "estimated odds", False: "inconsistent", None: "out of time"}
        certain = f"{len(self.safe)} cells safe, {len(self.mined)} mined, " if self.consistent else ""
        return f"<Analysis of {self.position.grid}x{self.position.mines}: {certain}{odds[self.consistent]}>"

    def __post_init__(self) -> None:
        self.probabilities.setflags(write=False)

    def __getstate__(self) -> dict[str, object]:
        """The state without the counter, which stays in its process."""
        return {**self.__dict__, "_counted": None}

    @cached_property
    def safe(self) -> CellSet:
        """Closed cells that are certainly safe."""
        return self._cells(self.marked(counting.MARK_SAFE))

    @cached_property
    def mined(self) -> CellSet:
        """Closed cells that are certainly mines."""
        return self._cells(self.marked(counting.MARK_MINED))

    @cached_property
    def unrated(self) -> CellSet:
        """Closed cells that are not certain and have no odds, because time ran out."""
        return self._cells(self.marked(counting.MARK_UNSURE) & np.isnan(self.probabilities).ravel())

    def marked(self, mark: int) -> NDArray[np.bool_]:
        """Whether each cell, in row-major order, has this mark. Faster than sets of cells on a board of millions."""
        has_mark: NDArray[np.bool_] = np.frombuffer(self.marks, np.uint8) == mark
        return has_mark

    def _cells(self, where: NDArray[np.bool_]) -> CellSet:
        return CellSet(map(self.position.grid.cell, np.flatnonzero(where).tolist()))

    @cached_property
    def solutions(self) -> int:
        """The exact number of consistent boards. `count_solutions` takes a limit."""
        return self.count_solutions()

    def count_solutions(self, limit: Limit = DEFAULT) -> int:
        """The exact number of consistent boards. Raises `OutOfTime`."""
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
        """Why there is no solution; None if there is one."""
        return conflict_of(self.position) if self.consistent is False else None

    @cached_property
    def least_risk(self) -> LeastRisk | None:
        """The closed cell with the least risk; ties go to the first, and certain cells come first. None if no risk is
        known. The best guess may be another cell: see `hint`."""
        if np.isnan(self.probabilities).all():
            return None
        index = self.marks.find(counting.MARK_SAFE)
        if index < 0:
            index = int(np.argmax(self.probabilities.ravel() <= np.nanmin(self.probabilities) + EQUAL))
        if self.marks[index] == counting.MARK_MINED and not self.finished:
            return None
        return LeastRisk(self.position.grid.cell(index), float(self.probabilities.flat[index]))

    @property
    def best(self) -> LeastRisk | None:
        """The old name of `least_risk`."""
        warnings.warn("Analysis.best is now called least_risk", DeprecationWarning, stacklevel=2)
        return self.least_risk

    @property
    def settled(self) -> bool:
        """Whether every closed cell is known to be safe, or a mine."""
        return self.consistent is True and self.complete and counting.MARK_UNSURE not in self.marks

    @property
    def finished(self) -> bool:
        """Whether it is known that all closed cells are mines."""
        return self.settled and counting.MARK_SAFE not in self.marks

    def probability(self, cell: CellLike) -> float:
        """The probability that a cell is a mine: its entry in ``probabilities``.

        >>> from mineproof import Position, analyse
        >>> analysis = analyse(Position.from_text("3x2x2\\nHHH\\n121"))
        >>> analysis.probability("A1"), "B1" in analysis.safe, analysis.mined
        (1.0, True, CellSet.parse('A1 C1'))
        """
        return float(self.probabilities[self.position.grid.at(cell)])

    def numbers(self, cell: CellLike, limit: Limit = DEFAULT) -> dict[int, float]:
        """The numbers that a closed cell could show if it is safe, with their probabilities.

        >>> from mineproof import Position, analyse
        >>> analyse(Position.from_text("3x1x1\\nHHH")).numbers("B1")
        {1: 1.0}
        """
        return {number: outlook.share for number, outlook in self.outlooks(cell, limit).items()}

    def outlooks(self, cell: CellLike, limit: Limit = DEFAULT) -> dict[int, Outlook]:
        """What comes after each number that a closed cell could show if it is safe. Raises `OutOfTime`.

        >>> from mineproof import Position, analyse
        >>> analyse(Position.from_text("3x1x1\\nHHH")).outlooks("A1")
        {0: Outlook(share=0.5, leads_on=True), 1: Outlook(share=0.5, leads_on=True)}
        """
        clock = limit.start()
        at = self.position.grid.at(cell)
        if self.position[at] not in CLOSED:
            raise InvalidArgument(f"{at} is open")
        if self.consistent is False:
            raise inconsistent(self.position, clock)
        with self._count().joined(clock) as counter:
            views = counter.views(self.position.grid.index(at), clock)
        clock.check_cancelled()
        if views is None:
            raise OutOfTime(f"the numbers of {at} are too hard to count within the limit")
        safe = sum(share for share, *_ in views.values())
        own = self.marks[self.position.grid.index(at)] == counting.MARK_SAFE
        known = self.marks.count(counting.MARK_SAFE) > own  # another cell is certainly safe
        return {
            number: Outlook(share / safe, known or won or certain > 0)
            for number, (share, won, certain, *_) in views.items()
        }

    def samples(self, count: int, *, seed: int | None = None, limit: Limit = DEFAULT) -> NDArray[np.bool_]:
        """Random consistent boards, all equally likely: count × rows × cols, True for a mine. The same seed gives the
        same boards; without a seed they differ every time."""
        seed = randbelow(2**64) if seed is None else seed
        clock = limit.start()
        grid = self.position.grid
        if not 0 <= whole(count, "the number of samples") <= MOST_SAMPLES or not 0 <= whole(seed, "a seed") < 2**64:
            raise InvalidArgument(f"from 0 to {MOST_SAMPLES:,} samples can be drawn, with a seed from 0 to 2^64 - 1")
        if self.consistent is False:
            raise inconsistent(self.position, clock)
        if count * len(grid) > limit.memory:
            raise InvalidArgument(
                f"{count} boards of {len(grid)} cells do not fit into the {limit.memory} bytes of the limit"
            )
        with self._count().joined(clock) as counter:
            boards = counter.samples(count, seed, clock)
        clock.check_cancelled()
        if len(boards) < count:
            raise OutOfTime(f"time ran out after {len(boards)} of {count} boards")
        return np.frombuffer(b"".join(boards), np.bool_).reshape(count, grid.rows, grid.cols)

    @cached_property
    def components(self) -> list[tuple[list[Cell], list[Cell]]]:
        """Groups of connected clues, each with the cells around them except those that the clues prove."""
        with self._count().joined(DEFAULT.start()) as counter:
            components = counter.components()
        at = self.position.grid.cell
        return [(list(map(at, clues)), list(map(at, cells))) for clues, cells in components]

    def words(self, limit: Limit = SHOWING) -> str:
        """How many boards there are, what is certain, and the least risky cell; one line each.

        >>> from mineproof import Position, analyse
        >>> print(analyse(Position.from_text("3x2x2\\nHHH\\n121")).words())
        solutions: 1
        certain: 1 safe, 2 mines
        """
        return in_words(self, limit.start())

    def table(self, width: int = 80, *, colour: bool = False) -> str:
        """The board with the odds of every cell, in text."""
        return odds_table(self.position, self.probabilities, self.safe, self.mined, colour=colour, width=width)

    def _repr_html_(self) -> str:
        """The board with the odds, and the words beside it, for a notebook."""
        picture = None
        if len(self.position.grid) <= SHOWN_CELLS:
            wrong = () if self.conflict is None else (Highlight(tuple(self.conflict.clues), (), False),)
            picture = self.position.to_svg(self.probabilities, why=wrong)
        return beside(picture, listed(self.words().split("\n")))

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: ARG002
        """The board with the odds and the words, in an IPython console."""
        shown = len(self.position.grid) <= SHOWN_CELLS
        printer.text(f"{self.table()}\n{self.words()}" if shown else self.words())


def analyse(
    position: Position | Seen, limit: Limit = DEFAULT, *, strict: bool = False, cancel: Event | None = None
) -> Analysis:
    """The certain cells of a position, or of a game as its player sees it, and the odds of all other cells.

    An inconsistent position gives an analysis that says so, or with ``strict`` raises `InconsistentPosition`. If a
    position is too hard to count within the limit, certain cells are found by SAT and odds are sampled. ``cancel`` is
    an event that another thread may set; it can also be part of the limit.

    >>> from mineproof import Position, analyse
    >>> analysis = analyse(Position.from_text("3x2x2\\nHHH\\n121"))
    >>> analysis.consistent, sorted(map(str, analysis.safe)), analysis.solutions
    (True, ['B1'], 1)
    """
    check_limit(limit)
    position = position_of(position)
    clock = (limit if cancel is None else replace(limit, cancel=cancel)).start()
    clock.check_cancelled()
    if not has_room(position.grid, limit):
        return _not_begun(position)
    counted = CountedPosition(position)
    counter = counted.start()
    analysis = _analysis(position, counter, clock)
    if not counter.supposed:  # with supposed weights its counts are not exact, so it cannot be used again
        counted.keep(counter)
    object.__setattr__(analysis, "_counted", counted)
    if strict and analysis.consistent is False:
        raise inconsistent(position, clock)
    return analysis


def _analysis(position: Position, counter: Counter, clock: Clock) -> Analysis:
    outcome, settled = hard.count(counter, clock)
    if outcome == counting.HARD:
        estimate = hard.estimate(position, counter, clock, settled=settled)
    elif outcome == counting.COUNTED:
        return read_odds(counter, position, MOST_WORK, clock)
    else:
        estimate = hard.proved_only(position, counter) if outcome == counting.STOPPED else None
    return _inconsistent(position) if estimate is None else _estimated(position, estimate)


def read_odds(counter: Counter, position: Position, most_work: float, clock: Clock) -> Analysis:
    """The analysis of a position that was counted completely."""
    probabilities, errors = np.empty((2, position.grid.rows, position.grid.cols))
    outcome, marks = counter.odds(probabilities, errors, most_work, clock)
    clock.check_cancelled()
    if outcome == counting.INCONSISTENT:
        return _inconsistent(position)
    if outcome != counting.COUNTED:
        return _estimated(position, hard.proved_only(position, counter))
    exact, logs = counter.joined_exactly, counter.log_solutions
    return Analysis(position, True, exact, True, probabilities, marks, logs, errors=None if exact else errors)


def _not_begun(position: Position) -> Analysis:
    """An empty analysis, because the board does not fit into the memory."""
    nothing = np.full((position.grid.rows, position.grid.cols), np.nan)
    closed = CLOSED.encode()
    marks = bytes(counting.MARK_UNSURE if symbol in closed else counting.MARK_OPEN for symbol in range(256))
    why = "memory ran out"
    return Analysis(position, None, False, False, nothing, position.cells.translate(marks), np.nan, ended=why)


def _inconsistent(position: Position) -> Analysis:
    nothing = np.full((position.grid.rows, position.grid.cols), np.nan)
    return Analysis(position, False, True, True, nothing, bytes(len(position.cells)), -np.inf)


def _estimated(position: Position, odds: hard.Estimate) -> Analysis:
    return Analysis(
        position, odds.consistent, False, odds.complete, odds.probabilities, odds.marks, np.nan, odds.errors
    )
