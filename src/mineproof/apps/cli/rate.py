"""``mineproof rate``: how much work a board takes, and how difficult it is."""

from __future__ import annotations

import json
from itertools import chain, islice
from textwrap import indent
from typing import TYPE_CHECKING

import click

from mineproof.apps.cli.common import from_option, read_layouts, seconds_option
from mineproof.apps.contents import rated
from mineproof.errors import CannotConvert
from mineproof.limit import Limit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mineproof.board.layout import Layout


@click.command("rate")
@click.argument("file")
@from_option
@click.option(
    "--start", default=None, help="First click.  [default: the board's own; or the opening nearest the middle]"
)
@seconds_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per board.")
def command(file: str, format_name: str | None, start: str | None, seconds: float, as_json: bool) -> None:
    """Measure boards: 3BV, openings, ZiNi, and how difficult they are.

    Also says which steps each board needs.

    FILE is a file in any format that says where the mines are, - for standard input, or a game id or URL. The
    difficulty is between 0 and 100 for a board that needs no guess; each guess adds 100.
    """
    boards = _boards(file, format_name, start)
    first = list(islice(boards, 2))
    for number, layout in enumerate(chain(first, boards), start=1):
        rating, fields = rated(layout, start, Limit(seconds))
        if as_json:
            click.echo(json.dumps({"board": number, **fields}))
            continue
        name = f"board {number}, " if len(first) > 1 else ""
        measures = "3BV {3bv}, openings {openings}, islands {islands}, ZiNi {zini}".format(**fields)
        click.echo(f"{name}{layout.level}: {measures}")
        click.echo(indent(f"not rated: {fields['not_rated']}" if rating is None else str(rating), "  "))


def _boards(file: str, format_name: str | None, start: str | None) -> Iterator[Layout]:
    """Yield the boards. If the mines are laid at the first click, the user must name it."""
    try:
        yield from read_layouts(file, format_name, start)
    except CannotConvert as failure:
        raise CannotConvert(str(failure).replace("name a start", "name it with --start CELL")) from None
