"""``mineproof play``: you play, in lines of text. Works on a terminal, in a pipe and in an IPython console."""

from __future__ import annotations

import io
import json
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mineproof.apps.cli import sentence
from mineproof.apps.cli.common import (
    board_options,
    chosen_rules,
    draw,
    game_on,
    read_content,
    rule_options,
    say,
    summary,
    wants_colour,
)
from mineproof.apps.cli.hint import game_hint
from mineproof.board.formats import as_layout
from mineproof.board.game import Game
from mineproof.board.grid import Cell
from mineproof.board.metrics import bbbv
from mineproof.board.move import KINDS, Move
from mineproof.board.replay import Replay
from mineproof.board.rules import Rules
from mineproof.errors import IllegalMove, InvalidText, UnknownName, visible
from mineproof.explain.explanation import why
from mineproof.files import write_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mineproof.board.level import Level
    from mineproof.board.position import Position

HELP = """\
open C4        open a cell; just C4 does the same; several cells may follow
flag D2        note a mine                 unflag D2      remove the note
chord C4       open around a number that has all its flags
question D2    note a doubt, in a game with question marks
undo, undo 3   take back moves, even the last one
hint           help with the next move; again: more of it
why C4         why a cell is safe, or a mine
show           draw the board              moves          list what was played
save F         save the game to a file     load F         load one
new, new ID    another game, or that of an id such as expert/safe#42
help           this text                   quit           leave"""

_SHORT = {"o": "open", "f": "flag", "u": "unflag", "c": "chord", "q": "quit", "?": "help", "exit": "quit"}
_WORDS = (*KINDS, "hint", "why", "show", "moves", "save", "load", "new", "help", "quit")


class LineGame:
    """A game played by lines of text; each line is answered through ``say``."""

    def __init__(
        self, game: Game, say: Callable[[str], object], ascii_only: bool = False, colour: bool = False
    ) -> None:
        self.game = game
        self.say = say
        self.ascii_only = ascii_only
        self.colour = colour
        self.left = False
        self._hinted: tuple[Position, list[str]] | None = None  # of which position, and what was not said yet

    def show(self) -> None:
        """The board and how the game stands."""
        game = self.game
        self.say(draw(game, self.ascii_only, self.colour))
        self.say(f"{game.id}: {self.standing()}")

    def standing(self) -> str:
        """The state of the game in words."""
        game = self.game
        parts = [f"{game.state}, {game.mines_left} of {game.mines} mines left, move {game.step}"]
        if game.over:
            parts = [f"{game.state} after {game.step} move{'s' * (game.step != 1)}"]
        if game.hits and game.rules.goes_on:
            parts.append(f"mines opened: {game.hits}")
        if game.deaths_undone:
            parts.append(f"deaths undone: {game.deaths_undone}")
        if game.over and game.layout is not None:
            parts.append(f"3BV {bbbv(game.layout)}")
        if not game.step and game.given:
            more = f", and {len(game.given) - 20} more" if len(game.given) > 20 else ""
            parts.append(f"safe to start: {', '.join(map(str, game.given[:20]))}{more}")
        return "; ".join(parts)

    def do(self, line: str) -> None:
        """Obey one line."""
        word, *rest = line.split() or [""]
        if not word:
            return
        word = _SHORT.get(word.lower(), word.lower() if word.lower() in _WORDS else word)
        if word not in _WORDS:
            word, rest = self._as_open(word, rest)
        if word == "undo":
            self.game.undo(self._count(rest))
            self.show()
        elif word in KINDS:
            self._moves(word, rest)
        elif word in ("save", "load"):
            if not rest:
                raise InvalidText(f"{word} needs the name of a file")
            self._file(word, Path(line.strip().split(maxsplit=1)[1]))
        elif word == "new":
            self.game = Game.from_id(rest[0]) if rest else Game(self.game.level, self.game.rules)
            self.show()
        elif word == "hint":
            self._hint()
        elif word == "why":
            self._why(rest)
        elif word == "moves":
            self.say("\n".join(map(str, self.game.moves)) or "nothing was played yet")
        elif word == "show":
            self.show()
        elif word == "help":
            self.say(HELP)
        else:
            self.left = True

    def _as_open(self, word: str, rest: list[str]) -> tuple[str, list[str]]:
        """A line that starts with a cell opens it."""
        try:
            Cell.parse(word)
        except InvalidText:
            raise UnknownName("command", word, _WORDS) from None
        return "open", [word, *rest]

    def _count(self, rest: list[str]) -> int:
        if not rest:
            return 1
        if len(rest) > 1 or not rest[0].isdecimal() or len(rest[0]) > 9 or not int(rest[0]):
            raise InvalidText("undo takes the number of moves to take back")
        return int(rest[0])

    def _moves(self, kind: str, names: list[str]) -> None:
        if not names:
            raise InvalidText(f"{kind} needs a cell, as in {kind} C4")
        cells = [self.game.grid.at(name) for name in names]
        before = self.game.step
        try:
            for cell in cells:
                self.game.play(Move(kind, cell))
        except IllegalMove:
            if self.game.step > before:
                self.show()
            raise
        self.show()

    def _hint(self) -> None:
        """The next portion of the hint; of a new position, the first one."""
        game = self.game
        if self._hinted is None or self._hinted[0] != game.position:
            self._hinted = (game.position, list(game_hint(game).portions))
        portions = self._hinted[1]
        self.say(portions.pop(0) if portions else "That was the whole hint.")

    def _why(self, names: list[str]) -> None:
        if len(names) != 1:
            raise InvalidText("why needs a cell, as in why C4")
        self.say(why(self.game.position, self.game.grid.at(names[0])).text)

    def _file(self, word: str, path: Path) -> None:
        if word == "save":
            write_file(path, self.game.replay().to_text().encode())
            self.say(f"saved to {visible(path)}")
        else:
            self.game = game_in(str(path))
            self.show()


