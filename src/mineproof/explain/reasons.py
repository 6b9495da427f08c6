"""The fewest clues that prove a cell; among sets of equal size, the one nearest to the cell.

Sets of up to four clues are found by trying all, in compiled code. Larger ones, without the number of mines, are found
by SAT. With the number of mines, SAT would have to add it up; counting the position *cut down* to some clues is faster.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mineproof._native import counting
from mineproof._native.reasoning import Techniques
from mineproof.board.grid import Grid
from mineproof.board.position import NUMBERS, UNKNOWN, Position
from mineproof.errors import OutOfTime
from mineproof.limit import Clock
from mineproof.logic.constraints import components, once, problem_of, reduced
from mineproof.logic.hitting import cheapest_hit
from mineproof.logic.solver import Solver, minimal
from mineproof.odds.analysis import analyse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from mineproof.logic.constraints import Problem

SMALL = 4
"""The most clues of sets that are found by trying them all."""
ROUNDS = 40
"""The most sets tried in a search for a smallest set; after that a minimal set is accepted."""
TRIES = 4_000
"""The most checks of the clock in a search for a smallest set."""
_WITHOUT_CLUES = bytes.maketrans(NUMBERS.encode(), b"S" * len(NUMBERS))


class FewestClues:
    """Finds the fewest clues that force cells of a position, given cells that are known already.

    >>> from mineproof import Limit, Position
    >>> FewestClues(Position.from_text("3x2x2\\nHHH\\n121"), {}, Limit().start()).smallest(1, mine=False)
    ([3, 4, 5], False)
    """

    def __init__(self, position: Position, facts: Mapping[int, bool], clock: Clock) -> None:
        self.position = position
        self.facts = facts
        self.clock = clock
        self.cut = cut_down(position, facts)

    def smallest(self, cell: int, mine: bool, problem: Problem | None = None) -> tuple[list[int], bool]:
        """The fewest clues that prove a certain cell, and whether the number of mines is needed too. If that takes too
        long, a minimal set: without any one of them the cell would not be certain."""
        clues = self._by_trying(cell, mine)
        if clues is None:
            clues = self._by_sat(cell, mine, problem)
        return (clues, False) if clues is not None else (self._with_mine_count(cell, mine), True)

    def _by_trying(self, cell: int, mine: bool) -> list[int] | None:
        """The fewest clues, if at most `SMALL` are enough; otherwise None."""
        techniques = Techniques()
        techniques.start(self.cut.grid.rows, self.cut.grid.cols, self.cut.cells)
        techniques.want([cell], mine)
        step = techniques.step(SMALL, self.clock)
        self.clock.check()
        return None if step is None else step[2]

    def _by_sat(self, cell: int, mine: bool, problem: Problem | None) -> list[int] | None:
        """The fewest clues without the number of mines; None if the clues alone do not force the cell."""
        constraints = reduced((problem or problem_of(self.position, self.clock)).constraints, self.facts)
        parts = components(once(constraints, self.clock), self.clock)
        near = next((part for part in parts if any(cell in clue.cells for clue in part)), None)
        if near is None:
            return None
        weight = self._weights(cell, [constraint.clue for constraint in near])
        with Solver(near, self.clock, selectors=True) as solver:
            opposite = [-solver.variable[cell] if mine else solver.variable[cell]]
            if solver.solve(opposite):
                return None
            try:
                solver.clock = ClockOfTries(self.clock)
                core = solver.smallest_core(opposite, lambda constraint: weight[constraint.clue])
            except OutOfTime:
                self.clock.check()
                solver.clock = self.clock
                core = solver.minimal_core(opposite)
        assert core is not None
        return sorted(constraint.clue for constraint in core)

    def _with_mine_count(self, cell: int, mine: bool) -> list[int]:
        """The fewest clues that force the cell together with the number of mines."""
        clues = [constraint.clue for constraint in problem_of(self.cut, self.clock).constraints]
        weight = self._weights(cell, clues)
        forces = Forces(self.cut, cell, mine, self.clock)
        farthest_first = sorted(clues, key=lambda clue: -weight[clue])
        few = minimal(farthest_first, lambda fewer: fewer if forces(fewer) else None, at_once=max(1, len(clues) // 4))
        try:
            few = fewest(clues, weight, forces, few, ClockOfTries(self.clock))
        except OutOfTime:
            self.clock.check()
        return sorted(few)

    def _weights(self, cell: int, clues: Sequence[int]) -> dict[int, float]:
        """A weight of 1 for each clue, and a little more with its distance; these additions sum to less than 1."""
        cols = self.position.grid.cols
        distances = {clue: (clue // cols - cell // cols) ** 2 + (clue % cols - cell % cols) ** 2 for clue in clues}
        total = 1 + sum(distances.values())
        return {clue: 1 + distance / total for clue, distance in distances.items()}


class ClockOfTries(Clock):
    """A clock that also ends after a number of checks: a search that has not ended by then would take very long."""

    __slots__ = ("tries",)

    def __init__(self, clock: Clock, tries: int = TRIES) -> None:
        super().__init__(clock.limit, clock.left)
        self.tries = tries

    def check(self) -> None:
        """Raise `Cancelled`, or `OutOfTime` if time has run out or there were too many checks."""
        super().check()
        self.tries -= 1
        if self.tries < 0:
            raise OutOfTime("this would take too long")


def fewest(
    items: Sequence[int],
    cost: Mapping[int, float],
    enough: Callable[[Iterable[int]], bool],
    known: Sequence[int],
    clock: ClockOfTries,
) -> list[int]:
    """The cheapest part of the items that is enough, given a ``known`` part that is. Found by implicit hitting sets, as
    in `Solver.smallest_core`. Raises `OutOfTime` if that takes too many tries."""
    to_meet: list[frozenset[int]] = []
    price = sum(cost[item] for item in known)
    for _ in range(ROUNDS):
        chosen = cheapest_hit(to_meet, cost, clock.check)
        if sum(cost[item] for item in chosen) >= price - 1e-12:
            return list(known)
        if enough(chosen):
            return list(chosen)
        held = set(chosen)
        out = [item for item in items if item not in held]
        size = max(1, len(out) // 4)
        while out and size:  # add as many items as possible, in blocks, such that they are still not enough
            left = []
            for start in range(0, len(out), size):
                block = out[start : start + size]
                if enough(held.union(block)):
                    left += block
                else:
                    held.update(block)
            out = left
            size = 0 if size == 1 else max(1, size // 4)
        to_meet.append(frozenset(out))
    raise OutOfTime("this would take too long")


class Forces:
    """Tests whether given clues force a cell, together with the number of mines."""

    def __init__(self, position: Position, cell: int, mine: bool, clock: Clock) -> None:
        self.position = position
        self.cell = cell
        self.mark = counting.MARK_MINED if mine else counting.MARK_SAFE
        self.clock = clock
        self._none = cut_down(position, {}, ()).cells

    def __call__(self, clues: Iterable[int]) -> bool:
        cells = bytearray(self._none)
        for clue in clues:
            cells[clue] = self.position.cells[clue]
        return self.forced_on(Position(self.position.grid, self.position.mines, bytes(cells)))

    def forced_on(self, position: Position) -> bool:
        """Whether the cell is forced on this position."""
        analysis = analyse(position, self.clock.rest())
        self.clock.check()
        return analysis.marks[self.cell] == self.mark


def cut_down(position: Position, facts: Mapping[int, bool], clues: Iterable[int] | None = None) -> Position:
    """The position with these facts shown, and with only these clues (None: all).

    >>> cut_down(Position.from_text("4x1x2\\n1HH1"), {1: True}, [0]).to_text()
    '4x1x2\\n1?HS\\n'
    """
    cells = bytearray(position.cells if clues is None else position.cells.translate(_WITHOUT_CLUES))
    for clue in clues or ():
        cells[clue] = position.cells[clue]
    for cell, mine in facts.items():
        cells[cell] = ord("?" if mine else "S")
    return Position(position.grid, position.mines, bytes(cells))


def uncounted(position: Position) -> Position:
    """The same clues on a board so large that the number of mines gives no information.

    >>> uncounted(Position.from_text("2x1x1\\n1H")).to_text()
    '2x3x1\\n1H\\nSS\\nHH\\n'
    """
    grid = position.grid
    unknown = sum(position.cells.count(symbol) for symbol in UNKNOWN.encode())
    rows = -(-unknown // grid.cols) + 1
    cells = position.cells + b"S" * grid.cols + b"H" * (rows * grid.cols - grid.cols)
    return Position(Grid(grid.rows + rows, grid.cols), position.known_mines + unknown, cells)
