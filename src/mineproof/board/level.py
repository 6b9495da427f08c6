"""How large a board is and how many mines it has."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from mineproof.board.grid import Grid, whole
from mineproof.errors import InvalidBoard, InvalidText, UnknownName, shorten

_SIZE = re.compile(r"([0-9]{1,9})x([0-9]{1,9})x([0-9]{1,9}|[0-9.]{1,20}%|p[0-9.e-]{1,30})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Level:
    """Rows, columns and mines; or, instead of mines, the probability of each cell to be one.

    In text a level is a name, or width × height × mines, as in ``30x16x99``, ``30x30x15%`` (that share of the cells,
    rounded) or ``9x9xp0.2`` (each cell with that probability).

    >>> Level.parse("expert")
    Level(rows=16, cols=30, mines=99, probability=None)
    >>> str(Level(16, 30, 99)), str(Level.parse("20x10x15%"))
    ('expert', '20x10x30')
    """

    rows: int
    cols: int
    mines: int | None = None
    probability: float | None = None

    def __post_init__(self) -> None:
        grid = Grid(self.rows, self.cols)
        object.__setattr__(self, "rows", grid.rows)
        object.__setattr__(self, "cols", grid.cols)
        if (self.mines is None) == (self.probability is None):
            raise InvalidBoard("a level has either a number of mines or a probability of mines")
        if self.mines is not None:
            object.__setattr__(self, "mines", mines_on(grid, self.mines))
        if self.probability is not None:
            object.__setattr__(self, "probability", _share(self.probability, "probability"))

    @property
    def grid(self) -> Grid:
        """The rectangle."""
        return Grid(self.rows, self.cols)

    @classmethod
    def share(cls, rows: int, cols: int, share: float | Fraction) -> Level:
        """A board with this share of its cells mined, rounded.

        >>> Level.share(10, 20, 0.15).mines
        30
        """
        checked = _share(share, "share of mines")
        exact = share if isinstance(share, Fraction) else Fraction(repr(checked))
        return cls(rows, cols, round(exact * len(Grid(rows, cols))))

    @classmethod
    def parse(cls, text: str) -> Level:
        """A level from its name or its size."""
        text = text.lower()
        if text in LEVELS:
            return LEVELS[text]
        found = _SIZE.fullmatch(text)
        if found is None:
            if re.match(r"[0-9]", text):
                raise InvalidText(f"a size is width x height x mines, as in 30x16x99; this is {shorten(text)}")
            raise UnknownName("level", text, LEVELS)
        cols, rows, mines = int(found[1]), int(found[2]), found[3]
        try:
            if mines.endswith("%"):
                return cls.share(rows, cols, Fraction(mines[:-1]) / 100)
            if mines.startswith("p"):
                return cls(rows, cols, probability=float(mines[1:]))
        except (ValueError, ZeroDivisionError) as failure:
            if isinstance(failure, InvalidBoard):
                raise
            raise InvalidText(f"this is no share of mines: {shorten(mines)}") from None
        return cls(rows, cols, int(mines))

    def __str__(self) -> str:
        for name, level in LEVELS.items():
            if level == self:
                return name
        return self.size

    @property
    def size(self) -> str:
        """Width × height × mines, never the name."""
        mines = f"p{self.probability!r}" if self.mines is None else self.mines
        return f"{self.cols}x{self.rows}x{mines}"


def mines_on(grid: Grid, mines: object) -> int:
    """A number of mines that this board can hold."""
    number = whole(mines, "the number of mines")
    if not 0 <= number <= len(grid):
        raise InvalidBoard(f"{grid.rows} rows of {grid.cols} cells take from 0 to {len(grid)} mines, not {number}")
    return number


def _share(number: object, name: str) -> float:
    """A number from 0 to 1 of any kind as a plain float."""
    try:
        share = float(number)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        share = -1.0
    if not 0 <= share <= 1:
        raise InvalidBoard(f"a {name} is a number from 0 to 1, not {shorten(str(number))}")
    return share


LEVELS = {
    "beginner": Level(9, 9, 10),
    "beginner-classic": Level(8, 8, 10),
    "medium": Level(16, 16, 25),
    "intermediate": Level(16, 16, 40),
    "expert": Level(16, 30, 99),
}
"""The named levels. ``medium`` is that of the `matching` report."""
