"""``mineproof review``: the value of each move of a game, and what was luck."""

from __future__ import annotations

import json
from itertools import groupby
from typing import TYPE_CHECKING

import click

from mineproof.apps.cli.common import from_option, read_content, seconds_option, wrapped
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
@from_option
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
    with Progress() as status:
        game_review = review(
            content,
            limit,
            playouts=playouts,
            progress=lambda done, total: status.show(_progress(done, total, len(content.moves))),
        )
    if as_json:
        click.echo(json.dumps(game_review.fields(limit)))
        return
    click.echo(str(game_review.replay.id))
    for line in lines(game_review.moves, limit):
        click.echo(line)
    click.echo()
    for line in str(game_review.summary).splitlines():
        click.echo(wrapped(line, always=True))


def lines(moves: Sequence[Reviewed], limit: Limit) -> Iterator[str]:
    """Yield wrapped lines about each move; consecutive certain moves share a line."""
    room = 2 * len(str(len(moves))) + 1
    for folded, group in groupby(moves, key=lambda move: move.mark in FOLDED):
        run = list(group)
        if folded and len(run) > 1:
            yield f"{f'{run[0].number}–{run[-1].number}':>{room}}  {_run_text(run)}"
        else:
            for move in run:
                text = f"{move.number:>{room}}  {_move_text(move, limit)}"
                yield wrapped(text, room + 2, always=True)


def _progress(done: int, total: int, moves: int) -> str:
    """Return how far a review is: first all moves are marked, then the guesses among them get their winning chances.

    >>> _progress(2, 3, 8), _progress(9, 11, 8)
    ('move 2 of 8', 'winning chances of guess 2 of 3')
    """
    if done < moves:
        return f"move {done:,} of {moves:,}"
    return f"winning chances of guess {min(done - moves + 1, total - moves):,} of {total - moves:,}"


def _move_text(move: Reviewed, limit: Limit) -> str:
    text = move.text(limit)
    if move.mark is MoveMark.CERTAIN:
        return f"{move.move}: {text[0].lower()}{text[1:]}"
    name = f"{move.move}" if move.mark is MoveMark.UNDO else f"{move.move}: {move.mark}"
    return f"{name}. {text}".rstrip()


def _run_text(moves: list[Reviewed]) -> str:
    certain = [move for move in moves if move.mark is MoveMark.CERTAIN]
    levels = sorted({move.level for move in certain if move.level is not None})
    level = (
        "" if not levels else f", level {levels[0]}" if len(levels) == 1 else f", levels {levels[0]} to {levels[-1]}"
    )
    return plural(len(certain), "certain move") + level if certain else plural(len(moves), "note")
