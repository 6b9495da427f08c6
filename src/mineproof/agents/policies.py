"""What to open when nothing is certain. Each policy can be combined with any inference method."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from mineproof._native.playing import Player
from mineproof.agents.agent import STUCK, Alternative, Decision, moves_to_open
from mineproof.agents.chooser import SHOWN, best_player, guess, survey
from mineproof.board.position import MINES, NUMBERS, UNKNOWN
from mineproof.errors import UnknownName

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from numpy.typing import NDArray

    from mineproof.board.grid import Cells
    from mineproof.board.position import Position
    from mineproof.limit import Limit


def stop(_position: Position, _unknown: Cells, _rng: random.Random, _limit: Limit) -> Decision:
    """Never guess: stop."""
    return STUCK


def uniform(position: Position, unknown: Cells, rng: random.Random, limit: Limit) -> Decision:  # noqa: ARG001
    """Open a random closed cell that is not a proved mine, all equally likely."""
    return Decision(moves_to_open(position, unknown[rng.randrange(len(unknown))]), certain=False)


def density(position: Position, unknown: Cells, rng: random.Random, limit: Limit) -> Decision:  # noqa: ARG001
    """Open the cell with the least density around it: a cell is rated as likelier to be a mine, the more of its
    neighbours are open and the higher their numbers. Sharma, Kallingal Joshy and Agrawal planned this rule.

    An open neighbour that still needs m mines among k possible cells adds m / k. Proved mines are left out of both
    numbers.
    """
    rates = densities(position, unknown).ravel()[unknown.indices]
    ties = np.array([rng.random() for _ in range(len(unknown))])
    order = np.lexsort((ties, rates))[:SHOWN].tolist()
    rated = ((unknown[i], float(rates[i])) for i in order)
    return guess(position, [Alternative(cell, min(1.0, rate), -rate) for cell, rate in rated], known=False)


def densities(position: Position, unknown: Cells) -> NDArray[np.float64]:
    """Return the density around each cell; ``unknown`` are all cells that are not certain.

    >>> from mineproof import Position
    >>> board = Position.from_text("4x2x2\\nHHHH\\n1HHH")
    >>> densities(board, board.where("H"))[0].tolist()
    [0.3333333333333333, 0.3333333333333333, 0.0, 0.0]
    """
    symbols = position.array()
    closed = np.zeros(symbols.shape)
    closed.flat[unknown.indices] = 1
    clues, hidden, shown = (np.isin(symbols, list(kind.encode())) for kind in (NUMBERS, UNKNOWN, MINES))
    room = _around(closed)
    need = symbols - ord("0") - _around(shown | (hidden & (closed == 0)))
    return _around(np.divide(need, room, out=np.zeros(symbols.shape), where=clues & (room > 0)))


def _around(numbers: NDArray[Any]) -> NDArray[np.float64]:
    """Return for each cell the sum over its neighbours, always added in the same order."""
    rows, cols = numbers.shape
    wide = np.pad(numbers.astype(np.float64), 1)
    shifts = [(r, c) for r in range(3) for c in range(3) if (r, c) != (1, 1)]
    return sum((wide[r : r + rows, c : c + cols] for r, c in shifts), np.zeros(numbers.shape))


def lowest_risk(position: Position, unknown: Cells, rng: random.Random, limit: Limit) -> Decision:  # noqa: ARG001
    """Open the cell that is a mine on the fewest boards; ties go to the first."""
    return survey(position, Player(False), limit).least(unknown)


def best(position: Position, unknown: Cells, rng: random.Random, limit: Limit) -> Decision:  # noqa: ARG001
    """Open the cell with the best chance of winning: one step ahead at first, by playouts when fewer boards are left,
    and exactly when there are few."""
    return survey(position, best_player(), limit).guess()


POLICIES: dict[str, Callable[[Position, Cells, random.Random, Limit], Decision]] = {
    "stop": stop,
    "random": uniform,
    "density": density,
    "lowest-risk": lowest_risk,
    "best": best,
}


def find_policy(name: str) -> Callable[[Position, Cells, random.Random, Limit], Decision]:
    """Return the policy with this name."""
    if name not in POLICIES:
        raise UnknownName("guess policy", name, POLICIES)
    return POLICIES[name]
