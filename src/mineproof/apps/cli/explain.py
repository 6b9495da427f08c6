"""``mineproof explain``: why a cell is safe, or a mine, as a person would find it."""

from __future__ import annotations

import json
import sys

import click

from mineproof.apps.cli.common import read_content, running, seconds_option
from mineproof.board.formats import as_position
from mineproof.board.replay import Replay
from mineproof.errors import InconsistentPosition
from mineproof.explain.explanation import why
from mineproof.limit import Limit


@click.command("explain")
@click.argument("file")
@click.argument("cell")
@click.option("--from", "format_name", default=None, help="Format of FILE, where it is not clear.")
@seconds_option
@click.option("--svg", is_flag=True, help="Print a picture: the clues lit, the cells marked with their step.")
@click.option("--json", "as_json", is_flag=True, help="Print the explanation as JSON.")
def command(file: str, cell: str, format_name: str | None, seconds: float, svg: bool, as_json: bool) -> None:
    """Explain why a CELL, such as C4, is safe or a mine.

    FILE is a position in any format, - for standard input, or a URL itself. The steps are the easiest that there are:
    one clue where that is enough, then two, and so on. Exit status 1 when the cell can be either, or when no board is
    consistent with the position.
    """
    if svg and as_json:
        raise click.UsageError("give --svg or --json, not both")
    content = read_content(file, format_name)
    position = running(content).position if isinstance(content, Replay) else as_position(content)
    at = position.grid.at(cell)
    try:
        found = why(position, at, Limit(seconds=seconds))
    except InconsistentPosition as failure:
        nothing = {"because": [], "mine_count": False, "technique": None, "level": None, "steps": []}
        sentence = f"inconsistent: {failure}"
        said = {"cell": list(at), "verdict": "inconsistent", **nothing, "text": sentence}
        click.echo(json.dumps(said) if as_json else sentence)
        sys.exit(1)
    if svg:
        click.echo(position.to_svg(why=found), nl=False)
    elif as_json:
        click.echo(json.dumps(found.fields()))
    else:
        click.echo(numbered(found.text))
        if found.mine is not None and position[at] != "S":
            click.echo(f"Level {found.level}: {found.technique}.")
    sys.exit(found.mine is None)


def numbered(text: str) -> str:
    """Steps with numbers, if there are several."""
    lines = text.split("\n")
    return text if len(lines) == 1 else "\n".join(f"{i:2}. {line}" for i, line in enumerate(lines, start=1))
