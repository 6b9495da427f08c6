"""The analysis URL, ``?analysis=…``: a position in runs.

Every symbol has some consecutive digits of the alphabet a–z A–Z 0–9. A run of equal cells is written as its length in
the symbol's own base, with the symbol's digits; a symbol with a single digit is repeated. Known or flagged mines around
a number are subtracted from it.
"""

from __future__ import annotations

import re
from itertools import compress, groupby
from string import ascii_letters, digits
from typing import TYPE_CHECKING

from mineproof._native.field import Field
from mineproof.board.formats._text import decode, query_value
from mineproof.board.grid import MAX_CELLS, Grid
from mineproof.board.position import Position
from mineproof.errors import CannotConvert, InvalidText
from mineproof.plural import plural

if TYPE_CHECKING:
    from collections.abc import Iterator

_ALPHABET = ascii_letters + digits
_VALUE = {digit: value for value, digit in enumerate(_ALPHABET)}
_OWNED = (
    ("0", "abcdefghij"), ("1", "klmnopq"), ("2", "rstuv"), ("3", "wxyzA"), ("4", "BCDE"), ("5", "FGH"), ("6", "IJK"),
    ("7", "L"), ("8", "M"), ("I", "NOPQ"), ("H", "RSTUVWXYZ0"), ("F", "12345678"), ("O", "9"),
)  # fmt: skip
_DIGITS_OF = dict(_OWNED)
_OWNER = {digit: symbol for symbol, owned in _OWNED for digit in owned}
_RUN = re.compile("|".join(f"{symbol}+" for symbol in _DIGITS_OF).encode())
_HEADER = ((0, 2, "width"), (2, 4, "height"), (4, 8, "number of mines"))


def read(data: bytes) -> Position:
    """Read a position from a URL or from the bare value."""
    text = decode(data).strip()
    value = query_value(text, "analysis")
    code = text if value is None else value
    for column, digit in enumerate(code, start=1):
        if digit not in _VALUE:
            raise InvalidText(f"{digit!r} is not allowed in an analysis URL", column=column)
    if len(code) < 8:
        raise InvalidText("an analysis URL must start with 8 digits for width, height and mines")
    cols, rows, mines = (_number(code[start:end], _ALPHABET) for start, end, _ in _HEADER)
    if not 0 < rows * cols <= MAX_CELLS or mines > rows * cols:
        raise InvalidText(f"a board of {cols}x{rows} with {plural(mines, 'mine')} is impossible")
    grid = Grid(rows, cols)
    symbols = _unroll(code[8:], len(grid))
    return Position(grid, mines, _with_known_mines(grid, symbols))


def write(position: Position) -> bytes:
    """Write a position as the query of a URL. Of the notes, only flags are kept."""
    grid = position.grid
    if position.cells.count(b"S"):
        raise CannotConvert("an analysis URL cannot say that a closed cell is known to be safe")
    if grid.rows >= 62**2 or grid.cols >= 62**2 or position.mines >= 62**4:
        raise CannotConvert(f"an analysis URL cannot hold a board of {grid} with {position.mines} mines")
    symbols = _less_known_mines(position)
    sizes = (grid.cols, grid.rows, position.mines)
    code = "".join(
        _write_number(size, _ALPHABET).rjust(end - start, "a")
        for size, (start, end, _) in zip(sizes, _HEADER, strict=True)
    )
    runs = []
    for run in _RUN.finditer(symbols):
        owned, length = _DIGITS_OF[chr(run[0][0])], len(run[0])
        runs.append(owned * length if len(owned) == 1 else _write_number(length, owned))
    return f"?analysis={code}{''.join(runs)}\n".encode()


def _unroll(code: str, cells: int) -> str:
    runs = []
    total = 0
    for symbol, digits_of_run in groupby(code, _OWNER.__getitem__):
        run, owned = "".join(digits_of_run), _DIGITS_OF[symbol]
        length = len(run) if len(owned) == 1 else _number(run[:40], owned)
        if not length:
            raise InvalidText(f"a run of {symbol} has no length")
        total += length
        if total > cells or (len(run) > 40 and len(owned) > 1):
            raise InvalidText(f"there are more cells than the {cells} announced")
        runs.append(symbol * length)
    if total != cells:
        raise InvalidText(f"{cells} cells are announced, but there are {total}")
    return "".join(runs)


def _with_known_mines(grid: Grid, symbols: str) -> bytes:
    """Convert back to what a player sees: numbers that count all mines."""
    shown = bytearray(symbols.replace("O", "F").replace("I", "?").encode())
    for index, count in _counts(grid, symbols.encode(), b"FI"):
        shown[index] += count
        if shown[index] > ord("8"):
            raise InvalidText(f"{grid.cell(index)} would show {shown[index] - ord('0')}")
    return bytes(shown)


def _less_known_mines(position: Position) -> bytes:
    """Convert to the form of the URL. A flag that contradicts a number becomes O, a flag that is not subtracted."""
    grid = position.grid
    symbols = bytearray(position.cells.translate(bytes.maketrans(b"*?Q", b"IIH")))
    mines = _numbers(grid, symbols, b"I")
    contradicted: set[int] = set()
    for index, count in _counts(grid, symbols, b"FI"):
        if symbols[index] < mines[index]:
            raise CannotConvert(f"{grid.cell(index)} shows less than the mines known around it")
        if symbols[index] < ord("0") + count:
            contradicted.update(map(grid.index, grid.neighbours(grid.cell(index))))
    for index in contradicted:
        if symbols[index] == ord("F"):
            symbols[index] = ord("O")
    for index, count in _counts(grid, symbols, b"FI"):
        symbols[index] -= count
    return bytes(symbols)


def _counts(grid: Grid, symbols: bytes | bytearray, wanted: bytes) -> Iterator[tuple[int, int]]:
    """For each number with any of these symbols around it: how many."""
    around = _numbers(grid, symbols, wanted)
    some_mines = around.translate(bytes(b in b"12345678" for b in range(256)))
    for index in compress(range(len(around)), some_mines):
        if symbols[index] in b"012345678":
            yield index, around[index] - ord("0")


def _numbers(grid: Grid, symbols: bytes | bytearray, wanted: bytes) -> bytes:
    """The number of each cell if these symbols were the mines."""
    field = Field(grid.rows, grid.cols)
    field.lay(bytes(symbols).translate(bytes(b in wanted for b in range(256))))
    return field.solution()


def _number(text: str, owned: str) -> int:
    number = 0
    for digit in text:
        number = number * len(owned) + owned.index(digit)
    return number


def _write_number(number: int, owned: str) -> str:
    text = ""
    while number:
        number, digit = divmod(number, len(owned))
        text = owned[digit] + text
    return text
