"""``mineproof hint``: the easiest certain move in small portions, or the best guess."""

from __future__ import annotations

import json
import sys

import click

from mineproof.apps.cli.common import read_content, seconds_option
from mineproof.board.formats import as_position
from mineproof.errors import InconsistentPosition
from mineproof.explain.hint import hint
from mineproof.limit import Limit


@click.command("hint")
@click.argument("file")
@click.option("--from", "format_name", default=None, help="Format of FILE, where it is not clear.")
@click.option("--steps", type=click.IntRange(1), default=None, help="Print only the first so many portions.")
@seconds_option
@click.option("--json", "as_json", is_flag=True, help="Print the hint as JSON.")
def command(file: str, format_name: str | None, steps: int | None, seconds: float, as_json: bool) -> None:
    """Say what to do next, and why.

    FILE is a position in any format, - for standard input, or a URL itself. The first portion says only whether there
    is a certain move; the next ones say roughly where, by which clues, which cell, and why. Exit status 1 when no board
    is consistent with the position.
    """
    position = as_position(read_content(file, format_name))
    try:
        found = hint(position, Limit(seconds=seconds))
    except InconsistentPosition as failure:
        sentence = f"inconsistent: {failure}"
        said = {"certain": None, "cell": None, "text": sentence}
        click.echo(json.dumps(said) if as_json else sentence)
        sys.exit(1)
    click.echo(json.dumps(found.fields()) if as_json else "\n".join(found.portions[:steps]))
