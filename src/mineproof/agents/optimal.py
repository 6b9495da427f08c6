"""Perfect play on small boards: the whole game tree over all boards, under each first-click rule.

The value of a set of boards is the number of them that perfect play wins (see ``endgame.hpp``). For some ten thousand
boards this takes seconds; for hundreds of thousands, up to an hour.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING

from mineproof._native.playing import Tree
from mineproof.board.level import Level
from mineproof.errors import InvalidArgument, InvalidBoard, OutOfTime, TooHard
from mineproof.limit import Limit

if TYPE_CHECKING:
    from mineproof.board.grid import Cell

MOST_BOARDS = 1_000_000
MOST_CELLS = 256
PATIENT = Limit(seconds=600)
"""Default limit: the largest game trees may need more."""


@dataclass(frozen=True, slots=True)
class Optimum:
    """The number of boards that perfect play wins."""

    wins: int
    boards: int
    """The number of boards that the first-click rule allows for this start."""
    start: Cell

    @property
    def chance(self) -> Fraction:
        """The chance of winning with perfect play."""
        return Fraction(self.wins, self.boards)


def optimum(level: Level | str, first_click: str = "safe", nodes: int = 10**9, *, limit: Limit = PATIENT) -> Optimum:
    """Return the best first cell, and the number of boards that perfect play wins from there.

    >>> from mineproof import Level
    >>> best = optimum(Level(rows=4, cols=4, mines=3), "opening")
    >>> best.wins, best.boards
    (35, 35)
    """
    clock = limit.start()
    level = Level.parse(level) if isinstance(level, str) else level
    grid, mines = level.grid, level.mines
    if mines is None:
        raise InvalidBoard("perfect play needs a board with a fixed number of mines")
    if first_click not in ("any", "safe", "opening"):
        raise InvalidArgument(f"perfect play supports the first clicks any, safe and opening, not {first_click}")
    if len(grid) > MOST_CELLS:
        raise TooHard(f"{len(grid)} cells are too many to play perfectly; at most {MOST_CELLS}")
    if comb(len(grid), mines) > MOST_BOARDS:
        raise TooHard(f"{comb(len(grid), mines):,} boards are too many to play perfectly; at most {MOST_BOARDS:,}")
    tree = Tree(grid.rows, grid.cols, mines, nodes)
    best: Optimum | None = None
    for index in _different_cells(level):
        counts = tree.start(index, first_click == "opening", clock)
        clock.check_cancelled()
        if counts is None:
            raise OutOfTime("the game tree of this board is too large to search")
        wins, boards = counts
        if boards and first_click == "any":
            boards = comb(len(grid), mines)
        if boards and (best is None or Fraction(wins, boards) > best.chance):
            best = Optimum(wins, boards, grid.cell(index))
    if best is None:
        raise InvalidBoard(
            f"no first click on this board can be {'an opening' if first_click == 'opening' else 'safe'}"
        )
    return best


def _different_cells(level: Level) -> list[int]:
    """Return one of each set of cells that are alike by reflection or, on a square, by rotation."""
    rows, cols = level.rows, level.cols
    seen: dict[tuple[int, int], int] = {}
    for row in range(rows):
        for col in range(cols):
            r, c = min(row, rows - 1 - row), min(col, cols - 1 - col)
            seen.setdefault((min(r, c), max(r, c)) if rows == cols else (r, c), row * cols + col)
    return list(seen.values())
