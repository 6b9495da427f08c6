"""Why no board is consistent with a position: a minimal set of contradicting clues, or the number of mines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mineproof.board.grid import CellSet
from mineproof.errors import InconsistentPosition, OutOfTime
from mineproof.limit import DEFAULT, Clock, Limit
from mineproof.logic.constraints import components, problem_of
from mineproof.logic.deduction import names
from mineproof.logic.solver import Solver

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mineproof.board.grid import Cell
    from mineproof.board.position import Position
    from mineproof.logic.constraints import Constraint


NO_TIME = "no board is consistent with this position; time ran out before the wrong clues were found"


@dataclass(frozen=True, slots=True)
class Conflict:
    """Clues that cannot all be right, although any proper part of them can; or a wrong number of mines."""

    clues: CellSet
    mine_count: bool

    def fields(self) -> dict[str, Any]:
        """The fields for JSON."""
        return {"clues": [list(clue) for clue in sorted(self.clues)], "mine_count": self.mine_count}

    def __str__(self) -> str:
        if self.mine_count:
            return "the clues can all be right, but not with this number of mines"
        if len(self.clues) == 1:
            return f"the clue {names(self.clues)} cannot be right"
        return f"the clues {names(self.clues)} cannot {'both' if len(self.clues) == 2 else 'all'} be right"


def refused(failure: InconsistentPosition) -> dict[str, Any]:
    """The fields for JSON of every answer about an inconsistent position: its conflict, in words and as cells."""
    conflict = None if failure.conflict is None else failure.conflict.fields()
    return {"text": f"inconsistent: {failure}", "conflict": conflict}


def refused_claim(cell: Cell, failure: InconsistentPosition) -> dict[str, Any]:
    """The fields for JSON of an answer about a cell of an inconsistent position, with the clues in conflict."""
    clues, mine_count = (failure.conflict or Conflict(CellSet(), False)).fields().values()
    nothing = {"cell": list(cell), "verdict": "inconsistent", "because": clues, "mine_count": mine_count, "steps": []}
    return nothing | refused(failure)


def inconsistent(position: Position, clock: Clock) -> InconsistentPosition:
    """The error for a position that is known to be inconsistent. It has the conflict, if there is time to find it."""
    try:
        conflict = conflict_of(position, clock.rest())
    except OutOfTime:
        return InconsistentPosition(NO_TIME)
    return InconsistentPosition(conflict, conflict)


def conflict_of(position: Position, limit: Limit = DEFAULT) -> Conflict:
    """The conflict in a position that is known to be inconsistent: clues if possible, otherwise the number of mines."""
    clock = Clock(limit)
    for part in sorted(components(problem_of(position, clock).constraints, clock), key=len):
        clues = conflicting(part, clock)
        if clues is not None:
            return Conflict(CellSet(position.grid.cell(constraint.clue) for constraint in clues), mine_count=False)
    return Conflict(CellSet(), mine_count=True)


def conflicting(constraints: Iterable[Constraint], clock: Clock) -> list[Constraint] | None:
    """A minimal part of these clues that cannot all be right; None if all of them can."""
    with Solver(constraints, clock, selectors=True) as solver:
        return solver.minimal_core()
