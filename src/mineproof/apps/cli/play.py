"""``mineproof play``: starts the terminal app, or plays by lines of text, in a pipe or in an IPython console."""

from __future__ import annotations

import io
import json
import os
import sys
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, NamedTuple

import click

from mineproof.apps.cli import complain, sentence
from mineproof.apps.cli.common import (
    board_options,
    can_show,
    check_as,
    draw,
    game_on,
    given,
    names_a_game,
    new_game,
    read_content,
    rule_options,
    say,
    summary,
    system_option,
    too_large,
    wants_colour,
    wrapped,
)
from mineproof.apps.kept import folder, keep
from mineproof.apps.starting import PROMISES
from mineproof.arena.match import finish
from mineproof.board.formats import as_layout
from mineproof.board.game import Game, Replay
from mineproof.board.grid import Cell
from mineproof.board.metrics import bbbv
from mineproof.board.move import KINDS, Move
from mineproof.board.position import CLOSED
from mineproof.errors import IllegalMove, InvalidText, MissingExtra, UnknownName, visible
from mineproof.files import write_file
from mineproof.limit import DEFAULT
from mineproof.plural import plural
from mineproof.seat.answers import explained, guessed, hinted, overview
from mineproof.seat.seat import Seat
from mineproof.system import join_command

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mineproof.agents.systems import System
    from mineproof.board.level import Level

HELP = """\
open C4      o   open a cell; just C4 does the same; several cells may follow
open! C4     o!  open a cell even if it is flagged
flag D2      f   mark a mine
unflag D2    uf  remove the mark
chord C4     c   open around a number that has all its flags
question D2      set a question mark, in a game that has them
undo, undo 3 u   take back moves, even one that lost the game
hint         h   help with the next move; repeat it for more
why C4       w   why a cell is safe, or a mine
best         b   whether a guess is needed, and the best one
odds             the risk of every cell
solve        s   the solver makes every certain move, then it is your turn;
                 solve csp asks another agent
show             draw the board
moves            list the moves played
save F           save the game to a file
load F           load a saved game
new, new ID  n   a new game, or the one with an id such as expert/safe#42
help         ?   this text
quit         q   leave; an unsaved game is kept"""

SHORT = {
    "o": "open", "o!": "open!", "f": "flag", "uf": "unflag", "c": "chord", "u": "undo", "h": "hint", "w": "why",
    "s": "solve", "n": "new", "?": "help", "q": "quit", "exit": "quit",
    "b": "best",
}  # fmt: skip
WORDS = (
    *KINDS, "open!", "hint", "why", "best", "odds", "solve", "show", "moves", "save", "load", "new", "help", "quit",
)  # fmt: skip
NEXT = "What next? undo takes back the last move, save F saves the game, new starts another, quit leaves."
SOLVER = "careful"
"""The agent that `solve` asks by default: it makes every certain move, and does not guess."""


