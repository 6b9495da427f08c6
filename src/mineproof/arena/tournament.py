"""Many games of many agents on the same boards: split into chunks, played by any engine, and summed as they finish.

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
    """A tournament: every agent plays the same boards of every level, or the given boards.

    Agents may be names, registered agents, or agents themselves, called by their ``name`` or that of their class;
    levels and rules may be text. A single one needs no tuple.

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
    """Games per chunk, set if a run is resumed; a new run chooses."""

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
        for what, names in (("agent", tuple(map(label, self.agents))), ("level", self.places)):
            twice = next((name for i, name in enumerate(names) if name in names[:i]), None)
            if twice is not None or not names:
                raise InvalidArgument(
                    f"the {what} {twice} is named twice" if names else f"a tournament needs at least one {what}"
                )
        for agent in self.agents:
            find_agent(agent)
        if self.boards is not None:  # their start is opened first, under any rules
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
        """Games per chunk: at least a thousand if all agents are compiled, else a few seconds' worth, but never more
        than 100,000 chunks per agent. Given boards: no more than fit in memory."""
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
        """All chunks: the same boards for all agents, then the next boards."""
        versions = {agent: find_agent(agent).version for agent in self.agents}
        size = self.size
        for level in self.levels if self.boards is None else (None,):
            given = repeat(()) if self.boards is None else self.boards.parts(size)
            for first, boards in zip(range(0, self.games, size), given, strict=False):
                games = min(size, self.games - first)
                for agent in self.agents:
                    yield Chunk(agent, versions[agent], level, self.rules, self.seed, first, games, boards, self.limit)


class Store(Protocol):
    """Where results are saved."""

    run: str
    """The name of the run."""

    def load(self, chunk: Chunk) -> Played | None:
        """The outcome of a chunk that was played before."""
        ...

    def save(self, chunk: Chunk, played: Played) -> None:
        """Save the outcome of a chunk."""
        ...


class Standing:
    """The standing of a tournament: tallies, pairs, and the fingerprint of the data."""

    def __init__(self, plan: Plan) -> None:
        if not isinstance(plan, Plan):
            example = 'Plan(["best", "sat"], "beginner", games=100)'
            raise InvalidArgument(f"a tournament takes a Plan, as in {example}, not {shorten(plan)}")
        self.plan = plan
        self.tallies = {(place, agent): Tally() for place in plan.places for agent in plan.agents}
        self.pairs = {(place, *pair): Pairs() for place in plan.places for pair in combinations(plan.agents, 2)}
        self.now = {key: Work() for key in self.tallies}
        """The speed of the games played now, without those read from records."""
        self.began = time.perf_counter()
        self._waiting: dict[tuple[str, int], dict[str, bytes]] = {}  # wins, until all agents have played the boards
        self._digests = dict.fromkeys(self.tallies, 0)

    def __repr__(self) -> str:
        return f"<Standing: {self.games:,} of {self.plan.total:,} games, {len(self.plan.agents)} agents>"

    def __str__(self) -> str:
        """A line for each agent on each level."""
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
            self.now[place, agent].games += chunk.games
            self.now[place, agent].seconds += played.tally.microseconds / 1e6
        self._digests[place, agent] = (self._digests[place, agent] + played.digest) % DIGESTS
        waiting = self._waiting.setdefault((place, chunk.first), {})
        waiting[agent] = played.won
        if len(waiting) == len(self.plan.agents):
            for first, second in combinations(self.plan.agents, 2):
                self.pairs[place, first, second].add(waiting[first], waiting[second])
            del self._waiting[place, chunk.first]

    @property
    def fingerprint(self) -> str:
        """A digest of all results except times: the same on every machine and engine."""
        whole = hashlib.sha256()
        for found in self._digests.values():
            whole.update(found.to_bytes(32, "little"))
        return whole.hexdigest()

    def summary(self) -> dict[str, Any]:
        """The summary for ``--json`` and ``summary.json``."""
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
        """Elapsed wall-clock time."""
        return max(1e-9, time.perf_counter() - self.began)

    def rate(self, place: str, agent: str) -> float | None:
        """Games per second of all workers together; wall-clock time is divided by use. None: no games now."""
        now = self.now[place, agent]
        all_work = sum(work.seconds for work in self.now.values())
        return now.games * all_work / (now.seconds * self.seconds) if now.seconds > 0 else None


@dataclass
class Work:
    """Games, and how long they took."""

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
