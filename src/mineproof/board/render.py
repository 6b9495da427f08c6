"""A position as text for terminals. (`svg` makes pictures.)"""

from __future__ import annotations

import textwrap
from math import isnan
from string import ascii_lowercase
from typing import TYPE_CHECKING, Protocol, TypeAlias

from mineproof.board.grid import Cell, column_name
from mineproof.errors import Registry
from mineproof.percent import whole

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence, Set

    import numpy as np
    from numpy.typing import NDArray

    from mineproof.board.grid import Grid

    Odds: TypeAlias = Sequence[Sequence[float | None]] | NDArray[np.float64]

WRONG_FLAG = "X"
SAFE, MINED, UNIDENTIFIED = "safe", "mined", "unidentified"
"""What is known of a closed cell: proved safe; a mine that is proved or rightly flagged; another mine."""
_UNPROVED_FLAG = "unproved flag"
_UNICODE = {
    "0": "·", "H": "■", "F": "⚑", "Q": "?", "S": "◇", "*": "✸", "?": "✱", WRONG_FLAG: "✗",
    SAFE: "✓", MINED: "⚑", UNIDENTIFIED: "✱", _UNPROVED_FLAG: "⚐",
}  # fmt: skip
_ASCII = {
    "0": ".", "H": "#", "F": "F", "Q": "?", "S": "s", "*": "!", "?": "*", WRONG_FLAG: "x",
    SAFE: "+", MINED: "F", UNIDENTIFIED: "*", _UNPROVED_FLAG: "f",
}  # fmt: skip
_COLOURS = {  # 256-colour codes that colour-blind people can tell apart, on dark and on light backgrounds
    "1": "38;5;33", "2": "38;5;36", "3": "38;5;166", "4": "38;5;97", "5": "38;5;136", "6": "38;5;31", "7": "1",
    "8": "38;5;244", "0": "38;5;243", "H": "38;5;246", "F": "1;38;5;202", "Q": "38;5;172", "S": "1;38;5;33",
    "*": "1;97;48;5;160", "?": "38;5;160", WRONG_FLAG: "1;97;48;5;202",
}  # fmt: skip
THEMES = Registry("theme", {
    "plain": {SAFE: "1;38;5;33", MINED: "1;38;5;202", UNIDENTIFIED: "38;5;160"},
    "csp": {SAFE: "1;38;5;231;48;5;25", MINED: "1;38;5;231;48;5;28", UNIDENTIFIED: "1;38;5;16;48;5;210"},
})  # fmt: skip
"""The colours of known cells in each theme; those of pictures are in `svg`."""


class Drawn(Protocol):
    """What is drawn: a position."""

    @property
    def grid(self) -> Grid: ...
    @property
    def mines(self) -> int: ...
    @property
    def cells(self) -> bytes: ...


class Truth(Protocol):
    """Where the mines are, once that may be shown: a layout."""

    @property
    def mask(self) -> bytes: ...


class Certain(Protocol):
    """Cells that are proved: an analysis, or the deductions of a method."""

    @property
    def safe(self) -> Set[Cell]: ...
    @property
    def mined(self) -> Set[Cell]: ...


def to_unicode(
    position: Drawn,
    *,
    colour: bool = False,
    layout: Truth | None = None,
    known: Certain | None = None,
    theme: str = "plain",
) -> str:
    """Return the board with Unicode symbols; ``layout`` marks wrong flags after the game. ``known`` are proved cells,
    in the colours of the ``theme``. Each has its own sign: ✓ is safe, ⚑ is a mine, ⚐ is a flag that is not proved.

    >>> from mineproof import Position
    >>> print(to_unicode(Position.from_text("4x2x2\\n01FH\\n012H")))
       A B C D
     1 · 1 ⚑ ■
     2 · 1 2 ■
    """
    return _draw(position, _UNICODE, colour, layout, known, theme)


