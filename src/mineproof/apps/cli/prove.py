"""``mineproof prove``: why a cell must be safe, or a mine, step by step."""

from __future__ import annotations

import sys

import click

from mineproof.apps.cli.common import print_answer, read_content, seat_in, seconds_option
from mineproof.limit import Limit
from mineproof.seat.answers import proved


@click.command("prove")
@click.argument("file")
@click.argument("cell")
@click.option("--from", "format_name", default=None, help="Format of FILE, if it cannot be recognised.")
@seconds_option
@click.option("--check", is_flag=True, help="Verify the proof with the independent checker.")
@click.option("--json", "as_json", is_flag=True, help="Print the proof as JSON, always checked.")
def command(file: str, cell: str, format_name: str | None, seconds: float, check: bool, as_json: bool) -> None:
    """Prove that a CELL, such as C4, is safe or a mine.

    FILE is a position in any format, - for standard input, or a URL. The proof assumes the opposite, and resolves
    clauses of a minimal set of clues to a contradiction. Exit status 1 when there is nothing to prove: the cell can
    be either, or no board is consistent with the position.
    """
    answer = proved(seat_in(read_content(file, format_name)), cell, Limit(seconds=seconds))
    print_answer(answer, as_json, answer["text"])
    if check and not as_json and answer["valid"] is not None:
        steps = len(answer["steps"])
        click.echo(f"checked: {f'each of the {steps} steps follows' if answer['valid'] else 'a step does not follow'}")
    sys.exit(not answer["valid"])
