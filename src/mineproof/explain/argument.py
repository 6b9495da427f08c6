"""Arguments: suppose the opposite, and follow single clues until one cannot be right; if that does not happen, take
both cases of a cell.

The clues of an argument have already been chosen, as few as possible. So a plain search finds the argument with the
fewest cases.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, TypeVar

from mineproof.errors import OutOfTime
from mineproof.explain.reasons import ClockOfTries
from mineproof.logic.constraints import COUNT, reduced

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence, Set

    from mineproof.limit import Clock
    from mineproof.logic.constraints import Constraint

MOST_CASES = 8
"""The most cases of an argument: people cannot follow more."""
MOST_TRIES = 1_000
"""The most checks of the clock in a search for an argument."""
MOST_TOGETHER = 3
"""The most clues whose bounds are combined against one more."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Implication:
    """These cells are mines, or safe, by this clue alone."""

    clue: int
    cells: tuple[int, ...]
    mine: bool


@dataclass(frozen=True, slots=True)
class Argument:
    """What follows from a supposition, up to a contradiction: at a clue, at clues with incompatible bounds, or in both
    cases of one more cell."""

    implied: tuple[Implication, ...]
    wrong: tuple[int, ...] = ()
    """The clue (or `COUNT`) that cannot be right, followed by the other clues, if any, that together allow it too few
    mines or give it too many."""
    split: int | None = None
    """The cell of which both cases are taken."""
    cases: tuple[Argument, ...] = ()
    """The arguments if the split cell is a mine, and if it is safe."""

    @property
    def leaves(self) -> int:
        """The number of contradictions that the argument leads to."""
        return sum(case.leaves for case in self.cases) if self.cases else 1

    @property
    def cells(self) -> set[int]:
        """The cells that the argument mentions."""
        own = {cell for link in self.implied for cell in link.cells}
        if self.split is not None:
            own.add(self.split)
        return own.union(*(case.cells for case in self.cases))

    @property
    def length(self) -> int:
        """The approximate number of sentences of the argument."""
        return len(self.implied) + 1 + sum(case.length for case in self.cases)


def refute(
    constraints: Sequence[Constraint], known: Mapping[int, bool], cell: int, mine: bool, clock: Clock
) -> Argument | None:
    """Why the cell cannot be a mine (or safe), given known cells; None if that takes too many cases.

    >>> from mineproof.limit import Limit
    >>> from mineproof.logic.constraints import Constraint
    >>> wall = [Constraint(3, (0, 1), 1), Constraint(4, (0, 1, 2), 2), Constraint(5, (1, 2), 1)]
    >>> argument = refute(wall, {}, 1, True, Limit().start())
    >>> [(step.clue, step.cells, step.mine) for step in argument.implied], argument.wrong
    ([(3, (0,), False), (4, (2,), True)], (5,))
    """
    search = _Search(constraints, ClockOfTries(clock, MOST_TRIES))
    try:
        for cases in range(1, MOST_CASES + 1):
            argument = search.contradiction({**known, cell: mine}, [cell], cases)
            if argument is not None:
                return argument
    except OutOfTime:
        clock.check()
    return None


