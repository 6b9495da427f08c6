"""The size of a board and its number of mines."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from mineproof.board.grid import Grid, whole
from mineproof.errors import InvalidArgument, InvalidBoard, InvalidText, Registry, UnknownName, check_text, shorten

SHARES = {"naive": "10%", "medium": "15%", "expert": "20%"}
"""The levels of the report on `csp`: shares of mines, on a board of any size."""
_SIZE = re.compile(
    rf"([0-9]{{1,9}})x([0-9]{{1,9}})x([0-9]{{1,9}}|[0-9.]{{1,20}}%|p[0-9.e-]{{1,30}}|{'|'.join(SHARES)})", re.ASCII
)


@dataclass(frozen=True, slots=True, repr=False)
class Level:
    """Rows, columns and mines; or, instead of mines, the probability that a cell is one.

    In text a level is a name, or width × height × mines, as in ``30x16x99``, ``30x30x15%`` (that share of the cells,
    rounded), ``30x30xnaive`` (10 %; ``medium`` is 15 %, ``expert`` 20 %) or ``9x9xp0.2`` (each cell with that
    probability).

    >>> Level.parse("expert")
    Level(rows=16, cols=30, mines=99)
    >>> str(Level(rows=16, cols=30, mines=99)), str(Level.parse("20x10x15%"))
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
            raise InvalidBoard("a level needs either a number of mines or a probability of mines")
        if self.mines is not None:
            object.__setattr__(self, "mines", mines_on(grid, self.mines))
        if self.probability is not None:
            object.__setattr__(self, "probability", _share(self.probability, "probability"))

    @property
    def grid(self) -> Grid:
        """The grid of cells."""
        return Grid(self.rows, self.cols)

    @classmethod
    def of(cls, level: Level | str) -> Level:
        """Return a level, which may be given as text."""
        if isinstance(level, str):
            return cls.parse(level)
        if not isinstance(level, Level):
            raise InvalidArgument(f"a level must be a name or a size, as in expert or 30x16x99, not {shorten(level)}")
        return level

    @classmethod
    def share(cls, rows: int, cols: int, share: float | Fraction) -> Level:
        """Return a level with this share of mines, rounded.

        >>> Level.share(10, 20, 0.15).mines
        30
        """
        checked = _share(share, "share of mines")
        exact = share if isinstance(share, Fraction) else Fraction(repr(checked))
        return cls(rows, cols, round(exact * len(Grid(rows, cols))))

    @classmethod
    def parse(cls, text: str) -> Level:
        """Parse a name or a size."""
        check_text(text, "a level")
        text = text.lower()
        text = OTHER_NAMES.get(text, text)
        if text in LEVELS:
            return LEVELS[text]
        match = _SIZE.fullmatch(text)
        if match is None:
            if re.match(r"[0-9]", text):
                raise InvalidText(f"a size must be WIDTHxHEIGHTxMINES, as in 30x16x99, not {shorten(text)}")
            raise UnknownName("level", text, [*LEVELS, *OTHER_NAMES])
        cols, rows, mines = int(match[1]), int(match[2]), SHARES.get(match[3], match[3])
        try:
            if mines.endswith("%"):
                return cls.share(rows, cols, Fraction(mines[:-1]) / 100)
            if mines.startswith("p"):
                return cls(rows, cols, probability=float(mines[1:]))
        except (ValueError, ZeroDivisionError) as failure:
            if isinstance(failure, InvalidBoard):
                raise
            raise InvalidText(f"not a share of mines: {shorten(mines)}") from None
        return cls(rows, cols, int(mines))

    def __repr__(self) -> str:
        mines = f"probability={self.probability!r}" if self.mines is None else f"mines={self.mines!r}"
        return f"Level(rows={self.rows!r}, cols={self.cols!r}, {mines})"

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
    """Return a number of mines, which this board must be able to hold."""
    number = whole(mines, "the number of mines")
    if not 0 <= number <= len(grid):
        raise InvalidBoard(f"a board of {grid.cols}x{grid.rows} cells can have 0 to {len(grid)} mines, not {number}")
    return number


def _share(number: object, name: str) -> float:
    """Return any kind of number from 0 to 1 as a plain float."""
    try:
        share = float(number)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        share = -1.0
    if not 0 <= share <= 1:
        raise InvalidBoard(f"a {name} must be a number from 0 to 1, not {shorten(str(number))}")
    return share


LEVELS = Registry(
    "level",
    {
        "beginner": Level(rows=9, cols=9, mines=10),
        "beginner-classic": Level(rows=8, cols=8, mines=10),
        "medium": Level(rows=16, cols=16, mines=25),
        "intermediate": Level(rows=16, cols=16, mines=40),
        "expert": Level(rows=16, cols=30, mines=99),
    },
)
"""The named levels. ``medium`` is from the report on `matching`."""
OTHER_NAMES = {"easy": "beginner", "hard": "expert"}
"""Names of the smallest and the largest level in the report on `matching`."""
