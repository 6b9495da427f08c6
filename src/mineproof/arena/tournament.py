"""Many games of many agents on the same boards: cut into chunks, played by any engine, added up as they come.

The results are the same for any number of workers, on any engine, in any order, and after any interruption.
"""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass, replace
from itertools import combinations, repeat
from typing import TYPE_CHECKING, Any, Protocol

from mineproof.agents.first_click import first_click
from mineproof.agents.registry import COMMAND, find_agent
from mineproof.arena.chunks import GIVEN, Chunk, Played, play_chunk
from mineproof.arena.engines import Engine, in_process, work
from mineproof.arena.statistics import Pairs, Tally
from mineproof.board.game import Game
from mineproof.errors import InvalidBoard
from mineproof.limit import DEFAULT, Limit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mineproof.arena.boards import Boards
    from mineproof.board.level import Level
    from mineproof.board.rules import Rules

MOST_GAMES = 10**11
"""Of an agent on a level."""
MOST_CELLS = 2**23
"""Of the given boards of a chunk, together."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A tournament: every agent plays the same boards of every level, or the boards that are given."""

    agents: tuple[str, ...]
    levels: tuple[Level, ...]
    rules: Rules
    games: int
    seed: int
    boards: Boards | None = None
    limit: Limit = DEFAULT

    def __post_init__(self) -> None:
        if not 1 <= self.games <= MOST_GAMES:
            raise InvalidBoard(f"a tournament has from one game to {MOST_GAMES:,}, not {self.games:,}")
        for what, names in (("agent", self.agents), ("level", self.places)):
            twice = next((name for i, name in enumerate(names) if name in names[:i]), None)
            if twice is not None or not names:
                raise InvalidBoard(f"the {what} {twice} is named twice" if names else f"a tournament needs one {what}")
        for agent in self.agents:
            find_agent(agent)
        if self.boards is not None:  # their start is opened, whatever it is
            boards = self.boards.first(self.games)
            object.__setattr__(self, "boards", boards)
            object.__setattr__(self, "games", boards.count)
            object.__setattr__(self, "rules", replace(self.rules, first_click="any"))
        for level in self.levels if self.boards is None else ():  # whether such boards can be made at all
            trial = Game(level, self.rules, seed=self.seed)
            start = first_click(trial.position, self.rules)
            if start is not None and self.rules.laid_after_click:
                trial.open(start)

    @property
    def places(self) -> tuple[str, ...]:
        """The levels, in text."""
        return tuple(map(str, self.levels)) if self.boards is None else (GIVEN,)

    @property
    def total(self) -> int:
        """Games of all agents on all levels."""
        return self.games * len(self.agents) * len(self.places)

    @property
    def size(self) -> int:
        """Games of a chunk: seconds' worth, but never more than 100,000 chunks for an agent. Of given boards no more
        than can be held."""
        compiled = all(find_agent(agent).looks_ahead is not None for agent in self.agents)
        least, most = (100, 10_000) if compiled else (1, 10)
        if any(agent.startswith(COMMAND) for agent in self.agents):
            least = 10  # a program is started for each chunk
        size = max(least, min(self.games // 64, most), self.games // 100_000)
        return size if self.boards is None else max(1, min(size, MOST_CELLS // self.boards.cells))

    def chunks(self) -> Iterator[Chunk]:
        """All of them: the same boards for all agents, then the next ones."""
        versions = {agent: find_agent(agent).version for agent in self.agents}
        size = self.size
        for level in self.levels if self.boards is None else (None,):
            given = repeat(()) if self.boards is None else self.boards.parts(size)
            for first, boards in zip(range(0, self.games, size), given, strict=False):
                games = min(size, self.games - first)
                for agent in self.agents:
                    yield Chunk(agent, versions[agent], level, self.rules, self.seed, first, games, boards, self.limit)


class Store(Protocol):
    """Where results are kept."""

    run: str
    """The name of the run."""

    def load(self, chunk: Chunk) -> Played | None:
        """What came of a chunk that was played before."""
        ...

    def save(self, chunk: Chunk, played: Played) -> None:
        """Keep what came of a chunk."""
        ...


class Standing:
    """How a tournament stands: tallies, pairs, and the fingerprint of the data."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.tallies = {(place, agent): Tally() for place in plan.places for agent in plan.agents}
        self.pairs = {(place, *pair): Pairs() for place in plan.places for pair in combinations(plan.agents, 2)}
        self.now = {key: Work() for key in self.tallies}
        """Only what was played now, not what was read from records."""
        self.began = time.perf_counter()
        self._waiting: dict[tuple[str, int], dict[str, bytes]] = {}  # wins, until all agents have played the boards
        self._fingerprints = {key: InOrder(plan.size) for key in self.tallies}

    @property
    def games(self) -> int:
        """How many are over."""
        return sum(tally.games for tally in self.tallies.values())

    def add(self, chunk: Chunk, played: Played, *, known: bool = False) -> None:
        """What came of a chunk; ``known`` when it was read from records."""
        place, agent = chunk.place, chunk.agent
        self.tallies[place, agent].merge(played.tally)
        if not known:
            self.now[place, agent].games += chunk.games
            self.now[place, agent].seconds += played.tally.seconds
        self._fingerprints[place, agent].add(chunk.first, played.digest)
        waiting = self._waiting.setdefault((place, chunk.first), {})
        waiting[agent] = played.won
        if len(waiting) == len(self.plan.agents):
            for first, second in combinations(self.plan.agents, 2):
                self.pairs[place, first, second].add(waiting[first], waiting[second])
            del self._waiting[place, chunk.first]

    @property
    def fingerprint(self) -> str:
        """The same for the same results, whoever played them, when and where: all data but the clock's."""
        whole = hashlib.sha256()
        for found in self._fingerprints.values():
            whole.update(found.digest())
        return whole.hexdigest()

    def summary(self) -> dict[str, Any]:
        """As ``--json`` and ``summary.json`` have it."""
        rows = [
            {"agent": agent, "level": place, **tally.fields(), "games_per_second": self.rate(place, agent)}
            for (place, agent), tally in self.tallies.items()
        ]
        pairs = [
            {"level": place, "agents": [first, second], **pair.fields()}
            for (place, first, second), pair in self.pairs.items()
        ]
        return {
            "agents": rows,
            "pairs": pairs,
            "rules": str(self.plan.rules),
            "seed": self.plan.seed,
            "games": self.plan.games,
            "seconds": self.seconds,
            "fingerprint": self.fingerprint,
        }

    @property
    def seconds(self) -> float:
        """By the clock on the wall."""
        return max(1e-9, time.perf_counter() - self.began)

    def rate(self, place: str, agent: str) -> float | None:
        """Games a second, of all workers together; the wall's clock is shared out by who used it. None: none now."""
        now = self.now[place, agent]
        all_work = sum(work.seconds for work in self.now.values())
        return now.games * all_work / (now.seconds * self.seconds) if now.seconds > 0 else None


@dataclass(slots=True)
class Work:
    """Games, and how long they took."""

    games: int = 0
    seconds: float = 0.0


class InOrder:
    """A digest of digests in the order of the boards, in whatever order they come."""

    def __init__(self, step: int) -> None:
        self._step = step
        self._next = 0
        self._early: dict[int, bytes] = {}
        self._hash = hashlib.sha256()

    def add(self, first: int, digest: bytes) -> None:
        """Of the chunk that begins with this board."""
        self._early[first] = digest
        while self._next in self._early:
            self._hash.update(self._early.pop(self._next))
            self._next += self._step

    def digest(self) -> bytes:
        """So far."""
        return self._hash.digest()


def tournament(
    plan: Plan,
    engine: Engine | None = None,
    *,
    store: Store | None = None,
    progress: Callable[[Standing], None] = lambda _standing: None,
) -> Standing:
    """Play it. ``progress`` is told whenever a chunk is over; what is in the store already is not played again."""
    standing = Standing(plan)

    def missing() -> Iterator[Chunk]:
        for chunk in plan.chunks():
            known = store.load(chunk) if store is not None else None
            if known is None:
                yield chunk if store is None else replace(chunk, run=store.run)
            else:
                standing.add(chunk, known, known=True)
                progress(standing)

    for chunk, played in work(engine or in_process(), play_chunk, missing()):
        if store is not None:
            store.save(chunk, played)
        standing.add(chunk, played)
        progress(standing)
    return standing
