"""How often an agent wins, with the luck of its guesses taken out.

A guess that is safe was lucky, and one that opens a mine unlucky. With its exact risk, *safe or not, less the chance of
being safe* is 0 on average, whatever happened before. So that number, times any factor that is fixed before the guess,
may be taken from the result of the game: the mean stays the same, and scatters less. The best factor is the chance of
winning if the guess is safe. Here it is the win rate of games that survived a guess as late in the game and about as
risky; in the other half of the games, so that no game has a say in its own correction. (Burch and others, 2018, do this
for poker.)
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from mineproof.agents.registry import find_agent, label
from mineproof.arena.binomial import Z
from mineproof.arena.records import every_game, read_manifest
from mineproof.board.rules import Rules
from mineproof.errors import InvalidArgument

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

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

    def fields(self) -> dict[str, Any]:
        """The fields for JSON; intervals are half of 95 % ones."""
        return {
            "games": self.games,
            "won": self.won,
            "half_interval": Z * self.error,
            "without_luck": self.fair,
            "without_luck_half_interval": Z * self.fair_error,
        }

    def __str__(self) -> str:
        fair, half = 100 * self.fair, 100 * Z * self.fair_error
        raw, wide = 100 * self.won, 100 * Z * self.error
        return f"{fair:.2f} ± {half:.2f} % without luck; won {raw:.2f} ± {wide:.2f} % of {self.games:,} games"


def win_rate(results: Iterable[Result]) -> WinRate:
    """The win rate of games in which a mine is the end, and the risks of guesses are exact (or unknown: NaN).

    >>> from mineproof import play
    >>> print(win_rate(play("best", "5x5x5", "safe", seed=1, index=index) for index in range(100)))
    58.48 ± 6.82 % without luck; won 58.00 ± 9.72 % of 100 games
    """
    won, counts, risks, struck = map(np.array, _columns(results))
    games = len(won)
    if games < 2:
        raise InvalidArgument("a win rate needs at least two games")
    game = np.repeat(np.arange(games), counts)
    number = np.arange(len(game)) - np.repeat(np.cumsum(counts) - counts, counts)
    known = ~np.isnan(risks)
    game, number, risks, struck = game[known], number[known], risks[known], struck[known]
    kind = np.minimum(number, NUMBERS - 1) * RISKS + np.minimum(risks * RISKS, RISKS - 1).astype(int)
    luck = np.zeros(games)
    for half in (0, 1):
        other = (game % 2 != half) & (struck == 0)
        survived = np.bincount(kind[other], minlength=NUMBERS * RISKS)
        factor = np.bincount(kind[other], won[game[other]], NUMBERS * RISKS) / np.maximum(survived, 1)
        mine = game % 2 == half
        luck += np.bincount(game[mine], factor[kind[mine]] * (risks[mine] - struck[mine]), games)
    fair = won - luck
    errors = (float(np.std(values, ddof=1)) / sqrt(games) for values in (won, fair))
    return WinRate(games, float(won.mean()), next(errors), float(fair.mean()), next(errors))


def _columns(results: Iterable[Result]) -> tuple[array[float], array[int], array[float], array[int]]:
    """Won, number of guesses, risks, mines; the last two for all games in a row."""
    won, counts, risks, struck = array("d"), array("i"), array("d"), array("b")
    for result in results:
        won.append(result.won)
        counts.append(result.guesses)
        risks.extend(result.risks)
        struck.extend(result.struck)
    return won, counts, risks, struck


def win_rates(folder: Path) -> Iterator[tuple[str, str, WinRate | None]]:
    """Of a run: level, agent and win rate; None where the agent's risks are not exact."""
    manifest = read_manifest(folder)
    if Rules.parse(manifest["rules"]).continues:
        raise InvalidArgument("luck can be taken out only of games that a mine ends")
    for level in manifest["levels"]:
        for agent, _ in manifest["agents"]:
            exact = find_agent(agent).looks_ahead is not None
            yield level, label(agent), win_rate(every_game(folder, manifest, level, agent)) if exact else None
