"""Tournaments: the same for any number of workers, on seeds and on given boards."""

from __future__ import annotations

import pytest

from mineproof import InvalidBoard, Layout, Level, UnknownName, play
from mineproof.arena.match import Result
from mineproof.arena.tournament import Summary, tournament, wilson
from mineproof.board.rules import Rules

BEGINNER = Level.parse("beginner")


def bare(result: Result) -> tuple[bool, bool, int, int, int]:
    """Without what the clock says."""
    return result.won, result.stuck, result.guesses, result.moves, result.hits


@pytest.mark.parametrize("agent", ["best", "sat+random"])
def test_any_number_of_workers(agent: str) -> None:
    one, two = (tournament([agent], BEGINNER, Rules("safe"), 23, 3, workers=workers)[0] for workers in (1, 2))
    assert list(map(bare, one.results)) == list(map(bare, two.results))
    assert len(one.results) == 23


def test_given_boards_start_where_they_say() -> None:
    boards = [Layout.draw("beginner", "safe", "A1", seed=3, index=index) for index in range(20)]
    for agent in ("best", "single+lowest-risk"):
        given = tournament([agent], BEGINNER, Rules("safe"), 20, 3, boards=boards)[0]
        seeded = tournament([agent], BEGINNER, Rules("safe"), 20, 3)[0]
        assert [result.won for result in given.results] == [result.won for result in seeded.results]
    for workers in (1, 2):
        assert (
            len(tournament(["best"], BEGINNER, Rules("safe"), 17, 3, boards=boards, workers=workers)[0].results) == 17
        )
    assert len(tournament(["sat"], BEGINNER, Rules("safe"), 50, 3, boards=boards[:3])[0].results) == 3


def test_boards_that_name_no_start_begin_with_a_guess() -> None:
    boards = [Layout.of(BEGINNER.grid, ["F1", "C3"])]
    assert tournament(["best"], BEGINNER, Rules("safe"), 1, 3, boards=boards)[0].results[0].guesses >= 1


def test_a_summary_as_json() -> None:
    results = tuple(Result(won, not won, 2, 10, 0, 0.5, 0.1, 0.02) for won in (True, True, False, True))
    fields = Summary("x", results, 2.0).fields()
    assert (fields["games"], fields["wins"], fields["stuck"], fields["guesses"]) == (4, 3, 1, 2.0)
    assert fields["win_rate"][0] == 0.75
    assert fields["games_per_second"] == 2.0
    assert fields["slowest_move_ms"] == pytest.approx(20)


def test_intervals() -> None:
    low, high = wilson(0, 10)
    assert low == pytest.approx(0, abs=1e-12)
    assert 0.2 < high < 0.35
    assert wilson(10, 10)[1] == pytest.approx(1)


def test_bad_tournaments() -> None:
    with pytest.raises(UnknownName):
        tournament(["nobody"], BEGINNER, Rules("safe"), 1, 0)
    with pytest.raises(InvalidBoard):
        tournament(["best"], BEGINNER, Rules("safe"), 0, 0)
    with pytest.raises(InvalidBoard):
        tournament(["best"], Level(5, 5, 24), Rules("opening"), 2, 0)
    with pytest.raises(InvalidBoard):
        tournament(["best"], BEGINNER, Rules("safe"), 2, -1)


def test_play_takes_an_agent_or_its_name() -> None:
    assert play("best", "beginner", "opening", seed=1).won
    with pytest.raises(UnknownName):
        play("nobody")
