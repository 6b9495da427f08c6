"""An agent made of inference methods and a guess policy."""

from __future__ import annotations

import random
from functools import partial
from typing import TYPE_CHECKING, Any

from mineproof.agents.agent import STUCK, Agent, Decision, certain_moves
from mineproof.agents.policies import find_policy
from mineproof.board.position import UNKNOWN, check_position
from mineproof.limit import DEFAULT, Clock, Limit
from mineproof.logic.methods import Method, find_method

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mineproof.board.grid import Cell
    from mineproof.board.position import Position
    from mineproof.logic.deduction import Deduction
    from mineproof.logic.methods import Infers


class Reasoner(Agent):
    """Makes all certain moves first, by methods tried in turn; if none finds any, the policy guesses.

    >>> from mineproof import Position
    >>> decision = Reasoner("subset", "stop").choose(Position.from_text("3x2x2\\nHHH\\n121"))
    >>> decision.certain, [str(move) for move in decision.moves]
    (True, ['flag A1', 'open B1', 'flag C1'])
    """

    def __init__(
        self,
        methods: str | Sequence[Method],
        policy: str = "stop",
        *,
        start: str = "corner",
        remembers: bool = False,
        **options: Any,
    ) -> None:
        """``methods`` are names separated by commas, or methods; the options apply to all of them. ``start`` is where
        it begins if the first click is safe: in the ``corner``, or at ``random``. With ``remembers``, methods that can
        keep their knowledge during a game do so."""
        listed = [find_method(name) for name in methods.split(",")] if isinstance(methods, str) else methods
        self.methods = [method.bound(**options) for method in listed]
        self.policy = find_policy(policy)
        self.start = start
        self.remembers = remembers
        self.minds: list[Infers] = []
        """The inference engines of this game."""
        self.reset()

    def reset(self, seed: int = 0) -> None:
        """Prepare a new game."""
        self.close()
        self._rng = random.Random(seed)
        self.minds = [method.follower() if self.remembers else method for method in self.methods]

    def close(self) -> None:
        """Forget what was kept."""
        for mind in self.minds:
            getattr(mind, "close", lambda: None)()

    def first_cell(self, position: Position) -> Cell | None:
        """Where it begins if the rules make the first cell safe; None: anywhere."""
        return position.grid.cell(self._rng.randrange(len(position.grid))) if self.start == "random" else None

    def choose(self, position: Position, limit: Limit = DEFAULT) -> Decision:
        """Certain moves, a guess, or nothing. With a guess, proved mines are flagged too."""
        check_position(position)
        clock = Clock(limit)
        mines: set[Cell] = set()
        reasons: list[Deduction] = []
        for mind in self.minds:
            found = mind.infer(position, clock.rest())
            if found.safe:
                moves = certain_moves(position, found.safe, found.mined)
                return Decision(moves, certain=True, risk=0.0, explain=partial(tuple, found))
            mines |= found.mined
            reasons += found
        unknown = [cell for cell in position.where(UNKNOWN) if cell not in mines]
        decision = self.policy(position, unknown, self._rng, clock.rest()) if unknown else STUCK
        flags = certain_moves(position, set(), mines)
        if decision.stuck and flags:
            return Decision(flags, certain=True, risk=0.0, explain=partial(tuple, reasons))
        return decision.after(flags)
