"""The players' name for a step, if there is one; otherwise its kind."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from mineproof.board.position import MINES, UNKNOWN
from mineproof.explain.step import CASES, CHAIN, COMBINATION, MINE_COUNT, ONE_CLUE, TWO_CLUES
from mineproof.logic.constraints import Constraint
from mineproof.odds.scenarios import MOST_CLUES, scenario_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from mineproof.board.grid import Cell
    from mineproof.board.position import Position
    from mineproof.explain.step import ExplanationStep
    from mineproof.odds.scenarios import Scenario

KINDS = {
    ONE_CLUE: "one clue",
    TWO_CLUES: "overlap",
    COMBINATION: "combination",
    CHAIN: "chain",
    CASES: "cases",
    MINE_COUNT: "mine count",
}
ROWS = ("1-2-1", "1-2-2-1", "1-1", "1-2")
"""Named patterns: the numbers of adjacent clues in a row or column, minus known mines."""


def open_cells(position: Position, clue: Cell, known: Mapping[int, bool]) -> tuple[frozenset[int], int]:
    """The unknown cells around a clue, and how many mines it still needs among them."""
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


def inner_and_outer(
    position: Position, clues: tuple[Cell, ...], settled: Iterable[int], known: Mapping[int, bool]
) -> tuple[Cell, Cell]:
    """Of two clues, the one that bounds the mines in their common cells, and the one whose other cells are settled by
    that bound."""
    first, second = clues
    first_only = open_cells(position, first, known)[0] - open_cells(position, second, known)[0]
    return (second, first) if first_only.issuperset(settled) else (first, second)


def scenario_at(position: Position, step: ExplanationStep, known: Mapping[int, bool]) -> Scenario | None:
    """The configuration of the clues of a step, if they are two or three."""
    if step.level not in (TWO_CLUES, COMBINATION) or len(step.clues) > MOST_CLUES:
        return None
    wants = [open_cells(position, clue, known) for clue in step.clues]
    return scenario_of([Constraint(0, tuple(cells), mines) for cells, mines in wants])


def technique_of(position: Position, step: ExplanationStep, known: Mapping[int, bool]) -> str:
    """The name of the technique of a step."""
    if step.level not in (TWO_CLUES, COMBINATION):
        return KINDS[step.level]
    clues = sorted(step.clues)
    wants = [open_cells(position, clue, known) for clue in clues]
    numbers = "-".join(str(mines) for _, mines in wants)
    offsets = {(after.row - before.row, after.col - before.col) for before, after in pairwise(clues)}
    if offsets in ({(0, 1)}, {(1, 0)}):  # in a row, or in a column, without gaps
        for name in (numbers, numbers[::-1]):
            if name in ROWS:
                return name
    if step.level == TWO_CLUES:
        (first, _), (second, _) = wants
        return "subset" if first <= second or second <= first else "overlap"
    return KINDS[step.level]
