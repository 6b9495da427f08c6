"""Many games of many agents on the same boards, in one process or several.

Game i of a seed is the same board for every agent and any number of workers. The agents that are compiled whole play
without Python; they make the same moves either way.
"""

from __future__ import annotations

import os
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from math import sqrt
from typing import TYPE_CHECKING, Any

from mineproof._native.playing import Player
from mineproof.agents.first_click import first_click
from mineproof.agents.registry import AGENTS, find_agent
from mineproof.arena.match import Result, agent_seed, finish, play
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


@dataclass(frozen=True, slots=True)
class Task:
    """Some games of one agent: boards of a seed, or given ones."""

    agent: str
    level: Level
    rules: Rules
    seed: int
    first: int
    games: int
    boards: tuple[Layout, ...] = ()
    limit: Limit = DEFAULT


@dataclass(frozen=True, slots=True)
class Summary:
    """How an agent did."""

    agent: str
    results: tuple[Result, ...]
    seconds: float
    """By the clock on the wall, all workers together."""

    def fields(self) -> dict[str, Any]:
        """As JSON has it."""
        games = len(self.results)
        wins = sum(result.won for result in self.results)
        return {
            "agent": self.agent,
            "games": games,
            "wins": wins,
            "stuck": sum(result.stuck for result in self.results),
            "win_rate": [round(number, 6) for number in (wins / games, *wilson(wins, games))],
            "guesses": sum(result.guesses for result in self.results) / games,
            "hits": sum(result.hits for result in self.results) / games,
            "games_per_second": games / self.seconds,
            "slowest_move_ms": 1e3 * max(result.slowest for result in self.results),
        }


def wilson(wins: int, games: int, z: float = 1.959964) -> tuple[float, float]:
    """The 95 % interval of a win rate (Wilson, 1927).

    >>> [round(bound, 3) for bound in wilson(50, 100)]
    [0.404, 0.596]
    """
    share = wins / games
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games)) / (1 + z * z / games)
    return middle - half, middle + half


def tournament(
    agents: Sequence[str],
    level: Level,
    rules: Rules,
    games: int,
    seed: int,
    *,
    workers: int = 1,
    boards: Sequence[Layout] = (),
    limit: Limit = DEFAULT,
    done: Callable[[str, int], None] = lambda _agent, _games: None,
) -> list[Summary]:
    """All agents on the same boards. ``done`` is told of games as they end."""
    if games < 1 or workers < 1:
        raise InvalidBoard("a tournament has at least one game and one worker")
    for agent in agents:
        find_agent(agent)
    if boards:
        games = min(games, len(boards))
    else:  # whether such boards can be made at all
        trial = Game(level, rules, seed=seed)
        start = first_click(trial.position, rules)
        if start is not None and rules.laid_after_click:
            trial.open(start)
    summaries = []
    for agent in agents:
        began = time.perf_counter()
        results: list[Result] = []
        for part in _parts(Task(agent, level, rules, seed, 0, games, tuple(boards), limit), workers):
            results += part
            done(agent, len(part))
        summaries.append(Summary(agent, tuple(results), time.perf_counter() - began))
    return summaries


def _parts(task: Task, workers: int) -> Iterator[list[Result]]:
    """The results of a task, in order, chunk by chunk."""
    size = max(1, min(1000 if task.agent in COMPILED else 5, task.games // (4 * workers)))
    chunks = []
    for first in range(0, task.games, size):
        games = min(size, task.games - first)
        chunks.append(replace(task, first=first, games=games, boards=task.boards[first : first + games]))
    if workers == 1:
        yield from map(run, chunks)
        return
    with ProcessPoolExecutor(min(workers, len(chunks), os.cpu_count() or workers)) as pool:
        yield from pool.map(run, chunks)


def run(task: Task) -> list[Result]:
    """Play the games of a task, one after the other."""
    if _can_be_compiled(task):
        return _run_compiled(task)
    if task.boards:
        return [_play_board(task, task.first + i, board) for i, board in enumerate(task.boards)]
    return [
        play(task.agent, task.level, task.rules, seed=task.seed, index=index, limit=task.limit)
        for index in range(task.first, task.first + task.games)
    ]


def _can_be_compiled(task: Task) -> bool:
    """Whether `Player` knows the agent, the rules and the boards."""
    if task.agent not in COMPILED or find_agent(task.agent) is not AGENTS[task.agent]:
        return False
    if task.rules.goes_on or not task.rules.flood:
        return False
    if task.boards:
        return all(board.starts for board in task.boards)
    return task.rules.first_click in RADIUS and task.level.mines is not None


def _play_board(task: Task, index: int, board: Layout) -> Result:
    """A given board: its start is opened first."""
    game = Game(board, Rules("any", task.rules.goes_on, task.rules.flood))
    for start in board.starts[:1]:
        game.open(start)
    return finish(task.agent, game, task.limit, seed=agent_seed(task.seed, index))


def _run_compiled(task: Task) -> list[Result]:
    player = Player(COMPILED[task.agent])
    first_risk = 0.0  # of a first click that the rules do not make safe: a guess like any other
    if task.boards:
        played = []
        for board in task.boards:
            grid = board.grid
            played.append(player.play(grid.rows, grid.cols, board.mask, grid.index(board.starts[0])))
    else:
        grid, mines, rule = task.level.grid, task.level.mines, task.rules.first_click
        assert mines is not None
        cell = first_click(Position.blank(grid, mines), task.rules)
        assert cell is not None
        start = grid.index(cell)
        played = player.play_seeded(grid.rows, grid.cols, mines, start, RADIUS[rule], task.seed, task.first, task.games)
        if rule == "any":
            first_risk = mines / len(grid)
    return [
        Result(won, False, guesses + (first_risk > 0), moves, int(not won), risk + first_risk, seconds, slowest)
        for won, guesses, moves, risk, seconds, slowest in played
    ]
