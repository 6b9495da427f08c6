"""``mineproof watch``: the single-clue rules play, as far as they go, each move with its reason."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from mineproof.apps.cli.common import board_options, draw, summary, wants_colour
from mineproof.board.game import Game, State
from mineproof.board.grid import Cell
from mineproof.board.move import Move
from mineproof.board.rules import Rules
from mineproof.logic.single import infer

if TYPE_CHECKING:
    from mineproof.board.level import Level


@click.command("watch")
@board_options(first_click="opening")
@click.option("--ascii", "ascii_only", is_flag=True, help="Draw with plain characters.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def command(
    level: Level | None,
    first_click: str,
    seed: int | None,
    ascii_only: bool,
    as_json: bool,
) -> None:
    """Watch single-clue rules play a board as far as they go, each move with its reason."""
    game = Game(level or "expert", Rules(first_click), seed=seed)
    start = _start(game)
    say = (lambda *_: None) if as_json else click.echo
    say(f"{game.id}: {game.mines} mines on {game.grid.rows} rows and {game.grid.cols} columns")
    if not game.over:
        say(f"open {start}: {'the game says that it is safe' if game.given else 'the first click'}")
        game.open(start)
    while not game.over:
        moves = 0
        for deduction in infer(game.position):
            kind, closed, verdict = ("flag", "H", "mine") if deduction.mine else ("open", "HS", "safe")
            cells = [cell for cell in sorted(deduction.cells) if game[cell] in closed]
            if game.over or not cells:
                continue
            say(f"{kind} {', '.join(map(str, cells))}: {verdict} {deduction.reason}")
            for cell in cells:
                if game[cell] in closed and not game.over:  # an earlier one may have opened it
                    game.play(Move(kind, cell))
                    moves += 1
        given = [cell for cell in game.given if game[cell] == "S"]
        if not moves and given:
            say(f"open {given[0]}: the game says that it is safe")
            game.open(given[0])
        elif not moves:
            break
    result = "stuck" if game.state is State.PLAYING else str(game.state)
    if as_json:
        click.echo(json.dumps({**summary(game), "state": result}))
        return
    say("")
    say(draw(game, ascii_only, wants_colour()))
    opened = len(game.position.where("012345678"))
    safe = len(game.grid) - game.mines
    why = "; no single clue decides a cell" if result == "stuck" else ""
    say(f"\n{result}: {opened} of {safe} safe cells open, {game.position.flags} of {game.mines} mines found{why}")


def _start(game: Game) -> Cell:
    """The first cell: a given one, else a corner; for an opening one further inside, where it fits."""
    if game.given:
        return game.given[0]
    crowded = game.mines > len(game.grid) - 9
    inside = 0 if crowded or game.rules.first_click != "opening" else 3
    return Cell(min(inside, game.grid.rows // 2), min(inside, game.grid.cols // 2))
