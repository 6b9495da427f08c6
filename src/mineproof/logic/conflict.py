"""Why no board looks like a position: a minimal set of clues that contradict each other, or the number of mines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pysat.solvers import Cadical153

from mineproof.logic.clauses import exactly
from mineproof.logic.constraints import problem_of
from mineproof.logic.deduction import names

if TYPE_CHECKING:
    from mineproof.board.grid import Cell
    from mineproof.board.position import Position


@dataclass(frozen=True, slots=True)
class Conflict:
    """Clues that cannot all be right, though they could if any one of them were gone; or the number of mines."""

    clues: frozenset[Cell]
    mine_count: bool

    def __str__(self) -> str:
        if self.mine_count:
            return "the clues can all be right, but not with this number of mines"
        if len(self.clues) == 1:
            return f"the clue {names(self.clues)} cannot be right"
        return f"the clues {names(self.clues)} cannot all be right"


def find_conflict(position: Position) -> Conflict | None:
    """What is wrong with an inconsistent position, as far as clues go; else the number of mines.

    >>> from mineproof import Position
    >>> print(find_conflict(Position.from_text("5x1x1\\n1H0H1")))
    the clues A1, C1 cannot all be right
    """
    cells = len(position.cells)  # the variable of a cell is its index + 1; the selectors of the clues come after
    selector = {}
    with Cadical153() as solver:
        for clue, around, mines in problem_of(position).constraints:
            selector[clue] = cells + 1 + clue
            for clause in exactly(mines, [cell + 1 for cell in around]):
                solver.add_clause([-selector[clue], *clause])
        if solver.solve(assumptions=list(selector.values())):
            return Conflict(frozenset(), mine_count=True)
        core = set(solver.get_core())
        for number in sorted(core):  # by deletion: what can go, goes
            if solver.solve(assumptions=sorted(core - {number})):
                continue
            core = set(solver.get_core())
        clues = frozenset(position.grid.cell(clue) for clue, number in selector.items() if number in core)
        return Conflict(clues, mine_count=False)
