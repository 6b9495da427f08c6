"""Game ids: one line of text that names a game."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mineproof.board.layout import Layout, check_seed
from mineproof.board.level import Level
from mineproof.board.rules import SAFE, Rules
from mineproof.errors import InvalidText, check_text, shorten

_SEEDED = re.compile(r"([^/#=]+)(?:/([^#=]+))?#([0-9]{1,20})(?:\.([0-9]{1,20}))?", re.ASCII)
_EXPLICIT = re.compile(r"([^/#=]+)(?:/([^#=]+))?(=[^#=]+)", re.ASCII)


@dataclass(frozen=True, slots=True)
class GameId:
    """A game to play: a level with rules (by default ``safe``) and a seed, or an explicit layout with rules (by default
    ``any``).

    >>> GameId.parse("expert/safe#42")
    GameId.parse('expert/safe#42')
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
        explicit = isinstance(self.board, Layout)  # an explicit board has no seed
        object.__setattr__(self, "seed", 0 if explicit else check_seed(self.seed))
        object.__setattr__(self, "index", 0 if explicit else check_seed(self.index, "board number"))

    @classmethod
    def parse(cls, text: str) -> GameId:
        """Parse a game id."""
        check_text(text, "a game id")
        seeded, explicit = _SEEDED.fullmatch(text), _EXPLICIT.fullmatch(text)
        if seeded:
            board, rules, seed, index = seeded.groups()
            return cls(Level.parse(board), Rules.parse(rules or "safe"), int(seed), int(index or 0))
        if explicit:
            board, rules, layout = explicit.groups()
            return cls(Layout.parse(Level.parse(board).size + layout), Rules.parse(rules or "any"))
        raise InvalidText(f"a game id must be LEVEL/FIRST-CLICK#SEED, as in expert/safe#42, not {shorten(text)}")

    def __repr__(self) -> str:
        return f"GameId.parse({str(self)!r})"

    def __str__(self) -> str:
        if isinstance(self.board, Layout):
            size, _, mines = str(self.board).partition("=")
            return f"{size}/{self.rules}={mines}"
        return f"{self.board}/{self.rules}#{self.seed}" + (f".{self.index}" if self.index else "")