class LineGame:
    """A game played by lines of text; each line is answered through ``say``. An unsaved game is kept, unless ``ask``
    asks the user and the answer is no."""

    def __init__(
        self,
        game: Game,
        say: Callable[[str], object],
        ascii_only: bool = False,
        colour: bool = False,
        *,
        ask: Callable[[str], bool] | None = None,
        times: tuple[int, ...] | None = (),
        solver: str = SOLVER,
    ) -> None:
        self.say = say
        self.solver = solver
        self.ascii_only = ascii_only
        self.colour = colour
        self.ask = ask
        self.left = False
        self.kept: Path | None = None
        """The path of the last game that was kept."""
        self._hinted: tuple[Seat, list[str]] | None = None  # the seat that the hint is for, and its parts not yet shown
        self.begin(game, times)

    def begin(self, game: Game, times: tuple[int, ...] | None = ()) -> None:
        """Play this game from now on. ``times`` are those of its moves, in milliseconds, or None if unknown."""
        self.game = game
        self._times = None if times is None else list(times)
        self._clock = time.monotonic() - (times[-1] / 1000 if times else 0)
        self._saved = game.step  # moves that are saved in a file
        self._seat: Seat | None = None

    @property
    def seat(self) -> Seat:
        """What the player may ask now."""
        self._seat = Seat.at(self.game, self._seat)
        return self._seat

    def note_times(self) -> None:
        """Record the time of the moves just made; the clock starts with the first."""
        if self._times is not None and len(self._times) < self.game.step:
            if not self._times:
                self._clock = time.monotonic()
            now = round(1000 * (time.monotonic() - self._clock))
            self._times += [now] * (self.game.step - len(self._times))

    def replay(self) -> Replay:
        """Return the game so far, with its times."""
        self.note_times()
        return replace(self.game.replay(), times=None if self._times is None else tuple(self._times))

    def greet(self) -> None:
        """Print the goal, the board and the first commands."""
        game = self.game
        start = PROMISES.get(game.rules.first_click, "the game names safe cells to start with")
        size = ", ".join(map(plural, (game.grid.cols, game.grid.rows, game.mines), ("column", "row", "mine")))
        self.say(wrapped(f"Open every cell that has no mine. {game.level}: {size}; {start}."))
        self.say("Type a cell, such as C4, to open it; help for all commands; quit to leave.")

    def leave_game(self) -> None:
        """Leave the game, for a new one or at the end. On a terminal, the user may discard an unfinished game."""
        if self.game.step == self._saved:
            return
        dropped = False
        if self.ask is not None and not self.game.over:
            try:
                dropped = not self.ask("This game is not over and not saved. Keep it?")
            except click.Abort:
                self.keep()
                raise
        if dropped:
            self._saved = self.game.step
        else:
            self.keep()

    def keep(self) -> None:
        """Keep the game, if any move was made, and say where."""
        if self.game.step == self._saved:
            return
        self.kept = keep(self.replay())
        self._saved = self.game.step
        self.say(kept_message(self.kept, over=self.game.over))

    def show(self) -> None:
        """Print the board and the state of the game."""
        game = self.game
        self.say(draw(game, self.ascii_only, self.colour))
        self.say(f"{game.id}: {self.standing()}")
        if game.over:
            self.say(wrapped(NEXT))

    def standing(self) -> str:
        """Return the state of the game in words."""
        game = self.game
        parts = [f"{game.state}, {game.mines_left} of {game.mines} mines left, move {game.step}"]
        if game.over:
            parts = [f"{game.state} after {plural(game.step, 'move')}"]
        if game.hits and game.rules.continues:
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
        """Carry out one line."""
        word, *arguments = line.split() or [""]
        if not word:
            return
        word = SHORT.get(word.lower(), word.lower() if word.lower() in WORDS else word)
        if word not in WORDS:
            word, arguments = self._as_open(word, arguments)
        try:
            self._obey(word, arguments, line)
        finally:
            self.note_times()

    def _obey(self, word: str, arguments: list[str], line: str) -> None:
        if word == "undo":
            self.game.undo(self._count(arguments))
            self.show()
        elif word in KINDS or word == "open!":
            self._moves(word, arguments)
        elif word == "solve":
            self._solve(*arguments[:1])
        elif word in ("save", "load"):
            if not arguments:
                raise InvalidText(f"{word} needs a file name")
            self._file(word, Path(line.strip().split(maxsplit=1)[1]))
        elif word == "new":
            another = Game.from_id(arguments[0]) if arguments else Game(self.game.level, self.game.rules)
            self.leave_game()
            self.begin(another)
            self.show()
        elif word == "hint":
            self._hint(arguments)
        elif word == "why":
            self._why(arguments)
        elif word == "best":
            self.say(wrapped(guessed(self.seat, DEFAULT)["text"]))
        elif word == "odds":
            self._odds()
        elif word == "moves":
            self.say("\n".join(map(str, self.game.moves)) or "no moves yet")
        elif word == "show":
            self.show()
        elif word == "help":
            self.say(HELP)
        else:
            self.leave_game()
            self.left = True

    def _as_open(self, word: str, arguments: list[str]) -> tuple[str, list[str]]:
        """Return the command for a line that starts with a cell: open it, and those that follow."""
        try:
            Cell.parse(word)
        except InvalidText:
            raise UnknownName("command", word, WORDS) from None
        return "open", [word, *arguments]

    def _count(self, arguments: list[str]) -> int:
        if not arguments:
            return 1
        if len(arguments) > 1 or not arguments[0].isdecimal() or len(arguments[0]) > 9 or not int(arguments[0]):
            raise InvalidText("undo needs a number of moves, as in undo 3")
        return int(arguments[0])

    def _moves(self, kind: str, names: list[str]) -> None:
        """Make the same move on all these cells, skipping cells that are already open if there are several."""
        if not names:
            raise InvalidText(f"{kind} needs a cell, as in {kind} C4")
        cells = [self.game.grid.at(name) for name in names]
        opens, before = kind in ("open", "open!"), self.game.step
        try:
            for cell in cells:
                symbol = self.game[cell]
                if len(cells) > 1 and (self.game.over or (opens and symbol not in CLOSED)):
                    continue
                if kind == "open!" and symbol == "F":
                    self.game.unflag(cell)
                self.game.play(Move("open" if opens else kind, cell))
        except IllegalMove as failure:
            if self.game.step > before:
                self.show()
            if opens and self.game[cell] == "F":
                raise IllegalMove(f"{failure}, or use open! {cell}") from None
            raise
        if self.game.step == before:
            reason = f"the game is {self.game.state}" if self.game.over else "they are already open"
            raise IllegalMove(f"{kind} {' '.join(map(str, cells))}: {reason}")
        self.show()

    def _solve(self, agent: str = "") -> None:
        """Let an agent make every certain move that it finds."""
        agent = agent or self.solver
        self.seat.check_playing()
        before = self.game.position
        finish(agent, self.game, guesses=False)
        after = self.game.position
        opened, flagged = (len(after.where(kind)) - len(before.where(kind)) for kind in ("012345678", "F"))
        if after != before:
            self.show()
        done = [
            *([f"opened {plural(opened, 'cell')}"] if opened else ()),
            *([f"flagged {flagged}"] if flagged > 0 else ()),
        ]
        report = f"{'The solver' if agent == SOLVER else visible(agent)} {' and '.join(done)}. " if done else ""
        if not self.game.over:
            nothing = f"Nothing {'more ' * bool(done)}is certain"
            stuck = nothing if agent == SOLVER else f"{visible(agent)} finds nothing {'more' * bool(done)}".rstrip()
            self.say(wrapped(f"{report}{stuck}: it is your move."))
        elif report:
            self.say(report.rstrip())

    def _hint(self, arguments: list[str]) -> None:
        """Print the next part of the hint; for a new position, the first one."""
        if arguments:
            raise InvalidText(f"hint looks at the whole board and takes no cell; why {arguments[0]} is about one cell")
        if self._hinted is None or self._hinted[0] != self.seat:
            self._hinted = self.seat, hinted(self.seat, DEFAULT)["portions"]
        portions = self._hinted[1]
        self.say(wrapped(portions.pop(0)) if portions else "That was the whole hint.")

    def _why(self, names: list[str]) -> None:
        if len(names) != 1:
            raise InvalidText("why needs a cell, as in why C4")
        self.say(wrapped(explained(self.seat, names[0], DEFAULT)["text"]))

    def _odds(self) -> None:
        self.seat.check_playing()
        answer = overview(self.seat, DEFAULT)
        if not (self.seat.unlaid or too_large(self.game.grid)):
            self.say(answer.analysis.table(get_terminal_size().columns, colour=self.colour))
        self.say(wrapped(answer.text))

    def _file(self, word: str, path: Path) -> None:
        if word == "save":
            write_file(path, self.replay().to_text().encode())
            self._saved = self.game.step
            self.say(f"saved to {visible(path)}")
        else:
            game, times = game_in(str(path))
            self.leave_game()
            self.begin(game, times)
            self.show()


