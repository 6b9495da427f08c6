"""SAT: a cell is certain if the clues and its opposite have no solution. Complete.

Single-clue rules come first. The clues that they leave open fall into components, and each becomes a small SAT problem.
Every value in a first model is a *candidate*. Suppose the opposite of one and solve again. If there is no solution, the
value is proved, and the clues in the solver's core are the reason. If there is one, all candidates that it disagrees
with are dropped. The solver prefers models that disagree with many candidates, so most cells need no call.

The number of mines never becomes clauses over the whole board. It matters only through *how many* mines each component
can hold. If bounds on that leave slack, or if solutions are soon found in which each open cell is safe and others in
which it is a mine, then nothing follows from it. Otherwise a totalizer over the cells of each component finds which
numbers of mines it can hold alone. Adding these up shows which of them are possible together with all other components
and the cells that no clue sees; what holds for each of these numbers is certain. If a component is too large for a
totalizer, all are solved together, in whatever time is left.

Source: Harnjan, "Introduction to Logic Project". There clues are disjunctions of arrangements, multiplied out and kept
(``encoding="multiplied-out"``), and the number of mines is written in the same way, only when the clues give nothing
and only up to 12 closed cells (``mine_count=12``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mineproof.board.position import position_of
from mineproof.errors import InconsistentPosition, OutOfTime
from mineproof.limit import DEFAULT, Clock, Limit
from mineproof.logic.conflict import Conflict, conflict_of
from mineproof.logic.constraints import COUNT, Constraint, bounds, components, watched
from mineproof.logic.reasoning import Reason, Reasoning, check_option
from mineproof.logic.solver import Solver, TooManySums

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from mineproof.board.position import Position, Seen
    from mineproof.logic.deduction import Deductions


def infer(
    position: Position, limit: Limit = DEFAULT, *, mine_count: bool | int = True, encoding: str = "cardinality"
) -> Deductions:
    """Every certain cell; without ``mine_count``, every cell that follows from the clues alone. With a number, the mine
    count is used only if the clues make no cell safe, and at most this many closed cells are not proved mines.
    ``encoding`` is how clues are written; it affects only the time.

    >>> from mineproof import Position
    >>> print(*infer(Position.from_text("5x2x1\\n11HHH\\n1HHHH")), sep="\\n")
    B2 is a mine, by clue A1
    C1, C2 are safe, by clues A1, B1
    D1, E1, D2, E2 are safe, by clues A1, B1, A2 and the mine count
    """
    most_cells = None if isinstance(mine_count, bool) else mine_count
    check_option("mine_count", most_cells)
    with Reasoning(position, "sat", limit) as reasoning:
        reasoning.settle()
        parts = []
        for constraints in components(reasoning.open, reasoning.clock):
            part = Part(constraints, reasoning.clock, encoding)
            parts.append(part)
            if not part.solve():
                raise reasoning.contradiction(_reason(reasoning, part.core()))
            for literal in part.backbone():
                because = _reason(reasoning, part.core())
                reasoning.prove([part.cells[abs(literal) - 1]], mine=literal > 0, because=because)
        if most_cells is not None:
            if not reasoning.deductions.safe:
                reasoning.settle()
                _count_few(reasoning, most_cells, encoding)
        elif mine_count:
            _count_mines(reasoning, parts)
        reasoning.deductions.complete = mine_count is True
    return reasoning.deductions


def find_conflict(position: Position | Seen, limit: Limit = DEFAULT) -> Conflict | None:
    """What is wrong with a position: clues that contradict each other, or the number of mines; None if some board is
    consistent with it. Raises `OutOfTime`.

    >>> from mineproof import Position
    >>> print(find_conflict(Position.from_text("5x1x1\\n1H0H1")))
    the clues A1, C1 cannot both be right
    >>> print(find_conflict(Position.from_text("5x1x1\\n1HHHH")))
    None
    """
    position = position_of(position)
    clock = Clock(limit)
    try:
        if not infer(position, clock.rest()).complete:
            raise OutOfTime("time ran out before it was known whether any board is consistent with this position")
    except InconsistentPosition:
        return conflict_of(position, clock.rest())
    return None


def _reason(reasoning: Reasoning, clues: Iterable[Constraint]) -> frozenset[int]:
    return frozenset[int]().union(*map(reasoning.reason, clues))


class Part(Solver):
    """A component, that is, connected clues, in its own solver."""

    def __init__(self, constraints: Iterable[Constraint], clock: Clock, encoding: str = "cardinality") -> None:
        super().__init__(constraints, clock, selectors=True, encoding=encoding)
        self._numbers: dict[int, list[int]] | None = None

    def numbers(self) -> dict[int, list[int]]:
        """The possible numbers of mines, each with the literals that assume it."""
        if self._numbers is None:
            self._numbers = self.totals(*self.bounds())
        return self._numbers

    def bounds(self) -> tuple[int, int]:
        """Lower and upper bounds on the number of mines in its cells."""
        return bounds(self.constraints, len(self.cells), self.clock)


def allowed(
    parts: Sequence[Part], mines: int, unseen: int, clock: Clock
) -> tuple[list[dict[int, list[int]]], list[int]]:
    """For each part, the numbers of mines with which all parts and the ``unseen`` other cells can hold exactly
    ``mines`` together; and the possible sums over all parts. If there are no sums, there is no solution."""
    cases = [part.numbers() for part in parts]
    before = [1]  # the possible sums over no part, the first, the first two, …: sets with one bit per sum
    for case in watched(cases, clock, every=1):
        before.append(_plus(before[-1], case))
    after = [1]
    for case in watched(reversed(cases), clock, every=1):
        after.append(_plus(after[-1], case))
    after.reverse()
    fewest = max(0, mines - unseen)
    window = (1 << mines + 1) - (1 << fewest) if fewest <= mines else 0
    sums = before[-1] & window
    kept = []
    for i, case in enumerate(watched(cases, clock, every=1)):
        others = _plus(before[i], _bits(after[i + 1]))
        kept.append({total: literals for total, literals in case.items() if others << total & window})
    return kept, list(_bits(sums))


def _plus(sums: int, numbers: Iterable[int]) -> int:
    """All sums of one of these sums and one of the numbers; sets of sums have one bit per sum."""
    total = 0
    for number in numbers:
        total |= sums << number
    return total


def _bits(sums: int) -> Iterator[int]:
    return (i for i, bit in enumerate(reversed(f"{sums:b}")) if bit == "1")


def _count_few(reasoning: Reasoning, most_cells: int, encoding: str) -> None:
    """Prove what follows only with the number of mines, as one more clue over all cells that are not proved."""
    problem, facts = reasoning.read(), reasoning.facts
    cells = tuple(cell for cell in problem.unknown.tolist() if cell not in facts)
    if len(cells) > most_cells:
        return
    because = frozenset((COUNT, *reasoning.constraints))
    count = Constraint(COUNT, cells, problem.mines - sum(facts.values()))
    reasoning.note(count)
    with Solver((*reasoning.open, count), reasoning.clock, encoding=encoding) as solver:
        if not solver.solve():
            raise reasoning.miscount()
        for literal in solver.backbone():
            reasoning.prove([solver.cells[abs(literal) - 1]], mine=literal > 0, because=because)


def _leaves_open(reasoning: Reasoning, parts: Sequence[Part], fewest: int, most: int) -> bool:
    """Whether, for each cell that is not proved, solutions are soon found in which it is safe and in which it is a
    mine, with numbers of mines strictly between these bounds. Then nothing follows from the number of mines, and
    nothing has to be added up. Most boards where some cells are seen by no clue are like that."""
    models = []
    for part in parts:
        part.solve()
        models.append(part.model())
    mines = [sum(literal > 0 for literal in model) for model in models]
    inside = range(fewest + 1, most)  # then cells that no clue sees can be safe, and can be mines
    if sum(mines) not in inside:
        return False
    for part, model, own in zip(parts, models, mines, strict=True):
        others = sum(mines) - own
        candidates = {literal: None for literal in model if part.cells[abs(literal) - 1] not in reasoning.facts}
        while candidates:
            part.prefer([-literal for literal in candidates])
            if not part.solve([-next(iter(candidates))]):
                return False
            model = part.model()
            if sum(literal > 0 for literal in model) + others not in inside:
                return False
            for literal in model:
                candidates.pop(-literal, None)
    return True


def _count_whole(reasoning: Reasoning, fewest: int, most: int, because: Reason) -> None:
    """Prove what follows with the number of mines where a component is too large to add up: by solving all clues at
    once, with bounds on the mines in their cells."""

    def bounded(fewest: int, most: int) -> Solver:
        solver = Solver(reasoning.open, reasoning.clock)
        solver.bound(max(0, fewest), most)
        return solver

    with bounded(fewest, most) as solver:
        if not solver.solve():
            raise reasoning.miscount()
        unproved = [variable for cell, variable in solver.variable.items() if cell not in reasoning.facts]
        for literal in solver.backbone(among=[sign * variable for variable in unproved for sign in (1, -1)]):
            reasoning.prove([solver.cells[abs(literal) - 1]], mine=literal > 0, because=because)
    for mine, low, high in ((True, fewest + 1, most), (False, fewest, most - 1)):
        with bounded(low, high) as solver:
            if not solver.solve():
                reasoning.prove(reasoning.read().unseen, mine=mine, because=because)


def _count_mines(reasoning: Reasoning, parts: Sequence[Part]) -> None:
    """Prove what follows only with the number of mines."""
    problem = reasoning.read()
    seen = {cell for part in parts for cell in part.cells}
    mines = problem.mines - sum(mine for cell, mine in reasoning.facts.items() if cell not in seen)
    unseen = problem.unseen
    lows, highs = zip(*(part.bounds() for part in parts), strict=True) if parts else ((), ())
    if mines - len(unseen) < sum(lows) and sum(highs) < mines:
        return
    if _leaves_open(reasoning, parts, mines - len(unseen), mines):
        return
    because = frozenset((COUNT, *reasoning.constraints))
    try:
        cases, sums = allowed(parts, mines, len(unseen), reasoning.clock)
    except TooManySums:
        _count_whole(reasoning, mines - len(unseen), mines, because)
        return
    if not sums:
        raise reasoning.miscount()
    for part, totals in zip(parts, cases, strict=True):
        certain: Iterable[int] | None = None  # the literals that hold for each of the numbers so far
        for case in totals.values():
            certain = list(part.backbone(case, certain))
        for mine in (False, True):
            cells = [part.cells[abs(literal) - 1] for literal in certain or () if (literal > 0) is mine]
            reasoning.prove(cells, mine=mine, because=because)
    if len(sums) == 1 and sums[0] in (mines, mines - len(unseen)):
        reasoning.prove(unseen, mine=sums[0] < mines, because=because)
