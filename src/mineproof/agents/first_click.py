"""The first cell to open: where an opening is most likely, or most useful."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mineproof.board.grid import Cell
from mineproof.board.position import UNKNOWN, Position

if TYPE_CHECKING:
    from mineproof.board.grid import Grid
    from mineproof.board.rules import Rules


def first_click(position: Position, rules: Rules | None = None) -> Cell | None:
    """Return the cell to begin with; None if a cell is already open or marked.

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
    """Return the first cell to open if it is known to be safe; None if it is not, or if a cell is already open.

    With ``rules``, the mines are yet to be laid, to suit the first click. Without them, only ``start``, which the board
    names, is known to be safe.
    """
    if position.cells.strip(UNKNOWN.encode()):
        return None
    return start if rules is None else first_click(Position.blank(position.grid, position.mines), rules)


def opening_cell(grid: Grid) -> Cell:
    """Return the cell D4 on boards larger than intermediate, and C3 on smaller ones; on tiny boards the middle."""
    inside = 3 if len(grid) > 16 * 16 else 2
    return Cell(min(inside, grid.rows // 2), min(inside, grid.cols // 2))
