"""``mineproof prove``: why a cell must be safe, or a mine, step by step."""

from __future__ import annotations

import json
import sys
from contextlib import suppress

import click

from mineproof.apps.cli.common import pairs, read_content, seconds_option
from mineproof.board.formats import as_position
from mineproof.errors import InconsistentPosition, OutOfTime
from mineproof.limit import Limit
from mineproof.logic.conflict import find_conflict
from mineproof.logic.proof import prove


@click.command("prove")
@click.argument("file")
@click.argument("cell")
@click.option("--from", "format_name", default=None, help="Format of FILE, where it is not clear.")
@seconds_option
@click.option("--check", is_flag=True, help="Have the proof verified by the independent checker.")
@click.option("--json", "as_json", is_flag=True, help="Print the proof as JSON; it is checked, and says so.")
def command(file: str, cell: str, format_name: str | None, seconds: float, check: bool, as_json: bool) -> None:
    """Prove that a CELL, such as C4, is safe or a mine.

    FILE is a position in any format, - for standard input, or a URL itself. The proof supposes the opposite, and
    resolves clauses of a minimal set of clues to a contradiction. Exit status 1 when there is nothing to prove: the
    cell can be either, or no board looks like the position.
    """
    position = as_position(read_content(file, format_name))
    at = position.grid.at(cell)
    clock = Limit(seconds=seconds).start()
    try:
        proof = prove(position, at, clock.rest())
        verdict, sentence = "unknown", f"{at} is not certain: boards that look like this have a mine there, and none."
    except InconsistentPosition as failure:
        proof, verdict, sentence = None, "inconsistent", f"inconsistent: {failure}"
    if proof is None:
        conflict = None
        if as_json and verdict == "inconsistent":
            with suppress(OutOfTime):
                conflict = find_conflict(position, clock.rest())
        clues, counted = (pairs(conflict.clues), conflict.mine_count) if conflict else ([], False)
        nothing = {"because": clues, "mine_count": counted, "steps": [], "valid": None}
        click.echo(json.dumps({"cell": list(at), "verdict": verdict, **nothing}) if as_json else sentence)
        sys.exit(1)
    fault = proof.find_fault() if check or as_json else None
    if as_json:
        click.echo(json.dumps({**proof.fields(), "valid": fault is None}))
    else:
        click.echo(proof)
        if check:
            click.echo(f"checked: {fault or f'each of the {len(proof.steps)} steps follows'}")
    if fault is not None:
        sys.exit(1)
