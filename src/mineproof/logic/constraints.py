"""A position as sums: every clue says how many of the unknown cells around it are mines.

Cells are row-major indices here, as solvers need them; `Deduction` turns them into cells with names.
"""

from __future__ import annotations

import gc
import warnings
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
    from collections.abc import Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from mineproof.board.grid import Grid
    from mineproof.board.position import Position
    from mineproof.limit import Clock

T = TypeVar("T")

COUNT = -1
"""The number of mines on the whole board, where the index of a clue is expected."""

BLOCK = 256
"""The number of clues processed between two checks of the clock: this takes a millisecond or two."""
LOT = 500
"""The usual number of clues that a slow solver is given at once, see `lots`."""
_READ = 2_048  # clues that are read at once
_SHARED = 10  # where there is a clue for every ten cells, most cells are seen by several clues
_CLUE_BYTES, _CELL_BYTES = 300, 40  # approximate bytes per clue, with all lists that have it, and per cell around it

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
    """All clues of a position, its other unknown cells, and its number of mines."""

    grid: Grid
    constraints: tuple[Constraint, ...]
    """The clues that have unknown cells around them, or that cannot be right."""
    unseen: tuple[int, ...]
    """Unknown cells that no clue sees."""
    named_safe: tuple[int, ...]
    """Closed cells that the game has named safe."""
    mines: int
    """The number of mines that are not shown yet; negative if too many are shown."""
    unknown: NDArray[np.int64] = field(repr=False, compare=False)
    """All unknown cells, in order."""

    @property
    def rest(self) -> tuple[int, ...]:
        """The old name of ``unseen``."""
        warnings.warn("Problem.rest is now called unseen", DeprecationWarning, stacklevel=2)
        return self.unseen

    @property
    def given(self) -> tuple[int, ...]:
        """The old name of ``named_safe``."""
        warnings.warn("Problem.given is now called named_safe", DeprecationWarning, stacklevel=2)
        return self.named_safe

    @property
    def mine_count(self) -> Constraint:
        """The number of mines as a constraint over all unknown cells.

        >>> from mineproof import Position
        >>> problem_of(Position.from_text("3x1x1\\n1HH")).mine_count
        Constraint(clue=-1, cells=(1, 2), mines=1)
        """
        return Constraint(COUNT, tuple(self.unknown.tolist()), self.mines)


def watched(items: Iterable[T], clock: Clock | None, every: int = BLOCK) -> Iterator[T]:
    """The same items, with a check of the clock before the first one and then regularly; None: no clock."""
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
    >>> problem.constraints[0], problem.unseen
    (Constraint(clue=0, cells=(1, 5), mines=1), (2, 3, 6, 7))
    """
    rows, cols = position.grid.rows, position.grid.cols
    stride = cols + 2  # an empty border gives every cell eight neighbours
    padded = np.zeros((rows + 2, stride), np.uint8)
    kinds = padded[1:-1, 1:-1]
    kinds[...] = _KINDS[position.array()]
    flat = padded.ravel()
    seen = np.zeros_like(padded, np.bool_)
    symbols = np.frombuffer(position.cells, np.uint8)
    steps = np.array([-stride - 1, -stride, -stride + 1, -1, 1, stride - 1, stride, stride + 1])
    all_clues = np.flatnonzero(flat == _CLUE)
    constraints: list[Constraint] = []
    memory_left = inf if clock is None else clock.limit.memory
    numbers = np.arange(len(position.grid))
    if len(all_clues) > len(numbers) / _SHARED and _CELL_BYTES * len(numbers) < memory_left / _SHARED:
        numbers = numbers.astype(object)  # one Python integer per cell, shared by all clues that see it
    with _in_bulk(constraints):
        for first in watched(range(0, len(all_clues), _READ), clock, every=1):
            clues = all_clues[first : first + _READ]
            around = clues[:, None] + steps
            kinds_around = flat[around]
            unknown = kinds_around == _UNKNOWN
            clue_indices = _plain(clues, cols)
            mines = symbols[clue_indices].astype(np.int64) - ord("0") - (kinds_around == _MINE).sum(1)
            sizes = unknown.sum(1)
            informative = np.flatnonzero((sizes > 0) | (mines != 0))
            next_to = around[unknown]
            seen.ravel()[next_to] = True
            memory_left -= _CLUE_BYTES * len(informative) + _CELL_BYTES * len(next_to)
            if memory_left < 0:
                raise OutOfTime("the clues take more memory than the limit allows")
            cells = numbers[_plain(next_to, cols)].tolist()
            ends = np.cumsum(sizes[informative]).tolist()
            groups = [tuple(cells[start:end]) for start, end in zip([0, *ends], ends, strict=False)]
            columns = numbers[clue_indices[informative]].tolist(), groups, mines[informative].tolist()
            constraints += map(Constraint._make, zip(*columns, strict=True))
    return Problem(
        position.grid,
        tuple(constraints),
        tuple(np.flatnonzero((kinds == _UNKNOWN) & ~seen[1:-1, 1:-1]).tolist()),
        tuple(np.flatnonzero(kinds == _NAMED_SAFE).tolist()),
        position.mines - position.known_mines,
        np.flatnonzero(kinds == _UNKNOWN),
    )


@contextmanager
def _in_bulk(constraints: list[Constraint]) -> Iterator[None]:
    """Pause garbage collection while this list is filled; empty it if that fails. Constraints are made by the hundred
    thousand and hold only numbers: searching them for cycles would take longer than making them."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    except BaseException:
        constraints.clear()
        raise
    finally:
        if collects:
            gc.enable()


