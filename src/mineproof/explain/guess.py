"""The best guess of a position: the cell that the agent ``best`` opens where nothing is certain.

It is not always the least risky cell, which is named beside it. `hint` says that a guess is needed; this says which.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mineproof._native import counting
from mineproof._native.clock import bytes_of_board
from mineproof.agents.chooser import SHOWN, best_player, survey
from mineproof.errors import OutOfTime
from mineproof.explain.phrases import sentence
from mineproof.odds.analysis import EQUAL
from mineproof.percent import a_percent, percent

if TYPE_CHECKING:
    from mineproof.board.grid import Cell
    from mineproof.limit import Clock
    from mineproof.odds.analysis import Analysis


class Candidate(NamedTuple):
    """A cell that may be guessed, and its risk of a mine."""

    cell: Cell
    risk: float
    progress: float | None = None
    """The probability that, if the cell is safe, a certain move follows or the game is won."""
    error: float | None = None
    """The error of the risk, if it is an estimate."""

    def __str__(self) -> str:
        risk = f"{self.cell}: {percent(self.risk, self.error)} risk"
        if self.progress is None:
            return f"{risk}."
        share = percent(self.progress)
        return f"{risk}; if it is safe, a certain move follows, or the game is won, on {share} of boards."

    def fields(self) -> dict[str, Any]:
        """The fields for JSON."""
        return {"cell": list(self.cell), "risk": self.risk, "error": self.error, "progress": self.progress}


@dataclass(frozen=True, slots=True)
class BestGuess:
    """The cell that ``best`` opens, and why."""

    candidates: tuple[Candidate, ...]
    """The chosen cell, then others in order of preference."""
    least: Candidate
    """The least risky cell of the whole board."""
    chance: float | None = None
    """The chance of winning with perfect play, if the rest of the game was searched."""
    reason: str = ""
    """Why this cell was chosen, unless it looked best one step ahead."""
    searched: bool = True
    """Whether the guess looks ahead. It is the least risky cell if there are too many boards, or too little time."""

    @property
    def cell(self) -> Cell:
        """The cell to open."""
        return self.candidates[0].cell

    @property
    def risk(self) -> float:
        """The risk of a mine in this cell."""
        return self.candidates[0].risk

    @property
    def is_least(self) -> bool:
        """Whether no cell is less risky."""
        return self.risk <= self.least.risk + EQUAL

    def __str__(self) -> str:
        return sentence(self.clause)

    @property
    def clause(self) -> str:
        """The cell and its risk; and if another cell is less risky, its name, and why it is not the best guess."""
        chosen = self.candidates[0]
        kind = "best guess" if self.searched else "least risky cell"
        text = f"the {kind} is {chosen.cell}, with {a_percent(chosen.risk, chosen.error)} risk of a mine"
        if self.is_least:
            return text
        least = self.least
        better = advantage(chosen.cell, self.chance, self.reason, chosen.progress, least.progress)
        return f"{text}, although {least.cell} has only {percent(least.risk)}: {better}"

    @property
    def sentences(self) -> tuple[str, ...]:
        """All sentences about the guess and its alternatives."""
        sentences = [str(self)]
        if self.reason and self.is_least:
            sentences.append(sentence(self.reason))
        if self.chance is not None:
            sentences.append(f"Perfect play wins {percent(self.chance)} of the remaining boards.")
        return *sentences, *map(str, self.candidates)

    def fields(self) -> dict[str, Any]:
        """The fields for JSON."""
        return {"cell": list(self.cell), "risk": self.risk, "chance": self.chance, "text": str(self)}


def advantage(
    cell: Cell, chance: float | None, reason: str, more: float | None = None, less: float | None = None
) -> str:
    """Why a guess is better than a less risky one: ``chance`` and ``reason`` as of a `BestGuess`, ``more`` and ``less``
    the progress after each."""
    if reason:
        return reason
    if more is not None and less is not None and more > less and chance is None:
        return f"after {cell} a certain move, or the win, follows more often"
    seen = "" if chance is not None else ", as far as the search looks ahead"
    return f"games after {cell} are won more often{seen}"


def best_guess(analysis: Analysis, clock: Clock) -> BestGuess | None:
    """The cell that ``best`` opens in an analysed position; None if a cell is certainly safe, if nothing is left to
    open, or if time ran out before any risk was known.

    >>> from mineproof import Limit, Position, analyse
    >>> analysis = analyse(Position.from_text("3x1x1\\nHHH"))
    >>> print(best_guess(analysis, Limit().start()))
    The best guess is A1, with a 33.3 % risk of a mine.
    """
    if counting.MARK_SAFE in analysis.marks or analysis.finished or analysis.least_risk is None:
        return None
    # To choose takes as much time and memory as the analysis did, and the analysis keeps its own.
    has_time = clock.left >= clock.limit.seconds / 4
    has_memory = 2 * bytes_of_board(len(analysis.position.grid)) <= clock.limit.memory
    if not (analysis.exact and has_time and has_memory):
        return _least_risky(analysis)
    try:
        decision = survey(analysis.position, best_player(), clock.rest(0.5)).guess()
    except OutOfTime:
        return _least_risky(analysis)
    candidates = [
        Candidate(option.cell, option.risk, progress(analysis, option.cell, clock)) for option in decision.alternatives
    ]
    if not candidates:
        return _least_risky(analysis)
    cell, risk = analysis.least_risk
    least = next((candidate._replace(risk=risk) for candidate in candidates if candidate.cell == cell), None)
    if least is None and candidates[0].risk <= risk + EQUAL:  # one of several least risky cells was chosen
        least = Candidate(cell, risk)
    elif least is None:
        least = Candidate(cell, risk, progress(analysis, cell, clock))
        candidates.append(least)
    return BestGuess(tuple(candidates), least, decision.chance, decision.why)


def _least_risky(analysis: Analysis) -> BestGuess:
    """The least risky cells as candidates, without looking ahead."""
    assert analysis.least_risk is not None, "no risk is known"
    first = analysis.position.grid.index(analysis.least_risk.cell)
    order = np.argsort(analysis.probabilities.ravel(), kind="stable")[:SHOWN].tolist()  # NaN comes last
    order = [first, *(index for index in order if index != first)][:SHOWN]  # rounding may put its equals before it
    risks = ((index, float(analysis.probabilities.flat[index])) for index in order)
    errors = None if analysis.errors is None else analysis.errors.ravel()
    candidates = tuple(
        Candidate(analysis.position.grid.cell(index), risk, error=None if errors is None else float(errors[index]))
        for index, risk in risks
        if not isnan(risk)
    )
    return BestGuess(candidates, candidates[0], searched=False)


def progress(analysis: Analysis, cell: Cell, clock: Clock) -> float | None:
    """The probability that, if the cell is safe, a certain move or nothing remains after opening it; None if boards
    cannot be counted exactly in time."""
    if not analysis.exact:
        return None
    try:
        outlooks = analysis.outlooks(cell, clock.rest()).values()
    except OutOfTime:
        return None
    return sum(outlook.share for outlook in outlooks if outlook.leads_on)
