"""Matching: a knowledge base that cleans itself, and resolves only where clauses do not get longer.

Two stores: KB holds clauses, KB0 the literals that are proved. A clause that is inserted is first resolved with KB0;
dropped when KB has it already or has a part of it; and KB's clauses that it is a part of are removed. While KB has a
clause of one literal, that literal moves to KB0, and is matched with all of KB. When there is none, clauses are matched
in pairs: those that disagree on exactly one cell are resolved, but only if one of the two has at most two
literals, so that what comes out is never longer than what went in and KB stays small. When a round of pairs brings
nothing new: stuck.

Source: Lee, "AI Capstone HW3" (2023). There what two clauses give *replaces* both, eleven rounds of pairs without a
proved literal mean stuck, and one knowledge base lasts for the whole game: `Follower`. The report looks for clauses in
a list, and asks for something better; here they are found by their literals.
"""

from __future__ import annotations

from collections import defaultdict, deque
from typing import TYPE_CHECKING

from mineproof.board.position import MINES
from mineproof.errors import InvalidArgument
from mineproof.limit import DEFAULT, Limit
from mineproof.logic.clauses import Clause, exactly, resolve
from mineproof.logic.constraints import watched
from mineproof.logic.following import Followed
from mineproof.logic.reasoning import Reasoning, check_option

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from mineproof.board.position import Position
    from mineproof.logic.deduction import Deductions
    from mineproof.logic.reasoning import Reason

LITERALS = 2
ROUNDS = 11
"""Of the report."""


class Indexed:
    """Clauses, found by their literals."""

    def __init__(self) -> None:
        self._holding: dict[int, set[Clause]] = defaultdict(set)

    def add(self, clause: Clause) -> None:
        """Add a clause."""
        for literal in clause:
            self._holding[literal].add(clause)

    def remove(self, clause: Clause) -> None:
        """Remove a clause."""
        for literal in clause:
            self._holding[literal].discard(clause)

    def holding(self, literals: Iterable[int]) -> Iterable[Clause]:
        """Those with any of these literals."""
        return {clause for literal in literals for clause in self._holding[literal]}

    def wholes(self, clause: Clause) -> Iterable[Clause]:
        """Those that it is a part of."""
        return set.intersection(*(self._holding[literal] for literal in clause))

    def has_part(self, clause: Clause) -> bool:
        """Whether any is a part of it."""
        return any(other <= clause for literal in clause for other in self._holding[literal])


class Listed:
    """The same in a list that is searched linearly, as in the report."""

    def __init__(self) -> None:
        self._clauses: list[Clause] = []

    def add(self, clause: Clause) -> None:
        """Add a clause."""
        self._clauses.append(clause)

    def remove(self, clause: Clause) -> None:
        """Remove a clause."""
        self._clauses.remove(clause)

    def holding(self, literals: Iterable[int]) -> Iterable[Clause]:
        """Those with any of these literals."""
        wanted = set(literals)
        return [clause for clause in self._clauses if not wanted.isdisjoint(clause)]

    def wholes(self, clause: Clause) -> Iterable[Clause]:
        """Those that it is a part of."""
        return [other for other in self._clauses if clause <= other]

    def has_part(self, clause: Clause) -> bool:
        """Whether any is a part of it."""
        return any(other <= clause for other in self._clauses)


STORES: dict[str, type[Indexed | Listed]] = {"index": Indexed, "list": Listed}


class KnowledgeBase:
    """KB and KB0. More clauses may be added at any time.

    >>> base = KnowledgeBase()
    >>> base.tell([1, 2], 1, frozenset("a"))
    >>> base.tell([1, 2, 3], 2, frozenset("b"))
    >>> [literal for literal, because in base.proved()]
    [3]
    """

    def __init__(
        self,
        literals: int | None = LITERALS,
        replace_parents: bool = False,
        rounds: int | None = None,
        store: str = "index",
    ) -> None:
        check_option("literals", literals)
        check_option("rounds", rounds)
        if store not in STORES:
            raise InvalidArgument(f"a store must be one of {', '.join(STORES)}, not {store}")
        self.literals = literals
        """The most literals in one clause of a pair; None: any number."""
        self.replace_parents = replace_parents
        """Whether the resolvent of two clauses replaces them."""
        self.most_rounds = rounds
        """Consecutive rounds that prove nothing before it is stuck; None: as long as anything new is found."""
        self.facts: dict[int, Reason] = {}
        """KB0: proved literals."""
        self.clauses: dict[Clause, Reason] = {}
        """KB."""
        self.rounds = 0
        """Of matching in pairs, so far."""
        self._idle = 0  # rounds since a literal was proved
        self._store = STORES[store]()
        self._units: deque[Clause] = deque()
        self._new: dict[Clause, None] = {}  # not matched in pairs yet; a set that keeps its order

    def tell(self, variables: Sequence[int], mines: int, because: Reason) -> None:
        """Add that exactly this many of the variables are mines."""
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
        if self._store.has_part(clause):
            return
        for longer in self._store.wholes(clause):
            self._remove(longer)
        self.clauses[clause] = because
        self._new[clause] = None
        self._store.add(clause)
        if len(clause) == 1:
            self._units.append(clause)

    def _remove(self, clause: Clause) -> Reason:
        self._new.pop(clause, None)
        self._store.remove(clause)
        return self.clauses.pop(clause)

    def proved(self, look: Callable[[], None] = lambda: None) -> Iterator[tuple[int, Reason]]:
        """Literals as they are proved, until nothing more follows. ``look`` is called regularly, and may raise."""
        while True:
            yield from self.units(look)
            if not self.match(look):
                return

    def units(self, look: Callable[[], None] = lambda: None) -> Iterator[tuple[int, Reason]]:
        """Move each clause of one literal to KB0, and match it with all of KB."""
        look()
        while self._units:
            self._idle = 0
            unit = self._units.popleft()
            (literal,) = unit
            because = self.facts[literal] = self._remove(unit)
            for satisfied in list(self._store.holding([literal])):
                self._remove(satisfied)
            for shortened in sorted(self._store.holding([-literal]), key=sorted):
                self.insert(shortened, self._remove(shortened))
            yield literal, because

    def match(self, look: Callable[[], None] = lambda: None) -> bool:
        """Match all pairs that were not matched before. Return whether there may be more to find."""
        if not self._new or self._idle == self.most_rounds:
            return False
        self.rounds += 1
        self._idle += 1
        for one in list(self._new):
            look()
            if self._new.pop(one, self) is self:
                continue  # it is gone
            for other in sorted(self._store.holding(-literal for literal in one), key=sorted):
                if one not in self.clauses:
                    break
                if other in self.clauses:
                    self._resolve(one, other)
        return True

    def _resolve(self, one: Clause, other: Clause) -> None:
        """Add the resolvent of two clauses. Unit clauses wait for `units`."""
        shorter = min(len(one), len(other))
        resolved = resolve(one, other) if 1 < shorter <= (self.literals or shorter) else None
        if resolved is None:
            return
        because = self.clauses[one] | self.clauses[other]
        if self.replace_parents:
            self._remove(one)
            self._remove(other)
        self.insert(resolved, because)