def _plain(padded: NDArray[np.int64], cols: int) -> NDArray[np.int64]:
    """Convert indices on the board with its border into indices on the board."""
    return padded - 2 * (padded // (cols + 2)) - cols - 1


def once(constraints: Iterable[Constraint], clock: Clock | None = None) -> list[Constraint]:
    """The constraints sorted, without those that say the same.

    >>> once([Constraint(5, (1, 2), 1), Constraint(3, (1, 2), 1), Constraint(4, (1, 2, 6), 1)])
    [Constraint(clue=3, cells=(1, 2), mines=1), Constraint(clue=4, cells=(1, 2, 6), mines=1)]
    """
    first: dict[tuple[tuple[int, ...], int], Constraint] = {}
    for constraint in watched(sorted(constraints), clock):
        first.setdefault((constraint.cells, constraint.mines), constraint)
    return list(first.values())


def reduced(constraints: Iterable[Constraint], facts: Mapping[int, bool]) -> list[Constraint]:
    """The constraints on the other cells when these facts are known.

    >>> reduced([Constraint(0, (1, 2, 3), 2), Constraint(9, (1, 2), 1)], {1: True, 2: False})
    [Constraint(clue=0, cells=(3,), mines=1)]
    """
    left = []
    for clue, cells, mines in constraints:
        unknown = tuple(cell for cell in cells if cell not in facts)
        if unknown:
            left.append(Constraint(clue, unknown, mines - sum(facts.get(cell, False) for cell in cells)))
    return left


def cells_of(constraints: Iterable[Constraint], clock: Clock | None = None, others: Iterable[int] = ()) -> list[int]:
    """All cells that these clues see, together with ``others``, sorted.

    >>> cells_of([Constraint(0, (7, 3), 1), Constraint(1, (3, 5), 1)])
    [3, 5, 7]
    """
    around = chain(others, chain.from_iterable(constraint.cells for constraint in watched(constraints, clock)))
    indices = np.fromiter(around, np.int64)
    present = np.zeros(indices.max(initial=-1) + 1, np.bool_)
    present[indices] = True
    cells: list[int] = np.flatnonzero(present).tolist()
    return cells


def components(constraints: Iterable[Constraint], clock: Clock | None = None) -> list[list[Constraint]]:
    """Group constraints that are connected through shared cells, by union-find.

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
    """Components in lots of about ``clues`` clues, for solvers that are slow to set up and slow to stop.

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
    """Lower and upper bounds on the number of mines in this number of cells, from disjoint clues: the densest first for
    the lower bound, the sparsest first for the upper."""
    by_density = sorted((mines / len(around), around, mines) for _, around, mines in watched(constraints, clock))
    low, high = 0, cells
    covered: set[int] = set()
    for _, around, mines in by_density:
        if covered.isdisjoint(around):
            covered.update(around)
            high -= len(around) - mines
    covered.clear()
    for _, around, mines in reversed(by_density):
        if covered.isdisjoint(around):
            covered.update(around)
            low += mines
    return low, high
