"""The analysis URL, ``?analysis=…``: a position in runs.

Every symbol owns some consecutive digits of the alphabet a–z A–Z 0–9. A run of equal cells is the symbol's digits that
write the length of the run in the symbol's own base; a symbol with a single digit is repeated. Numbers are written less
the mines around them that are flagged or known.
"""

from __future__ import annotations

from itertools import groupby
from string import ascii_letters, digits

from mineproof.board.formats._text import decode, query_value
from mineproof.board.grid import MAX_CELLS, Grid
from mineproof.board.position import Position
from mineproof.errors import CannotConvert, InvalidText

_ALPHABET = ascii_letters + digits
_VALUE = {digit: value for value, digit in enumerate(_ALPHABET)}
_OWNED = (
    ("0", "abcdefghij"), ("1", "klmnopq"), ("2", "rstuv"), ("3", "wxyzA"), ("4", "BCDE"), ("5", "FGH"), ("6", "IJK"),
    ("7", "L"), ("8", "M"), ("I", "NOPQ"), ("H", "RSTUVWXYZ0"), ("F", "12345678"), ("O", "9"),
)  # fmt: skip
_DIGITS_OF = dict(_OWNED)
_OWNER = {digit: symbol for symbol, owned in _OWNED for digit in owned}
_HEADER = ((0, 2, "width"), (2, 4, "height"), (4, 8, "number of mines"))


def read(data: bytes) -> Position:
    """Read a position from a URL or from the bare value."""
    text = decode(data).strip()
    value = query_value(text, "analysis")
    code = text if value is None else value
    for column, digit in enumerate(code, start=1):
        if digit not in _VALUE:
            raise InvalidText(f"{digit!r} has no place in an analysis URL", column=column)
    if len(code) < 8:
        raise InvalidText("an analysis URL starts with 8 digits for width, height and mines")
    cols, rows, mines = (_number(code[start:end], _ALPHABET) for start, end, _ in _HEADER)
    if not 0 < rows * cols <= MAX_CELLS or mines > rows * cols:
        raise InvalidText(f"there is no board of {cols}x{rows} with {mines} mines")
    grid = Grid(rows, cols)
    symbols = _unroll(code[8:], len(grid))
    return Position(grid, mines, _with_known_mines(grid, symbols))


def write(position: Position) -> bytes:
    """Write a position as the query of a URL. Notes other than flags are not kept."""
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
    for symbol, run in groupby(symbols):
        owned, length = _DIGITS_OF[symbol], sum(1 for _ in run)
        code += owned * length if len(owned) == 1 else _write_number(length, owned)
    return f"?analysis={code}\n".encode()


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
    """Back to what a player sees: numbers count all mines again."""
    shown = bytearray(symbols.replace("O", "F").replace("I", "?").encode())
    known = _count_around(grid, symbols, "FI")
    for index, count in known.items():
        if symbols[index].isdigit():
            number = int(symbols[index]) + count
            if number > 8:
                raise InvalidText(f"{grid.cell(index)} would show {number}")
            shown[index] = ord(str(number))
    return bytes(shown)


def _less_known_mines(position: Position) -> list[str]:
    """As in the URL. A flag that a number contradicts becomes O, the flag that is not deducted."""
    grid = position.grid
    symbols = list(position.cells.decode().translate(str.maketrans("*?Q", "IIH")))
    flags, mines = _count_around(grid, symbols, "F"), _count_around(grid, symbols, "I")
    contradicted: set[int] = set()
    for index, symbol in enumerate(symbols):
        if symbol.isdigit():
            if int(symbol) < mines.get(index, 0):
                raise CannotConvert(f"{grid.cell(index)} shows less than the mines known around it")
            if int(symbol) < mines.get(index, 0) + flags.get(index, 0):
                contradicted.update(map(grid.index, grid.neighbours(grid.cell(index))))
    for index in contradicted:
        if symbols[index] == "F":
            symbols[index] = "O"
    for index, count in _count_around(grid, symbols, "FI").items():
        if symbols[index].isdigit():
            symbols[index] = str(int(symbols[index]) - count)
    return symbols


def _count_around(grid: Grid, symbols: str | list[str], wanted: str) -> dict[int, int]:
    """For the cells that have any: how many of these symbols are around."""
    counts: dict[int, int] = {}
    for index, symbol in enumerate(symbols):
        if symbol in wanted:
            for next_to in map(grid.index, grid.neighbours(grid.cell(index))):
                counts[next_to] = counts.get(next_to, 0) + 1
    return counts


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
