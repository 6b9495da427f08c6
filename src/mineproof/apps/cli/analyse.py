"""``mineproof analyse``: every certain cell of a position, and the odds of all others."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from decimal import Decimal
from typing import TYPE_CHECKING

import click
import numpy as np

from mineproof._native.counting import MARK_MINED, MARK_SAFE, MARK_UNSURE
from mineproof.apps.cli.common import pairs, percent_risk, read_content, seconds_option, too_large, wants_colour
from mineproof.board.formats import as_position
from mineproof.board.render import odds_table
from mineproof.board.svg import check_size
from mineproof.errors import OutOfTime
from mineproof.limit import Limit
from mineproof.logic.conflict import Conflict, find_conflict
from mineproof.odds.analysis import analyse

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mineproof.limit import Clock
    from mineproof.odds.analysis import Analysis

MOST_DIGITS = 100_000
"""Of a number of solutions that is written out: Python takes a tenth of a second for so many, and for ten times as many
a hundred times as long."""
_BLOCK = 2**16  # cells that are turned into text at once


@click.command("analyse")
@click.argument("file")
@click.option("--from", "format_name", default=None, help="Format of FILE, where it is not clear.")
@seconds_option
@click.option("--svg", is_flag=True, help="Print a picture with the odds.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def command(file: str, format_name: str | None, seconds: float, svg: bool, as_json: bool) -> None:
    """Find every certain cell of a position, and the odds of all others.

    FILE is a position in any format, - for standard input, or a URL itself. Exit status 1 when no board looks like it.
    """
    if svg and as_json:
        raise click.UsageError("give --svg or --json, not both")
    position = as_position(read_content(file, format_name))
    if svg:
        check_size(position.grid)
    clock = Limit(seconds=seconds).start()
    found = analyse(position, clock.rest())
    if as_json:
        sys.stdout.writelines(json_parts(found, clock))
    elif found.consistent is False:
        why = (
            conflict_in(found, clock) or "no board looks like this; there was no time to find out which clues are wrong"
        )
        click.echo(f"inconsistent: {why}")
    elif svg:
        click.echo(position.to_svg(found.probabilities), nl=False)
    else:
        left_out = too_large(position.grid)
        if left_out:
            click.echo(f"{left_out}; --json lists all cells")
        else:
            click.echo(odds_table(position, found.probabilities, found.safe, found.mined, colour=wants_colour()))
        click.echo(in_words(found, clock))
    if found.consistent is False:
        sys.exit(1)


def conflict_in(found: Analysis, clock: Clock) -> Conflict | None:
    """Why no board looks like this, if that can be found out in the time that is left."""
    try:
        return find_conflict(found.position, clock.rest())
    except OutOfTime:
        return None


def solutions(found: Analysis, clock: Clock, most_digits: int) -> str | None:
    """The number of solutions, unless it has more digits, or the time that is left is too short to count them."""
    if not found.exact or found.log_solutions / np.log(10) > most_digits:
        return None
    try:
        return f"{Decimal(found.count_solutions(clock.rest())):f}"  # an int of more than 4,300 digits has no str
    except OutOfTime:
        return None


def in_words(found: Analysis, clock: Clock) -> str:
    """What there is to say below the board."""
    safe, mined = (int(_marked(found, mark).sum()) for mark in (MARK_SAFE, MARK_MINED))
    lines = []
    if found.exact:
        lines.append(f"solutions: {solutions(found, clock, 15) or f'about 10^{found.log_solutions / np.log(10):.1f}'}")
    else:
        lines.append("there was no time to count exactly; cells shown as certain are certain all the same")
        if found.consistent is None:
            lines.append("there was not even time to find out whether any board looks like this")
        unsure = _marked(found, MARK_UNSURE)
        unrated = int((unsure & np.isnan(found.probabilities).ravel()).sum())
        if found.errors is not None and unrated < unsure.sum():
            largest = f"{100 * float(np.nanmax(found.errors.ravel()[unsure])):.2g} percentage points"
            sampled = np.isnan(found.log_solutions)
            lines.append(f"odds are {'estimates with standard errors of' if sampled else 'off by'} up to {largest}")
        if unrated:
            lines.append(f"{unrated} cell{'s have' if unrated > 1 else ' has'} no odds: the time was too short")
        if not found.complete:
            lines.append("there may be more certain cells")
    if safe or mined:
        lines.append(f"certain: {safe} safe, {mined} mine{'s' * (mined != 1)}")
    if not safe and found.best is not None and found.best.risk < 1:
        nothing = "" if mined else "no cell is certain; "
        risk = percent_risk(found.best.risk, ".4g")
        lines.append(f"{nothing}the best guess is {found.best.cell}: {risk} of a mine")
    return "\n".join(lines)


def json_parts(found: Analysis, clock: Clock) -> Iterator[str]:
    """The analysis as JSON, piece by piece: as a whole it takes gigabytes on a large board."""
    position = found.position
    fields: dict[str, object] = {
        "rows": position.grid.rows,
        "cols": position.grid.cols,
        "mines": position.mines,
        "consistent": found.consistent,
        "exact": found.exact,
        "complete": found.complete,
        "solutions": solutions(found, clock, MOST_DIGITS),
        "safe": _cells(found, MARK_SAFE),
        "mined": _cells(found, MARK_MINED),
        "odds": _rows(found.probabilities),
        "best": None if found.best is None else {"cell": list(found.best.cell), "risk": found.best.risk},
    }
    if found.errors is not None:
        fields["errors"] = _rows(found.errors)
    if found.consistent is False:
        why = conflict_in(found, clock)
        fields["conflict"] = None if why is None else {"clues": pairs(why.clues), "mine_count": why.mine_count}
    before = "{"
    for name, value in fields.items():
        yield f'{before}"{name}": '
        before = ", "
        if isinstance(value, Iterator):
            yield from value
        else:
            yield json.dumps(value)
    yield "}\n"


def _marked(found: Analysis, mark: int) -> NDArray[np.bool_]:
    """The cells that are known to be so. (Sets of `Cell` are slow on a board of millions.)"""
    marked: NDArray[np.bool_] = np.frombuffer(found.marks, np.uint8) == mark
    return marked


def _cells(found: Analysis, mark: int) -> Iterator[str]:
    """The cells that are known to be so, as a list of pairs in JSON."""
    indices = np.flatnonzero(_marked(found, mark))
    yield "["
    for first in range(0, len(indices), _BLOCK):
        numbers = np.column_stack(np.divmod(indices[first : first + _BLOCK], found.position.grid.cols))
        yield ", " * (first > 0) + ", ".join(["[%d, %d]"] * len(numbers)) % tuple(numbers.ravel().tolist())
    yield "]"


def _rows(table: NDArray[np.float64]) -> Iterator[str]:
    """A table as a list of lists in JSON, null for NaN. A number that comes again is not turned into text again."""
    cells, cols = table.ravel(), table.shape[1]
    yield "[["
    for first in range(0, len(cells), _BLOCK):
        numbers, where = np.unique(cells[first : first + _BLOCK], return_inverse=True)
        texts = ["null" if np.isnan(number) else repr(number) for number in numbers.tolist()]
        within, at_end = [f"{text}, " for text in texts], [f"{text}], [" for text in texts]
        ends_row = np.arange(first + 1, first + 1 + len(where)) % cols == 0
        text = "".join(np.array([within, at_end], object)[ends_row.astype(int), where].tolist())
        yield text if first + _BLOCK < len(cells) else text.removesuffix("], [")
    yield "]]"
