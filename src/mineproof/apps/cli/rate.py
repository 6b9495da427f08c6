"""``mineproof rate``: how much work a board is, and how difficult."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from mineproof.apps.cli.common import read_layouts, seconds_option, steps_in_words
from mineproof.board.metrics import measure
from mineproof.errors import IllegalMove, InvalidBoard, OutOfTime
from mineproof.generate.rating import rate
from mineproof.limit import Limit

if TYPE_CHECKING:
    from mineproof.board.layout import Layout
    from mineproof.generate.rating import Rating


@click.command("rate")
@click.argument("file")
@click.option("--from", "format_name", default=None, help="Format of FILE, where it is not clear.")
@click.option(
    "--start", default=None, help="First click.  [default: the board's own; or the opening nearest the middle]"
)
@seconds_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object a board.")
def command(file: str, format_name: str | None, start: str | None, seconds: float, as_json: bool) -> None:
    """Measure the boards in FILE: 3BV, openings, islands, ZiNi; which steps each needs, and how difficult it is.

    FILE is a file in any format that says where the mines are, - for standard input, or a game id or URL itself. The
    difficulty is between 0 and 100 for a board that needs no guess, and 100 more for each guess.
    """
    for layout in read_layouts(file, format_name, start):
        measured = measure(layout)
        rating, missing = _rated(layout, start, Limit(seconds))
        if as_json:
            fields = {
                "rows": layout.grid.rows,
                "cols": layout.grid.cols,
                "mines": layout.mines,
                "3bv": measured.bbbv,
                "openings": measured.openings,
                "islands": measured.islands,
                "zini": measured.zini,
            }
            rated = {"difficulty": None, "not_rated": missing} if rating is None else rating.fields()
            click.echo(json.dumps(fields | rated))
        else:
            click.echo(
                f"{layout.level}: 3BV {measured.bbbv}, openings {measured.openings}, islands {measured.islands}, "
                f"ZiNi {measured.zini}"
            )
            click.echo(f"  not rated: {missing}" if rating is None else f"  {in_words(rating)}")


def _rated(layout: Layout, start: str | None, limit: Limit) -> tuple[Rating | None, str]:
    """The rating, or why there is none; a start that the user named has to be one."""
    try:
        return rate(layout, limit=limit), ""
    except OutOfTime as failure:
        return None, str(failure)
    except (IllegalMove, InvalidBoard) as failure:
        if start is not None:
            raise
        return None, str(failure)


def in_words(rating: Rating) -> str:
    """All that is known of how difficult a board is."""
    text = f"difficulty {rating.difficulty:.1f} from {rating.start}: harder than {rating.harder_than()} % of "
    text += f"{rating.compared_with} boards"
    if not rating.guesses:
        text += f", and than {rating.harder_than(no_guess=True)} % of those that need no guess"
    text += f"; {steps_in_words(rating.levels)}"
    if rating.hardest is not None:
        text += f"; hardest: level {rating.level} at {rating.hardest}"
    if not rating.guesses:
        return f"{text}; no guess"
    guesses = "1 guess, which goes well" if rating.guesses == 1 else f"{rating.guesses} guesses, which all go well"
    return f"{text}; {guesses} with a chance of {100 * rating.solution.luck:.2g} %"
