"""``mineproof review``: what each move of a game was worth, and what was luck."""

from __future__ import annotations

import json
import sys
import time
from itertools import groupby
from textwrap import fill
from typing import TYPE_CHECKING

import click

from mineproof.apps.cli.common import read_content, seconds_option
from mineproof.board.replay import Replay
from mineproof.errors import InvalidText
from mineproof.hindsight.report import Mark
from mineproof.hindsight.review import MOST_PLAYOUTS, PLAYOUTS, review
from mineproof.hindsight.words import many
from mineproof.limit import Limit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mineproof.hindsight.report import Reviewed

FOLDED = (Mark.CERTAIN, Mark.NOTE)
"""Moves that are told of together."""
WIDTH = 100
"""Of a line."""


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
    """Review a game that was played: mark its moves, and separate skill from luck.

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
    click.echo()
    for line in str(found.summary).splitlines():
        click.echo(fill(line, WIDTH))


def lines(moves: Sequence[Reviewed], limit: Limit) -> Iterator[str]:
    """What there is to say of each move, in lines that are not too long; certain moves come in runs."""
    room = 2 * len(str(len(moves))) + 1
    for folded, run in groupby(moves, key=lambda told: told.mark in FOLDED):
        some = list(run)
        if folded and len(some) > 1:
            yield f"{f'{some[0].number}–{some[-1].number}':>{room}}  {_run(some)}"
        else:
            for told in some:
                text = f"{told.number:>{room}}  {_one(told, limit)}"
                yield fill(text, WIDTH, subsequent_indent=" " * (room + 2), break_on_hyphens=False)


def _one(told: Reviewed, limit: Limit) -> str:
    text = told.text(limit)
    if told.mark is Mark.CERTAIN:
        return f"{told.move}: {text[0].lower()}{text[1:]}"
    name = f"{told.move}" if told.mark is Mark.UNDO else f"{told.move}: {told.mark}"
    return f"{name}. {text}".rstrip()


def _run(some: list[Reviewed]) -> str:
    certain = [told for told in some if told.mark is Mark.CERTAIN]
    levels = sorted({told.level for told in certain if told.level is not None})
    level = (
        "" if not levels else f", level {levels[0]}" if len(levels) == 1 else f", levels {levels[0]} to {levels[-1]}"
    )
    return many(len(certain), "certain move") + level if certain else many(len(some), "note")


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
