"""Constraint satisfaction: a variable per cell, a sum per clue, and a finite-domain solver. Complete.

Variables are the unknown cells next to clues, with the domain {0, 1}; each clue is one sum. Cells with the same value
in all solutions are *unambiguous*: safe, or mines. To find them, take a solution, then ask for another that changes as
many as possible of the cells that have not changed so far, and so on. When no such cell can change, the remaining ones
are unambiguous.

The mine count is one more sum. Cells that no clue sees are interchangeable, so a single variable counts their mines.

Source: Sharma, Kallingal Joshy and Agrawal, "CSP Based Agent", on JaCoP; here on OR-tools CP-SAT.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mineproof.errors import MissingExtra, OutOfTime
from mineproof.limit import DEFAULT, Limit
from mineproof.logic.background import Lent
from mineproof.logic.constraints import COUNT, cells_of, components, lots, watched
from mineproof.logic.reasoning import Reasoning

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mineproof.board.position import Position
    from mineproof.limit import Clock
    from mineproof.logic.constraints import Constraint
    from mineproof.logic.deduction import Deductions
    from mineproof.logic.reasoning import Reason

BYTES_A_CLUE = 12_000
"""Approximate bytes per clue in the model, and in the copies that the solver makes of it."""


def infer(position: Position, limit: Limit = DEFAULT, *, mine_count: bool = True) -> Deductions:
    """Every certain cell; without ``mine_count``, every cell that follows from the clues alone.

    >>> from mineproof import Position
    >>> print(*infer(Position.from_text("3x2x2\\nHHH\\n121")), sep="\\n")
    B1 is safe, by clues A2, B2, C2
    A1, C1 are mines, by clues A2, B2, C2
    """
    _library()
    with Reasoning(position, "csp", limit) as reasoning:
        constraints = reasoning.read().constraints
        for lot in lots(components(constraints, reasoning.clock)):
            clues = [constraint for part in lot for constraint in part]
            reasoning.need(BYTES_A_CLUE * len(clues))
            model = Model(clues, reasoning.clock)
            if not model.maximise(0):
                raise reasoning.contradiction(frozenset(constraint.clue for constraint in clues))
            same = model.unambiguous(model.variable)
            for part in lot:
                because = frozenset(constraint.clue for constraint in part)
                cells = cells_of(part, reasoning.clock)
                _prove(reasoning, {cell: same[cell] for cell in cells if cell in same}, because)
        if mine_count:
            reasoning.need(BYTES_A_CLUE * len(constraints))
            _count_mines(reasoning, Model(constraints, reasoning.clock))
        reasoning.deductions.complete = mine_count
    return reasoning.deductions


def _library() -> Any:
    try:
        import ortools.sat.python.cp_model as cp
    except ImportError:
        raise MissingExtra("the csp method", "OR-tools", "logic") from None
    return cp


class Model:
    """Clues in a CP-SAT model, and the last solution."""

    def __init__(self, constraints: Iterable[Constraint], clock: Clock) -> None:
        cp = _library()
        self.clock = clock
        self.sum = cp.LinearExpr.weighted_sum
        self.model = cp.CpModel()
        self.solver = Lent(cp.CpSolver())
        self.variable: dict[int, int] = {}
        """The index of each cell's variable."""
        self.solution: Sequence[int] = ()
        """The values of all variables in the last solution."""
        for _, cells, mines in watched(constraints, clock):
            for cell in cells:
                if cell not in self.variable:
                    self.variable[cell] = self.model.new_bool_var("").index
            self.model.add(self.sum_of(cells) == mines)

    def sum_of(self, cells: Iterable[int], signs: Sequence[int] | None = None) -> Any:
        """The sum of these cells' variables: the number of mines in them, unless ``signs`` says otherwise."""
        variables = [self.model.get_bool_var_from_proto_index(self.variable[cell]) for cell in cells]
        return self.sum(variables, [1] * len(variables) if signs is None else signs)

    def maximise(self, objective: Any) -> bool:
        """Find a solution that maximises the objective. Return False if there is no solution."""
        self.clock.check()
        self.model.maximize(objective)
        parameters = self.solver.tool.parameters
        parameters.num_workers = 1  # makes every run the same
        parameters.catch_sigint_signal = False  # leaves Ctrl-C to Python
        parameters.max_time_in_seconds = max(0.001, self.clock.left)
        status = self.solver.run(
            lambda solver: solver.status_name(solver.solve(self.model)), lambda solver: solver.stop_search(), self.clock
        )
        if status not in ("OPTIMAL", "INFEASIBLE"):
            raise OutOfTime("time ran out before the solver finished")
        self.solution = list(self.solver.tool.response_proto.solution)
        return bool(status == "OPTIMAL")

    def unambiguous(self, cells: Iterable[int]) -> dict[int, bool]:
        """The cells among these with the same value in all solutions, and whether each is a mine."""
        same = {cell: self.solution[self.variable[cell]] > 0 for cell in watched(cells, self.clock)}
        while same:
            self.maximise(self.sum_of(watched(same, self.clock), [-1 if mine else 1 for mine in same.values()]))
            values = self.solution
            still = {c: mine for c, mine in watched(same.items(), self.clock) if (values[self.variable[c]] > 0) is mine}
            if len(still) == len(same):
                break
            same = still
        return same


def _count_mines(reasoning: Reasoning, model: Model) -> None:
    """Prove what follows only with the number of mines."""
    problem = reasoning.read()
    unseen = len(problem.unseen)
    new_bool, add = model.model.new_bool_var, model.model.add
    unseen_mines = model.model.new_int_var(0, unseen, "")
    add(model.sum_of(watched(model.variable, reasoning.clock)) + unseen_mines == problem.mines)
    any_mine, any_safe = new_bool(""), new_bool("")
    add(unseen_mines >= any_mine)  # 1 only if some unseen cell is a mine
    add(unseen_mines <= unseen - any_safe)  # 1 only if some unseen cell is safe
    if not model.maximise(any_mine + any_safe):
        raise reasoning.miscount()
    because = frozenset((COUNT, *reasoning.constraints))
    _prove(reasoning, model.unambiguous(cell for cell in model.variable if cell not in reasoning.facts), because)
    for possible, mine in ((any_mine, False), (any_safe, True)):
        model.maximise(possible)
        if not model.solution[possible.index]:
            reasoning.prove(problem.unseen, mine=mine, because=because)


def _prove(reasoning: Reasoning, same: dict[int, bool], because: Reason) -> None:
    for mine in (False, True):
        reasoning.prove(sorted(cell for cell in same if same[cell] is mine), mine=mine, because=because)
