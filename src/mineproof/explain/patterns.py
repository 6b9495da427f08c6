"""Names that players have for a step, where one fits; else what kind of step it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mineproof.board.position import MINES, UNKNOWN
from mineproof.explain.step import CASES, CHAIN, COMBINATION, MINE_COUNT, ONE_CLUE, TWO_CLUES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mineproof.board.grid import Cell
    from mineproof.board.position import Position
    from mineproof.explain.step import Step

KINDS = {
    ONE_CLUE: "one clue",
    TWO_CLUES: "overlap",
    COMBINATION: "combination",
    CHAIN: "chain",
    CASES: "cases",
    MINE_COUNT: "mine count",
}
ROWS = ("1-2-1", "1-2-2-1", "1-1", "1-2")
"""Numbers of clues side by side along a wall, less the mines that are known."""


def open_cells(position: Position, clue: Cell, known: Mapping[int, bool]) -> tuple[frozenset[int], int]:
    """The cells around a clue of which nothing is known, and how many mines it still wants among them."""
    grid = position.grid
    number = position.clue(clue)
    assert number is not None
    cells = set()
    for cell in grid.neighbours(clue):
        index = grid.index(cell)
        if position[cell] in MINES or known.get(index) is True:
            number -= 1
        elif position[cell] in UNKNOWN and index not in known:
            cells.add(index)
    return frozenset(cells), number


def technique_of(position: Position, step: Step, known: Mapping[int, bool]) -> str:
    """What the step is called."""
    if step.level not in (TWO_CLUES, COMBINATION):
        return KINDS[step.level]
    clues = sorted(step.clues)
    wants = [open_cells(position, clue, known) for clue in clues]
    numbers = "-".join(str(mines) for _, mines in wants)
    in_a_row = len({c.row for c in clues}) == 1 and [c.col for c in clues] == list(
        range(clues[0].col, clues[0].col + len(clues))
    )
    in_a_column = len({c.col for c in clues}) == 1 and [c.row for c in clues] == list(
        range(clues[0].row, clues[0].row + len(clues))
    )
    if in_a_row or in_a_column:
        for name in (numbers, numbers[::-1]):
            if name in ROWS:
                return name
    if step.level == TWO_CLUES:
        (one, _), (other, _) = wants
        return "subset" if one <= other or other <= one else "overlap"
    return KINDS[step.level]
