"""``mineproof analyse``: every certain cell of a position, and the odds of all others."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from mineproof.apps.cli.common import pairs, read_content, seconds_option, wants_colour
from mineproof.board.formats import as_position
from mineproof.board.render import odds_table
from mineproof.limit import Limit
from mineproof.odds.analysis import analyse

if TYPE_CHECKING:
    from mineproof.odds.analysis import Analysis


MOST_COUNTED = 20_000
"""Cells of a board whose solutions are printed as an integer in JSON."""


@click.command("analyse")
@click.argument("file")
@click.option("--from", "format_name", default=None, help="Format of FILE, where it is not clear.")
@seconds_option
@click.option("--svg", is_flag=True, help="Print a picture with the odds.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def command(file: str, format_name: str | None, seconds: float, svg: bool, as_json: bool) -> None:
    """Find every certain cell of a position, and the odds of all others.

    FILE is a position in any format, - for standard input, or a URL itself. Exit status 1 when no board looks like it.
    """
    if svg and as_json:
        raise click.UsageError("give --svg or --json, not both")
    position = as_position(read_content(file, format_name))
    found = analyse(position, Limit(seconds=seconds))
    if as_json:
        click.echo(json.dumps(as_fields(found)))
    elif found.consistent is False:
        click.echo(f"inconsistent: {found.conflict}")
    elif svg:
        click.echo(position.to_svg(found.probabilities), nl=False)
    else:
        click.echo(odds_table(position, found.probabilities, found.safe, found.mined, colour=wants_colour()))
        click.echo(in_words(found))
    if found.consistent is False:
        sys.exit(1)


def in_words(found: Analysis) -> str:
    """What there is to say below the board."""
    lines = []
    if found.exact:
        digits = found.log_solutions / np.log(10)
        lines.append(f"solutions: {found.solutions if digits < 15 else f'about 10^{digits:.1f}'}")
    else:
        lines.append("too much to count exactly in this time; cells shown as certain are certain")
        if found.consistent is None:
            lines.append("not even whether any board looks like this could be found out")
        else:
            lines.append(f"odds may be off by {100 * float(np.nanmax(found.errors)):.2g} %")  # type: ignore[arg-type]
        if not found.complete:
            lines.append("there may be more certain cells")
    if found.safe or found.mined:
        lines.append(f"certain: {len(found.safe)} safe, {len(found.mined)} mines")
    elif found.best is not None:
        lines.append(
            f"no cell is certain; the best guess is {found.best.cell}, a mine in {100 * found.best.risk:.4g} %"
        )
    return "\n".join(lines)


def as_fields(found: Analysis) -> dict[str, Any]:
    """The analysis as JSON can say it."""
    position = found.position
    odds = [[None if np.isnan(risk) else float(risk) for risk in row] for row in found.probabilities]
    fields: dict[str, Any] = {
        "rows": position.grid.rows,
        "cols": position.grid.cols,
        "mines": position.mines,
        "consistent": found.consistent,
        "exact": found.exact,
        "complete": found.complete,
        "solutions": str(found.solutions) if found.exact and len(position.cells) <= MOST_COUNTED else None,
        "safe": pairs(found.safe),
        "mined": pairs(found.mined),
        "odds": odds,
        "best": None if found.best is None else {"cell": list(found.best.cell), "risk": found.best.risk},
    }
    if found.errors is not None:
        fields["errors"] = [[None if np.isnan(error) else float(error) for error in row] for row in found.errors]
    if found.conflict is not None:
        fields["conflict"] = {"clues": pairs(found.conflict.clues), "mine_count": found.conflict.mine_count}
    return fields
