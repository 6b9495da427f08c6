"""A game and its replay: played by the rules of `play`, saved, drawn, and played again up to any step."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from mineproof.board import front
from mineproof.board.grid import MAX_CELLS, whole
from mineproof.board.html import beside, folded, heading, listed
from mineproof.board.ids import GameId
from mineproof.board.images import check_length, durations, to_gif
from mineproof.board.move import KINDS, Move
from mineproof.board.play import Play, State
from mineproof.board.position import SHOWN_CELLS, Position, position_of
from mineproof.board.render import to_unicode
from mineproof.board.svg import to_svg
from mineproof.errors import InvalidArgument, InvalidText, MineproofError, check_text, shorten
from mineproof.limit import DEFAULT, Limit
from mineproof.plural import plural

if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from mineproof.board.grid import CellLike
    from mineproof.board.html import Picture
    from mineproof.board.render import Certain

    Prover: TypeAlias = Callable[[Position], Certain]

_HEADER = "mineproof game 1"
_MOST_WORK = 4 * MAX_CELLS  # cells changed by all moves together: a short text must not take hours
_TIMED = re.compile(r"(.*?)\s+@(-?[0-9]{1,15})\.([0-9]{3})", re.ASCII)


class Game(Play):
    """A game of Minesweeper.

    ``level`` is a level (mines are laid by ``seed``, at the first click if the rules require it) or a layout. By
    default the rules are ``safe`` for a level and ``any`` for a layout; under other rules a layout must name starts
    that satisfy them. Every move returns the cells that it changed. While one thread plays, others may look: they see
    the game between two moves.

    >>> game = Game("beginner", "opening", seed=1)
    >>> len(game.open("E5"))
    32
    >>> game.state, game.mines_left, game.id
    (<State.PLAYING: 'playing'>, 10, 'beginner/opening#1')
    """

    def __reduce__(self) -> tuple[object, ...]:
        """Copying and pickling replay the game."""
        return _played_again, (self._id, self._record)

    def __repr__(self) -> str:
        moves = len(self._record)
        return f"<Game {self.id}, {self.state} after {moves} {'move' if moves == 1 else 'moves'}>"

    def __str__(self) -> str:
        return to_unicode(self.position, layout=self._layout if self.over else None)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: ARG002
        """The board, in an IPython console."""
        printer.text(str(self) if len(self.grid) <= SHOWN_CELLS else repr(self))

    def to_svg(self, *, known: Certain | None = None, theme: str = "plain", reveal: bool = False) -> str:
        """A picture of the position; after the game, wrong flags are crossed out. With ``known`` (an analysis, or
        deductions), proved cells have the colours of the ``theme``; ``reveal`` shows the other mines too."""
        layout = self._layout if self.over or reveal else None
        return to_svg(self.position, layout=layout, known=known, theme=theme)

    def show(self, *, odds: bool = False, why: CellLike | None = None, limit: Limit = DEFAULT) -> Picture:
        """What the player sees, with odds and reasons: `Position.show`."""
        return self.position.show(odds=odds, why=why, limit=limit)

    def _repr_svg_(self) -> str | None:
        return self.to_svg() if len(self.grid) <= SHOWN_CELLS else None

    def replay(self) -> Replay:
        """The whole game, to save or replay."""
        return Replay(self._id, tuple(self.moves))

    def save(self, path: str | Path) -> None:
        """Write the game to a file, completely or not at all. The extension names the format; `load` continues a
        ``.game`` file."""
        front.save(self, path)

    @classmethod
    def load(cls, path: str | Path) -> Game:
        """The game of a file: as far as it was played, or a new game on a board."""
        game: Game = front.load(path)
        return game


@dataclass(frozen=True, slots=True)
class Replay:
    """A game and its moves, including undo, with the time of each in milliseconds if known.

    >>> replay = Replay.from_text('''mineproof game 1
    ... beginner/safe#7
    ... open A1
    ... flag I9
    ... undo
    ... ''')
    >>> replay.game(step=2).mines_left, replay.game().mines_left
    (9, 10)
    """

    id: GameId
    moves: tuple[Move, ...]
    times: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        if not self.moves:  # no moves, no times
            object.__setattr__(self, "times", None)
        if self.times is not None:
            object.__setattr__(self, "times", tuple(whole(time, "a time in milliseconds") for time in self.times))
            if len(self.times) != len(self.moves):
                raise InvalidArgument(f"{len(self.moves)} moves have {len(self.times)} times")

    def game(self, step: int | None = None) -> Game:
        """The game after this many moves, all by default."""
        if step is not None and not 0 <= step <= len(self.moves):
            raise InvalidArgument(f"step {step} is not in this game of {len(self.moves)} moves")
        game = Game.from_id(self.id)
        for move in self.moves[:step]:
            game.play(move)
        return game

    @property
    def position(self) -> Position:
        """The last one."""
        return self.game().position

    def positions(self) -> Iterator[Position]:
        """The positions before the first move and after each move."""
        game = Game.from_id(self.id)
        yield game.position
        for move in self.moves:
            game.play(move)
            yield game.position

    def to_gif(self, *, known: Prover | None = None, theme: str = "plain") -> bytes:
        """The game as an animated GIF with one frame per move; needs the extra ``images``. With ``known``, which gets a
        position and returns an analysis or deductions, proved cells have the colours of the ``theme``."""
        check_length((len(self.moves) + 1) * len(self.id.board.grid))
        shown: list[Position | Game] = [*self.positions()]
        shown[-1] = self.game()  # of a game that is over, the last frame shows more
        proved = (None if known is None else known(position_of(seen)) for seen in shown)
        pictures = (seen.to_svg(known=cells, theme=theme) for seen, cells in zip(shown, proved, strict=True))
        return to_gif(pictures, durations(len(self.moves), self.times))

    def _repr_html_(self) -> str:
        """The last position and all moves, for a notebook."""
        game = self.game()
        moves = folded("moves", listed([str(move) for move in self.moves], numbered=True)) if self.moves else ""
        return beside(game._repr_svg_(), heading(str(self.id), _standing(self, game)), moves)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """The last position, in an IPython console."""
        game = self.game()
        printer.text(f"{self.id}: {_standing(self, game)}\n")
        game._repr_pretty_(printer, cycle)

    def to_text(self) -> str:
        """A header, the game id, then one move per line, with its time in seconds after ``@`` if known."""
        lines = [_HEADER, str(self.id)]
        if self.times is None:
            lines += map(str, self.moves)
        else:
            lines += (f"{move} @{seconds(time)}" for move, time in zip(self.moves, self.times, strict=True))
        return "\n".join([*lines, ""])

    @classmethod
    def from_text(cls, text: str) -> Replay:
        """Read a saved game. Every move is tried, so that an accepted game can be replayed."""
        check_text(text, "a saved game")
        head, _, body = text.rstrip().partition("\n")
        if head.strip() != _HEADER:
            raise InvalidText(f"a saved game must start with {_HEADER!r}, not {shorten(head)}", line=1)
        named, _, played = body.partition("\n")
        if not named:
            raise InvalidText("the game id is missing", line=2)
        moves: list[Move] = []
        times: list[int] = []
        read = 1  # valid lines so far, for the message
        work = 0
        try:
            game_id = GameId.parse(named.strip())
            game = Game.from_id(game_id)
            for read, line in enumerate(played.split("\n") if played else (), start=2):  # noqa: B007
                timed = _TIMED.fullmatch(line.strip())
                moves.append(Move.parse(timed[1] if timed else line))
                if timed:
                    times.append(milliseconds(timed[2], timed[3]))
                if times and len(times) < len(moves):
                    raise InvalidText("either all moves have a time, or none")
                work += len(game.play(moves[-1]))
                if work > _MOST_WORK:
                    raise InvalidText("this game opens and undoes too many cells")
        except MineproofError as failure:
            raise InvalidText(str(failure), line=read + 1) from None
        return cls(game_id, tuple(moves), tuple(times) if times else None)


def _standing(replay: Replay, game: Game) -> str:
    return f"{game.state} after {plural(len(replay.moves), 'move')}"


def seconds(time: int) -> str:
    """Milliseconds as seconds with three decimals."""
    return f"{'-' if time < 0 else ''}{abs(time) // 1000}.{abs(time) % 1000:03}"


def milliseconds(whole: str, decimals: str) -> int:
    """Milliseconds from the digits of seconds before and after the point."""
    size = int(whole.lstrip("-")) * 1000 + int(decimals[:3].ljust(3, "0") or 0)
    return -size if whole.startswith("-") else size


def _played_again(game_id: GameId, record: array[int]) -> Game:
    game = Game.from_id(game_id)
    for entry in record:
        kind = KINDS[entry % len(KINDS)]
        game._play(kind, None if kind == "undo" else game.grid.cell(entry // len(KINDS)))
    return game


__all__ = ["Game", "Replay", "State"]
