"""A position as sums: every clue says how many of the unknown cells around it are mines.

Cells are row-major indices here, as solvers need them; `Deduction` turns them into cells with names.
"""

from __future__ import annotations

import gc
from collections import defaultdict
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain
from math import inf
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from mineproof.board.position import MINES, NUMBERS, UNKNOWN
from mineproof.errors import OutOfTime

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from mineproof.board.grid import Grid
    from mineproof.board.position import Position
    from mineproof.limit import Clock

T = TypeVar("T")

COUNT = -1
"""Stands for the number of mines on the whole board, where the index of a clue is expected."""

BLOCK = 256
"""Clues processed between two checks of the clock: a millisecond or two."""
LOT = 500
_READ = 2_048  # clues that are read at once
_SHARED = 10  # if there is a clue for every ten cells, most cells are seen by several
_CLUE_BYTES, _CELL_BYTES = 300, 40  # of a clue that is read, wherever it is listed, and of each cell around it, about

_CLUE, _UNKNOWN, _MINE, _NAMED_SAFE = 1, 2, 3, 4
_KINDS = np.zeros(256, np.uint8)
for _symbols, _kind in ((NUMBERS, _CLUE), (UNKNOWN, _UNKNOWN), (MINES, _MINE), ("S", _NAMED_SAFE)):
    _KINDS[list(_symbols.encode())] = _kind


class Constraint(NamedTuple):
    """A clue: exactly ``mines`` of these unknown cells are mines."""

    clue: int
    cells: tuple[int, ...]
    mines: int


@dataclass(frozen=True, slots=True)
class Problem:
    """Everything that a position says."""

    grid: Grid
    constraints: tuple[Constraint, ...]
    """Of every clue that has unknown cells around it, or that cannot be right."""
    rest: tuple[int, ...]
    """Unknown cells that no clue sees."""
    given: tuple[int, ...]
    """Closed cells that the game has named safe."""
    mines: int
    """Mines that are not shown yet; negative when too many are shown."""

    unknown: NDArray[np.int64] = field(repr=False, compare=False)
    """All unknown cells, in order."""

    @property
    def mine_count(self) -> Constraint:
        """The number of mines as one more constraint, over all unknown cells.

        >>> from mineproof import Position
        >>> problem_of(Position.from_text("3x1x1\\n1HH")).mine_count
        Constraint(clue=-1, cells=(1, 2), mines=1)
        """
        return Constraint(COUNT, tuple(self.unknown.tolist()), self.mines)


def watched(items: Iterable[T], clock: Clock | None, every: int = BLOCK) -> Iterator[T]:
    """The same items, with a check of the clock before the first and then regularly; None: no limit."""
    if clock is None:
        yield from items
        return
    for number, item in enumerate(items):
        if number % every == 0:
            clock.check()
        yield item


def problem_of(position: Position, clock: Clock | None = None) -> Problem:
    """Read a position. Flags and question marks are notes: such cells are as unknown as any hidden one. Raises
    `OutOfTime`, also when the clues take more memory than the limit allows.

    >>> from mineproof import Position
    >>> problem = problem_of(Position.from_text("4x2x2\\n1HHH\\n1HHH"))
    >>> problem.constraints[0], problem.rest
    (Constraint(clue=0, cells=(1, 5), mines=1), (2, 3, 6, 7))
    """
    rows, cols = position.grid.rows, position.grid.cols
    stride = cols + 2  # a border of nothing, so that every cell has eight neighbours
    padded = np.zeros((rows + 2, stride), np.uint8)
    kinds = padded[1:-1, 1:-1]
    kinds[...] = _KINDS[position.array()]
    flat = padded.ravel()
    seen = np.zeros_like(padded, np.bool_)
    symbols = np.frombuffer(position.cells, np.uint8)
    steps = np.array([-stride - 1, -stride, -stride + 1, -1, 1, stride - 1, stride, stride + 1])
    all_clues = np.flatnonzero(flat == _CLUE)
    constraints: list[Constraint] = []
    room = inf if clock is None else clock.limit.memory
    numbers = np.arange(len(position.grid))
    if len(all_clues) > len(numbers) / _SHARED and _CELL_BYTES * len(numbers) < room / _SHARED:
        numbers = numbers.astype(object)  # one number of Python per cell, however many clues see it
    with _in_bulk(constraints):
        for first in watched(range(0, len(all_clues), _READ), clock, every=1):
            clues = all_clues[first : first + _READ]
            around = clues[:, None] + steps
            found = flat[around]
            unknown = found == _UNKNOWN
            clue_indices = _plain(clues, cols)
            mines = symbols[clue_indices].astype(np.int64) - ord("0") - (found == _MINE).sum(1)
            sizes = unknown.sum(1)
            said = np.flatnonzero((sizes > 0) | (mines != 0))
            next_to = around[unknown]
            seen.ravel()[next_to] = True
            room -= _CLUE_BYTES * len(said) + _CELL_BYTES * len(next_to)
            if room < 0:
                raise OutOfTime("the clues take more memory than the limit allows")
            cells = numbers[_plain(next_to, cols)].tolist()
            ends = np.cumsum(sizes[said]).tolist()
            groups = [tuple(cells[start:end]) for start, end in zip([0, *ends], ends, strict=False)]
            read = numbers[clue_indices[said]].tolist(), groups, mines[said].tolist()
            constraints += map(Constraint._make, zip(*read, strict=True))
    return Problem(
        position.grid,
        tuple(constraints),
        tuple(np.flatnonzero((kinds == _UNKNOWN) & ~seen[1:-1, 1:-1]).tolist()),
        tuple(np.flatnonzero(kinds == _NAMED_SAFE).tolist()),
        position.mines - position.known_mines,
        np.flatnonzero(kinds == _UNKNOWN),
    )


