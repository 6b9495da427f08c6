"""Many games of many agents on the same boards: cut into chunks, played by any engine, added up as they come.

A chunk is a pure function of what it says: an agent and its version, rules, and which boards. So the results are the
same for any number of workers, on any engine, in any order. The agents that are compiled whole play without
Python; they make the same moves either way.
"""

from __future__ import annotations

import hashlib
import struct
import time
from dataclasses import dataclass
from itertools import combinations
from math import nan
from typing import TYPE_CHECKING, Any, Protocol

from mineproof._native.playing import Player
from mineproof.agents.first_click import first_click
from mineproof.agents.registry import AGENTS, find_agent
from mineproof.arena.engines import Engine, in_process, work
from mineproof.arena.match import Result, agent_seed, finish, play
from mineproof.arena.statistics import Pairs, Tally
from mineproof.board.game import Game
from mineproof.board.position import Position
from mineproof.board.rules import Rules
from mineproof.errors import InvalidBoard
from mineproof.limit import DEFAULT, Limit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from mineproof.board.layout import Layout
    from mineproof.board.level import Level

COMPILED = {"best": True, "lowest-risk": False}
"""Agents that `Player` plays whole, and whether they look ahead."""
RADIUS = {"any": -1, "safe": 0, "opening": 1}
"""How far around the first click there are no mines."""
GIVEN = "boards"
"""The name of a level when boards are given."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some games of one agent: boards of a seed, or given ones."""

    agent: str
    version: int
    level: Level | None
    rules: Rules
    seed: int
    first: int
    games: int
    boards: tuple[Layout, ...] = ()
    limit: Limit = DEFAULT

    @property
    def place(self) -> str:
        """The level, in text."""
        return GIVEN if self.level is None else str(self.level)


