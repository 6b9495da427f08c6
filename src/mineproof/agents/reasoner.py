"""An agent made of a method of inference and a guess policy."""

from __future__ import annotations

import random
from functools import partial
from typing import TYPE_CHECKING, Any

from mineproof.agents.agent import STUCK, Agent, Decision, certain_moves
from mineproof.agents.policies import find_policy
from mineproof.board.position import UNKNOWN
from mineproof.limit import DEFAULT, Clock, Limit
from mineproof.logic.methods import find_method

if TYPE_CHECKING:
    from mineproof.board.grid import Cell
    from mineproof.board.position import Position
    from mineproof.logic.deduction import Deduction


class Reasoner(Agent):
    """All certain moves first, by methods that are tried in turn; when none has any, the policy guesses.

    >>> from mineproof import Position
    >>> decision = Reasoner("subset", "stop").choose(Position.from_text("3x2x2\\nHHH\\n121"))
    >>> decision.certain, [str(move) for move in decision.moves]
    (True, ['flag A1', 'open B1', 'flag C1'])
    """

    def __init__(self, methods: str, policy: str = "stop", **options: Any) -> None:
        self.methods = [find_method(name) for name in methods.split(",")]
        self.policy = find_policy(policy)
        self.options = options
        self.reset()

    def reset(self, seed: int = 0) -> None:
        """Before each game."""
        self._rng = random.Random(seed)

    def choose(self, position: Position, limit: Limit = DEFAULT) -> Decision:
        """Certain moves, or a guess, or nothing."""
        clock = Clock(limit)
        mines: set[Cell] = set()
        reasons: list[Deduction] = []
        for method in self.methods:
            found = method.infer(position, clock.rest(), **self.options)
            if found.safe:
                moves = certain_moves(position, found.safe, found.mined)
                return Decision(moves, certain=True, risk=0.0, explain=partial(tuple, found))
            mines |= found.mined
            reasons += found
        unknown = [cell for cell in position.where(UNKNOWN) if cell not in mines]
        decision = self.policy(position, unknown, self._rng, clock.rest()) if unknown else STUCK
        flags = certain_moves(position, set(), mines)
        return (
            Decision(flags, certain=True, risk=0.0, explain=partial(tuple, reasons))
            if decision.stuck and flags
            else decision
        )
