"""How often an agent wins, with the luck of its guesses taken out.

A guess that is safe was lucky, and one that opens a mine unlucky. With its exact risk, *safe or not, less the chance of
being safe* is 0 on average, whatever happened before. So that number, times any factor that is fixed before the guess,
may be taken from the result of the game: the mean stays the same, and scatters less. The best factor is the chance of
winning if the guess is safe. Here it is the win rate of games that survived a guess as late in the game and about as
risky; in the other half of the games, so that no game has a say in its own correction. (Burch and others, 2018, do this
for poker.)

Two agents on the same boards are compared in the same way, with the same factors for both: as long as they play alike,
so is their luck.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from mineproof.agents.registry import find_agent, label
from mineproof.arena.binomial import Z
from mineproof.arena.records import every_game, read_manifest
from mineproof.board.rules import Rules
from mineproof.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from numpy.typing import NDArray

    from mineproof.arena.match import Result

NUMBERS, RISKS = 12, 40
"""Guesses are alike if their numbers in the game (later ones are one) and their risks, cut into this many, are."""


@dataclass(frozen=True, slots=True)
class WinRate:
    """Win rates, as shares of the games."""

    games: int
    won: float
    error: float
    """Its standard error."""
    fair: float
    """With the luck of guesses taken out."""
    fair_error: float

    NAME: ClassVar = "won"
    """Of ``won``, in JSON."""

    def fields(self) -> dict[str, Any]:
        """The fields for JSON; intervals are half of 95 % ones."""
        return {
            "games": self.games,
            self.NAME: self.won,
            "half_interval": Z * self.error,
            "without_luck": self.fair,
            "without_luck_half_interval": Z * self.fair_error,
        }

    def __str__(self) -> str:
        fair, half = 100 * self.fair, 100 * Z * self.fair_error
        raw, wide = 100 * self.won, 100 * Z * self.error
        return f"{fair:.2f} ± {half:.2f} % without luck; won {raw:.2f} ± {wide:.2f} % of {self.games:,} games"


@dataclass(frozen=True, slots=True)
class Lead(WinRate):
    """What one agent wins more often than another on the same boards: differences of win rates."""

    NAME: ClassVar = "more"

    def __str__(self) -> str:
        fair, half = 100 * self.fair, 100 * Z * self.fair_error
        raw, wide = 100 * self.won, 100 * Z * self.error
        return f"{fair:+.2f} ± {half:.2f} points without luck; {raw:+.2f} ± {wide:.2f} points on {self.games:,} boards"


def win_rate(results: Iterable[Result]) -> WinRate:
    """The win rate of games in which a mine is the end, and the risks of guesses are exact (or unknown: NaN).

    >>> from mineproof import play
    >>> print(win_rate(play("lowest-risk", "5x5x5", "safe", seed=1, index=index) for index in range(100)))
    56.20 ± 7.67 % without luck; won 61.00 ± 9.61 % of 100 games
    """
    return _rate(_Games.read(enumerate(results)))


def lead(first: Iterable[tuple[int, Result]], second: Iterable[tuple[int, Result]]) -> Lead | None:
    """What the first agent wins more often than the second, by games with their boards; None if they have fewer than
    two boards in common."""
    return _lead(_Games.read(first), _Games.read(second))


@dataclass(frozen=True, slots=True, eq=False)
class _Games:
    """Games of an agent, and all their guesses whose risk is known."""

    board: NDArray[np.int64]
    won: NDArray[np.float64]
    game: NDArray[np.int64]
    """For each guess, the index of its game."""
    kind: NDArray[np.int64]
    """For each guess; those of one kind have one factor."""
    risk: NDArray[np.float64]
    struck: NDArray[np.int8]

    @classmethod
    def read(cls, results: Iterable[tuple[int, Result]]) -> _Games:
        boards, won, counts, risks, struck = array("q"), array("d"), array("i"), array("d"), array("b")
        for board, result in results:
            boards.append(board)
            won.append(result.won)
            counts.append(result.guesses)
            risks.extend(result.risks)
            struck.extend(result.struck)
        count, risk = np.array(counts), np.array(risks)
        game = np.repeat(np.arange(len(won)), count)
        number = np.arange(len(game)) - np.repeat(np.cumsum(count) - count, count)
        known = ~np.isnan(risk)
        risk = risk[known]
        kind = np.minimum(number[known], NUMBERS - 1) * RISKS + np.minimum(risk * RISKS, RISKS - 1).astype(int)
        return cls(np.array(boards), np.array(won), game[known], kind, risk, np.array(struck)[known])

    def on(self, boards: NDArray[np.int64]) -> _Games:
        """Only the games on these boards."""
        kept = np.isin(self.board, boards)
        guesses = kept[self.game]
        game = (np.cumsum(kept) - 1)[self.game[guesses]]
        return _Games(
            self.board[kept], self.won[kept], game, self.kind[guesses], self.risk[guesses], self.struck[guesses]
        )


def _rate(games: _Games) -> WinRate:
    if len(games.won) < 2:
        raise InvalidArgument("a win rate needs at least two games")
    (fair,) = _without_luck(games)
    return WinRate(len(fair), *_mean(games.won), *_mean(fair))


def _lead(first: _Games, second: _Games) -> Lead | None:
    common = np.intersect1d(first.board, second.board)
    if len(common) < 2:
        return None
    first, second = first.on(common), second.on(common)
    fair, other_fair = _without_luck(first, second)
    return Lead(len(common), *_mean(first.won - second.won), *_mean(fair - other_fair))


def _mean(values: NDArray[np.float64]) -> tuple[float, float]:
    """And its standard error."""
    return float(values.mean()), float(np.std(values, ddof=1)) / sqrt(len(values))


def _without_luck(*agents: _Games) -> list[NDArray[np.float64]]:
    """The results of agents that have played as many games, less their luck; what guesses are worth is learnt from all
    of them together."""
    found = [games.won.copy() for games in agents]
    kinds = NUMBERS * RISKS
    for half in (0, 1):
        survived, won = np.zeros(kinds), np.zeros(kinds)
        for games in agents:
            other = (games.game % 2 != half) & (games.struck == 0)
            survived += np.bincount(games.kind[other], minlength=kinds)
            won += np.bincount(games.kind[other], games.won[games.game[other]], kinds)
        factor = won / np.maximum(survived, 1)
        for games, fair in zip(agents, found, strict=True):
            mine = games.game % 2 == half
            luck = factor[games.kind[mine]] * (games.risk[mine] - games.struck[mine])
            fair -= np.bincount(games.game[mine], luck, len(fair))
    return found


def without_luck(folder: Path) -> tuple[list[tuple[str, str, WinRate | None]], list[tuple[str, str, str, Lead]]]:
    """Of a run: level, agent and win rate, which is None where the agent's risks are not exact; and level, two agents
    and what the first of them wins more often."""
    manifest = read_manifest(folder)
    if Rules.parse(manifest["rules"]).continues:
        raise InvalidArgument("luck can be taken out only of games that a mine ends")
    rates: list[tuple[str, str, WinRate | None]] = []
    leads = []
    for level in manifest["levels"]:
        played = {}
        for agent, _ in manifest["agents"]:
            if find_agent(agent).looks_ahead is None:
                rates.append((level, label(agent), None))
                continue
            played[label(agent)] = games = _Games.read(every_game(folder, manifest, level, agent))
            rates.append((level, label(agent), _rate(games)))
        for first, second in combinations(played, 2):
            found = _lead(played[first], played[second])
            if found:
                leads.append((level, first, second, found))
    return rates, leads
