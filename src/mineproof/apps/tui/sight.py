"""What there is to see in a position: certain cells, odds and the best guess, as an overlay and in words."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, isnan, log
from typing import TYPE_CHECKING

import numpy as np

from mineproof._native.counting import MARK_UNSURE
from mineproof.apps.tui.looks import Overlay
from mineproof.errors import OutOfTime
from mineproof.explain.phrases import sentence
from mineproof.logic.conflict import inconsistent
from mineproof.percent import percent
from mineproof.plural import plural
from mineproof.seat.answers import overview

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mineproof.board.grid import Cell, Grid
    from mineproof.explain.explanation import Explanation
    from mineproof.explain.hint import Hint
    from mineproof.limit import Clock, Limit
    from mineproof.odds.analysis import Analysis
    from mineproof.seat.seat import Seat

MOST_DIGITS = 15
"""Numbers with more digits are rounded."""


@dataclass(frozen=True)
class Sight:
    """What there is to see."""

    overlay: Overlay
    said: tuple[str, ...]
    safe: int = 0
    """Certainly safe cells."""


def see(seat: Seat, limit: Limit, *, best: bool = False, count: bool = False) -> Sight:
    """Look at a position. With ``best``, say what the best guess is; with ``count``, how many boards there are."""
    clock, position = limit.start(), seat.position
    view = overview(seat, clock.rest(0.9))
    found = view.analysis
    if found.consistent is False:
        failure = inconsistent(position, clock)
        conflict = failure.conflict
        clues = frozenset() if conflict is None else frozenset(map(position.grid.index, conflict.clues))
        return Sight(Overlay(clues=clues), (f"There is no such board: {failure}.",))
    marks = np.frombuffer(found.marks, np.uint8)
    odds = found.probabilities.ravel()
    rated = (marks == MARK_UNSURE) & ~np.isnan(odds)
    near = beside_numbers(position.grid, position.cells)
    risks = {index: float(odds[index]) for index in np.flatnonzero(rated & near).tolist()}
    safe, mined = (frozenset(map(position.grid.index, cells)) for cells in (found.safe, found.mined))
    said = [f"Certain: {len(safe)} safe, {plural(len(mined), 'mine')}."]
    away = np.flatnonzero(rated & ~near)
    if away.size:  # cells that no clue sees all have the same odds
        error = None if found.errors is None else float(found.errors.flat[away[0]])
        said.append(f"Cells away from all numbers: {percent(float(odds[away[0]]), error)} risk each.")
    guess = view.guess if best and found.complete else None
    if guess is not None:
        said.append(str(guess))
    if not found.complete:
        said.append("Time ran out: there may be more.")
    elif not found.exact:
        said.append("There are too many boards to count: the odds are estimates.")
    if count:
        said.append(f"Consistent boards: {_boards(found, clock)}.")
    chosen = None if guess is None else position.grid.index(guess.cell)
    overlay = Overlay(risks, not found.exact, safe, mined, best=chosen)
    return Sight(overlay, tuple(said), len(safe))


def beside_numbers(grid: Grid, symbols: bytes) -> NDArray[np.bool_]:
    """Which cells have a number beside them, in the order of the cells.

    >>> from mineproof import Grid
    >>> beside_numbers(Grid(rows=1, cols=4), b"1HHH").tolist()
    [True, True, False, False]
    """
    rows, cols = grid.rows, grid.cols
    shown = np.pad(np.frombuffer(symbols, np.uint8).reshape(rows, cols), 1)
    numbers = (shown >= ord("0")) & (shown <= ord("8"))
    shifted = [numbers[down : down + rows, across : across + cols] for down in range(3) for across in range(3)]
    found: NDArray[np.bool_] = np.logical_or.reduce(shifted).ravel()
    return found


def _boards(found: Analysis, clock: Clock) -> str:
    """How many boards are consistent with a position."""
    if isnan(found.log_solutions):
        return "too many to count"
    digits = found.log_solutions / log(10)
    if digits < MOST_DIGITS:
        try:
            return f"{found.count_solutions(clock.rest()):,}"
        except OutOfTime:
            pass  # rounded, then
    return f"about {10 ** (digits % 1):.1f} × 10^{floor(digits)}"


def lit(found: Explanation, step: int) -> Overlay:
    """The clues of a step, the cells that it settles, and those of the steps before it."""
    index = found.position.grid.index
    before = {index(cell): one.mine for one in found.steps[:step] for cell in one.cells}
    if not found.steps:
        return Overlay(before=before)
    now = found.steps[step]
    return Overlay(
        clues=frozenset(map(index, now.clues)), settled={index(cell): now.mine for cell in now.cells}, before=before
    )


def hinted(found: Hint, shown: int) -> Overlay:
    """What the parts of a hint that were shown so far point at."""
    index = found.position.grid.index
    why = found.explanation
    if why is not None:
        last = why.steps[-1]
        clues = frozenset(map(index, last.clues)) if shown >= CLUES else frozenset()
        settled = {index(why.cell): False} if shown >= CELL else {}
        return Overlay(clues=clues, settled=settled)
    named = found.guess is None or str(found.guess) in found.portions[:shown]
    return Overlay(best=index(found.cell) if found.cell is not None and named else None)


CLUES, CELL, WHOLE = 3, 4, 5
"""From this part of a hint on the clues are shown, the cell, all steps."""


def lost_by(seat: Seat, cell: Cell, limit: Limit) -> str:
    """What could be known of a cell that turned out to be a mine, before it was opened."""
    clock = limit.start()
    found = seat.analysis(clock.rest(0.5))
    if cell in found.mined:
        known = f"{cell} was certainly a mine."
    else:
        risk = found.probability(cell)
        known = "" if isnan(risk) else f"The risk was {percent(risk)}."
    told = seat.hint(clock.rest())
    if told.certain:
        return f"{known} {told.cell} was certainly safe.".strip()
    if told.guess is None:
        return known
    if told.cell == cell:
        return f"{known} No move was certain, and no guess was better.".strip()
    return f"{known} {sentence(f'no move was certain; {told.guess.clause}')}".strip()
