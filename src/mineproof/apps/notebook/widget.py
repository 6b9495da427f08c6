"""A game in a notebook. Python holds the game; the browser gets what its player may see, and asks for moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mineproof.apps.notebook.page import module
from mineproof.board.game import Game
from mineproof.board.ids import GameId
from mineproof.board.layout import Layout
from mineproof.errors import InvalidText, MineproofError, MissingExtra, shorten
from mineproof.limit import Limit
from mineproof.seat.answers import guessed, hinted, overview
from mineproof.seat.seat import Seat

try:
    import anywidget
    from traitlets import Dict
except ImportError:
    raise MissingExtra("playing in a notebook", "anywidget", "notebook") from None

if TYPE_CHECKING:
    from mineproof.board.level import Level
    from mineproof.board.move import Move
    from mineproof.board.rules import Rules

Json = dict[str, Any]


class BoardWidget(anywidget.AnyWidget):
    """A board to play on: click, flag, odds, why. Make it the last line of a cell.

    It takes a game, or what `Game` takes. ``game`` is the game as far as it is played; ``limit`` is for each answer.

    >>> widget = BoardWidget("beginner", "opening", seed=1)
    >>> widget.play("open E5")
    >>> widget.game.state, widget.board["mines_left"]
    (<State.PLAYING: 'playing'>, 10)
    >>> widget
    BoardWidget(<Game beginner/opening#1, playing after 1 move>)
    """

    _esm = module()
    board = Dict().tag(sync=True)
    """All that the browser knows of the game. It has no mine that the position does not show."""

    def __init__(
        self,
        game: Game | Level | Layout | str = "beginner",
        rules: Rules | str | None = None,
        *,
        seed: int | None = None,
        limit: Limit | None = None,
    ) -> None:
        self.game = game if isinstance(game, Game) else Game(game, rules, seed=seed)
        self.limit = limit or Limit(seconds=5)
        self._seat: Seat | None = None
        super().__init__(board=seen(self.game))
        self.on_msg(self._asked)

    def __repr__(self) -> str:  # shown where there is no browser
        return f"BoardWidget({self.game!r})"

    def play(self, move: Move | str) -> None:
        """Make a move, as in ``play("open C4")``; the board in the browser follows."""
        self.game.play(move)
        self.board = seen(self.game)

    def new(self, seed: int | None = None) -> None:
        """Start again: a new board of the same level, or, if the board was given, the same one."""
        game_id = GameId.parse(self.game.id)
        fixed = isinstance(game_id.board, Layout)
        self.game = Game(game_id.board, game_id.rules, seed=None if fixed else seed)
        self.board = seen(self.game)

    def _asked(self, _: object, message: Json, __: object) -> None:
        """Answer a message of the browser; one that fails changes nothing."""
        try:
            answer: Json = {"ok": self._answer(message)}
        except MineproofError as failure:
            answer = {"error": str(failure)}
        self.send({"id": message.get("id"), **answer})

    def _answer(self, message: Json) -> Json:
        match message:
            case {"do": "move", "move": str(move)}:
                self.play(move)
            case {"do": "new"}:
                self.new()
            case {"do": "odds"}:
                return overview(self.seat, self.limit).fields()
            case {"do": "hint"}:
                return hinted(self.seat, self.limit)
            case {"do": "guess"}:
                return guessed(self.seat, self.limit)
            case {"do": "why", "cell": str(cell)}:
                return self._why(cell)
            case _:
                raise InvalidText(f"not a message of the board: {shorten(message)}")
        return {}

    @property
    def seat(self) -> Seat:
        """What the player may ask now."""
        self._seat = Seat.at(self.game, self._seat)
        return self._seat

    def _why(self, cell: str) -> Json:
        explanation = self.seat.why(cell, self.limit)
        return {**explanation.fields(), "claim": explanation.claim, "note": explanation.note}


def seen(game: Game) -> Json:
    """Return what the browser may know about a game; its id and its wrong flags only when it is over."""
    position, over = game.position, game.over
    wrong: list[int] = []
    if over and game.layout is not None:
        wrong = [game.grid.index(cell) for cell in position.where("F") if not game.layout.has_mine(cell)]
    return {
        "rows": game.rows,
        "cols": game.cols,
        "mines": game.mines,
        "symbols": position.cells.decode(),
        "step": game.step,
        "state": str(game.state),
        "mines_left": game.mines_left,
        "unlaid": Seat.at(game).unlaid,
        "questions": game.rules.questions,
        "open_flags": game.rules.open_flags,
        "wrong": wrong,
        "id": game.id if over else None,
    }
