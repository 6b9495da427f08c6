"""Statistics of games: intervals, pairs, calibration, quantiles. All are running sums, which need little memory."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import exp, isnan, log, sqrt
from typing import TYPE_CHECKING, Any

from mineproof.arena.binomial import SIGNIFICANT, Z, binomial_tail, paired_score

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mineproof.arena.match import Result

BINS = 21
"""The number of bins of risk for calibration: around 0, 5, 10, … 100 %."""
ONE = 2**40
"""The whole number that stands for a share of 1."""
_BIN_WIDTH = log(1.02)  # bins of times are 2 % wide


def wilson(wins: float, games: int, z: float = Z) -> tuple[float, float]:
    """Return the 95 % interval of a win rate (Wilson, 1927).

    >>> [round(bound, 3) for bound in wilson(50, 100)]
    [0.404, 0.596]
    """
    if games == 0:
        return 0.0, 1.0
    share = wins / games
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games)) / (1 + z * z / games)
    return max(0.0, middle - half), min(1.0, middle + half)


def poisson(events: float) -> tuple[float, float]:
    """Return the 95 % interval of the expected number of events (Garwood, 1936, approximated by the cube root of Wilson
    and Hilferty, 1931).

    >>> [round(bound, 2) for bound in poisson(0)], [round(bound, 1) for bound in poisson(10)]
    ([0.0, 3.69], [4.8, 18.4])
    """
    if events == 0:
        return 0.0, log(40)
    low = events * max(0.0, 1 - 1 / (9 * events) - Z / (3 * sqrt(events))) ** 3
    more = events + 1
    return low, more * (1 - 1 / (9 * more) + Z / (3 * sqrt(more))) ** 3


@dataclass
class Pairs:
    """Two agents on the same boards: how often both won, only one of them, or neither."""

    both: int = 0
    first: int = 0
    """The number of games that only the first agent won."""
    second: int = 0
    """The number of games that only the second agent won."""
    neither: int = 0

    def add(self, first: Sequence[int], second: Sequence[int]) -> None:
        """Add games of both agents, board by board: whether each was won."""
        counts = Counter(zip(first, second, strict=True))
        self.both += counts[True, True]
        self.first += counts[True, False]
        self.second += counts[False, True]
        self.neither += counts[False, False]

    @property
    def games(self) -> int:
        """The number of boards that both agents played."""
        return self.both + self.first + self.second + self.neither

    @property
    def difference(self) -> tuple[float, float, float]:
        """How much more often the first agent wins, with the 95 % interval: the score interval of Tango (1998),
        extended to 0 if the exact test does not reject equal players. So it excludes 0 if and only if `p_value` is
        below 5 %.

        >>> [round(100 * number, 1) for number in Pairs(both=5, first=9, second=1, neither=85).difference]
        [8.0, 2.3, 15.4]
        """
        games = self.games
        if games == 0:
            return 0.0, -1.0, 1.0
        low, high = paired_score(self.first, self.second, games)
        if self.p_value >= SIGNIFICANT:
            low, high = min(low, 0.0), max(high, 0.0)
        return (self.first - self.second) / games, low, high

    @property
    def p_value(self) -> float:
        """The probability that equal players differ at least this much: the exact test of McNemar (1947).

        >>> round(Pairs(both=5, first=9, second=1).p_value, 9)
        0.021484375
        """
        split = self.first + self.second
        return min(1.0, 2 * binomial_tail(min(self.first, self.second), split))

    def fields(self) -> dict[str, Any]:
        """The fields for JSON."""
        return {
            "games": self.games,
            "both": self.both,
            "only_first": self.first,
            "only_second": self.second,
            "difference": [round(number, 6) for number in self.difference],
            "p_value": self.p_value,
        }

    def sentence(self, first: str, second: str, where: str) -> str:
        """Say whether one agent is better, and by how much. The test decides; the interval agrees."""
        share, low, high = (round(100 * number, 2) + 0.0 for number in self.difference)  # no -0.00
        rates = [100 * wins / max(1, self.games) for wins in (self.both + self.first, self.both + self.second)]
        win_rates = (
            f"on the same {self.games:,} boards of {where}, {first} wins {rates[0]:.2f} % and {second} {rates[1]:.2f} %"
        )
        test = f"{_p(self.p_value)} (exact McNemar)"
        if self.p_value >= SIGNIFICANT:
            return (
                f"{first} and {second} cannot be told apart: {win_rates}; the difference is {share:+.2f} points, 95 % "
                f"interval {low:+.2f} to {high:+.2f}, {test}."
            )
        better, worse = (first, second) if share > 0 else (second, first)
        low, high = sorted((abs(low), abs(high)))
        return (
            f"{better} is better than {worse}: {win_rates}, a difference of {abs(share):.2f} points, 95 % interval "
            f"{low:.2f} to {high:.2f}, {test}."
        )


def _p(value: float) -> str:
    return "p < 0.0001" if value < 0.0001 else f"p = {value:.4f}" if value < 2 * SIGNIFICANT else f"p = {value:.2f}"


class Quantiles:
    """Times counted in bins that are 2 % wide: quantiles are accurate to 2 %, and the longest time is exact.

    >>> times = Quantiles()
    >>> times.add(0.25)
    >>> times
    <Quantiles of 1 times: median 0.25 s, longest 0.25 s>
    """

    def __init__(self) -> None:
        self._bins: Counter[int] = Counter()
        self.most = 0.0

    def __repr__(self) -> str:
        return f"<Quantiles of {self._bins.total():,} times: median {self.at(0.5):.3g} s, longest {self.most:.3g} s>"

    def add(self, seconds: float) -> None:
        """Add a time."""
        self._bins[round(log(max(seconds, 1e-9)) / _BIN_WIDTH)] += 1
        self.most = max(self.most, seconds)

    def merge(self, other: Quantiles) -> None:
        """Add the times of ``other``."""
        self._bins.update(other._bins)
        self.most = max(self.most, other.most)

    def at(self, share: float) -> float:
        """Return the time that this share of all times does not exceed; 0 if there are no times."""
        left = share * self._bins.total()
        for bin_ in sorted(self._bins):
            left -= self._bins[bin_]
            if left <= 0:
                return min(self.most, exp(bin_ * _BIN_WIDTH))
        return self.most


@dataclass
class Tally:
    """Sums over all games of an agent on a level. Shares are added as whole numbers, so that order does not matter."""

    games: int = 0
    wins: int = 0
    stuck: int = 0
    guesses: int = 0
    moves: int = 0
    hits: int = 0
    score: int = 0
    """The sum of the scores."""
    unscored: int = 0
    """The number of games without a score."""
    faults: int = 0
    first_fault: tuple[int, str] | None = None
    """The first board that was lost by a fault, and the fault."""
    guessed: list[int] = field(default_factory=lambda: [0] * BINS)
    """The number of guesses, by bin of risk."""
    predicted: list[int] = field(default_factory=lambda: [0] * BINS)
    """The sum of the risks of all guesses, by bin of risk."""
    struck: list[int] = field(default_factory=lambda: [0] * BINS)
    """The number of guesses that opened a mine, by bin of risk."""
    microseconds: int = 0
    """The sum of the times of all games, each rounded to whole microseconds, as in records."""
    squares: int = 0
    """The sum of the squares of these times."""
    slowest: float = 0.0
    """The time of the slowest choice, in seconds."""
    times: Quantiles = field(default_factory=Quantiles)

    def add(self, results: Iterable[Result], first: int = 0) -> None:
        """Add games, on consecutive boards from ``first``."""
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
            microseconds = round(result.seconds * 1e6)
            self.microseconds += microseconds
            self.squares += microseconds**2
            self.slowest = max(self.slowest, result.slowest)
            self.times.add(result.seconds)

    def merge(self, other: Tally) -> None:
        """Add the games of another tally."""
        whole = "games", "wins", "stuck", "guesses", "moves", "hits", "score", "unscored", "faults"
        for name in (*whole, "microseconds", "squares"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in ("guessed", "predicted", "struck"):
            setattr(self, name, [a + b for a, b in zip(getattr(self, name), getattr(other, name), strict=True)])
        if other.first_fault is not None:
            self._note_fault(other.first_fault)
        self.slowest = max(self.slowest, other.slowest)
        self.times.merge(other.times)

    def _note_fault(self, fault: tuple[int, str]) -> None:
        self.first_fault = fault if self.first_fault is None else min(self.first_fault, fault)

    def __repr__(self) -> str:
        return f"<Tally: {self}>"

    def __str__(self) -> str:
        """Give the wins, and the win rate with its 95 % interval."""
        if not self.games:
            return "no games"
        rate, low, high = (100 * share for share in (self.wins / self.games, *wilson(self.wins, self.games)))
        stuck = f", {self.stuck:,} stuck" if self.stuck else ""
        faults = f", {self.faults:,} lost by a fault" if self.faults else ""
        return (
            f"{self.wins:,} of {self.games:,} games won{stuck}{faults}, {rate:.1f} % (95 %: {low:.1f} to {high:.1f} %)"
        )

    @property
    def seconds_per_game(self) -> tuple[float, float]:
        """The mean time of a game, and its standard deviation, which is 0 for fewer than two games."""
        games = max(1, self.games)
        variance = (games * self.squares - self.microseconds**2) / (games * max(1, games - 1))
        return self.microseconds / games / 1e6, sqrt(variance) / 1e6

    def calibration(self) -> list[dict[str, Any]]:
        """Compare the risks of guesses with the share that opened a mine, in a row per bin that occurred."""
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
        """The fields for JSON."""
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
            "seconds_per_game": [round(number, 9) for number in self.seconds_per_game],
            "game_ms": {f"p{round(100 * share)}": 1e3 * self.times.at(share) for share in (0.5, 0.9, 0.99)},
            "slowest_move_ms": 1e3 * self.slowest,
            "faults": self.faults,
            **({"first_fault": self.first_fault[1]} if self.first_fault is not None else {}),
        }
