"""What an environment plays: a level and rules, of the kinds that its observations can show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mineproof.board.game import Game
from mineproof.board.ids import GameId
from mineproof.board.layout import Layout
from mineproof.board.level import Level
from mineproof.board.position import Position
from mineproof.board.rules import Rules
from mineproof.errors import InvalidArgument, InvalidBoard, shorten
from mineproof.limit import DEFAULT, Limit, check_limit
from mineproof.odds.analysis import analyse

if TYPE_CHECKING:
    from numpy.typing import NDArray

VERSION = 0
"""The version of every environment; one that behaves differently is a new version."""
LEVELS = {
    "Mini": "6x6x5",
    "BeginnerClassic": "beginner-classic",
    "Beginner": "beginner",
    "Medium": "medium",
    "Intermediate": "intermediate",
    "Expert": "expert",
}
"""The levels of the registered environments, by the name in their id."""
RULE_SETS = {"": "safe", "Any": "any", "Opening": "opening", "NoFlood": "safe+no-flood"}
"""The rules of the registered environments, by the second part of their name."""
CLOSED = -1
"""The value of a closed cell in an observation; an open one has its number."""
SEEDS = 2**64
_SHOWN = np.full(256, CLOSED, np.int8)
_SHOWN[ord("0") : ord("9")] = range(9)
_SYMBOLS = np.frombuffer(b"H012345678", np.uint8)


class Setting(NamedTuple):
    """A level and rules, checked."""

    level: Level
    rules: Rules
    mines: int

    @classmethod
    def of(cls, level: Level | str, rules: Rules | str) -> Setting:
        """Return the setting, if an environment can have it.

        >>> Setting.of("expert", "given")
        Traceback (most recent call last):
        mineproof.errors.InvalidArgument: an observation cannot show cells that the game names safe: ...
        """
        level = Level.of(level)
        rules = Rules.parse(rules) if isinstance(rules, str) else rules
        if level.mines is None:
            raise InvalidArgument(f"an environment needs a number of mines, not a probability: {level.size}")
        if rules.given(level.grid):
            raise InvalidArgument(
                "an observation cannot show cells that the game names safe: the rules must be any, safe or opening"
            )
        if rules.continues:
            raise InvalidArgument("an observation cannot show mines: the rule continue is not for environments")
        kept_free = {"any": 1, "safe": 1, "opening": min(3, level.rows) * min(3, level.cols)}[rules.first_click]
        if level.mines > level.rows * level.cols - kept_free:
            raise InvalidBoard(f"{level.size} leaves too few safe cells for the first-click rule {rules.first_click}")
        return cls(level, rules, level.mines)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.level.rows, self.level.cols

    @property
    def cells(self) -> int:
        """The number of cells, which is that of actions."""
        return self.level.rows * self.level.cols

    def game(self, seed: int) -> Game:
        """Return a game on the board of this seed."""
        return Game(self.level, self.rules, seed=seed)

    def game_on(self, board: object) -> Game:
        """Return a game on a given board: a layout or a game id, as values or text. The mines of a layout stay where
        they are, even if the first click is one."""
        if isinstance(board, str):
            board = Layout.parse(board) if "=" in board and "/" not in board else GameId.parse(board)
        if isinstance(board, Layout):
            if board.level != self.level:
                raise InvalidBoard(f"this environment plays {self.level.size}, not {board.level.size}")
            return Game(board, Rules("any", flood=self.rules.flood))
        if not isinstance(board, GameId):
            raise InvalidArgument(f"a board is a layout or a game id, not {shorten(board)}")
        if isinstance(board.board, Layout):
            return self.game_on(board.board)
        if (board.board, board.rules) != (self.level, self.rules):
            raise InvalidBoard(f"this environment plays {self.level}/{self.rules}, not {board.board}/{board.rules}")
        return Game.from_id(board)

    def position(self, shown: NDArray[np.int8]) -> Position:
        """Return the position of an observation."""
        return Position(self.level.grid, self.mines, _SYMBOLS[shown - CLOSED].tobytes())

    def risk(self, position: Position, limit: Limit, *, fixed: bool) -> dict[str, Any]:
        """Return, for ``info``, the probability that each action opens a mine, and whether it is exact: 0 for open
        cells, NaN where time ran out. Before the mines are ``fixed`` the first click is safe."""
        if not fixed and self.rules.laid_after_click:
            return {"risk": np.zeros(self.cells), "risk_exact": True}
        analysis = analyse(position, limit)
        risk = np.where(observe(position) == CLOSED, analysis.probabilities, 0.0)
        return {"risk": risk.ravel(), "risk_exact": analysis.exact}


def observe(position: Position) -> NDArray[np.int8]:
    """Return the observation of a position."""
    shown: NDArray[np.int8] = _SHOWN[position.array()]
    return shown


def as_limit(risk: Limit | bool) -> Limit | None:
    """Return the limit of an analysis, or None if none is wanted."""
    if isinstance(risk, bool):
        return DEFAULT if risk else None
    check_limit(risk)
    return risk
