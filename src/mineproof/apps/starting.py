"""How a game starts, for several apps: on a board that needs no guess, or on the same board again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mineproof.board.ids import GameId
from mineproof.board.level import Level
from mineproof.errors import InvalidBoard, UnknownName
from mineproof.explain.step import MINE_COUNT, ONE_CLUE
from mineproof.generate.no_guess import no_guess

if TYPE_CHECKING:
    from mineproof.board.game import Game
    from mineproof.board.grid import Cell
    from mineproof.board.layout import Layout
    from mineproof.board.rules import Rules
    from mineproof.limit import Limit

DIFFICULTIES = {
    "easy": (ONE_CLUE, ONE_CLUE, "one clue at a time is enough"),
    "medium": (2, 2, "two clues must be compared"),
    "hard": (3, 4, "three clues or more, or chains of them"),
    "master": (5, MINE_COUNT, "cases, or the number of mines"),
}
"""The difficulties of boards that need no guess: the least and the highest level of the hardest step, and what that
means."""
PROMISES = {
    "any": "the first click may be a mine",
    "safe": "the first click is safe",
    "opening": "the first click is an opening",
}
"""What each first-click rule promises the player."""


def check_no_guess(level: Level, no_guess: bool, difficulty: str | None) -> None:
    """Check that there are boards of this level that need no guess, if such a board or a difficulty is wanted."""
    if difficulty is not None and difficulty not in DIFFICULTIES:
        raise UnknownName("difficulty", difficulty, DIFFICULTIES)
    if not no_guess and difficulty is not None:
        raise InvalidBoard("only a board that needs no guess has a difficulty")
    if no_guess and level.mines is None:
        raise InvalidBoard("boards that need no guess have a number of mines, not a probability")
    if no_guess and level.mines == len(level.grid):
        raise InvalidBoard(f"{level.size} has no safe cell to start at")


def started_again(game: Game) -> GameId:
    """Return the same board again from the start, with the same mines; if they were placed to suit the first click,
    that cell is named."""
    game_id = GameId.parse(game.id)
    if game.layout is None or not game.rules.laid_after_click:
        return game_id
    start = next(move.cell for move in game.moves if move.kind == "open")
    assert start is not None
    return GameId(replace(game.layout, starts=(start,)), replace(game.rules, first_click="given"))


def without_guess(game_id: GameId, start: Cell | None, difficulty: str | None, limit: Limit) -> GameId:
    """Return a board that needs no guess, of a level and a seed, with this start or the generator's default."""
    assert isinstance(game_id.board, Level)
    least, most, _ = (ONE_CLUE, MINE_COUNT, "") if difficulty is None else DIFFICULTIES[difficulty]
    search = no_guess(game_id.board, start=start, seed=game_id.seed, min_level=least, max_level=most, limit=limit)
    layout = next(search).layout
    return GameId(layout, promised(layout, game_id.rules))


def promised(layout: Layout, rules: Rules) -> Rules:
    """Return the same rules, but only a safe first click if there is no room for an opening."""
    if rules.first_click == "opening" and any(map(layout.has_mine, layout.grid.neighbours(layout.starts[0]))):
        return replace(rules, first_click="safe")
    return rules
