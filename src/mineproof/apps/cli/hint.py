"""``mineproof hint``: the easiest certain move, revealed in parts, or the best guess."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from mineproof.apps.cli.common import position_options, print_answer, wrapped
from mineproof.seat.answers import hinted

if TYPE_CHECKING:
    from mineproof.limit import Limit
    from mineproof.seat.seat import Seat


@click.command("hint")
@position_options
@click.option("--steps", type=click.IntRange(1), default=None, help="Print at most this many parts.")
@click.option("--json", "as_json", is_flag=True, help="Print the hint as JSON.")
def command(seat: Seat, limit: Limit, steps: int | None, as_json: bool) -> None:
    """Say what to do next, and why.

    FILE is a position or a game in any format, - for standard input, or a game id or URL. The first part says only
    whether there is a certain move; the next ones say roughly where, by which clues, which cell, and why. Exit status
    1 when no board is consistent with the position.
    """
    answer = hinted(seat, limit)
    print_answer(answer, as_json, wrapped("\n".join(answer["portions"][:steps])))
    sys.exit(answer["certain"] is None)