def game_in(source: str) -> Game:
    """The game of a file: a saved one goes on; of a board, its start is opened, or its starts are given."""
    content = read_content(source, None)
    return content.game() if isinstance(content, Replay) else game_on(as_layout(content))


def lines(prompt: bool) -> Iterator[str]:
    """Lines of standard input until its end."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    while True:
        try:
            yield input("> " if prompt else "")
        except EOFError:
            if prompt:
                click.echo()
            return


@click.command("play")
@board_options(first_click="safe")
@rule_options
@click.option("--id", "game_id", default=None, help="Play the game of this id, as expert/safe#42.")
@click.option("--load", default=None, help="Go on with a saved game, or play a board file.")
@click.option("--plain", is_flag=True, help="Line mode, also on a terminal.")
@click.option("--ascii", "ascii_only", is_flag=True, help="Draw with plain characters.")
@click.option("--json", "as_json", is_flag=True, help="Print only the result at the end, as JSON.")
def command(
    level: Level | None,
    first_click: str,
    seed: int | None,
    goes_on: bool,
    no_flood: bool,
    questions: bool,
    game_id: str | None,
    load: str | None,
    plain: bool,  # noqa: ARG001  line mode is the only mode yet
    ascii_only: bool,
    as_json: bool,
) -> None:
    """Play Minesweeper by typing moves; type help to see how."""
    rules = chosen_rules(first_click, goes_on, no_flood, questions)
    if game_id is not None or load is not None:
        if sum(option is not None for option in (game_id, load, level, seed)) > 1 or rules != Rules():
            raise click.UsageError("--id and --load name a whole game: no other option that names one goes with them")
        game = Game.from_id(game_id) if game_id is not None else game_in(str(load))
    else:
        game = Game(level or "expert", rules, seed=seed)
    interactive = sys.stdin.isatty()
    if interactive:
        with suppress(ImportError):
            import readline  # noqa: F401  editing and history for input()
    session = LineGame(game, (lambda _: None) if as_json else click.echo, ascii_only, wants_colour())
    session.show()
    refused = 0
    for line in lines(prompt=interactive and not as_json):
        try:
            session.do(line)
        except BrokenPipeError:
            raise
        except (ValueError, OSError) as failure:  # ours are ValueErrors, and so is a name that cannot be a file's
            refused += 1
            say(sentence(failure), err=True)
        if session.left:
            break
    if as_json:
        click.echo(json.dumps(summary(session.game)))
    if refused and not interactive:
        sys.exit(2)
