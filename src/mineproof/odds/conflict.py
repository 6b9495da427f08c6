"""Why no board looks like a position: a smallest set of clues that contradict each other, or the number of mines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pysat.solvers import Cadical153

from mineproof.odds.frontier import clue_clauses, frontier_of

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
        names = ", ".join(map(str, sorted(self.clues)))
        if len(self.clues) == 1:
            return f"the clue {names} cannot be right"
        return f"the clues {names} cannot all be right"


def find_conflict(position: Position) -> Conflict | None:
    """What is wrong with an inconsistent position, as far as clues go; else the number of mines.

    >>> from mineproof import Position
    >>> print(find_conflict(Position.from_text("5x1x1\\n1H0H1")))
    the clues A1, C1 cannot all be right
    """
    frontier = frontier_of(position)
    variable = {cell: i for i, cell in enumerate(position.where("HFQ"), start=1)}
    clues = [clue for part in frontier.components for clue in part.clues]
    selector = {clue: i for i, clue in enumerate(clues, start=len(variable) + 1)}
    with Cadical153() as solver:
        for clue, clause in clue_clauses(frontier, variable):
            solver.add_clause([-selector[clue], *clause])
        if solver.solve(assumptions=list(selector.values())):
            return Conflict(frozenset(), mine_count=True)
        core = set(solver.get_core())
        for number in sorted(core):  # by deletion: what can go, goes
            if solver.solve(assumptions=sorted(core - {number})):
                continue
            core = set(solver.get_core())
        return Conflict(frozenset(clue for clue, number in selector.items() if number in core), mine_count=False)
