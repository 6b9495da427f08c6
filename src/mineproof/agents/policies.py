"""What to open when nothing is certain. Each policy goes with any method of inference."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mineproof._native.playing import Player
from mineproof.agents.agent import STUCK, Alternative, Decision, opening
from mineproof.agents.first_click import first_click
from mineproof.errors import UnknownName
from mineproof.odds.analysis import analyse

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterable

    from mineproof.board.grid import Cell
    from mineproof.board.position import Position
    from mineproof.limit import Limit
    from mineproof.odds.analysis import Analysis

SHOWN = 5
"""Alternatives that a decision names."""


def guess(position: Position, cells: Iterable[Alternative], *, known: bool = True) -> Decision:
    """Open the first of these cells; ``known`` says whether its risk is exact, and not an estimate."""
    considered = tuple(cells)[:SHOWN]
    chosen = considered[0]
    risk = chosen.risk if known else None
    return Decision(opening(position, chosen.cell), certain=False, risk=risk, alternatives=considered)


def stop(_position: Position, _unknown: list[Cell], _rng: random.Random, _limit: Limit) -> Decision:
    """Never guess: stop and hand over."""
    return STUCK


def uniform(position: Position, unknown: list[Cell], rng: random.Random, limit: Limit) -> Decision:  # noqa: ARG001
    """Any closed cell that is not a proved mine, each as likely as the other."""
    return Decision(opening(position, unknown[rng.randrange(len(unknown))]), certain=False)


def density(position: Position, unknown: list[Cell], rng: random.Random, limit: Limit) -> Decision:  # noqa: ARG001
    """The cell whose opened neighbours have the smallest numbers; where nothing is open, the average over the board.

    A neighbour with number n that misses m mines among k closed cells makes the cell a mine with about m / k; the mean
    over all neighbours is compared.
    """
    average = (position.mines - position.known_mines) / max(1, len(position.where("HFQ")))
    rated = []
    for cell in unknown:
        shares = []
        for clue in position.grid.neighbours(cell):
            number = position.clue(clue)
            if number is not None:
                around = [position[near] for near in position.grid.neighbours(clue)]
                shares.append((number - sum(s in "*?" for s in around)) / sum(s in "HFQ" for s in around))
        estimate = sum(shares) / len(shares) if shares else average
        rated.append((estimate, rng.random(), cell))
    cells = (Alternative(cell, estimate, 1 - estimate) for estimate, _, cell in sorted(rated))
    return guess(position, cells, known=False)


def lowest_risk(position: Position, unknown: list[Cell], rng: random.Random, limit: Limit) -> Decision:  # noqa: ARG001
    """The cell that is a mine on the fewest boards, the first of equals."""
    return by_risk(position, unknown, analyse(position, limit, strict=True))


def by_risk(position: Position, unknown: list[Cell], analysis: Analysis) -> Decision:
    """The same, from an analysis that is there."""
    rated = [(float(analysis.probabilities[cell]), cell) for cell in unknown]
    rated.sort(key=lambda one: (round(one[0], 9), one[1]))  # risks that differ by rounding only are equal
    return guess(position, (Alternative(cell, risk, 1 - risk) for risk, cell in rated), known=analysis.exact)


def best(position: Position, unknown: list[Cell], rng: random.Random, limit: Limit) -> Decision:
    """The cell that leaves the best game: exact where few boards are left, one step ahead where not."""
    grid = position.grid
    clock = limit.start()
    at = first_click(position)
    if at is not None and at in unknown:
        return lowest_risk(position, [at], rng, limit)
    analysis = analyse(position, clock.rest(0.5), strict=True)
    least = by_risk(position, unknown, analysis)
    if not analysis.exact or least.alternatives[0].cell in analysis.safe:  # the inference has missed it
        return least
    found = Player().choose(grid.rows, grid.cols, position.cells, position.mines, clock.rest().start())
    if found is None:  # too much to count exactly
        return least
    (cell, risk, score, exact), considered = found
    chosen = Alternative(grid.cell(cell), risk, score)
    if exact:
        return Decision(opening(position, chosen.cell), False, risk, alternatives=(chosen,), chance=score)
    others = (
        Alternative(grid.cell(c), r, s) for c, r, s, _ in sorted(considered, key=lambda one: -one[2]) if c != cell
    )
    return guess(position, [chosen, *others])


POLICIES: dict[str, Callable[[Position, list[Cell], random.Random, Limit], Decision]] = {
    "stop": stop,
    "random": uniform,
    "density": density,
    "lowest-risk": lowest_risk,
    "best": best,
}


def find_policy(name: str) -> Callable[[Position, list[Cell], random.Random, Limit], Decision]:
    """The policy of a name."""
    if name not in POLICIES:
        raise UnknownName("guess policy", name, POLICIES)
    return POLICIES[name]
