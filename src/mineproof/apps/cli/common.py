"""Shared by the commands: options that name a board, input and output files, and drawing a board."""

from __future__ import annotations

import dataclasses
import json
import os
import re
import shutil
import sys
from functools import wraps
from pathlib import Path
from textwrap import TextWrapper
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from mineproof.apps import contents
from mineproof.board.formats import (
    FORMATS,
    MOST_BYTES,
    Content,
    as_layouts,
    as_position,
    is_file,
    jsonl,
    read_bytes,
    read_file,
    read_named,
    recognised,
)
from mineproof.board.game import Game, Replay, State
from mineproof.board.level import LEVELS, Level
from mineproof.board.position import SHOWN_CELLS, Position
from mineproof.board.render import THEMES, to_ascii, to_unicode
from mineproof.board.rules import Rules
from mineproof.errors import InvalidText, MineproofError, UnknownName, shorten, visible
from mineproof.limit import DEFAULT, Limit
from mineproof.seat.seat import Seat

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from mineproof.agents.systems import System
    from mineproof.board.grid import Grid
    from mineproof.board.layout import Layout
    from mineproof.board.render import Certain

F = TypeVar("F", bound="Callable[..., Any]")


def board_options(first_click: str, *, many: bool = False) -> Callable[[F], F]:
    """Add ``--level``; ``--size`` with ``--mines``, ``--density`` or ``--probability``; ``--first-click``; ``--seed``.

    The command receives the first five as one ``level``, or None. With ``many``, there may be several levels, passed
    as ``levels``.
    """
    text = f"{', '.join(LEVELS)} or WIDTHxHEIGHTxMINES{'; repeatable' * many}."
    options = (
        click.option("--level", multiple=many, default=None, help=f"{text}  [default: expert]"),
        click.option("--size", metavar="WIDTHxHEIGHT", default=None, help="Size, instead of a level."),
        click.option("--mines", type=int, default=None, help="Number of mines, with --size."),
        click.option("--density", type=float, default=None, help="Share of cells that are mines, with --size."),
        click.option("--probability", type=float, default=None, help="Probability that a cell is a mine, with --size."),
        click.option(
            "--first-click",
            default=first_click,
            show_default=True,
            help="any, safe, opening, given, given:k or given:sqrt; other rules may follow, as in given:sqrt+no-flood.",
        ),
        click.option("--seed", type=int, default=None, help="The same seed gives the same board."),
    )

    def add(command: F) -> F:
        @wraps(command)
        def with_level(*, level: Any, size: Any, mines: Any, density: Any, probability: Any, **others: Any) -> Any:
            if not many:
                return command(level=chosen_level(level, size, mines, density, probability), **others)
            sized = chosen_level(None, size, mines, density, probability)
            levels = (*map(Level.parse, level or ()), *(() if sized is None else (sized,)))
            return command(levels=levels, **others)

        for option in reversed(options):
            with_level = option(with_level)
        return with_level  # type: ignore[return-value]

    return add


def chosen_level(
    level: str | None, size: str | None, mines: int | None, density: float | None, probability: float | None
) -> Level | None:
    """Return the level named by the options, if any."""
    amounts = [amount for amount in (mines, density, probability) if amount is not None]
    if size is None:
        if amounts:
            raise click.UsageError("--mines, --density and --probability need --size")
        return None if level is None else Level.parse(level)
    if level is not None:
        raise click.UsageError("--level and --size cannot be combined")
    size_match = re.fullmatch(r"([0-9]{1,9})[xX]([0-9]{1,9})", size, re.ASCII)
    if size_match is None:
        raise click.UsageError(f"--size must be WIDTHxHEIGHT, as in 30x16, not {shorten(size)}")
    if len(amounts) != 1:
        raise click.UsageError("--size needs one of --mines, --density and --probability")
    cols, rows = int(size_match[1]), int(size_match[2])
    if density is not None:
        return Level.share(rows, cols, density)
    return Level(rows, cols, mines, probability)


def rule_options(command: F) -> F:
    """Add ``--continue``, ``--no-flood``, ``--questions`` and ``--open-flags``."""
    for name, text in (
        ("--open-flags", "A flagged cell can be opened."),
        ("--questions", "Allow question marks."),
        ("--no-flood", "A zero does not open its neighbours."),
        ("--continue", "A mine does not end the game."),
    ):
        keyword = name.removeprefix("--").replace("-", "_").replace("continue", "continues")
        command = click.option(name, keyword, is_flag=True, help=text)(command)
    return command


def chosen_rules(first_click: str, *, continues: bool, no_flood: bool, questions: bool, open_flags: bool) -> Rules:
    """Return the rules named by the options."""
    rules = Rules.parse(first_click)
    return dataclasses.replace(
        rules, continues=rules.continues or continues, flood=rules.flood and not no_flood,
        questions=rules.questions or questions, open_flags=rules.open_flags or open_flags,
    )  # fmt: skip


