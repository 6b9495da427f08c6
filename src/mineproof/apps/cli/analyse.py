"""``mineproof analyse``: every certain cell of a position, and the odds of all others."""

from __future__ import annotations

import sys
from shutil import get_terminal_size

import click

from mineproof.apps.cli.common import read_content, seconds_option, theme_option, too_large, wants_colour, wrapped
from mineproof.board.formats import Content, as_position
from mineproof.board.render import odds_table
from mineproof.board.replay import Replay
from mineproof.board.svg import check_size
from mineproof.explain.hint import first_hint
from mineproof.limit import Limit
from mineproof.odds.analysis import analyse
from mineproof.odds.in_json import json_parts
from mineproof.odds.words import in_words


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
    content = read_content(file, format_name)
    position = as_position(content)
    if svg:
        check_size(position.grid)
    clock = Limit(seconds=seconds).start()
    found = analyse(position, clock.rest())
    if as_json:
        sys.stdout.writelines(json_parts(found, clock))
    elif found.consistent is False:
        click.echo(in_words(found, clock))
    elif svg:
        known = None if theme is None else found
        click.echo(position.to_svg(found.probabilities, known=known, theme=theme or "plain"), nl=False)
    else:
        left_out = too_large(position.grid)
        if left_out:
            click.echo(f"{left_out}; --json lists all cells")
        else:
            width = get_terminal_size().columns
            board = odds_table(
                position, found.probabilities, found.safe, found.mined, colour=wants_colour(), width=width
            )
            click.echo(board)
        first = _first_click(content)
        click.echo(in_words(found, clock) if first is None else wrapped(first))
    if found.consistent is False:
        sys.exit(1)


def _first_click(content: Content) -> str | None:
    """Of a game whose mines are laid to suit its first click: that there are no odds before it."""
    if not isinstance(content, Replay):
        return None
    game = content.game()
    found = first_hint(game.position, game.rules) if game.layout is None else None
    return f"{found} The odds are those of boards that are laid without regard to it." if found else None
