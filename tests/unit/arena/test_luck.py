"""Win rates without luck: the same mean as the plain ones, a smaller error, and an honest one."""

from __future__ import annotations

import json
from itertools import combinations
from math import nan
from typing import TYPE_CHECKING

import numpy as np
import pytest

from mineproof import AGENTS, InvalidArgument, Level, Limit, Rules
from mineproof._native.playing import Player
from mineproof.agents.chooser import best_player
from mineproof.arena.chunks import Chunk, run
from mineproof.arena.luck import lead, win_rate, without_luck
from mineproof.arena.match import Result
from support.processes import said
from support.sizes import WILD, size

if TYPE_CHECKING:
    from pathlib import Path

ROWS, COLS, MINES = 4, size(4, 5), size(4, 5)
BATCHES, BATCH = size(20, 300), size(200, 400)
COVERED = (0.9, 0.99) if WILD else (0.77, 1.01)
"""Bounds of the share of intervals that hold the truth, which should be 95 %: three and a half standard errors."""
SLOW = Limit(seconds=600)


def truth(player: Player) -> float:
    """The win rate from a safe corner, by playing all boards."""
    won = []
    for board in combinations(range(1, ROWS * COLS), MINES):
        course = player.play(ROWS, COLS, bytes(cell in board for cell in range(ROWS * COLS)), 0, SLOW)
        assert course is not None
        won.append(course[0])
    return sum(won) / len(won)


def test_the_mean_is_that_of_all_boards_and_its_error_is_honest() -> None:
    expected, batch = truth(Player(False)), BATCH
    level, version = Level(ROWS, COLS, MINES), AGENTS["lowest-risk"].version
    results = run(Chunk("lowest-risk", version, level, Rules("safe"), 1, 0, BATCHES * batch, limit=SLOW))
    rates = [win_rate(results[first : first + batch]) for first in range(0, len(results), batch)]
    scores = np.array([(rate.fair - expected) / rate.fair_error for rate in rates])
    assert abs(scores.mean()) < 3 / len(rates) ** 0.5
    assert COVERED[0] < np.mean(np.abs(scores) < 1.96) < COVERED[1]
    assert np.mean([rate.fair_error for rate in rates]) < 0.75 * np.mean([rate.error for rate in rates])
    assert win_rate(results).fair == pytest.approx(expected, abs=4 * win_rate(results).fair_error)


def test_the_lead_is_that_of_all_boards_and_its_error_is_honest() -> None:
    """Two agents on the same boards. Every batch of them leaves out one board of one agent."""
    expected, batch = truth(best_player(boards=0)) - truth(Player(False)), BATCH
    level, version = Level(ROWS, COLS, MINES), {name: AGENTS[name].version for name in ("best", "lowest-risk")}
    played = {
        name: list(
            enumerate(
                run(
                    Chunk(
                        name, version[name.partition(":")[0]], level, Rules("safe"), 1, 0, BATCHES * batch, limit=SLOW
                    )
                )
            )
        )
        for name in ("best:boards=0", "lowest-risk")
    }
    assert expected > 0.01
    leads = [
        lead(played["best:boards=0"][first + 1 : first + batch], played["lowest-risk"][first : first + batch])
        for first in range(0, BATCHES * batch, batch)
    ]
    found = [one for one in leads if one is not None]
    assert {one.games for one in found} == {batch - 1}
    assert len(found) == BATCHES
    scores = np.array([(one.fair - expected) / one.fair_error for one in found])
    assert abs(scores.mean()) < 3 / len(found) ** 0.5
    assert COVERED[0] < np.mean(np.abs(scores) < 1.96) < COVERED[1]
    assert np.mean([one.fair_error for one in found]) < 0.9 * np.mean([one.error for one in found])


def test_agents_that_play_alike_have_no_lead() -> None:
    games = list(enumerate([result(True, (0.5, False)), result(False, (0.4, True)), result(True)]))
    found = lead(games, games)
    assert found is not None
    assert (found.fair, found.fair_error, found.won, found.error) == (0, 0, 0, 0)
    assert lead(games[:2], games[1:]) is None


def result(won: bool, *guesses: tuple[float, bool]) -> Result:
    risks, struck = zip(*guesses, strict=True) if guesses else ((), ())
    return Result(won, False, 1, 0, 1.0, risks, struck, 0.0, 0.0)


def test_games_without_guesses_and_unknown_risks_are_as_they_are() -> None:
    for games in (
        [result(True), result(False), result(True)],
        [result(True, (nan, False)), result(False, (nan, True))],
    ):
        rate = win_rate(games)
        assert (rate.fair, rate.fair_error) == (rate.won, rate.error)
    with pytest.raises(InvalidArgument, match="at least two games"):
        win_rate([result(True)])


def test_luck_alone_is_taken_out_whole() -> None:
    """One toss-up each, and whoever survives it wins."""
    games = [result(bool(n // 2 % 2), (0.5, not n // 2 % 2)) for n in range(400)]
    rate = win_rate(games)
    assert (rate.fair, rate.fair_error) == (0.5, 0.0)
    assert rate.error > 0.02


def test_runs_on_the_command_line(tmp_path: Path) -> None:
    played = (
        "arena",
        "--agent",
        "best",
        "--agent",
        "csp",
        "--level",
        "5x5x5",
        "--games",
        30,
        "--seed",
        1,
        "--workers",
        1,
    )
    assert said(*played, "--out", tmp_path / "run")[0] == 0
    status, text, _ = said("arena", "luck", tmp_path / "run")
    assert status == 0
    assert "without luck; won" in text
    assert "csp on 5x5x5: its risks are not exact, so its luck is not known" in text
    first, second = json.loads(said("arena", "luck", tmp_path / "run", "--json")[1])["agents"]
    assert first["games"] == 30
    assert first["without_luck_half_interval"] < first["half_interval"]
    assert second == {"level": "5x5x5", "agent": "csp"}
    rates, leads = without_luck(tmp_path / "run")
    assert [name for _, name, _ in rates] == ["best", "csp"]
    assert leads == []


def test_pairs_on_the_command_line(tmp_path: Path) -> None:
    agents = ("--agent", "best", "--agent", "csp", "--agent", "lowest-risk")
    assert said("arena", *agents, "--level", "5x5x5", "--games", 30, "--workers", 1, "--out", tmp_path / "run")[0] == 0
    text = " ".join(said("arena", "luck", tmp_path / "run")[1].split())
    assert "best against lowest-risk on 5x5x5: " in text
    assert "points on 30 boards" in text
    (pair,) = json.loads(said("arena", "luck", tmp_path / "run", "--json")[1])["pairs"]
    assert pair["agents"] == ["best", "lowest-risk"]
    assert pair["games"] == 30
    assert pair.keys() >= {"more", "half_interval", "without_luck", "without_luck_half_interval"}


def test_runs_that_go_on_after_a_mine_are_refused(tmp_path: Path) -> None:
    played = ("arena", "--agent", "best", "--level", "5x5x5", "--games", 3, "--seed", 1, "--workers", 1, "--continue")
    assert said(*played, "--out", tmp_path / "run")[0] == 0
    status, _, complaint = said("arena", "luck", tmp_path / "run")
    assert (status, complaint) == (2, "mineproof: luck can be taken out only of games that a mine ends\n")
