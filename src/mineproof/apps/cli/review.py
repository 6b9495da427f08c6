"""``mineproof review``: what each move of a game was worth, and what was luck."""

from __future__ import annotations

import json
import sys
import time
from itertools import groupby
from typing import TYPE_CHECKING

import click

from mineproof.apps.cli.common import read_content, seconds_option
from mineproof.board.replay import Replay
from mineproof.errors import InvalidText
from mineproof.hindsight.report import Mark
from mineproof.hindsight.review import MOST_PLAYOUTS, PLAYOUTS, review
from mineproof.limit import Limit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mineproof.hindsight.report import Reviewed

FOLDED = (Mark.CERTAIN, Mark.NOTE)
"""Moves that are told of together."""


@click.command("review")
@click.argument("file")
@click.option("--from", "format_name", default=None, help="Format of FILE, where it is not clear.")
@click.option(
    "--playouts",
    type=click.IntRange(0, MOST_PLAYOUTS),
    default=PLAYOUTS,
    show_default=True,
    help="Games played out for all winning chances together; 0: judge by risk alone.",
)
@seconds_option
@click.option("--json", "as_json", is_flag=True, help="Print the review as JSON.")
def command(file: str, format_name: str | None, playouts: int, seconds: float, as_json: bool) -> None:
    """Review a game that was played: mark its moves, and tell skill from luck.

    FILE is a saved game, a RAWVF file, an AVF, MVF, RMV or EVF file (with the extra replays), or - for standard input.
    """
    content = read_content(file, format_name)
    where = "standard input" if file == "-" else file
    if not isinstance(content, Replay) or not content.moves:
        raise InvalidText(f"{where}: there are no moves to review")
    limit = Limit(seconds=seconds)
    shown = _Progress()
    try:
        found = review(content, limit, playouts=playouts, progress=shown.show)
    finally:
        shown.clear()
    if as_json:
        click.echo(json.dumps(found.fields(limit)))
        return
    click.echo(str(found.replay.id))
    for line in lines(found.moves, limit):
        click.echo(line)
    click.echo(f"\n{found.summary}")


def lines(moves: Iterable[Reviewed], limit: Limit) -> Iterator[str]:
    """A line for each move that there is something to say of; certain moves come in runs."""
    for folded, run in groupby(moves, key=lambda told: told.mark in FOLDED):
        some = list(run)
        if folded:
            first, last = some[0].number, some[-1].number
            numbers = f"{first}" if first == last else f"{first}–{last}"
            yield f"{numbers:>9}  {_run(some)}"
        else:
            for told in some:
                yield f"{told.number:>9}  {told.move}: {told.mark}. {told.text(limit)}".rstrip()


def _run(some: list[Reviewed]) -> str:
    certain = [told for told in some if told.mark is Mark.CERTAIN]
    if not certain:
        return f"{len(some)} note{'s' * (len(some) != 1)}"
    levels = sorted({told.level for told in certain if told.level is not None})
    level = (
        "" if not levels else f", level {levels[0]}" if len(levels) == 1 else f", levels {levels[0]} to {levels[-1]}"
    )
    return f"{len(certain)} certain move{'s' * (len(certain) != 1)}{level}"


class _Progress:
    """A line on a terminal, once it takes a while."""

    def __init__(self) -> None:
        self.wanted, self.shown = sys.stderr.isatty(), False
        self.due = time.monotonic() + 0.5

    def show(self, done: int, total: int) -> None:
        """So much is done."""
        if self.wanted and time.monotonic() >= self.due:
            self.shown = True
            self.due = time.monotonic() + 0.2
            click.echo(f"\rreviewed {done:,} of {total:,}\x1b[K", err=True, nl=False)

    def clear(self) -> None:
        """Nothing is shown any more."""
        if self.shown:
            click.echo("\r\x1b[K", err=True, nl=False)
        self.shown = False
