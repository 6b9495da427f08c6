"""What to open when nothing is certain. Each policy goes with any method of inference."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mineproof._native.playing import Player
from mineproof.agents.agent import STUCK, Alternative, Decision, opening
from mineproof.agents.chooser import guess, look
from mineproof.agents.first_click import first_click
from mineproof.board.position import MINES, UNKNOWN
from mineproof.errors import UnknownName

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from mineproof.board.grid import Cell
    from mineproof.board.position import Position
    from mineproof.limit import Limit


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
    average = (position.mines - position.known_mines) / max(1, len(position.where(UNKNOWN)))
    rated = []
    for cell in unknown:
        shares = []
        for clue in position.grid.neighbours(cell):
            number = position.clue(clue)
            if number is not None:
                around = [position[near] for near in position.grid.neighbours(clue)]
                shares.append((number - sum(s in MINES for s in around)) / sum(s in UNKNOWN for s in around))
        estimate = sum(shares) / len(shares) if shares else average
        rated.append((estimate, rng.random(), cell))
    cells = (Alternative(cell, estimate, 1 - estimate) for estimate, _, cell in sorted(rated))
    return guess(position, cells, known=False)


def lowest_risk(position: Position, unknown: list[Cell], rng: random.Random, limit: Limit) -> Decision:  # noqa: ARG001
    """The cell that is a mine on the fewest boards, the first of equals."""
    return look(position, Player(False), limit).least(unknown)


def best(position: Position, unknown: list[Cell], rng: random.Random, limit: Limit) -> Decision:  # noqa: ARG001
    """The cell that leaves the best game: exact where few boards are left, one step ahead where not."""
    start = first_click(position)
    seen = look(position, Player(), limit)
    return seen.least([start]) if start is not None and start in unknown else seen.guess()


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
