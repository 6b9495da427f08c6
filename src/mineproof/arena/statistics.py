"""What games say, and how sure: intervals, pairs, calibration, quantiles. All of it by adding up, in flat memory."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import comb, erfc, exp, isnan, log, sqrt
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mineproof.arena.match import Result

Z = 1.959964
"""Of 95 %."""
BINS = 21
"""Of risk, for calibration: around 0, 5, 10, … 100 %."""
ONE = 2**40
"""A share of 1, as a whole number."""
_STEP = log(1.02)  # times are counted in bins that are 2 % wide


def wilson(wins: int, games: int, z: float = Z) -> tuple[float, float]:
    """The 95 % interval of a win rate (Wilson, 1927).

    >>> [round(bound, 3) for bound in wilson(50, 100)]
    [0.404, 0.596]
    """
    if games == 0:
        return 0.0, 1.0
    share = wins / games
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games)) / (1 + z * z / games)
    return max(0.0, middle - half), min(1.0, middle + half)


@dataclass(slots=True)
class Pairs:
    """Two agents on the same boards: how often both won, only one of them, or neither."""

    both: int = 0
    first: int = 0
    second: int = 0
    neither: int = 0

    def add(self, first: Sequence[int], second: Sequence[int]) -> None:
        """Games of the first and of the second, board by board: whether they were won."""
        found = Counter(zip(first, second, strict=True))
        self.both += found[True, True]
        self.first += found[True, False]
        self.second += found[False, True]
        self.neither += found[False, False]

    @property
    def games(self) -> int:
        """Boards that both played."""
        return self.both + self.first + self.second + self.neither

    @property
    def difference(self) -> tuple[float, float, float]:
        """How much more often the first wins, with its 95 % interval (Bonett and Price, 2012)."""
        games = self.games
        if games == 0:
            return 0.0, -1.0, 1.0
        more, less = (self.first + 1) / (games + 2), (self.second + 1) / (games + 2)
        half = Z * sqrt((more + less - (more - less) ** 2) / (games + 2))
        return (self.first - self.second) / games, max(-1.0, more - less - half), min(1.0, more - less + half)

    @property
    def chance(self) -> float:
        """How likely equal players would differ at least as much (McNemar, 1947): exact for up to 1,000 games that only
        one of them won, by the normal law beyond.

        >>> Pairs(both=5, first=9, second=1).chance
        0.021484375
        """
        split = self.first + self.second
        if split == 0:
            return 1.0
        if split <= 1000:
            tail = sum(comb(split, wins) for wins in range(min(self.first, self.second) + 1))
            return float(min(1.0, 2 * tail / 2**split))
        return erfc(max(0, abs(self.first - self.second) - 1) / sqrt(2 * split))

    def fields(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "games": self.games,
            "both": self.both,
            "only_first": self.first,
            "only_second": self.second,
            "difference": [round(number, 6) for number in self.difference],
            "chance": self.chance,
        }

    def sentence(self, first: str, second: str, where: str) -> str:
        """Whether the first is better, by how much, how sure."""
        share, low, high = (100 * number for number in self.difference)
        rates = [100 * wins / max(1, self.games) for wins in (self.both + self.first, self.both + self.second)]
        told = (
            f"on the same {self.games:,} boards of {where}, {first} wins {rates[0]:.2f} % and {second} {rates[1]:.2f} %"
        )
        chance = self.chance
        if low <= 0 <= high or chance >= 0.05:
            return (
                f"{first} and {second} cannot be told apart: {told}; the difference is {share:+.2f} points (95 % "
                f"interval {low:+.2f} to {high:+.2f}), and luck alone does as much in {_percent(chance)}."
            )
        better, worse = (first, second) if share > 0 else (second, first)
        low, high = sorted((abs(low), abs(high)))
        return (
            f"{better} is better than {worse}: {told}, a difference of {abs(share):.2f} points (95 % interval "
            f"{low:.2f} to {high:.2f}); luck alone does as much in {_percent(chance)}."
        )


def _percent(chance: float) -> str:
    if chance < 0.0001:
        return "fewer than one case in 10,000"
    return f"{100 * chance:.0f} % of cases" if chance >= 0.1 else f"{100 * chance:.2g} % of cases"


class Quantiles:
    """Times, counted in bins that are 2 % wide: quantiles are right to 2 %, the largest exactly."""

    def __init__(self) -> None:
        self._bins: Counter[int] = Counter()
        self.most = 0.0

    def add(self, seconds: float) -> None:
        """Another time."""
        self._bins[round(log(max(seconds, 1e-9)) / _STEP)] += 1
        self.most = max(self.most, seconds)

    def merge(self, other: Quantiles) -> None:
        """The times of another."""
        self._bins.update(other._bins)
        self.most = max(self.most, other.most)

    def at(self, share: float) -> float:
        """The time that this share of all does not exceed; 0 when there are none."""
        left = share * self._bins.total()
        for bin_ in sorted(self._bins):
            left -= self._bins[bin_]
            if left <= 0:
                return min(self.most, exp(bin_ * _STEP))
        return self.most


@dataclass(slots=True)
class Tally:
    """All games of an agent on a level, added up. Shares are added up as whole numbers, so that no order matters."""

    games: int = 0
    wins: int = 0
    stuck: int = 0
    guesses: int = 0
    moves: int = 0
    hits: int = 0
    score: int = 0
    unscored: int = 0
    """Games whose score nobody kept."""
    faults: int = 0
    first_fault: tuple[int, str] | None = None
    """The first board that was lost by a fault, and by which."""
    guessed: list[int] = field(default_factory=lambda: [0] * BINS)
    """By bin of risk: guesses."""
    predicted: list[int] = field(default_factory=lambda: [0] * BINS)
    """By bin of risk: the risks of all guesses."""
    struck: list[int] = field(default_factory=lambda: [0] * BINS)
    """By bin of risk: guesses that opened a mine."""
    seconds: float = 0.0
    slowest: float = 0.0
    times: Quantiles = field(default_factory=Quantiles)

    def add(self, results: Iterable[Result], first: int = 0) -> None:
        """More games, on the boards from the first on."""
        for board, result in enumerate(results, start=first):
            self.games += 1
            self.wins += result.won
            self.stuck += result.stuck
            self.guesses += result.guesses
            self.moves += result.moves
            self.hits += result.hits
            if isnan(result.score):
                self.unscored += 1
            else:
                self.score += round(result.score * ONE)
            if result.fault:
                self.faults += 1
                self._note_fault((board, result.fault))
            for risk, struck in zip(result.risks, result.struck, strict=True):
                if not isnan(risk):
                    bin_ = round(min(1.0, max(0.0, risk)) * (BINS - 1))
                    self.guessed[bin_] += 1
                    self.predicted[bin_] += round(risk * ONE)
                    self.struck[bin_] += struck
            self.seconds += result.seconds
            self.slowest = max(self.slowest, result.slowest)
            self.times.add(result.seconds)

    def merge(self, other: Tally) -> None:
        """The games of another tally."""
        for name in ("games", "wins", "stuck", "guesses", "moves", "hits", "score", "unscored", "faults", "seconds"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in ("guessed", "predicted", "struck"):
            setattr(self, name, [a + b for a, b in zip(getattr(self, name), getattr(other, name), strict=True)])
        if other.first_fault is not None:
            self._note_fault(other.first_fault)
        self.slowest = max(self.slowest, other.slowest)
        self.times.merge(other.times)

    def _note_fault(self, fault: tuple[int, str]) -> None:
        self.first_fault = fault if self.first_fault is None else min(self.first_fault, fault)

    def calibration(self) -> list[dict[str, Any]]:
        """Of all guesses with a risk near r, did the share r open a mine? A row for each range that occurred."""
        rows = []
        for guessed, predicted, struck in zip(self.guessed, self.predicted, self.struck, strict=True):
            if guessed:
                low, high = wilson(struck, guessed)
                rows.append(
                    {
                        "guesses": guessed,
                        "struck": struck,
                        "predicted": round(predicted / ONE / guessed, 6),
                        "realised": [round(number, 6) for number in (struck / guessed, low, high)],
                    }
                )
        return rows

    def fields(self) -> dict[str, Any]:
        """As JSON has it."""
        games = max(1, self.games)
        known = sum(self.guessed)
        return {
            "games": self.games,
            "wins": self.wins,
            "stuck": self.stuck,
            "win_rate": [round(number, 6) for number in (self.wins / games, *wilson(self.wins, self.games))],
            "guesses": self.guesses / games,
            "moves": self.moves / games,
            "hits": self.hits / games,
            "score": None if self.unscored else self.score / ONE / games,
            "risk_taken": sum(self.predicted) / ONE / known if known else None,
            "risk_realised": sum(self.struck) / known if known else None,
            "calibration": self.calibration(),
            "game_ms": {f"p{round(100 * share)}": 1e3 * self.times.at(share) for share in (0.5, 0.9, 0.99)},
            "slowest_move_ms": 1e3 * self.slowest,
            "faults": self.faults,
            **({"first_fault": self.first_fault[1]} if self.first_fault is not None else {}),
        }
