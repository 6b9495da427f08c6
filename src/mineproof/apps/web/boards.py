"""The board of a new game: from a level and rules, a given seed or board, a shared one, or that of a day.

A board is stored as a `GameId`, from which the game can be created again. It reveals the mines, so it never leaves the
server while a game is running.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from secrets import randbits, token_urlsafe
from typing import TYPE_CHECKING, Any

from mineproof.agents.systems import find_system
from mineproof.apps.starting import check_no_guess, without_guess
from mineproof.apps.web.problems import InvalidInput, TooLarge
from mineproof.board.formats import as_layout, read_bytes
from mineproof.board.game import Game, Replay
from mineproof.board.ids import GameId
from mineproof.board.layout import Layout
from mineproof.board.position import Position
from mineproof.board.rules import FIRST_CLICKS, Rules
from mineproof.errors import InvalidBoard

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mineproof.board.grid import Grid
    from mineproof.board.level import Level
    from mineproof.limit import Limit

DAILY_LEVELS = ("beginner", "intermediate", "expert")


@dataclass(frozen=True, slots=True)
class Board:
    """The board of a game."""

    id: GameId
    level: str
    rules: str
    origin: str
    """A name of the board that is the same for all games on it."""
    no_guess: bool = False
    difficulty: str | None = None
    laid: bool = True
    """Whether the board exists; one that needs no guess may be searched for at the first click."""
    known: bool = False
    """Whether the player can know where the mines are."""
    daily: str | None = None
    """The day of which this is the board."""


def chosen_rules(preset: str | None, rules: str | None, first_click: str | None, options: Mapping[str, Any]) -> Rules:
    """Return the rules that the fields of a request name; later fields take precedence."""
    chosen = Rules() if preset is None else Rules.parse(find_system(preset).rules)
    if rules is not None:
        rule, *_ = rules.split("+")
        named = rule in FIRST_CLICKS or rule.startswith("given:")
        chosen = Rules.parse(rules if named else f"{chosen.first_click}+{rules}")
    if first_click is not None:
        rule, *more = first_click.split("+")
        chosen = Rules.parse("+".join([rule, *str(chosen).split("+")[1:], *more]))
    return replace(chosen, **options)


def fresh(level: Level, rules: Rules, seed: int | None, wants_no_guess: bool, difficulty: str | None = None) -> Board:
    """Return a board of a level; the seed is secret unless the player chose it."""
    known = seed is not None
    game_id = GameId(level, rules, randbits(64) if seed is None else seed)
    origin = str(game_id) if known else token_urlsafe(16)
    check_no_guess(level, wants_no_guess, difficulty)
    if not wants_no_guess:
        Game.from_id(game_id)  # checks that such a game exists
        return Board(game_id, str(level), str(rules), origin, known=known)
    if rules.first_click not in ("safe", "opening", "given"):
        raise InvalidBoard("a board that needs no guess needs a safe start: first click safe, opening or given")
    return Board(game_id, str(level), str(rules), origin, no_guess=True, difficulty=difficulty, laid=False, known=known)


def named(text: str, rules: Rules | None, most_cells: int) -> Board:
    """Return a board that the player sent, in any format; if it names a start, the player is told."""
    content = read_bytes(text.encode("utf-8", "surrogatepass"))  # never the path of a file
    if isinstance(content, Position):
        raise InvalidInput("this is a position: it does not say where its mines are, and a game needs a board")
    if isinstance(content, Replay) and not isinstance(content.id.board, Layout) and not content.moves:
        game_id = content.id if rules is None else replace(content.id, rules=rules)
    else:
        if isinstance(content, Replay):
            check_size(content.id.board.grid, most_cells)
        layout = as_layout(content)
        own = content.id.rules if isinstance(content, Replay) else Rules("any")
        if rules is None:
            rules = replace(own, first_click=layout.naming)
        game_id = GameId(layout, rules)
    check_size(game_id.board.grid, most_cells)
    game = Game.from_id(game_id)
    return Board(game_id, str(game.level), str(game_id.rules), str(game_id), known=True)


def check_size(grid: Grid, most: int) -> None:
    """Check that the server accepts boards of this size."""
    if len(grid) > most:
        raise TooLarge(f"this server accepts boards of up to {most:,} cells; this one has {len(grid):,}")


def laid_at_once(board: Board, limit: Limit) -> Board:
    """Find a board that needs no guess now if its start is named; otherwise it is found at the first click."""
    if board.laid or board.id.rules.first_click != "given":
        return board
    return replace(board, id=without_guess(board.id, None, board.difficulty, limit), laid=True)
