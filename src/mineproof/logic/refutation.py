"""The search for a refutation: the empty clause from the clauses of some clues, and perhaps the number of mines.

The search goes by cases, as in DPLL (Davis, Logemann and Loveland, 1962). A clause with all literals false but one
forces that one. When all literals of a clause are false, it is resolved with the clauses that forced them, the last one
first, until only supposed literals are left. So each case ends in a *learnt* clause, and the clauses of both cases of a
cell are resolved on that cell.

The number of mines is never written in clauses. Instead, if clues that share no cell leave too few or too many mines
for all other cells in the current case, a *counting step* adds a clause: the suppositions of the case cannot all hold.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from mineproof.errors import OutOfTime
from mineproof.logic.clauses import Clause, exactly, resolve

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterable, Sequence

    from mineproof.logic.constraints import Constraint

EMPTY: Clause = frozenset()
DEEPEST = 400
"""The greatest depth of nested cases."""


class Origin(NamedTuple):
    """The origin of a clause: a clue, a count minus some clues, two other clauses, or a supposed or given literal."""

    rule: str
    clues: tuple[int, ...] = ()
    premises: tuple[Clause, ...] = ()


@dataclass
class Refutation:
    """A search for the empty clause. The variable of a cell is its index + 1."""

    constraints: Sequence[Constraint]
    mine_count: Constraint | None
    check_clock: Callable[[], None]
    shuffle: random.Random | None = None
    """The source of another order of clauses and cells; None: the given order."""
    origins: dict[Clause, Origin] = field(default_factory=dict)
    """Every clause, with its origin."""
    true: dict[int, None] = field(default_factory=dict)
    """Literals that hold in the current case."""
    depth: int = 0

    def __post_init__(self) -> None:
        for clue, cells, mines in self.constraints:
            for clause in exactly(mines, [cell + 1 for cell in cells]):
                self.origins.setdefault(frozenset(clause), Origin("clue", (clue,)))
        self.order = list(self.origins)
        if self.shuffle is not None:
            self.shuffle.shuffle(self.order)
        self.order.sort(key=len)

    def refute(self, supposed: Clause) -> None:
        """Derive the empty clause from a supposed clause of one literal and all others, which must contradict it."""
        self.origins[supposed] = Origin("suppose")
        self.order.insert(0, supposed)
        derived = self._refute()
        assert derived == EMPTY, "these clauses do not contradict each other"

    def _refute(self) -> Clause:
        """Derive a clause that is false in the current case."""
        self.check_clock()
        self.depth += 1
        if self.depth > DEEPEST:
            raise OutOfTime("a proof needs too many nested cases")
        forced: list[tuple[int, Clause]] = []
        false = self._propagate(forced)
        if false is None:
            false = self._miscount()
        if false is None:
            literal = self._choose()
            false = self._suppose(literal)
            if -literal in false:
                other = self._suppose(-literal)
                false = self._resolve(false, other) if literal in other else other
        for literal, reason in reversed(forced):
            if -literal in false:
                false = self._resolve(false, reason)
            del self.true[literal]
        self.depth -= 1
        return false

    def _propagate(self, forced: list[tuple[int, Clause]]) -> Clause | None:
        """Add forced literals to the case until a clause is false, which is returned, or nothing more is forced."""
        while True:
            self.check_clock()
            unit = None
            for clause in self.order:
                left = None
                for literal in clause:
                    if literal in self.true or (left is not None and -literal not in self.true):
                        break  # satisfied, or two literals are open
                    if -literal not in self.true:
                        left = literal
                else:
                    if left is None:
                        return clause
                    if unit is None:
                        unit = left, clause
            if unit is None:
                return None
            forced.append(unit)
            self.true[unit[0]] = None

    def _suppose(self, literal: int) -> Clause:
        self.true[literal] = None
        false = self._refute()
        del self.true[literal]
        return false

    def _resolve(self, first: Clause, second: Clause) -> Clause:
        new = resolve(first, second)
        assert new is not None
        if new not in self.origins:
            self.origins[new] = Origin("resolve", premises=(first, second))
            self.order.append(new)
        return new

    def _choose(self) -> int:
        """A literal of a clause with as few undecided literals as possible."""
        best: tuple[int, int] | None = None
        for clause in self.order:
            if not any(literal in self.true for literal in clause):
                unknown = [literal for literal in clause if -literal not in self.true]
                if best is None or len(unknown) < best[0]:
                    best = len(unknown), (self.shuffle.choice(unknown) if self.shuffle else min(unknown, key=abs))
        assert best is not None, "these clauses do not contradict each other"
        return best[1]

    # -- counting ------------------------------------------------------------------------------------------------

    def _miscount(self) -> Clause | None:
        """A clause by a counting step, if the number of mines is impossible in the current case."""
        if self.mine_count is None:
            return None
        for mine in (True, False):  # too many mines, or too many safe cells
            clues = self._disjoint(mine)
            clause = miscounted(self.mine_count, clues, list(self.true), mine)
            if clause is not None:
                self.origins.setdefault(clause, Origin("count", tuple(sorted(c.clue for c in clues))))
                return clause
        return None

    def _disjoint(self, mine: bool) -> list[Constraint]:
        """Clues that share no open cell: first those that need the most mines (or safe cells) per open cell, then those
        that need none and share no cell with the others, which leave less to suppose."""
        candidates = []
        for constraint in self.constraints:
            unknown = [c for c in constraint.cells if c + 1 not in self.true and -1 - c not in self.true]
            need = constraint.mines - sum(c + 1 in self.true for c in constraint.cells)
            share = (need if mine else len(unknown) - need) / len(unknown) if unknown else 0
            candidates.append((-share, -len(constraint.cells), constraint, unknown))
        covered: set[int] = set()
        disjoint = []
        for share, _, constraint, unknown in sorted(candidates):
            if covered.isdisjoint(unknown if share else constraint.cells):
                covered.update(constraint.cells)
                disjoint.append(constraint)
        return disjoint


def miscounted(mine_count: Constraint, clues: Sequence[Constraint], true: Iterable[int], mine: bool) -> Clause | None:
    """The clause of a counting step: that not all of a few true literals hold, because with them the mines (or the safe
    cells) outside these clues are too many. None if they are not."""
    # In the mine count less these clues, a cell counts 1, minus 1 for each of the clues that sees it.
    seen_by = Counter(cell for clue in clues for cell in clue.cells)
    total = mine_count.mines - sum(clue.mines for clue in clues)
    if not mine:  # then safe cells are counted instead
        total = len(mine_count.cells) - seen_by.total() - total
    sign = 1 if mine else -1
    least = sum(
        1 - times for times in seen_by.values() if times > 1
    )  # as if all cells that count negatively were mines
    used = []
    for literal in true:
        w = 1 - seen_by[abs(literal) - 1]
        gain = max(w, 0) if literal * sign > 0 else max(-w, 0)
        if gain and least <= total:
            least += gain
            used.append(literal)
    return frozenset(-literal for literal in used) if least > total else None


def trimmed(origins: dict[Clause, Origin]) -> list[tuple[Clause, Origin]]:
    """The clauses that the empty one descends from, in order: the supposed one first, and each after its premises."""
    order = {clause: None for clause, origin in origins.items() if origin.rule == "suppose"}
    waiting = [(EMPTY, False)]
    while waiting:
        clause, ready = waiting.pop()
        if ready:
            order[clause] = None
        elif clause not in order:
            waiting.append((clause, True))
            waiting += [(premise, False) for premise in reversed(origins[clause].premises)]
    return [(clause, origins[clause]) for clause in order]
