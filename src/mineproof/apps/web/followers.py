"""The agents of games. An agent that remembers a game is kept from turn to turn.

A kept agent has seen the positions of its game up to some move, and catches up before it is used. So nothing is
lost with it: any process can make it again from the stored moves.
"""

from __future__ import annotations

from collections import OrderedDict
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from mineproof.agents.agent import close, reset
from mineproof.errors import OutOfTime

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mineproof.agents.agent import Agent
    from mineproof.agents.registry import AgentSpec
    from mineproof.apps.web.games import Games, TakenSeat
    from mineproof.limit import Clock

KEPT = 64
"""The most agents that are kept."""


class Follower(NamedTuple):
    """An agent, and how many positions of its game it has seen."""

    seen: int
    agent: Agent


class Followers:
    """The agents of all games."""

    def __init__(self, games: Games) -> None:
        self.games = games
        self._kept: OrderedDict[tuple[str, str], Follower] = OrderedDict()
        self._lock = Lock()

    @contextmanager
    def agent(self, spec: AgentSpec, taken: TakenSeat, clock: Clock) -> Iterator[Agent]:
        """Lend an agent that knows the game up to its last position, which the caller shows it. Another request at the
        same time makes its own."""
        seen, agent = self._take(spec, taken)
        remembers, usable = getattr(agent, "remembers", False), False
        try:
            if remembers and seen < taken.seq:
                for position in self.games.positions(taken.id, seen, taken.seq):
                    clock.check()
                    if b"?" not in position.cells:  # after a loss all mines are shown: the agent must not look
                        agent.follow([position], clock.rest())  # type: ignore[attr-defined]
                    seen += 1
            yield agent
            seen, usable = taken.seq + 1, True
        except OutOfTime:
            usable = True  # what it has concluded so far is still right
            raise
        finally:
            if remembers and usable:
                self._keep((taken.id, spec.name), Follower(seen, agent))
            else:
                close(agent)

    def _take(self, spec: AgentSpec, taken: TakenSeat) -> Follower:
        """Return the kept agent, unless it is in use or has seen more than this; else a new one."""
        key = taken.id, spec.name
        with self._lock:
            if key in self._kept and self._kept[key].seen <= taken.seq + 1:
                return self._kept.pop(key)
        agent = spec.make()
        reset(agent, taken.chance)
        return Follower(0, agent)

    def _keep(self, key: tuple[str, str], follower: Follower) -> None:
        """Keep an agent; of two for the same game, the one that has seen more."""
        with self._lock:
            other = self._kept.pop(key, follower)
            self._kept[key] = max(follower, other, key=lambda kept: kept.seen)
            gone = [kept.agent for kept in (follower, other) if kept.agent is not self._kept[key].agent]
            if len(self._kept) > KEPT:
                gone.append(self._kept.popitem(last=False)[1].agent)
        for agent in gone:
            close(agent)
