"""``mineproof hint``: the easiest certain move in small portions, or the best guess."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from mineproof.agents.first_click import first_click
from mineproof.apps.cli.common import read_content, running, seconds_option
from mineproof.board.formats import as_position
from mineproof.board.position import UNKNOWN, Position
from mineproof.board.replay import Replay
from mineproof.errors import IllegalMove, InconsistentPosition
from mineproof.explain.hint import Hint, hint
from mineproof.limit import DEFAULT, Limit

if TYPE_CHECKING:
    from mineproof.board.game import Game


@click.command("hint")
@click.argument("file")
@click.option("--from", "format_name", default=None, help="Format of FILE, where it is not clear.")
@click.option("--steps", type=click.IntRange(1), default=None, help="Print only the first so many portions.")
@seconds_option
@click.option("--json", "as_json", is_flag=True, help="Print the hint as JSON.")
def command(file: str, format_name: str | None, steps: int | None, seconds: float, as_json: bool) -> None:
    """Say what to do next, and why.

    FILE is a position or a game in any format, - for standard input, or a game id or URL itself. The first portion says
    only whether there is a certain move; the next ones say roughly where, by which clues, which cell, and why. Exit
    status 1 when no board is consistent with the position.
    """
    content = read_content(file, format_name)
    limit = Limit(seconds=seconds)
    try:
        found = game_hint(running(content), limit) if isinstance(content, Replay) else hint(as_position(content), limit)
    except InconsistentPosition as failure:
        sentence = f"inconsistent: {failure}"
        said = {"certain": None, "cell": None, "text": sentence}
        click.echo(json.dumps(said) if as_json else sentence)
        sys.exit(1)
    click.echo(json.dumps(found.fields()) if as_json else "\n".join(found.portions[:steps]))


def game_hint(game: Game, limit: Limit = DEFAULT) -> Hint:
    """A hint for a game: before the first click, where to begin. `IllegalMove` when the game is over.

    >>> from mineproof import Game
    >>> print(game_hint(Game("beginner", "opening", seed=1)))
    The first click is always safe in this game; C3 is a good one.
    >>> print(game_hint(Game.from_id("9x9x10/opening=0103081000200a0004008@E5")))
    Start at E5, which is safe.
    """
    if game.over:
        raise IllegalMove(f"hint: the game is {game.state}")
    position, layout = game.position, game.layout
    if position.cells.strip(UNKNOWN.encode()):
        return hint(position, limit)
    if layout is None:
        start = first_click(Position.blank(position.grid, position.mines), game.rules)
        text = f"The first click is always safe in this game; {start} is a good one."
    else:  # the mines are laid: only a start that the board names is known to be safe
        start = layout.start
        if start is None or layout.has_mine(start):
            return hint(position, limit)
        text = f"Start at {start}, which is safe."
    return Hint(position, True, start, portions=(text,))
