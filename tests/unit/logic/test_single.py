"""Single-clue rules: sound on every position that a game can show."""

from hypothesis import given

from mineproof import Game, Position, Replay
from mineproof.logic.single import infer
from support import strategies


@given(strategies.played(strategies.game_ids()))
def test_never_wrong(replay: Replay) -> None:
    game = Game.from_id(replay.id)
    for move in replay.moves:
        game.play(move)
        assert game.layout is not None or move.kind != "open"
        for deduction in infer(game.position):
            assert game.layout is not None
            assert {game.layout.has_mine(cell) for cell in deduction.cells} == {deduction.mine}
            assert all(game.position.clue(clue) is not None for clue in deduction.because)


def test_reasons_are_only_what_is_used() -> None:
    assert list(map(str, infer(Position.from_text("4x1x2\n1H2H")))) == [
        "B1 is a mine, by clue A1",
        "D1 is a mine, by clue C1",
    ]
    assert list(map(str, infer(Position.from_text("6x1x2\n1H1H1H")))) == [
        "B1 is a mine, by clue A1",
        "D1 is safe, by clues A1, C1",
        "F1 is a mine, by clues A1, C1, E1",
    ]


def test_flags_prove_nothing() -> None:
    assert not infer(Position.from_text("4x2x1\n01FH\n01HH"))


def test_what_one_clue_cannot_see() -> None:
    """The 1-2-1 wall needs two clues together."""
    assert not infer(Position.from_text("3x2x2\nHHH\n121"))
