"""Names work wherever cells do, and what comes back reads as a name."""

# mypy: disable-error-code="comparison-overlap"

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mineproof import Cell, Cells, CellSet, Game, Grid, InvalidText, Position, analyse, prove
from mineproof.logic.methods import METHODS

POSITION = Position.from_text("3x2x2\nHHH\n121")
CELLS = st.builds(Cell, st.integers(0, 10**6), st.integers(0, 10**6))


@given(CELLS)
def test_a_cell_rebuilds_from_its_repr_and_reads_as_its_name(cell: Cell) -> None:
    assert eval(repr(cell)) == cell
    assert str(cell) in repr(cell)


def test_a_cell_of_no_board_has_a_repr_too() -> None:
    assert eval(repr(Cell(-1, 2))) == Cell(-1, 2)


@given(st.frozensets(CELLS), st.frozensets(CELLS))
def test_sets_of_cells_are_frozen_sets(one: frozenset[Cell], other: frozenset[Cell]) -> None:
    mine, theirs = CellSet(one), CellSet(other)
    assert mine == one
    assert hash(mine) == hash(one)
    assert eval(repr(mine)) == mine
    assert pickle.loads(pickle.dumps(mine)) == mine
    assert all(str(cell) in mine and tuple(cell) in mine for cell in one)
    for found, wanted in (
        (mine | theirs, one | other),
        (mine & theirs, one & other),
        (mine - theirs, one - other),
        (mine ^ theirs, one ^ other),
        (one | theirs, one | other),
        (set(one) - theirs, one - other),
        (mine.union(other, [Cell(0, 0)]), one | other | {Cell(0, 0)}),
        (mine.intersection(other), one & other),
    ):
        assert found == wanted
    for found in (mine | theirs, mine & other, mine - theirs, mine ^ theirs, mine.difference(other)):
        assert isinstance(found, CellSet)
        assert all(str(cell) in found for cell in found)


def test_a_set_of_cells_and_other_things() -> None:
    assert 5 not in CellSet.parse("A1")
    with pytest.raises(TypeError):
        CellSet.parse("A1") | 5  # type: ignore[operator]
    with pytest.raises(InvalidText):
        assert "1A" in CellSet.parse("A1")
    assert str(CellSet.parse("B2, A1")) == "{A1, B2}"


def test_names_in_an_analysis() -> None:
    found = analyse(POSITION)
    assert "B1" in found.safe
    assert "b1" in found.safe
    assert "A1" not in found.safe
    assert "A1" in found.mined
    assert "A1" in found.safe | found.mined
    assert found.probability("A1") == found.probability((0, 0)) == 1
    assert found.probability("B1") == 0
    assert repr(found.safe) == "CellSet.parse('B1')"


@pytest.mark.parametrize("method", ["single", "subset", "sat"])
def test_names_in_deductions(method: str) -> None:
    for deduction in METHODS[method].infer(POSITION):
        assert all(str(cell) in deduction.cells for cell in deduction.cells)
        assert all(str(clue) in deduction.because for clue in deduction.because)


def test_names_in_a_proof() -> None:
    proof = prove(POSITION, "B1")
    assert proof is not None
    assert "A2" in proof.because


def test_names_on_a_board() -> None:
    grid = Grid(rows=2, cols=3)
    assert "C2" in grid
    assert "A3" not in grid
    assert (1, 2) in grid
    assert 5 not in grid
    assert (1, 2, 3) not in grid
    cells = Cells(grid, [0, 4])
    assert "B2" in cells
    assert "C1" not in cells
    assert Cell(1, 1) in cells
    assert "Z9" not in cells
    assert 7 not in cells
    game = Game(level="3x2x2", seed=1)
    for board in (POSITION, game):
        assert "C2" in board
        assert "D2" not in board
        assert board["C2"] == board[1, 2] == board[[1, 2]]  # type: ignore[index]
        assert list(board) == list(board.grid)
