"""The strongest player: every certain move, exact endgames, and guesses that look ahead."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from mineproof.agents.agent import STUCK, Decision
from mineproof.agents.policies import best, lowest_risk
from mineproof.board.move import Move
from mineproof.errors import InconsistentPosition
from mineproof.limit import DEFAULT, Limit
from mineproof.logic import sat
from mineproof.odds.analysis import analyse

if TYPE_CHECKING:
    from mineproof.board.position import Position


class Counting:
    """Certain moves by counting all boards; guesses by the policy ``best`` or ``lowest-risk``, or none.

    >>> from mineproof import Position
    >>> decision = Counting("best").choose(Position.from_text("3x1x1\\nHHH"))
    >>> str(decision.moves[0]), round(decision.risk, 3)
    ('open A1', 0.333)
    """

    def __init__(self, policy: str = "best") -> None:
        self.policy = {"best": best, "lowest-risk": lowest_risk, "stop": None}[policy]

    def reset(self, seed: int = 0) -> None:
        """There is nothing to forget, and nothing random."""

    def choose(self, position: Position, limit: Limit = DEFAULT) -> Decision:
        """All certain cells, or a guess."""
        found = analyse(position, limit)
        if found.consistent is False:
            raise InconsistentPosition(str(found.conflict))
        safe = sorted(found.safe)
        if safe:
            moves = tuple(Move("open", cell) for cell in safe if position[cell] != "F")
            reasons = tuple(deduction for deduction in sat.infer(position, limit) if not deduction.mine)
            return Decision(moves, certain=True, risk=0.0, reasons=reasons)
        unknown = [cell for cell in position.where("HQ") if cell not in found.mined]
        if self.policy is None or not unknown:
            return STUCK
        return self.policy(position, unknown, random.Random(0), limit)
