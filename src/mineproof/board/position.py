"""What a player sees. It never knows where the mines lie, and it cannot be changed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Flag, auto
from typing import TYPE_CHECKING, Any

from mineproof.board.grid import CellLike, Cells, Grid
from mineproof.board.level import mines_on
from mineproof.errors import InvalidBoard, InvalidText, shorten

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mineproof.board.svg import Odds, Why

SYMBOLS = {
    **{str(n): f"opened, {n} mines around it" for n in range(9)},
    "H": "hidden",
    "F": "flagged: a note of the player",
    "Q": "question mark: a note of the player",
    "S": "hidden, but named safe by the game",
    "*": "a mine that was opened in a game that goes on",
    "?": "a mine, shown because the game was lost",
}
"""What a cell of a position can be, as in its text."""

UNKNOWN = "HFQ"
"""Closed cells of which nothing is known: notes prove nothing."""
CLOSED = "HFQS"
"""Those, and cells that the game has named safe."""
MINES = "*?"
"""Mines that are shown."""
NUMBERS = "012345678"
_SYMBOL_BYTES = "".join(SYMBOLS).encode()
_HEADER = re.compile(r"\s*([0-9]{1,9})\s*x\s*([0-9]{1,9})\s*x\s*([0-9]{1,9})\s*", re.ASCII | re.IGNORECASE)
SHOWN_CELLS = 10_000
"""Larger boards are not drawn in terminals and notebooks: nobody could look at them."""


class Status(Flag):
    """What is wrong with a position, as far as each clue alone tells. Nothing means that no clue objects by itself."""

    VALID = 0
    CLUE_TOO_SMALL = auto()
    """A clue has more known mines around it than it says."""
    CLUE_TOO_LARGE = auto()
    """A clue has too few closed cells around it."""
    TOO_FEW_MINES = auto()
    """More mines are shown than there are."""
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
    """

    grid: Grid
    mines: int
    cells: bytes
    """One character a cell, row by row."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "mines", mines_on(self.grid, self.mines))
        if len(self.cells) != len(self.grid):
            raise InvalidBoard(f"{self.grid} has {len(self.grid)} cells, not {len(self.cells)}")
        check_symbols(self.cells)

    # -- text ----------------------------------------------------------------------------------------------------

    @classmethod
    def from_text(cls, text: str) -> Position:
        """Read the text form; blanks between the characters, CRLF and blank lines around it do not matter."""
        body = text.strip()
        blank = text[: text.find(body)].count("\n")  # lines before the first
        head, _, rest = body.partition("\n")
        header = _HEADER.fullmatch(head)
        if header is None:
            raise InvalidText(
                f"the first line is width x height x mines, as in 30x16x99, not {shorten(head)}", line=blank + 1
            )
        cols, rows, mines = map(int, header.groups())
        try:
            grid = Grid(rows, cols)
            mines_on(grid, mines)
        except InvalidBoard as failure:
            raise InvalidText(str(failure), line=blank + 1) from None
        lines = rest.split("\n", rows) if rest else []
        if len(lines) != rows:
            found = f"there are {len(lines)}" if len(lines) < rows else "there are more"
            raise InvalidText(f"{rows} rows are announced, but {found}", line=blank + 1 + min(len(lines), rows + 1))
        symbols = bytearray()
        for number, line in enumerate(lines, start=blank + 2):
            row = "".join(line.split()).replace("M", "?").encode("utf-8", "surrogatepass")
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
        from mineproof.board.render import to_unicode

        return to_unicode(self)

    def _repr_svg_(self) -> str | None:
        """The picture for a notebook; none for boards too large to look at."""
        return self.to_svg() if len(self.grid) <= SHOWN_CELLS else None

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: ARG002
        """The board, in an IPython console."""
        printer.text(str(self) if len(self.grid) <= SHOWN_CELLS else f"<Position {self.grid}x{self.mines}>")

    def to_svg(self, odds: Odds | None = None, *, why: Why = ()) -> str:
        """A picture; with ``odds`` (rows of probabilities), closed cells are shaded by how likely they are mines. With
        ``why`` (an explanation, or some of its steps), clues are lit, and cells marked with the number of the step that
        settles them."""
        from mineproof.board.svg import to_svg

        return to_svg(self, odds, why=why)

    # -- looking -------------------------------------------------------------------------------------------------

    @classmethod
    def blank(cls, grid: Grid, mines: int) -> Position:
        """A board with nothing opened."""
        return cls(grid, mines, b"H" * len(grid))

    def __getitem__(self, cell: CellLike) -> str:
        """The symbol of a cell."""
        return chr(self.cells[self.grid.index(cell)])

    def with_symbol(self, cell: CellLike, symbol: str) -> Position:
        """The same position except for one cell.

        >>> Position.from_text('3x1x1\\nHHH').with_symbol("B1", "1").to_text()
        '3x1x1\\nH1H\\n'
        """
        index = self.grid.index(cell)
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
        """How many cells are flagged."""
        return self.cells.count(b"F")

    @property
    def known_mines(self) -> int:
        """Mines that the game has shown."""
        return self.cells.count(b"*") + self.cells.count(b"?")

    @property
    def mines_left(self) -> int:
        """The counter on the screen: mines less flags and opened mines; negative when there are too many flags."""
        return self.mines - self.flags - self.cells.count(b"*")

    def array(self) -> NDArray[np.uint8]:
        """The symbols as a rows × cols array of character codes, read only."""
        import numpy as np

        return np.frombuffer(self.cells, np.uint8).reshape(self.grid.rows, self.grid.cols)

    def status(self) -> Status:
        """What each clue alone, and the number of mines, say against this position.

        >>> Position.from_text('2x1x1\\n2H').status()
        <Status.CLUE_TOO_LARGE: 2>
        """
        found = Status.VALID
        closed = 0
        for cell, symbol in zip(self.grid, self.cells.decode(), strict=True):
            closed += symbol in CLOSED
            if symbol in NUMBERS:
                around = [self[next_to] for next_to in self.grid.neighbours(cell)]
                shown = sum(next_to in MINES for next_to in around)
                unknown = sum(next_to in UNKNOWN for next_to in around)
                number = int(symbol)
                if number < shown:
                    found |= Status.CLUE_TOO_SMALL
                if number > shown + unknown:
                    found |= Status.CLUE_TOO_LARGE
        if self.known_mines > self.mines:
            found |= Status.TOO_FEW_MINES
        if self.mines > self.known_mines + closed - self.cells.count(b"S"):
            found |= Status.TOO_MANY_MINES
        return found


def check_symbols(symbols: bytes) -> None:
    """Whether all of these are symbols of a cell."""
    wrong = symbols.translate(None, _SYMBOL_BYTES)
    if wrong:
        raise InvalidBoard(f"this is no cell symbol: {chr(wrong[0])!r}")


def _bad_row(line: str, number: int, cols: int) -> InvalidText:
    """Say what is wrong with a row, and where."""
    seen = 0
    for column, symbol in enumerate(line, start=1):
        if symbol.isspace():
            continue
        if symbol != "M" and symbol not in SYMBOLS:
            return InvalidText(f"this is no cell symbol: {symbol!r}", line=number, column=column)
        seen += 1
        if seen > cols:
            return InvalidText(f"the row has more than {cols} cells", line=number, column=column)
    return InvalidText(f"the row has {seen} cells, not {cols}", line=number, column=len(line.rstrip()) + 1)
