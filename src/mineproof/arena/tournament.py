"""Tournaments: many games of many agents on the same boards, split into chunks and played by any engine.

The results are the same for any number of workers, on any engine, in any order, and after any interruption.
"""

from __future__ import annotations

import hashlib
import pickle
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import combinations, repeat
from typing import TYPE_CHECKING, Any, Protocol

from mineproof.agents.first_click import first_click
from mineproof.agents.registry import COMMAND, find_agent, label, name_of
from mineproof.arena.chunks import DIGESTS, GIVEN, Chunk, Played, play_chunk
from mineproof.arena.engines import Engine, in_process, work
from mineproof.arena.statistics import Pairs, Tally
from mineproof.board.game import Game
from mineproof.board.grid import whole
from mineproof.board.layout import check_seed
from mineproof.board.level import Level
from mineproof.board.rules import SAFE, Rules
from mineproof.errors import InvalidArgument, shorten
from mineproof.limit import DEFAULT, Limit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from mineproof.agents.registry import AgentLike
    from mineproof.arena.boards import Boards

MOST_GAMES = 10**11
"""The most games of an agent on a level."""
MOST_CHUNKS = 10**6
"""The most chunks of an agent on a level."""
MOST_CELLS = 2**23
"""The most cells in the given boards of a chunk."""


