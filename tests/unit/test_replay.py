import pytest
from hypothesis import given

from mineproof import InvalidArgument, InvalidText, Replay
from mineproof.board.move import Move
from support import strategies


@given(strategies.played(strategies.game_ids()))
def test_a_game_survives_its_text(replay: Replay) -> None:
    again = Replay.from_text(replay.to_text())
    assert again == replay
    assert list(again.positions()) == list(replay.positions())


@given(strategies.played(strategies.game_ids()))
def test_any_step_can_be_reached(replay: Replay) -> None:
    for step, position in enumerate(replay.positions()):
        game = replay.game(step)
        assert game.position == position
        assert game.step == step
    assert replay.game().replay().moves == replay.moves


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: a saved game must start with"),
        ("mineproof game 2\n", "line 1: a saved game must start with"),
        ("mineproof game 1\n", "line 2: the game id is missing"),
        ("mineproof game 1\nexprt/safe#1\n", "line 2: there is no level 'exprt'"),
        ("mineproof game 1\nbeginner/safe#1\nopen A1\nopen A1\n", "line 4: open A1: it is already open"),
        ("mineproof game 1\nbeginner/safe#1\ndig A1\n", "line 3: there is no move 'dig'"),
        ("mineproof game 1\nbeginner/safe#1\n\nopen A1\n", "line 3: there is no move ''"),
        ("mineproof game 1\nbeginner/safe#1\nopen A1 @1.000\nflag I9\n", "line 4: either all moves have a time"),
        ("mineproof game 1\nbeginner/safe#1\nflag I9\nopen A1 @1.000\n", "line 4: either all moves have a time"),
        ("mineproof game 1\nbeginner/safe#1\nopen J1\n", "line 3: J1 is outside this board"),
    ],
)
def test_bad_text_says_where(text: str, message: str) -> None:
    with pytest.raises(InvalidText) as caught:
        Replay.from_text(text)
    assert str(caught.value).startswith(message)


def test_steps_and_times_are_checked() -> None:
    replay = Replay.from_text("mineproof game 1\nbeginner/safe#1\nopen A1 @-1.050\n")
    assert replay.times == (-1050,)
    with pytest.raises(InvalidArgument, match="step 2"):
        replay.game(2)
    with pytest.raises(InvalidArgument, match="1 moves have 2 times"):
        Replay(replay.id, (Move("undo"),), (1, 2))
