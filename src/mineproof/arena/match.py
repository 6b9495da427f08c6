"""A match: one agent plays one game."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from math import fsum, isnan, nan
from typing import TYPE_CHECKING

from mineproof.agents.agent import Decision, check_choose, close, is_outside, reset
from mineproof.agents.registry import spec_of
from mineproof.agents.systems import System
from mineproof.board.game import Game, State
from mineproof.board.ids import GameId
from mineproof.errors import AgentFault, IllegalMove, InvalidArgument, MineproofError, shorten
from mineproof.limit import DEFAULT, Limit
from mineproof.plural import plural
from mineproof.seat.seat import Seat
from mineproof.seat.turn import is_done, take_turn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mineproof.agents.registry import AgentLike
    from mineproof.board.game import Replay
    from mineproof.board.layout import Layout
    from mineproof.board.level import Level
    from mineproof.board.move import Move
    from mineproof.board.rules import Rules


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a game."""

    won: bool
    stuck: bool
    """Whether the agent stopped with safe cells still closed."""
    moves: int
    """The number of moves that open cells."""
    hits: int
    """The number of mines opened."""
    score: float
    """The share of mines identified: flagged, or left closed on a cleared board; NaN if the game was lost and they were
    not counted."""
    risks: tuple[float, ...]
    """The risk of each guess as the agent estimated it; NaN if unknown."""
    struck: tuple[bool, ...]
    """For each guess, whether it opened a mine."""
    seconds: float
    slowest: float
    """The time of the slowest choice, in seconds."""
    fault: str = ""
    """The fault by which an outside program lost the game."""
    replay: Replay | None = field(default=None, repr=False, compare=False)
    """The replay that `play` returns; None in a tournament."""

    def __str__(self) -> str:
        """Say how the game ended.

        >>> print(play("best", "beginner", "opening", seed=1))
        won after 14 moves and no guesses
        """
        end = "a fault" if self.fault else "won" if self.won else "stuck" if self.stuck else "lost"
        moves = plural(self.moves, "move")
        guesses = plural(self.guesses, "guess", "guesses") if self.guesses else "no guesses"
        return f"{end} after {moves} and {guesses}{self.fault and f': {self.fault}'}"

    @property
    def guesses(self) -> int:
        """The number of guesses."""
        return len(self.risks)

    @property
    def risk(self) -> float:
        """The sum of the known risks of all guesses."""
        return fsum(risk for risk in self.risks if not isnan(risk))


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """A decision, those of its moves that were played, and how long it took."""

    decision: Decision
    played: tuple[Move, ...]
    seconds: float
    """The time of the decision, in seconds; 0 for a first click that the match made."""


def play(
    agent: AgentLike,
    level: Level | Layout | Game | str | None = None,
    rules: Rules | str | None = None,
    *,
    seed: int | None = None,
    index: int = 0,
    limit: Limit = DEFAULT,
) -> Result:
    """Play a game to its end: a new one, by default at expert, or one that has been started. If the first click is
    safe, by the rules or because the board names its start, the match makes it. A system of a report plays by its own
    rules, and by default at its first level.

    >>> result = play("best", "beginner", "opening", seed=1)
    >>> result.won, len(result.replay.moves), str(result.replay.id)
    (True, 24, 'beginner/opening#1')
    >>> from mineproof import SYSTEMS
    >>> result = play(SYSTEMS["lee"], seed=1)
    >>> result.won, str(result.replay.id)
    (True, 'beginner/given:sqrt+no-flood#1')
    """
    if isinstance(agent, System):
        level = agent.levels[0] if level is None else level
        rules = agent.rules if rules is None and not isinstance(level, Game) else rules
    if isinstance(level, Game):
        if rules is not None or seed is not None:
            raise InvalidArgument("a game already has its rules and seed")
        game = level
    else:
        game = Game("expert" if level is None else level, rules, seed=seed, index=index)
    return replace(finish(agent, game, limit), replay=game.replay())


def finish(
    agent: AgentLike, game: Game, limit: Limit = DEFAULT, *, seed: int | None = None, guesses: bool = True
) -> Result:
    """Play a game from its current state until it is over or the agent is stuck; without ``guesses``, the agent is
    stuck where it would guess. Then the caller may move, and call this again.

    >>> game = Game("intermediate", "opening", seed=2)
    >>> finish("sat", game).stuck       # the solver has no certain move left
    True
    >>> cell = game.position.where("H")[0]
    >>> _ = game.open(cell)             # a person opens a cell, and the solver continues
    >>> finish("sat", game).moves
    0
    """
    if not isinstance(game, Game):
        raise InvalidArgument(f"finish takes an agent and a game, not {shorten(game)}; play takes a level")
    player = spec_of(agent).make()
    moves, hits, slowest, fault = 0, game.hits, 0.0, ""
    risks, struck = [], []
    start = time.perf_counter()
    try:
        for turn in turns(player, game, limit, seed=seed, guesses=guesses):
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
        close(player)  # the program may be in an undefined state
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
    """Return the share of mines that were identified: on a cleared board, all that were not opened."""
    if game.state in (State.WON, State.CLEARED):
        return 1 - game.hits / max(1, game.mines)
    return game.score


def agent_seed(seed: int, index: int) -> int:
    """Return the seed of an agent's random choices in game ``index`` of a seed."""
    return seed * 1_000_003 + index


def turns(
    agent: AgentLike, game: Game, limit: Limit = DEFAULT, *, seed: int | None = None, guesses: bool = True
) -> Iterator[PlayedTurn]:
    """Play a game turn by turn, until it is over or the agent is stuck; without ``guesses``, until it would guess.

    The seed is for the agent's random choices; by default it comes from the id of the game.
    """
    spec = spec_of(agent)
    player = spec.make()
    check_choose(player, spec.name)
    subject = "the agent" if is_outside(player) else f"the agent {spec.name}"
    if seed is None:
        game_id = GameId.parse(game.id)
        seed = agent_seed(game_id.seed, game_id.index)
    try:
        reset(player, seed)
        for _ in range(4 * len(game.grid) + 10):  # whoever needs more turns is only moving flags
            if game.over:
                return
            start = time.perf_counter()
            seat = Seat.at(game)
            decision = take_turn(seat, player, limit).decision
            seconds = time.perf_counter() - start if seat.first is None else 0.0
            if not (decision.certain or guesses):
                return
            played = []
            for move in decision.moves:
                if game.over:
                    break
                if move.cell is None:
                    raise IllegalMove(f"{subject} chose {move}, but an agent cannot {move}")
                try:
                    if is_done(move, seat.position[move.cell], game[move.cell]):
                        continue
                    game.play(move)
                except MineproofError as failure:
                    raise IllegalMove(f"{subject} chose {move}, but {failure}") from None
                played.append(move)
            if decision.moves and not played:  # the agent would choose the same again
                raise IllegalMove(f"{subject} chose {decision.moves[0]}, but {decision.moves[0].cell} is already open")
            yield PlayedTurn(decision, tuple(played), seconds)
            if not played:
                return
    finally:
        if player is not agent:
            close(player)
