"""The solution of a whole board: from its start, every certain cell is proved by the easiest possible step.

Compiled code finds the steps, in about a millisecond for an expert board. Their sentences are made on demand.
"""

from __future__ import annotations

import warnings
from collections import Counter
from dataclasses import dataclass
from functools import reduce
from operator import mul
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from mineproof._native import solving
from mineproof.board.game import Game
from mineproof.board.layout import layout_of
from mineproof.board.position import SHOWN_CELLS, Position
from mineproof.board.render import to_ascii, to_unicode
from mineproof.errors import IllegalMove, InvalidArgument, OutOfTime
from mineproof.explain.derivation import Deriver, Link
from mineproof.explain.step import CASES, ExplanationStep
from mineproof.limit import DEFAULT, Clock, Limit, check_limit
from mineproof.percent import a_percent
from mineproof.plural import noun_for

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from mineproof.board.grid import Cell, CellLike, Grid
    from mineproof.board.layout import Laid, Layout

GUESS = solving.GUESS
"""The level of a guess, above all levels of certain steps."""

BYTES_PER_CELL = 500
"""Memory of a solution per cell of the board, with room to spare."""
TOO_HARD = "a position was too hard for this much memory"


class Guess(NamedTuple):
    """A guess where nothing is certain: the least risky of the cells that are not mines."""

    number: int
    """The number of the step, from 1."""
    cell: Cell
    risk: float


@dataclass(frozen=True, slots=True)
class Solution:
    """The steps that clear a board from its start.

    >>> from mineproof import Layout
    >>> solution = solve(Layout.parse("5x1x2=60"), "A1")
    >>> solution.levels, [f"{guess.cell}: {guess.risk:.2f}" for guess in solution.guesses]
    ({7: 2}, ['D1: 0.33', 'E1: 0.50'])
    """

    layout: Layout
    start: Cell
    links: tuple[Link, ...]
    """The steps as compiled code finds them; those of level 5 and 6 do not name their clues yet."""
    risks: tuple[float, ...]
    """The risk of each guess, in order."""

    @property
    def levels(self) -> dict[int, int]:
        """The number of steps of each level; guesses have level 7."""
        return dict(sorted(Counter(link.level for link in self.links).items()))

    @property
    def level(self) -> int:
        """The level of the hardest certain step; 0 if the first click opens everything."""
        return max((link.level for link in self.links if link.level != GUESS), default=0)

    @property
    def needs_guess(self) -> bool:
        """Whether a guess is needed somewhere."""
        return bool(self.risks)

    @property
    def guesses(self) -> tuple[Guess, ...]:
        """The guesses, with their risks."""
        numbered = (item for item in enumerate(self.links, start=1) if item[1].level == GUESS)
        at = self.layout.grid.cell
        return tuple(
            Guess(number, at(link.cells[0]), risk) for (number, link), risk in zip(numbered, self.risks, strict=True)
        )

    @property
    def luck(self) -> float:
        """The probability that all guesses succeed."""
        return reduce(mul, (1 - risk for risk in self.risks), 1.0)

    def walk(self, limit: Limit = DEFAULT) -> Iterator[tuple[Position, ExplanationStep]]:
        """Yield each step in words with the position before it, which has flags on the mines that earlier steps proved.
        For a picture, use ``position.to_svg(why=[step])``."""
        for position, step in self._walk(Clock(limit)):
            yield Position(position.grid, position.mines, bytes(position.cells)), step

    def told(self, limit: Limit = DEFAULT) -> Iterator[tuple[Position, ExplanationStep]]:
        """The old name of `walk`."""
        warnings.warn("Solution.told is now called walk", DeprecationWarning, stacklevel=2)
        return self.walk(limit)

    def _walk(self, clock: Clock) -> Iterator[tuple[Position, ExplanationStep]]:
        """Do the same with one position for all steps, which changes as the game goes on: a copy for each of a million
        steps would take a thousand times as long as the words."""
        game = started_game(self.layout, self.start)
        symbols = bytearray(game.position.cells)
        position = Position(game.grid, game.mines, cast("bytes", symbols))
        mines: dict[int, bool] = {}  # the mines proved so far: the value is always True
        mine_links: list[Link] = []  # the steps that proved them
        deriver = Deriver(position, mines, clock)
        at = game.grid.cell
        risks = iter(self.risks)
        for link in self.links:
            clock.check()
            if link.level == GUESS:
                step = _guess(at(link.cells[0]), next(risks))
            else:
                narrator = deriver
                if link.level >= CASES:
                    narrator = Deriver(position, mines | dict.fromkeys(link.cells, link.mine), clock)
                    link = narrator.hard_link(link.cells[0], mine_links)._replace(cells=link.cells)
                link = narrator.in_view(link, mines)
                step = narrator.in_words(link, mines)
                if link.mine:
                    mine_links.append(link)
            yield position, step
            for cell in step.cells:
                if step.mine:
                    mines[game.grid.index(cell)] = True
                    changed = game.flag(cell)
                elif game[cell] == "H":
                    changed = game.open(cell)
                else:  # an earlier cell of the step was a zero, and has opened it too
                    continue
                for index, symbol in zip(changed.indices, game.shows(changed).encode(), strict=True):
                    symbols[index] = symbol

    def steps(self, limit: Limit = DEFAULT) -> tuple[ExplanationStep, ...]:
        """Return the steps in words."""
        return tuple(step for _, step in self._walk(Clock(limit)))

    def text(self, limit: Limit = DEFAULT, *, ascii_only: bool = False) -> str:
        """Return the puzzle, and all steps with their levels, as text."""
        steps = (f"{number:3}. [level {step.level}] {step.text}" for number, step in enumerate(self.steps(limit), 1))
        level = f"Level {self.level}: {steps_in_words(self.levels)}."
        return "\n".join([puzzle(self.layout, self.start, ascii_only=ascii_only), *steps, level])

    def __repr__(self) -> str:
        return f"<Solution of {self.layout.level} from {self.start}: {steps_in_words(self.levels)}>"

    def __str__(self) -> str:
        return self.text()

    def fields(self, limit: Limit = DEFAULT) -> dict[str, Any]:
        """The fields for JSON."""
        return {
            "level": self.level,
            "levels": {str(level): count for level, count in self.levels.items()},
            "guesses": len(self.risks),
            "steps": [step.fields() for step in self.steps(limit)],
        }


