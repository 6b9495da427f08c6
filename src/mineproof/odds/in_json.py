"""An analysis as JSON, with the number of solutions and the conflict if there is time to find them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal
from typing import TYPE_CHECKING

import numpy as np

from mineproof._native.counting import MARK_MINED, MARK_SAFE
from mineproof.errors import OutOfTime
from mineproof.logic.conflict import inconsistent, refused

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mineproof.limit import Clock
    from mineproof.odds.analysis import Analysis

MOST_DIGITS = 100_000
"""The most digits of a number of solutions that is written out: Python takes a tenth of a second for these, and a
hundred times as long for ten times as many."""
_BLOCK = 2**16  # cells that are turned into text at once


def solutions(analysis: Analysis, clock: Clock, most_digits: int) -> str | None:
    """The number of solutions as text; None if it has more digits, or if time runs out."""
    if not analysis.exact or analysis.log_solutions / np.log(10) > most_digits:
        return None
    try:
        return f"{Decimal(analysis.count_solutions(clock.rest())):f}"  # an int of more than 4,300 digits has no str
    except OutOfTime:
        return None


def json_parts(analysis: Analysis, clock: Clock, **more: object) -> Iterator[str]:
    """The analysis as JSON, with ``more`` fields, in pieces: as one text, that of a large board takes gigabytes."""
    position, least = analysis.position, analysis.least_risk
    fields: dict[str, object] = {
        "rows": position.grid.rows,
        "cols": position.grid.cols,
        "mines": position.mines,
        "consistent": analysis.consistent,
        "exact": analysis.exact,
        "complete": analysis.complete,
        "solutions": solutions(analysis, clock, MOST_DIGITS),
        "safe": _cells(analysis, MARK_SAFE),
        "mined": _cells(analysis, MARK_MINED),
        "odds": _rows(analysis.probabilities),
        "least_risk": None if least is None else {"cell": list(least.cell), "risk": least.risk},
        **more,
    }
    if analysis.errors is not None:
        fields["errors"] = _rows(analysis.errors)
    if analysis.consistent is False:
        fields["conflict"] = refused(inconsistent(position, clock))["conflict"]
    before = "{"
    for name, value in fields.items():
        yield f'{before}"{name}": '
        before = ", "
        if isinstance(value, Iterator):
            yield from value
        else:
            yield json.dumps(value)
    yield "}\n"


def _cells(analysis: Analysis, mark: int) -> Iterator[str]:
    """The cells with this mark, as a list of pairs in JSON."""
    indices = np.flatnonzero(analysis.marked(mark))
    yield "["
    for first in range(0, len(indices), _BLOCK):
        numbers = np.column_stack(np.divmod(indices[first : first + _BLOCK], analysis.position.grid.cols))
        yield ", " * (first > 0) + ", ".join(["[%d, %d]"] * len(numbers)) % tuple(numbers.ravel().tolist())
    yield "]"


def _rows(table: NDArray[np.float64]) -> Iterator[str]:
    """A table as a list of lists in JSON, null for NaN. Equal numbers of a block are turned into text only once."""
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
