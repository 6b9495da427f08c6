"""Exact odds in pure Python: the readable twin of the compiled engine. Integers and fractions only, no floats.

Nothing in the package uses it: it is here to be read, and the tests compare the engine with it.

1. `frontier_of` turns the position into components. Unknown cells next to exactly the same clues are interchangeable:
   they form a *box*, and only the number of mines in it matters. Clues that share boxes form a *component*; components
   meet only in the number of mines on the whole board.
2. A component is counted box by box. The *state* is what its clues still need, four bits per clue in one integer. For
   each state we keep the number of ways to reach it *by number of mines used*: a generating function. It too is one
   integer, with ``width`` bits for each coefficient, so that adding functions is adding integers, and a mine more is a
   shift.
3. Components and the cells that no clue sees are combined by multiplying their functions; the coefficient of the number
   of mines is the number of boards.
4. A second pass, from the last box to the first and seeded with what the rest of the board can do, adds up the mines of
   each box over all boards. Shared out over its cells and divided by the number of boards, that is their probability.

Sources: boxes and components as in Studholme, "Minesweeper as a constraint satisfaction problem" (2000); the passes are
the forward and backward algorithm, as in Rabiner (1989), on a chain of boxes; packing a polynomial into an integer is
due to Kronecker (1882).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING

from mineproof.board.grid import CellSet
from mineproof.logic.constraints import components, problem_of

if TYPE_CHECKING:
    from mineproof.board.grid import Cell, Grid
    from mineproof.board.position import Position
    from mineproof.logic.constraints import Constraint

Layer = dict[int, int]  # state -> generating function


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


@dataclass(frozen=True, slots=True)
class ExactAnalysis:
    """Counts and fractions; an inconsistent position has 0 solutions and no probabilities."""

    solutions: int
    probabilities: dict[Cell, Fraction]

    @property
    def safe(self) -> CellSet:
        """Closed cells that are a mine on no board."""
        return CellSet(cell for cell, risk in self.probabilities.items() if risk.numerator == 0)

    @property
    def mined(self) -> CellSet:
        """Closed cells that are a mine on every board."""
        return CellSet(cell for cell, risk in self.probabilities.items() if risk.numerator == risk.denominator)


def analyse_exactly(position: Position) -> ExactAnalysis:
    """Count all boards that are consistent with this position.

    >>> from mineproof import Position
    >>> found = analyse_exactly(Position.from_text("3x2x2\\nHHH\\n121"))
    >>> found.solutions, sorted(map(str, found.safe)), sorted(map(str, found.mined))
    (1, ['B1'], ['A1', 'C1'])
    """
    frontier = frontier_of(position)
    width = len(position.cells) + 1  # no count exceeds the number of all boards, 2 ** cells
    orders = [elimination_order(component) for component in frontier.components]
    forwards = [forward(c, order, width) for c, order in zip(frontier.components, orders, strict=True)]
    totals = [layers[-1].get(0, 0) for layers in forwards]
    rest = sum(comb(len(frontier.rest), r) << r * width for r in range(len(frontier.rest) + 1))

    outsides = products_of_others([rest, *totals])
    mask = (1 << width) - 1

    def coefficient(function: int, mines: int) -> int:
        return function >> mines * width & mask if mines >= 0 else 0

    solutions = coefficient(outsides[0] * rest, frontier.mines)
    if not solutions:
        return ExactAnalysis(0, {})
    risks = dict.fromkeys(frontier.given, Fraction(0))
    mines_in_rest = sum(
        r * coefficient(rest, r) * coefficient(outsides[0], frontier.mines - r) for r in range(len(frontier.rest) + 1)
    )
    risks |= dict.fromkeys(frontier.rest, Fraction(mines_in_rest, solutions * max(1, len(frontier.rest))))
    for order, layers, outside in zip(orders, forwards, outsides[1:], strict=True):
        # What the rest of the board can do, by the number of mines in this component.
        seed = sum(coefficient(outside, frontier.mines - used) << used * width for used in range(frontier.mines + 1))
        for box, mines in zip(order, mines_in_boxes(order, layers, seed, width), strict=True):
            risks |= dict.fromkeys(box.cells, Fraction(mines, solutions * len(box.cells)))
    return ExactAnalysis(solutions, risks)


def count_solutions(position: Position) -> int:
    """The number of boards consistent with this position."""
    frontier = frontier_of(position)
    width = len(position.cells) + 1
    ways = 1  # by the number of mines in all components
    for component in frontier.components:
        ways *= forward(component, elimination_order(component), width)[-1].get(0, 0)
    solutions = 0
    for used in range(frontier.mines + 1):
        if not ways:
            break
        solutions += (ways & (1 << width) - 1) * comb(len(frontier.rest), frontier.mines - used)
        ways >>= width
    return solutions


def elimination_order(component: Component) -> list[Box]:
    """Boxes in an order that keeps few clues half done: of those next to an open clue, the one that opens fewest new
    clues less those it ends."""
    left = Counter(clue for box in component.boxes for clue in box.clues)
    boxes_of: dict[int, list[Box]] = {clue: [] for clue in left}
    for box in component.boxes:
        for clue in box.clues:
            boxes_of[clue].append(box)
    opened: set[int] = set()
    near = dict.fromkeys(component.boxes[:1])  # a set that keeps its order
    order: dict[Box, None] = {}
    while near:
        box = min(near, key=lambda box: sum((c not in opened) - (left[c] == 1) for c in box.clues))
        del near[box]
        order[box] = None
        for clue in box.clues:
            left[clue] -= 1
            if clue not in opened:
                opened.add(clue)
                near |= dict.fromkeys(other for other in boxes_of[clue] if other not in order)
    return list(order)


def forward(component: Component, order: list[Box], width: int) -> list[Layer]:
    """Ways to reach each state, before the first box and after each."""
    if any(not 0 <= need <= 8 for need in component.needs):
        return [{}] * (len(order) + 1)
    room = [0] * len(component.clues)  # cells of a clue in boxes still to come
    for box in order:
        for clue in box.clues:
            room[clue] += len(box.cells)
    layers: list[Layer] = [{sum(need << 4 * clue for clue, need in enumerate(component.needs)): 1}]
    for box in order:
        size, step = len(box.cells), _step(box)
        for clue in box.clues:
            room[clue] -= size
        after: Layer = {}
        for state, ways in layers[-1].items():
            missing = [(state >> 4 * clue & 15, room[clue]) for clue in box.clues]
            fewest = max(0, *(need - later for need, later in missing))
            most = min(size, *(need for need, _ in missing))
            for mines in range(fewest, most + 1):
                reached = state - mines * step
                after[reached] = after.get(reached, 0) + (comb(size, mines) * ways << mines * width)
        layers.append(after)
    return layers


def mines_in_boxes(order: list[Box], layers: list[Layer], seed: int, width: int) -> list[int]:
    """For each box, the mines it holds, added up over all boards."""
    mask = (1 << width) - 1
    totals = []
    behind: Layer = {0: seed}  # state -> what follows, by the number of mines used before
    for box, layer in zip(reversed(order), reversed(layers[:-1]), strict=True):
        size, step = len(box.cells), _step(box)
        total = 0
        before: Layer = {}
        for state, ways in layer.items():
            follows = 0
            for mines in range(size + 1):
                after = behind.get(state - mines * step)
                if after is not None and all(state >> 4 * clue & 15 >= mines for clue in box.clues):
                    follows += (part := comb(size, mines) * (after >> mines * width))
                    total += mines * _meet(ways, part, width, mask) if mines else 0
            if follows:
                before[state] = follows
        totals.append(total)
        behind = before
    return totals[::-1]


def products_of_others(factors: list[int]) -> list[int]:
    """For each factor the product of all the others, by products from the left and from the right."""
    left, right = [1], [1]
    for factor in factors:
        left.append(left[-1] * factor)
    for factor in reversed(factors):
        right.append(right[-1] * factor)
    return [left[i] * right[len(factors) - 1 - i] for i in range(len(factors))]


def _step(box: Box) -> int:
    """What one mine in the box takes off a state."""
    return sum(1 << 4 * clue for clue in box.clues)


def _meet(ways: int, follows: int, width: int, mask: int) -> int:
    """The sum over all numbers of mines of the ways to get there times the ways to continue."""
    total = 0
    while ways:
        empty = ((ways & -ways).bit_length() - 1) // width * width
        ways >>= empty
        follows >>= empty
        total += (ways & mask) * (follows & mask)
        ways >>= width
        follows >>= width
    return total
