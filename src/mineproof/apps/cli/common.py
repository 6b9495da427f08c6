"""What the commands share: the options that name a board, files in and out, and how a board is drawn."""

from __future__ import annotations

import dataclasses
import os
import re
import sys
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from mineproof.board.formats import FORMATS, Content, as_layouts, find_format, jsonl, read
from mineproof.board.game import Game, State
from mineproof.board.layout import Layout
from mineproof.board.level import Level
from mineproof.board.move import Move
from mineproof.board.position import SHOWN_CELLS
from mineproof.board.render import to_ascii, to_unicode
from mineproof.board.replay import Replay
from mineproof.board.rules import Rules
from mineproof.errors import InvalidText, MineproofError, shorten, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from mineproof.board.grid import Cell, Grid

F = TypeVar("F", bound="Callable[..., Any]")

MOST_BYTES = 2**28
"""More than the largest board takes in any format."""


def board_options(first_click: str, *, many: bool = False) -> Callable[[F], F]:
    """``--level`` or ``--size`` with ``--mines``, ``--density`` or ``--probability``; ``--first-click``; ``--seed``.

    The command gets the first five as one ``level``, None when none of them was given. With ``many``, there may
    be several levels, and it gets them as ``levels``.
    """
    text = "A name, or WIDTHxHEIGHTxMINES; may be given many times." if many else "A name, or WIDTHxHEIGHTxMINES."
    options = (
        click.option("--level", multiple=many, default=None, help=f"{text}  [default: expert]"),
        click.option("--size", metavar="RxC", default=None, help="Rows x columns, instead of a level."),
        click.option("--mines", type=int, default=None, help="Number of mines, with --size."),
        click.option("--density", type=float, default=None, help="Share of the cells that are mines, with --size."),
        click.option("--probability", type=float, default=None, help="Chance of each cell to be a mine, with --size."),
        click.option(
            "--first-click", default=first_click, show_default=True, help="any, safe, opening, given or given:k."
        ),
        click.option("--seed", type=int, default=None, help="The same seed, the same board."),
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
    """The level that the options name, if they name one."""
    amounts = [amount for amount in (mines, density, probability) if amount is not None]
    if size is None:
        if amounts:
            raise click.UsageError("--mines, --density and --probability go with --size")
        return None if level is None else Level.parse(level)
    if level is not None:
        raise click.UsageError("give --level or --size, not both")
    found = re.fullmatch(r"([0-9]{1,9})[xX]([0-9]{1,9})", size, re.ASCII)
    if found is None:
        raise click.UsageError(f"--size is rows x columns, as in 16x30, not {shorten(size)}")
    if len(amounts) != 1:
        raise click.UsageError("--size goes with one of --mines, --density and --probability")
    rows, cols = int(found[1]), int(found[2])
    if density is not None:
        return Level.share(rows, cols, density)
    return Level(rows, cols, mines, probability)


def rule_options(command: F) -> F:
    """``--goes-on``, ``--no-flood``, ``--questions``."""
    for name, text in (
        ("--questions", "Allow question marks."),
        ("--no-flood", "A zero does not open its neighbours."),
        ("--goes-on", "A mine does not end the game."),
    ):
        command = click.option(name, is_flag=True, help=text)(command)
    return command


def chosen_rules(first_click: str, goes_on: bool, no_flood: bool, questions: bool) -> Rules:
    """The rules that the options name."""
    return Rules(first_click, goes_on=goes_on, flood=not no_flood, questions=questions)


def seconds_option(command: F) -> F:
    """``--seconds``, for commands that reason."""
    positive = click.FloatRange(0, 1e9, min_open=True)
    return click.option("--seconds", type=positive, default=10.0, show_default=True, help="Time limit.")(command)


def engine_options(command: F) -> F:
    """``--workers`` and ``--cluster``, for commands that play many games; the second comes as ``address``."""
    text = "A dask scheduler, as in tcp://host:8786."
    command = click.option("--cluster", "address", default=None, metavar="ADDRESS", help=text)(command)
    text = "Processes.  [default: all cores]"
    return click.option("--workers", type=click.IntRange(1, 4096), default=None, help=text)(command)


def pairs(cells: Iterable[Cell]) -> list[list[int]]:
    """Cells as JSON has them, in order."""
    return [list(cell) for cell in sorted(cells)]


def read_content(source: str, format_name: str | None) -> Content:
    """What a file, standard input (``-``), or the argument itself (a game id or a URL) holds."""
    if source == "-":
        data, where = sys.stdin.buffer.read(MOST_BYTES + 1), "standard input"
    elif not _exists(source) and _is_text(source, format_name):
        return read(source, format_name)
    else:
        with Path(source).open("rb") as file:
            data, where = file.read(MOST_BYTES + 1), source
    if len(data) > MOST_BYTES:
        raise InvalidText(f"{where} is too long to be a board")
    try:
        known = find_format(format_name, None if source == "-" else source, data)
        return read(data, known.name)
    except MineproofError as failure:
        raise InvalidText(f"{where}: {failure}") from None


def read_layouts(source: str, format_name: str | None, start: str | None = None) -> Iterator[Layout]:
    """The layouts of a source, one after the other; JSON lines may be of any length."""
    if source == "-" or Path(source).suffix not in FORMATS["jsonl"].suffixes or format_name not in (None, "jsonl"):
        yield from as_layouts(started(read_content(source, format_name), start))
        return
    with Path(source).open(encoding="utf-8-sig", errors="surrogateescape") as lines:
        try:
            yield from jsonl.read_lines(lines)
        except MineproofError as failure:
            raise InvalidText(f"{source}: {failure}") from None


def running(replay: Replay) -> Game:
    """The game at the end of a replay; a lost one shows its mines, and nothing can be reasoned from these."""
    game = replay.game()
    if game.state is State.LOST:
        raise InvalidText(
            "the game is lost: `mineproof convert GAME POSITION.mine --step N` makes the position after N moves"
        )
    return game


def game_on(layout: Layout) -> Game:
    """The game on a board: its start is opened, or its starts are given, where it names any that are safe."""
    if not layout.starts or any(map(layout.has_mine, layout.starts)):
        return Game(layout)
    game = Game(layout, "given" if len(layout.starts) == 1 else f"given:{len(layout.starts)}")
    if len(layout.starts) == 1:
        game.open(layout.starts[0])
    return game


def started(content: Content, start: str | None) -> Content:
    """With a start: a game not yet begun opens it; a layout is marked with it."""
    if start is None:
        return content
    if isinstance(content, Replay):
        if content.moves:
            raise click.UsageError("--start is for boards; this replay has its first move already")
        return Replay(content.id, (Move("open", content.game().grid.at(start)),))
    if isinstance(content, Layout):
        content = [content]
    if not isinstance(content, list):
        raise click.UsageError("--start is for boards, not for positions")
    return [dataclasses.replace(layout, starts=(layout.grid.at(start),)) for layout in content]


def _exists(source: str) -> bool:
    try:
        return Path(source).exists()
    except OSError:  # too long for a name, as a board can be
        return False


def _is_text(source: str, format_name: str | None) -> bool:
    """Whether an argument that is no file is a board itself."""
    try:
        return format_name is not None or find_format(None, data=source.encode("utf-8", "surrogateescape")) is not None
    except InvalidText:
        return False


def wants_colour() -> bool:
    """On a terminal, unless the user said no (NO_COLOR) or it has none."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def too_large(grid: Grid) -> str | None:
    """Why a board is not drawn, if it is not."""
    if len(grid) <= SHOWN_CELLS:
        return None
    return f"the board is not drawn: it has {len(grid):,} cells, more than {SHOWN_CELLS:,}"


def draw(game: Game, ascii_only: bool, colour: bool) -> str:
    """The board of a game for this terminal; of a board that is too large, a sentence that says so."""
    left_out = too_large(game.grid)
    if left_out:
        return left_out
    draw_board = to_ascii if ascii_only or not can_show("■⚑✸") else to_unicode
    return draw_board(game.position, colour=colour, layout=game.layout if game.over else None)


def say(line: object, *, err: bool = False, nl: bool = True) -> None:
    """A line for the user, in which nothing from a file or a program can command the terminal."""
    click.echo(visible(line), err=err, nl=nl)


def percent_risk(risk: float, digits: str) -> str:
    """A risk in words; ``digits`` is how its percentage is formatted.

    >>> percent_risk(0.2, ".4g"), percent_risk(0.0864, ".1f"), percent_risk(0.11, ".1f")
    ('a 20 % risk', 'an 8.6 % risk', 'an 11.0 % risk')
    """
    percent = f"{100 * risk:{digits}}"
    vowel = percent.startswith("8") or percent.partition(".")[0] in ("11", "18")
    return f"a{'n' * vowel} {percent} % risk"


def can_show(text: str) -> bool:
    """Whether standard output takes these characters."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def summary(game: Game) -> dict[str, Any]:
    """How a game stands, for ``--json``."""
    return {
        "id": game.id,
        "state": str(game.state),
        "moves": game.step,
        "mines_left": game.mines_left,
        "hits": game.hits,
        "deaths_undone": game.deaths_undone,
        "score": game.score,
    }
