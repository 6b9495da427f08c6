"""What a player sees. It does not contain the mines, and is immutable."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Flag, auto
from typing import TYPE_CHECKING, Any, Protocol

from mineproof.board import front
from mineproof.board.grid import CellLike, Cells, Grid
from mineproof.board.images import to_png
from mineproof.board.level import mines_on
from mineproof.board.render import to_unicode
from mineproof.board.svg import to_svg
from mineproof.errors import InvalidArgument, InvalidBoard, InvalidText, check_text, shorten
from mineproof.limit import DEFAULT, Limit
from mineproof.plural import plural

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from mineproof.board.grid import Cell
    from mineproof.board.html import Picture
    from mineproof.board.render import Certain, Odds
    from mineproof.board.svg import Why

SYMBOLS = {
    **{str(n): f"opened, {n} mines around it" for n in range(9)},
    "H": "hidden",
    "F": "flagged: a note of the player",
    "Q": "question mark: a note of the player",
    "S": "hidden, but named safe by the game",
    "*": "an opened mine, in a game that continues after mines",
    "?": "a mine, shown because the game was lost",
}
"""The symbols of cells in the text of a position."""

CHOICE = "a cell is 0 to 8, H (hidden), F (flag), Q (question mark), S (named safe), * (opened mine) or ? (mine)"
UNKNOWN = "HFQ"
"""Unknown closed cells: notes prove nothing."""
CLOSED = "HFQS"
"""These, and cells that the game names safe."""
MINES = "*?"
"""Mines that are shown."""
NUMBERS = "012345678"
_SYMBOL_BYTES = "".join(SYMBOLS).encode()
_HEADER = re.compile(r"\s*([0-9]{1,9})\s*x\s*([0-9]{1,9})\s*x\s*([0-9]{1,9})\s*", re.ASCII | re.IGNORECASE)
SHOWN_CELLS = 10_000
"""Larger boards are not drawn in terminals and notebooks."""


class Status(Flag):
    """What is wrong with a position, judged by each clue alone. Empty if no single clue is violated."""

    VALID = 0
    CLUE_TOO_SMALL = auto()
    """A clue has more known mines around it than it says."""
    CLUE_TOO_LARGE = auto()
    """A clue has too few closed cells around it."""
    TOO_FEW_MINES = auto()
    """More mines are shown than the board has."""
    TOO_MANY_MINES = auto()
    """The closed cells cannot hold the mines."""


@dataclass(frozen=True, slots=True, repr=False)
class Position:
    """What a player sees, and the number of mines on the whole board.

    The text form starts with ``width x height x mines``; `SYMBOLS` lists what a cell can be.

    >>> position = Position.from_text('''5x4x4
    ... 001HH
    ... 112HH
    ... 1F2HH
    ... 112HH''')
    >>> position
    Position.from_text('5x4x4\\n001HH\\n112HH\\n1F2HH\\n112HH\\n')
    >>> position["C2"], position.clue("C2"), position.mines_left
    ('2', 2, 3)
    >>> [str(cell) for cell in position if position[cell] == "F"]
    ['B3']
    """

    grid: Grid
    mines: int
    cells: bytes
    """One character per cell, row by row."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "mines", mines_on(self.grid, self.mines))
        if len(self.cells) != len(self.grid):
            raise InvalidBoard(f"{self.grid} has {len(self.grid)} cells, not {len(self.cells)}")
        check_symbols(self.cells)

    # -- text ----------------------------------------------------------------------------------------------------

    @classmethod
    def from_text(cls, text: str) -> Position:
        """Read the text form; blanks between characters, CRLF, and blank lines around it are ignored."""
        check_text(text, "a position to read")
        body = text.strip()
        blank = text[: text.find(body)].count("\n")  # lines before the first
        head, _, rest = body.partition("\n")
        header = _HEADER.fullmatch(head)
        if header is None:
            raise InvalidText(
                f"the first line must be WIDTHxHEIGHTxMINES, as in 30x16x99, not {shorten(head)}", line=blank + 1
            )
        cols, rows, mines = map(int, header.groups())
        try:
            grid = Grid(rows, cols)
            mines_on(grid, mines)
        except InvalidBoard as failure:
            raise InvalidText(str(failure), line=blank + 1) from None
        lines = rest.split("\n", rows) if rest else []
        if len(lines) != rows:
            there = f"there {'is' if len(lines) == 1 else 'are'} {len(lines) or 'none'}"
            there = there if len(lines) < rows else "there are more"
            raise InvalidText(
                f"the first line announces {plural(rows, 'row')}, but {there}",
                line=blank + 1 + min(len(lines), rows + 1),
            )
        symbols = bytearray()
        for number, line in enumerate(lines, start=blank + 2):
            row = "".join(line.split()).replace("M", "?").replace("h", "H").encode("utf-8", "surrogatepass")
            if len(row) != cols or row.translate(None, _SYMBOL_BYTES):
                raise _bad_row(line, number, cols)
            symbols += row
        return cls(grid, mines, bytes(symbols))

    def to_text(self) -> str:
        """The text form."""
        cols, cells = self.grid.cols, self.cells.decode()
        rows = [cells[i : i + cols] for i in range(0, len(cells), cols)]
        return "\n".join([f"{self.grid}x{self.mines}", *rows, ""])

    def __repr__(self) -> str:
        return f"Position.from_text({self.to_text()!r})"

    def __str__(self) -> str:
        return to_unicode(self)

    def _repr_svg_(self) -> str | None:
        """The picture for a notebook; none for boards that are too large."""
        return self.to_svg() if len(self.grid) <= SHOWN_CELLS else None

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: ARG002
        """The board, in an IPython console."""
        printer.text(str(self) if len(self.grid) <= SHOWN_CELLS else f"<Position {self.grid}x{self.mines}>")

    def to_svg(
        self,
        odds: Odds | None = None,
        *,
        why: Why = (),
        known: Certain | None = None,
        theme: str = "plain",
    ) -> str:
        """A picture. With ``odds`` (rows of probabilities), closed cells are shaded by their risk. With ``why`` (an
        explanation, or some of its steps), clues are highlighted, and cells have the number of the step that settles
        them. With ``known`` (an analysis, or deductions), proved cells have the colours of the ``theme``."""
        return to_svg(self, odds, why=why, known=known, theme=theme)

    def to_png(
        self,
        odds: Odds | None = None,
        *,
        why: Why = (),
        known: Certain | None = None,
        theme: str = "plain",
    ) -> bytes:
        """The same picture as PNG; needs the extra ``images``."""
        return to_png(self.to_svg(odds, why=why, known=known, theme=theme))

    def show(
        self,
        *,
        odds: bool = False,
        why: CellLike | None = None,
        known: Certain | None = None,
        theme: str = "plain",
        limit: Limit = DEFAULT,
    ) -> Picture:
        """A picture with words, for a notebook: see `mineproof.show`.

        >>> print(Position.from_text("3x2x2\\nHHH\\n121").show(why="C1").text)
           A B C
         1 ■ ■ ■
         2 1 2 1
        C1 is a mine. Level 2: 1-2. The fewest clues that prove it: A2, B2.
        The 1 at A2 touches only two closed cells, ... so C1 is a mine.
        """
        return front.show(self, odds=odds, why=why, known=known, theme=theme, limit=limit)

    # -- looking -------------------------------------------------------------------------------------------------

    @classmethod
    def blank(cls, grid: Grid, mines: int) -> Position:
        """A board with nothing open."""
        return cls(grid, mines, b"H" * len(grid))

    @property
    def rows(self) -> int:
        """The height of the board."""
        return self.grid.rows

    @property
    def cols(self) -> int:
        """The width of the board."""
        return self.grid.cols

    def __getitem__(self, cell: CellLike) -> str:
        """The symbol of a cell."""
        return chr(self.cells[self.grid.index(cell)])

    def __iter__(self) -> Iterator[Cell]:
        """The cells, row by row."""
        return iter(self.grid)

    def __contains__(self, cell: object) -> bool:
        return cell in self.grid

    def with_symbol(self, cell: CellLike, symbol: str) -> Position:
        """The same position except for one cell.

        >>> Position.from_text('3x1x1\\nHHH').with_symbol("B1", "1").to_text()
        '3x1x1\\nH1H\\n'
        """
        index = self.grid.index(cell)
        if symbol not in SYMBOLS:
            raise InvalidArgument(f"not a cell symbol: {shorten(symbol)}; {CHOICE}")
        return Position(self.grid, self.mines, self.cells[:index] + symbol.encode() + self.cells[index + 1 :])

    def clue(self, cell: CellLike) -> int | None:
        """The number that an opened cell shows, else None."""
        symbol = self[cell]
        return int(symbol) if symbol in NUMBERS else None

    def where(self, symbols: str) -> Cells:
        """The cells that show one of these symbols, row by row.

        >>> Position.from_text('3x1x1\\n1FH').where("HF")
        [B1, C1]
        """
        wanted = symbols.encode()
        return Cells.where(self.grid, self.cells.translate(bytes(symbol in wanted for symbol in range(256))))

    @property
    def flags(self) -> int:
        """The number of flagged cells."""
        return self.cells.count(b"F")

    @property
    def known_mines(self) -> int:
        """The number of mines shown by the game."""
        return self.cells.count(b"*") + self.cells.count(b"?")

    @property
    def mines_left(self) -> int:
        """The mine counter: mines minus flags minus opened mines; negative if there are too many flags."""
        return self.mines - self.flags - self.cells.count(b"*")

    def array(self) -> NDArray[np.uint8]:
        """The symbols as a rows × cols array of character codes, read only."""
        import numpy as np

        return np.frombuffer(self.cells, np.uint8).reshape(self.grid.rows, self.grid.cols)

    def status(self) -> Status:
        """What is wrong with this position, judged by each clue alone and by the number of mines.

        >>> Position.from_text('2x1x1\\n2H').status()
        <Status.CLUE_TOO_LARGE: 2>
        """
        status = Status.VALID
        closed = 0
        for cell, symbol in zip(self.grid, self.cells.decode(), strict=True):
            closed += symbol in CLOSED
            if symbol in NUMBERS:
                around = [self[next_to] for next_to in self.grid.neighbours(cell)]
                shown = sum(next_to in MINES for next_to in around)
                unknown = sum(next_to in UNKNOWN for next_to in around)
                number = int(symbol)
                if number < shown:
                    status |= Status.CLUE_TOO_SMALL
                if number > shown + unknown:
                    status |= Status.CLUE_TOO_LARGE
        if self.known_mines > self.mines:
            status |= Status.TOO_FEW_MINES
        if self.mines > self.known_mines + closed - self.cells.count(b"S"):
            status |= Status.TOO_MANY_MINES
        return status


