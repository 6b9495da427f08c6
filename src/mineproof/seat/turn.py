"""An agent's turn: what it decides from a seat, which of its moves can be made, and why.

Whoever lets an agent play takes its turns from here: the arena, the terminal, the web.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from mineproof.agents.agent import Decision, close, opening, reset
from mineproof.errors import AgentFault, shorten
from mineproof.seat.reasons import MoveReasons, Reason

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mineproof.agents.agent import Agent, Chooser
    from mineproof.agents.registry import AgentSpec
    from mineproof.board.grid import Cell
    from mineproof.board.move import Move
    from mineproof.limit import Limit
    from mineproof.seat.seat import Seat


@dataclass(frozen=True)
class Turn:
    """A decision, and those of its moves that are not made yet."""

    seat: Seat
    """From which it was decided."""
    decision: Decision
    left: tuple[Move, ...]

    def stop(self, *, guess: bool) -> str | None:
        """Why the agent does not move: it is ``stuck``, or may not ``guess``; None if it does."""
        if self.decision.stuck:
            return "stuck"
        return None if guess or self.decision.certain else "guess"

    def next(self, *, one: bool) -> tuple[Move, ...]:
        """The moves to make now: all that are left, or only ``one``, with the removal of a wrong flag before it."""
        many = 2 if self.left and self.left[0].kind == "unflag" else 1
        return self.left[:many] if one else self.left

    def after(self, moves: tuple[Move, ...], shown: Iterable[Cell] = ()) -> Turn:
        """The rest of the turn, when these moves were made and opened the ``shown`` cells."""
        opened = set(shown)
        return replace(self, left=tuple(move for move in self.left[len(moves) :] if move.cell not in opened))

    def reasons(self, moves: Iterable[Move], limit: Limit) -> list[Reason]:
        """Why each of these moves is made."""
        return list(MoveReasons(self.seat, self.decision, limit).told(moves))

    def fields(self) -> dict[str, Any]:
        """The decision, as JSON."""
        decision = self.decision
        return {
            "certain": decision.certain,
            "risk": decision.risk,
            "chance": decision.chance,
            "alternatives": [{"cell": list(option.cell), "risk": option.risk} for option in decision.alternatives],
        }


def take_turn(seat: Seat, agent: Chooser, limit: Limit) -> Turn:
    """What an agent decides now. A first click that is known to be safe is made for it, where it would begin itself if
    it has a choice."""
    seat.check_playing()
    cell = seat.first
    if cell is None:
        decision = agent.choose(seat.position, limit)
        if not isinstance(decision, Decision):
            raise AgentFault(f"an agent's choose must return a Decision, not {shorten(decision)}")
    else:
        own: Cell | None = getattr(agent, "first_cell", lambda _: None)(seat.position) if seat.free_start else None
        decision = Decision(opening(seat.position, own or cell), certain=True, risk=0.0)
    return Turn(seat, decision, decision.moves)


def first_turn(seat: Seat, spec: AgentSpec, seed: int, limit: Limit) -> Turn:
    """What an agent decides that sees the game for the first time."""
    agent: Agent = spec.make()
    try:
        reset(agent, seed)
        return take_turn(seat, agent, limit)
    finally:
        close(agent)


def is_done(move: Move, before: str, now: str) -> bool:
    """Whether another move of the turn has opened the cell of this move already; ``before`` is what the cell showed
    when the turn was decided, ``now`` what it shows."""
    return now.isdigit() and (move.kind == "open" or not before.isdigit())
