"""The SAT solver for every question of whether a board is possible: the only module that uses PySAT.

There are three layers, as in CaDiCaL. Outside are clues and cells. `Solver` turns them into variables, one per cell,
and keeps to the caller's time. Inside is Minicard (Liffiton and Maglalang, 2012), a MiniSat with native "at most k of
these" constraints. "Exactly k of n" is then two constraints, which are built in a tenth of the time of clauses. A
*selector* is a variable with which a clue can be dropped: with the selector n − k times among the cells, "at most n of
these" means "at most k of the cells" if the selector is true, and nothing if it is false.

MiniSat checks its budget, and whether it was interrupted, at each decision; Glucose does so only at a restart, which on
a board of a million cells may be a minute away. Each call first gets a small budget, which is enough for most. Longer
calls continue in the background, while the clock, cancellation and Ctrl-C are checked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from pysat.card import ITotalizer
from pysat.solvers import Minicard

from mineproof.errors import InvalidBoard, OutOfTime
from mineproof.logic.background import Lent
from mineproof.logic.clauses import exactly, multiplied_out
from mineproof.logic.constraints import Constraint, cells_of, watched
from mineproof.logic.hitting import cheapest_hit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from mineproof.limit import Clock

T = TypeVar("T")

PROPAGATIONS = 50_000
"""The number of propagations before a call continues in the background: a few milliseconds."""
MOST_SUMS = 200_000
"""The largest product of a component's cells and its possible numbers of mines for which totalizers are built."""
ENCODINGS: dict[str, Callable[[int, int], Iterable[Sequence[int]]] | None] = {
    "cardinality": None,
    "direct": lambda mines, size: exactly(mines, range(1, size + 1)),
    "multiplied-out": multiplied_out,
}
"""For each encoding, the clauses for a number of mines among the variables from 1 to a size; None: no clauses."""


class TooManySums(OutOfTime):
    """Adding up the mines of a component would take too many clauses."""


