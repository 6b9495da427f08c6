"""The first cell to open: where an opening is most likely, or most useful."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mineproof.board.grid import Cell
from mineproof.board.position import UNKNOWN, Position

if TYPE_CHECKING:
    from mineproof.board.grid import Grid
    from mineproof.board.rules import Rules


def first_click(position: Position, rules: Rules | None = None) -> Cell | None:
    """Where to begin on a board with nothing open; None if something is.

    A corner has the fewest neighbours, so it is an opening most often. If the rules make the first click an opening
    anyway, a cell further inside opens more.

    >>> from mineproof import LEVELS, Position, Rules
    >>> blank = Position.blank(LEVELS["expert"].grid, 99)
    >>> str(first_click(blank)), str(first_click(blank, Rules("opening")))
    ('A1', 'D4')
    """
    if position.cells.strip(b"H"):
        return None
    crowded = position.mines > len(position.grid) - 9
    if rules is None or rules.first_click != "opening" or crowded:
        return Cell(0, 0)
    return opening_cell(position.grid)


def safe_first_click(position: Position, rules: Rules | None, start: Cell | None) -> Cell | None:
    """The first cell to open if it is known to be safe; None if it is not, or if a cell is open.

    With ``rules``, the mines are still to be laid to suit the first click. Without, only ``start``, which the board
    names, is known to be safe.
    """
    if position.cells.strip(UNKNOWN.encode()):
        return None
    return start if rules is None else first_click(Position.blank(position.grid, position.mines), rules)


def opening_cell(grid: Grid) -> Cell:
    """Row 3 and column 3 from 0 on boards as large as expert; row 2 and column 2 on smaller ones."""
    inside = 3 if len(grid) > 16 * 16 else 2
    return Cell(min(inside, grid.rows // 2), min(inside, grid.cols // 2))
