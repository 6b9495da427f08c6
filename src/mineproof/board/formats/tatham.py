"""The game id of Simon Tatham's Mines, plain form: ``WxH:x,y,u<bitmap>``."""

from __future__ import annotations

import re

from mineproof.board.formats._text import decode
from mineproof.board.grid import Cell, Grid
from mineproof.board.layout import Layout
from mineproof.errors import CannotConvert, InvalidText, MineproofError, shorten

_ID = re.compile(
    r"([0-9]{1,9})x([0-9]{1,9})(?:n([0-9]{1,9}))?a?:([0-9]{1,9}),([0-9]{1,9}),([a-z])([0-9A-Fa-f]+)", re.ASCII
)


def read(data: bytes) -> Layout:
    """Read a layout and its first click."""
    text = decode(data).strip()
    found = _ID.fullmatch(text)
    if found is None:
        raise InvalidText(f"a Mines id is WxH:x,y,u and a bitmap; this is {shorten(text)}")
    cols, rows, mines, x, y, kind, bitmap = found.groups()
    if kind == "m":
        raise InvalidText("this Mines id is masked (m): its bitmap is scrambled with SHA; give the plain form (u)")
    if kind != "u":
        raise InvalidText(f"a Mines id has u before its bitmap, not {kind}")
    try:
        layout = Layout.from_bitmap(Grid(int(rows), int(cols)), bitmap, [Cell(int(y), int(x))])
    except MineproofError as failure:
        raise InvalidText(str(failure)) from None
    if mines is not None and int(mines) != layout.mines:
        raise InvalidText(f"the id says {mines} mines, but the bitmap has {layout.mines}")
    return layout


def write(layout: Layout) -> bytes:
    """Write a layout, which must have a start."""
    if len(layout.starts) != 1:
        raise CannotConvert("a Mines id holds one first click; name a start for this layout")
    start = layout.starts[0]
    return f"{layout.grid}:{start.col},{start.row},u{layout.bitmap}\n".encode()