class Solver:
    """Clues in a SAT solver. A literal is the variable of a cell for "a mine", and its negative for "no mine".

    Every call may raise `OutOfTime` or `Cancelled`, by the clock.

    >>> from mineproof import Limit
    >>> wall = [Constraint(3, (0, 1), 1), Constraint(4, (0, 1, 2), 2), Constraint(5, (1, 2), 1)]
    >>> with Solver(wall, Limit().start(), selectors=True) as solver:
    ...     solver.solve(), sorted(solver.mined()), sorted(solver.backbone())
    ...     middle = solver.variable[1]
    ...     solver.solve([middle]), [clue for clue, _, _ in solver.minimal_core([middle])]
    (True, [0, 2], [-2, 1, 3])
    (False, [3, 4, 5])
    """

    def __init__(
        self,
        constraints: Iterable[Constraint],
        clock: Clock,
        *,
        selectors: bool = False,
        cells: Iterable[int] = (),
        encoding: str = "cardinality",
    ) -> None:
        """``cells`` are cells that no clue sees but that need variables too. With ``selectors``, the solver can tell
        which clues were used; without, it is smaller. ``encoding`` is how a clue is written: directly
        (``cardinality``), or as clauses, ``direct`` or ``multiplied-out``."""
        if encoding not in ENCODINGS:
            raise InvalidBoard(f"an encoding must be one of {', '.join(ENCODINGS)}, not {encoding}")
        self._encode = ENCODINGS[encoding]
        self.clauses = 0
        """Number of clauses the clues were encoded as."""
        self.constraints = list(constraints)
        self.clock = clock
        self.cells = cells_of(self.constraints, clock, cells)
        """The cell of each variable. Variables are numbered from 1."""
        self.variable = {cell: i for i, cell in enumerate(watched(self.cells, clock, 4_096), start=1)}
        self._top = len(self.cells)
        self._selectors = range(0)
        if selectors:
            self._selectors = range(self._top + 1, self._top + 1 + len(self.constraints))
            self._top += len(self.constraints)
        self._lent = Lent(Minicard())
        for number, (_, around, mines) in enumerate(watched(self.constraints, clock)):
            variables = [self.variable[cell] for cell in around]
            self._exactly(mines, variables, self._selectors[number : number + 1])

    def __enter__(self) -> Solver:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Free what the solver holds, now."""
        self._lent.close(Minicard.delete)

    # -- adding clues --------------------------------------------------------------------------------------------

    def _exactly(self, mines: int, variables: list[int], selector: Iterable[int]) -> None:
        """Add that exactly this many of the variables are mines, or with a selector, that this holds if it is true."""
        size = len(variables)
        guard = list(selector)
        if not 0 <= mines <= size:
            self._never(guard)
            return
        tool = self._lent.tool
        if self._encode is not None:
            unless = [-literal for literal in guard]
            for clause in watched(self._encode(mines, size), self.clock, every=4_096):
                self.clauses += 1
                tool.add_clause([variables[v - 1] if v > 0 else -variables[-v - 1] for v in clause] + unless)
            return
        most, least = (size, size) if guard else (mines, size - mines)
        tool.add_atmost([*variables, *guard * (size - mines)], most)
        tool.add_atmost([*(-variable for variable in variables), *guard * mines], least)

    def _never(self, guard: list[int]) -> None:
        """Add a contradiction; with a guard, the guard is false."""
        if not guard:
            self._top += 1
            self._lent.tool.add_clause([self._top])
            guard = [self._top]
        self._lent.tool.add_clause([-guard[0]])

    def bound(self, least: int, most: int, cells: Sequence[int] | None = None) -> None:
        """Bound the number of mines in these cells (None: all) from now on. Cores do not mention bounds."""
        variables = [self.variable[cell] for cell in (self.cells if cells is None else cells)]
        if least > most or most < 0 or least > len(variables):
            self._never([])
            return
        if most < len(variables):
            self._lent.tool.add_atmost(variables, most)
        if least > 0:
            self._lent.tool.add_atmost([-variable for variable in variables], len(variables) - least)

    def literals(self, literals: Iterable[int]) -> list[int]:
        """The solver's literals for literals whose variable is the index of a cell + 1."""
        return [self.variable[abs(literal) - 1] * (1 if literal > 0 else -1) for literal in literals]

    def prefer(self, literals: Iterable[int]) -> None:
        """Prefer these literals in the next models, wherever nothing forces the variable."""
        self._lent.tool.set_phases(list(literals))

    # -- solving ------------------------------------------------------------------------------------------------

    def solve(self, supposed: Iterable[int] = ()) -> bool:
        """Whether there is a solution of all clues in which these literals hold."""
        return self._solve([*self._selectors, *supposed])

    def _solve(self, assumptions: list[int]) -> bool:
        self.clock.check()
        tool = self._lent.tool
        tool.clear_interrupt()
        tool.prop_budget(PROPAGATIONS)
        answer: bool | None = tool.solve_limited(assumptions, expect_interrupt=True)
        if answer is None:
            self.clock.check()
            tool.prop_budget(-1)
            answer = self._lent.run(
                lambda tool: tool.solve_limited(assumptions, expect_interrupt=True), Minicard.interrupt, self.clock
            )
        if answer is None:
            raise OutOfTime("the solver was stopped")
        return answer

    def model(self) -> list[int]:
        """The literals of all cells in the last solution."""
        literals: list[int] = self._lent.tool.get_model()
        del literals[len(self.cells) :]
        return literals + list(range(-len(literals) - 1, -len(self.cells) - 1, -1))  # cells that no clause mentions

    def mined(self) -> set[int]:
        """The mined cells of the last solution."""
        return {self.cells[literal - 1] for literal in self.model() if literal > 0}

    def exclude(self) -> None:
        """Exclude the last solution from now on."""
        self._lent.tool.add_clause([-literal for literal in self.model()])

    def backbone(self, supposed: Sequence[int] = (), among: Iterable[int] | None = None) -> Iterator[int]:
        """The literals (only of ``among``, if given) that hold in all solutions under the assumptions, as they are
        proved; none if there is no solution. After each, `core` returns its reason."""
        if not self.solve(supposed):
            return
        candidates = dict.fromkeys(self.model())  # a set that keeps its order
        if among is not None:
            candidates = {literal: None for literal in among if literal in candidates}
        while candidates:
            literal = next(iter(candidates))
            self.prefer([-other for other in candidates])
            if self.solve([*supposed, -literal]):
                for other in self.model():
                    candidates.pop(-other, None)
            else:
                del candidates[literal]
                yield literal

    def totals(self, least: int, most: int) -> dict[int, list[int]]:
        """The possible numbers of mines between these bounds, each with the literals that assume it."""
        if least == most:
            return {least: []}
        size = len(self.cells)
        if size * (most - least) > MOST_SUMS:
            raise TooManySums("a component has too many cells to add up its mines")
        sums = []
        for sign, bound in ((1, most), (-1, size - least)):  # upper bounds on mines, and on safe cells
            self.clock.check()
            literals = [sign * variable for variable in self.variable.values()]
            with ITotalizer(literals, ubound=bound, top_id=self._top) as totalizer:
                for clause in watched(totalizer.cnf.clauses, self.clock, every=4_096):
                    self._lent.tool.add_clause(clause)
                sums.append(list(totalizer.rhs))
                self._top = totalizer.top_id
        cases = {}
        for mines in range(least, most + 1):
            bounds = zip(sums, (mines, size - mines), strict=True)
            case = [-more_than[most] for more_than, most in bounds if most < len(more_than)]
            if self.solve(case):
                cases[mines] = case
        return cases

    # -- finding cores -------------------------------------------------------------------------------------------

    def core(self) -> list[Constraint]:
        """A set of clues, not always minimal, that has no solution under the last assumptions."""
        return self._clues(self._core())

    def minimal_core(self, supposed: Sequence[int] = ()) -> list[Constraint] | None:
        """A minimal set of clues without a solution under the assumptions; None if all clues have one."""
        if self.solve(supposed):
            return None
        core = self._core()
        return self._clues(minimal(core, lambda fewer: self._refuted(fewer, supposed), at_once=max(1, len(core) // 8)))

    def smallest_core(
        self, supposed: Sequence[int] = (), weight: Callable[[Constraint], float] = lambda _: 1
    ) -> list[Constraint] | None:
        """A minimal core with as few clues as possible, or with the smallest sum of weights.

        By implicit hitting sets (Ignatiev, Previti, Liffiton and Marques-Silva, 2015): take the cheapest set of clues
        that meets each set found so far. If it has a solution, add as many clues as possible; those that cannot be
        added are another set that every core has to meet.
        """
        if self.solve(supposed):
            return None
        if self.solve():
            self.prefer(self.model())  # models then violate few clues, near the supposed cells
        cost = {s: weight(c) for s, c in zip(self._selectors, self.constraints, strict=True)}
        to_meet: list[frozenset[int]] = []
        while True:
            chosen = cheapest_hit(to_meet, cost, self.clock.check)
            if not self._solve([*chosen, *supposed]):
                return self._clues(chosen)
            to_meet.append(self._left_out(chosen, supposed))

    def _left_out(self, chosen: set[int], supposed: Sequence[int]) -> frozenset[int]:
        """The selectors of the clues that are left when as many as possible have been added to the chosen ones."""
        held = self._satisfied()
        out: set[int] = set()
        for selector in self._selectors:
            if selector not in held:
                if self._solve([*chosen, *held, selector, *supposed]):
                    held |= self._satisfied()
                else:
                    out.add(selector)
        return frozenset(out)

    def _satisfied(self) -> set[int]:
        """The selectors of the clues that hold in the last solution."""
        mined = self.mined()
        pairs = zip(self._selectors, self.constraints, strict=True)
        return {selector for selector, (_, cells, mines) in pairs if len(mined.intersection(cells)) == mines}

    def _refuted(self, selectors: Iterable[int], supposed: Iterable[int]) -> list[int] | None:
        return None if self._solve([*selectors, *supposed]) else self._core()

    def _core(self) -> list[int]:
        used = self._lent.tool.get_core() or ()
        return sorted(literal for literal in used if literal in self._selectors)

    def _clues(self, selectors: Iterable[int]) -> list[Constraint]:
        return [self.constraints[selector - self._selectors.start] for selector in sorted(selectors)]


def minimal(items: Sequence[T], enough: Callable[[Sequence[T]], Sequence[T] | None], *, at_once: int = 1) -> list[T]:
    """A minimal part of the items that is enough, given that all of them are. Items are deleted, at first in blocks of
    ``at_once``. ``enough`` returns those of some items that were needed, or None if they are not enough.

    >>> minimal(range(9), lambda items: items if {2, 5} <= set(items) else None)
    [2, 5]
    """
    kept = list(items)
    while True:
        needed = 0  # the number of needed items at the front
        while needed < len(kept):
            fewer = enough(kept[:needed] + kept[needed + at_once :])
            if fewer is None:
                needed += at_once
            else:
                wanted = set(fewer)
                needed = sum(item in wanted for item in kept[:needed])
                kept = [item for item in kept if item in wanted]
        if at_once <= 1:
            return kept
        at_once = min(at_once, max(2, len(kept))) // 2
