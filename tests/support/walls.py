"""Clues in a row that players have a name for, and the cells beside them that the name promises to be safe."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from mineproof import analyse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mineproof import Position
    from mineproof.board.grid import Cell

SAFE_BESIDE = {"1-2-1": (1,), "1-2-2-1": (0, 3)}
"""Whose cells across the wall are safe: that of the two, those of the ones."""


def walls(position: Position, pattern: str) -> Iterator[list[Cell | None]]:
    """Wherever these clues stand in a row or a column: the cells on one side of them, None beyond the edge."""
    grid = position.grid
    for row, col in product(range(grid.rows), range(grid.cols)):
        for down, right in ((0, 1), (1, 0)):
            line = [(row + down * i, col + right * i) for i in range(len(pattern))]
            if all(at in grid for at in line) and "".join(position[at] for at in line) == pattern:
                for side in (-1, 1):
                    across = [(r + right * side, c + down * side) for r, c in line]
                    yield [grid.at(at) if at in grid else None for at in across]


def keeps_promise(position: Position, name: str) -> bool:
    """Whether the pattern is there, and all that it promises is certain."""
    safe = analyse(position).safe
    return any(all(wall[at] in safe for at in SAFE_BESIDE[name]) for wall in walls(position, name.replace("-", "")))
