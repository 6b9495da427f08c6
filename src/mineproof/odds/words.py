"""An analysis in words: the lines below its board."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mineproof._native.counting import MARK_MINED, MARK_SAFE, MARK_UNSURE
from mineproof.logic.conflict import inconsistent
from mineproof.odds.in_json import marked, solutions
from mineproof.percent import a_percent

if TYPE_CHECKING:
    from mineproof.limit import Clock
    from mineproof.odds.analysis import Analysis


def in_words(found: Analysis, clock: Clock, guess: str = "") -> str:
    """How many boards there are, what is certain, and the ``guess`` that is advised or, without one, the least risky
    cell; or why no board is consistent."""
    if found.consistent is False:
        return f"inconsistent: {inconsistent(found.position, clock)}"
    safe, mined = (int(marked(found, mark).sum()) for mark in (MARK_SAFE, MARK_MINED))
    lines = []
    if found.exact:
        lines.append(f"solutions: {solutions(found, clock, 15) or f'about 10^{found.log_solutions / np.log(10):.1f}'}")
    else:
        lines.append(f"{found.ended} before all boards were counted; cells shown as certain are certain")
        if found.consistent is None:
            lines.append("no consistent board was found: there may be none")
        unsure = marked(found, MARK_UNSURE)
        unrated = int((unsure & np.isnan(found.probabilities).ravel()).sum())
        if found.errors is not None and unrated < unsure.sum():
            largest = f"{100 * float(np.nanmax(found.errors.ravel()[unsure])):.2g} percentage points"
            sampled = np.isnan(found.log_solutions)
            lines.append(f"odds are {'estimates with standard errors of' if sampled else 'off by'} up to {largest}")
        if unrated:
            lines.append(f"{unrated} cell{'s have' if unrated > 1 else ' has'} no odds: {found.ended}")
        if not found.complete:
            lines.append("there may be more certain cells")
    if safe or mined:
        lines.append(f"certain: {safe} safe, {mined} mine{'s' * (mined != 1)}")
    least = found.least_risk
    if not safe and least is not None and not found.finished:
        nothing = "" if mined else "no cell is certain; "
        risk = a_percent(least.risk, None if found.errors is None else float(found.errors[least.cell]))
        lines.append(nothing + (guess or f"the least risky cell is {least.cell}, with {risk} risk of a mine"))
    return "\n".join(lines)