def kept_message(path: Path, *, over: bool) -> str:
    """Return where a game is kept, and what to do with it."""
    file = join_command([str(path)])
    again = f"mineproof review {file}" if over else f"mineproof play --load {file}"
    return f"The game is kept: {visible(again)}"


def game_in(source: str) -> tuple[Game, tuple[int, ...] | None]:
    """Return the game of a file, and the times of its moves. A saved game continues; on a board, its start is opened or
    its starts are given."""
    content = read_content(source, None)
    if not isinstance(content, Replay):
        return game_on(as_layout(content)), ()
    return content.game(), content.times if content.moves else ()


def lines(prompt: bool) -> Iterator[str]:
    """Yield the lines of standard input."""
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
@board_options(first_click="opening")
@rule_options
@system_option
@click.option("--id", "game_id", default=None, help="Play the game with this id, such as expert/safe#42.")
@click.option("--load", default=None, help="Continue a saved game, or play a board file.")
@click.option("--plain", is_flag=True, help="Type moves, even on a terminal.")
@click.option("--ascii", "ascii_only", is_flag=True, help="Draw with plain characters.")
@click.option("--json", "as_json", is_flag=True, help="Print only the result at the end, as JSON.")
def command(
    level: Level | None,
    first_click: str,
    seed: int | None,
    game_id: str | None,
    load: str | None,
    plain: bool,
    ascii_only: bool,
    as_json: bool,
    system: System | None,
    **rules: bool,
) -> None:
    """Play in the terminal, full-screen or by typing moves.

    On a terminal, with keys and mouse: ? lists them. Without options, the game that you left unfinished continues. In a
    pipe, or with --plain, by typing moves: help lists them.
    """
    times: tuple[int, ...] | None = ()
    check_as(system)
    named = names_a_game({"--id": game_id, "--load": load}, level)
    if named:
        game, times = (Game.from_id(game_id), ()) if game_id is not None else game_in(str(load))
    else:
        game = new_game(system, level, first_click, seed, **rules)
    interactive = sys.stdin.isatty()
    if interactive and not plain and not as_json:
        known = named or seed is not None
        chosen = None if _nothing_chosen() else Chosen(game, times, known, load)
        if _full_screen(chosen, ascii_only, None if system is None else system.agent):
            return
    if interactive:
        with suppress(ImportError):
            import readline  # noqa: F401  editing and history for input()
    session = LineGame(
        game,
        (lambda _: None) if as_json else click.echo,
        ascii_only,
        wants_colour(),
        ask=(lambda question: click.confirm(question, default=True)) if interactive and not as_json else None,
        times=times,
        solver=SOLVER if system is None else system.agent,
    )
    session.greet()
    session.show()
    try:
        refused = _obey_all(session, prompt=interactive and not as_json)
        session.keep()
    except BaseException:  # keep the game after Ctrl-C, a closed terminal or a closed pipe
        with suppress(BrokenPipeError):
            session.keep()
        raise
    if as_json:
        click.echo(json.dumps({**summary(session.game), "kept": None if session.kept is None else str(session.kept)}))
    if refused and not interactive:
        sys.exit(2)


