"""Where things are: cells, their names, and the rectangle they lie in."""

from __future__ import annotations

import operator
import re
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress
from typing import NamedTuple, TypeAlias, overload

from mineproof.errors import InvalidBoard, InvalidText, shorten

MAX_CELLS = 2**24
"""The largest board: 4096×4096, or any other shape of as many cells."""

_NAME = re.compile(r"([A-Za-z]{1,6})([1-9][0-9]{0,8})", re.ASCII)


class Cell(NamedTuple):
    """A cell: row and column from 0. In text, column letters and a row from 1.

    >>> str(Cell(15, 29)), Cell.parse("c4")
    ('AD16', Cell(row=3, col=2))
    """

    row: int
    col: int

    def __str__(self) -> str:
        return f"{column_name(self.col)}{self.row + 1}"

    @classmethod
    def parse(cls, text: str) -> Cell:
        """The cell of a name such as ``C4``; upper or lower case."""
        found = _NAME.fullmatch(text.strip())
        if found is None:
            raise InvalidText(f"a cell is written as column letters and a row, as in C4; this is {shorten(text)}")
        col = 0
        for letter in found[1].upper():
            col = col * 26 + ord(letter) - ord("A") + 1
        return cls(int(found[2]) - 1, col - 1)


CellLike: TypeAlias = "Cell | tuple[int, int] | str"
"""What callers may give for a cell: ``Cell(3, 2)``, ``(3, 2)`` or ``"C4"``."""


def column_name(col: int) -> str:
    """Letters as in a spreadsheet.

    >>> [column_name(c) for c in (0, 25, 26, 701, 702)]
    ['A', 'Z', 'AA', 'ZZ', 'AAA']
    """
    letters = ""
    col += 1
    while col:
        col, letter = divmod(col - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return letters


@dataclass(frozen=True, slots=True)
class Grid:
    """A rectangle of cells.

    >>> grid = Grid(rows=16, cols=30)
    >>> len(grid), grid.cell(31), grid.index("B2")
    (480, Cell(row=1, col=1), 31)
    """

    rows: int
    cols: int

    def __post_init__(self) -> None:
        for field in ("rows", "cols"):
            number = whole(getattr(self, field), field)
            if number < 1:
                raise InvalidBoard(f"a board has at least one row and one column, not {self.rows} rows of {self.cols}")
            object.__setattr__(self, field, number)
        if self.rows * self.cols > MAX_CELLS:
            raise InvalidBoard(
                f"a board has at most {MAX_CELLS:,} cells; {self.rows} rows of {self.cols} cells are too many"
            )

    def __len__(self) -> int:
        return self.rows * self.cols

    def __iter__(self) -> Iterator[Cell]:
        return (Cell(row, col) for row in range(self.rows) for col in range(self.cols))

    def __contains__(self, cell: object) -> bool:
        return isinstance(cell, tuple) and 0 <= cell[0] < self.rows and 0 <= cell[1] < self.cols

    def __str__(self) -> str:
        return f"{self.cols}x{self.rows}"

    def at(self, cell: CellLike) -> Cell:
        """The cell meant, or an error when it is outside the grid."""
        found = cell if type(cell) is Cell else Cell.parse(cell) if isinstance(cell, str) else _cell(cell)
        if not (0 <= found.row < self.rows and 0 <= found.col < self.cols):
            name = str(found) if found.row >= 0 and found.col >= 0 else repr(tuple(found))
            raise InvalidBoard(f"{name} is outside this board of {self.cols} columns and {self.rows} rows")
        return found

    def index(self, cell: CellLike) -> int:
        """The row-major index of a cell."""
        row, col = self.at(cell)
        return row * self.cols + col

    def cell(self, index: int) -> Cell:
        """The cell at a row-major index."""
        return _cell_at(index, self.cols)

    def neighbours(self, cell: CellLike) -> list[Cell]:
        """The up to eight cells around one.

        >>> [str(c) for c in Grid(2, 3).neighbours("A1")]
        ['B1', 'A2', 'B2']
        """
        row, col = self.at(cell)
        columns = range(max(0, col - 1), min(self.cols, col + 2))
        return [
            Cell(r, c) for r in range(max(0, row - 1), min(self.rows, row + 2)) for c in columns if r != row or c != col
        ]


@lru_cache(maxsize=2**14)
def _cell_at(index: int, cols: int) -> Cell:
    """Cells of the usual boards are made once, and shared."""
    return Cell._make(divmod(index, cols))


def whole(number: object, name: str) -> int:
    """An integer of any kind, NumPy's too, as a plain one; not True, and not 2.0."""
    try:
        if isinstance(number, bool):
            raise TypeError
        return operator.index(number)  # type: ignore[arg-type]
    except TypeError:
        raise InvalidBoard(f"{name} has to be a whole number, not {shorten(number)}") from None


def _cell(pair: object) -> Cell:
    """A cell from a pair of whole numbers."""
    if not isinstance(pair, tuple) or len(pair) != 2:
        raise InvalidBoard(f"a cell is a name, as in C4, or a pair of row and column, not {shorten(pair)}")
    return Cell(whole(pair[0], "row"), whole(pair[1], "col"))


class Cells(Sequence[Cell]):
    """Many cells at four bytes each: a sequence of `Cell` that is made only where one looks.

    >>> Cells(Grid(2, 3), [0, 4])
    [A1, B2]
    """

    __slots__ = ("grid", "indices")

    def __init__(self, grid: Grid, indices: Sequence[int]) -> None:
        self.grid = grid
        self.indices = indices

    @classmethod
    def where(cls, grid: Grid, mask: bytes) -> Cells:
        """Cells whose byte is not 0, row by row."""
        return cls(grid, array("i", compress(range(len(mask)), mask)))

    def __len__(self) -> int:
        return len(self.indices)

    @overload
    def __getitem__(self, i: int) -> Cell: ...
    @overload
    def __getitem__(self, i: slice) -> Cells: ...
    def __getitem__(self, i: int | slice) -> Cell | Cells:
        if isinstance(i, slice):
            return Cells(self.grid, self.indices[i])
        return self.grid.cell(self.indices[i])

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, Sequence) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shown = ", ".join(map(str, self[:20]))
        return f"[{shown}]" if len(self) <= 20 else f"[{shown}, … {len(self):,} cells]"
