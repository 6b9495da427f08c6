"""Matching: a knowledge base that cleans itself, and resolves only where clauses do not get longer.

Two stores: KB holds clauses, KB0 the literals that are proved. A clause that is inserted is first resolved with KB0;
dropped when KB has it already or has a part of it; and KB's clauses that it is a part of are removed. While KB has a
clause of one literal, that literal moves to KB0, and is matched with all of KB. When there is none, clauses are matched
in pairs: those that disagree on exactly one cell are resolved, but only if one of the two has at most two
literals, so that what comes out is never longer than what went in and KB stays small. When a round of pairs brings
nothing new: stuck.

Source: Lee, "AI Capstone HW3" (2023).
"""

from __future__ import annotations

from collections import defaultdict, deque
from typing import TYPE_CHECKING

from mineproof.limit import DEFAULT, Limit
from mineproof.logic.clauses import Clause, exactly, resolve
from mineproof.logic.constraints import watched
from mineproof.logic.reasoning import Reasoning, check_option

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from mineproof.board.position import Position
    from mineproof.logic.deduction import Deductions
    from mineproof.logic.reasoning import Reason

LITERALS = 2


class KnowledgeBase:
    """KB and KB0. It may be told more at any time.

    >>> base = KnowledgeBase()
    >>> base.tell([1, 2], 1, frozenset("a"))
    >>> base.tell([1, 2, 3], 2, frozenset("b"))
    >>> [literal for literal, because in base.proved()]
    [3]
    """

    def __init__(self, literals: int | None = LITERALS) -> None:
        self.literals = literals
        """One clause of a pair has at most so many; None: any number."""
        self.facts: dict[int, Reason] = {}
        """KB0: proved literals."""
        self.clauses: dict[Clause, Reason] = {}
        """KB."""
        self.rounds = 0
        """Of matching in pairs, so far."""
        self._holding: dict[int, set[Clause]] = defaultdict(set)
        self._units: deque[Clause] = deque()
        self._new: dict[Clause, None] = {}  # since the last round; a set that keeps its order

    def tell(self, variables: Sequence[int], mines: int, because: Reason) -> None:
        """Exactly so many of the variables are mines."""
        for clause in exactly(mines, variables):
            self.insert(frozenset(clause), because)

    def insert(self, clause: Clause, because: Reason) -> None:
        """Add a clause, unless it says nothing new."""
        if any(literal in self.facts for literal in clause):
            return
        false = [literal for literal in clause if -literal in self.facts]
        if false:
            clause = clause.difference(false)
            because = because.union(*(self.facts[-literal] for literal in false))
        if not clause:
            raise Contradiction(because)
        if any(other <= clause for literal in clause for other in self._holding[literal]):
            return
        for longer in set.intersection(*(self._holding[literal] for literal in clause)):
            self._remove(longer)
        self.clauses[clause] = because
        self._new[clause] = None
        for literal in clause:
            self._holding[literal].add(clause)
        if len(clause) == 1:
            self._units.append(clause)

    def _remove(self, clause: Clause) -> Reason:
        self._new.pop(clause, None)
        for literal in clause:
            self._holding[literal].discard(clause)
        return self.clauses.pop(clause)

    def proved(self, look: Callable[[], None] = lambda: None) -> Iterator[tuple[int, Reason]]:
        """Literals as they are proved, until nothing more follows. ``look`` is called now and then, and may raise."""
        while True:
            look()
            while self._units:
                yield self._learn(self._units.popleft())
            if not self._match_pairs(look):
                return

    def _learn(self, unit: Clause) -> tuple[int, Reason]:
        """Move a clause of one literal to KB0, and match it with all of KB."""
        (literal,) = unit
        because = self.facts[literal] = self._remove(unit)
        for satisfied in list(self._holding[literal]):
            self._remove(satisfied)
        for shortened in sorted(self._holding[-literal], key=sorted):
            self.insert(shortened, self._remove(shortened))
        return literal, because

    def _match_pairs(self, look: Callable[[], None]) -> bool:
        """One round of all pairs that were not matched before; whether it brought anything new."""
        fresh, self._new = list(self._new), {}
        self.rounds += bool(fresh)
        for one in fresh:
            look()
            for other in sorted({other for literal in one for other in self._holding[-literal]}, key=sorted):
                if one not in self.clauses:
                    break
                if other not in self.clauses or (
                    self.literals is not None and min(len(one), len(other)) > self.literals
                ):
                    continue
                resolved = resolve(one, other)
                if resolved is not None:
                    self.insert(resolved, self.clauses[one] | self.clauses[other])
        return bool(self._new)


class Contradiction(Exception):
    """The clauses cannot all be true."""

    def __init__(self, because: Reason) -> None:
        super().__init__(because)
        self.because = because


def infer(position: Position, limit: Limit = DEFAULT, *, literals: int | None = LITERALS) -> Deductions:
    """All that matching proves. Sound; not complete, not even without the limit of literals: it knows no mine count.

    >>> from mineproof import Position
    >>> infer(Position.from_text("3x2x2\\nHHH\\n121")).safe
    frozenset({Cell(row=0, col=1)})
    """
    check_option("literals", literals)
    base = KnowledgeBase(literals)
    with Reasoning(position, "matching", limit) as reasoning:
        try:
            for clue, cells, mines in watched(reasoning.read().constraints, reasoning.clock, every=16):
                base.tell([cell + 1 for cell in cells], mines, frozenset((clue,)))
            for literal, because in base.proved(reasoning.clock.check):
                reasoning.prove([abs(literal) - 1], mine=literal > 0, because=because)
        except Contradiction as found:
            raise reasoning.contradiction(found.because) from None
    return reasoning.found