def _nothing_chosen() -> bool:
    """Return whether the player named no game and no kind of game."""
    return not given(*click.get_current_context().params.keys() - {"plain", "ascii_only", "as_json"})


class Chosen(NamedTuple):
    """The game that the options describe."""

    game: Game
    times: tuple[int, ...] | None
    known: bool
    """Whether the player can know the board, because the options name it."""
    file: str | None


def _full_screen(chosen: Chosen | None, ascii_only: bool, solver: str | None) -> bool:
    """Play in the terminal app, and return True; return False if this terminal cannot show it."""
    if not sys.stdout.isatty() or os.environ.get("TERM") in ("dumb", "unknown"):
        return False
    try:
        from mineproof.apps.tui.app import run
        from mineproof.apps.tui.session import Session
    except ModuleNotFoundError as missing:
        name = (missing.name or "").partition(".")[0]
        if name not in ("textual", "portalocker"):
            raise
        complain(f"this is line mode; {MissingExtra('the full-screen app', name, 'tui')}")
        return False
    plainly = ascii_only or not can_show("■⚑✓")
    session = None
    if chosen is not None:
        file = None if chosen.file is None else Path(chosen.file).resolve()
        if file is not None and file.parent == folder().resolve() and file.suffix == ".game":  # it stays in its file
            session = Session.kept(file)
        else:
            session = Session.of(chosen.game, chosen.times, fresh=not chosen.known)
    session, status = run(session, ascii_only=plainly, agent=solver)
    if session.path is not None:
        with suppress(OSError):  # the terminal may be closed
            click.echo(kept_message(session.path, over=session.game.over))
    if status:
        sys.exit(status)
    return True


def _obey_all(session: LineGame, prompt: bool) -> int:
    """Carry out lines until there are no more, and return how many failed."""
    refused = 0
    for line in lines(prompt):
        try:
            session.do(line)
        except BrokenPipeError:
            raise
        except (ValueError, OSError) as failure:  # our errors are ValueErrors, and so is an impossible file name
            refused += 1
            say(sentence(failure), err=True)
        if session.left:
            break
    return refused
