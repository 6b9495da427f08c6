"""One agent, one board, one game."""

from __future__ import annotations

import time
from dataclasses import dataclass
from math import fsum, isnan, nan
from typing import TYPE_CHECKING

from mineproof.agents.agent import Agent, Decision, close, is_outside
from mineproof.agents.first_click import first_click
from mineproof.agents.registry import find_agent
from mineproof.board.game import Game, State
from mineproof.board.ids import GameId
from mineproof.board.move import Move
from mineproof.errors import AgentFault, IllegalMove, MineproofError
from mineproof.limit import DEFAULT, Limit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mineproof.board.layout import Layout
    from mineproof.board.level import Level
    from mineproof.board.rules import Rules


@dataclass(frozen=True, slots=True)
class Result:
    """How a game went."""

    won: bool
    stuck: bool
    """The agent handed over with safe cells still closed."""
    moves: int
    """Clicks that open."""
    hits: int
    """Mines opened."""
    score: float
    """Mines identified, as a share of all: flagged, or left closed on a board that was cleared; NaN where the game was
    lost and nobody kept count."""
    risks: tuple[float, ...]
    """Of each guess, as the agent saw it; NaN where it did not know."""
    struck: tuple[bool, ...]
    """For each guess, whether it opened a mine."""
    seconds: float
    slowest: float
    """Seconds of the longest choice."""
    fault: str = ""
    """What a program from outside did wrong; it lost the game by that."""

    @property
    def guesses(self) -> int:
        """How many moves were not proved."""
        return len(self.risks)

    @property
    def risk(self) -> float:
        """Of all guesses, added up, as far as the agent knew."""
        return fsum(risk for risk in self.risks if not isnan(risk))


@dataclass(frozen=True, slots=True)
class Turn:
    """A decision, the moves of it that were played, and how long it took."""

    decision: Decision
    played: tuple[Move, ...]
    seconds: float


def play(
    agent: Agent | str,
    board: Level | Layout | str = "expert",
    rules: Rules | str | None = None,
    *,
    seed: int | None = None,
    index: int = 0,
    limit: Limit = DEFAULT,
) -> Result:
    """Play a game to its end. The first click is the match's where the rules make it safe.

    >>> play("best", "beginner", "opening", seed=1).won
    True
    """
    return finish(agent, Game(board, rules, seed=seed, index=index), limit)


def finish(agent: Agent | str, game: Game, limit: Limit = DEFAULT, *, seed: int | None = None) -> Result:
    """Play a game from where it stands."""
    player = find_agent(agent).make() if isinstance(agent, str) else agent
    moves, hits, slowest, fault = 0, game.hits, 0.0, ""
    risks, struck = [], []
    start = time.perf_counter()
    try:
        for turn in turns(player, game, limit, seed=seed):
            clicks = sum(move.kind in ("open", "chord") for move in turn.played)
            moves += clicks
            slowest = max(slowest, turn.seconds)
            if not turn.decision.certain and clicks:
                risks.append(nan if turn.decision.risk is None else turn.decision.risk)
                struck.append(game.hits > hits)
            hits = game.hits
    except (AgentFault, IllegalMove) as failure:
        if not is_outside(player):
            raise
        fault = str(failure).encode(errors="backslashreplace").decode()[:300]
        close(player)  # it may be in the middle of anything
    finally:
        if player is not agent:
            close(player)
    return Result(
        won=game.state is State.WON,
        stuck=game.state is State.PLAYING and not fault,
        moves=moves,
        hits=game.hits,
        score=identified(game),
        risks=tuple(risks),
        struck=tuple(struck),
        seconds=time.perf_counter() - start,
        slowest=slowest,
        fault=fault,
    )


def identified(game: Game) -> float:
    """The share of the mines that were found: on a cleared board, all that were not opened."""
    if game.state in (State.WON, State.CLEARED):
        return 1 - game.hits / max(1, game.mines)
    return game.score


def agent_seed(seed: int, index: int) -> int:
    """What an agent's own chance is seeded with, in game ``index`` of a seed."""
    return seed * 1_000_003 + index


def turns(agent: Agent | str, game: Game, limit: Limit = DEFAULT, *, seed: int | None = None) -> Iterator[Turn]:
    """Play a game turn by turn, until it is over or the agent is stuck.

    The seed is for what the agent does at random; without one it comes from the id of the game.
    """
    player = find_agent(agent).make() if isinstance(agent, str) else agent
    if seed is None:
        game_id = GameId.parse(game.id)
        seed = agent_seed(game_id.seed, game_id.index)
    try:
        player.reset(seed)
        cell = first_click(game.position, game.rules)
        if cell is not None and game.rules.laid_after_click:
            move = Move("open", cell)
            game.play(move)
            yield Turn(Decision((move,), certain=True, risk=0.0), (move,), 0.0)
        for _ in range(4 * len(game.grid) + 10):  # whoever has not ended by then only moves flags about
            if game.over:
                return
            start = time.perf_counter()
            decision = player.choose(game.position, limit)
            took = time.perf_counter() - start
            played = []
            for move in decision.moves:
                if game.over:
                    break
                if move.cell is None:
                    raise IllegalMove(f"an agent cannot {move}")
                try:
                    if move.kind == "open" and game[move.cell].isdigit():
                        continue  # a zero has opened it
                    game.play(move)
                except MineproofError as failure:
                    raise IllegalMove(f"the agent chose {move}, but {failure}") from None
                played.append(move)
            yield Turn(decision, tuple(played), took)
            if not played:
                return
    finally:
        if player is not agent:
            close(player)
