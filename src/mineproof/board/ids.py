"""Game ids: one line of text that says which game is played."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mineproof.board.layout import Layout, check_seed
from mineproof.board.level import Level
from mineproof.board.rules import SAFE, Rules
from mineproof.errors import InvalidText, shorten

_SEEDED = re.compile(r"([^/#=]+)(?:/([^#=]+))?#([0-9]{1,20})(?:\.([0-9]{1,20}))?", re.ASCII)
_EXPLICIT = re.compile(r"([^/#=]+)(?:/([^#=]+))?(=[^#=]+)", re.ASCII)


@dataclass(frozen=True, slots=True)
class GameId:
    """A game to be played: a level with rules (``safe`` if none are named) and a seed, or an explicit layout with rules
    (``any`` if none are named).

    >>> GameId.parse("expert/safe#42")
    GameId(board=Level(rows=16, cols=30, mines=99, probability=None), rules=Rules(...), seed=42, index=0)
    >>> str(GameId.parse("9x9x10/given:4+no-flood#7.3"))
    'beginner/given:4+no-flood#7.3'
    >>> str(GameId.parse("4x3x3/given=418@C3"))
    '4x3x3/given=418@C3'
    """

    board: Level | Layout
    rules: Rules = SAFE
    seed: int = 0
    index: int = 0

    def __post_init__(self) -> None:
        explicit = isinstance(self.board, Layout)  # such a board needs no seed, and its id has none
        object.__setattr__(self, "seed", 0 if explicit else check_seed(self.seed))
        object.__setattr__(self, "index", 0 if explicit else check_seed(self.index, "board number"))

    @classmethod
    def parse(cls, text: str) -> GameId:
        """A game from its id."""
        seeded, explicit = _SEEDED.fullmatch(text), _EXPLICIT.fullmatch(text)
        if seeded:
            board, rules, seed, index = seeded.groups()
            return cls(Level.parse(board), Rules.parse(rules or "safe"), int(seed), int(index or 0))
        if explicit:
            board, rules, layout = explicit.groups()
            return cls(Layout.parse(Level.parse(board).size + layout), Rules.parse(rules or "any"))
        raise InvalidText(f"a game id is level/first-click#seed, as in expert/safe#42; this is {shorten(text)}")

    def __str__(self) -> str:
        if isinstance(self.board, Layout):
            size, _, rest = str(self.board).partition("=")
            return f"{size}/{self.rules}={rest}"
        return f"{self.board}/{self.rules}#{self.seed}" + (f".{self.index}" if self.index else "")
