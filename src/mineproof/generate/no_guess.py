"""Boards that need no guess: from the start, opening every certain cell wins.

A cell is certain if the clues and the number of mines prove it, as `analyse` does. Compiled code tries, repairs and
proves boards; this module checks the arguments, and reports when no such board was found.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import repeat
from typing import TYPE_CHECKING

from mineproof._native import generating, solving
from mineproof.board.grid import Cell, CellLike, Grid, whole
from mineproof.board.layout import Layout, check_seed, layout_of, some_seed
from mineproof.board.level import Level
from mineproof.errors import InvalidArgument, InvalidBoard, NoneFound, OutOfTime, UnknownName, shorten
from mineproof.explain.step import MINE_COUNT, ONE_CLUE
from mineproof.generate.solution import (
    BYTES_PER_CELL,
    TOO_HARD,
    Solution,
    check_memory,
    checked_start,
    puzzle,
    run,
    solve,
    started_game,
)
from mineproof.limit import DEFAULT, Limit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mineproof.board.layout import Laid
    from mineproof.board.position import Position
    from mineproof.limit import Clock

TRIES = {"fast": 10_000, "uniform": 1_000_000}
"""The default number of boards that each method tries to find one that needs no guess."""

PATIENT = Limit(seconds=60)
"""On boards up to expert size, the number of tries ends a search before this limit does."""

_BYTES_PER_CELL = 200  # memory of a search, with room to spare
ALL_LEVELS = (ONE_CLUE, MINE_COUNT)
_CELLS_AT_ONCE = 1_000_000  # cells of the boards that are tried between two calls of `progress`


@dataclass(frozen=True, slots=True)
class NoGuess:
    """A board that needs no guess.

    >>> board = next(no_guess("beginner", seed=1))
    >>> str(board.start), board.layout.number(board.start), board.tried
    ('E5', 0, 1)
    """

    layout: Layout
    start: Cell
    method: str
    tried: int
    """The number of boards tried to find this one, itself included; a repaired board counts at each new proof."""
    number: int
    """The number of this board in its seed; a repaired board has the number of the board it was made from."""

    def __str__(self) -> str:
        """The board as a puzzle."""
        return puzzle(self.layout, self.start)

    @property
    def position(self) -> Position:
        """What a player sees after the first click: the puzzle, for a text or a picture."""
        return started_game(self.layout, self.start).position

    def solution(self, limit: Limit = DEFAULT) -> Solution:
        """Return the easiest steps that clear the board."""
        return solve(self.layout, self.start, limit=limit)


def no_guess(
    level: Level | str,
    *,
    start: CellLike | None = None,
    method: str = "fast",
    seed: int | None = None,
    first: int = 0,
    count: int | None = 1,
    min_level: int = ONE_CLUE,
    max_level: int = MINE_COUNT,
    tries: int | None = None,
    limit: Limit = PATIENT,
    accept: Callable[[Layout, Cell], bool] | None = None,
    progress: Callable[[int], object] | None = None,
) -> Iterator[NoGuess]:
    """Yield boards of a level that need no guess from ``start``: ``count`` of them, or without end if it is None.

    The first click is an opening if the number of mines leaves room for one, and otherwise only safe. By default it is
    in the middle, or in the corner A1 if only a corner can be an opening.

    ``uniform`` makes every such board equally likely: it takes the boards of the seed, from number ``first`` on, as
    `Layout.draw` makes them, and leaves out those that need a guess. ``fast`` moves mines where a guess would be
    needed, which is much faster on dense boards but slightly prefers some boards; docs/generate.md has the figures.

    A board's level is that of the hardest step that it needs (docs/techniques.md). Both methods skip boards below
    ``min_level`` and above ``max_level``; ``accept`` may reject others. ``tries`` and ``limit`` apply to each board:
    `NoneFound` is raised if that many boards were tried without success, `OutOfTime` if time ran out. ``progress`` is
    called regularly with the number of boards tried.

    >>> [board.tried for board in no_guess("expert", method="uniform", seed=1, count=4)]
    [6, 3, 21, 2]
    >>> needs_guess(Layout.draw("expert", "opening", "O8", seed=1, index=5))
    False
    """
    level = Level.of(level)
    if level.mines is None:
        raise InvalidBoard("boards that need no guess have a number of mines, not a probability: use a density")
    if method not in TRIES:
        raise UnknownName("method", method, TRIES)
    if count is not None and whole(count, "the number of boards") < 1:
        raise InvalidArgument(f"the number of boards must be positive, not {shorten(count)}")
    most = TRIES[method] if tries is None else whole(tries, "the number of tries")
    if not 1 <= most < 2**62:
        raise InvalidArgument(f"the number of tries must be positive, not {shorten(tries)}")
    levels = whole(min_level, "a level of steps"), whole(max_level, "a level of steps")
    if levels[0] > levels[1]:
        raise InvalidBoard(f"the minimum level, {levels[0]}, is above the maximum level, {levels[1]}")
    if not ONE_CLUE <= levels[0] <= levels[1] <= MINE_COUNT:
        raise InvalidArgument(f"step levels are {ONE_CLUE} to {MINE_COUNT}, not {levels[0]} to {levels[1]}")
    check_memory(level.grid, limit, _BYTES_PER_CELL if levels == ALL_LEVELS else BYTES_PER_CELL)
    search = Search(level, start, method, some_seed(seed), levels, most, limit, accept, progress)
    return search.boards(check_seed(first, "board number"), count)


def needs_guess(layout: Layout | Laid, start: CellLike | None = None, *, limit: Limit = PATIENT) -> bool:
    """Whether a board needs a guess from this start, or from the layout's own.

    >>> needs_guess(Layout.parse("4x1x1=4"), "A1"), needs_guess(Layout.parse("4x1x2=6"), "A1")
    (False, True)
    """
    layout = layout_of(layout)
    at = checked_start(layout, start)
    grid = layout.grid
    check_memory(grid, limit, _BYTES_PER_CELL)
    generator = generating.Generator(grid.rows, grid.cols, layout.mines, grid.index(at), False)
    clock = limit.start()
    outcome = generator.clear_board(layout.mask, clock)
    if outcome in (generating.CLEARED, generating.STUCK):
        return outcome == generating.STUCK
    clock.check_cancelled()
    raise OutOfTime("the limit was reached before it was known whether the board needs a guess")


def opening_fits(grid: Grid, mines: int, start: Cell) -> bool:
    """Whether this many mines leave room for an opening at this start."""
    return mines < len(grid) - len(grid.neighbours(start))


def choose_start(grid: Grid, mines: int) -> Cell:
    """Return the middle of the board, or the corner A1 if the middle cannot be an opening."""
    middle = Cell((grid.rows - 1) // 2, (grid.cols - 1) // 2)
    return middle if opening_fits(grid, mines, middle) else Cell(0, 0)


class Search:
    """A search for boards of one kind; all its arguments have been checked except the start."""

    def __init__(
        self,
        level: Level,
        start: CellLike | None,
        method: str,
        seed: int,
        levels: tuple[int, int],
        tries: int,
        limit: Limit,
        accept: Callable[[Layout, Cell], bool] | None,
        progress: Callable[[int], object] | None,
    ) -> None:
        assert level.mines is not None
        grid = level.grid
        if level.mines == len(grid):
            raise InvalidBoard(f"{level.size} has no safe cell to start at")
        self.level, self.grid, self.method, self.seed = level, grid, method, seed
        self.start = choose_start(grid, level.mines) if start is None else grid.at(start)
        self.levels, self.tries, self.limit, self.accept, self.progress = levels, tries, limit, accept, progress
        self.course = solving.Course()
        opening = opening_fits(grid, level.mines, self.start)
        self.generator = generating.Generator(grid.rows, grid.cols, level.mines, grid.index(self.start), opening)

    def boards(self, number: int, count: int | None) -> Iterator[NoGuess]:
        """Yield ``count`` boards, or boards without end, from this number on."""
        for _ in repeat(None) if count is None else range(count):
            board = self.find(number)
            yield board
            number = (board.number + 1) % 2**64

    def find(self, number: int) -> NoGuess:
        """Return the next board that needs no guess and is accepted. Raises `NoneFound`, and `OutOfTime`."""
        clock = self.limit.start()
        tried = 0
        while tried < self.tries:
            outcome, number, new_tries, mask = self.generator.find(
                self.seed,
                number,
                min(self.tries - tried, 1 + _CELLS_AT_ONCE // len(self.grid)),
                self.method == "fast",
                clock,
            )
            tried += new_tries
            if mask is not None:
                layout = Layout(self.grid, mask, (self.start,))
                if self._is_wanted(layout, clock, tried):
                    return NoGuess(layout, self.start, self.method, tried, (number - 1) % 2**64)
            elif outcome != generating.STUCK:
                self._stop(clock, outcome, tried)
            if self.progress is not None:
                self.progress(tried)
        others = "" if self.levels == ALL_LEVELS else "other levels, "
        raise NoneFound(f"{self._boards(tried)}; try {others}fewer mines, another start or more tries")

    def _is_wanted(self, layout: Layout, clock: Clock, tried: int) -> bool:
        least, most = self.levels
        if self.levels != ALL_LEVELS:
            outcome = run(self.course, layout, self.start, most, clock)
            if outcome not in (solving.CLEARED, solving.STUCK):
                self._stop(clock, outcome, tried)
            if outcome == solving.STUCK or (least > ONE_CLUE and not any(self.course.counts()[least:])):
                return False
        return self.accept is None or self.accept(layout, self.start)

    def _stop(self, clock: Clock, outcome: int, tried: int) -> None:
        clock.check_cancelled()
        if outcome == generating.HARD:
            raise OutOfTime(TOO_HARD)
        raise OutOfTime(f"the limit was reached: {self._boards(tried)}")

    def _boards(self, tried: int) -> str:
        wanted = "is solvable without a guess"
        least, most = self.levels
        if self.levels != ALL_LEVELS:
            wanted += f" and of level {least}{f' to {most}' if most > least else ''}"
        if self.accept is not None:
            wanted += " and accepted"
        return f"none of the {tried:,} boards of {self.level.size} tried from {self.start} {wanted}"
