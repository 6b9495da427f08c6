"""The PTTA URL, ``?b=…&m=…``: a layout, five cells per character."""

from __future__ import annotations

import re

from mineproof.board.formats._text import decode, query_value
from mineproof.board.grid import Grid
from mineproof.board.layout import Layout
from mineproof.errors import InvalidText, MineproofError, shorten

_BASE32 = "0123456789abcdefghijklmnopqrstuv"
_BITS = {digit: f"{value:05b}" for value, digit in enumerate(_BASE32)}
_DIGIT = {bits: digit for digit, bits in _BITS.items()}
_NAMED = {"1": Grid(9, 9), "2": Grid(16, 16), "3": Grid(16, 30)}


def read(data: bytes) -> Layout:
    """Read a layout from a URL or its query."""
    text = decode(data).strip()
    if "?" not in text:
        text = f"?{text}"
    size, mines = query_value(text, "b"), query_value(text, "m")
    if size is None or mines is None:
        raise InvalidText("a PTTA URL needs b=size and m=mines")
    grid = _grid(size)
    length = -(-len(grid) // 5)
    if len(mines) != length:
        raise InvalidText(f"{grid} needs {length} characters of mines, but there are {len(mines)}")
    for column, digit in enumerate(mines, start=1):
        if digit not in _BITS:
            raise InvalidText(f"{digit!r} is not a digit of base 32", column=column)
    bits = "".join(map(_BITS.__getitem__, mines))
    if "1" in bits[len(grid) :]:
        raise InvalidText(f"there are mines beyond the last cell of {grid}")
    return Layout(grid, bytes(map(int, bits[: len(grid)])))


def write(layout: Layout) -> bytes:
    """Write a layout as the query of a URL."""
    grid = layout.grid
    width = len(str(max(grid.rows, grid.cols)))
    named = [number for number, known in _NAMED.items() if known == grid]
    size = named[0] if named else f"{grid.cols:0{width}}{grid.rows:0{width}}"
    bits = layout.mask.translate(b"01" + bytes(254)).decode() + "0" * (-len(grid) % 5)
    mines = "".join(_DIGIT[bits[i : i + 5]] for i in range(0, len(bits), 5))
    return f"?b={size}&m={mines}\n".encode()


def _grid(size: str) -> Grid:
    if size in _NAMED:
        return _NAMED[size]
    half = len(size) // 2
    if not re.fullmatch(r"[0-9]{2,18}", size, re.ASCII) or len(size) % 2:
        raise InvalidText(
            f"a PTTA size must be 1, 2, 3, or width and height with equally many digits, not {shorten(size)}"
        )
    try:
        return Grid(rows=int(size[half:]), cols=int(size[:half]))
    except MineproofError as failure:
        raise InvalidText(f"the size {shorten(size)} is impossible: {failure}") from None
