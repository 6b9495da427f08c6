"""An agent takes over a game: for one move, all certain moves, or the whole game; it stops before it would guess.

Agents see only positions. Outside programs cannot be used on the web.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mineproof.agents.registry import COMMAND, find_agent, registered
from mineproof.apps.helping import move_of, reasons
from mineproof.apps.web import answers
from mineproof.apps.web.games import Planned
from mineproof.errors import IllegalMove, UnknownName

if TYPE_CHECKING:
    from mineproof.agents.agent import Decision
    from mineproof.agents.registry import AgentSpec
    from mineproof.apps.helping import Reason
    from mineproof.apps.web.games import Answer, Standing
    from mineproof.apps.web.services import Services
    from mineproof.board.move import Move
    from mineproof.board.position import Position
    from mineproof.limit import Limit


def find_player(name: str) -> AgentSpec:
    """The agent with this name; programs are refused."""
    if name.startswith(COMMAND):
        raise UnknownName("agent", name, registered())
    return find_agent(name)


@dataclass(frozen=True, slots=True)
class Rest:
    """The rest of a decision, valid until another move is made."""

    decision: Decision
    position: Position
    """That it was made for."""
    moves: tuple[Move, ...]
    seq: int


def turn(
    use: Services, game_id: str, name: str, *, one: bool, guess: bool, limit: Limit, rest: Rest | None = None
) -> tuple[Answer, Rest | None]:
    """Play a decision of an agent, or ``one`` move of it, and say why; a guess only with ``guess``."""
    games = use.games
    standing = games.helped(game_id, "agent")
    if standing.over:
        raise IllegalMove("the game is over")
    if rest is None or rest.seq != standing.seq or not rest.moves:
        clock = limit.start()
        with use.followers.agent(find_player(name), standing, clock) as agent:
            decision = move_of(agent, standing.position, standing.first, clock.rest())
        rest = Rest(decision, standing.position, decision.moves, standing.seq)
    decision = rest.decision
    about: Answer = {
        "agent": name,
        "certain": decision.certain,
        "risk": decision.risk,
        "chance": decision.chance,
        "alternatives": [{"cell": list(other.cell), "risk": other.risk} for other in decision.alternatives],
    }
    stop = "stuck" if decision.stuck else "guess" if not decision.certain and not guess else None
    if stop is not None:
        return {**games.still(game_id), **about, "why": [], "stop": stop}, None
    many = 2 if rest.moves[0].kind == "unflag" else 1  # remove a wrong flag, then open the cell
    moves = rest.moves[:many] if one else rest.moves
    answer = games.move(game_id, [Planned(move, by=name) for move in moves], since=rest.seq)
    played = [move for move in moves if str(move) in set(answer["moves"])]
    about["why"] = [_fields(reason) for reason in reasons(rest.position, decision, played, limit)]
    left = tuple(move for move in rest.moves[len(moves) :] if not _is_open(move, answer["changed"]))
    over = answer["state"] != "playing"
    return {**answer, **about, "stop": "over" if over else None}, Rest(decision, rest.position, left, answer["seq"])


def knowledge(use: Services, standing: Standing, name: str, limit: Limit) -> Answer:
    """What an agent of the five systems has written down in a game, and what it concludes now."""
    clock = limit.start()
    spec, position = answers.agent_of(name), standing.position
    if b"?" in position.cells:  # the game is lost, and the mines are shown: the agent saw the position before
        (position,) = use.games.positions(standing.id, standing.seq - 1, standing.seq)
    with use.followers.agent(spec, standing, clock) as agent:
        return answers.of_system(position, name, clock.rest(), agent)


def _is_open(move: Move, changed: list[list[Any]]) -> bool:
    return any(move.cell == (row, col) and symbol.isdigit() for row, col, symbol in changed)


def _fields(reason: Reason) -> Answer:
    return {
        "cells": [list(reason.cell)],
        "verdict": reason.verdict,
        "text": reason.text,
        "clues": [list(clue) for clue in reason.clues],
        "level": reason.level,
    }
