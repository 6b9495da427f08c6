"""The rules of a game: the effect of the first click, of a mine, and of a zero."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

from mineproof.errors import InvalidArgument, InvalidBoard, InvalidText, UnknownName, check_text, shorten

if TYPE_CHECKING:
    from mineproof.board.grid import Grid

MOST_GIVEN = 100_000
"""The most safe cells that a game can name, so that a short id cannot take gigabytes."""
FIRST_CLICKS = ("any", "safe", "opening", "given")
_GIVEN = re.compile(r"given:([1-9][0-9]{0,8}|sqrt)", re.ASCII)
_OPTIONS = {"continue": "continues", "no-flood": "flood", "questions": "questions", "open-flags": "open_flags"}
_OLD_NAMES = {"goes-on": "continue"}


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a game, by default ``safe``.

    ``first_click`` is one of

    - ``any``: the first click may be a mine;
    - ``safe``: it is not;
    - ``opening``: nor is any cell around it;
    - ``given``: the game names one safe cell to start with;
    - ``given:k``: it names k safe cells; ``given:sqrt`` is the rounded square root of the number of cells.

    >>> Rules.parse("given:sqrt+no-flood")
    Rules(first_click='given:sqrt', continues=False, flood=False, questions=False, open_flags=False)
    >>> str(Rules("any", continues=True))
    'any+continue'
    """

    first_click: str = "safe"
    continues: bool = False
    """Opening a mine does not end the game; it stays visible and is counted."""
    flood: bool = True
    """Opening a zero opens its neighbours too."""
    questions: bool = False
    """Question marks are allowed as notes."""
    open_flags: bool = False
    """A flag is only a note: a flagged cell can be opened."""

    def __post_init__(self) -> None:
        if not isinstance(self.first_click, str):
            raise InvalidText(f"a first-click rule must be text, not {shorten(self.first_click)}")
        if self.first_click not in FIRST_CLICKS and not _GIVEN.fullmatch(self.first_click):
            raise UnknownName("first-click rule", self.first_click, [*FIRST_CLICKS, "given:k", "given:sqrt"])
        named = self.first_click.removeprefix("given:")
        if named.isdecimal() and int(named) > MOST_GIVEN:
            raise InvalidBoard(f"a game can name up to {MOST_GIVEN:,} safe cells, not {int(named):,}")

    @classmethod
    def of(cls, rules: Rules | str) -> Rules:
        """Return rules, which may be given as text."""
        if isinstance(rules, str):
            return cls.parse(rules)
        if not isinstance(rules, Rules):
            raise InvalidArgument(f"rules must be Rules, or text such as opening, not {shorten(rules)}")
        return rules

    @classmethod
    def parse(cls, text: str) -> Rules:
        """Parse rules: the first click, then options, joined by ``+``."""
        check_text(text, "rules to parse")
        first_click, *options = text.split("+")
        changed = {}
        for name in options:
            option = _OLD_NAMES.get(name, name)
            if option not in _OPTIONS:
                raise UnknownName("rule", option, _OPTIONS)
            changed[_OPTIONS[option]] = option != "no-flood"
        return cls(first_click, **changed)

    def __str__(self) -> str:
        chosen = {"continue": self.continues, "no-flood": not self.flood, "questions": self.questions}
        chosen["open-flags"] = self.open_flags
        return "+".join([self.first_click, *(option for option, on in chosen.items() if on)])

    def given(self, grid: Grid) -> int:
        """Return the number of safe cells that the game names before the first move."""
        if not self.first_click.startswith("given"):
            return 0
        _, _, count = self.first_click.partition(":")
        return round(sqrt(len(grid))) if count == "sqrt" else int(count or 1)

    @property
    def laid_after_click(self) -> bool:
        """Whether the mines are laid only when the first cell is opened."""
        return self.first_click in ("safe", "opening")

    def most_mines(self, grid: Grid) -> int:
        """Return the most mines that fit on the board; with ``opening``, for the best start, a corner."""
        kept_free = {"any": 0, "safe": 1, "opening": min(2, grid.rows) * min(2, grid.cols)}
        return len(grid) - kept_free.get(self.first_click, self.given(grid))


SAFE = Rules()
"""The default rules."""
