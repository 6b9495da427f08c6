"""``mineproof review``: the value of each move of a game, and what was luck."""

from __future__ import annotations

import json
from itertools import groupby
from typing import TYPE_CHECKING

import click

from mineproof.apps.cli.common import read_content, seconds_option, wrapped
from mineproof.apps.cli.progress import Progress
from mineproof.board.game import Replay
from mineproof.errors import InvalidText
from mineproof.hindsight.report import MoveMark
from mineproof.hindsight.review import MOST_PLAYOUTS, PLAYOUTS, review
from mineproof.limit import Limit
from mineproof.plural import plural

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mineproof.hindsight.report import Reviewed

FOLDED = (MoveMark.CERTAIN, MoveMark.NOTE)
"""Marks whose moves are shown together."""


@click.command("review")
@click.argument("file")
@click.option("--from", "format_name", default=None, help="Format of FILE, if it cannot be recognised.")
@click.option(
    "--playouts",
    type=click.IntRange(0, MOST_PLAYOUTS),
    default=PLAYOUTS,
    show_default=True,
    help="Total playouts for winning chances; 0: judge by risk alone.",
)
@seconds_option
@click.option("--json", "as_json", is_flag=True, help="Print the review as JSON.")
def command(file: str, format_name: str | None, playouts: int, seconds: float, as_json: bool) -> None:
    """Review a game: rate its moves, and separate skill from luck.

    FILE is a saved game, a RAWVF file, an AVF, MVF, RMV or EVF file (with the extra replays), or - for standard input.
    """
    content = read_content(file, format_name)
    where = "standard input" if file == "-" else file
    if not isinstance(content, Replay) or not content.moves:
        raise InvalidText(f"{where}: there are no moves to review")
    limit = Limit(seconds=seconds)
    with Progress() as line:
        found = review(
            content,
            limit,
            playouts=playouts,
            progress=lambda done, total: line.show(_progress(done, total, len(content.moves))),
        )
    if as_json:
        click.echo(json.dumps(found.fields(limit)))
        return
    click.echo(str(found.replay.id))
    for told in lines(found.moves, limit):
        click.echo(told)
    click.echo()
    for told in str(found.summary).splitlines():
        click.echo(wrapped(told, always=True))


def lines(moves: Sequence[Reviewed], limit: Limit) -> Iterator[str]:
    """Wrapped lines about each move; consecutive certain moves share a line."""
    room = 2 * len(str(len(moves))) + 1
    for folded, run in groupby(moves, key=lambda told: told.mark in FOLDED):
        some = list(run)
        if folded and len(some) > 1:
            yield f"{f'{some[0].number}–{some[-1].number}':>{room}}  {_run(some)}"
        else:
            for told in some:
                text = f"{told.number:>{room}}  {_one(told, limit)}"
                yield wrapped(text, room + 2, always=True)


def _progress(done: int, total: int, moves: int) -> str:
    """How far a review is: first all moves are marked, then the guesses among them get their winning chances.

    >>> _progress(2, 3, 8), _progress(9, 11, 8)
    ('move 2 of 8', 'winning chances of guess 2 of 3')
    """
    if done < moves:
        return f"move {done:,} of {moves:,}"
    return f"winning chances of guess {min(done - moves + 1, total - moves):,} of {total - moves:,}"


def _one(told: Reviewed, limit: Limit) -> str:
    text = told.text(limit)
    if told.mark is MoveMark.CERTAIN:
        return f"{told.move}: {text[0].lower()}{text[1:]}"
    name = f"{told.move}" if told.mark is MoveMark.UNDO else f"{told.move}: {told.mark}"
    return f"{name}. {text}".rstrip()


def _run(some: list[Reviewed]) -> str:
    certain = [told for told in some if told.mark is MoveMark.CERTAIN]
    levels = sorted({told.level for told in certain if told.level is not None})
    level = (
        "" if not levels else f", level {levels[0]}" if len(levels) == 1 else f", levels {levels[0]} to {levels[-1]}"
    )
    return plural(len(certain), "certain move") + level if certain else plural(len(some), "note")
