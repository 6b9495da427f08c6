"""Chunks: some games of one agent. Their outcome depends only on the agent's version, the rules and the boards.

Whole games of some agents are played by compiled code; it makes the same moves as the agent does in Python.
"""

from __future__ import annotations

import hashlib
import struct
from dataclasses import dataclass, replace
from math import nan
from typing import TYPE_CHECKING

from mineproof.agents.agent import close
from mineproof.agents.counting import Counting
from mineproof.agents.first_click import first_click
from mineproof.agents.registry import find_agent
from mineproof.arena.match import Result, agent_seed, finish
from mineproof.arena.statistics import Tally
from mineproof.board.game import Game
from mineproof.board.position import Position
from mineproof.board.rules import Rules
from mineproof.errors import InvalidBoard
from mineproof.limit import DEFAULT, Limit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mineproof._native.playing import Course, Player
    from mineproof.agents.agent import Agent
    from mineproof.board.layout import Layout
    from mineproof.board.level import Level

RADIUS = {"any": -1, "safe": 0, "opening": 1}
"""The mine-free radius around the first click."""
DIGESTS = 2**256
"""The number of possible digests: sums of digests are taken modulo this."""
GIVEN = "boards"
"""The name that stands for the level if boards are given."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some games of one agent, on boards of a seed or on given boards."""

    agent: str
    version: int
    level: Level | None
    """The level; None if boards are given."""
    rules: Rules
    seed: int
    first: int
    """The number of the first board in the seed, or among the given boards."""
    games: int
    boards: tuple[Layout, ...] = ()
    """The given boards."""
    limit: Limit = DEFAULT
    run: str = ""
    """The name of the run that the records belong to; empty if none are kept."""

    @property
    def place(self) -> str:
        """The level as text."""
        return GIVEN if self.level is None else str(self.level)


@dataclass(frozen=True, slots=True)
class Played:
    """The outcome of a chunk: small, apart from the records, however many games there are."""

    tally: Tally
    won: bytes
    """A byte for each board: 1 if the game was won, otherwise 0."""
    digest: int
    records: bytes = b""
    """The records as a Parquet file; empty if none are kept."""


def play_chunk(chunk: Chunk) -> Played:
    """Play a chunk, and summarise it in the same process."""
    results = run(chunk)
    played = summarise(chunk, results)
    if not chunk.run:
        return played
    from mineproof.arena.rows import encode  # only records need pyarrow

    return replace(played, records=encode(chunk, results, played.digest))


def summarise(chunk: Chunk, results: Sequence[Result]) -> Played:
    """Return the outcome of a chunk with these results, without records."""
    tally = Tally()
    tally.add(results, chunk.first)
    return Played(tally, bytes(result.won for result in results), digest(results, chunk.first))


def digest(results: Sequence[Result], first: int = 0) -> int:
    """Return a digest of what happened in the games, made only of whole numbers: they are the same on every machine,
    while processors may round risks and scores differently. The digests of single games are added up, so that the
    division into chunks does not matter."""
    return sum(_digest(result, board) for board, result in enumerate(results, start=first)) % DIGESTS


def _digest(result: Result, board: int) -> int:
    fault = result.fault.encode()
    numbers = struct.pack(
        f"<q??iii{len(result.struck)}?i",
        board, result.won, result.stuck, result.moves, result.hits, len(result.struck), *result.struck, len(fault),
    )  # fmt: skip
    return int.from_bytes(hashlib.sha256(numbers + fault).digest(), "little")


def run(chunk: Chunk) -> list[Result]:
    """Play the games of a chunk, and return their results."""
    spec = find_agent(chunk.agent)
    if spec.version != chunk.version:
        raise InvalidBoard(
            f"{chunk.agent} is version {spec.version} here; the run was started with version {chunk.version}"
        )
    agent = spec.make()
    try:
        # Compiled code gives up a game with a position that cannot be counted within the limit. Python plays it again,
        # and estimates such positions.
        return [result or _play(chunk, agent, number) for number, result in enumerate(_play_compiled(chunk, agent))]
    finally:
        close(agent)  # a program ends with the chunk, so that no chunk depends on another


def _play_compiled(chunk: Chunk, agent: Agent) -> Sequence[Result | None]:
    """Play games in compiled code; return None for each game that Python must play."""
    no_results = [None] * (len(chunk.boards) if chunk.level is None else chunk.games)
    if find_agent(chunk.agent).looks_ahead is None or not chunk.rules.flood or chunk.rules.continues:
        return no_results
    assert isinstance(agent, Counting)
    player = agent.player
    if chunk.level is None:
        return [_play_compiled_board(player, board, chunk.limit) for board in chunk.boards]
    if chunk.rules.first_click not in RADIUS or chunk.level.mines in (None, len(chunk.level.grid)):
        return no_results
    return _play_seeded(chunk, agent, chunk.level, chunk.level.mines)


def _play_compiled_board(player: Player, board: Layout, limit: Limit) -> Result | None:
    if board.start is None or board.has_mine(board.start):
        return None
    grid = board.grid
    return _result(player.play(grid.rows, grid.cols, board.mask, grid.index(board.start), limit))


def _play(chunk: Chunk, agent: Agent, number: int) -> Result:
    """Play a game of a chunk in Python."""
    index = chunk.first + number
    if chunk.level is None:
        game = Game(chunk.boards[number], Rules("any", chunk.rules.continues, chunk.rules.flood))
        return finish(agent, game, chunk.limit, seed=agent_seed(chunk.seed, index))
    return finish(agent, Game(chunk.level, chunk.rules, seed=chunk.seed, index=index), chunk.limit)


def _play_seeded(chunk: Chunk, agent: Counting, level: Level, mines: int) -> list[Result | None]:
    grid, rule = level.grid, chunk.rules.first_click
    blank = Position.blank(grid, mines)
    cell = first_click(blank, chunk.rules)
    risks: tuple[float, ...] = ()
    if rule == "any":  # the first click is a guess too, unless there are no mines
        decision = agent.choose(blank, chunk.limit)
        cell = decision.moves[0].cell
        risks = () if decision.certain else (nan if decision.risk is None else decision.risk,)
    assert cell is not None
    played = agent.player.play_seeded(
        grid.rows, grid.cols, mines, grid.index(cell), RADIUS[rule], chunk.seed, chunk.first, chunk.games, chunk.limit
    )
    return [_result(course, risks) for course in played]


def _result(course: Course | None, first: tuple[float, ...] = ()) -> Result | None:
    """Return the result of a compiled game, which ends with the first mine and has no flags."""
    if course is None:
        return None
    won, moves, risks, seconds, slowest = course
    risks = first + risks
    return Result(
        won=won,
        stuck=False,
        moves=moves,
        hits=int(not won),
        score=1.0 if won else nan,
        risks=risks,
        struck=tuple(not won and guess == len(risks) for guess in range(1, len(risks) + 1)),
        seconds=seconds,
        slowest=slowest,
    )
