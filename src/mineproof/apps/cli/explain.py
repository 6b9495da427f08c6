"""``mineproof explain``: why a cell is safe, or a mine, as a person would find it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from mineproof.apps.cli.common import position_options, print_answer, wrapped
from mineproof.explain.patterns import KINDS
from mineproof.explain.step import CASES, CHAIN, COMBINATION, MINE_COUNT, ONE_CLUE, TWO_CLUES
from mineproof.seat.answers import explained

if TYPE_CHECKING:
    from mineproof.limit import Limit
    from mineproof.seat.seat import Seat

LEVELS = {
    ONE_CLUE: "one clue",
    TWO_CLUES: "two clues together",
    COMBINATION: "three or four clues together",
    CHAIN: "a longer chain",
    CASES: "several cases",
    MINE_COUNT: "the number of mines",
}
"""What a step of each level needs, in words."""


@click.command("explain")
@position_options
@click.argument("cell")
@click.option("--svg", is_flag=True, help="Print a picture with clues highlighted and cells numbered by step.")
@click.option("--json", "as_json", is_flag=True, help="Print the explanation as JSON.")
def command(seat: Seat, limit: Limit, cell: str, svg: bool, as_json: bool) -> None:
    """Explain why a CELL, such as C4, is safe or a mine.

    FILE is a position in any format, - for standard input, or a URL. The steps are the easiest possible: one clue if
    that is enough, then two, and so on. Exit status 1 when the cell can be either, or when no board is consistent
    with the position.
    """
    if svg and as_json:
        raise click.UsageError("--svg and --json cannot be combined")
    if svg:
        explanation = seat.why(cell, limit)
        click.echo(seat.position.to_svg(why=explanation), nl=False)
        sys.exit(explanation.mine is None)
    answer = explained(seat, cell, limit)
    if as_json or not answer["steps"]:
        print_answer(answer, as_json)
    else:
        text = answer["text"]
        click.echo(wrapped(numbered(text), 4 if "\n" in text else 0))
        if any(step["clues"] or step["mine_count"] for step in answer["steps"]):
            click.echo(level_in_words(answer["level"], answer["technique"]))
    sys.exit(answer["verdict"] not in ("safe", "mine"))


def level_in_words(level: int, technique: str) -> str:
    """Return what a level means, and the name of the technique if it says more.

    >>> level_in_words(2, "1-2"), level_in_words(1, "one clue")
    ('Level 2 of 6, two clues together: 1-2.', 'Level 1 of 6, one clue.')
    """
    needed = LEVELS[level]
    return f"Level {level} of {max(LEVELS)}, {needed}{'' if technique in KINDS.values() else f': {technique}'}."


def numbered(text: str) -> str:
    """Return the steps, numbered if there are several."""
    lines = text.split("\n")
    return text if len(lines) == 1 else "\n".join(f"{i:2}. {line}" for i, line in enumerate(lines, start=1))
