"""`matching` against the printed algorithm, clause by clause: KB, KB0 and verdict after every step of a game."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mineproof import Game, Level
from mineproof.arena.match import turns
from mineproof.logic.matching import Follower

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
from support.lee import Clause, Hurried, Printed, in_order
from support.sizes import WILD

RULES = "given:sqrt+no-flood"
STORES = "index", "list"


def side_by_side(game: Game, store: str = "index") -> tuple[bool, bool]:
    """Play with both, and compare after every opened cell. Return whether both won, and whether pairs were matched."""
    assert game.layout is not None
    follower, printed = Follower(store=store), Printed(game.position)
    player = printed.cells_to_open()
    found = follower.infer(game.position)
    opens = next(player, None)
    while opens is not None:
        cell = game.grid.cell(opens)
        assert set(found.safe) == {cell}, "the same cell, and no other"
        compare(follower, printed)
        assert not game.layout.has_mine(cell)
        game.open(cell)
        found = follower.infer(game.position)
        try:
            opens = player.send(int(game[cell]))
        except StopIteration:
            opens = None
    assert not found.safe
    compare(follower, printed)
    assert set(found.mined) == {game.grid.cell(literal - 1) for literal in printed.kb0 if literal > 0}
    marked = len(printed.kb0) == len(game.grid)
    assert marked <= game.over
    return marked, printed.rounds > 0


def compare(follower: Follower, printed: Printed) -> None:
    base = follower.base
    assert set(base.clauses) == set(printed.kb)
    assert set(base.facts) == printed.kb0
    assert base.rounds == printed.rounds


ROWS, SHARES = (st.integers(2, 6), st.floats(0.1, 0.35)) if WILD else (st.integers(2, 4), st.floats(0.1, 0.25))


@given(ROWS, st.integers(2, 6), SHARES, st.integers(0, 2**32), st.sampled_from(STORES))
def test_as_printed_step_by_step(rows: int, cols: int, share: float, seed: int, store: str) -> None:
    side_by_side(Game(Level.share(rows, cols, share), RULES, seed=seed), store)


@pytest.mark.parametrize("seed", range(12))
def test_as_printed_on_the_smallest_level(seed: int) -> None:
    side_by_side(Game("9x9x12", RULES, seed=seed))


def test_games_of_all_kinds_were_compared() -> None:
    """Won and stuck, with rounds of pairs and without."""
    level, games = ("5x7x8", 40) if WILD else ("5x6x7", 16)
    seen = {side_by_side(Game(level, RULES, seed=seed)) for seed in range(games)}
    assert seen == {(True, False), (True, True), (False, True)}


@pytest.mark.parametrize("seed", range(4 if WILD else 3))
def test_the_hurried_transcription_is_the_same(seed: int) -> None:
    left = []
    for transcription in (Printed, Hurried):
        game = Game("8x7x12", RULES, seed=seed)
        printed = transcription(game.position)
        left.append((printed.play(game), printed.rounds, set(printed.kb), printed.kb0))
    assert left[0] == left[1]


def test_another_order_of_the_clauses_leaves_other_clauses() -> None:
    """So the comparison above compares the order, too."""
    assert any(left_in_kb(seed, in_order) != left_in_kb(seed, shuffled(seed)) for seed in range(10))


def shuffled(seed: int) -> Callable[[Collection[Clause]], Sequence[Clause]]:
    rng = random.Random(seed)
    return lambda clauses: rng.sample(in_order(clauses), len(clauses))


def left_in_kb(seed: int, arranged: Callable[[Collection[Clause]], Sequence[Clause]]) -> set[Clause]:
    game = Game("6x6x9", RULES, seed=seed)
    printed = Printed(game.position, arranged)
    printed.play(game)
    return set(printed.kb)


def test_the_agent_plays_what_the_follower_finds() -> None:
    level = "7x7x10" if WILD else "5x6x7"
    for seed in range(6):
        game, again = Game(level, RULES, seed=seed), Game(level, RULES, seed=seed)
        opened = [str(move) for turn in turns("matching", game) for move in turn.played if move.kind == "open"]
        side_by_side(again)
        assert opened == [str(move) for move in again.moves]
