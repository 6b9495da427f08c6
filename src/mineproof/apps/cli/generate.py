"""``mineproof generate``: random boards."""

from __future__ import annotations

import sys
from contextlib import ExitStack, nullcontext
from itertools import islice
from pathlib import Path
from secrets import randbelow
from typing import TYPE_CHECKING

import click

from mineproof.apps.cli.common import board_options
from mineproof.board.formats import find_format
from mineproof.board.layout import layouts
from mineproof.board.rules import Rules
from mineproof.files import whole_file, write_file

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mineproof.board.formats import Format
    from mineproof.board.layout import Layout
    from mineproof.board.level import Level

_LINES = ("jsonl", "id")  # formats that hold any number of boards, one a line


@click.command("generate")
@board_options(first_click="safe")
@click.option("--start", default=None, help="First click, for safe and opening.  [default: A1]")
@click.option("--count", type=click.IntRange(1), default=1, show_default=True, help="How many boards.")
@click.option("--first", type=click.IntRange(0), default=0, show_default=True, help="Number of the first board.")
@click.option("--format", "format_name", default=None, help="jsonl, id, mine, mbf, ptta, tatham, analysis or svg.")
@click.option("--out", type=click.Path(path_type=Path), default=None, help="File, or folder for one file a board.")
@click.option("--json", "as_json", is_flag=True, help="The same as --format jsonl.")
def command(
    level: Level | None,
    first_click: str,
    seed: int | None,
    start: str | None,
    count: int,
    first: int,
    format_name: str | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Make random boards, uniform among those that the first click allows.

    Board number i of a seed is the same on every machine, however many are made.
    """
    rules = Rules(first_click)
    if as_json and format_name not in (None, "jsonl"):
        raise click.UsageError(f"--json is --format jsonl, not {format_name}")
    if as_json or (format_name is None and (out is None or not out.suffix)):
        format_name = "jsonl"
    known = find_format(format_name, out)
    folder = known.name not in _LINES and (count > 1 or (out is not None and out.is_dir()))
    if folder and out is None:
        raise click.UsageError(f"{known.name} holds one board a file: give --out FOLDER for {count} boards")
    if seed is None:
        seed = randbelow(10**9)
        click.echo(f"seed {seed}", err=True)
    boards = layouts(
        level or "expert",
        rules,
        start or ("A1" if rules.laid_after_click else None),
        seed=seed,
        first=first,
    )
    with ExitStack() as stack:
        shown: Iterable[Layout] = islice(boards, count)
        if out is not None and sys.stderr.isatty():
            shown = stack.enter_context(click.progressbar(shown, length=count, label="boards", file=sys.stderr))
        _write(shown, known, out, folder)


def _write(boards: Iterable[Layout], known: Format, out: Path | None, folder: bool) -> None:
    if folder and out is not None:
        out.mkdir(parents=True, exist_ok=True)
        for number, layout in enumerate(boards):
            write_file(out / f"board-{number:06}{known.suffixes[0]}", known.encode(layout))
        return
    with whole_file(out) if out is not None else nullcontext(sys.stdout.buffer) as file:
        for layout in boards:
            file.write(known.encode(layout))
