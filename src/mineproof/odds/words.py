"""An analysis in words: the lines below its board."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mineproof._native.counting import MARK_MINED, MARK_SAFE, MARK_UNSURE
from mineproof.logic.conflict import inconsistent
from mineproof.odds.in_json import solutions
from mineproof.percent import a_percent
from mineproof.plural import noun_for

if TYPE_CHECKING:
    from mineproof.limit import Clock
    from mineproof.odds.analysis import Analysis


def in_words(analysis: Analysis, clock: Clock, guess: str = "") -> str:
    """How many boards there are, what is certain, and the ``guess`` that is advised or, without one, the least risky
    cell; or why no board is consistent."""
    if analysis.consistent is False:
        return f"inconsistent: {inconsistent(analysis.position, clock)}"
    safe, mined = (int(analysis.marked(mark).sum()) for mark in (MARK_SAFE, MARK_MINED))
    lines = []
    if analysis.exact:
        number = solutions(analysis, clock, 15) or f"about 10^{analysis.log_solutions / np.log(10):.1f}"
        lines.append(f"solutions: {number}")
    else:
        lines.append(f"{analysis.ended} before all boards were counted; cells shown as certain are certain")
        if analysis.consistent is None:
            lines.append("no consistent board was found: there may be none")
        unsure = analysis.marked(MARK_UNSURE)
        unrated = int((unsure & np.isnan(analysis.probabilities).ravel()).sum())
        if analysis.errors is not None and unrated < unsure.sum():
            largest = f"{100 * float(np.nanmax(analysis.errors.ravel()[unsure])):.2g} percentage points"
            sampled = np.isnan(analysis.log_solutions)
            lines.append(f"odds are {'estimates with standard errors of' if sampled else 'off by'} up to {largest}")
        if unrated:
            lines.append(f"{unrated} {noun_for(unrated, 'cell has', 'cells have')} no odds: {analysis.ended}")
        if not analysis.complete:
            lines.append("there may be more certain cells")
    if safe or mined:
        lines.append(f"certain: {safe} safe, {mined} {noun_for(mined, 'mine')}")
    least = analysis.least_risk
    if not safe and least is not None and not analysis.finished:
        nothing = "" if mined else "no cell is certain; "
        risk = a_percent(least.risk, None if analysis.errors is None else float(analysis.errors[least.cell]))
        lines.append(nothing + (guess or f"the least risky cell is {least.cell}, with {risk} risk of a mine"))
    return "\n".join(lines)
