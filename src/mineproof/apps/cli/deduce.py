"""``mineproof deduce``: what one inference method finds in a position, with its reasons."""

from __future__ import annotations

import sys

import click

from mineproof.apps.cli.common import print_answer, read_content, seat_in, seconds_option
from mineproof.limit import Limit
from mineproof.logic.clue_table import clue_table, lines
from mineproof.logic.methods import METHODS
from mineproof.seat.answers import deduced


@click.command("deduce")
@click.argument("file")
@click.option(
    "--method",
    default="sat",
    show_default=True,
    help=f"{', '.join(METHODS)}; with options, as in chaining:clauses=100.",
)
@click.option("--table", is_flag=True, help="Also show what is known about each clue.")
@click.option("--from", "format_name", default=None, help="Format of FILE, if it cannot be recognised.")
@seconds_option
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def command(file: str, method: str, table: bool, format_name: str | None, seconds: float, as_json: bool) -> None:
    """Find certain cells by one method, each with its clues.

    FILE is a position in any format, - for standard input, or a URL. Exit status 1 when the method finds that no
    board is consistent with it.
    """
    seat = seat_in(read_content(file, format_name))
    answer = deduced(seat, method, Limit(seconds=seconds))
    if answer["consistent"] is False:
        table = False
    known = clue_table(seat.position) if table else []
    if table and as_json:
        answer["clues"] = [{**clue._asdict(), "clue": list(clue.clue)} for clue in known]
    elif table:
        click.echo("\n".join([*lines(known), ""]))
    print_answer(answer, as_json, answer["text"])
    sys.exit(answer["consistent"] is False)
