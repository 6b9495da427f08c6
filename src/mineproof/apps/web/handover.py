"""An agent takes over a game: for one move, all certain moves, or the whole game; it stops before it would guess.

Agents see only positions. Outside programs cannot be used on the web.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mineproof.agents.registry import COMMAND, find_agent, registered
from mineproof.apps.web import answers
from mineproof.apps.web.games import Planned
from mineproof.board.grid import Cell
from mineproof.errors import UnknownName
from mineproof.seat.turn import Turn, take_turn

if TYPE_CHECKING:
    from mineproof.agents.registry import AgentSpec
    from mineproof.apps.web.games import Answer, TakenSeat
    from mineproof.apps.web.services import Services
    from mineproof.limit import Limit


def find_player(name: str) -> AgentSpec:
    """Return the agent with this name; programs are refused."""
    if name.startswith(COMMAND):
        raise UnknownName("agent", name, registered())
    return find_agent(name)


class OpenTurn(NamedTuple):
    """An agent's turn whose moves are not all made, valid until another move is made."""

    turn: Turn
    seq: int


def turn(
    services: Services,
    game_id: str,
    name: str,
    *,
    single: bool,
    guess: bool,
    limit: Limit,
    open_turn: OpenTurn | None = None,
) -> tuple[Answer, OpenTurn | None]:
    """Play a decision of an agent, or a ``single`` move of it, and say why. It guesses only with ``guess``. An
    ``open_turn`` is continued if no other move was made."""
    games = services.games
    taken = games.helped(game_id, "agent")
    if open_turn is None or open_turn.seq != taken.seq or not open_turn.turn.left:
        clock = limit.start()
        with services.followers.agent(find_player(name), taken, clock) as agent:
            open_turn = OpenTurn(take_turn(taken.seat, agent, clock.rest()), taken.seq)
    decided = open_turn.turn
    decision: Answer = {"agent": name, **decided.fields()}
    stop = decided.stop(guess=guess)
    if stop is not None:
        return {**games.still(game_id), **decision, "why": [], "stop": stop}, None
    moves = decided.next(one=single)
    answer = games.move(game_id, [Planned(move, by=name) for move in moves], since=open_turn.seq)
    played = [move for move in moves if str(move) in set(answer["moves"])]
    decision["why"] = [reason.fields() for reason in decided.reasons(played, limit)]
    opened = [Cell(row, col) for row, col, symbol in answer["changed"] if symbol.isdigit()]
    over = answer["state"] != "playing"
    return {**answer, **decision, "stop": "over" if over else None}, OpenTurn(
        decided.after(moves, opened), answer["seq"]
    )


def knowledge(services: Services, taken: TakenSeat, name: str, limit: Limit) -> Answer:
    """Return what an agent of the five systems has written down in a game, and what it concludes now."""
    clock = limit.start()
    spec, position = answers.agent_of(name), taken.seat.position
    if b"?" in position.cells:  # the game is lost, and the mines are shown: the agent saw the position before
        (position,) = services.games.positions(taken.id, taken.seq - 1, taken.seq)
    with services.followers.agent(spec, taken, clock) as agent:
        return answers.of_system(position, name, clock.rest(), agent)
