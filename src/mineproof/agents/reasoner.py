"""An agent made of inference methods and a guess policy."""

from __future__ import annotations

import random
from copy import copy
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from mineproof.agents.agent import STUCK, Agent, Decision, proved_moves
from mineproof.agents.policies import find_policy
from mineproof.board.grid import Cells
from mineproof.board.position import UNKNOWN, check_position
from mineproof.limit import DEFAULT, Clock, Limit
from mineproof.logic.deduction import Deductions
from mineproof.logic.knowledge import written
from mineproof.logic.methods import Method, find_method
from mineproof.logic.reasoning import noted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mineproof.board.grid import Cell
    from mineproof.board.position import Position
    from mineproof.logic.knowledge import Json
    from mineproof.logic.methods import Infers


class Reasoner(Agent):
    """Makes certain moves, by methods tried in turn; where none makes a cell safe, the policy guesses.

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
        the agent begins if the first click is safe: in the ``corner``, or at ``random``. With ``remembers``, methods
        that can keep their knowledge during a game do so."""
        listed = [find_method(name) for name in methods.split(",")] if isinstance(methods, str) else methods
        self.methods = [method.bound(**options) for method in listed]
        self.policy = find_policy(policy)
        self.start = start
        self.remembers = remembers
        self.minds: list[Infers] = []
        """The methods in this game: with ``remembers``, their followers, which keep what they know."""
        self.reset()

    def reset(self, seed: int = 0) -> None:
        """Prepare a new game."""
        self.close()
        self._rng = random.Random(seed)
        self._make_minds()

    def _make_minds(self) -> None:
        self.minds = [method.follower() if self.remembers else method for method in self.methods]

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the knowledge of this game: a copy collects its own, from its first position on."""
        return {**vars(self), "minds": [], "_rng": copy(self._rng)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._make_minds()

    def close(self) -> None:
        """Forget the knowledge of this game."""
        for mind in self.minds:
            getattr(mind, "close", lambda: None)()

    def first_cell(self, position: Position) -> Cell | None:
        """Return where the agent begins if the rules make the first cell safe; None if it has no preference."""
        return position.grid.cell(self._rng.randrange(len(position.grid))) if self.start == "random" else None

    def certain(self, position: Position, limit: Limit = DEFAULT) -> list[Deductions]:
        """Return what each method infers, tried in turn until one makes a cell safe."""
        clock = Clock(limit)
        inferred: list[Deductions] = []
        for mind in self.minds:
            inferred.append(mind.infer(position, clock.rest()))
            if inferred[-1].safe:
                break
        return inferred

    def conclude(self, position: Position, limit: Limit = DEFAULT) -> Deductions:
        """Return all that the methods together infer from a position, while no cell is opened.

        >>> from mineproof import AGENTS, Position
        >>> AGENTS["csp"].make().conclude(Position.from_text("3x2x2\\nHHH\\n121")).safe
        CellSet.parse('B1')
        """
        clock = Clock(limit)
        conclusions = Deductions()
        known: set[Cell] = set()
        for method in self.methods:
            inferred = method.infer(position, clock.rest())
            conclusions.complete = conclusions.complete or inferred.complete
            conclusions += [deduction for deduction in inferred if not known.issuperset(deduction.cells)]
            known = {cell for deduction in conclusions for cell in deduction.cells}
        return conclusions

    def knowledge(self, position: Position, limit: Limit = DEFAULT) -> Json:
        """Return the knowledge base of the methods after `conclude`; see `logic.knowledge`.

        >>> from mineproof import AGENTS, Position
        >>> knowledge = AGENTS["matching"].make().knowledge(Position.from_text("3x2x2\\nHHH\\n121"))
        >>> knowledge["kb0"]
        [(0, 2, True), (0, 0, True), (0, 1, False)]
        """
        clock = Clock(limit)
        with noted() as reasonings:
            self.conclude(position, clock.rest())
        return written(reasonings, clock.rest())

    def follow(self, positions: Iterable[Position], limit: Limit = DEFAULT) -> None:
        """Catch up with a game that another player has played so far."""
        clock = Clock(limit)
        for position in positions if self.remembers else ():
            self.certain(position, clock.rest())

    def choose(self, position: Position, limit: Limit = DEFAULT) -> Decision:
        """Make certain moves, guess, or stop. With a guess, proved mines are flagged too."""
        check_position(position)
        clock = Clock(limit)
        inferred = self.certain(position, clock.rest(0.8))  # on large boards, making the moves takes time too
        if inferred and inferred[-1].safe:
            last = inferred[-1]
            certain = sorted({(cell, deduction.mine) for deduction in last for cell in deduction.cells})
            moves = proved_moves(position, certain, clock)
            return Decision(moves, certain=True, risk=0.0, explain=partial(tuple, last))
        reasons = list(chain.from_iterable(inferred))
        mines = sorted({cell for deduction in reasons for cell in deduction.cells if deduction.mine})
        proved = set(map(position.grid.index, mines))
        closed = position.where(UNKNOWN).indices
        unknown = Cells(position.grid, [index for index in closed if index not in proved])
        decision = self.policy(position, unknown, self._rng, clock.rest()) if unknown else STUCK
        flags = proved_moves(position, ((mine, True) for mine in mines), clock)
        if decision.stuck and flags:
            return Decision(flags, certain=True, risk=0.0, explain=partial(tuple, reasons))
        return decision.after(flags)
