"""Who remembers a game finds what somebody finds who sees each position for the first time."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from mineproof import Cancelled, Game, InconsistentPosition, Limit, OutOfTime, Position
from mineproof.agents.registry import find_agent
from mineproof.arena.match import turns
from mineproof.logic import asp, matching, single
from mineproof.logic.reasoning import Reasoning

if TYPE_CHECKING:
    from collections.abc import Iterator

RULES = ("any+continue", "given:sqrt+no-flood", "safe")


def positions(rules: str, seed: int) -> list[Position]:
    game = Game("7x8x12", rules, seed=seed)
    found = [game.position]
    for _ in turns("basic", game):
        found.append(game.position)
    return found[: len(found) - game.over]


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("seed", range(6))
def test_a_waiting_list_finds_the_same_with_fewer_looks(rules: str, seed: int) -> None:
    follower, looks = single.Follower(), 0
    for position in positions(rules, seed):
        with Reasoning(position, "single", Limit()) as reasoning:
            reasoning.settle()
        looks += reasoning.clue_checks
        found = follower.infer(position)
        assert (found.safe, found.mined) == (reasoning.deductions.safe, reasoning.deductions.mined)
        known = {cell: one.because for one in found for cell in one.cells}
        assert all(position.clue(clue) is not None for because in known.values() for clue in because)
    assert follower.clue_checks < looks or looks < 20


@pytest.mark.parametrize("mine_count", [True, False])
@pytest.mark.parametrize("rules", RULES)
def test_answer_sets_that_are_told_clues_one_by_one(rules: str, mine_count: bool) -> None:
    follower = asp.Follower(mine_count=mine_count)
    for seed in range(3):
        for position in positions(rules, seed):
            found, again = follower.infer(position), asp.infer(position, mine_count=mine_count)
            assert (found.safe, found.mined) == (again.safe, again.mined), position
            assert found.complete is mine_count
    follower.close()


@pytest.mark.parametrize("rules", RULES)
def test_one_base_that_keeps_parents_finds_what_many_find(rules: str) -> None:
    """It stops when it knows a safe cell, so it is asked again until it finds no more."""
    for seed in range(4):
        follower = matching.Follower(keep_parents=True, rounds=None)
        for position in positions(rules, seed):
            found, again = follower.infer(position), matching.infer(position, keep_parents=True, rounds=None)
            assert found.safe <= again.safe
            assert bool(found.safe) is bool(again.safe), position
            if not found.safe:
                assert found.mined == again.mined


@pytest.mark.parametrize("name", ["matching", "matching:keep-parents,rounds=unlimited", "matching:rounds=1"])
def test_a_list_and_an_index_play_the_same_games(name: str) -> None:
    for seed in range(6):
        games = [Game("9x9x12", "given:sqrt+no-flood", seed=seed) for _ in range(2)]
        joined = f"{name}{',' if ':' in name else ':'}store=list"
        played = [
            [turn.played for turn in turns(agent, game)] for agent, game in zip((name, joined), games, strict=True)
        ]
        assert played[0] == played[1]
        assert games[0].hits == 0


@pytest.mark.parametrize("name", ["matching", "asp", "basic:waiting-list"])
def test_another_game_begins_again(name: str) -> None:
    agent = find_agent(name).make()
    for seed in (1, 2, 1):
        game = Game("6x6x6", "safe", seed=seed)
        game.open("C3")
        fresh = find_agent(name).make()
        assert agent.choose(game.position) == fresh.choose(game.position)


@pytest.mark.parametrize(
    "mind", [single.Follower(), matching.Follower(), asp.Follower(), asp.Follower(mine_count=False)]
)
def test_clues_that_cannot_be_right_are_named(mind: single.Follower) -> None:
    mind.infer(Position.from_text("3x1x1\n1HH"))
    with pytest.raises(InconsistentPosition, match="cannot"):
        mind.infer(Position.from_text("3x1x1\n1H2"))
    assert mind.infer(Position.from_text("3x1x1\n1HH")).mined


def test_what_was_refused_once_is_refused_again() -> None:
    follower, wrong = matching.Follower(), Position.from_text("4x2x2\nHHHH\n1131")
    for _ in range(2):
        with pytest.raises(InconsistentPosition, match="cannot"):
            follower.infer(wrong)


@pytest.mark.parametrize("stop", [OutOfTime, Cancelled])
def test_a_round_that_was_interrupted_has_not_happened(stop: type[Exception]) -> None:
    """Wherever it stops, nothing is forgotten, and what follows without interruption still follows."""
    for seed in range(4):
        game = Game("7x7x11", "given:sqrt+no-flood", seed=seed)
        for _ in turns("matching", game):
            pass
        patient, hasty = matching.Follower(), matching.Follower()
        expected = patient.infer(game.position)
        hasty.infer(game.position, Limit(seconds=1e-9))
        for checks in range(40):
            left = iter(range(checks % 9))

            def look(left: Iterator[int] = left) -> None:
                if next(left, None) is None:
                    raise stop("enough")

            with suppress(stop):
                hasty.base.match_pairs(look)
        found = hasty.infer(game.position)
        assert (found.safe, found.mined) == (expected.safe, expected.mined)
