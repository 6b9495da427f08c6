"""``mineproof analyse``: every certain cell of a position, and the odds of all others."""

from __future__ import annotations

import sys
from shutil import get_terminal_size
from typing import TYPE_CHECKING

import click

from mineproof.apps.cli.common import position_options, theme_option, too_large, wants_colour, wrapped
from mineproof.board.svg import check_size
from mineproof.seat.answers import overview

if TYPE_CHECKING:
    from mineproof.limit import Limit
    from mineproof.seat.seat import Seat


@click.command("analyse")
@position_options
@click.option("--svg", is_flag=True, help="Print a picture with the odds.")
@theme_option("With --svg, the colours of proved cells")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def command(seat: Seat, limit: Limit, svg: bool, theme: str | None, as_json: bool) -> None:
    """Find every certain cell, and the odds of all others.

    FILE is a position in any format, - for standard input, or a URL. Exit status 1 when no board is consistent with it.
    """
    if svg and as_json:
        raise click.UsageError("--svg and --json cannot be combined")
    if theme is not None and not svg:
        raise click.UsageError("--theme needs --svg")
    position = seat.position
    if svg:
        check_size(position.grid)
    answer = overview(seat, limit)
    analysis = answer.analysis
    if as_json:
        sys.stdout.writelines(answer.json_parts())
    elif svg and analysis.consistent is not False:
        known = None if theme is None else analysis
        click.echo(position.to_svg(analysis.probabilities, known=known, theme=theme or "plain"), nl=False)
    else:
        left_out = too_large(position.grid)
        if left_out:
            click.echo(f"{left_out}; --json lists all cells")
        elif analysis.consistent is not False:
            click.echo(analysis.table(get_terminal_size().columns, colour=wants_colour()))
        click.echo(wrapped(answer.text))
    sys.exit(analysis.consistent is False)
