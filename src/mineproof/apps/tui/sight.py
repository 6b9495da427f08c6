"""What follows from a position: certain cells, odds and the best guess, as an overlay and in words."""

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
    """What follows from a position: an overlay, and lines of text."""

    overlay: Overlay
    lines: tuple[str, ...]


def see(seat: Seat, limit: Limit, *, best: bool = False, count: bool = False) -> Sight:
    """Look at a position. With ``best``, say what the best guess is; with ``count``, how many boards there are."""
    clock, position = limit.start(), seat.position
    answer = overview(seat, clock.rest(0.9))
    analysis = answer.analysis
    if analysis.consistent is False:
        failure = inconsistent(position, clock)
        conflict = failure.conflict
        clues = frozenset() if conflict is None else frozenset(map(position.grid.index, conflict.clues))
        return Sight(Overlay(clues=clues), (f"There is no such board: {failure}.",))
    marks = np.frombuffer(analysis.marks, np.uint8)
    odds = analysis.probabilities.ravel()
    rated = (marks == MARK_UNSURE) & ~np.isnan(odds)
    near = beside_numbers(position.grid, position.cells)
    risks = {index: float(odds[index]) for index in np.flatnonzero(rated & near).tolist()}
    safe, mined = (frozenset(map(position.grid.index, cells)) for cells in (analysis.safe, analysis.mined))
    lines = [f"Certain: {len(safe)} safe, {plural(len(mined), 'mine')}."]
    away = np.flatnonzero(rated & ~near)
    if away.size:  # cells that no clue sees all have the same odds
        error = None if analysis.errors is None else float(analysis.errors.flat[away[0]])
        lines.append(f"Cells away from all numbers: {percent(float(odds[away[0]]), error)} risk each.")
    guess = answer.guess if best and analysis.complete else None
    if guess is not None:
        lines.append(str(guess))
    if not analysis.complete:
        lines.append("Time ran out: there may be more.")
    elif not analysis.exact:
        lines.append("There are too many boards to count: the odds are estimates.")
    if count:
        lines.append(f"Consistent boards: {_boards(analysis, clock)}.")
    chosen = None if guess is None else position.grid.index(guess.cell)
    overlay = Overlay(risks, safe, mined, best=chosen)
    return Sight(overlay, tuple(lines))


def beside_numbers(grid: Grid, symbols: bytes) -> NDArray[np.bool_]:
    """Return which cells have a number beside them, in the order of the cells.

    >>> from mineproof import Grid
    >>> beside_numbers(Grid(rows=1, cols=4), b"1HHH").tolist()
    [True, True, False, False]
    """
    rows, cols = grid.rows, grid.cols
    shown = np.pad(np.frombuffer(symbols, np.uint8).reshape(rows, cols), 1)
    numbers = (shown >= ord("0")) & (shown <= ord("8"))
    shifted = [numbers[down : down + rows, across : across + cols] for down in range(3) for across in range(3)]
    beside: NDArray[np.bool_] = np.logical_or.reduce(shifted).ravel()
    return beside


def _boards(analysis: Analysis, clock: Clock) -> str:
    """Return how many boards are consistent with a position."""
    if isnan(analysis.log_solutions):
        return "too many to count"
    digits = analysis.log_solutions / log(10)
    if digits < MOST_DIGITS:
        try:
            return f"{analysis.count_solutions(clock.rest()):,}"
        except OutOfTime:
            pass  # out of time: give the rounded number
    return f"about {10 ** (digits % 1):.1f} × 10^{floor(digits)}"


def step_overlay(explanation: Explanation, step: int) -> Overlay:
    """Return an overlay of the clues of a step, the cells that it settles, and those that earlier steps settle."""
    index = explanation.position.grid.index
    before = {index(cell): earlier.mine for earlier in explanation.steps[:step] for cell in earlier.cells}
    if not explanation.steps:
        return Overlay(before=before)
    now = explanation.steps[step]
    return Overlay(
        clues=frozenset(map(index, now.clues)), settled={index(cell): now.mine for cell in now.cells}, before=before
    )


def hint_overlay(hint: Hint, shown: int) -> Overlay:
    """Return an overlay of what the first parts of a hint point at; this many are ``shown``."""
    index = hint.position.grid.index
    explanation = hint.explanation
    if explanation is not None:
        last = explanation.steps[-1]
        clues = frozenset(map(index, last.clues)) if shown >= CLUES else frozenset()
        settled = {index(explanation.cell): False} if shown >= CELL else {}
        return Overlay(clues=clues, settled=settled)
    named = hint.guess is None or str(hint.guess) in hint.portions[:shown]
    return Overlay(best=index(hint.cell) if hint.cell is not None and named else None)


CLUES, CELL, WHOLE = 3, 4, 5
"""The numbers of the parts of a hint from which on the clues, the cell and all steps are shown."""


def lost_by(seat: Seat, cell: Cell, limit: Limit) -> str:
    """Return what could be known of a cell that turned out to be a mine, before it was opened."""
    clock = limit.start()
    analysis = seat.analysis(clock.rest(0.5))
    if cell in analysis.mined:
        known = f"{cell} was certainly a mine."
    else:
        risk = analysis.probability(cell)
        known = "" if isnan(risk) else f"The risk was {percent(risk)}."
    hint = seat.hint(clock.rest())
    if hint.certain:
        return f"{known} {hint.cell} was certainly safe.".strip()
    if hint.guess is None:
        return known
    if hint.cell == cell:
        return f"{known} No move was certain, and no guess was better.".strip()
    return f"{known} {sentence(f'no move was certain; {hint.guess.clause}')}".strip()
