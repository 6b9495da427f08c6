"""A referee without an engine: all ways to lay the mines of a small position, tried in the plainest way that ends.

Of the package it knows only what a position shows. Ways are laid clue by clue, in each possible way; clues that see no
cell in common are tried apart, and joined by their number of mines. What is too large for that is refused.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cached_property
from itertools import chain, combinations, product
from math import comb
from typing import TYPE_CHECKING, NamedTuple

from mineproof import Cell
from support import perfect

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from mineproof import Conflict, Position
    from mineproof.explain.step import ExplanationStep

NUMBERS, UNKNOWN, SHOWN = "012345678", "HFQ", "*?"
MOST_WAYS = 4_000
"""Ways of one group of clues; a position with more is refused."""
MOST_SETS = 300
"""Sets of clues that are tried."""
MOST_BOARDS = 60
"""Boards of a position that is played to its end in every way."""

Board = frozenset[Cell]


class TooLarge(Exception):
    """There are too many ways to try."""


class Clue(NamedTuple):
    """What a clue says of the unknown cells around it."""

    cell: Cell
    sees: Board
    mines: int


class Group(NamedTuple):
    """Clues that are connected by the cells that they see, and all ways to lay mines on these."""

    clues: list[Clue]
    cells: Board
    ways: list[Board]


class Referee:
    """All boards that look like a position; or that agree with some of its clues, with cells that are known, or
    with any number of mines.

    >>> from mineproof import Position
    >>> referee = Referee(Position.from_text("4x2x2\\nHHHH\\n121H"))
    >>> referee.boards, referee.risk(Cell(0, 1)), referee.numbers(Cell(0, 3))
    (1, Fraction(0, 1), {1: Fraction(1, 1)})
    """

    def __init__(
        self,
        position: Position,
        clues: Iterable[Cell] | None = None,
        known: Mapping[Cell, bool] | None = None,
        *,
        counted: bool = True,
    ) -> None:
        self.position = position
        self.counted = counted
        closed = frozenset(position.where(UNKNOWN))
        shown = dict.fromkeys(position.where(SHOWN), True)
        self.known = shown | {cell: mine for cell, mine in (known or {}).items() if cell in closed}
        self.unknown = closed.difference(self.known)
        self.mines = position.mines - sum(self.known.values())
        clues = position.where(NUMBERS) if clues is None else clues
        self.groups = [_group(some) for some in _connected([self._clue(cell) for cell in clues])]
        self.free = self.unknown.difference(*(group.cells for group in self.groups))
        """Unknown cells that no clue sees."""

    def _clue(self, cell: Cell) -> Clue:
        around = self.position.grid.neighbours(cell)
        mines = int(self.position[cell]) - sum(self.known.get(near, False) for near in around)
        return Clue(cell, self.unknown.intersection(around), mines)

    # -- boards ------------------------------------------------------------------------------------------------------

    def tally(self, among: Board = frozenset(), safe: Board = frozenset()) -> Counter[int]:
        """How many boards have how many mines among some unknown cells, of the boards on which others are safe."""
        ways = Counter({(0, 0): 1})  # by all mines, and by those among the cells
        for group in self.groups:
            shapes = Counter((len(way), len(way & among)) for way in group.ways if way.isdisjoint(safe))
            joined: Counter[tuple[int, int]] = Counter()
            for ((mines, inside), number), ((more, more_inside), times) in product(ways.items(), shapes.items()):
                joined[mines + more, inside + more_inside] += number * times
            ways = joined
        near = len(self.free & among)
        far = len(self.free - safe) - near
        found: Counter[int] = Counter()
        for (mines, inside), number in ways.items():
            left = self.mines - mines
            for more in range(near + 1):
                rest = 2**far if not self.counted else comb(far, left - more) if left >= more else 0
                found[inside + more] += number * comb(near, more) * rest
        return +found

    @cached_property
    def boards(self) -> int:
        """How many there are."""
        return self.tally().total()

    @cached_property
    def risks(self) -> dict[Cell, Fraction]:
        """The share of boards on which a closed cell is a mine; none, if there is no board."""
        return {cell: self.risk(cell) for cell in self.position.where(UNKNOWN + "S")} if self.boards else {}

    def risk(self, cell: Cell) -> Fraction:
        """The share of boards on which a cell is a mine."""
        if cell not in self.unknown:
            return Fraction(self.known.get(cell, False))
        return self._free_risk if cell in self.free else self._risk(cell)

    def _risk(self, cell: Cell) -> Fraction:
        return Fraction(self.tally(frozenset([cell]))[1], self.boards)

    @cached_property
    def _free_risk(self) -> Fraction:
        return self._risk(min(self.free))

    @cached_property
    def certain(self) -> dict[Cell, bool]:
        """The closed cells that are mines on all boards, or on none."""
        return {cell: risk == 1 for cell, risk in self.risks.items() if risk in (0, 1)}

    def verdict(self, cell: Cell) -> bool | None:
        """Whether a cell is a mine on all boards, or on none; None if it is on some, or if there is no board."""
        risk = self.risk(cell) if self.boards else Fraction(1, 2)
        return risk == 1 if risk in (0, 1) else None

    def numbers(self, cell: Cell) -> dict[int, Fraction]:
        """The numbers that a closed cell shows where it is safe, and their shares."""
        around = self.position.grid.neighbours(cell)
        shown = sum(self.known.get(near, False) for near in around)
        tally = self.tally(self.unknown.intersection(around), frozenset([cell]))
        return {number + shown: Fraction(boards, tally.total()) for number, boards in sorted(tally.items())}

    def each(self) -> Iterator[Board]:
        """The mined cells of each board, known ones included."""
        known = frozenset(cell for cell, mine in self.known.items() if mine)
        for ways in product(*(group.ways for group in self.groups)):
            laid = known.union(*ways)
            left = self.position.mines - len(laid)
            for rest in combinations(sorted(self.free), left) if left >= 0 else ():
                yield laid.union(rest)

    # -- play --------------------------------------------------------------------------------------------------------

    def wins(self) -> dict[Cell, Fraction]:
        """The share of boards that perfect play wins after each closed cell; for few boards only."""
        grid = self.position.grid
        boards = frozenset(frozenset(map(grid.index, board)) for board in self.each())
        opened = frozenset(map(grid.index, self.position.where(NUMBERS)))
        won = perfect.wins_by_cell(grid, boards, opened)
        return {grid.cell(cell): Fraction(wins, len(boards)) for cell, wins in won.items()}

    # -- reasons -----------------------------------------------------------------------------------------------------

    def follows(self, cell: Cell, mine: bool, clues: Iterable[Cell], counted: bool) -> bool:
        """Whether these clues settle a cell, with the number of mines or without."""
        return Referee(self.position, clues, counted=counted).verdict(cell) is mine

    def reason_faults(
        self, cell: Cell, mine: bool, clues: Collection[Cell], counted: bool, *, minimal: bool = True
    ) -> Iterator[str]:
        """What is wrong with a reason: it must settle the cell, and if it is minimal nothing may be left out."""
        if not self.follows(cell, mine, clues, counted):
            yield f"{cell} does not follow from {_names(clues)}"
        if not minimal:
            return
        for clue in clues:
            if self.follows(cell, mine, [other for other in clues if other != clue], counted):
                yield f"{cell} follows without {clue}"
        if counted and self.follows(cell, mine, self.position.where(NUMBERS), counted=False):
            yield f"{cell} follows without the number of mines"

    def fewer_faults(self, cell: Cell, mine: bool, clues: Collection[Cell], counted: bool) -> Iterator[str]:
        """Fewer clues that settle a cell, if there are not too many sets to try. More clues prove no less, so sets of
        one clue less are enough; and without the number of mines only connected clues matter."""
        near = [group for group in self.groups if counted or cell in group.cells]
        others = [clue.cell for group in near for clue in group.clues if clue.sees]
        size = len(clues) - 1
        if size < 0 or comb(len(others), size) > MOST_SETS:
            return
        for fewer in combinations(others, size):
            if self.follows(cell, mine, fewer, counted):
                yield f"{cell} follows from fewer clues: {_names(fewer)}"


def boards(position: Position) -> Iterator[Board]:
    """The mined cells of each board, cells that the game has shown included."""
    return Referee(position).each()


def conflict_faults(position: Position, conflict: Conflict) -> Iterator[str]:
    """What is wrong with a conflict: its clues can all be right, or some of them cannot either."""

    def possible(clues: Iterable[Cell] | None, counted: bool = False) -> bool:
        return Referee(position, clues, counted=counted).boards > 0

    if conflict.mine_count:
        if conflict.clues or not possible(None):
            yield "the clues contradict each other without the number of mines"
        if possible(None, counted=True):
            yield "there is a board with this number of mines"
        return
    if possible(conflict.clues):
        yield f"{_names(conflict.clues)} can all be right"
    for clue in sorted(conflict.clues):
        if not possible(conflict.clues - {clue}):
            yield f"{clue} is not needed for the conflict"


def _sees_unknown(position: Position, clue: Cell, known: Mapping[Cell, bool]) -> bool:
    """Whether a clue sees a closed cell that is not known."""
    return any(position[cell] in UNKNOWN and cell not in known for cell in position.grid.neighbours(clue))


def step_faults(position: Position, steps: Iterable[ExplanationStep]) -> Iterator[str]:
    """What is wrong with steps: each must settle its cells by its clues and by cells that earlier steps have settled,
    with the number of mines only if it says so, and only if that is needed."""
    settled: dict[Cell, bool] = {}
    for number, step in enumerate(steps, start=1):
        missing = [cell for cell in step.used if cell not in settled]
        if missing:
            yield f"step {number} uses {_names(missing)}, not settled before"
        others = [clue for clue in step.clues if position[clue] not in NUMBERS]
        if others:
            yield f"step {number} names {_names(others)}, not a clue"
            continue
        given = {cell: settled[cell] for cell in step.used if cell in settled}
        idle = [clue for clue in step.clues if step.level > 2 and not _sees_unknown(position, clue, given)]
        if idle:
            yield f"step {number} names {_names(idle)}, which says nothing more"
        referee = Referee(position, step.clues, given, counted=step.mine_count)
        for cell in step.cells:
            if referee.verdict(cell) is not step.mine:
                yield f"step {number} does not settle {cell}"
            elif step.mine_count and Referee(position, step.clues, given, counted=False).verdict(cell) is step.mine:
                yield f"step {number} settles {cell} without the number of mines"
        settled |= dict.fromkeys(step.cells, step.mine)


def _names(cells: Iterable[Cell]) -> str:
    return ", ".join(map(str, sorted(cells))) or "no clue"


def _connected(clues: Iterable[Clue]) -> list[list[Clue]]:
    """Clues in groups that see no cell in common."""
    groups: list[tuple[Board, list[Clue]]] = []
    for clue in clues:
        near = [group for group in groups if clue.sees & group[0]]
        groups = [group for group in groups if not clue.sees & group[0]]
        groups.append((clue.sees.union(*(cells for cells, _ in near)), [*chain(*(some for _, some in near)), clue]))
    return [some for _, some in groups]


def _group(clues: list[Clue]) -> Group:
    """All ways to lay mines around these clues so that each of them is right. The next clue is always the one that sees
    the fewest new cells, so that there are few ways meanwhile."""
    cells: Board = frozenset()
    ways: list[Board] = [frozenset()]
    left = list(clues)
    while left:
        clue = min(left, key=lambda clue: len(clue.sees - cells) or -1)
        left.remove(clue)
        new = sorted(clue.sees - cells)
        laid: list[Board] = []
        for way in ways:
            need = clue.mines - len(way & clue.sees)
            laid += [way.union(more) for more in combinations(new, need)] if need >= 0 else []
            if len(laid) > MOST_WAYS:
                raise TooLarge
        ways = laid
        cells |= clue.sees
    return Group(clues, cells, ways)
