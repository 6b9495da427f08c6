"""``.mine`` text: a position, or a finished board, which is a layout written out in full."""

from __future__ import annotations

from mineproof._native.field import Field
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


def finished(layout: Layout) -> Position:
    """The board with every number open and every mine shown."""
    field = Field(layout.grid.rows, layout.grid.cols)
    field.lay(layout.mask)
    return Position(layout.grid, layout.mines, field.solution())


def layout_of(position: Position) -> Layout:
    """The layout of a finished board: as many cells are closed or shown as there are mines, and every number fits."""
    if position.cells.count(b"S") or len(position.cells.translate(None, b"012345678")) > position.mines:
        raise CannotConvert("this position has hidden cells: it does not say where all the mines are")
    layout = Layout(position.grid, position.cells.translate(_MINES))
    if layout.mines != position.mines:
        raise CannotConvert(f"this finished board shows {layout.mines} mines, but says that there are {position.mines}")
    solution = finished(layout).cells
    for index, (shown, right) in enumerate(zip(position.cells, solution, strict=True)):
        if not layout.mask[index] and shown != right:
            raise CannotConvert(f"{position.grid.cell(index)} shows {chr(shown)} but has {chr(right)} mines around it")
    return layout