_OPTION_NAMES = {"continues": "continue", "game_id": "id"}
RULE_PARAMETERS = ("first_click", "continues", "no_flood", "questions", "open_flags")


def given(*names: str) -> list[str]:
    """Return which of these parameters are on the command line, as options."""
    source = click.get_current_context().get_parameter_source
    named = [name for name in names if source(name) is ParameterSource.COMMANDLINE]
    return [f"--{_OPTION_NAMES.get(name, name).replace('_', '-')}" for name in named]


def system_option(command: F) -> F:
    """Add ``--as``: a system of a report, with its agent, rules and level; passed as ``system``."""

    def parse(_context: click.Context, _parameter: click.Parameter, name: str | None) -> System | None:
        from mineproof.agents.systems import find_system

        return None if name is None else find_system(name)

    text = "Agent, rules and level of a report: mcintyre, harnjan, smile, lee or sharma."
    return click.option("--as", "system", metavar="SYSTEM", default=None, callback=parse, help=text)(command)


def check_as(system: System | None) -> None:
    """Check that nothing else names a game or its rules."""
    others = [] if system is None else given(*RULE_PARAMETERS, "game_id", "load", "run", "boards")
    if system is not None and others:
        raise click.UsageError(f"--as {system.name} brings its own rules; it cannot be combined with {others[0]}")


def new_game(system: System | None, level: Level | None, first_click: str, seed: int | None, **rules: bool) -> Game:
    """Return a new game of a system or, without one, under the rules named by the options."""
    if system is not None:
        return Game(level or system.levels[0], system.rules, seed=seed)
    return Game(level or "expert", chosen_rules(first_click, **rules), seed=seed)


def names_a_game(ways: Mapping[str, object], level: Level | None) -> bool:
    """Return whether one of these options names a whole game, and refuse options that describe another one."""
    described = given("seed", *RULE_PARAMETERS)
    named = [option for option, value in ways.items() if value is not None]
    if len(named) > 1:
        raise click.UsageError(f"{named[0]} and {named[1]} cannot be combined")
    if named and (level is not None or described):
        other = "--level or --size" if level is not None else described[0]
        raise click.UsageError(f"{named[0]} cannot be combined with {other}")
    return bool(named)


def seconds_option(command: F) -> F:
    """Add ``--seconds``, for commands that reason."""
    positive = click.FloatRange(0, 1e9, min_open=True)
    return click.option("--seconds", type=positive, default=10.0, show_default=True, help="Time limit.")(command)


from_option = click.option("--from", "format_name", default=None, help="Format of FILE, if it cannot be recognised.")


def position_options(command: F) -> F:
    """Add FILE, ``--from`` and ``--seconds`` to a question about a position; passed as ``seat`` and ``limit``."""

    @wraps(command)
    def with_seat(*, file: str, format_name: str | None, seconds: float, **others: Any) -> Any:
        return command(seat=seat_in(read_content(file, format_name)), limit=Limit(seconds=seconds), **others)

    return click.argument("file")(from_option(seconds_option(with_seat)))  # type: ignore[return-value]


def engine_options(command: F) -> F:
    """Add ``--workers`` and ``--cluster`` (passed as ``address``), for commands that play many games."""
    text = "A dask scheduler, as in tcp://host:8786."
    command = click.option("--cluster", "address", default=None, metavar="ADDRESS", help=text)(command)
    text = "Number of processes.  [default: all cores]"
    return click.option("--workers", type=click.IntRange(1, 4096), default=None, help=text)(command)


def theme_option(text: str) -> Callable[[F], F]:
    """Add ``--theme``, None by default; ``text`` says what it colours."""

    def check(_context: click.Context, _parameter: click.Parameter, theme: str | None) -> str | None:
        if theme is not None and theme not in THEMES:
            raise UnknownName("theme", theme, THEMES)
        return theme

    return click.option("--theme", default=None, callback=check, help=f"{text}: {', '.join(THEMES)}.")


def proved(position: Position, limit: Limit = DEFAULT) -> Certain:
    """Return what the agent of the CSP report proves in a position. It does not use mines that the end of a game has
    shown."""
    from mineproof.agents.reasoner import Reasoner
    from mineproof.agents.registry import find_agent
    from mineproof.agents.systems import find_system

    agent = find_agent(find_system("sharma").agent).make()
    assert isinstance(agent, Reasoner)
    clock = limit.start()
    deductions = agent.conclude(
        Position(position.grid, position.mines, position.cells.replace(b"?", b"H")), clock.rest()
    )
    clock.check()
    return deductions


