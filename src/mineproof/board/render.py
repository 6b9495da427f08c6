"""A position as characters, for terminals. (`svg` makes pictures.)"""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING

from mineproof.board.grid import Cell, column_name

if TYPE_CHECKING:
    from collections.abc import Container

    from mineproof.board.layout import Layout
    from mineproof.board.position import Position
    from mineproof.board.svg import Odds

WRONG_FLAG = "X"
_UNICODE = {"0": "·", "H": "■", "F": "⚑", "Q": "?", "S": "◇", "*": "✸", "?": "✱", WRONG_FLAG: "✗"}
_ASCII = {"0": ".", "H": "#", "F": "F", "Q": "?", "S": "s", "*": "!", "?": "*", WRONG_FLAG: "x"}
_COLOURS = {  # 256-colour codes that stay apart for colour-blind eyes, on dark and on light ground
    "1": "38;5;33", "2": "38;5;36", "3": "38;5;166", "4": "38;5;97", "5": "38;5;136", "6": "38;5;31", "7": "1",
    "8": "38;5;244", "0": "38;5;243", "H": "38;5;246", "F": "1;38;5;202", "Q": "38;5;172", "S": "1;38;5;33",
    "*": "1;97;48;5;160", "?": "38;5;160", WRONG_FLAG: "1;97;48;5;202",
}  # fmt: skip


def to_unicode(position: Position, *, colour: bool = False, layout: Layout | None = None) -> str:
    """The board with Unicode symbols; ``layout`` marks flags that were wrong, when the game is over.

    >>> from mineproof import Position
    >>> print(to_unicode(Position.from_text("4x2x2\\n01FH\\n012H")))
       A B C D
     1 · 1 ⚑ ■
     2 · 1 2 ■
    """
    return _draw(position, _UNICODE, colour, layout)


def to_ascii(position: Position, *, colour: bool = False, layout: Layout | None = None) -> str:
    """The same in plain ASCII.

    >>> from mineproof import Position
    >>> print(to_ascii(Position.from_text("4x2x2\\n01FH\\n012H")))
       A B C D
     1 . 1 F #
     2 . 1 2 #
    """
    return _draw(position, _ASCII, colour, layout)


def odds_table(
    position: Position, odds: Odds, safe: Container[Cell], mined: Container[Cell], *, colour: bool = False
) -> str:
    """The board with the probability of a mine, in percent, on each closed cell; ``ok`` and ``**`` where it is certain.

    >>> from mineproof import Cell, Position
    >>> position = Position.from_text("4x1x1\\n1HHH")
    >>> print(odds_table(position, [[None, 1.0, 0.0, 0.25]], {Cell(0, 2)}, {Cell(0, 1)}))
        A  B  C  D
     1  1 ** ok 25
    """
    grid = position.grid
    margin = max(2, len(str(grid.rows)))
    lines = [" " * (margin + 1) + " ".join(f"{column_name(col):>2}" for col in range(grid.cols))]
    for row in range(grid.rows):
        parts = []
        for col in range(grid.cols):
            cell, chance = Cell(row, col), odds[row][col]
            symbol = position[cell]
            text, style = f"{_ASCII.get(symbol, symbol):>2}", _COLOURS[symbol]
            if cell in safe:
                text, style = "ok", "1;38;5;33"
            elif cell in mined:
                text, style = "**", "1;38;5;202"
            elif chance is not None and not isnan(chance):
                text, style = f"{min(max(round(100 * chance), 1), 99):>2}", "38;5;246"
            parts.append(f"\x1b[{style}m{text}\x1b[0m" if colour else text)
        lines.append(f"{row + 1:>{margin}} " + " ".join(parts))
    return "\n".join(lines)


def symbols(position: Position, layout: Layout | None = None) -> str:
    """The symbols of a position, with `WRONG_FLAG` where the layout has no mine below a flag."""
    text = position.cells.decode()
    if layout is None:
        return text
    return "".join(
        WRONG_FLAG if symbol == "F" and not mine else symbol for symbol, mine in zip(text, layout.mask, strict=True)
    )


def _draw(position: Position, glyphs: dict[str, str], colour: bool, layout: Layout | None) -> str:
    grid = position.grid
    drawn = {symbol: glyphs.get(symbol, symbol) for symbol in _COLOURS}
    if colour:
        drawn = {symbol: f"\x1b[{_COLOURS[symbol]}m{glyph}\x1b[0m" for symbol, glyph in drawn.items()}
    margin = max(2, len(str(grid.rows)))
    names = [column_name(col) for col in range(grid.cols)]
    height = len(names[-1])
    header = [
        " " * (margin + 1) + " ".join(name.rjust(height)[line] for name in names).rstrip() for line in range(height)
    ]
    text = symbols(position, layout)
    rows = [
        f"{row + 1:>{margin}} " + " ".join(drawn[s] for s in text[row * grid.cols : (row + 1) * grid.cols])
        for row in range(grid.rows)
    ]
    return "\n".join(header + rows)
