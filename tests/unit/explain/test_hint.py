"""Hints come in portions; a guess is said to be one."""

from __future__ import annotations

import pytest

from mineproof import (
    AGENTS,
    Cell,
    Game,
    Grid,
    IllegalMove,
    InconsistentPosition,
    Layout,
    Limit,
    Move,
    OutOfTime,
    Position,
    analyse,
    hint,
)
from mineproof.arena.match import finish
from mineproof.explain.hint import region
from mineproof.limit import DEFAULT, Clock
from mineproof.seat.answers import guessed, hinted, overview
from mineproof.seat.reasons import MoveReasons
from mineproof.seat.seat import Seat
from mineproof.seat.turn import first_turn
from support import awkward


def test_the_portions_of_a_certain_move() -> None:
    found = hint(Position.from_text("4x2x2\nHHHH\n1111"))
    assert found.certain
    assert len(found.portions) == 5
    assert found.explanation is not None
    assert found.cell == found.explanation.cell
    assert found.portions[3] == f"{found.cell} is safe."
    assert found.fields()["verdict"] == "safe"


def test_a_named_cell_is_the_easiest() -> None:
    assert hint(Position.from_text("4x2x1\nHHHS\n1110")).cell == Cell(0, 3)


def test_a_guess_is_said_to_be_one() -> None:
    position = Position.from_text("4x4x5\nHHHH\nHHHH\nHH3H\nHHHH")
    found = hint(position)
    assert not found.certain
    assert found.portions[0].startswith("There is no certain move")
    fields = found.fields()
    assert fields["risk"] == pytest.approx(analyse(position).probabilities[found.cell])
    assert fields["alternatives"][0]["cell"] == fields["cell"]
    assert all(0 <= option["progress"] <= 1 for option in fields["alternatives"])


def test_a_guess_that_cannot_wait_says_why() -> None:
    """Two cells behind mines, one of them a mine, and a part of the board that tells nothing about them."""
    rows = ["H" * 14, "*" * 14, "HH" + "*" * 12, "2" + "*" * 13]
    found = hint(Position.from_text(f"14x4x{14 + 12 + 13 + 1 + 7}\n" + "\n".join(rows)))
    assert str(found.cell) in ("A3", "B3")
    assert "No other move can tell more about this cell, so it must be guessed sooner or later." in found.portions


def test_what_a_guess_teaches_is_counted() -> None:
    """A1 or B1 is the mine: after either, nothing is left to find out."""
    found = hint(Position.from_text("2x1x1\nHH"))
    assert found.guess is not None
    assert [candidate.progress for candidate in found.guess.candidates] == [1.0]


def test_nothing_is_left() -> None:
    found = hint(Position.from_text("2x1x1\n1H"))
    assert (found.certain, found.cell, found.text) == (False, None, "There is nothing left to open.")


NO_GUESS = "=0103081000200a0004008@E5"


@pytest.mark.parametrize(
    ("game_id", "moves", "said", "cell"),
    [
        ("beginner/opening#1", "", "The first click is always safe in this game; C3 is a good one.", "C3"),
        ("beginner/safe#1", "flag B2", "The first click is always safe in this game; A1 is a good one.", "A1"),
        ("9x9x10/opening" + NO_GUESS, "", "Start at E5, which is safe.", "E5"),
        ("9x9x10" + NO_GUESS, "flag A1", "Start at E5, which is safe.", "E5"),
        ("beginner/safe#1", "open H2,undo", "Start at H2, which is safe.", "H2"),
    ],
)
def test_before_the_first_click(game_id: str, moves: str, said: str, cell: str) -> None:
    """Once the mines are laid, no other cell is promised than the start."""
    game = Game.from_id(game_id)
    for move in filter(None, moves.split(",")):
        game.play(Move.parse(move))
    found = Seat.at(game).hint()
    assert (found.text, found.certain, str(found.cell)) == (said, True, cell)
    assert found.fields()["cell"] == list(Cell.parse(cell))
    game.open(cell)
    assert not game.hits


