"""An agent's turn: what it decides from a seat, which of its moves are still to be made, and why.

The arena, the terminal and the web take the turns of agents here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from mineproof.agents.agent import Decision, close, moves_to_open, reset
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
    """A decision, and its moves that are still to be made."""

    seat: Seat
    """The seat from which the agent decided."""
    decision: Decision
    left: tuple[Move, ...]
    """The moves that are still to be made."""

    def stop(self, *, guess: bool) -> str | None:
        """Return why the agent does not move: ``stuck``, or ``guess`` if it may not guess; None if it moves."""
        if self.decision.stuck:
            return "stuck"
        return None if guess or self.decision.certain else "guess"

    def next(self, *, one: bool) -> tuple[Move, ...]:
        """Return the moves to make now: all that are left, or only ``one``, with the removal of a flag before it."""
        count = 2 if self.left and self.left[0].kind == "unflag" else 1
        return self.left[:count] if one else self.left

    def after(self, moves: tuple[Move, ...], shown: Iterable[Cell] = ()) -> Turn:
        """Return the rest of the turn after these moves, which opened the cells ``shown``."""
        opened = set(shown)
        return replace(self, left=tuple(move for move in self.left[len(moves) :] if move.cell not in opened))

    def reasons(self, moves: Iterable[Move], limit: Limit) -> list[Reason]:
        """Return the reason of each of these moves."""
        return list(MoveReasons(self.seat, self.decision, limit).in_full(moves))

    def fields(self) -> dict[str, Any]:
        """The fields of the decision for JSON."""
        decision = self.decision
        return {
            "certain": decision.certain,
            "risk": decision.risk,
            "chance": decision.chance,
            "alternatives": [{"cell": list(option.cell), "risk": option.risk} for option in decision.alternatives],
        }


def take_turn(seat: Seat, agent: Chooser, limit: Limit) -> Turn:
    """Let an agent decide. A first click that is known to be safe is decided here: where the agent likes to begin if it
    may begin anywhere."""
    seat.check_playing()
    cell = seat.first
    if cell is None:
        decision = agent.choose(seat.position, limit)
        if not isinstance(decision, Decision):
            raise AgentFault(f"an agent's choose must return a Decision, not {shorten(decision)}")
    else:
        own: Cell | None = getattr(agent, "first_cell", lambda _: None)(seat.position) if seat.free_start else None
        decision = Decision(moves_to_open(seat.position, own or cell), certain=True, risk=0.0)
    return Turn(seat, decision, decision.moves)


def first_turn(seat: Seat, spec: AgentSpec, seed: int, limit: Limit) -> Turn:
    """Let a new agent decide, which sees the game for the first time."""
    agent: Agent = spec.make()
    try:
        reset(agent, seed)
        return take_turn(seat, agent, limit)
    finally:
        close(agent)


def is_done(move: Move, before: str, now: str) -> bool:
    """Whether an earlier move of the turn has already opened the cell of this move; ``before`` is what the cell showed
    when the agent decided, ``now`` what it shows now."""
    return now.isdigit() and (move.kind == "open" or not before.isdigit())