class Seen(Protocol):
    """Anything with a position: a game, a replay, an analysis."""

    @property
    def position(self) -> Position: ...


def position_of(given: Position | Seen) -> Position:
    """The position itself, or what the player of a game sees now. Nothing else of a game is read.

    >>> position_of("3x1x1")
    Traceback (most recent call last):
    mineproof.errors.InvalidArgument: this takes a position or a game, not '3x1x1'; Position.from_text reads text
    """
    position = given if isinstance(given, Position) else getattr(given, "position", None)
    if isinstance(position, Position):
        return position
    hint = "; Position.from_text reads text" if isinstance(given, (str, bytes)) else ""
    raise InvalidArgument(f"this takes a position or a game, not {shorten(given)}{hint}")


def check_position(given: object) -> None:
    """Check that it is a position, and not something that knows more."""
    if not isinstance(given, Position):
        raise InvalidArgument(f"an agent needs a position, as in game.position, not {shorten(given)}")


def check_symbols(symbols: bytes) -> None:
    """Check that all of these are cell symbols."""
    wrong = symbols.translate(None, _SYMBOL_BYTES)
    if wrong:
        raise InvalidBoard(f"not a cell symbol: {chr(wrong[0])!r}; {CHOICE}")


def _bad_row(line: str, number: int, cols: int) -> InvalidText:
    """The error for a bad row, with its place."""
    seen = 0
    for column, symbol in enumerate(line, start=1):
        if symbol.isspace():
            continue
        if symbol not in "Mh" and symbol not in SYMBOLS:
            return InvalidText(f"not a cell symbol: {symbol!r}; {CHOICE}", line=number, column=column)
        seen += 1
        if seen > cols:
            return InvalidText(f"the row has more than {cols} cells", line=number, column=column)
    return InvalidText(f"the row has {seen} cells, not {cols}", line=number, column=len(line.rstrip()) + 1)