def test_a_game_continues_by_its_position() -> None:
    given = Seat.at(Game.from_id("9x9x10/given" + NO_GUESS)).hint()
    assert (str(given.cell), given.portions[2]) == ("E5", "The game names a safe cell.")
    game = Game.from_id("9x9x10" + NO_GUESS)
    game.open("E5")
    assert Seat.at(game).hint() == hint(game.position)
    assert not Seat.at(Game("beginner", "any", seed=1)).hint().certain
    assert not Seat.at(Game(Layout.parse("4x1x2=c@A1"))).hint().certain  # its start is a mine
    game.open("C3")
    with pytest.raises(IllegalMove, match="the game is lost"):
        Seat.at(game).hint()


def test_a_zero_is_called_blank() -> None:
    assert hint(Position.from_text("3x1x1\n0HH")).portions[-1].startswith("The blank cell A1 has no mine around it")


def test_a_contradiction_is_said() -> None:
    with pytest.raises(InconsistentPosition, match="A1, C1"):
        hint(Position.from_text("5x1x1\n1H0H1"))


def test_a_limit_is_kept() -> None:
    with pytest.raises(OutOfTime):
        hint(awkward.lattice(60), Limit(seconds=0.001))


def test_without_time_to_choose_the_least_risky_cell_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Clock, "left", property(lambda _: 0.1))
    found = hint(Position.from_text("4x1x1\nHHHH"), Limit(seconds=1))
    assert found.portions[1] == "The least risky cell is A1, with a 25.0 % risk of a mine."
    assert found.guess is not None
    assert [candidate.progress for candidate in found.guess.candidates] == [None] * 4


TIED = (  # several cells have the least risk; rounding makes a later one the smallest float
    "7x7x11\n2H11HHH\nHH11HHH\nH3223HH\nHHHHHHH\nHHHHHHH\nHHHHHHH\nHHHHHHH",
    "7x7x11\n112HHHH\n1H2HHHH\n1122HHH\n001HHHH\n112HHHH\nHH2HHHH\nH2H2HHH",
)


@pytest.mark.parametrize("text", TIED)
def test_the_least_risky_cell_has_one_name_everywhere(text: str) -> None:
    seat = Seat(Position.from_text(text))
    least = overview(seat, DEFAULT).fields()["least_risk"]
    assert hinted(seat, DEFAULT)["least_risk"] == least
    assert guessed(seat, DEFAULT)["least_risk"] == least
    named = MoveReasons(seat).least()
    assert named is not None
    assert [*named.cell] == least["cell"]


@pytest.mark.parametrize("text", TIED)
def test_without_time_to_choose_the_first_of_equal_cells_is_named(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Clock, "left", property(lambda _: 0.1))
    position = Position.from_text(text)
    least = analyse(position).least_risk
    assert least is not None
    assert hint(position, Limit(seconds=1)).cell == least.cell


@pytest.mark.parametrize("game", [Game(Layout.parse("4x3x1=200@D3")), Game("4x3x1", seed=1)])
def test_an_agent_begins_where_it_is_safe(game: Game) -> None:
    first = Seat.at(game).first
    assert first is not None
    game.flag(first)  # a flag is only a note
    decision = first_turn(Seat.at(game), AGENTS["careful"], 0, DEFAULT).decision
    assert decision.certain
    assert list(map(str, decision.moves)) == [f"unflag {first}", f"open {first}"]
    assert not finish("careful", game).risks
    assert game.state == "won"


def test_a_region_is_where_the_cell_is() -> None:
    regions = {}
    for rows, cols in ((1, 1), (1, 2), (2, 1), (1, 5), (2, 2), (3, 3)):
        board = Position.blank(Grid(rows, cols), 0)
        regions[rows, cols] = [region(board, cell) for cell in board.grid]
    assert regions[1, 1] == ["the middle of the board"]
    assert regions[1, 2] == ["the left of the board", "the right of the board"]
    assert regions[2, 1] == ["the top of the board", "the bottom of the board"]
    assert regions[1, 5][1:4] == ["the left of the board", "the middle of the board", "the right of the board"]
    assert regions[2, 2][3] == "the bottom right of the board"
    assert regions[3, 3][3:6] == [
        "the left of the board, in the middle",
        "the middle of the board",
        "the right of the board, in the middle",
    ]


def test_a_guess_that_wins_is_said_to_win() -> None:
    text = hint(Position.from_text("2x1x1\nHH")).text
    assert "a certain move follows, or the game is won, on 100.0 % of boards" in text
