"""The list of all experiments: those of the reports, repeated, and two new ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mineproof.arena.experiments import chaining, csp, density, ladder, matching, sat, scenarios, smile
from mineproof.errors import UnknownName

if TYPE_CHECKING:
    from mineproof.arena.experiments.experiment import Experiment

EXPERIMENTS: dict[str, Experiment] = {
    experiment.name: experiment
    for experiment in (
        ladder.LADDER,
        density.WALL,
        chaining.LIMIT,
        chaining.AFTER,
        sat.ENCODING,
        smile.DENSITY,
        smile.WAITING,
        scenarios.SCENARIOS,
        matching.LEVELS,
        matching.SAFE_CELLS,
        matching.STORE,
        csp.GUESSES,
        csp.TIME,
    )
}


def find_experiment(name: str) -> Experiment:
    """Return the experiment with this name.

    >>> find_experiment("laddder")
    Traceback (most recent call last):
    mineproof.errors.UnknownName: there is no experiment 'laddder'; did you mean 'ladder'?
    """
    if name not in EXPERIMENTS:
        raise UnknownName("experiment", name, EXPERIMENTS)
    return EXPERIMENTS[name]