def solve(layout: Layout | Laid, start: CellLike | None = None, *, limit: Limit = DEFAULT) -> Solution:
    """Return the easiest steps that clear a board from this start, or from the layout's own.

    Where nothing is certain, a guess is made that always succeeds: it opens the least risky of the cells that are not
    mines. Raises `OutOfTime`.

    >>> from mineproof import no_guess
    >>> solution = solve(next(no_guess("expert", seed=1)).layout)
    >>> solution.level, solution.levels, solution.needs_guess
    (2, {1: 189, 2: 3}, False)
    >>> print(solution.steps()[0].text)
    The 2 at M7 needs two mines and touches only two closed cells, L6 and M6, so both are mines.
    """
    layout = layout_of(layout)
    at = checked_start(layout, start)
    check_memory(layout.grid, limit, BYTES_PER_CELL)
    course, clock = solving.Course(), Clock(limit)
    outcome = run(course, layout, at, GUESS, clock)
    if outcome != solving.CLEARED:
        clock.check_cancelled()
        if outcome == solving.HARD:
            raise OutOfTime(TOO_HARD)
        raise OutOfTime("the limit was reached before the board was solved")
    steps = course.steps()
    links = tuple(Link(*step[:5]) for step in steps)
    return Solution(layout, at, links, tuple(step[5] for step in steps if step[0] == GUESS))


def started_game(layout: Layout, start: Cell) -> Game:
    """Return a game on this board after its first click."""
    game = Game(layout)
    game.open(start)
    return game


def puzzle(layout: Layout, start: Cell, *, ascii_only: bool = False) -> str:
    """Return a board as a puzzle: its id, what the start opens, and where the start is.

    >>> from mineproof import Layout
    >>> print(puzzle(Layout.parse("4x3x1=200@A1"), Layout.parse("4x3x1=200@A1").start))
    4x3x1=200@A1
       A B C D
     1 · 1 ■ ■
     2 · 1 1 1
     3 · · · ·
    Start at A1, which is open here. Mines: 1.
    """
    draw = to_ascii if ascii_only else to_unicode
    drawn = [draw(started_game(layout, start).position)] if len(layout.grid) <= SHOWN_CELLS else []
    return "\n".join([str(layout), *drawn, f"Start at {start}, which is open here. Mines: {layout.mines}."])


def steps_in_words(levels: Mapping[int, int]) -> str:
    """Return the number of steps of each level in words.

    >>> steps_in_words({1: 18, 2: 1}), steps_in_words({1: 7, 7: 1})
    ('18 steps of level 1, 1 of level 2', '7 steps of level 1, 1 guess')
    """
    certain = [(level, count) for level, count in levels.items() if level != GUESS]
    parts = [
        f"{count} {noun_for(count, 'step')} of level {level}" if i == 0 else f"{count} of level {level}"
        for i, (level, count) in enumerate(certain)
    ]
    guesses = levels.get(GUESS, 0)
    if guesses:
        parts.append(f"{guesses} {noun_for(guesses, 'guess', 'guesses')}")
    return ", ".join(parts) or "no step"


def run(course: solving.Course, layout: Layout, start: Cell, most: int, clock: Clock) -> int:
    """Let ``course`` find steps up to level ``most``. Return how it ended: CLEARED, STUCK, HARD or STOPPED."""
    grid = layout.grid
    return course.run(grid.rows, grid.cols, layout.mask, grid.index(start), most, clock)


def checked_start(layout: Layout, start: CellLike | None) -> Cell:
    """Return this start, or the layout's own, after checking that it is not a mine."""
    at = layout.start if start is None else layout.grid.at(start)
    if at is None:
        raise InvalidArgument("whether a board needs a guess depends on its start: name one")
    if layout.has_mine(at):
        raise IllegalMove(f"{at} is a mine: it cannot be the start")
    return at


def check_memory(grid: Grid, limit: Limit, bytes_per_cell: int) -> None:
    """Check that a board of this size fits into the memory limit."""
    check_limit(limit)
    if len(grid) * bytes_per_cell > limit.memory:
        raise OutOfTime(f"a board of {len(grid):,} cells takes more memory than the limit of {limit.memory:,} bytes")


def _guess(cell: Cell, risk: float) -> ExplanationStep:
    text = f"Nothing is certain. {cell} is a guess, with {a_percent(risk)} risk of a mine."
    return ExplanationStep((), (cell,), False, GUESS, "guess", text=text)
