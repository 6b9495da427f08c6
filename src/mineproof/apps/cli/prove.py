"""``mineproof prove``: why a cell must be safe, or a mine, step by step."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from mineproof.apps.cli.common import position_options, print_answer
from mineproof.seat.answers import proved

if TYPE_CHECKING:
    from mineproof.limit import Limit
    from mineproof.seat.seat import Seat


@click.command("prove")
@position_options
@click.argument("cell")
@click.option("--check", is_flag=True, help="Verify the proof with the independent checker.")
@click.option("--json", "as_json", is_flag=True, help="Print the proof as JSON, always checked.")
def command(seat: Seat, limit: Limit, cell: str, check: bool, as_json: bool) -> None:
    """Prove that a CELL, such as C4, is safe or a mine.

    FILE is a position in any format, - for standard input, or a URL. The proof assumes the opposite, and resolves
    clauses of a minimal set of clues to a contradiction. Exit status 1 when there is nothing to prove: the cell can
    be either, or no board is consistent with the position.
    """
    answer = proved(seat, cell, limit)
    print_answer(answer, as_json, answer["text"])
    if check and not as_json and answer["valid"] is not None:
        steps = len(answer["steps"])
        click.echo(f"checked: {f'each of the {steps} steps follows' if answer['valid'] else 'a step does not follow'}")
    sys.exit(not answer["valid"])
