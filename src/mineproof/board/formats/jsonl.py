"""JSON lines: one layout a line, ``{"w": 30, "h": 16, "start": 0, "mines": [2, 6]}``, indices row by row."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from mineproof.board.formats._text import decode
from mineproof.board.grid import MAX_CELLS, Cell, Grid
from mineproof.board.layout import Layout
from mineproof.errors import CannotConvert, InvalidText, MineproofError

if TYPE_CHECKING:
    from collections.abc import Iterable


def read(data: bytes) -> list[Layout]:
    """Read all layouts, at most `MAX_CELLS` cells together."""
    layouts = []
    cells = 0
    for number, line in enumerate(decode(data).split("\n"), start=1):
        if line.strip():
            try:
                layouts.append(_layout(line, MAX_CELLS - cells))
            except MineproofError as failure:
                raise InvalidText(str(failure), line=number) from None
            cells += len(layouts[-1].grid)
    if not layouts:
        raise InvalidText("there is no board here")
    return layouts


def write(layouts: Iterable[Layout]) -> bytes:
    """Write layouts, one a line."""
    return b"".join(map(write_one, layouts))


def write_one(layout: Layout) -> bytes:
    """One layout as a line."""
    grid = layout.grid
    if len(layout.starts) > 1:
        raise CannotConvert("a line of JSON holds one start; this layout has several")
    fields: dict[str, Any] = {"w": grid.cols, "h": grid.rows}
    if layout.start is not None:
        fields["start"] = grid.index(layout.start)
    fields["mines"] = list(layout.mine_cells.indices)
    return json.dumps(fields, separators=(",", ":")).encode() + b"\n"


def _layout(line: str, room: int) -> Layout:
    try:
        fields = json.loads(line)
    except json.JSONDecodeError as failure:
        raise InvalidText(f"this is no JSON: {failure.msg}", column=failure.colno) from None
    except (RecursionError, ValueError):
        raise InvalidText("this JSON is no board") from None
    if not isinstance(fields, dict) or not {"w", "h", "mines"} <= fields.keys() <= {"w", "h", "mines", "start"}:
        raise InvalidText('a board is {"w":…,"h":…,"start":…,"mines":[…]}')
    rows, cols = _whole(fields["h"], "h", room), _whole(fields["w"], "w", room)
    if not 0 < rows * cols <= room:
        raise InvalidText(f"a board of {cols}x{rows} is empty or too large for this file")
    grid = Grid(rows, cols)
    if not isinstance(fields["mines"], list):
        raise InvalidText('"mines" is a list of indices')
    mask = bytearray(len(grid))
    for mine in fields["mines"]:
        index = _whole(mine, "mines", len(grid) - 1)
        if mask[index]:
            raise InvalidText(f"the mine {index} is named twice")
        mask[index] = 1
    starts: tuple[Cell, ...] = ()
    if fields.get("start") is not None:
        starts = (grid.cell(_whole(fields["start"], "start", len(grid) - 1)),)
    return Layout(grid, bytes(mask), starts)


def _whole(number: object, name: str, most: int) -> int:
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number <= most:
        raise InvalidText(f'"{name}" has to be a whole number from 0 to {most}')
    return number