def read_content(source: str, format_name: str | None) -> Content:
    """Return the content of a file, of standard input (``-``), or of the argument itself (a game id or a URL)."""
    if source == "-":
        return read_named(sys.stdin.buffer.read(MOST_BYTES + 1), "standard input", format_name)
    if not is_file(source):
        data = source.encode("utf-8", "surrogateescape")
        if format_name is not None or recognised(data) is not None:
            return read_bytes(data, format_name)
    return read_file(source, format_name)


def read_layouts(source: str, format_name: str | None, start: str | None = None) -> Iterator[Layout]:
    """Yield the layouts of a source, one by one; JSON lines may be of any length."""
    if source == "-" or Path(source).suffix not in FORMATS["jsonl"].suffixes or format_name not in (None, "jsonl"):
        yield from as_layouts(started(read_content(source, format_name), start))
        return
    with Path(source).open(encoding="utf-8-sig", errors="surrogateescape") as lines:
        try:
            yield from jsonl.read_lines(lines)
        except MineproofError as failure:
            raise InvalidText(f"{source}: {failure}") from None


def running(replay: Replay) -> Game:
    """Return the game at the end of a replay. A lost game is refused: its mines are shown already."""
    game = replay.game()
    if game.state is State.LOST:
        before = f"mineproof convert GAME before.mine --step {len(replay.moves) - 1}"
        raise InvalidText(f"the game is lost, and shows its mines; `{before}` writes the position before the last move")
    return game


def seat_in(content: Content) -> Seat:
    """Return the seat from which a position, or a game, is asked about."""
    return Seat.at(running(content)) if isinstance(content, Replay) else Seat(as_position(content))


def print_answer(answer: dict[str, Any], as_json: bool, text: str | None = None) -> None:
    """Print an answer as JSON, or in words: this text, or by default that of the answer, wrapped."""
    click.echo(json.dumps(answer) if as_json else wrapped(answer["text"]) if text is None else text)


def game_on(layout: Layout) -> Game:
    """Return the game on a board. If the board names safe starts, one is opened, or several are given."""
    game = Game(layout, layout.naming)
    if len(game.given) == 1:
        game.open(game.given[0])
    return game


def started(content: Content, start: str | None) -> Content:
    """Set the start that ``--start`` names, if any."""
    return contents.started(content, start, lambda reason: click.UsageError(f"--{reason}"))


def wants_colour() -> bool:
    """Return whether to use colour: on a terminal that has it, unless NO_COLOR is set."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def too_large(grid: Grid) -> str | None:
    """Return why a board is not drawn, or None."""
    if len(grid) <= SHOWN_CELLS:
        return None
    return f"the board is not drawn: it has {len(grid):,} cells, more than {SHOWN_CELLS:,}"


def draw(game: Game, ascii_only: bool, colour: bool, known: Certain | None = None, theme: str | None = None) -> str:
    """Return the board of a game for this terminal, with proved cells in the colours of a theme; if it is too large, a
    sentence that says so."""
    left_out = too_large(game.grid)
    if left_out:
        return left_out
    draw_board = to_ascii if ascii_only or not can_show("■⚑⚐✸✓") else to_unicode
    layout = game.layout if game.over else None
    return draw_board(game.position, colour=colour, layout=layout, known=known, theme=theme or "plain")


def wrapped(text: str, hang: int = 0, *, always: bool = False) -> str:
    """Return text that fits the terminal; wrapped lines are indented by ``hang``. In a pipe a line stays whole, so that
    it can be searched; with ``always`` it gets at most 80 columns there too."""
    if not (always or sys.stdout.isatty()):
        return text
    width = max(40, shutil.get_terminal_size().columns)
    wrapper = TextWrapper(width, subsequent_indent=" " * hang, break_long_words=False, break_on_hyphens=False)
    lines = text.replace(" %", "\N{NO-BREAK SPACE}%").split("\n")  # a number stays with its sign
    return "\n".join(map(wrapper.fill, lines)).replace("\N{NO-BREAK SPACE}%", " %")


def say(line: object, *, err: bool = False, nl: bool = True) -> None:
    """Print a line in which text from a file or a program cannot control the terminal."""
    click.echo(visible(line), err=err, nl=nl)


def say_wrapped(line: object, hang: int = 0, *, always: bool = False) -> None:
    """Print such a line, wrapped as `wrapped` does."""
    click.echo(wrapped(visible(line), hang, always=always))


def can_show(text: str) -> bool:
    """Return whether standard output can encode these characters."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def summary(game: Game) -> dict[str, Any]:
    """Return the state of a game, for ``--json``."""
    return {
        "id": game.id,
        "state": str(game.state),
        "moves": game.step,
        "mines_left": game.mines_left,
        "hits": game.hits,
        "deaths_undone": game.deaths_undone,
        "score": game.score,
    }
