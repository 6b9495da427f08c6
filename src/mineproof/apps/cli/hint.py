"""``mineproof hint``: the easiest certain move, revealed in parts, or the best guess."""

from __future__ import annotations

import json
import sys

import click

from mineproof.apps.cli.common import read_content, running, seconds_option, wrapped
from mineproof.apps.helping import game_hint
from mineproof.board.formats import as_position
from mineproof.board.replay import Replay
from mineproof.errors import InconsistentPosition
from mineproof.explain.hint import hint
from mineproof.limit import Limit
from mineproof.logic.conflict import refused


@click.command("hint")
@click.argument("file")
@click.option("--from", "format_name", default=None, help="Format of FILE, if it cannot be recognised.")
@click.option("--steps", type=click.IntRange(1), default=None, help="Print at most this many parts.")
@seconds_option
@click.option("--json", "as_json", is_flag=True, help="Print the hint as JSON.")
def command(file: str, format_name: str | None, steps: int | None, seconds: float, as_json: bool) -> None:
    """Say what to do next, and why.

    FILE is a position or a game in any format, - for standard input, or a game id or URL. The first part says only
    whether there is a certain move; the next ones say roughly where, by which clues, which cell, and why. Exit status
    1 when no board is consistent with the position.
    """
    content = read_content(file, format_name)
    limit = Limit(seconds=seconds)
    try:
        found = game_hint(running(content), limit) if isinstance(content, Replay) else hint(as_position(content), limit)
    except InconsistentPosition as failure:
        said = {"certain": None, "cell": None, **refused(failure)}
        click.echo(json.dumps(said) if as_json else said["text"])
        sys.exit(1)
    click.echo(json.dumps(found.fields()) if as_json else wrapped("\n".join(found.portions[:steps])))
