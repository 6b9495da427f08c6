"""Statistics against what is known, and against plain counting."""

from __future__ import annotations

import random
from math import nan
from statistics import mean, stdev

import pytest

from mineproof import Rules
from mineproof.arena.match import Result
from mineproof.arena.statistics import Pairs, Quantiles, Tally, wilson
from mineproof.arena.tournament import Plan, tournament
from mineproof.board.level import Level
from support.sizes import size


def game(won: bool, *guesses: tuple[float, bool], seconds: float = 0.1) -> Result:
    risks, struck = zip(*guesses, strict=True) if guesses else ((), ())
    return Result(won, not won, 10, 0, 1.0 if won else 0.5, risks, struck, seconds, seconds)


def test_intervals() -> None:
    assert wilson(0, 10) == pytest.approx((0.0, 0.2775), abs=1e-4)
    assert wilson(10, 10)[1] == pytest.approx(1)
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=1e-4)  # Newcombe 1998


def test_wilson_holds_what_it_promises() -> None:
    rng = random.Random(1)
    inside = 0
    for _ in range(1000):
        low, high = wilson(sum(rng.random() < 0.4 for _ in range(200)), 200)
        inside += low <= 0.4 <= high
    assert 920 <= inside <= 980


def test_pairs() -> None:
    pairs = Pairs()
    pairs.add([True, True, False, False, True], [True, False, True, False, False])
    assert (pairs.both, pairs.first, pairs.second, pairs.neither, pairs.games) == (1, 2, 1, 1, 5)
    assert pairs.difference[0] == pytest.approx(0.2)
    assert pairs.difference[1] < 0 < pairs.difference[2]
    assert pairs.p_value == 1.0
    assert Pairs().p_value == 1.0
    assert Pairs(first=10).p_value == pytest.approx(2 / 2**10)
    assert Pairs(first=9000, second=1).p_value < 1e-9
    assert set(pairs.fields()) == {"games", "both", "only_first", "only_second", "difference", "p_value"}


def test_a_comparison_is_a_sentence() -> None:
    better = Pairs(both=300, first=200, second=100, neither=400).sentence("a", "b", "expert")
    assert better == (
        "a is better than b: on the same 1,000 boards of expert, a wins 50.00 % and b 40.00 %, a difference of 10.00 "
        "points, 95 % interval 6.66 to 13.35, p < 0.0001 (exact McNemar)."
    )
    assert Pairs(both=300, first=100, second=200, neither=400).sentence("a", "b", "x").startswith("b is better than a")
    for few in (Pairs(first=4), Pairs(first=5, neither=5)):
        assert few.sentence("a", "b", "x").startswith("a and b cannot be told apart")
    assert Pairs(first=7).sentence("a", "b", "x").endswith("p = 0.0156 (exact McNemar).")
    assert Pairs(both=3).sentence("a", "b", "x").endswith(", 95 % interval -56.15 to +56.15, p = 1.00 (exact McNemar).")
    assert (
        Pairs(both=250, first=22, second=10, neither=18).sentence("a", "b", "x").endswith("p = 0.0501 (exact McNemar).")
    )
    same = Pairs(both=300, first=11, second=10, neither=400).sentence("a", "b", "expert")
    assert same.startswith("a and b cannot be told apart: ")
    assert "the difference is +0.14 points" in same


def test_calibration() -> None:
    tally = Tally()
    tally.add(
        [game(True, (0.11, False), (0.09, False)), game(False, (0.1, True), (0.5, True)), game(True, (nan, True))]
    )
    low, high = tally.calibration()
    assert (low["guesses"], low["predicted"], low["realised"][0]) == (3, 0.1, round(1 / 3, 6))
    assert (high["guesses"], high["predicted"], high["realised"][0]) == (1, 0.5, 1.0)
    fields = tally.fields()
    assert fields["risk_taken"] == pytest.approx((0.11 + 0.09 + 0.1 + 0.5) / 4)
    assert fields["risk_realised"] == 0.5
    assert fields["guesses"] == pytest.approx(5 / 3)


def test_the_best_agent_is_calibrated() -> None:
    """Of all guesses with a risk near r, about the share r opens a mine: the odds are what they say."""
    standing = tournament(Plan(("best",), (Level.parse("9x9x20"),), Rules("safe"), size(1500, 4000), 1))
    for row in standing.tallies["9x9x20", "best"].calibration():
        share, low, high = row["realised"]
        spread = max(high - share, share - low)
        assert abs(share - row["predicted"]) < 2.2 * spread  # 20 ranges, four standard errors


def test_quantiles_are_right_to_two_percent() -> None:
    rng = random.Random(2)
    times = [rng.lognormvariate(-5, 2) for _ in range(5000)]
    found = Quantiles()
    for seconds in times:
        found.add(seconds)
    times.sort()
    for share in (0.01, 0.5, 0.9, 0.99):
        assert found.at(share) == pytest.approx(times[round(share * 5000) - 1], rel=0.021)
    assert found.at(1) == found.most == times[-1]
    assert Quantiles().at(0.5) == 0


def test_times_are_merged_exactly_in_any_order() -> None:
    rng = random.Random(4)
    times = [round(rng.lognormvariate(-5, 2), 6) for _ in range(300)]
    found = []
    for order in (range(0, 300, 50), range(250, -1, -50)):
        whole = Tally()
        for first in order:
            part = Tally()
            part.add(game(True, seconds=seconds) for seconds in times[first : first + 50])
            whole.merge(part)
        found.append(whole.seconds_per_game)
    assert found[0] == found[1] == pytest.approx((mean(times), stdev(times)), rel=1e-12)
    one = Tally()
    assert one.seconds_per_game == (0, 0)
    one.add([game(True, seconds=0.02)])
    assert one.seconds_per_game == (0.02, 0)


def test_a_tally_as_json() -> None:
    tally = Tally()
    tally.add(game(won, (0.25, not won), (0.25, False), seconds=0.02) for won in (True, True, False, True))
    fields = tally.fields()
    assert (fields["games"], fields["wins"], fields["stuck"], fields["guesses"]) == (4, 3, 1, 2.0)
    assert fields["win_rate"][0] == 0.75
    assert fields["score"] == 0.875
    assert fields["slowest_move_ms"] == pytest.approx(20)
    assert fields["game_ms"]["p50"] == pytest.approx(20, rel=0.021)
    tally.add([Result(False, False, 1, 1, nan, (), (), 0.1, 0.1, "it ended")])
    assert tally.fields()["score"] is None
    assert (tally.fields()["faults"], tally.fields()["first_fault"]) == (1, "it ended")