@dataclass(frozen=True, slots=True, init=False)
class Plan:
    """The plan of a tournament: every agent plays the same boards of every level, or the given boards.

    Agents may be names, registered agents, or agents themselves, which are named by their ``name`` or their class;
    levels and rules may be text. A single agent or level needs no tuple.

    >>> Plan("best", "beginner", "opening", games=10)
    Plan(agents=('best',), levels=(Level(rows=9, cols=9, mines=10),), rules=Rules(...), games=10, seed=0, ...)
    """

    agents: tuple[str, ...]
    levels: tuple[Level, ...]
    rules: Rules
    games: int
    seed: int
    boards: Boards | None = None
    limit: Limit = DEFAULT
    chunk: int | None = field(default=None, compare=False)
    """The number of games per chunk if a run is resumed; None for a new run (see `size`)."""

    def __init__(
        self,
        agents: AgentLike | Sequence[AgentLike],
        levels: Level | str | Sequence[Level | str] = "expert",
        rules: Rules | str = SAFE,
        games: int = 1000,
        seed: int = 0,
        boards: Boards | None = None,
        limit: Limit = DEFAULT,
        chunk: int | None = None,
    ) -> None:
        fields = {
            "agents": tuple(map(name_of, agents if isinstance(agents, (tuple, list)) else (agents,))),
            "levels": tuple(map(Level.of, levels if isinstance(levels, (tuple, list)) else (levels,))),
            "rules": Rules.of(rules),
            "games": whole(games, "the number of games"),
            "seed": check_seed(seed),
            "boards": boards,
            "limit": limit,
            "chunk": chunk,
        }
        for name, value in fields.items():
            object.__setattr__(self, name, value)
        self.__post_init__()

    def __post_init__(self) -> None:
        if not 1 <= self.games <= MOST_GAMES:
            raise InvalidArgument(f"a tournament can have 1 to {MOST_GAMES:,} games, not {self.games:,}")
        if self.chunk is not None and self.games > MOST_CHUNKS * self.chunk:
            most = MOST_CHUNKS * self.chunk
            raise InvalidArgument(f"this run can have at most {most:,} games, not {self.games:,}: start a new one")
        for noun, names in (("agent", tuple(map(label, self.agents))), ("level", self.places)):
            twice = next((name for i, name in enumerate(names) if name in names[:i]), None)
            if twice is not None or not names:
                raise InvalidArgument(
                    f"the {noun} {twice} is named twice" if names else f"a tournament needs at least one {noun}"
                )
        for agent in self.agents:
            find_agent(agent)
        if self.boards is not None:  # their start is opened first, whatever the rules
            boards = self.boards.first(self.games)
            object.__setattr__(self, "boards", boards)
            object.__setattr__(self, "games", boards.count)
            object.__setattr__(self, "rules", replace(self.rules, first_click="any"))
        for level in self.levels if self.boards is None else ():  # checks that such boards exist
            trial = Game(level, self.rules, seed=self.seed)
            start = first_click(trial.position, self.rules)
            if start is not None and self.rules.laid_after_click:
                trial.open(start)

    @property
    def places(self) -> tuple[str, ...]:
        """The levels as text."""
        return tuple(map(str, self.levels)) if self.boards is None else (GIVEN,)

    @property
    def total(self) -> int:
        """The number of games of all agents on all levels."""
        return self.games * len(self.agents) * len(self.places)

    @property
    def size(self) -> int:
        """The number of games per chunk: at least a thousand if all agents are compiled, otherwise a few seconds of
        work, but never more than 100,000 chunks per agent. Given boards must fit in memory, too."""
        compiled = all(find_agent(agent).looks_ahead is not None for agent in self.agents)
        least, most = (1000, 10_000) if compiled else (1, 100)
        if any(agent.startswith(COMMAND) for agent in self.agents):
            least = 10  # a program is started for each chunk
        size = self.chunk or max(least, min(self.games // 64, most), self.games // 100_000)
        return size if self.boards is None else max(1, min(size, MOST_CELLS // self.boards.cells))

    @property
    def parts(self) -> int:
        """The number of chunks."""
        return -(-self.games // self.size) * len(self.agents) * len(self.places)

    def chunks(self) -> Iterator[Chunk]:
        """Yield all chunks: some boards for all agents, then the next boards."""
        versions = {agent: find_agent(agent).version for agent in self.agents}
        size = self.size
        for level in self.levels if self.boards is None else (None,):
            parts = repeat(()) if self.boards is None else self.boards.parts(size)
            for first, boards in zip(range(0, self.games, size), parts, strict=False):
                games = min(size, self.games - first)
                for agent in self.agents:
                    yield Chunk(agent, versions[agent], level, self.rules, self.seed, first, games, boards, self.limit)


class Store(Protocol):
    """A place where results are saved."""

    run: str
    """The name of the run."""

    def load(self, chunk: Chunk) -> Played | None:
        """Return the outcome of a chunk; None if it has not been played yet."""
        ...

    def save(self, chunk: Chunk, played: Played) -> None:
        """Save the outcome of a chunk."""
        ...


class Standing:
    """The results of a tournament so far: tallies, pairs, and the fingerprint."""

    def __init__(self, plan: Plan) -> None:
        if not isinstance(plan, Plan):
            example = 'Plan(["best", "sat"], "beginner", games=100)'
            raise InvalidArgument(f"a tournament takes a Plan, as in {example}, not {shorten(plan)}")
        self.plan = plan
        self.tallies = {(place, agent): Tally() for place in plan.places for agent in plan.agents}
        self.pairs = {(place, *pair): Pairs() for place in plan.places for pair in combinations(plan.agents, 2)}
        self.played_now = {key: Work() for key in self.tallies}
        """The games played now, without those read from records: their speed is measured."""
        self.began = time.perf_counter()
        self._waiting: dict[tuple[str, int], dict[str, bytes]] = {}  # wins on boards that other agents still must play
        self._digests = dict.fromkeys(self.tallies, 0)

    def __repr__(self) -> str:
        return f"<Standing: {self.games:,} of {self.plan.total:,} games, {len(self.plan.agents)} agents>"

    def __str__(self) -> str:
        """Give a line for each agent on each level."""
        return "\n".join(f"{label(agent)} on {place}: {tally}" for (place, agent), tally in self.tallies.items())

    @property
    def games(self) -> int:
        """The number of finished games."""
        return sum(tally.games for tally in self.tallies.values())

    def add(self, chunk: Chunk, played: Played, *, known: bool = False) -> None:
        """Add the outcome of a chunk; ``known`` if it was read from records."""
        place, agent = chunk.place, chunk.agent
        self.tallies[place, agent].merge(played.tally)
        if not known:
            self.played_now[place, agent].games += chunk.games
            self.played_now[place, agent].seconds += played.tally.microseconds / 1e6
        self._digests[place, agent] = (self._digests[place, agent] + played.digest) % DIGESTS
        waiting = self._waiting.setdefault((place, chunk.first), {})
        waiting[agent] = played.won
        if len(waiting) == len(self.plan.agents):
            for first, second in combinations(self.plan.agents, 2):
                self.pairs[place, first, second].add(waiting[first], waiting[second])
            del self._waiting[place, chunk.first]

    @property
    def fingerprint(self) -> str:
        """A digest of all results except times and computed numbers: the same on every machine and engine."""
        fingerprint = hashlib.sha256()
        for digest in self._digests.values():
            fingerprint.update(digest.to_bytes(32, "little"))
        return fingerprint.hexdigest()

    def summary(self) -> dict[str, Any]:
        """Return the summary for ``--json`` and ``summary.json``."""
        rows = [
            {"agent": label(agent), "level": place, **tally.fields(), "games_per_second": self.rate(place, agent)}
            for (place, agent), tally in self.tallies.items()
        ]
        pairs = [
            {"level": place, "agents": [label(first), label(second)], **pair.fields()}
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
        """The wall-clock time since the start, in seconds."""
        return max(1e-9, time.perf_counter() - self.began)

    def rate(self, place: str, agent: str) -> float | None:
        """Return the games per second of all workers together; None if no games are played now. An agent's share of the
        wall-clock time is its share of the time spent in games."""
        own = self.played_now[place, agent]
        total = sum(work.seconds for work in self.played_now.values())
        return own.games * total / (own.seconds * self.seconds) if own.seconds > 0 else None


@dataclass
class Work:
    """A number of games, and the time spent in them."""

    games: int = 0
    seconds: float = 0.0


def check_portable(agents: Iterable[str]) -> None:
    """Check that unregistered agents can be sent to other processes."""
    for agent in agents:
        try:
            pickle.dumps(agent)
        except (pickle.PicklingError, AttributeError, TypeError):
            raise InvalidArgument(
                f"the agent {agent} cannot be sent to other processes: define it in a module, or play in one process"
            ) from None


def tournament(
    plan: Plan,
    engine: Engine | None = None,
    *,
    store: Store | None = None,
    progress: Callable[[Standing], None] = lambda _standing: None,
) -> Standing:
    """Play a tournament. ``progress`` is called after each chunk; chunks already in the store are not played again.

    >>> print(tournament(Plan(["best", "careful"], "beginner", games=200, seed=1)))
    best on beginner: 190 of 200 games won, 95.0 % (95 %: 91.0 to 97.3 %)
    careful on beginner: 98 of 200 games won, 102 stuck, 49.0 % (95 %: 42.2 to 55.9 %)
    """
    standing = Standing(plan)
    if engine is not None and isinstance(engine.executor, ProcessPoolExecutor):
        check_portable(plan.agents)

    def missing() -> Iterator[Chunk]:
        for chunk in plan.chunks():
            played = store.load(chunk) if store is not None else None
            if played is None:
                yield chunk if store is None else replace(chunk, run=store.run)
            else:
                standing.add(chunk, played, known=True)
                progress(standing)

    for chunk, played in work(engine or in_process(), play_chunk, missing()):
        if store is not None:
            store.save(chunk, played)
        standing.add(chunk, played)
        progress(standing)
    return standing