class Contradiction(Exception):
    """The clauses cannot all be true."""

    def __init__(self, because: Reason) -> None:
        super().__init__(because)
        self.because = because


def infer(
    position: Position,
    limit: Limit = DEFAULT,
    *,
    literals: int | None = LITERALS,
    replace_parents: bool = False,
    rounds: int | None = None,
    store: str = "index",
) -> Deductions:
    """All that matching proves. Sound; not complete, even without the limit of literals: it ignores the mine count.

    >>> from mineproof import Position
    >>> infer(Position.from_text("3x2x2\\nHHH\\n121")).safe
    CellSet.parse('B1')
    """
    base = KnowledgeBase(literals, replace_parents, rounds, store)
    with Reasoning(position, "matching", limit) as reasoning:
        try:
            for clue, cells, mines in watched(reasoning.read().constraints, reasoning.clock, every=16):
                base.tell([cell + 1 for cell in cells], mines, frozenset((clue,)))
            for literal, because in base.proved(reasoning.clock.check):
                reasoning.prove([abs(literal) - 1], mine=literal > 0, because=because)
        except Contradiction as found:
            raise reasoning.contradiction(found.because) from None
    return reasoning.found


class Follower:
    """One knowledge base for a whole game, told each clue once, as in the report: literals first, and pairs only when
    no cell is left that is known to be safe.

    >>> from mineproof import Position
    >>> player = Follower()
    >>> [len(player.infer(Position.from_text(f"3x1x1\\n{row}")).safe) for row in ("1HH", "1HS")]
    [0, 1]
    """

    def __init__(
        self,
        *,
        literals: int | None = LITERALS,
        replace_parents: bool = False,
        rounds: int | None = None,
        store: str = "index",
    ) -> None:
        self._options = literals, replace_parents, rounds, store
        self.base = KnowledgeBase(*self._options)
        self._followed = Followed()

    def infer(self, position: Position, limit: Limit = DEFAULT) -> Deductions:
        """What follows now: every proved cell that is still closed."""
        with Reasoning(position, "matching", limit) as reasoning:
            reasoning.read()
            other_game, new = self._followed.see(position)
            if other_game:
                self.base = KnowledgeBase(*self._options)
            try:
                self._tell(reasoning, new)
                look = reasoning.clock.check
                while True:
                    for _ in self.base.units(look):
                        pass
                    self._prove(reasoning)
                    if reasoning.found.safe or not self.base.match(look):
                        break
            except Contradiction:
                raise reasoning.wrong() from None
        return reasoning.found

    def _tell(self, reasoning: Reasoning, new: Sequence[int]) -> None:
        """Add what newly open cells, or cells named by the game, say. A number speaks about all cells around it."""
        position, grid = reasoning.position, reasoning.position.grid
        for index in new:
            symbol = chr(position.cells[index])
            mine = symbol in MINES
            self.base.insert(frozenset((index + 1 if mine else -index - 1,)), frozenset())
            if symbol.isdigit():
                around = [grid.index(near) + 1 for near in grid.neighbours(grid.cell(index))]
                self.base.tell(around, int(symbol), frozenset((index,)))

    def _prove(self, reasoning: Reasoning) -> None:
        """The facts of cells that are still closed."""
        unknown = set(reasoning.read().unknown.tolist())
        for literal, because in self.base.facts.items():
            if abs(literal) - 1 in unknown:
                reasoning.prove([abs(literal) - 1], mine=literal > 0, because=because)
