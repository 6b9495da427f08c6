"""The strong players: every certain move, exact endgames, and guesses that look ahead."""

from __future__ import annotations

import random
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from mineproof._native import counting
from mineproof._native.playing import Player
from mineproof.agents.agent import STUCK, Agent, Decision, proved_moves
from mineproof.agents.chooser import best_player, survey
from mineproof.agents.policies import find_policy
from mineproof.board.position import check_position
from mineproof.errors import InvalidArgument
from mineproof.limit import DEFAULT, Limit
from mineproof.logic import sat

if TYPE_CHECKING:
    from mineproof.agents.chooser import Survey
    from mineproof.board.position import Position
    from mineproof.limit import Clock


class Counting(Agent):
    """Certain moves by counting all boards; guesses by a policy.

    >>> from mineproof import Position
    >>> decision = Counting("best").choose(Position.from_text("3x1x1\\nHHH"))
    >>> str(decision.moves[0]), round(decision.risk, 3)
    ('open A1', 0.333)
    """

    def __init__(self, policy: str = "best", **options: Any) -> None:
        if options and policy != "best":
            raise InvalidArgument(f"the guess policy {policy} has no options")
        self.policy = policy
        self._guess_by = find_policy(policy)
        self.player = best_player(**options) if policy == "best" else Player(False)
        """The compiled player of whole games under the policies ``best``, with its options, and ``lowest-risk``."""

    def reset(self, seed: int = 0) -> None:
        """Nothing to do: it keeps no state and uses no randomness."""

    def choose(self, position: Position, limit: Limit = DEFAULT) -> Decision:
        """Open and flag all certain cells, or guess."""
        check_position(position)
        clock = limit.start()
        seen = survey(position, self.player, clock.rest(0.9))
        decision = STUCK if counting.MARK_SAFE in seen.marks else self._guess(position, seen, clock)
        marks = np.frombuffer(seen.marks, np.uint8)
        indices = np.flatnonzero((marks == counting.MARK_SAFE) | (marks == counting.MARK_MINED))
        certain = ((position.grid.cell(index), seen.marks[index] == counting.MARK_MINED) for index in map(int, indices))
        moves = proved_moves(position, certain, clock)
        if decision.stuck and moves:
            return Decision(moves, certain=True, risk=0.0, explain=partial(sat.infer, position, limit))
        return decision

    def _guess(self, position: Position, seen: Survey, clock: Clock) -> Decision:
        if seen.is_finished:
            return STUCK
        if self.policy == "best":
            return seen.guess()
        unknown = seen.unknown
        if self.policy == "lowest-risk":
            return seen.least(unknown)
        return self._guess_by(position, unknown, random.Random(0), clock.rest())
