"""The game id of Simon Tatham's Mines: ``WxH:x,y,u<bitmap>`` in plain form, ``WxH:x,y,m<bitmap>`` in the masked form
that his programs print, which hides the mines.

Masking takes the bytes of the bitmap in two parts. The first is XORed with a stream made from the second, then the
second with a stream made from the masked first; a stream is SHA-1 of its seed and a decimal counter, repeated.
"""

from __future__ import annotations

import hashlib
import re
from itertools import count
from typing import TYPE_CHECKING

from mineproof.board.formats._text import decode
from mineproof.board.grid import Cell, Grid
from mineproof.board.layout import Layout
from mineproof.errors import CannotConvert, InvalidText, MineproofError, shorten

if TYPE_CHECKING:
    from collections.abc import Callable

_ID = re.compile(
    r"([0-9]{1,9})x([0-9]{1,9})(?:n([0-9]{1,9}))?a?:([0-9]{1,9}),([0-9]{1,9}),([a-z])([0-9A-Fa-f]+)", re.ASCII
)


def read(data: bytes) -> Layout:
    """Read a layout and its first click, from either form."""
    text = decode(data).strip()
    match = _ID.fullmatch(text)
    if match is None:
        raise InvalidText(f"a Mines id must be WxH:x,y, then u or m and a bitmap, not {shorten(text)}")
    cols, rows, mines, x, y, kind, bitmap = match.groups()
    if kind not in "um":
        raise InvalidText(f"a Mines id needs u or m before its bitmap, not {kind}")
    try:
        grid = Grid(int(rows), int(cols))
        if kind == "m" and len(bitmap) == -(-len(grid) // 4):  # otherwise the length is wrong, which is reported below
            scrambled, bitmap = bitmap.lower(), unmasked(bitmap, len(grid))
            if masked(bitmap, len(grid)) != scrambled:
                raise InvalidText(f"the bitmap has bits beyond the last cell of {grid}")
        layout = Layout.from_bitmap(grid, bitmap, [Cell(int(y), int(x))])
    except MineproofError as failure:
        raise InvalidText(str(failure)) from None
    if mines is not None and int(mines) != layout.mines:
        raise InvalidText(f"the id says {mines} mines, but the bitmap has {layout.mines}")
    return layout


def write(layout: Layout) -> bytes:
    """Write the plain form of a layout, which must have a start."""
    return _write(layout, f"u{layout.bitmap}")


def write_masked(layout: Layout) -> bytes:
    """Write the masked form."""
    return _write(layout, f"m{masked(layout.bitmap, len(layout.grid))}")


def _write(layout: Layout, bitmap: str) -> bytes:
    if len(layout.starts) != 1:
        raise CannotConvert("a Mines id needs a first click; name a start for this layout")
    start = layout.starts[0]
    return f"{layout.grid}:{start.col},{start.row},{bitmap}\n".encode()


def masked(bitmap: str, bits: int) -> str:
    """A hexadecimal bitmap of this many bits, masked.

    >>> masked("418", 12), unmasked(masked("418", 12), 12)
    ('...', '418')
    """
    return _with_bytes(bitmap, bits, lambda data: _second(_first(data), bits))


def unmasked(bitmap: str, bits: int) -> str:
    """Unmask a bitmap: the same two steps in reverse order."""
    return _with_bytes(bitmap, bits, lambda data: _first(_second(data, bits), bits))


def _with_bytes(bitmap: str, bits: int, change: Callable[[bytearray], bytearray]) -> str:
    data = bytearray.fromhex(bitmap + "0" * (len(bitmap) % 2))
    return change(data).hex()[: -(-bits // 4)]


def _first(data: bytearray, bits: int = 0) -> bytearray:
    """XOR the first half with a stream of the rest; with ``bits``, clear the bits beyond them."""
    half = len(data) // 2
    return _cleared(_xored(data[:half], data[half:]) + data[half:], bits or 8 * len(data))


def _second(data: bytearray, bits: int) -> bytearray:
    """XOR the rest with a stream of the first half."""
    half = len(data) // 2
    return _cleared(data[:half] + _xored(data[half:], data[:half]), bits)


def _xored(data: bytearray, seed: bytearray) -> bytearray:
    stream = bytearray()
    for counter in count():
        if len(stream) >= len(data):
            break
        stream += hashlib.sha1(seed + str(counter).encode(), usedforsecurity=False).digest()
    return bytearray(a ^ b for a, b in zip(data, stream, strict=False))


def _cleared(data: bytearray, bits: int) -> bytearray:
    """Clear the unused low bits of the last byte."""
    if bits % 8:
        data[-1] &= 0xFF << 8 - bits % 8 & 0xFF
    return data
