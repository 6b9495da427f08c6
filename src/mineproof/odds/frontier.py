"""A position as a counting problem: clues that still need mines, and boxes of interchangeable cells.

Unknown cells next to exactly the same clues are interchangeable. They form a *box*, and only the number of mines in it
matters. Clues that share boxes form a *component*; components meet only in the number of mines on the whole board.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mineproof.logic.clauses import exactly
from mineproof.logic.constraints import Constraint, components, problem_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from mineproof.board.grid import Cell, Grid
    from mineproof.board.position import Position


@dataclass(frozen=True, slots=True)
class Box:
    """Unknown cells that exactly these clues of the component see."""

    cells: tuple[Cell, ...]
    clues: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Component:
    """Clues connected through shared cells, with the mines that each still needs."""

    clues: tuple[Cell, ...]
    needs: tuple[int, ...]
    boxes: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class Frontier:
    """The whole problem."""

    components: tuple[Component, ...]
    rest: tuple[Cell, ...]
    """Unknown cells that no clue sees."""
    given: tuple[Cell, ...]
    """Closed cells that the game has named safe."""
    mines: int
    """Mines that are not shown yet; negative when too many are shown."""


def frontier_of(position: Position) -> Frontier:
    """Read a position. Flags and question marks are notes: such cells are as unknown as any hidden one.

    >>> from mineproof import Position
    >>> frontier = frontier_of(Position.from_text("4x2x2\\n1HHH\\n1HHH"))
    >>> [(len(box.cells), box.clues) for box in frontier.components[0].boxes], len(frontier.rest)
    ([(2, (0, 1))], 4)
    """
    problem = problem_of(position)
    cell = position.grid.cell
    return Frontier(
        components=tuple(_component(part, position.grid) for part in components(problem.constraints)),
        rest=tuple(map(cell, problem.unseen)),
        given=tuple(map(cell, problem.named_safe)),
        mines=problem.mines,
    )


def _component(constraints: list[Constraint], grid: Grid) -> Component:
    seen_by: dict[int, list[int]] = defaultdict(list)
    for number, constraint in enumerate(constraints):
        for cell in constraint.cells:
            seen_by[cell].append(number)
    alike: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for cell in sorted(seen_by):
        alike[tuple(seen_by[cell])].append(cell)
    return Component(
        clues=tuple(grid.cell(constraint.clue) for constraint in constraints),
        needs=tuple(constraint.mines for constraint in constraints),
        boxes=tuple(Box(tuple(map(grid.cell, cells)), clues) for clues, cells in alike.items()),
    )


def clue_clauses(frontier: Frontier, variable: Mapping[Cell, int]) -> Iterator[list[int]]:
    """The clauses of all clues, over the variables of the unknown cells."""
    for part in frontier.components:
        around: list[list[int]] = [[] for _ in part.clues]
        for box in part.boxes:
            for clue in box.clues:
                around[clue] += [variable[cell] for cell in box.cells]
        for need, variables in zip(part.needs, around, strict=True):
            yield from exactly(need, variables)
