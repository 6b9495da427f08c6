"""Why no board looks like a position: a minimal set of clues that contradict each other, or the number of mines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mineproof.limit import DEFAULT, Clock, Limit
from mineproof.logic.background import stoppable
from mineproof.logic.constraints import components, problem_of
from mineproof.logic.deduction import names
from mineproof.logic.solver import Solver

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mineproof.board.grid import Cell
    from mineproof.board.position import Position
    from mineproof.logic.constraints import Constraint


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


@stoppable
def find_conflict(position: Position, limit: Limit = DEFAULT) -> Conflict:
    """What is wrong with an inconsistent position, as far as clues go; else the number of mines. Raises `OutOfTime`.

    >>> from mineproof import Position
    >>> print(find_conflict(Position.from_text("5x1x1\\n1H0H1")))
    the clues A1, C1 cannot all be right
    """
    clock = Clock(limit)
    for part in sorted(components(problem_of(position, clock).constraints, clock), key=len):
        clues = conflicting(part, clock)
        if clues is not None:
            return Conflict(frozenset(position.grid.cell(constraint.clue) for constraint in clues), mine_count=False)
    return Conflict(frozenset(), mine_count=True)


def conflicting(constraints: Iterable[Constraint], clock: Clock) -> list[Constraint] | None:
    """Of these clues, some that cannot all be right, while any part of them can; None, if all can."""
    with Solver(constraints, clock, selectors=True) as solver:
        return solver.minimal_core()
