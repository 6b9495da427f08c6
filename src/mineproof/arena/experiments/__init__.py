"""The experiments of the reports, done again, and two of our own. Each is a module; this is the list of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mineproof.arena.experiments import chaining, csp, density, ladder, matching, sat, smile
from mineproof.errors import UnknownName

if TYPE_CHECKING:
    from mineproof.arena.experiments.experiment import Experiment

EXPERIMENTS: dict[str, Experiment] = {
    experiment.name: experiment
    for experiment in (
        ladder.LADDER,
        density.WALL,
        smile.DENSITY,
        matching.LEVELS,
        matching.SAFE_CELLS,
        csp.GUESSES,
        csp.TIME,
        chaining.LIMIT,
        sat.ENCODING,
    )
}


def find_experiment(name: str) -> Experiment:
    """The experiment of a name.

    >>> find_experiment("laddder")
    Traceback (most recent call last):
    mineproof.errors.UnknownName: there is no experiment 'laddder'; did you mean 'ladder'?
    """
    if name not in EXPERIMENTS:
        raise UnknownName("experiment", name, EXPERIMENTS)
    return EXPERIMENTS[name]
