"""What a position leaves open, as a counting problem: clues that miss mines, and boxes of cells that look alike.

Unknown cells next to exactly the same clues are interchangeable. They form a *box*, and only the number of mines in it
matters. Clues that share boxes form a *component*; components meet only in the number of mines on the whole board.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mineproof.logic.clauses import exactly

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from mineproof.board.grid import Cell
    from mineproof.board.position import Position


@dataclass(frozen=True, slots=True)
class Box:
    """Unknown cells that exactly these clues of the component see."""

    cells: tuple[Cell, ...]
    clues: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Component:
    """Clues connected through shared cells, with the mines that each still misses."""

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
    grid = position.grid
    seen_by: dict[Cell, list[Cell]] = {cell: [] for cell in position.where("HFQ")}
    needs: dict[Cell, int] = {}
    shown = set(position.where("*?"))
    for clue, symbol in zip(grid, position.cells.decode(), strict=True):
        if not symbol.isdigit():
            continue
        around = grid.neighbours(clue)
        unknown = [cell for cell in around if cell in seen_by]
        need = int(symbol) - (len(shown.intersection(around)) if shown else 0)
        if unknown or need:
            needs[clue] = need
            for cell in unknown:
                seen_by[cell].append(clue)

    alike: dict[tuple[Cell, ...], list[Cell]] = defaultdict(list)
    for cell, clues in seen_by.items():
        alike[tuple(clues)].append(cell)
    rest = alike.pop((), [])
    return Frontier(
        components=tuple(_components(needs, alike)),
        rest=tuple(rest),
        given=tuple(position.where("S")),
        mines=position.mines - position.known_mines,
    )


def clue_clauses(frontier: Frontier, variable: Mapping[Cell, int]) -> Iterator[tuple[Cell, list[int]]]:
    """Every clue with each of its clauses, over the variables of the unknown cells."""
    for part in frontier.components:
        around: list[list[int]] = [[] for _ in part.clues]
        for box in part.boxes:
            for clue in box.clues:
                around[clue] += [variable[cell] for cell in box.cells]
        for cell, need, variables in zip(part.clues, part.needs, around, strict=True):
            for clause in exactly(need, variables):
                yield cell, clause


def _components(needs: dict[Cell, int], alike: dict[tuple[Cell, ...], list[Cell]]) -> Iterator[Component]:
    """Groups of clues that share boxes, by union-find."""
    leader = {clue: clue for clue in needs}

    def find(clue: Cell) -> Cell:
        while leader[clue] != clue:
            leader[clue] = leader[leader[clue]]
            clue = leader[clue]
        return clue

    for clues in alike:
        for clue in clues[1:]:
            leader[find(clue)] = find(clues[0])
    groups: dict[Cell, list[Cell]] = defaultdict(list)
    number = {}
    for clue in needs:
        group = groups[find(clue)]
        number[clue] = len(group)
        group.append(clue)
    boxes: dict[Cell, list[Box]] = defaultdict(list)
    for clues, cells in alike.items():
        boxes[find(clues[0])].append(Box(tuple(cells), tuple(number[clue] for clue in clues)))
    for head, group in groups.items():
        yield Component(tuple(group), tuple(needs[clue] for clue in group), tuple(boxes[head]))
