"""Constraint satisfaction: a variable a cell, a sum a clue, and a finite-domain solver. Complete.

Variables are the unknown cells next to clues, with the domain {0, 1}; each clue is one sum. Cells with the same value
in all solutions are *unambiguous*: safe, or mines. To find them, take a solution, ask for another that differs from it
in as many of the cells that never changed as possible, and so on. When none can differ, they are unambiguous.

The mine count is one sum more. Cells that no clue sees all look alike, so a single variable counts their mines.

Source: Sharma, Kallingal Joshy and Agrawal, "CSP Based Agent", on JaCoP; here on OR-tools CP-SAT.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from mineproof.errors import MissingExtra, OutOfTime
from mineproof.limit import DEFAULT, Limit
from mineproof.logic.constraints import COUNT, components
from mineproof.logic.knowledge import Knowledge, inconsistent

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel, CpSolver

    from mineproof.board.position import Position
    from mineproof.logic.deduction import Deductions
    from mineproof.logic.knowledge import Reason


def infer(position: Position, limit: Limit = DEFAULT, *, mine_count: bool = True) -> Deductions:
    """Every certain cell; without ``mine_count``, every cell that follows from the clues alone.

    >>> from mineproof import Position
    >>> print(*infer(Position.from_text("3x2x2\\nHHH\\n121")), sep="\\n")
    B1 is safe, by clues A2, B2, C2
    A1, C1 are mines, by clues A2, B2, C2
    """
    try:
        from ortools.sat.python.cp_model import CpModel, CpSolver
    except ImportError:
        raise MissingExtra("the csp method", "OR-tools", "logic") from None
    knowledge = Knowledge(position, "csp", limit)
    problem = knowledge.problem
    model, solver = CpModel(), CpSolver()
    solver.parameters.num_workers = 1  # the same answer in the same way every time
    solver.parameters.catch_sigint_signal = False  # Ctrl-C is for Python
    variable = {cell: model.new_bool_var("") for part in problem.constraints for cell in part.cells}
    for _, cells, mines in problem.constraints:
        model.add(sum(variable[cell] for cell in cells) == mines)
    try:
        if not _maximise(knowledge, model, solver, 0):
            raise inconsistent(position)
        same = _unambiguous(knowledge, model, solver, variable)
        for part in components(problem.constraints):
            because = frozenset(constraint.clue for constraint in part)
            _prove(knowledge, {cell: same[cell] for c in part for cell in c.cells if cell in same}, because)
        if mine_count:
            _count_mines(knowledge, model, solver, variable)
        knowledge.found.complete = mine_count
    except OutOfTime:
        pass  # what was found until then
    return knowledge.found


def _count_mines(knowledge: Knowledge, model: CpModel, solver: CpSolver, variable: dict[int, Any]) -> None:
    """What the number of mines adds."""
    problem = knowledge.problem
    rest = len(problem.rest)
    mines_in_rest = model.new_int_var(0, rest, "")
    model.add(sum(variable.values()) + mines_in_rest == problem.mines)
    any_mine, any_safe = model.new_bool_var(""), model.new_bool_var("")
    model.add(mines_in_rest >= any_mine)  # these may be 1 if the rest has a mine, or a safe cell
    model.add(mines_in_rest <= rest - any_safe)
    if not _maximise(knowledge, model, solver, any_mine + any_safe):
        raise inconsistent(knowledge.position)
    because = frozenset((COUNT, *knowledge.said))
    open_cells = {cell: v for cell, v in variable.items() if cell not in knowledge.facts}
    _prove(knowledge, _unambiguous(knowledge, model, solver, open_cells), because)
    for doubt, mine in ((any_mine, False), (any_safe, True)):
        _maximise(knowledge, model, solver, doubt)
        if not solver.value(doubt):
            knowledge.prove(problem.rest, mine=mine, because=because)


def _prove(knowledge: Knowledge, same: dict[int, bool], because: Reason) -> None:
    for mine in (False, True):
        knowledge.prove(sorted(cell for cell in same if same[cell] is mine), mine=mine, because=because)


def _unambiguous(knowledge: Knowledge, model: CpModel, solver: CpSolver, variable: dict[int, Any]) -> dict[int, bool]:
    """The cells that have the same value in all solutions, starting from the solution that the solver holds."""
    same = {cell: bool(solver.value(v)) for cell, v in variable.items()}
    while same:
        _maximise(knowledge, model, solver, sum(1 - variable[c] if mine else variable[c] for c, mine in same.items()))
        changed = [cell for cell, mine in same.items() if bool(solver.value(variable[cell])) is not mine]
        if not changed:
            break
        for cell in changed:
            del same[cell]
    return same


def _maximise(knowledge: Knowledge, model: CpModel, solver: CpSolver, what: Any) -> bool:
    """Find a solution in which this is as large as it can be; False when there is none at all."""
    model.maximize(what)
    solver.parameters.max_time_in_seconds = max(0.001, knowledge.deadline - time.monotonic())
    status = solver.status_name(solver.solve(model))
    if status not in ("OPTIMAL", "INFEASIBLE"):
        raise OutOfTime("the limit was reached before the solver was done")
    return status == "OPTIMAL"
