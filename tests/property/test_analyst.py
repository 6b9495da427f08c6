"""The analysis that follows a game equals a fresh one at every step."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given

from mineproof import (
    Analysis,
    Analyst,
    Cells,
    Game,
    Grid,
    IllegalMove,
    InvalidArgument,
    Level,
    Position,
    Replay,
    Rules,
    analyse,
)
from support import awkward, strategies


def follow(analyst: Analyst, game: Game, changed: Cells) -> None:
    analyst.see(changed, game.shows(changed))
    if str(game.state) != "lost":  # then mines are shown that no move opened
        assert analyst.position == game.position
    same(analyst.analysis(), analyse(analyst.position))


def same(followed: Analysis, fresh: Analysis) -> None:
    assert followed.consistent
    assert fresh.consistent
    assert followed.safe == fresh.safe
    assert followed.mined == fresh.mined
    np.testing.assert_allclose(followed.probabilities, fresh.probabilities, rtol=1e-11, atol=0)
    assert followed.log_solutions == pytest.approx(fresh.log_solutions, rel=1e-11, abs=1e-11)


@given(strategies.played(strategies.game_ids()))
def test_any_game_with_undo(replay: Replay) -> None:
    game = Game.from_id(replay.id)
    analyst = Analyst(game.position)
    for move in replay.moves:
        follow(analyst, game, game.play(move))


@pytest.mark.parametrize("level", ["beginner", "intermediate", "expert", "40x7x50", "25x25x15%"])
def test_whole_games_that_go_on_after_mines(level: str) -> None:
    for seed in range(3):
        rng = random.Random(seed)
        game = Game(level, Rules("opening", continues=True), seed=seed)
        analyst = Analyst(game.position)
        follow(analyst, game, game.open("C3"))
        while not game.over:
            safe = [cell for cell in analyst.analysis().safe if game[cell] == "H"]
            closed = safe if safe and rng.random() < 0.8 else list(game.position.where("H"))
            follow(analyst, game, game.open(rng.choice(closed)))
            if rng.random() < 0.05:
                follow(analyst, game, game.undo())


def test_what_is_proved_is_told_once_and_is_right() -> None:
    game = Game("expert", "opening+continue", seed=5)
    analyst = Analyst(game.position)
    changed = game.open("D4")
    assert game.layout is not None
    told: set[tuple[int, int]] = set()
    while not game.over:
        proved = analyst.see(changed, game.shows(changed))
        assert not told & {*proved.safe, *proved.mined}
        told |= {*proved.safe, *proved.mined}
        assert not any(map(game.layout.has_mine, proved.safe))
        assert all(map(game.layout.has_mine, proved.mined))
        best = analyst.least_risk()
        todo = [cell for cell in told if game[cell] == "H" and not game.layout.has_mine(cell)]
        if best is None and not todo:
            break
        try:
            changed = game.open(todo[0] if todo else best.cell)  # type: ignore[union-attr]
        except IllegalMove:
            break
    assert game.over


def test_a_board_of_a_million_cells_is_followed() -> None:
    game = Game("1000x1000x15%", "opening+continue", seed=1)
    analyst = Analyst(game.position)
    changed = game.open("D4")
    todo = list(analyst.see(changed, game.shows(changed)).safe)
    for _ in range(20_000):
        if not todo:
            best = analyst.least_risk()
            assert best is not None
            todo = [best.cell]
        cell = todo.pop()
        if game[cell] == "H":
            changed = game.open(cell)
            todo += analyst.see(changed, game.shows(changed)).safe
    assert game.position.cells.count(b"H") < 990_000
    analysis = analyst.analysis()
    assert analysis.consistent
    closed = ~np.isnan(analysis.probabilities)
    assert analysis.probabilities[closed].sum() + game.hits == pytest.approx(game.mines, rel=1e-6)


@pytest.mark.parametrize("density", ["10%", "15%", "20%"])
def test_many_components_joined_by_the_normal_law(density: str) -> None:
    """The same position joined exactly and by the normal law: every cell within its bound, certain cells the same."""
    rng = random.Random(density)
    position = awkward.torn(rng, Level.parse(f"70x70x{density}"), 0.05)
    analyst = Analyst(position)
    exact, loose = analyst.analysis(most_work=np.inf), analyst.analysis(most_work=0)
    assert exact.exact
    assert not loose.exact
    assert loose.errors is not None
    assert (loose.safe, loose.mined) == (exact.safe, exact.mined)
    unsure = ~np.isnan(exact.probabilities)
    assert (np.abs(loose.probabilities - exact.probabilities)[unsure] <= loose.errors[unsure] + 1e-12).all()
    assert float(np.nanmean(loose.errors)) < 0.05


def test_contradictions_are_said_and_can_be_taken_back() -> None:
    analyst = Analyst(Position.from_text("4x1x1\nHHHH"))
    analyst.see(["B1"], "3")
    assert not analyst.analysis().consistent
    analyst.see(["B1"], "1")
    assert analyst.analysis().consistent
    with pytest.raises(InvalidArgument, match="2 cells cannot show 1 symbols"):
        analyst.see(["A1", "B1"], "1")
    for symbol in ("x", "é"):
        with pytest.raises(InvalidArgument, match="symbol"):
            analyst.see(["A1"], symbol)
    with pytest.raises(InvalidArgument, match="outside this board"):
        analyst.see(Cells(Grid(9, 9), [80]), "1")
    assert analyst.position.to_text() == "4x1x1\nH1HH\n"


def test_what_is_proved_at_the_start_is_told_too() -> None:
    analyst = Analyst(Position.from_text("4x1x1\n1HHH"))
    proved = analyst.proved()
    assert (list(map(str, proved.safe)), list(map(str, proved.mined))) == ([], ["B1"])
    assert not analyst.proved().mined
    assert Analyst(Position.from_text("2x1x0\n1H")).least_risk() is None


def test_threads_may_share_an_analyst() -> None:
    game = Game("60x60x15%", "opening+continue", seed=1)
    game.open("D4")
    analyst = Analyst(game.position)
    layout = game.layout
    assert layout is not None
    safe = [cell for cell in game.grid if game[cell] == "H" and not layout.has_mine(cell)]

    def show(part: int) -> None:
        for cell in safe[part::4]:
            analyst.see([cell], str(layout.number(cell)))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(show, range(4)))
    same(analyst.analysis(), analyse(analyst.position))
