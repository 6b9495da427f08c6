"""MBF, the binary board file: width, height, number of mines, then an x and a y for each mine."""

from __future__ import annotations

from mineproof.board.grid import Cell, Grid
from mineproof.board.layout import Layout
from mineproof.errors import CannotConvert, InvalidText


def read(data: bytes) -> Layout:
    """Read a layout; the order of the mines does not matter."""
    if len(data) < 4:
        raise InvalidText(f"an MBF file needs at least 4 bytes, not {len(data)}")
    cols, rows, mines = data[0], data[1], data[2] << 8 | data[3]
    if not cols or not rows:
        raise InvalidText(f"an MBF board needs at least one row and one column, not {cols}x{rows}")
    if len(data) != 4 + 2 * mines:
        raise InvalidText(f"an MBF file with {mines} mines needs {4 + 2 * mines} bytes, not {len(data)}")
    grid = Grid(rows, cols)
    mask = bytearray(len(grid))
    for col, row in zip(data[4::2], data[5::2], strict=True):
        if (row, col) not in grid:
            raise InvalidText(f"a mine at x={col}, y={row} is outside the board of {grid}")
        if mask[row * cols + col]:
            raise InvalidText(f"the mine at {Cell(row, col)} appears twice")
        mask[row * cols + col] = 1
    return Layout(grid, bytes(mask))


def write(layout: Layout) -> bytes:
    """Write a layout, with the mines row by row."""
    grid, mines = layout.grid, layout.mine_cells
    if grid.rows > 255 or grid.cols > 255:
        raise CannotConvert(
            f"MBF can hold at most 255 rows and 255 columns; this board has {grid.rows} and {grid.cols}"
        )
    return bytes([grid.cols, grid.rows, *divmod(len(mines), 256)]) + bytes(
        number for row, col in mines for number in (col, row)
    )
