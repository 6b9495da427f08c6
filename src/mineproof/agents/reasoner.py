"""An agent made of inference methods and a guess policy."""

from __future__ import annotations

import random
from copy import copy
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from mineproof.agents.agent import STUCK, Agent, Decision, moves_in_time
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
        self._begin()

    def _begin(self) -> None:
        self.minds = [method.follower() if self.remembers else method for method in self.methods]

    def __getstate__(self) -> dict[str, Any]:
        """Without what was kept of the game: a copy keeps its own, from its first position on."""
        return {**vars(self), "minds": [], "_rng": copy(self._rng)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._begin()

    def close(self) -> None:
        """Forget what was kept."""
        for mind in self.minds:
            getattr(mind, "close", lambda: None)()

    def first_cell(self, position: Position) -> Cell | None:
        """Where it begins if the rules make the first cell safe; None: anywhere."""
        return position.grid.cell(self._rng.randrange(len(position.grid))) if self.start == "random" else None

    def certain(self, position: Position, limit: Limit = DEFAULT) -> list[Deductions]:
        """What its methods find now, tried in turn until one makes a cell safe."""
        clock = Clock(limit)
        found: list[Deductions] = []
        for mind in self.minds:
            found.append(mind.infer(position, clock.rest()))
            if any(not one.mine for one in found[-1]):
                break
        return found

    def conclude(self, position: Position, limit: Limit = DEFAULT) -> Deductions:
        """All that its methods conclude from a position, if no cell is opened before they are done.

        >>> from mineproof import AGENTS, Position
        >>> AGENTS["csp"].make().conclude(Position.from_text("3x2x2\\nHHH\\n121")).safe
        CellSet.parse('B1')
        """
        clock = Clock(limit)
        found = Deductions()
        known: set[Cell] = set()
        for method in self.methods:
            inferred = method.infer(position, clock.rest())
            found.complete = found.complete or inferred.complete
            found += [one for one in inferred if not known.issuperset(one.cells)]
            known = {cell for one in found for cell in one.cells}
        return found

    def knowledge(self, position: Position, limit: Limit = DEFAULT) -> Json:
        """What it has written down when it has concluded all that it can from a position; see `logic.knowledge`.

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
        """Catch up with a game that others have played so far."""
        clock = Clock(limit)
        for position in positions if self.remembers else ():
            self.certain(position, clock.rest())

    def choose(self, position: Position, limit: Limit = DEFAULT) -> Decision:
        """Certain moves, a guess, or nothing. With a guess, proved mines are flagged too."""
        check_position(position)
        clock = Clock(limit)
        found = self.certain(position, clock.rest(0.8))  # a million moves take their time, too
        if found and any(not one.mine for one in found[-1]):
            certain = sorted({(cell, one.mine) for one in found[-1] for cell in one.cells})
            moves = moves_in_time(position, certain, clock)
            return Decision(moves, certain=True, risk=0.0, explain=partial(tuple, found[-1]))
        reasons = list(chain.from_iterable(found))
        mines = sorted({cell for one in reasons for cell in one.cells if one.mine})
        proved = set(map(position.grid.index, mines))
        closed = position.where(UNKNOWN).indices
        unknown = Cells(position.grid, [index for index in closed if index not in proved])
        decision = self.policy(position, unknown, self._rng, clock.rest()) if unknown else STUCK
        flags = moves_in_time(position, ((mine, True) for mine in mines), clock)
        if decision.stuck and flags:
            return Decision(flags, certain=True, risk=0.0, explain=partial(tuple, reasons))
        return decision.after(flags)
