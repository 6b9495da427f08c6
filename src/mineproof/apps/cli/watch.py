"""``mineproof watch``: an agent plays in the terminal, each move with its reason."""

from __future__ import annotations

import json
import sys
import time
from math import isnan
from typing import TYPE_CHECKING

import click

from mineproof.agents.registry import find_agent
from mineproof.apps.cli.common import (
    board_options,
    chosen_rules,
    draw,
    percent_risk,
    rule_options,
    say,
    summary,
    wants_colour,
)
from mineproof.arena.match import Turn, turns
from mineproof.board.game import Game, State
from mineproof.errors import InvalidBoard, visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mineproof.board.level import Level

MOST_CELLS = 2**20
"""Of a board that is played turn by turn: a turn looks at all of it."""


@click.command("watch")
@click.option("--agent", default="best", show_default=True, help="Who plays; `mineproof agents` lists them.")
@board_options(first_click="opening")
@rule_options
@click.option("--delay", type=click.FloatRange(0, 60), default=None, help="Seconds between turns.  [0.3 on a terminal]")
@click.option("--step", is_flag=True, help="Wait for Enter after each turn.")
@click.option("--ascii", "ascii_only", is_flag=True, help="Draw with plain characters.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def command(
    agent: str,
    level: Level | None,
    first_click: str,
    seed: int | None,
    goes_on: bool,
    no_flood: bool,
    questions: bool,
    delay: float | None,
    step: bool,
    ascii_only: bool,
    as_json: bool,
) -> None:
    """Watch an agent play, each move with its proof or its odds.

    On a terminal the board is drawn again after each turn; in a pipe there is a line for each reason, and the board at
    the end.
    """
    spec = find_agent(agent)
    if delay is not None and isnan(delay):
        raise click.UsageError("--delay is a number of seconds")
    if level is not None and len(level.grid) > MOST_CELLS:
        raise InvalidBoard(f"boards of up to {MOST_CELLS:,} cells can be watched; this one has {len(level.grid):,}")
    game = Game(level or "expert", chosen_rules(first_click, goes_on, no_flood, questions), seed=seed)
    live = sys.stdout.isatty() and not as_json
    pause = 0.3 if delay is None and live else delay or 0.0
    board = f"{game.mines} mines on {game.grid.rows} rows and {game.grid.cols} columns"
    title = f"{game.id}: {visible(spec.name)} plays {board}"
    if not as_json:
        click.echo(title)
    guesses = 0
    for turn in turns(agent, game):
        guesses += bool(turn.played) and not turn.decision.certain
        if as_json:
            continue
        if live:
            click.clear()
            click.echo(f"{title}\n{draw(game, ascii_only, wants_colour())}")
        for line in in_words(turn):
            say(line)
        if step:
            click.echo("Enter for the next turn", err=True, nl=not live)
            sys.stdin.readline()
        elif pause:
            time.sleep(pause)
    result = "stuck" if game.state is State.PLAYING else str(game.state)
    if as_json:
        click.echo(json.dumps({**summary(game), "agent": spec.name, "state": result, "guesses": guesses}))
        return
    if not live:
        click.echo(f"\n{draw(game, ascii_only, wants_colour())}")
    opened = len(game.position.where("012345678"))
    hits = f", {game.hits} mine{'s' * (game.hits != 1)} hit" if goes_on else ""
    guessed = f"{guesses} guess{'es' * (guesses != 1)}"
    click.echo(f"\n{result}: {opened} of {len(game.grid) - game.mines} safe cells open, {guessed}{hits}")


def in_words(turn: Turn) -> Iterator[str]:
    """What was done in a turn, and why."""
    decision = turn.decision
    if not turn.played:
        yield "nothing is certain, and the agent does not guess"
    elif not decision.certain:
        cell = turn.played[-1].cell
        line = f"guess {cell}"
        if decision.risk is not None:
            line += f": {percent_risk(decision.risk, '.1f')} of a mine"
        if decision.chance is not None:
            line += f"; perfect play opens no mine on {100 * decision.chance:.1f} % of the boards that are left"
        elif decision.risk is not None and len(decision.alternatives) > 1:
            other = decision.alternatives[1]
            line += f"; next best {other.cell}: {percent_risk(other.risk, '.1f')}"
        yield line
    elif not decision.reasons:
        yield f"open {turn.played[0].cell}: the first click"
    else:
        played = {move.cell for move in turn.played}
        for reason in decision.reasons:
            cells = sorted(reason.cells & played)
            if cells:
                verb, what = ("flag", "mine") if reason.mine else ("open", "safe")
                yield f"{verb} {', '.join(map(str, cells))}: {what} {reason.reason}"
