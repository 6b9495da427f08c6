"""What the commands share: the options that name a board, files in and out, and how a board is drawn."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar

import click

from mineproof.board.formats import Content, find_format, read
from mineproof.board.level import Level
from mineproof.board.render import to_ascii, to_unicode
from mineproof.board.rules import Rules
from mineproof.errors import InvalidText, MineproofError, shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mineproof.board.game import Game

F = TypeVar("F", bound="Callable[..., Any]")

MOST_BYTES = 2**28
"""More than the largest board takes in any format."""


def board_options(first_click: str) -> Callable[[F], F]:
    """``--level`` or ``--size`` with ``--mines``, ``--density`` or ``--probability``; ``--first-click``; ``--seed``."""
    options = (
        click.option("--level", default=None, help="A name, or WIDTHxHEIGHTxMINES.  [default: expert]"),
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
        for option in reversed(options):
            command = option(command)
        return command

    return add


def chosen_level(
    level: str | None, size: str | None, mines: int | None, density: float | None, probability: float | None
) -> Level:
    """The level that the options name."""
    amounts = [amount for amount in (mines, density, probability) if amount is not None]
    if size is None:
        if amounts:
            raise click.UsageError("--mines, --density and --probability go with --size")
        return Level.parse(level or "expert")
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


def read_content(source: str, format_name: str | None) -> Content:
    """What a file, standard input (``-``), or the argument itself (a game id or a URL) holds."""
    path = Path(source)
    if source == "-":
        data = sys.stdin.buffer.read(MOST_BYTES + 1)
        where = "standard input"
    elif path.is_dir():
        raise InvalidText(f"{source} is a folder, not a file")
    elif re.search(r"[#=]", source) and not path.exists():
        return read(source, format_name)
    else:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        where = source
    if len(data) > MOST_BYTES:
        raise InvalidText(f"{where} is too long to be a board")
    try:
        known = find_format(format_name, None if source == "-" else source, data)
        return read(data, known.name)
    except MineproofError as failure:
        raise InvalidText(f"{where}: {failure}") from None


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """A file to write that gets its name only when all went well."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        umask = os.umask(0)
        os.umask(umask)
        temporary.chmod(0o666 & ~umask)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def write_file(path: Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    with whole_file(path) as file:
        file.write(data)


def draw(game: Game, ascii_only: bool, colour: bool) -> str:
    """The board of a game for this terminal."""
    draw_board = to_ascii if ascii_only or not can_show("■⚑✸") else to_unicode
    return draw_board(game.position, colour=colour, layout=game.layout if game.over else None)


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
