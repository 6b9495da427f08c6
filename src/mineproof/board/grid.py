"""Cells, their names, and the grid they form."""

from __future__ import annotations

import operator
import re
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, wraps
from itertools import compress
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, overload

from mineproof.errors import InvalidArgument, InvalidBoard, InvalidText, check_text, shorten

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_CELLS = 2**24
"""The largest board: 4096×4096, or any other shape with as many cells."""

_NAME = re.compile(r"([A-Za-z]{1,6})([1-9][0-9]{0,8})", re.ASCII)


class Cell(NamedTuple):
    """A cell: row and column from 0. In text, column letters and a row from 1.

    >>> str(Cell(15, 29)), Cell.parse("c4"), Cell.parse("c4") == (3, 2)
    ('AD16', Cell.parse('C4'), True)
    """

    row: int
    col: int

    def __repr__(self) -> str:
        if self.row < 0 or self.col < 0:  # not on any board, so it has no name
            return f"Cell(row={self.row!r}, col={self.col!r})"
        return f"Cell.parse({str(self)!r})"

    def __str__(self) -> str:
        return f"{column_name(self.col)}{self.row + 1}"

    @classmethod
    def parse(cls, text: str) -> Cell:
        """Parse a name such as ``C4``, in upper or lower case."""
        check_text(text, "the name of a cell")
        match = _NAME.fullmatch(text.strip())
        if match is None:
            raise InvalidText(f"a cell must be column letters and a row, as in C4, not {shorten(text)}")
        col = 0
        for letter in match[1].upper():
            col = col * 26 + ord(letter) - ord("A") + 1
        return cls(int(match[2]) - 1, col - 1)


CellLike: TypeAlias = "Cell | tuple[int, int] | str"
"""What callers may pass as a cell: ``Cell(3, 2)``, ``(3, 2)`` or ``"C4"``."""


def column_name(col: int) -> str:
    """Return column letters, as in a spreadsheet.

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
    (480, Cell.parse('B2'), 31)
    >>> "B2" in grid, "AE1" in grid
    (True, False)
    """

    rows: int
    cols: int

    def __post_init__(self) -> None:
        for field in ("rows", "cols"):
            number = whole(getattr(self, field), field)
            if number < 1:
                raise InvalidBoard(
                    f"a board needs at least one row and one column, not {self.rows} rows of {self.cols}"
                )
            object.__setattr__(self, field, number)
        if self.rows * self.cols > MAX_CELLS:
            raise InvalidBoard(
                f"a board can have at most {MAX_CELLS:,} cells; {self.rows} rows of {self.cols} cells are too many"
            )

    def __len__(self) -> int:
        return self.rows * self.cols

    def __iter__(self) -> Iterator[Cell]:
        return (Cell(row, col) for row in range(self.rows) for col in range(self.cols))

    def __contains__(self, cell: object) -> bool:
        if isinstance(cell, str):
            cell = Cell.parse(cell)
        return isinstance(cell, tuple) and len(cell) == 2 and 0 <= cell[0] < self.rows and 0 <= cell[1] < self.cols

    def __str__(self) -> str:
        return f"{self.cols}x{self.rows}"

    def at(self, cell: CellLike) -> Cell:
        """Return the cell given in any form. Raises an error if it is outside the grid."""
        place = to_cell(cell)
        if not (0 <= place.row < self.rows and 0 <= place.col < self.cols):
            name = str(place) if place.row >= 0 and place.col >= 0 else repr(tuple(place))
            raise InvalidBoard(f"{name} is outside this board of {self.cols} columns and {self.rows} rows")
        return place

    def index(self, cell: CellLike) -> int:
        """Return the row-major index of a cell."""
        row, col = self.at(cell)
        return row * self.cols + col

    def cell(self, index: int) -> Cell:
        """Return the cell at a row-major index."""
        return _cell_at(index, self.cols)

    def neighbours(self, cell: CellLike) -> list[Cell]:
        """Return the cells around a cell, up to eight.

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
    """Return a cell of a board with this many columns. Cells of the usual boards are created once and shared."""
    return Cell._make(divmod(index, cols))


def whole(number: object, name: str) -> int:
    """Return any kind of integer, including NumPy's, as a plain int. True and 2.0 are refused."""
    try:
        if isinstance(number, bool):
            raise TypeError
        return operator.index(number)  # type: ignore[arg-type]
    except TypeError:
        raise InvalidArgument(f"{name} must be a whole number, not {shorten(number)}") from None


