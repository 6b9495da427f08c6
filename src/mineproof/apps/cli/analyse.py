"""``mineproof analyse``: every certain cell of a position, and the odds of all others."""

from __future__ import annotations

import sys
from shutil import get_terminal_size

import click

from mineproof.apps.cli.common import (
    read_content,
    seat_in,
    seconds_option,
    theme_option,
    too_large,
    wants_colour,
    wrapped,
)
from mineproof.board.svg import check_size
from mineproof.limit import Limit
from mineproof.seat.answers import overview


@click.command("analyse")
@click.argument("file")
@click.option("--from", "format_name", default=None, help="Format of FILE, if it cannot be recognised.")
@seconds_option
@click.option("--svg", is_flag=True, help="Print a picture with the odds.")
@theme_option("With --svg, the colours of proved cells")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def command(file: str, format_name: str | None, seconds: float, svg: bool, theme: str | None, as_json: bool) -> None:
    """Find every certain cell, and the odds of all others.

    FILE is a position in any format, - for standard input, or a URL. Exit status 1 when no board is consistent with it.
    """
    if svg and as_json:
        raise click.UsageError("--svg and --json cannot be combined")
    if theme is not None and not svg:
        raise click.UsageError("--theme needs --svg")
    seat = seat_in(read_content(file, format_name))
    position = seat.position
    if svg:
        check_size(position.grid)
    answer = overview(seat, Limit(seconds=seconds))
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
