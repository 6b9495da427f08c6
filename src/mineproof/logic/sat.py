"""SAT: a cell is certain when the clues with the opposite have no solution. Complete.

Single clues first. What they leave open falls into components, and each becomes a small SAT problem. From one model,
every value is a *candidate*; suppose the opposite of one and solve again. If there is no solution, the value is proved,
and the clues in the solver's core are why. If there is one, all candidates that it disagrees with are gone at once,
and the solver is told to look for a model that disagrees with as many as it can: so most cells need no call.

The number of mines never becomes clauses over the whole board. It matters only through *how many* mines each component
can hold. If bounds on that leave slack, nothing follows from it. Else each component is asked, through a totalizer over
its own cells alone, which numbers it can have; adding these up tells which it may have, given all the others and the
cells that no clue sees; and what holds for each of them is certain. This has no limit of size.

Source: Harnjan, "Introduction to Logic Project", which uses the number of mines up to 12 closed cells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pysat.card import ITotalizer
from pysat.solvers import Glucose4

from mineproof.errors import OutOfTime
from mineproof.limit import DEFAULT, Limit
from mineproof.logic.clauses import exactly
from mineproof.logic.constraints import COUNT, Constraint, components
from mineproof.logic.knowledge import Knowledge, inconsistent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from mineproof.board.position import Position
    from mineproof.logic.deduction import Deductions

CONFLICTS = 2_000
"""Of the solver, between two looks at the clock."""
MOST_SUMS = 200_000
"""Cells of a component times numbers of mines that it may have: beyond that, adding them up takes too many clauses."""


def infer(position: Position, limit: Limit = DEFAULT, *, mine_count: bool = True) -> Deductions:
    """Every certain cell; without ``mine_count``, every cell that follows from the clues alone.

    >>> from mineproof import Position
    >>> print(*infer(Position.from_text("5x2x1\\n11HHH\\n1HHHH")), sep="\\n")
    B2 is a mine, by clue A1
    C1, C2 are safe, by clues A1, B1
    D1, E1, D2, E2 are safe, by clues A1, B1, A2 and the mine count
    """
    knowledge = Knowledge(position, "sat", limit)
    knowledge.settle()
    try:
        parts = [Part(part, knowledge.check_time) for part in components(knowledge.open)]
        for part in parts:
            if not part.solve():
                raise inconsistent(position)
            for literal in part.backbone():
                because = frozenset[int]().union(*map(knowledge.reason, part.core()))
                knowledge.prove([part.cells[abs(literal) - 1]], mine=literal > 0, because=because)
        if mine_count:
            _count_mines(knowledge, parts)
        knowledge.found.complete = bool(mine_count)
    except OutOfTime:
        pass  # what was found until then
    return knowledge.found


class Part:
    """A component in a SAT solver: variables for its cells, and a selector for each clue."""

    def __init__(self, constraints: Sequence[Constraint], look: Callable[[], None]) -> None:
        self.constraints = constraints
        self.look = look
        self.cells = sorted({cell for constraint in constraints for cell in constraint.cells})
        self.variable = {cell: i for i, cell in enumerate(self.cells, start=1)}
        self.selectors = list(range(len(self.cells) + 1, len(self.cells) + len(constraints) + 1))
        self.solver = Glucose4()
        look()
        for selector, (_, cells, mines) in zip(self.selectors, constraints, strict=True):
            for clause in exactly(mines, [self.variable[cell] for cell in cells]):
                clause.append(-selector)
                self.solver.add_clause(clause)

    def solve(self, supposed: Iterable[int] = ()) -> bool:
        """Whether there is a solution in which these literals hold."""
        assumptions = [*self.selectors, *supposed]
        while True:
            self.solver.conf_budget(CONFLICTS)
            answer: bool | None = self.solver.solve_limited(assumptions=assumptions)
            if answer is not None:
                return answer
            self.look()

    def model(self) -> list[int]:
        """The literals of the cells in the solution that was just found."""
        found: list[int] = self.solver.get_model()[: len(self.cells)]
        return found

    def core(self) -> list[Constraint]:
        """The clues that have no solution with what was just supposed."""
        used = set(self.solver.get_core() or ())
        return [c for selector, c in zip(self.selectors, self.constraints, strict=True) if selector in used]

    def backbone(self, case: Sequence[int] = (), among: Iterable[int] | None = None) -> Iterator[int]:
        """Literals (of ``among``, if given) that hold in all solutions of a case that has some, as they are proved."""
        self.solve(case)
        candidates = dict.fromkeys(self.model())  # a set that keeps its order
        if among is not None:
            candidates = {literal: None for literal in among if literal in candidates}
        while candidates:
            self.look()
            literal = next(iter(candidates))
            self.solver.set_phases([-other for other in candidates])
            if self.solve([*case, -literal]):
                for other in self.model():
                    candidates.pop(-other, None)
            else:
                del candidates[literal]
                yield literal

    def totals(self) -> dict[int, list[int]]:
        """The numbers of mines that there can be, each with the literals that suppose it."""
        low, high = self.bounds()
        if low == high:
            return {low: []}
        size = len(self.cells)
        if size * (high - low) > MOST_SUMS:
            raise OutOfTime("too many cells hang together for the number of mines to be added up")
        sums = []
        top = self.selectors[-1]
        for sign, most in ((1, high), (-1, size - low)):  # at most so many mines, at most so many safe cells
            self.look()
            with ITotalizer([sign * v for v in self.variable.values()], ubound=most, top_id=top) as totalizer:
                self.solver.append_formula(totalizer.cnf.clauses)
                sums.append(list(totalizer.rhs))
                top = totalizer.top_id
        cases = {}
        for mines in range(low, high + 1):
            self.look()
            bounds = zip(sums, (mines, size - mines), strict=True)
            case = [-more_than[most] for more_than, most in bounds if most < len(more_than)]
            if self.solve(case):
                cases[mines] = case
        return cases

    def bounds(self) -> tuple[int, int]:
        """At least and at most so many mines, read off clues that share no cell: the fuller ones for the one, the
        emptier ones for the other."""
        by_density = sorted((mines / len(cells), cells, mines) for _, cells, mines in self.constraints)
        low, high = 0, len(self.cells)
        taken: set[int] = set()
        for _, cells, _mines in by_density:
            if taken.isdisjoint(cells):
                taken.update(cells)
                high -= len(cells) - _mines
        taken.clear()
        for _, cells, mines in reversed(by_density):
            if taken.isdisjoint(cells):
                taken.update(cells)
                low += mines
        return low, high


def allowed(parts: Sequence[Part], mines: int, rest: int) -> tuple[list[dict[int, list[int]]], list[int]]:
    """For each part, the numbers of mines that it may have, so that all parts and the ``rest`` of the cells together
    have exactly so many; and the sums over all parts that there are then. None of these: no solution."""
    cases = [part.totals() for part in parts]
    before = [1]  # sets of sums, one bit a sum: of no part, of the first, of the first two, …
    for case in cases:
        before.append(_plus(before[-1], case))
    after = [1]
    for case in reversed(cases):
        after.append(_plus(after[-1], case))
    after.reverse()
    fewest = max(0, mines - rest)
    window = sum(1 << total for total in range(fewest, mines + 1))
    sums = before[-1] & window
    kept = []
    for i, case in enumerate(cases):
        others = _plus(before[i], _bits(after[i + 1]))
        kept.append({total: literals for total, literals in case.items() if others << total & window})
    return kept, list(_bits(sums))


def _plus(sums: int, numbers: Iterable[int]) -> int:
    """All sums of one of each."""
    total = 0
    for number in numbers:
        total |= sums << number
    return total


def _bits(sums: int) -> Iterator[int]:
    return (i for i in range(sums.bit_length()) if sums >> i & 1)


def _count_mines(knowledge: Knowledge, parts: Sequence[Part]) -> None:
    """What the number of mines adds."""
    problem = knowledge.problem
    seen = {cell for part in parts for cell in part.cells}
    mines = problem.mines - sum(mine for cell, mine in knowledge.facts.items() if cell not in seen)
    rest = problem.rest
    lows, highs = zip(*(part.bounds() for part in parts), strict=True) if parts else ((), ())
    if mines - len(rest) < sum(lows) and sum(highs) < mines:
        return
    cases, sums = allowed(parts, mines, len(rest))
    if not sums:
        raise inconsistent(knowledge.position)
    because = frozenset((COUNT, *knowledge.said))
    for part, totals in zip(parts, cases, strict=True):
        held: Iterable[int] | None = None
        for case in totals.values():
            held = list(part.backbone(case, held))
        for mine in (False, True):
            cells = [part.cells[abs(literal) - 1] for literal in held or () if (literal > 0) is mine]
            knowledge.prove(cells, mine=mine, because=because)
    if len(sums) == 1 and sums[0] in (mines, mines - len(rest)):
        knowledge.prove(rest, mine=sums[0] < mines, because=because)