def to_cell(value: object) -> Cell:
    """Return a cell from its name, or from a pair of whole numbers: a tuple, or a list, as in JSON."""
    if type(value) is Cell:
        return value
    if isinstance(value, str):
        return Cell.parse(value)
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        raise InvalidArgument(f"a cell must be a name, as in C4, or a pair of row and column, not {shorten(value)}")
    return Cell(whole(value[0], "row"), whole(value[1], "col"))


class Cells(Sequence[Cell]):
    """A sequence of cells at four bytes each; a `Cell` is created only on access.

    >>> cells = Cells(Grid(rows=2, cols=3), [0, 4])
    >>> cells, "B2" in cells
    ([A1, B2], True)
    """

    __slots__ = ("grid", "indices")

    def __init__(self, grid: Grid, indices: Sequence[int]) -> None:
        self.grid = grid
        self.indices = indices

    def __reduce__(self) -> tuple[object, ...]:
        return Cells, (self.grid, self.indices)

    @classmethod
    def where(cls, grid: Grid, mask: bytes) -> Cells:
        """Return the cells whose byte is not 0, row by row."""
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

    def __contains__(self, cell: object) -> bool:
        return cell in self.grid and self.grid.index(cell) in self.indices  # type: ignore[arg-type]

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, Sequence) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shown = ", ".join(map(str, self[:20]))
        return f"[{shown}]" if len(self) <= 20 else f"[{shown}, … {len(self):,} cells]"


class CellSet(frozenset[Cell]):
    """A frozen set of cells that also finds cells by name.

    It is built and combined at the speed of a ``frozenset``; only ``in`` checks for names. (A `Cell` cannot equal its
    name: it has the hash of the pair, not of the text.)

    >>> cells = CellSet([Cell(0, 1), Cell(1, 1)])
    >>> cells, "B2" in cells, (1, 1) in cells
    (CellSet.parse('B1 B2'), True, True)
    >>> print(cells - CellSet.parse("B1"))
    {B2}
    """

    __slots__ = ()

    @classmethod
    def parse(cls, text: str) -> CellSet:
        """Parse names separated by blanks or commas."""
        return cls(map(Cell.parse, text.replace(",", " ").split()))

    def __contains__(self, cell: object) -> bool:
        return super().__contains__(Cell.parse(cell) if isinstance(cell, str) else cell)

    def __str__(self) -> str:
        return "{" + ", ".join(map(str, sorted(self))) + "}"

    def __repr__(self) -> str:
        return f"CellSet.parse({' '.join(map(str, sorted(self)))!r})"


def _in_cell_set(name: str) -> Callable[..., Any]:
    """Return the set operation of this name with a `CellSet` as its result, instead of a ``frozenset``."""
    plain = getattr(frozenset, name)

    @wraps(plain)
    def operation(self: CellSet, *others: object) -> Any:
        result = plain(self, *others)
        return result if result is NotImplemented else CellSet(result)

    return operation


for _name in ("union", "intersection", "difference", "symmetric_difference"):
    setattr(CellSet, _name, _in_cell_set(_name))
for _name in ("or", "and", "sub", "xor"):
    setattr(CellSet, f"__{_name}__", _in_cell_set(f"__{_name}__"))
    setattr(CellSet, f"__r{_name}__", _in_cell_set(f"__r{_name}__"))
