"""``mineproof deduce``: what one inference method finds in a position, with its reasons."""

from __future__ import annotations

import json
import sys

import click

from mineproof.apps.cli.common import read_content, seconds_option
from mineproof.board.formats import as_position
from mineproof.errors import InconsistentPosition
from mineproof.limit import Limit
from mineproof.logic.clue_table import clue_table, lines
from mineproof.logic.conflict import refused
from mineproof.logic.methods import METHODS, find_method


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
    chosen = find_method(method)
    position = as_position(read_content(file, format_name))
    try:
        found = chosen.infer(position, Limit(seconds=seconds))
    except InconsistentPosition as failure:
        fields = {"method": method, "consistent": False, **refused(failure)}
        click.echo(json.dumps(fields) if as_json else fields["text"])
        sys.exit(1)
    if as_json:
        fields = {"method": method, "consistent": chosen.consistent(found), **found.fields()}
        if table:
            fields["clues"] = [{**known._asdict(), "clue": list(known.clue)} for known in clue_table(position)]
        click.echo(json.dumps(fields))
        return
    if table:
        click.echo("\n".join([*lines(clue_table(position)), ""]))
    for one in found:
        click.echo(one)
    end = "there may be others that this method cannot find"
    if chosen.finds_all:
        end = "there are no others" if found.complete else "there may be others: the limit was reached"
    mines = len(found.mined)
    click.echo(f"{len(found.safe)} safe, {mines} mine{'s' * (mines != 1)}; {end}")
