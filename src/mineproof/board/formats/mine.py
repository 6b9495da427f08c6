"""``.mine`` text: a position, or a finished board, which shows a whole layout."""

from __future__ import annotations

from mineproof.board.formats._text import decode
from mineproof.board.layout import Layout
from mineproof.board.position import Position
from mineproof.errors import CannotConvert

_MINES = bytes(b in b"HFQ*?" for b in range(256))


def read(data: bytes) -> Position:
    """Read a position."""
    return Position.from_text(decode(data))


def write(position: Position) -> bytes:
    """Write a position."""
    return position.to_text().encode()


def layout_of(position: Position) -> Layout:
    """The layout of a finished board: the closed or shown cells are exactly the mines, and every number fits."""
    if position.cells.count(b"S") or len(position.cells.translate(None, b"012345678")) > position.mines:
        raise CannotConvert("this position has hidden cells, so it does not say where all the mines are")
    layout = Layout(position.grid, position.cells.translate(_MINES))
    if layout.mines != position.mines:
        raise CannotConvert(f"this finished board shows {layout.mines} mines, but its header says {position.mines}")
    solution = layout.finished().cells
    for index, (shown, right) in enumerate(zip(position.cells, solution, strict=True)):
        if not layout.mask[index] and shown != right:
            raise CannotConvert(f"{position.grid.cell(index)} shows {chr(shown)} but has {chr(right)} mines around it")
    return layout