def to_ascii(
    position: Drawn,
    *,
    colour: bool = False,
    layout: Truth | None = None,
    known: Certain | None = None,
    theme: str = "plain",
) -> str:
    """Return the board in plain ASCII; of proved cells, + is safe, F is a mine, and f is a flag that is not proved.

    >>> from mineproof import Position
    >>> print(to_ascii(Position.from_text("4x2x2\\n01FH\\n012H")))
       A B C D
     1 . 1 F #
     2 . 1 2 #
    """
    return _draw(position, _ASCII, colour, layout, known, theme)


def to_signs(position: Drawn, signs: Mapping[str, str], *, colour: bool = False) -> str:
    """Return the board in plain ASCII, except for symbols with signs of their own.

    >>> from mineproof import Position
    >>> print(to_signs(Position.from_text("4x2x2\\n01FH\\n012H"), {"H": "?", "F": "X"}))
       A B C D
     1 . 1 X ?
     2 . 1 2 ?
    """
    return _draw(position, {**_ASCII, **signs}, colour, None, None, "plain")


def odds_table(
    position: Drawn,
    odds: Odds,
    safe: Container[Cell],
    mined: Container[Cell],
    *,
    colour: bool = False,
    width: int = 80,
) -> str:
    """Return the board with the probability of a mine on each closed cell, and a legend.

    If there is room, risks are percentages; on wider boards they are letters, starting with the least risk.

    >>> from mineproof import Cell, Position
    >>> position = Position.from_text("5x1x2\\n1HHHH")
    >>> print(odds_table(position, [[None, 1.0, 0.0, 0.25, 0.75]], {Cell(0, 2)}, {Cell(0, 1)}))
         A   B   C   D   E
     1   1  **  ok 25% 75%
    ok safe  ** a mine  25% risk of a mine
    >>> print(odds_table(position, [[None, 1.0, 0.0, 0.25, 0.75]], {Cell(0, 2)}, {Cell(0, 1)}, width=20))
       A B C D E
     1 1 * + a b
    + safe  * a mine
    risk of a mine:
    a 25%  b 75%
    """
    grid = position.grid
    margin = max(2, len(str(grid.rows)))
    risks = _percentages(position, odds, safe, mined)
    roomy = margin + 4 * grid.cols <= width
    names = {percent: f"{percent}%" for percent in risks.values()} if roomy else _letters(set(risks.values()))
    wide, certain = (3, ("ok", "**")) if roomy else (1, ("+", "*"))
    lines = _column_names(position, margin, wide)
    used: dict[str, str] = {}
    for row in range(grid.rows):
        parts = []
        for col in range(grid.cols):
            cell = Cell(row, col)
            symbol = chr(position.cells[grid.index(cell)])
            text, style = _ASCII.get(symbol, symbol), _COLOURS[symbol]
            if cell in safe:
                text, style = certain[0], "1;38;5;33"
                used[text] = "safe"
            elif cell in mined:
                text, style = certain[1], "1;38;5;202"
                used[text] = "a mine"
            elif cell in risks:
                text, style = names[risks[cell]], "38;5;246"
            elif symbol in _CLOSED_MEANING:
                used[text] = _CLOSED_MEANING[symbol]
            parts.append(f"\x1b[{style}m{text:>{wide}}\x1b[0m" if colour else f"{text:>{wide}}")
        lines.append(f"{row + 1:>{margin}} " + " ".join(parts))
    return "\n".join([*lines, *_legend(used, names, roomy, width)])


_CLOSED_MEANING = {"H": "closed, no odds", "F": "flagged, no odds", "Q": "in doubt, no odds"}


def _percentages(position: Drawn, odds: Odds, safe: Container[Cell], mined: Container[Cell]) -> dict[Cell, int]:
    """Return risks of uncertain cells in whole percent; never 0 or 100, which mean certain."""
    percentages = {}
    for cell in position.grid:
        chance = odds[cell.row][cell.col]
        if chance is not None and not isnan(chance) and cell not in safe and cell not in mined:
            percentages[cell] = whole(chance)
    return percentages


