"""Perfect play by trying everything: the most boards of a set that can be won. Slow and obvious."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mineproof import Grid

Board = frozenset[int]


def number(grid: Grid, board: Board, cell: int) -> int:
    return sum(grid.index(near) in board for near in grid.neighbours(grid.cell(cell)))


def most_wins(grid: Grid, mines: int, first: int) -> int:
    """Boards on which the first cell is safe that are won from there."""
    everything = frozenset(map(frozenset, combinations(range(len(grid)), mines)))
    safe = frozenset(board for board in everything if first not in board)
    parts: dict[int, set[Board]] = {}
    for board in safe:
        parts.setdefault(number(grid, board, first), set()).add(board)
    return sum(most_wins_of(grid, frozenset(some), frozenset([first])) for some in parts.values())


def most_wins_of(grid: Grid, boards: frozenset[Board], opened: frozenset[int]) -> int:
    """Of boards that look alike where cells are open, those that are won from here."""

    @cache
    def wins(boards: frozenset[Board], opened: frozenset[int]) -> int:
        if len(opened) == len(grid) - len(next(iter(boards))):
            return len(boards)
        return max(after(boards, opened, cell) for cell in range(len(grid)) if cell not in opened)

    def after(boards: frozenset[Board], opened: frozenset[int], cell: int) -> int:
        shown: dict[int, set[Board]] = {}
        for board in boards:
            if cell not in board:
                shown.setdefault(number(grid, board, cell), set()).add(board)
        return sum(wins(frozenset(some), opened | {cell}) for some in shown.values())

    return wins(boards, opened)
