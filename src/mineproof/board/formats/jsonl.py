"""JSON lines: one layout per line, ``{"w": 30, "h": 16, "start": 0, "mines": [2, 6]}``, indices row by row.

``start`` is optional, and a list for a board with several starts. A ``solution``, added by ``mineproof generate
--solution``, is ignored.
"""

from __future__ import annotations

import json
from io import StringIO
from typing import TYPE_CHECKING, Any

from mineproof.board.formats._text import decode
from mineproof.board.grid import MAX_CELLS, Grid
from mineproof.board.layout import Layout
from mineproof.errors import InvalidText, MineproofError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_CELLS_A_BYTE = 64  # for a text read at once: a few bytes must not claim gigabytes


def read(data: bytes) -> list[Layout]:
    """Read all layouts at once; `read_lines` takes files of any length."""
    return list(read_lines(StringIO(decode(data)), MAX_CELLS + _CELLS_A_BYTE * len(data)))


def read_lines(lines: Iterable[str], room: int | None = None) -> Iterator[Layout]:
    """Layouts one by one; with ``room``, at most this many cells in total."""
    used = number = 0
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                layout = _layout(line)
            except MineproofError as failure:
                raise InvalidText(str(failure), line=number) from None
            used += len(layout.grid)
            if room is not None and used > room:
                raise InvalidText("these boards claim too many cells for a text of this length", line=number)
            yield layout
    if not used:
        raise InvalidText("it contains no board")


def write(layouts: Iterable[Layout]) -> bytes:
    """Write layouts, one per line."""
    return b"".join(map(write_one, layouts))


def write_one(layout: Layout, **others: Any) -> bytes:
    """One layout as a line, with other fields added."""
    grid = layout.grid
    fields: dict[str, Any] = {"w": grid.cols, "h": grid.rows}
    if layout.starts:
        indices = list(map(grid.index, layout.starts))
        fields["start"] = indices[0] if len(indices) == 1 else indices
    fields["mines"] = list(layout.mine_cells.indices)
    return json.dumps(fields | others, separators=(",", ":")).encode() + b"\n"


def _layout(line: str) -> Layout:
    try:
        fields = json.loads(line)
    except json.JSONDecodeError as failure:
        raise InvalidText(f"not JSON: {failure.msg}", column=failure.colno) from None
    except (RecursionError, ValueError):
        raise InvalidText("this JSON is not a board") from None
    if not isinstance(fields, dict) or not {"w", "h", "mines"} <= fields.keys() <= {
        "w",
        "h",
        "mines",
        "start",
        "solution",
    }:
        raise InvalidText('a board must be {"w":…,"h":…,"start":…,"mines":[…]}')
    grid = Grid(_whole(fields["h"], "h", MAX_CELLS), _whole(fields["w"], "w", MAX_CELLS))
    if not isinstance(fields["mines"], list):
        raise InvalidText('"mines" must be a list of indices')
    mask = bytearray(len(grid))
    for mine in fields["mines"]:
        index = _whole(mine, "mines", len(grid) - 1)
        if mask[index]:
            raise InvalidText(f"the mine {index} appears twice")
        mask[index] = 1
    start = fields.get("start")
    named = [] if start is None else start if isinstance(start, list) else [start]
    starts = tuple(grid.cell(_whole(index, "start", len(grid) - 1)) for index in named)
    return Layout(grid, bytes(mask), starts)


def _whole(number: object, name: str, most: int) -> int:
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number <= most:
        raise InvalidText(f'"{name}" must be a whole number from 0 to {most}')
    return number
