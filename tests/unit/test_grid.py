import pytest
from hypothesis import given
from hypothesis import strategies as st

from mineproof import Cell, Cells, Grid, InvalidArgument, InvalidBoard, InvalidText
from mineproof.board.grid import MAX_CELLS


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_a_cell_survives_its_name(row: int, col: int) -> None:
    assert Cell.parse(str(Cell(row, col))) == (row, col)
    assert Cell.parse(str(Cell(row, col)).lower()) == (row, col)


@pytest.mark.parametrize("text", ["", "A", "7", "A0", "4C", "A-1", "A1B", "Ä1", "A1.5", "A" * 50 + "1", "A١"])
def test_what_is_no_cell_is_refused(text: str) -> None:
    with pytest.raises(InvalidText):
        Cell.parse(text)


def test_corners_of_expert() -> None:
    grid = Grid(16, 30)
    assert str(grid.cell(0)) == "A1"
    assert str(grid.cell(len(grid) - 1)) == "AD16"
    assert len(grid.neighbours("A1")) == 3
    assert len(grid.neighbours("AD8")) == 5
    assert len(grid.neighbours("B2")) == 8


@pytest.mark.parametrize(("rows", "cols"), [(0, 5), (5, 0), (-1, 5), (MAX_CELLS, 2), (True, 3), (2.0, 3)])
def test_sizes_that_cannot_be(rows: int, cols: int) -> None:
    with pytest.raises(InvalidArgument):
        Grid(rows, cols)


def test_ten_million_cells_are_allowed() -> None:
    assert len(Grid(2500, 4000)) == 10**7


@pytest.mark.parametrize("cell", ["E1", "A4", (3, 0), (0, 4), (-1, 0)])
def test_outside(cell: str | tuple[int, int]) -> None:
    with pytest.raises(InvalidBoard, match="outside this board of 4 columns and 3 rows"):
        Grid(3, 4).at(cell)


def test_cells_are_a_sequence() -> None:
    cells = Cells(Grid(2, 3), [0, 4, 5])
    assert list(cells) == [(0, 0), (1, 1), (1, 2)]
    assert cells == [(0, 0), (1, 1), (1, 2)]
    assert cells[1:] == [(1, 1), (1, 2)]
    assert (1, 1) in cells
    assert repr(Cells(Grid(9, 9), list(range(81)))).endswith("… 81 cells]")
