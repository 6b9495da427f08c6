"""Win rates of agents with the luck of their guesses taken out.

A guess that is safe was lucky, and one that opens a mine was unlucky. Count a guess as 1 if it was safe and 0 if not,
and subtract its exact chance of being safe: the average is 0, whatever happened before. So this number, times any
factor that is fixed before the guess, may be subtracted from the result of the game: the mean stays the same, and its
error becomes smaller. The best factor is the chance of winning if the guess is safe. Here it is estimated by the win
rate of games that survived a guess as late in the game and about as risky, in the other half of the games, so that no
game influences its own correction. (Burch and others, 2018, do this for poker.)

Two agents are compared on the same boards with the same factors for both: while they play alike, their luck cancels.
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
"""The number of classes of guesses, by their number in the game and by their risk. Guesses of one class count as alike;
the last class of numbers has all later guesses."""


@dataclass(frozen=True, slots=True)
class WinRate:
    """Win rates, as shares of the games."""

    games: int
    won: float
    error: float
    """The standard error of ``won``."""
    fair: float
    """The win rate with the luck of guesses taken out."""
    fair_error: float

    NAME: ClassVar = "won"
    """The key of ``won`` in JSON."""

    def fields(self) -> dict[str, Any]:
        """The fields for JSON, with half the width of the 95 % intervals."""
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
    """How much more often one agent wins than another on the same boards: differences of win rates."""

    NAME: ClassVar = "more"

    def __str__(self) -> str:
        fair, half = 100 * self.fair, 100 * Z * self.fair_error
        raw, wide = 100 * self.won, 100 * Z * self.error
        return f"{fair:+.2f} ± {half:.2f} points without luck; {raw:+.2f} ± {wide:.2f} points on {self.games:,} boards"


def win_rate(results: Iterable[Result]) -> WinRate:
    """Return the win rate of games that end with the first mine. The risks of guesses must be exact, or NaN if unknown.

    >>> from mineproof import play
    >>> print(win_rate(play("lowest-risk", "5x5x5", "safe", seed=1, index=index) for index in range(100)))
    56.20 ± 7.67 % without luck; won 61.00 ± 9.61 % of 100 games
    """
    return _rate(_Games.read(enumerate(results)))


def lead(first: Iterable[tuple[int, Result]], second: Iterable[tuple[int, Result]]) -> Lead | None:
    """Return how much more often the first agent wins than the second; None if they have fewer than two boards in
    common. The results come with the numbers of their boards."""
    return _lead(_Games.read(first), _Games.read(second))


@dataclass(frozen=True, slots=True, eq=False)
class _Games:
    """Games of an agent, and all their guesses whose risk is known."""

    board: NDArray[np.int64]
    """The board of each game."""
    won: NDArray[np.float64]
    """1 for each game that was won, otherwise 0."""
    game: NDArray[np.int64]
    """The index of the game of each guess."""
    kind: NDArray[np.int64]
    """The class of each guess; those of one class have the same factor."""
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
        """Return only the games on these boards."""
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
    """Return the mean and its standard error."""
    return float(values.mean()), float(np.std(values, ddof=1)) / sqrt(len(values))


def _without_luck(*agents: _Games) -> list[NDArray[np.float64]]:
    """Return the results of each agent's games less their luck. All agents have the same number of games; the factors
    are estimated from all games together."""
    fair = [games.won.copy() for games in agents]
    kinds = NUMBERS * RISKS
    for half in (0, 1):
        survived, won = np.zeros(kinds), np.zeros(kinds)
        for games in agents:
            other = (games.game % 2 != half) & (games.struck == 0)
            survived += np.bincount(games.kind[other], minlength=kinds)
            won += np.bincount(games.kind[other], games.won[games.game[other]], kinds)
        factor = won / np.maximum(survived, 1)
        for games, results in zip(agents, fair, strict=True):
            own = games.game % 2 == half
            luck = factor[games.kind[own]] * (games.risk[own] - games.struck[own])
            results -= np.bincount(games.game[own], luck, len(results))
    return fair


def without_luck(folder: Path) -> tuple[list[tuple[str, str, WinRate | None]], list[tuple[str, str, str, Lead]]]:
    """Return the win rates of a run by level and agent, None where an agent's risks are not exact; and how much more
    often the first of two agents wins, by level and agents."""
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
            difference = _lead(played[first], played[second])
            if difference is not None:
                leads.append((level, first, second, difference))
    return rates, leads
