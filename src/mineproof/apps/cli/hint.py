"""``mineproof hint``: the easiest certain move, revealed in parts, or the best guess."""

from __future__ import annotations

import sys

import click

from mineproof.apps.cli.common import print_answer, read_content, seat_in, seconds_option, wrapped
from mineproof.limit import Limit
from mineproof.seat.answers import hinted


@click.command("hint")
@click.argument("file")
@click.option("--from", "format_name", default=None, help="Format of FILE, if it cannot be recognised.")
@click.option("--steps", type=click.IntRange(1), default=None, help="Print at most this many parts.")
@seconds_option
@click.option("--json", "as_json", is_flag=True, help="Print the hint as JSON.")
def command(file: str, format_name: str | None, steps: int | None, seconds: float, as_json: bool) -> None:
    """Say what to do next, and why.

    FILE is a position or a game in any format, - for standard input, or a game id or URL. The first part says only
    whether there is a certain move; the next ones say roughly where, by which clues, which cell, and why. Exit status
    1 when no board is consistent with the position.
    """
    answer = hinted(seat_in(read_content(file, format_name)), Limit(seconds=seconds))
    print_answer(answer, as_json, wrapped("\n".join(answer["portions"][:steps])))
    sys.exit(answer["certain"] is None)
