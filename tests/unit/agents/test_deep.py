"""Guesses that are played out: stronger than the rule alone, the same every time, and explained."""

from __future__ import annotations

import signal
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import pytest

from mineproof import LEVELS, Game, Limit, Position
from mineproof._native import counting
from mineproof._native.playing import Player, Tree
from mineproof.agents.chooser import WHY_IN_WORDS, Why, best_player, survey
from mineproof.agents.registry import find_agent
from mineproof.arena.match import turns
from mineproof.errors import InvalidText
from mineproof.seat.reasons import MoveReasons
from mineproof.seat.seat import Seat
from support.sizes import size

if TYPE_CHECKING:
    from mineproof._native.playing import Choice

SLOW = Limit(seconds=600)
BLUNT = {"dead": False, "living": False, "tossups": False, "dominance": False, "isolated": False}


def win_rate(player: Player, rows: int, cols: int, mines: int) -> float:
    """The share of all boards on which a player wins from a safe corner, by playing them all."""
    won = []
    for board in combinations(range(1, rows * cols), mines):
        course = player.play(rows, cols, bytes(cell in board for cell in range(rows * cols)), 0, SLOW)
        assert course is not None
        won.append(course[0])
    return sum(won) / len(won)


@pytest.mark.parametrize(("rows", "cols", "mines"), [(4, 4, 3), (3, 5, 3)])
def test_playing_out_is_stronger_and_not_stronger_than_perfect(rows: int, cols: int, mines: int) -> None:
    """A blunt rule without endgames, alone and with playouts by itself; win rates over all boards, so without error."""
    blunt = win_rate(Player(boards=1, **BLUNT), rows, cols, mines)
    played_out = win_rate(Player(boards=1, playouts=200, closed=1, **BLUNT), rows, cols, mines)
    wins = Tree(rows, cols, mines, 10**7).start(0, False, SLOW.start())
    assert wins is not None
    assert blunt + 0.001 < played_out <= wins[0] / wins[1]


def late() -> Position:
    """A position of a game in which the playouts choose otherwise than the rule."""
    for seed in range(200):
        game = Game("expert", "opening", seed=seed)
        before = game.position
        for turn in turns("deep:boards=64", game, SLOW):
            if turn.decision.why == WHY_IN_WORDS[Why.PLAYED_OUT]:
                return before
            before = game.position
    raise AssertionError


def chosen(position: Position, **settings: float) -> Choice:
    found = survey(position, Player(**settings), SLOW).choice  # type: ignore[arg-type]
    assert found is not None
    return found


def test_a_choice_by_playouts() -> None:
    """It is the same every time and with notes on the board, it is not that of the rule, and it says why."""
    position = late()
    first = chosen(position, playouts=64)
    assert first[3] == Why.PLAYED_OUT
    assert chosen(position)[0] != first[0]
    player = Player(playouts=64)
    assert survey(position, player, SLOW).choice == survey(position, player, SLOW).choice == first
    unknown = position.where("H")
    noted = position.with_symbol(unknown[0], "F").with_symbol(unknown[-1], "Q")
    assert chosen(noted, playouts=64)[:2] == first[:2]
    decision = find_agent("deep:boards=64").make().choose(position, SLOW)
    assert decision.why == WHY_IN_WORDS[Why.PLAYED_OUT]
    cell = position.grid.cell(first[0])
    assert position.grid.index(decision.alternatives[0].cell) == first[0]
    line = MoveReasons(Seat(position), decision, SLOW, looks_ahead=True).guess(cell)
    riskier = first[1] > float(np.nanmin(survey(position, player, SLOW).risks)) + 1e-9
    assert (WHY_IN_WORDS[Why.PLAYED_OUT] in line) == riskier


@pytest.mark.parametrize("seed", [1774, 3682, 4132])
def test_no_dead_cell_and_none_that_another_comes_before_is_played_out(seed: int) -> None:
    """In these games the playouts of such cells came out best by luck."""
    game, guesses = Game("expert", "opening", seed=seed), 0
    for _ in turns("best:boards=0", game, SLOW):
        at = game.position
        found = survey(at, best_player(), SLOW)
        if found.choice is None or found.choice[3] == Why.EXACT:
            continue
        guesses += 1
        counter = counting.Counter()
        counter.start(at.rows, at.cols, at.cells, at.mines)
        assert counter.count(SLOW.start()) == counting.COUNTED
        counter.odds(np.empty((at.rows, at.cols)), np.empty((at.rows, at.cols)), np.inf, SLOW.start())
        views = counter.views(found.choice[0], SLOW.start(), living=True)
        assert views is not None
        assert len(views) > 1
        certain = set.intersection(*(set(view[5]) for view in views.values()))
        assert all(found.risks.flat[cell] > found.choice[1] - 1e-9 for cell in certain)
    assert guesses


def test_early_guesses_are_those_of_the_rule() -> None:
    position = Position.blank(LEVELS["expert"].grid, 99).with_symbol("A1", "1")
    assert chosen(position, playouts=64, closed=0.75) == chosen(position)


def test_an_expired_limit_leaves_the_choice_of_the_rule_or_an_estimate() -> None:
    position = late()
    decision = find_agent("deep:boards=1000000").make().choose(position, Limit(seconds=0.05))
    assert decision.moves


def test_a_game_whose_time_runs_out_is_not_played_on_by_the_rule() -> None:
    """Else its moves would depend on the machine."""
    player = Player(playouts=10**7)
    assert None in player.play_seeded(16, 30, 99, 93, 1, 5, 0, 40, Limit(seconds=0.3))


def test_playouts_are_interrupted() -> None:
    def interrupt(*_: object) -> None:
        raise ZeroDivisionError

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.5)
        with pytest.raises(ZeroDivisionError):
            Player(playouts=10**9).play_seeded(16, 30, 99, 93, 1, 5, 0, 10**6, Limit(seconds=3600))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_options() -> None:
    with pytest.raises(InvalidText, match="at least 1, or unlimited"):
        find_agent("deep:solutions=0")
    assert find_agent("deep").looks_ahead


def test_best_plays_out_where_few_boards_are_left() -> None:
    """Deep does it earlier; without boards both are the rule. A game is the same whether compiled code plays it."""
    whys = {name: set[str]() for name in ("best", "best:boards=0", "deep:boards=128")}
    for name, found in whys.items():
        for seed in range(size(20, 40)):
            for turn in turns(name, Game("expert", "opening", seed=seed), SLOW):
                if turn.decision.why == WHY_IN_WORDS[Why.PLAYED_OUT]:
                    found.add(turn.decision.why)
    played_out = {WHY_IN_WORDS[Why.PLAYED_OUT]}
    assert whys == {"best": played_out, "best:boards=0": set(), "deep:boards=128": played_out}