@contextmanager
def _in_bulk(made: list[Constraint]) -> Iterator[None]:
    """Pause garbage collection. Constraints are made by the hundred thousand and hold only numbers; searching them for
    cycles repeatedly would take longer than making them."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    except BaseException:
        made.clear()
        raise
    finally:
        if collects:
            gc.enable()


def _plain(padded: NDArray[np.int64], cols: int) -> NDArray[np.int64]:
    """Indices on the board, from indices on the board with its border."""
    return padded - 2 * (padded // (cols + 2)) - cols - 1


def once(constraints: Iterable[Constraint], clock: Clock | None = None) -> list[Constraint]:
    """Sorted, without duplicates.

    >>> once([Constraint(5, (1, 2), 1), Constraint(3, (1, 2), 1), Constraint(4, (1, 2, 6), 1)])
    [Constraint(clue=3, cells=(1, 2), mines=1), Constraint(clue=4, cells=(1, 2, 6), mines=1)]
    """
    first: dict[tuple[tuple[int, ...], int], Constraint] = {}
    for constraint in watched(sorted(constraints), clock):
        first.setdefault((constraint.cells, constraint.mines), constraint)
    return list(first.values())


def cells_of(constraints: Iterable[Constraint], clock: Clock | None = None, others: Iterable[int] = ()) -> list[int]:
    """All cells that some clues see, and others, sorted.

    >>> cells_of([Constraint(0, (7, 3), 1), Constraint(1, (3, 5), 1)])
    [3, 5, 7]
    """
    around = chain(others, chain.from_iterable(constraint.cells for constraint in watched(constraints, clock)))
    found = np.fromiter(around, np.int64)
    there = np.zeros(found.max(initial=-1) + 1, np.bool_)
    there[found] = True
    listed: list[int] = np.flatnonzero(there).tolist()
    return listed


def components(constraints: Iterable[Constraint], clock: Clock | None = None) -> list[list[Constraint]]:
    """Constraints connected through shared cells, by union-find.

    >>> from mineproof import Position
    >>> [len(part) for part in components(problem_of(Position.from_text("9x1x3\\nH1H1HSH1H")).constraints)]
    [2, 1]
    """
    leader: dict[int, int] = {}

    def find(cell: int) -> int:
        while leader[cell] != cell:
            leader[cell] = leader[leader[cell]]
            cell = leader[cell]
        return cell

    listed = list(constraints)
    for constraint in watched(listed, clock):
        if constraint.cells:
            head = find(leader.setdefault(constraint.cells[0], constraint.cells[0]))
            for cell in constraint.cells[1:]:
                leader[find(leader.setdefault(cell, cell))] = head
    groups: dict[int, list[Constraint]] = defaultdict(list)
    for constraint in watched(listed, clock):
        key = find(constraint.cells[0]) if constraint.cells else -1 - constraint.clue
        groups[key].append(constraint)
    return list(groups.values())


def lots(parts: Iterable[list[Constraint]], clues: int = LOT) -> Iterator[list[list[Constraint]]]:
    """Components in lots of about ``clues`` clues, for solvers that are slow to set up and cannot be stopped at once.

    >>> [len(lot) for lot in lots([[]] * 3 + [[Constraint(0, (1,), 1)] * 500] * 3, clues=900)]
    [5, 1]
    """
    lot: list[list[Constraint]] = []
    size = 0
    for part in parts:
        lot.append(part)
        size += len(part)
        if size >= clues:
            yield lot
            lot, size = [], 0
    if lot:
        yield lot


def bounds(constraints: Iterable[Constraint], cells: int, clock: Clock) -> tuple[int, int]:
    """Lower and upper bounds on the number of mines in all cells, from disjoint clues: the fuller ones for the lower
    bound, the emptier ones for the upper."""
    by_density = sorted((mines / len(around), around, mines) for _, around, mines in watched(constraints, clock))
    low, high = 0, cells
    taken: set[int] = set()
    for _, around, mines in by_density:
        if taken.isdisjoint(around):
            taken.update(around)
            high -= len(around) - mines
    taken.clear()
    for _, around, mines in reversed(by_density):
        if taken.isdisjoint(around):
            taken.update(around)
            low += mines
    return low, high
