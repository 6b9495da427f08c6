"""Where the mines are. Only the game sees a layout; reasoning gets a `Position`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from secrets import randbelow
from typing import TYPE_CHECKING, Any, Protocol

from mineproof._native import mining
from mineproof._native.field import Field
from mineproof.board.grid import Cell, CellLike, Cells, Grid, whole
from mineproof.board.level import Level
from mineproof.board.position import SHOWN_CELLS, Position
from mineproof.board.rules import Rules
from mineproof.errors import IllegalMove, InvalidArgument, InvalidBoard, InvalidText, check_text, shorten

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_BITS_TO_DIGITS = bytes.maketrans(b"\0\1", b"01")
_DIGITS_TO_BITS = bytes.maketrans(b"01", b"\0\1")
_TEXT = re.compile(r"([^=]+)=([0-9A-Fa-f]+)(?:@([A-Za-z0-9,]+))?", re.ASCII)


@dataclass(frozen=True, slots=True, repr=False)
class Layout:
    """The mines of a board, and the cells that it was made to be started at, if any.

    In text: size, a bitmap in hexadecimal (row by row, most significant bit first), and the starts.

    >>> layout = Layout.of(Grid(rows=3, cols=4), mines=["B1", "D2", "A3"], starts=["C3"])
    >>> layout
    Layout.parse('4x3x3=418@C3')
    >>> layout.number("A2"), layout.has_mine("D2")
    (2, True)
    """

    grid: Grid
    mask: bytes
    """One byte per cell, row by row: 1 for a mine, else 0."""
    starts: tuple[Cell, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.grid, Grid) or not isinstance(self.mask, (bytes, bytearray, memoryview)):
            raise InvalidArgument("a layout needs a Grid and one byte per cell; Layout.of takes the cells of its mines")
        object.__setattr__(self, "mask", bytes(self.mask))
        if len(self.mask) != len(self.grid):
            raise InvalidBoard(f"{self.grid} has {len(self.grid)} cells, not {len(self.mask)}")
        if self.mask.translate(None, b"\0\1"):
            raise InvalidBoard("a layout must hold only 0 and 1")
        object.__setattr__(self, "starts", tuple(map(self.grid.at, self.starts)))
        if len(set(self.starts)) < len(self.starts):
            raise InvalidBoard("a starting cell appears twice")

    @classmethod
    def of(cls, grid: Grid, mines: Iterable[CellLike], starts: Iterable[CellLike] = ()) -> Layout:
        """Return a layout from its mined cells."""
        mask = bytearray(len(grid))
        for cell in mines:
            index = grid.index(cell)
            if mask[index]:
                raise InvalidBoard(f"{grid.cell(index)} appears twice")
            mask[index] = 1
        return cls(grid, bytes(mask), tuple(map(grid.at, starts)))

    @classmethod
    def draw(
        cls,
        level: Level | str,
        rules: Rules | str = "safe",
        start: CellLike | None = None,
        *,
        seed: int | None = None,
        index: int = 0,
    ) -> Layout:
        """Draw board number ``index`` of ``seed``, by default a new seed. All boards that the rules allow for this
        start are equally likely.

        The rules ``safe`` and ``opening`` need a start; the others do not take one.

        >>> Layout.draw("beginner", "opening", "C3", seed=1).mines
        10
        """
        return next(layouts(level, rules, start, seed=seed, first=index))

    @property
    def rows(self) -> int:
        """The height of the board."""
        return self.grid.rows

    @property
    def cols(self) -> int:
        """The width of the board."""
        return self.grid.cols

    @property
    def mines(self) -> int:
        """The number of mines."""
        return self.mask.count(1)

    @property
    def mine_cells(self) -> Cells:
        """The mined cells, row by row."""
        return Cells.where(self.grid, self.mask)

    @property
    def start(self) -> Cell | None:
        """The first starting cell, if the board has one."""
        return self.starts[0] if self.starts else None

    @property
    def naming(self) -> str:
        """The first-click rule of a game that names the starts; ``any`` if there are none, or one is a mine.

        >>> [Layout.parse(f"4x3x1=200{starts}").naming for starts in ("", "@A1", "@A1,D3", "@C1")]
        ['any', 'given', 'given:2', 'any']
        """
        if not self.starts or any(map(self.has_mine, self.starts)):
            return "any"
        return "given" if len(self.starts) == 1 else f"given:{len(self.starts)}"

    @property
    def level(self) -> Level:
        """Size and number of mines."""
        return Level(self.grid.rows, self.grid.cols, self.mines)

    def has_mine(self, cell: CellLike) -> bool:
        """Return whether the cell is a mine."""
        return bool(self.mask[self.grid.index(cell)])

    def number(self, cell: CellLike) -> int:
        """Return the number of mines around a cell."""
        return sum(map(self.has_mine, self.grid.neighbours(cell)))

    @property
    def bitmap(self) -> str:
        """The mask in hexadecimal, most significant bit first, padded at the end."""
        bits = self.mask.translate(_BITS_TO_DIGITS) + b"0" * (-len(self.mask) % 4)
        return f"{int(bits, 2):0{len(bits) // 4}x}"

    @classmethod
    def from_bitmap(cls, grid: Grid, bitmap: str, starts: Iterable[CellLike] = ()) -> Layout:
        """Return a layout from its bitmap; its length and padding must be right."""
        digits = -(-len(grid) // 4)
        if len(bitmap) != digits:
            raise InvalidText(f"the bitmap of {grid} must have {digits} hexadecimal digits, not {len(bitmap)}")
        if not re.fullmatch(r"[0-9a-fA-F]+", bitmap):
            raise InvalidText("a bitmap must have only hexadecimal digits")
        bits = f"{int(bitmap, 16):0{digits * 4}b}".encode()
        if b"1" in bits[len(grid) :]:
            raise InvalidText(f"the bitmap has mines beyond the last cell of {grid}")
        return cls(grid, bits[: len(grid)].translate(_DIGITS_TO_BITS), tuple(map(grid.at, starts)))

    @classmethod
    def parse(cls, text: str) -> Layout:
        """Parse a layout."""
        check_text(text, "a layout to parse")
        match = _TEXT.fullmatch(text)
        if match is None:
            raise InvalidText(f"a layout must be SIZE=BITMAP, as in 4x3x3=418@C3, not {shorten(text)}")
        level = Level.parse(match[1])
        layout = cls.from_bitmap(level.grid, match[2], match[3].split(",") if match[3] else ())
        if layout.mines != level.mines:
            raise InvalidText(f"the bitmap has {layout.mines} mines, not {match[1].rpartition('x')[2]}")
        return layout

    def __str__(self) -> str:
        starts = "@" + ",".join(map(str, self.starts)) if self.starts else ""
        return f"{self.level.size}={self.bitmap}{starts}"

    def __repr__(self) -> str:
        return f"Layout.parse({str(self)!r})"

    def finished(self) -> Position:
        """Return the board with every number open and every mine shown.

        >>> print(Layout.parse("4x3x3=418").finished())
           A B C D
         1 1 ✱ 2 1
         2 2 2 2 ✱
         3 ✱ 1 1 1
        """
        field = Field(self.grid.rows, self.grid.cols)
        field.lay(self.mask)
        return Position(self.grid, self.mines, field.solution())

    def _repr_svg_(self) -> str | None:
        """Return the picture for a notebook; none for boards that are too large."""
        return self.finished()._repr_svg_()

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: ARG002
        """Print the board, in an IPython console."""
        printer.text(str(self.finished()) if len(self.grid) <= SHOWN_CELLS else f"<Layout {self.level.size}>")


def some_seed(seed: int | None) -> int:
    """Return the given seed, checked; or a new one that is short enough to type."""
    return randbelow(10**9) if seed is None else check_seed(seed)


def check_seed(number: int, name: str = "seed") -> int:
    """Return a seed or a board number, which must be an unsigned 64-bit integer."""
    if not 0 <= whole(number, f"a {name}") < 2**64:
        raise InvalidArgument(f"a {name} must be a whole number from 0 to 2^64 - 1, not {shorten(number)}")
    return whole(number, name)


def draw_mine_count(level: Level, rules: Rules, seed: int, index: int) -> int:
    """Return the number of mines of a board. If the level has a probability of mines, the number is drawn.

    It is known before the first click, so it is drawn over all cells, given that the first-click rule leaves room.
    """
    grid = level.grid
    most = rules.most_mines(grid)
    if level.mines is None:
        assert level.probability is not None
        threshold = int(level.probability * 2**53)
        tries = max(4, min(1000, 10**8 // len(grid)))
        mines = mining.count_mines(len(grid), threshold, most, tries, seed, index)
        if mines < 0 or most < 0:
            raise InvalidBoard(f"{level.size} leaves too few safe cells for the first-click rule {rules.first_click}")
        return mines
    if level.mines > most:
        raise InvalidBoard(
            f"with first click {rules.first_click}, a board of {grid.cols}x{grid.rows} cells can have at most "
            f"{max(most, 0)} mines, not {level.mines}"
        )
    return level.mines


def check_start(grid: Grid, mines: int, rules: Rules, start: Cell) -> None:
    """Check that the start can be an opening: on a dense board not every cell can."""
    if rules.first_click == "opening" and mines > len(grid) - 1 - len(grid.neighbours(start)):
        raise IllegalMove(f"with {mines} mines, {start} cannot be an opening: start nearer to a corner")


def lay(grid: Grid, mines: int, rules: Rules, start: Cell | None, seed: int, index: int) -> Layout:
    """Lay this many mines; the arguments are already checked."""
    at = -1 if start is None else start.row * grid.cols + start.col
    mask = mining.lay(grid.rows, grid.cols, mines, at, int(rules.first_click == "opening"), seed, index)
    starts: tuple[Cell, ...] = () if start is None else (start,)
    if rules.first_click.startswith("given"):
        starts = tuple(map(grid.cell, mining.pick_safe(mask, rules.given(grid), seed, index)))
    layout = object.__new__(Layout)  # without the checks of __init__, because this is the fast path
    set_field = object.__setattr__
    set_field(layout, "grid", grid)
    set_field(layout, "mask", mask)
    set_field(layout, "starts", starts)
    return layout


class Laid(Protocol):
    """Anything with a layout: a game, a generated board, a solution."""

    @property
    def layout(self) -> Layout | None: ...


def layout_of(owner: Layout | Laid) -> Layout:
    """Return the layout itself, or that of a game.

    >>> layout_of("4x3x3=418")
    Traceback (most recent call last):
    mineproof.errors.InvalidArgument: this takes a layout or a game, not '4x3x3=418'; Layout.parse reads text
    """
    layout = owner if isinstance(owner, Layout) else getattr(owner, "layout", owner)
    if isinstance(layout, Layout):
        return layout
    if layout is None and owner is not None:
        raise InvalidArgument("this game has no mines yet: they are laid when the first cell is opened")
    hint = "; Layout.parse reads text" if isinstance(owner, (str, bytes)) else ""
    raise InvalidArgument(f"this takes a layout or a game, not {shorten(owner)}{hint}")


def layouts(
    level: Level | str,
    rules: Rules | str = "safe",
    start: CellLike | None = None,
    *,
    seed: int | None = None,
    first: int = 0,
) -> Iterator[Layout]:
    """Yield boards number ``first``, ``first + 1``, … of ``seed``, by default a new seed; endless.

    >>> from itertools import islice
    >>> [layout.mines for layout in islice(layouts("expert", "opening", "D4", seed=1), 3)]
    [99, 99, 99]
    """
    level = Level.of(level)
    rules = Rules.of(rules)
    grid = level.grid
    at = None if start is None else grid.at(start)
    if rules.laid_after_click and at is None:
        raise InvalidBoard(f"with first click {rules.first_click} a board depends on its start: name one")
    if not rules.laid_after_click and at is not None:
        raise InvalidBoard(f"with first click {rules.first_click} the start cannot be chosen")
    return _layouts(level, grid, rules, at, some_seed(seed), check_seed(first, "board number"))


def _layouts(level: Level, grid: Grid, rules: Rules, start: Cell | None, seed: int, index: int) -> Iterator[Layout]:
    mines = -1
    while True:
        if level.mines is None or mines < 0:  # drawn for each board, or checked once
            mines = draw_mine_count(level, rules, seed, index)
            if start is not None:
                check_start(grid, mines, rules, start)
        yield lay(grid, mines, rules, start, seed, index)
        index = (index + 1) % 2**64
