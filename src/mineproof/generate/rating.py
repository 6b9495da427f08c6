"""The difficulty of a board: which steps it needs, how many guesses, and one number that orders boards.

`calibration.json` has the numbers of 10,000 boards of each level of the game, made by ``benchmarks/rating.py``.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np

from mineproof.board.layout import layout_of
from mineproof.errors import InvalidBoard, UnknownName
from mineproof.explain.step import ONE_CLUE
from mineproof.generate.no_guess import choose_start
from mineproof.generate.solution import BYTES_PER_CELL, GUESS, check_memory, solve, steps_in_words
from mineproof.limit import DEFAULT, Limit
from mineproof.percent import percent

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mineproof.board.grid import Cell, CellLike
    from mineproof.board.layout import Laid, Layout
    from mineproof.generate.solution import Solution

WEIGHTS = (0, 1, 3, 9, 27, 81, 243)
"""The weight of a step by its level: as much as three steps of the level below."""
HALF = 250
"""The weight of steps that makes a difficulty of 50: about that of an expert board that needs no guess."""


@dataclass(frozen=True, slots=True)
class Rating:
    """How difficult a board is from its start."""

    solution: Solution

    @property
    def start(self) -> Cell:
        """The starting cell."""
        return self.solution.start

    @property
    def level(self) -> int:
        """The level of the hardest certain step; 0 if the first click opens everything."""
        return self.solution.level

    @property
    def levels(self) -> dict[int, int]:
        """The number of certain steps of each level."""
        return {level: count for level, count in self.solution.levels.items() if level != GUESS}

    @property
    def hardest(self) -> Cell | None:
        """The cell of the first of the hardest certain steps."""
        level = self.level
        first = next((link.cells[0] for link in self.solution.links if link.level == level), None)
        return None if first is None else self.solution.layout.grid.cell(first)

    @property
    def guesses(self) -> int:
        """The number of times that nothing is certain."""
        return len(self.solution.risks)

    @property
    def difficulty(self) -> float:
        """The number that orders boards: 0 to 100 without a guess; each guess adds 100."""
        return difficulty_of(self.levels, self.guesses)

    def harder_than(self, level: str | None = None, *, no_guess: bool = False) -> int:
        """Return the percentage of boards that this one is harder than: boards of ``level`` or, by default, of
        `compared_with`. With ``no_guess``, only boards that need no guess are compared."""
        level = self.compared_with if level is None else level
        if level not in calibration():
            raise UnknownName("level", level, calibration())
        quantiles = calibration()[level]["no-guess" if no_guess else "random"]
        return max(0, bisect_left(quantiles, self.difficulty) - 1)

    @property
    def compared_with(self) -> str:
        """The level whose boards this one is compared with: its own, or ``expert`` if that has no name."""
        own = str(self.solution.layout.level)
        return own if own in calibration() else "expert"

    def __repr__(self) -> str:
        return f"<Rating from {self.start}: difficulty {self.difficulty:.1f}, {steps_in_words(self.solution.levels)}>"

    def __str__(self) -> str:
        """Describe the difficulty, the steps and the guesses in words."""
        text = f"difficulty {self.difficulty:.1f} from {self.start}: harder than {self.harder_than()} % of "
        text += f"{self.compared_with} boards"
        if not self.guesses:
            text += f",\nand than {self.harder_than(no_guess=True)} % of those that need no guess"
        text += f"\n{steps_in_words(self.levels)}"
        if self.level > ONE_CLUE:
            text += f"; the first of level {self.level} at {self.hardest}"
        if not self.guesses:
            return f"{text}; no guess"
        guesses = "1 guess, which succeeds" if self.guesses == 1 else f"{self.guesses} guesses, which all succeed"
        return f"{text}\n{guesses} with a chance of {percent(self.solution.luck)}"

    def fields(self) -> dict[str, Any]:
        """The fields for JSON."""
        return {
            "start": list(self.start),
            "level": self.level,
            "levels": {str(level): count for level, count in self.levels.items()},
            "hardest": None if self.hardest is None else list(self.hardest),
            "guesses": self.guesses,
            "luck": self.solution.luck,
            "difficulty": self.difficulty,
            "compared_with": self.compared_with,
            "harder_than": self.harder_than(),
            "harder_than_no_guess": self.harder_than(no_guess=True),
        }


def rate(layout: Layout | Laid, start: CellLike | None = None, *, limit: Limit = DEFAULT) -> Rating:
    """Rate the difficulty of a board, or of a game's board, from this start or the layout's own; without either, from
    the opening nearest the middle or, if there is none, from the nearest safe cell. Raises `OutOfTime`.

    >>> from mineproof import Layout
    >>> rating = rate(Layout.draw("expert", "opening", "O8", seed=1, index=5))
    >>> rating.level, rating.levels, str(rating.hardest), rating.guesses
    (2, {1: 179, 2: 12}, 'R5', 0)
    >>> round(rating.difficulty, 1), rating.harder_than(), rating.harder_than(no_guess=True)
    (46.2, 6, 40)
    """
    layout = layout_of(layout)
    check_memory(layout.grid, limit, BYTES_PER_CELL)
    clock = limit.start()
    at = layout.start if start is None else layout.grid.at(start)
    return Rating(solve(layout, default_start(layout) if at is None else at, limit=clock.rest()))


def difficulty_of(levels: Mapping[int, int], guesses: int) -> float:
    """Return the difficulty of a board: 100 for each guess, and up to 100 for the steps, given by level.

    >>> difficulty_of({1: 220, 2: 10}, 0), difficulty_of({1: 7}, 2)
    (50.0, 202.7237354085603)
    """
    weight = sum(count * WEIGHTS[level] for level, count in levels.items())
    return 100 * (guesses + weight / (weight + HALF))


def default_start(layout: Layout) -> Cell:
    """Return the opening nearest the middle or, if there is none, the nearest safe cell."""
    grid = layout.grid
    middle = choose_start(grid, layout.mines)
    mines = np.frombuffer(layout.mask, np.uint8).reshape(grid.rows, grid.cols)
    wide = np.pad(mines, 1)
    shifted = [wide[r : r + grid.rows, c : c + grid.cols] for r in range(3) for c in range(3)]
    near = np.sum(shifted, axis=0, dtype=np.uint8)
    rows, cols = np.nonzero(near == 0 if np.any(near == 0) else mines == 0)
    if not len(rows):
        raise InvalidBoard("the board has no safe cell to start at")
    nearest = np.argmin((rows - middle.row) ** 2 + (cols - middle.col) ** 2)
    return grid.at((int(rows[nearest]), int(cols[nearest])))


@cache
def calibration() -> dict[str, dict[str, list[float]]]:
    """Return, per level and kind of board, the difficulties that 0 %, 1 %, … 100 % of the boards do not exceed."""
    text = files("mineproof.generate").joinpath("calibration.json").read_text("utf-8")
    levels: dict[str, dict[str, list[float]]] = json.loads(text)["levels"]
    return levels
