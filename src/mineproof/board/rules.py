"""What the player chose before the game: how the first click is treated, what a mine does, what a zero does."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

from mineproof.errors import InvalidBoard, InvalidText, UnknownName, shorten

if TYPE_CHECKING:
    from mineproof.board.grid import Grid

MOST_GIVEN = 100_000
"""Safe cells that a game can name: a short id must not cost gigabytes."""
FIRST_CLICKS = ("any", "safe", "opening", "given")
_GIVEN = re.compile(r"given:([1-9][0-9]{0,8}|sqrt)", re.ASCII)
_OPTIONS = {"goes-on": "goes_on", "no-flood": "flood", "questions": "questions"}


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a game, ``safe`` unless told otherwise.

    ``first_click`` is one of

    - ``any``: the first click may be a mine;
    - ``safe``: it is not;
    - ``opening``: nor is any cell around it;
    - ``given``: the game names one safe cell to start with;
    - ``given:k``: it names k safe cells; ``given:sqrt`` is the rounded square root of the number of cells.

    >>> Rules.parse("given:sqrt+no-flood")
    Rules(first_click='given:sqrt', goes_on=False, flood=False, questions=False)
    >>> str(Rules("any", goes_on=True))
    'any+goes-on'
    """

    first_click: str = "safe"
    goes_on: bool = False
    """Opening a mine does not end the game; the mine stays visible and is counted."""
    flood: bool = True
    """Opening a zero opens its neighbours too."""
    questions: bool = False
    """Question marks are allowed as notes."""

    def __post_init__(self) -> None:
        if not isinstance(self.first_click, str):
            raise InvalidText(f"a first-click rule is text, not {shorten(self.first_click)}")
        if self.first_click not in FIRST_CLICKS and not _GIVEN.fullmatch(self.first_click):
            raise UnknownName("first-click rule", self.first_click, [*FIRST_CLICKS, "given:k", "given:sqrt"])
        named = self.first_click.removeprefix("given:")
        if named.isdecimal() and int(named) > MOST_GIVEN:
            raise InvalidBoard(f"a game can name up to {MOST_GIVEN:,} safe cells, not {int(named):,}")

    @classmethod
    def parse(cls, text: str) -> Rules:
        """Rules from their text: the first click, then options, joined by ``+``."""
        first_click, *options = text.split("+")
        changed = {}
        for option in options:
            if option not in _OPTIONS:
                raise UnknownName("rule", option, _OPTIONS)
            changed[_OPTIONS[option]] = option != "no-flood"
        return cls(first_click, **changed)

    def __str__(self) -> str:
        chosen = {"goes-on": self.goes_on, "no-flood": not self.flood, "questions": self.questions}
        return "+".join([self.first_click, *(option for option, on in chosen.items() if on)])

    def given(self, grid: Grid) -> int:
        """How many safe cells the game names before the first move."""
        if not self.first_click.startswith("given"):
            return 0
        _, _, count = self.first_click.partition(":")
        return round(sqrt(len(grid))) if count == "sqrt" else int(count or 1)

    @property
    def laid_after_click(self) -> bool:
        """Whether the mines are laid only when the first cell is opened."""
        return self.first_click in ("safe", "opening")

    def most_mines(self, grid: Grid) -> int:
        """How many mines fit on the board: with ``opening``, for the best starting cell, a corner."""
        kept_free = {
            "any": 0,
            "safe": 1,
            "opening": min(2, grid.rows) * min(2, grid.cols),
        }
        return len(grid) - kept_free.get(self.first_click, self.given(grid))


SAFE = Rules()
"""The usual rules."""
