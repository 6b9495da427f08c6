"""``mineproof arena``: agents on the same boards, and who wins how often."""

from __future__ import annotations

import json
import sys
from itertools import islice
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.progress import Progress

from mineproof.apps.cli.common import board_options, chosen_rules, read_layouts, rule_options
from mineproof.arena.tournament import tournament
from mineproof.board.level import Level

if TYPE_CHECKING:
    from mineproof.board.layout import Layout


@click.command("arena")
@click.option("--agent", "agents", multiple=True, default=("best",), show_default=True, help="May be given many times.")
@click.option(
    "--games", type=click.IntRange(1, 10**9), default=None, help="Boards.  [default: 1000, or all of --boards]"
)
@click.option("--workers", type=click.IntRange(1, 4096), default=1, show_default=True, help="Processes.")
@click.option("--boards", type=click.Path(), default=None, help="Play the boards of a JSON lines file.")
@board_options(first_click="safe")
@rule_options
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
def command(
    agents: tuple[str, ...],
    games: int | None,
    workers: int,
    boards: str | None,
    level: Level | None,
    first_click: str,
    seed: int | None,
    goes_on: bool,
    no_flood: bool,
    questions: bool,
    as_json: bool,
) -> None:
    """Let agents play the same boards, and compare."""
    if boards is not None and level is not None:
        raise click.UsageError("give --boards or a level, not both")
    rules = chosen_rules(first_click, goes_on, no_flood, questions)
    layouts: list[Layout] = []
    if boards is not None:
        layouts = list(islice(read_layouts(boards, None), games))
        if not layouts:
            raise click.UsageError(f"{boards} has no boards")
    count = len(layouts) or games or 1000
    chosen = level or Level.parse("expert")
    with Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as progress:
        bars = {agent: progress.add_task(agent, total=count) for agent in agents}
        found = tournament(
            agents,
            chosen,
            rules,
            count,
            seed or 0,
            workers=workers,
            boards=layouts,
            done=lambda agent, ended: progress.advance(bars[agent], ended),
        )
    rows = [summary.fields() for summary in found]
    where = boards or f"{chosen}/{rules}#{seed or 0}"
    if as_json:
        click.echo(json.dumps({"agents": rows, "boards": where, "games": count}))
        return
    click.echo(f"{count} games on {where}")
    click.echo(f"{'agent':24} {'won %':>7}  {'95 % interval':15}  stuck  guesses   hits   games/s   slowest")
    for row in rows:
        rate, low, high = (100 * number for number in row["win_rate"])
        click.echo(
            f"{row['agent']:24} {rate:7.2f}  {f'{low:.2f} to {high:.2f}':15} {row['stuck']:6} {row['guesses']:8.2f} "
            f"{row['hits']:6.2f} {row['games_per_second']:9.1f} {row['slowest_move_ms']:6.1f} ms"
        )
