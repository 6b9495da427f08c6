"""``mineproof deduce``: what one inference method finds in a position, with its reasons."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from mineproof.apps.cli.common import position_options, print_answer
from mineproof.logic.clue_table import clue_table, lines
from mineproof.logic.methods import METHODS, find_method
from mineproof.seat.answers import deduced

if TYPE_CHECKING:
    from mineproof.limit import Limit
    from mineproof.seat.seat import Seat


def _checked(_context: click.Context, _parameter: click.Parameter, method: str) -> str:
    """Return the name of a method, which is checked before FILE is read."""
    find_method(method)
    return method


@click.command("deduce")
@click.option(
    "--method",
    default="sat",
    show_default=True,
    callback=_checked,
    help=f"{', '.join(METHODS)}; with options, as in chaining:clauses=100.",
)
@click.option("--table", is_flag=True, help="Also show what is known about each clue.")
@position_options
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def command(seat: Seat, limit: Limit, method: str, table: bool, as_json: bool) -> None:
    """Find certain cells by one method, each with its clues.

    FILE is a position in any format, - for standard input, or a URL. Exit status 1 when the method finds that no
    board is consistent with it.
    """
    answer = deduced(seat, method, limit)
    if answer["consistent"] is False:
        table = False
    clues = clue_table(seat.position) if table else []
    if table and as_json:
        answer["clues"] = [{**clue._asdict(), "clue": list(clue.clue)} for clue in clues]
    elif table:
        click.echo("\n".join([*lines(clues), ""]))
    print_answer(answer, as_json, answer["text"])
    sys.exit(answer["consistent"] is False)