@dataclass(frozen=True, slots=True)
class Plan:
    """A tournament: every agent plays the same boards of every level, or the boards that are given."""

    agents: tuple[str, ...]
    levels: tuple[Level, ...]
    rules: Rules
    games: int
    seed: int
    boards: tuple[Layout, ...] = ()
    limit: Limit = DEFAULT

    def __post_init__(self) -> None:
        if self.games < 1:
            raise InvalidBoard("a tournament has at least one game")
        for what, names in (("agent", self.agents), ("level", self.places)):
            twice = next((name for i, name in enumerate(names) if name in names[:i]), None)
            if twice is not None or not names:
                raise InvalidBoard(f"the {what} {twice} is named twice" if names else f"a tournament has an {what}")
        for agent in self.agents:
            find_agent(agent)
        if self.boards:
            object.__setattr__(self, "games", min(self.games, len(self.boards)))
        for level in () if self.boards else self.levels:  # whether such boards can be made at all
            trial = Game(level, self.rules, seed=self.seed)
            start = first_click(trial.position, self.rules)
            if start is not None and self.rules.laid_after_click:
                trial.open(start)

    @property
    def places(self) -> tuple[str, ...]:
        """The levels, in text."""
        return (GIVEN,) if self.boards else tuple(map(str, self.levels))

    @property
    def total(self) -> int:
        """Games of all agents on all levels."""
        return self.games * len(self.agents) * len(self.places)

    @property
    def size(self) -> int:
        """Games of a chunk: a few seconds' worth, and never more than some ten thousand chunks for an agent."""
        most = 2000 if all(agent in COMPILED for agent in self.agents) else 10
        return max(1, min(self.games // 64, most), self.games // 10_000)

    def chunks(self) -> Iterator[Chunk]:
        """All of them: the same boards for all agents, then the next ones."""
        versions = {agent: find_agent(agent).version for agent in self.agents}
        for level in (None,) if self.boards else self.levels:
            for first in range(0, self.games, self.size):
                games = min(self.size, self.games - first)
                boards = self.boards[first : first + games]
                for agent in self.agents:
                    yield Chunk(agent, versions[agent], level, self.rules, self.seed, first, games, boards, self.limit)


class Store(Protocol):
    """Where results are kept."""

    def load(self, chunk: Chunk) -> list[Result] | None:
        """The results of a chunk that was played before."""
        ...

    def save(self, chunk: Chunk, results: list[Result]) -> None:
        """Keep the results of a chunk."""
        ...


@dataclass(slots=True)
class Work:
    """Games, and how long they took."""

    games: int = 0
    seconds: float = 0.0


class Standing:
    """How a tournament stands: tallies, pairs, and the fingerprint of the data."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.tallies = {(place, agent): Tally() for place in plan.places for agent in plan.agents}
        self.pairs = {(place, *pair): Pairs() for place in plan.places for pair in combinations(plan.agents, 2)}
        self.now = {key: Work() for key in self.tallies}
        """Only what was played now, not what was read from records."""
        self.began = time.perf_counter()
        self._waiting: dict[
            tuple[str, int], dict[str, list[bool]]
        ] = {}  # wins, until all agents have played the boards
        self._digests: dict[tuple[str, str, int], bytes] = {}

    @property
    def games(self) -> int:
        """How many are over."""
        return sum(tally.games for tally in self.tallies.values())

    def add(self, chunk: Chunk, results: list[Result], *, known: bool = False) -> None:
        """The results of a chunk; ``known`` when they were read from records."""
        place, agent = chunk.place, chunk.agent
        self.tallies[place, agent].add(results)
        if not known:
            self.now[place, agent].games += len(results)
            self.now[place, agent].seconds += sum(result.seconds for result in results)
        self._digests[place, agent, chunk.first] = digest(results)
        waiting = self._waiting.setdefault((place, chunk.first), {})
        waiting[agent] = [result.won for result in results]
        if len(waiting) == len(self.plan.agents):
            for first, second in combinations(self.plan.agents, 2):
                self.pairs[place, first, second].add(waiting[first], waiting[second])
            del self._waiting[place, chunk.first]

    @property
    def fingerprint(self) -> str:
        """The same for the same results, whoever played them, when and where: all data but the clock's."""
        whole = hashlib.sha256()
        for place in self.plan.places:
            for agent in self.plan.agents:
                for first in range(0, self.plan.games, self.plan.size):
                    whole.update(self._digests.get((place, agent, first), b""))
        return whole.hexdigest()

    def summary(self) -> dict[str, Any]:
        """As ``--json`` and ``summary.json`` have it."""
        rows = []
        for (place, agent), tally in self.tallies.items():
            rows.append({"agent": agent, "level": place, **tally.fields(), "games_per_second": self.rate(place, agent)})
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


def digest(results: Sequence[Result]) -> bytes:
    """Of all data but the clock's."""
    found = hashlib.sha256()
    for result in results:
        fault = result.fault.encode()
        found.update(
            struct.pack(
                f"<??iidi{len(result.risks)}d{len(result.struck)}?i",
                result.won, result.stuck, result.moves, result.hits, result.score,
                len(result.risks), *result.risks, *result.struck, len(fault),
            )
            + fault
        )  # fmt: skip
    return found.digest()


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
                yield chunk
            else:
                standing.add(chunk, known, known=True)
                progress(standing)

    for chunk, results in work(engine or in_process(), run, missing()):
        if store is not None:
            store.save(chunk, results)
        standing.add(chunk, results)
        progress(standing)
    return standing


def run(chunk: Chunk) -> list[Result]:
    """Play the games of a chunk, one after the other."""
    spec = find_agent(chunk.agent)
    if spec.version != chunk.version:
        raise InvalidBoard(
            f"{chunk.agent} is version {spec.version} here, and not {chunk.version} as where the run began"
        )
    if _can_be_compiled(chunk):
        return _run_compiled(chunk)
    agent = spec.make()
    if not chunk.boards:
        assert chunk.level is not None
        return [
            play(agent, chunk.level, chunk.rules, seed=chunk.seed, index=index, limit=chunk.limit)
            for index in range(chunk.first, chunk.first + chunk.games)
        ]
    results = []
    for index, board in enumerate(chunk.boards, start=chunk.first):
        game = Game(board, Rules("any", chunk.rules.goes_on, chunk.rules.flood))
        for start in board.starts[:1]:
            game.open(start)
        results.append(finish(agent, game, chunk.limit, seed=agent_seed(chunk.seed, index)))
    return results


def _can_be_compiled(chunk: Chunk) -> bool:
    """Whether `Player` knows the agent, the rules and the boards."""
    if chunk.agent not in COMPILED or find_agent(chunk.agent) is not AGENTS[chunk.agent]:
        return False
    if chunk.rules.goes_on or not chunk.rules.flood:
        return False
    if chunk.level is None:
        return all(board.starts for board in chunk.boards)
    return chunk.rules.first_click in RADIUS and chunk.level.mines is not None


def _run_compiled(chunk: Chunk) -> list[Result]:
    player = Player(COMPILED[chunk.agent])
    first_risks: tuple[float, ...] = ()  # of a first click that the rules do not make safe: a guess like any other
    if chunk.level is None:
        played = []
        for board in chunk.boards:
            grid = board.grid
            played.append(player.play(grid.rows, grid.cols, board.mask, grid.index(board.starts[0])))
    else:
        grid, mines, rule = chunk.level.grid, chunk.level.mines, chunk.rules.first_click
        assert mines is not None
        cell = first_click(Position.blank(grid, mines), chunk.rules)
        assert cell is not None
        start = grid.index(cell)
        played = player.play_seeded(
            grid.rows, grid.cols, mines, start, RADIUS[rule], chunk.seed, chunk.first, chunk.games
        )
        if rule == "any" and mines:
            first_risks = (mines / len(grid),)
    return [
        Result(
            won=won,
            stuck=False,
            moves=moves,
            hits=int(not won),
            score=1.0 if won else nan,
            risks=first_risks + risks,
            struck=tuple(i == len(first_risks + risks) - 1 and not won for i in range(len(first_risks + risks))),
            seconds=seconds,
            slowest=slowest,
        )
        for won, moves, risks, seconds, slowest in played
    ]
