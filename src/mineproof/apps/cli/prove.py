"""``mineproof prove``: why a cell must be safe, or a mine, step by step."""

from __future__ import annotations

import json
import sys

import click

from mineproof.apps.cli.common import read_content, seconds_option
from mineproof.board.formats import as_position
from mineproof.errors import InconsistentPosition
from mineproof.limit import Limit
from mineproof.logic.conflict import refused_claim
from mineproof.logic.proof import prove


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
    position = as_position(read_content(file, format_name))
    at = position.grid.at(cell)
    try:
        proof = prove(position, at, Limit(seconds=seconds))
        text = f"{at} is not certain: some consistent boards have a mine there, others do not."
        said = {"cell": list(at), "verdict": "unknown", "because": [], "mine_count": False, "steps": [], "text": text}
    except InconsistentPosition as failure:
        proof, said = None, refused_claim(at, failure)
    if proof is None:
        click.echo(json.dumps({**said, "valid": None}) if as_json else said["text"])
        sys.exit(1)
    fault = proof.find_fault() if check or as_json else None
    if as_json:
        click.echo(json.dumps({**proof.fields(), "valid": fault is None, "text": str(proof)}))
    else:
        click.echo(proof)
        if check:
            click.echo(f"checked: {fault or f'each of the {len(proof.steps)} steps follows'}")
    if fault is not None:
        sys.exit(1)
