"""The game against a slow, obvious twin: the same moves are allowed, and the same cells are seen."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mineproof import Cell, Game, GameId, IllegalMove, Layout, Position, Replay
from support import strategies
from support.plain_game import PlainGame, Refused


@given(st.data())
def test_same_game_as_the_obvious_one(data: st.DataObject) -> None:
    game_id = data.draw(strategies.explicit_ids())
    layout, rules = game_id.board, game_id.rules
    assert isinstance(layout, Layout)
    game, plain = Game(layout, rules), PlainGame(layout, rules)
    for move in data.draw(strategies.move_lists(layout.grid)):
        seen, before = game.position, set(plain.opened)
        try:
            plain.play(*move)
        except Refused:
            with pytest.raises(IllegalMove):
                game.play(move)
            assert game.position == seen
            continue
        changed = game.play(move)
        assert game.position.to_text() == plain.text()
        assert (str(game.state), game.hits, game.deaths_undone) == (plain.state, plain.hits, plain.deaths_undone)
        assert game.mines_left == len(plain.mines) - len(plain.flags) - plain.hits
        assert game.score == (len(plain.flags & plain.mines) / len(plain.mines) if plain.mines else 1.0)
        if move.kind in ("open", "chord"):
            assert set(changed) == plain.opened - before
            assert len(set(changed)) == len(changed)
        if move.kind == "undo":
            again = game.position
            assert set(changed) == {cell for cell in layout.grid if seen[cell] != again[cell]} - revealed(seen, again)


def revealed(seen: Position, again: Position) -> set[Cell]:
    """Mines that were shown because the game was lost, and are hidden again: no move changed them."""
    return {cell for cell in seen.where("?") if again[cell] != "?"}


@given(strategies.played(strategies.game_ids()))
def test_a_copy_is_another_game_in_the_same_state(replay: Replay) -> None:
    game = replay.game()
    for again in (copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert again.position == game.position
        assert (again.moves, again.deaths_undone, again.id) == (game.moves, game.deaths_undone, game.id)
        if again.step and not again.over:
            again.undo() if again.replay().moves[-1].kind != "undo" else None
            assert game.moves == list(replay.moves)


@given(strategies.game_ids())
def test_ids_survive_their_text(game_id: GameId) -> None:
    assert GameId.parse(str(game_id)) == game_id
    assert Game.from_id(str(game_id)).position == Game.from_id(game_id).position


@given(strategies.played(strategies.game_ids()))
def test_taking_everything_back_restores_the_start(replay: Replay) -> None:
    game = replay.game()
    start = Game.from_id(replay.id).position
    try:
        while True:
            game.undo()
    except IllegalMove:
        assert game.position == start