def _letters(percentages: set[int]) -> dict[int, str]:
    """Return a letter for each risk; similar ones share a letter if there are more risks than letters."""
    ordered = sorted(percentages)
    groups = min(len(ordered), len(ascii_lowercase))
    return {percent: ascii_lowercase[place * groups // len(ordered)] for place, percent in enumerate(ordered)}


def _legend(used: dict[str, str], names: dict[int, str], roomy: bool, width: int) -> list[str]:
    parts = [f"{text} {meaning}" for text, meaning in sorted(used.items(), key=lambda pair: pair[0] not in "ok+")]
    if names and roomy:
        parts.append(f"{next(iter(names.values()))} risk of a mine")
    lines = ["  ".join(parts)] if parts else []
    if names and not roomy:
        ranges: dict[str, list[int]] = {}
        for percent, letter in names.items():
            ranges.setdefault(letter, []).append(percent)
        shown = [f"{letter}\xa0{_range(percentages)}" for letter, percentages in sorted(ranges.items())]
        wrapped = textwrap.wrap("risk of a mine: " + "  ".join(shown), width, break_long_words=False)
        lines += [line.replace("\xa0", " ") for line in wrapped]
    return lines


def _range(percentages: list[int]) -> str:
    low, high = min(percentages), max(percentages)
    return f"{low}%" if low == high else f"{low}-{high}%"


def symbols(position: Drawn, layout: Truth | None = None) -> str:
    """Return the symbols of a position, with `WRONG_FLAG` where the layout has no mine under a flag."""
    text = position.cells.decode()
    if layout is None:
        return text
    return "".join(
        WRONG_FLAG if symbol == "F" and not mine else symbol for symbol, mine in zip(text, layout.mask, strict=True)
    )


def known_cells(position: Drawn, known: Certain, layout: Truth | None = None) -> dict[int, str]:
    """Return what is known of closed cells, and of mines that the end of a game has shown, by index: `SAFE`, `MINED`,
    `UNIDENTIFIED`. Only a ``layout`` tells flags that are right, and the mines under closed cells."""
    safe, mined, kinds = known.safe, known.mined, {}
    for index, symbol in enumerate(symbols(position, layout)):
        if symbol not in "HFQS?":
            continue
        cell = position.grid.cell(index)
        mine = symbol == "?" or (layout is not None and layout.mask[index] == 1)
        if cell in safe:
            kinds[index] = SAFE
        elif cell in mined or (mine and symbol == "F"):
            kinds[index] = MINED
        elif mine:
            kinds[index] = UNIDENTIFIED
    return kinds


def _draw(
    position: Drawn, glyphs: dict[str, str], colour: bool, layout: Truth | None, known: Certain | None, theme: str
) -> str:
    grid = position.grid
    colours = {**_COLOURS, **THEMES[theme], _UNPROVED_FLAG: _COLOURS["F"]}
    drawn = {symbol: glyphs.get(symbol, symbol) for symbol in colours}
    if colour:
        drawn = {symbol: f"\x1b[{colours[symbol]}m{glyph}\x1b[0m" for symbol, glyph in drawn.items()}
    margin = max(2, len(str(grid.rows)))
    header = _column_names(position, margin, 1)
    text = list(symbols(position, layout))
    if known is not None:
        text = [_UNPROVED_FLAG if symbol == "F" else symbol for symbol in text]
        for index, kind in known_cells(position, known, layout).items():
            text[index] = kind
    rows = [
        f"{row + 1:>{margin}} " + " ".join(drawn[s] for s in text[row * grid.cols : (row + 1) * grid.cols])
        for row in range(grid.rows)
    ]
    return "\n".join(header + rows)


def _column_names(position: Drawn, margin: int, wide: int) -> list[str]:
    """Return the column names above cells of this width; names that are too long are written vertically."""
    names = [column_name(col) for col in range(position.grid.cols)]
    longest = len(names[-1])
    if longest <= wide:
        return [" " * (margin + 1) + " ".join(f"{name:>{wide}}" for name in names)]
    downwards = [name.rjust(longest) for name in names]
    return [
        " " * (margin + 1) + " ".join(f"{name[line]:>{wide}}" for name in downwards).rstrip() for line in range(longest)
    ]
