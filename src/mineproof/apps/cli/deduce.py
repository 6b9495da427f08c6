"""``mineproof deduce``: what one method of inference finds in a position, each with its reasons."""

from __future__ import annotations

import json
import sys

import click

from mineproof.apps.cli.common import pairs, read_content, seconds_option
from mineproof.board.formats import as_position
from mineproof.errors import InconsistentPosition
from mineproof.limit import Limit
from mineproof.logic.methods import METHODS, find_method


@click.command("deduce")
@click.argument("file")
@click.option("--method", default="sat", show_default=True, help=f"{', '.join(METHODS)}.")
@click.option("--from", "format_name", default=None, help="Format of FILE, where it is not clear.")
@seconds_option
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def command(file: str, method: str, format_name: str | None, seconds: float, as_json: bool) -> None:
    """Find certain cells by one method, each with the clues that prove it.

    FILE is a position in any format, - for standard input, or a URL itself. Exit status 1 when the method finds out
    that no board looks like it.
    """
    chosen = find_method(method)
    position = as_position(read_content(file, format_name))
    try:
        found = chosen.infer(position, Limit(seconds=seconds))
    except InconsistentPosition as failure:
        fields = {"method": method, "consistent": False, "conflict": str(failure)}
        click.echo(json.dumps(fields) if as_json else f"inconsistent: {failure}")
        sys.exit(1)
    if as_json:
        deductions = [
            {
                "cells": pairs(one.cells),
                "verdict": "mine" if one.mine else "safe",
                "because": pairs(one.because),
                "mine_count": one.mine_count,
                "method": one.method,
            }
            for one in found
        ]
        fields = {"method": method, "consistent": True, "complete": found.complete}
        fields |= {"safe": pairs(found.safe), "mined": pairs(found.mined), "deductions": deductions}
        click.echo(json.dumps(fields))
        return
    for one in found:
        click.echo(one)
    end = "there may be more that this method does not see"
    if chosen.complete:
        end = "these are all there are" if found.complete else "there may be more: the limit was reached"
    mines = len(found.mined)
    click.echo(f"{len(found.safe)} safe, {mines} mine{'s' * (mines != 1)}; {end}")
