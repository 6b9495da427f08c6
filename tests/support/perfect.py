"""Perfect play by trying everything: the most boards of a set that can be won. Slow and obvious."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Set

    from mineproof import Grid

Board = frozenset[int]


def number(grid: Grid, board: Board, cell: int) -> int:
    return sum(grid.index(near) in board for near in grid.neighbours(grid.cell(cell)))


def most_wins(grid: Grid, mines: int, first: int) -> int:
    """Boards on which the first cell is safe that are won from there."""
    return wins_by_cell(grid, frozenset(map(frozenset, combinations(range(len(grid)), mines))), frozenset())[first]


def most_wins_of(grid: Grid, boards: frozenset[Board], opened: frozenset[int]) -> int:
    """Of boards that look alike where cells are open, those that are won from here."""
    return max(wins_by_cell(grid, boards, opened).values()) if _left(grid, boards, opened) else len(boards)


def wins_by_cell(grid: Grid, boards: frozenset[Board], opened: frozenset[int]) -> dict[int, int]:
    """Of boards that look alike where cells are open, those that are won if this cell is opened next."""

    @cache
    def shows(board: Board, cell: int) -> int:
        return number(grid, board, cell)

    @cache
    def wins(boards: frozenset[Board], opened: frozenset[int]) -> int:
        if not _left(grid, boards, opened):
            return len(boards)
        closed = [cell for cell in range(len(grid)) if cell not in opened]
        # What is safe on all boards costs nothing, and can only tell more: nothing else needs to be tried before it.
        safe = frozenset(cell for cell in closed if not any(cell in board for board in boards))
        return after(boards, opened, safe) if safe else max(after(boards, opened, {cell}) for cell in closed)

    def after(boards: frozenset[Board], opened: frozenset[int], cells: Set[int]) -> int:
        shown: dict[tuple[int, ...], set[Board]] = {}
        for board in boards:
            if board.isdisjoint(cells):
                shown.setdefault(tuple(shows(board, cell) for cell in cells), set()).add(board)
        return sum(wins(frozenset(some), opened | cells) for some in shown.values())

    return {cell: after(boards, opened, {cell}) for cell in range(len(grid)) if cell not in opened}


def _left(grid: Grid, boards: frozenset[Board], opened: frozenset[int]) -> int:
    """Safe cells that are still closed."""
    return len(grid) - len(next(iter(boards))) - len(opened)
