"""The binomial distribution without a normal approximation, and the interval of a difference of paired shares."""

from __future__ import annotations

from math import exp, lgamma, log, log1p, sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

SIGNIFICANT = 0.05
"""The significance level of every interval and test."""
Z = 1.959964
"""The half-width of a 95 % interval, in standard errors."""


def binomial_tail(most: int, trials: int, share: float = 0.5) -> float:
    """Return the probability of at most ``most`` successes in these trials, each with probability ``share``.

    >>> round(binomial_tail(1, 2), 12)
    0.75
    """
    if most >= trials:
        return 1.0
    return 0.0 if most < 0 else _beta(trials - most, most + 1, 1 - share)


def paired_score(first: int, second: int, games: int) -> tuple[float, float]:
    """Return the 95 % interval of the difference of two shares of the same games: all differences that the score test
    of Tango (1998) does not reject. ``first`` and ``second`` are the numbers of games that only one of the two won.

    >>> [round(bound, 3) for bound in paired_score(1, 7, 21)]  # Fagerland, Lydersen and Laake (2014)
    [-0.517, -0.026]
    """
    return -_highest(second, first, games), _highest(first, second, games)


def _highest(first: int, second: int, games: int) -> float:
    """Return the highest difference that the score test does not reject."""

    def rejected(share: float) -> bool:
        difference = 2 * share - 1
        # the most likely share that only the second wins, at this difference, is the root of a square equation
        half = (first + second - (2 * games - first + second) * difference) / (4 * games)
        only_second = half + sqrt(max(0.0, half * half + second * difference * (1 - difference) / (2 * games)))
        spread = sqrt(max(0.0, games * (2 * only_second + difference * (1 - difference))))
        return first - second - games * difference < -Z * spread

    return min(1.0, 2 * _crossing(rejected) - 1)


def _crossing(reached: Callable[[float], bool]) -> float:
    """Return the number from 0 to 1 at which a condition becomes true, by bisection."""
    low, high = 0.0, 1.0
    for _ in range(54):
        middle = (low + high) / 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    return high


def _beta(a: float, b: float, x: float) -> float:
    """Return the incomplete beta function by its continued fraction (DLMF 8.17.22), as Lentz (1976) evaluates it."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):  # the fraction converges slowly here, and its mirror image fast
        return 1 - _beta(b, a, 1 - x)
    value, c, d = 1.0, 1.0, 0.0
    for m in range(10**6):
        for coefficient in (
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
            (m + 1) * (b - m - 1) * x / ((a + 2 * m + 1) * (a + 2 * m + 2)),
        ):
            d = 1 / (1 + coefficient * d or 1e-300)
            c = 1 + coefficient / c or 1e-300
            value *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / (a * value)