class _Search:
    def __init__(self, constraints: Sequence[Constraint], clock: Clock) -> None:
        self.constraints = constraints
        self.clock = clock
        self.seeing: dict[int, list[Constraint]] = {}
        for constraint in constraints:
            for cell in constraint.cells:
                self.seeing.setdefault(cell, []).append(constraint)

    def contradiction(self, known: dict[int, bool], new: Sequence[int], cases: int) -> Argument | None:
        """The argument from known cells, of which some are new, to a contradiction, with at most this many cases."""
        self.clock.check()
        known = dict(known)
        implied, wrong = self._follow(known, new)
        if wrong is None:
            wrong = self._packed(known) or self._misfit(known)
        if wrong is not None:
            return Argument(self._needed(implied, known, wrong), wrong)
        if cases < 2:
            return None
        best: Argument | None = None
        for split in sorted(self.seeing, key=lambda cell: (-len(self.seeing[cell]), cell)):
            if split in known:
                continue
            both = self._both(known, split, cases)
            if both is not None:
                used = {step.clue for case in both for step in _all_steps(case)}
                ends = {clue for case in both for wrong in _contradictions(case) for clue in wrong}
                kept = self._needed(implied, known, tuple(used | ends), before=True)
                argument = Argument(kept, split=split, cases=both)
                if best is None or argument.length < best.length:
                    best = argument
                if cases > 2:  # to search for a shorter one would take too long
                    break
        return best

    def _both(self, known: dict[int, bool], split: int, cases: int) -> tuple[Argument, Argument] | None:
        """The arguments for a mine and for a safe cell: one with a single case if possible, otherwise half of them
        each."""
        for mine in (True, False):
            first = self.contradiction({**known, split: mine}, [split], 1)
            if first is not None:
                second = self.contradiction({**known, split: not mine}, [split], cases - 1)
                if second is not None:
                    return (first, second) if mine else (second, first)
        if cases < 4:
            return None
        half = cases // 2
        mined = self.contradiction({**known, split: True}, [split], half)
        safe = None if mined is None else self.contradiction({**known, split: False}, [split], cases - half)
        return None if mined is None or safe is None else (mined, safe)

    def _follow(
        self, known: dict[int, bool], new: Iterable[int]
    ) -> tuple[list[tuple[Implication, frozenset[int]]], tuple[int, ...] | None]:
        """The implications of single clues one after the other, each with the cells that it needs, and the clue that
        cannot be right, if there is one. Adds the implied cells to ``known``. Every clue is checked at least once."""
        implied: list[tuple[Implication, frozenset[int]]] = []
        waiting = list(dict.fromkeys(c for cell in new for c in self.seeing.get(cell, ())))
        waiting += [c for c in self.constraints if c not in waiting]
        while waiting:
            clue, cells, mines = waiting.pop(0)
            mined = [cell for cell in cells if known.get(cell) is True]
            safe = [cell for cell in cells if known.get(cell) is False]
            left = [cell for cell in cells if cell not in known]
            if len(mined) > mines or len(cells) - len(safe) < mines:
                return implied, (clue,)
            if left and len(mined) in (mines, mines - len(left)):
                mine = len(mined) < mines
                implied.append((Implication(clue, tuple(left), mine), frozenset(safe if mine else mined)))
                known.update(dict.fromkeys(left, mine))
                touched = dict.fromkeys(c for cell in left for c in self.seeing[cell] if c not in waiting)
                waiting += [c for c in touched if c.clue != clue]
        return implied, None

    def _packed(self, known: Mapping[int, bool]) -> tuple[int, ...] | None:
        """`COUNT`, with disjoint clues that together need more mines, or more safe cells, than are left."""
        left = {constraint.clue: constraint for constraint in reduced(self.constraints, known)}
        count = left.pop(COUNT, None)
        if count is None:
            return None
        chosen = _disjoint(left.values(), count.mines)
        if chosen is None:
            safe = [clue._replace(mines=len(clue.cells) - clue.mines) for clue in left.values()]
            chosen = _disjoint(safe, len(count.cells) - count.mines)
        return None if chosen is None else (COUNT, *chosen)

    def _misfit(self, known: Mapping[int, bool]) -> tuple[int, ...] | None:
        """A clue, and others that together allow it too few mines, or give it too many."""
        left = reduced(self.constraints, known)
        wants = {clue: (frozenset(cells), mines) for clue, cells, mines in left if clue != COUNT}
        for clue, (open_cells, need) in wants.items():
            near = [other for other, (seen, _) in wants.items() if other != clue and seen & open_cells]
            for size in range(1, MOST_TOGETHER + 1):
                for others in combinations(near, size):
                    most, least = bounds_on(open_cells, [wants[other] for other in others])
                    if most < need or least > need:
                        return (clue, *others)
        return None

    def _needed(
        self,
        implied: list[tuple[Implication, frozenset[int]]],
        known: Mapping[int, bool],
        ends: tuple[int, ...],
        *,
        before: bool = False,
    ) -> tuple[Implication, ...]:
        """The implications that lead to the contradiction at these clues, or with ``before`` to the cases."""
        by_clue = {constraint.clue: constraint for constraint in self.constraints}
        wanted: set[int] = set()
        for clue in ends:
            cells = by_clue[clue].cells
            if len(ends) == 1 and not before:  # only the mines, or only the safe cells, are too many
                mined = {cell for cell in cells if known.get(cell) is True}
                safe = {cell for cell in cells if known.get(cell) is False}
                wanted |= mined if len(mined) > by_clue[clue].mines else safe
            else:
                wanted.update(cells)
        kept: list[tuple[Implication, set[int]]] = []
        for step, because in reversed(implied):
            useful = wanted.intersection(step.cells)
            if useful:
                kept.append((step, useful))
                wanted |= because
        settled = known.keys() - {cell for step, _ in implied for cell in step.cells}
        implications = []
        for link, useful in reversed(kept):  # a clue names all its mines, even those of an implication that is left out
            named = set(by_clue[link.clue].cells) - settled if link.mine else useful
            implications.append(Implication(link.clue, tuple(sorted(named)), link.mine))
            settled |= named
        return tuple(implications)


def bounds_on(cells: Set[T], others: Iterable[tuple[Set[T], int]]) -> tuple[int, int]:
    """The most and the fewest mines that clues with these cells and numbers allow in a set of cells.

    >>> bounds_on({1, 2, 3, 4}, [({0, 1, 2}, 1), ({3, 4}, 2)])
    (3, 2)
    """
    most, least = 0, 0
    covered: set[T] = set()
    apart = True
    for seen, need in others:
        shared = seen & cells
        apart &= covered.isdisjoint(shared)
        covered |= shared
        most += min(need, len(shared))
        least += max(0, need - len(seen - shared))
    return most + len(cells - covered), least if apart else 0


def _disjoint(clues: Iterable[Constraint], most: int) -> tuple[int, ...] | None:
    """Disjoint clues that together need more mines than this. Those that need most are tried first."""
    needy = sorted((c for c in clues if c.mines > 0), key=lambda c: (-c.mines, len(c.cells), c.clue))[:20]
    need_from = [sum(mines for _, _, mines in needy[i:]) for i in range(len(needy) + 1)]

    def search(i: int, left: int, covered: frozenset[int]) -> tuple[int, ...] | None:
        if left < 0:
            return ()
        if i == len(needy) or need_from[i] <= left:
            return None
        clue, cells, mines = needy[i]
        if covered.isdisjoint(cells):
            others = search(i + 1, left - mines, covered.union(cells))
            if others is not None:
                return (clue, *others)
        return search(i + 1, left, covered)

    return search(0, most, frozenset())


def _all_steps(argument: Argument) -> Iterable[Implication]:
    yield from argument.implied
    for case in argument.cases:
        yield from _all_steps(case)


def _contradictions(argument: Argument) -> Iterable[tuple[int, ...]]:
    if argument.wrong:
        yield argument.wrong
    for case in argument.cases:
        yield from _contradictions(case)
