import copy
import pickle

import pytest
from hypothesis import given

from mineproof import Grid, InvalidBoard, InvalidText, Position, Status
from support import strategies


@given(strategies.positions())
def test_a_position_survives_its_text_and_its_repr(position: Position) -> None:
    assert Position.from_text(position.to_text()) == position
    assert eval(repr(position)) == position
    assert pickle.loads(pickle.dumps(position)) == position
    assert hash(copy.copy(position)) == hash(position)


@given(strategies.positions())
def test_blanks_line_ends_and_the_other_mine_symbol_do_not_matter(position: Position) -> None:
    header, *rows = position.to_text().splitlines()
    loose = "\r\n".join([f" {header} ", *(" ".join(row) for row in rows), "", "  "]).replace("?", "M")
    assert Position.from_text(loose) == position


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: the first line must be WIDTHxHEIGHTxMINES"),
        ("3x2\n111\n111", "line 1: the first line"),
        ("3x2x7\nHHH\nHHH", "line 1: a board of 3x2 cells can have 0 to 6 mines, not 7"),
        ("0x2x0\n\n", "line 1: a board needs at least one row"),
        ("999999999x999999999x999999999\nH", "line 1: a board can have at most 16,777,216 cells"),
        ("3x2x1\nHHH", "line 2: the first line announces 2 rows, but there is 1"),
        ("3x2x1\nHHH\nHHH\nHHH", "line 4: the first line announces 2 rows, but there are more"),
        ("\n\n3x2x1\nHHH\nH9H", "line 5, column 2: not a cell symbol: '9'"),
        ("3x2x1\nHHH\nH9H", "line 3, column 2: not a cell symbol: '9'"),
        ("3x2x1\nHH\nHHH", "line 2, column 3: the row has 2 cells, not 3"),
        ("3x2x1\nH H H H\nHHH", "line 2, column 7: the row has more than 3 cells"),
        ("3x2x1\nHHH\nHéH", "line 3, column 2: not a cell symbol: 'é'"),
    ],
)
def test_bad_text_says_where(text: str, message: str) -> None:
    with pytest.raises(InvalidText) as caught:
        Position.from_text(text)
    assert str(caught.value).startswith(message)


def test_a_hidden_cell_may_be_a_small_letter_and_other_symbols_are_named() -> None:
    assert Position.from_text("3x1x1\nh1h") == Position.from_text("3x1x1\nH1H")
    with pytest.raises(InvalidText, match=r"not a cell symbol: 'x'; a cell is 0 to 8, H \(hidden\), F"):
        Position.from_text("3x1x1\nx1h")


def test_positions_are_checked() -> None:
    with pytest.raises(InvalidBoard):
        Position(Grid(1, 2), 1, b"H")
    with pytest.raises(InvalidBoard):
        Position(Grid(1, 2), 3, b"HH")
    with pytest.raises(InvalidBoard, match="not a cell symbol: 'x'"):
        Position(Grid(1, 2), 1, b"Hx")
    position = Position.blank(Grid(1, 2), 1)
    with pytest.raises(AttributeError):
        position.mines = 2  # type: ignore[misc]


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("3x1x1\n1HH", Status.VALID),
        ("3x1x1\n0*H", Status.CLUE_TOO_SMALL),
        ("3x1x1\n2HH", Status.CLUE_TOO_LARGE),
        ("3x1x1\n1SH", Status.CLUE_TOO_LARGE),
        ("3x1x1\n**H", Status.TOO_FEW_MINES),
        ("3x1x3\n*HS", Status.TOO_MANY_MINES),
        ("3x1x0\n3*0", Status.CLUE_TOO_LARGE | Status.CLUE_TOO_SMALL | Status.TOO_FEW_MINES),
        ("3x1x1\n0FH", Status.VALID),  # a flag is only a note
    ],
)
def test_status(text: str, status: Status) -> None:
    assert Position.from_text(text).status() == status


def test_looking() -> None:
    position = Position.from_text("4x2x3\n1F*H\n?QS2")
    assert position["B1"] == "F"
    assert position.clue("D2") == 2
    assert position.clue("A2") is None
    assert (position.flags, position.known_mines, position.mines_left) == (1, 2, 1)
    assert list(map(str, position.where("HQS"))) == ["D1", "B2", "C2"]
    assert position.array().shape == (2, 4)
    assert chr(position.array()[1, 2]) == "S"
    with pytest.raises(ValueError, match="read-only"):
        position.array()[0, 0] = 0
