"""``mineproof rate``: how much work a board is."""

from __future__ import annotations

import json

import click

from mineproof.apps.cli.common import read_layouts
from mineproof.board.metrics import measure


@click.command("rate")
@click.argument("file")
@click.option("--from", "format_name", default=None, help="Format of FILE, where it is not clear.")
@click.option("--start", default=None, help="First click, for a game id under which mines are laid after it.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a board.")
def command(file: str, format_name: str | None, start: str | None, as_json: bool) -> None:
    """Measure the boards in FILE: 3BV, openings, islands, ZiNi.

    FILE is a file in any format that says where the mines are, - for standard input, or a game id or URL itself.
    """
    for layout in read_layouts(file, format_name, start):
        found = measure(layout)
        if as_json:
            fields = {
                "rows": layout.grid.rows,
                "cols": layout.grid.cols,
                "mines": layout.mines,
                "3bv": found.bbbv,
                "openings": found.openings,
                "islands": found.islands,
                "zini": found.zini,
            }
            click.echo(json.dumps(fields))
        else:
            click.echo(
                f"{layout.level}: 3BV {found.bbbv}, openings {found.openings}, islands {found.islands}, "
                f"ZiNi {found.zini}"
            )
