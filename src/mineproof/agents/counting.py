"""The strongest player: every certain move, exact endgames, and guesses that look ahead."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from mineproof.agents.agent import STUCK, Agent, Decision, certain_moves
from mineproof.agents.policies import find_policy
from mineproof.limit import DEFAULT, Clock, Limit
from mineproof.logic import sat
from mineproof.odds.analysis import analyse

if TYPE_CHECKING:
    from mineproof.board.position import Position


class Counting(Agent):
    """Certain moves by counting all boards; guesses by a policy.

    >>> from mineproof import Position
    >>> decision = Counting("best").choose(Position.from_text("3x1x1\\nHHH"))
    >>> str(decision.moves[0]), round(decision.risk, 3)
    ('open A1', 0.333)
    """

    def __init__(self, policy: str = "best") -> None:
        self.policy = find_policy(policy)

    def reset(self, seed: int = 0) -> None:
        """There is nothing to forget, and nothing random."""

    def choose(self, position: Position, limit: Limit = DEFAULT) -> Decision:
        """All certain cells, or a guess."""
        clock = Clock(limit)
        found = analyse(position, limit, strict=True)
        moves = certain_moves(position, found.safe, found.mined)
        decision = STUCK
        if not found.safe:
            unknown = [cell for cell in position.where("HFQ") if cell not in found.mined]
            decision = self.policy(position, unknown, random.Random(0), clock.rest()) if unknown else STUCK
        if decision.stuck and moves:
            return Decision(moves, certain=True, risk=0.0, reasons=tuple(sat.infer(position, clock.rest())))
        return decision
