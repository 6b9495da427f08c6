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

from mineproof.limit import DEFAULT, Limit
from mineproof.logic.constraints import COUNT, bounds, components, watched
from mineproof.logic.reasoning import Reasoning
from mineproof.logic.solver import Solver

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from mineproof.board.position import Position
    from mineproof.limit import Clock
    from mineproof.logic.constraints import Constraint
    from mineproof.logic.deduction import Deductions


def infer(position: Position, limit: Limit = DEFAULT, *, mine_count: bool = True) -> Deductions:
    """Every certain cell; without ``mine_count``, every cell that follows from the clues alone.

    >>> from mineproof import Position
    >>> print(*infer(Position.from_text("5x2x1\\n11HHH\\n1HHHH")), sep="\\n")
    B2 is a mine, by clue A1
    C1, C2 are safe, by clues A1, B1
    D1, E1, D2, E2 are safe, by clues A1, B1, A2 and the mine count
    """
    with Reasoning(position, "sat", limit) as reasoning:
        reasoning.settle()
        parts = []
        for constraints in components(reasoning.open, reasoning.clock):
            part = Part(constraints, reasoning.clock)
            parts.append(part)
            if not part.solve():
                raise reasoning.contradiction(_reason(reasoning, part.core()))
            for literal in part.backbone():
                because = _reason(reasoning, part.core())
                reasoning.prove([part.cells[abs(literal) - 1]], mine=literal > 0, because=because)
        if mine_count:
            _count_mines(reasoning, parts)
        reasoning.found.complete = bool(mine_count)
    return reasoning.found


def _reason(reasoning: Reasoning, clues: Iterable[Constraint]) -> frozenset[int]:
    return frozenset[int]().union(*map(reasoning.reason, clues))


class Part(Solver):
    """A component: clues that hang together."""

    def __init__(self, constraints: Iterable[Constraint], clock: Clock) -> None:
        super().__init__(constraints, clock, selectors=True)
        self._numbers: dict[int, list[int]] | None = None

    def numbers(self) -> dict[int, list[int]]:
        """The numbers of mines that there can be, each with the literals that suppose it."""
        if self._numbers is None:
            self._numbers = self.totals(*self.bounds())
        return self._numbers

    def bounds(self) -> tuple[int, int]:
        """At least and at most so many mines."""
        return bounds(self.constraints, len(self.cells), self.clock)


def allowed(parts: Sequence[Part], mines: int, rest: int, clock: Clock) -> tuple[list[dict[int, list[int]]], list[int]]:
    """For each part, the numbers of mines that it may have, so that all parts and the ``rest`` of the cells together
    have exactly so many; and the sums over all parts that there are then. None of these: no solution."""
    cases = [part.numbers() for part in parts]
    before = [1]  # sets of sums, one bit a sum: of no part, of the first, of the first two, …
    for case in watched(cases, clock, every=1):
        before.append(_plus(before[-1], case))
    after = [1]
    for case in watched(reversed(cases), clock, every=1):
        after.append(_plus(after[-1], case))
    after.reverse()
    fewest = max(0, mines - rest)
    window = (1 << mines + 1) - (1 << fewest) if fewest <= mines else 0
    sums = before[-1] & window
    kept = []
    for i, case in enumerate(watched(cases, clock, every=1)):
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
    return (i for i, bit in enumerate(reversed(f"{sums:b}")) if bit == "1")


def _count_mines(reasoning: Reasoning, parts: Sequence[Part]) -> None:
    """What the number of mines adds."""
    problem = reasoning.read()
    seen = {cell for part in parts for cell in part.cells}
    mines = problem.mines - sum(mine for cell, mine in reasoning.facts.items() if cell not in seen)
    rest = problem.rest
    lows, highs = zip(*(part.bounds() for part in parts), strict=True) if parts else ((), ())
    if mines - len(rest) < sum(lows) and sum(highs) < mines:
        return
    cases, sums = allowed(parts, mines, len(rest), reasoning.clock)
    if not sums:
        raise reasoning.miscount()
    because = frozenset((COUNT, *reasoning.said))
    for part, totals in zip(parts, cases, strict=True):
        held: Iterable[int] | None = None
        for case in totals.values():
            held = list(part.backbone(case, held))
        for mine in (False, True):
            cells = [part.cells[abs(literal) - 1] for literal in held or () if (literal > 0) is mine]
            reasoning.prove(cells, mine=mine, because=because)
    if len(sums) == 1 and sums[0] in (mines, mines - len(rest)):
        reasoning.prove(rest, mine=sums[0] < mines, because=because)
