"""What to open when nothing is certain. Each policy can be combined with any inference method."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mineproof._native.playing import Player
from mineproof.agents.agent import STUCK, Alternative, Decision, opening
from mineproof.agents.chooser import best_player, guess, look
from mineproof.agents.first_click import first_click
from mineproof.board.position import MINES, UNKNOWN
from mineproof.errors import UnknownName

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Set

    from mineproof.board.grid import Cell
    from mineproof.board.position import Position
    from mineproof.limit import Limit


def stop(_position: Position, _unknown: list[Cell], _rng: random.Random, _limit: Limit) -> Decision:
    """Never guess: stop."""
    return STUCK


def uniform(position: Position, unknown: list[Cell], rng: random.Random, limit: Limit) -> Decision:  # noqa: ARG001
    """A random closed cell that is not a proved mine, all equally likely."""
    return Decision(opening(position, unknown[rng.randrange(len(unknown))]), certain=False)


def density(position: Position, unknown: list[Cell], rng: random.Random, limit: Limit) -> Decision:  # noqa: ARG001
    """The cell with the least density around it: the more of its neighbours are open, and the higher their numbers, the
    likelier it is a mine. Planned by Sharma, Kallingal Joshy and Agrawal.

    An open neighbour that still needs m mines among k possible cells adds m / k. Proved mines are left out of both
    numbers.
    """
    rated = sorted((around(position, set(unknown), cell), rng.random(), cell) for cell in unknown)
    return guess(position, (Alternative(cell, min(1.0, rate), -rate) for rate, _, cell in rated), known=False)


def around(position: Position, unknown: Set[Cell], cell: Cell) -> float:
    """The density around a cell; ``unknown`` are all cells that are not certain.

    >>> from mineproof import Position
    >>> board = Position.from_text("4x2x2\\nHHHH\\n1HHH")
    >>> [around(board, set(board.where("H")), board.grid.at(name)) for name in ("A1", "D1")]
    [0.3333333333333333, 0.0]
    """
    total = 0.0
    for clue in position.grid.neighbours(cell):
        number = position.clue(clue)
        if number is not None:
            near = position.grid.neighbours(clue)
            mines = sum(position[one] in MINES or (position[one] in UNKNOWN and one not in unknown) for one in near)
            total += (number - mines) / sum(one in unknown for one in near)
    return total


def lowest_risk(position: Position, unknown: list[Cell], rng: random.Random, limit: Limit) -> Decision:  # noqa: ARG001
    """The cell that is a mine on the fewest boards; ties go to the first."""
    return look(position, Player(False), limit).least(unknown)


def best(position: Position, unknown: list[Cell], rng: random.Random, limit: Limit) -> Decision:  # noqa: ARG001
    """The cell with the best chance of winning: exact if few boards are left, otherwise by playouts, and before
    that by looking one step ahead."""
    start = first_click(position)
    seen = look(position, best_player(), limit)
    return seen.least([start]) if start is not None and start in unknown else seen.guess()


POLICIES: dict[str, Callable[[Position, list[Cell], random.Random, Limit], Decision]] = {
    "stop": stop,
    "random": uniform,
    "density": density,
    "lowest-risk": lowest_risk,
    "best": best,
}


def find_policy(name: str) -> Callable[[Position, list[Cell], random.Random, Limit], Decision]:
    """The policy with this name."""
    if name not in POLICIES:
        raise UnknownName("guess policy", name, POLICIES)
    return POLICIES[name]
