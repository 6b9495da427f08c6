"""The binomial law against whole numbers, which are slow and exact; the paired interval by what it promises."""

from __future__ import annotations

from fractions import Fraction
from math import comb, log, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mineproof.arena.binomial import binomial_tail, paired_score
from mineproof.arena.statistics import Pairs


def plain_tail(most: int, trials: int, share: Fraction) -> Fraction:
    return sum(
        (comb(trials, wins) * share**wins * (1 - share) ** (trials - wins) for wins in range(most + 1)), Fraction(0)
    )


@given(st.integers(0, 120), st.integers(0, 120), st.integers(1, 99))
def test_the_tail_is_exact(most: int, trials: int, percent: int) -> None:
    wanted = float(plain_tail(min(most, trials), trials, Fraction(percent, 100)))
    assert binomial_tail(most, trials, percent / 100) == pytest.approx(wanted, rel=1e-9, abs=1e-14)


@pytest.mark.parametrize(("most", "trials"), [(460, 1001), (4900, 10_000), (2, 5000), (9999, 20_000)])
def test_the_tail_of_many_trials(most: int, trials: int) -> None:
    ways, term = 1, 1
    for wins in range(most):
        term = term * (trials - wins) // (wins + 1)
        ways += term
    wanted = float(Fraction(ways, 2**trials))
    assert binomial_tail(most, trials) == pytest.approx(wanted, rel=1e-8)


def test_the_tail_of_more_trials_than_anybody_plays() -> None:
    assert binomial_tail(5 * 10**9, 10**10) == pytest.approx(0.5, abs=1e-4)
    assert 0.9 < binomial_tail(5 * 10**9 + 10**5, 10**10) < 1


def score(first: int, second: int, games: int, difference: float) -> float:
    """The test statistic of Tango, with the most likely shares found by plain search."""
    low, high = max(0.0, -difference), (1 - difference) / 2  # of the share that only the second wins

    def likelihood(share: float) -> float:
        logs = [(first, share + difference), (second, share), (games - first - second, 1 - 2 * share - difference)]
        return sum(count * log(max(part, 1e-300)) for count, part in logs if count)

    for _ in range(200):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, right) if likelihood(left) > likelihood(right) else (left, high)
    return (first - second - games * difference) / sqrt(games * (2 * low + difference - difference * difference))


@pytest.mark.parametrize(
    ("first", "second", "games", "low", "high"),
    [(1, 7, 21, -0.517, -0.026), (12, 2, 50, 0.0611, 0.3447)],  # Fagerland and others 2014; Newcombe 1998
)
def test_the_paired_interval_of_the_literature(first: int, second: int, games: int, low: float, high: float) -> None:
    assert paired_score(first, second, games) == pytest.approx((low, high), abs=6e-4)


@pytest.mark.parametrize(("first", "second", "games"), [(9, 1, 100), (3, 5, 8), (40, 20, 160), (7, 7, 30), (5, 0, 60)])
def test_the_paired_interval_is_where_the_score_test_rejects(first: int, second: int, games: int) -> None:
    low, high = paired_score(first, second, games)
    assert score(first, second, games, low) == pytest.approx(1.959964, abs=1e-4)
    assert score(first, second, games, high) == pytest.approx(-1.959964, abs=1e-4)
    assert paired_score(second, first, games) == (-high, -low)


def test_the_paired_interval_at_the_ends() -> None:
    assert paired_score(0, 0, 100) == pytest.approx((-0.037, 0.037), abs=1e-4)  # that of Wilson for 0 of 100
    assert paired_score(5, 0, 5) == pytest.approx((0.131, 1.0), abs=1e-3)
    assert paired_score(10**9 + 10**6, 10**9, 10**11) == pytest.approx((9.1e-6, 1.09e-5), rel=0.01)


@pytest.mark.parametrize("games", [20, 45])
def test_the_paired_interval_covers_the_difference_in_95_percent_of_all_outcomes(games: int) -> None:
    outcomes = {
        (first, second): Pairs(first=first, second=second, neither=games - first - second).difference
        for first in range(games + 1)
        for second in range(games + 1 - first)
    }
    found = []
    for only_first, only_second in [(0.3, 0.1), (0.2, 0.2), (0.1, 0.02), (0.05, 0.15), (0.5, 0.25), (0.04, 0.04)]:
        covered = 0.0
        for (first, second), (_, low, high) in outcomes.items():
            if low <= only_first - only_second <= high:
                ways = comb(games, first) * comb(games - first, second)
                rest = (1 - only_first - only_second) ** (games - first - second)
                covered += ways * only_first**first * only_second**second * rest
        found.append(covered)
    assert min(found) > 0.93
    assert 0.945 < sum(found) / len(found) < 0.985


@pytest.mark.parametrize(("only_first", "only_second"), [(0.12, 0.09), (0.02, 0.005), (0.07, 0.07)])
def test_the_paired_interval_covers_the_difference_in_95_percent_of_all_runs(
    only_first: float, only_second: float
) -> None:
    shares = [only_first, only_second, 1 - only_first - only_second]
    runs = np.random.default_rng(1).multinomial(1000, shares, size=2000).tolist()
    intervals = [Pairs(first=first, second=second, neither=neither).difference for first, second, neither in runs]
    covered = sum(low <= only_first - only_second <= high for _, low, high in intervals)
    assert 0.935 < covered / len(runs) < 0.975


@given(st.integers(0, 300), st.integers(0, 300), st.integers(0, 300))
def test_the_interval_agrees_with_the_test(first: int, second: int, others: int) -> None:
    pairs = Pairs(both=others, first=first, second=second)
    _, low, high = pairs.difference
    assert (low <= 0 <= high) == (pairs.p_value >= 0.05)


def test_the_score_test_rejects_whatever_the_exact_test_rejects() -> None:
    """So the interval never has to be cut: where they differ, it is extended to 0."""
    for split in range(6, 1500):
        few = next(few for few in range(split, -1, -1) if few * 2 < split and 2 * binomial_tail(few, split) < 0.05)
        assert split - 2 * few > 1.959964 * sqrt(split)


def test_a_borderline_case_is_decided_by_the_exact_test() -> None:
    borderline = Pairs(both=50, first=5, second=0, neither=45)
    assert paired_score(5, 0, 100)[0] > 0
    assert borderline.p_value == pytest.approx(0.0625)
    assert borderline.difference[1] == 0
