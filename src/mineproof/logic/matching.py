"""Matching: a knowledge base that cleans itself, and resolves only where clauses do not get longer.

There are two stores: KB has clauses, KB0 the proved literals. A clause that is inserted is first resolved with KB0. It
is dropped if KB already has it or a part of it; otherwise the clauses of KB that contain it are removed. While KB has a
clause of one literal, that literal moves to KB0 and is matched with all of KB. If there is none, a round matches all
pairs of the clauses that KB has when the round begins, even of clauses removed since: both are taken out, and the
result of the match is inserted. The result is the resolvent if the clauses disagree on exactly one cell and one of them
has at most two literals, so that KB stays small; otherwise it is the two clauses themselves. So a resolvent replaces
its parents only for a while: a parent comes back with its next partner, unless KB has a part of it by then. The method
is stuck after a round that changes nothing, or after eleven rounds without a proved literal.

Source: Lee, "AI Capstone HW3" (2023), whose knowledge base lasts for the whole game: `Follower`. The order of clauses
there is that of a Python set, which is arbitrary. Here a round takes them in the order of their cells, and clauses of
one literal are processed in the order of their insertion, as under PyPy, which the report used. The report searches a
list of clauses, and asks for something better: here clauses are indexed by their literals, and pairs whose match gives
the two clauses themselves are not visited.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import defaultdict, deque
from typing import TYPE_CHECKING, Any

from mineproof.board.position import CLOSED, MINES
from mineproof.errors import Cancelled, InvalidArgument, OutOfTime
from mineproof.limit import DEFAULT, Limit
from mineproof.logic.clauses import Clause, exactly, resolve
from mineproof.logic.constraints import watched
from mineproof.logic.following import Followed, emptied
from mineproof.logic.reasoning import Reasoning, check_option

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from mineproof.board.position import Position
    from mineproof.limit import Clock
    from mineproof.logic.deduction import Deductions
    from mineproof.logic.reasoning import Reason

LITERALS = 2
ROUNDS = 11
"""The report's limits: literals in the shorter clause of a pair, and rounds that prove nothing."""
_CLOSED = CLOSED.encode()


def order(clause: Clause) -> list[tuple[int, int]]:
    """The sort key of a clause: its cells in order, each safe before mined.

    >>> sorted([frozenset((3, -1)), frozenset((2,)), frozenset((1, 2))], key=order)
    [frozenset({3, -1}), frozenset({1, 2}), frozenset({2})]
    """
    return sorted([(abs(literal), literal) for literal in clause])


class Indexed:
    """Clauses, indexed by their literals."""

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
    """Clauses in a list that is searched linearly, as in the report."""

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
    """KB and KB0. Clauses may be added at any time.

    >>> base = KnowledgeBase()
    >>> base.tell([1, 2], 1, frozenset("a"))
    >>> base.tell([1, 2, 3], 2, frozenset("b"))
    >>> [literal for literal, because in base.proved()]
    [3]
    """

    def __init__(
        self,
        literals: int | None = LITERALS,
        keep_parents: bool = False,
        rounds: int | None = ROUNDS,
        store: str = "index",
    ) -> None:
        check_option("literals", literals)
        check_option("rounds", rounds)
        if store not in STORES:
            raise InvalidArgument(f"a store must be one of {', '.join(STORES)}, not {store}")
        self.literals = literals
        """The most literals in the shorter clause of a pair that resolves; None: any number."""
        self.keep_parents = keep_parents
        """Whether clauses stay when their resolvent is inserted."""
        self.most_rounds = rounds
        """The number of consecutive rounds that prove nothing after which it is stuck; None: no limit."""
        self.facts: dict[int, Reason] = {}
        """KB0: the proved literals, with their reasons."""
        self.clauses: dict[Clause, Reason] = {}
        """KB: the clauses, with their reasons."""
        self.rounds = 0
        """The number of rounds of pairs so far."""
        self._idle = 0  # rounds since a literal was proved
        self._stuck = False
        self._store_of = STORES[store]
        self._store = self._store_of()
        self._units: dict[int, None] = {}  # the literals of KB's unit clauses; a set that keeps its order
        self._unmatched: list[int] = []  # literals of KB0 that have not been matched with KB yet

    def tell(self, variables: Iterable[int], mines: int, because: Reason) -> None:
        """Add that exactly this many of the variables are mines."""
        unknown = []
        for variable in variables:
            known = variable if variable in self.facts else -variable
            if known in self.facts:
                because |= self.facts[known]
                mines -= known > 0
            else:
                unknown.append(variable)
        for clause in exactly(mines, unknown):
            self.insert(frozenset(clause), because)

    def know(self, literal: int) -> None:
        """Add to KB0 that an open cell is safe, or a mine, as the board shows."""
        if -literal in self.facts:
            raise Contradiction(self.facts[-literal])
        if literal not in self.facts:
            self.facts[literal] = frozenset()
            self._unmatched.append(literal)

    def insert(self, clause: Clause, because: Reason) -> None:
        """Add a clause, shortened by the facts, unless it says nothing new."""
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
        self._stuck = False
        self.clauses[clause] = because
        self._store.add(clause)
        if len(clause) == 1:
            self._units |= dict.fromkeys(clause)

    def _remove(self, clause: Clause) -> Reason:
        self._store.remove(clause)
        return self.clauses.pop(clause)

    def proved(self, check_clock: Callable[[], None] = lambda: None) -> Iterator[tuple[int, Reason]]:
        """Literals as they move to KB0, until nothing more follows. Each is matched with KB only when the next one is
        asked for, so the caller may `tell` before that what its cell shows. ``check_clock`` is called regularly."""
        while True:
            while self._unmatched:
                check_clock()
                self._match_unit(self._unmatched.pop(0))
            if self._units:
                yield self._take_unit()
            elif not self.match_pairs(check_clock):
                return

    def _take_unit(self) -> tuple[int, Reason]:
        literal = next(iter(self._units))
        del self._units[literal]
        because = self.facts.setdefault(literal, self._remove(frozenset((literal,))))
        self._unmatched.append(literal)
        return literal, because

    def _match_unit(self, literal: int) -> None:
        """Match a literal of KB0 with all of KB: remove the clauses that it satisfies, and shorten others."""
        self._idle = 0
        self._stuck = False
        for satisfied in list(self._store.holding([literal])):
            self._remove(satisfied)
        self._units.pop(literal, None)
        for shortened in sorted(self._store.holding([-literal]), key=order):
            if shortened in self.clauses:  # it may have gone since, when a clause that is a part of it was inserted
                self.insert(shortened, self._remove(shortened))

    def match_pairs(self, check_clock: Callable[[], None] = lambda: None) -> bool:
        """Match all pairs in one round. Return False if stuck."""
        if self._stuck or not self.clauses or self._idle == self.most_rounds:
            return False
        changed = _Round(self, sorted(self.clauses, key=order)).match(check_clock)
        self.rounds += 1
        self._idle += 1
        self._stuck = not changed
        return changed


class _Round:
    """One round of matching. Its *members* are the clauses that KB has when the round begins.

    Most matches just insert both members again, which matters only if one of them was gone. No member is a part of
    another. So a member that cannot come back once cannot do so in this whole round: KB has a new clause that is a part
    of it, and that clause is replaced only by parts of itself.
    """

    def __init__(self, base: KnowledgeBase, members: list[Clause]) -> None:
        self._base = base
        self._members = members
        self._because = dict(base.clauses)
        self._place = {clause: place for place, clause in enumerate(members)}
        self._index = base._store_of()
        for clause in members:
            self._index.add(clause)
        self._gone: list[int] = []  # sorted places of the members that were replaced, and may come back

    def match(self, check_clock: Callable[[], None]) -> bool:
        """Match each member with those after it. Return whether KB has changed."""
        try:
            for place, member in enumerate(self._members):
                check_clock()
                done = place + 1
                for partner in self._partners(place, member):
                    self._come_back(place, done, partner)
                    self._resolve(place, partner)
                    done = partner + 1
                self._come_back(place, done, len(self._members))
        except (OutOfTime, Cancelled, KeyboardInterrupt):  # no member may be lost
            self._put_in(self._gone)
            raise
        return self._base.clauses.keys() != self._place.keys()

    def _partners(self, place: int, member: Clause) -> list[int]:
        """The places of the later members with which a member resolves."""
        most = self._base.literals
        partners = []
        for other in self._index.holding([-literal for literal in member]):
            short = most is None or min(len(member), len(other)) <= most
            if short and self._place[other] > place and sum(-literal in other for literal in member) == 1:
                partners.append(self._place[other])
        return sorted(partners)

    def _come_back(self, place: int, first: int, end: int) -> None:
        """Insert again a member and those from ``first`` to before ``end``, with which it does not resolve, if gone."""
        if first == end or not self._gone:
            return
        low, high = bisect_left(self._gone, first), bisect_left(self._gone, end)
        back = self._gone[low:high]
        del self._gone[low:high]
        index = bisect_left(self._gone, place)
        if index < len(self._gone) and self._gone[index] == place:
            back.append(self._gone.pop(index))
        self._put_in(back)

    def _put_in(self, places: list[int]) -> None:
        for place in places:
            clause = self._members[place]
            self._base.insert(clause, self._because[clause])

    def _resolve(self, place: int, partner: int) -> None:
        """Replace two members by their resolvent."""
        base = self._base
        parents = self._members[place], self._members[partner]
        resolvent = resolve(*parents)
        assert resolvent is not None
        if not base.keep_parents:
            for parent, clause in zip((place, partner), parents, strict=True):
                if clause in base.clauses:
                    base._remove(clause)
                    insort(self._gone, parent)
        base.insert(resolvent, self._because[parents[0]] | self._because[parents[1]])


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
    keep_parents: bool = False,
    rounds: int | None = ROUNDS,
    store: str = "index",
) -> Deductions:
    """All cells that matching proves. Sound; not complete, even without limits, because it ignores the mine count.

    >>> from mineproof import Position
    >>> infer(Position.from_text("3x2x2\\nHHH\\n121")).safe
    CellSet.parse('B1')
    """
    base = KnowledgeBase(literals, keep_parents, rounds, store)
    with Reasoning(position, "matching", limit) as reasoning:
        reasoning.note(base)
        try:
            for clue, cells, mines in watched(reasoning.read().constraints, reasoning.clock, every=16):
                base.tell([cell + 1 for cell in cells], mines, frozenset((clue,)))
            for literal, because in base.proved(reasoning.clock.check):
                reasoning.prove([abs(literal) - 1], mine=literal > 0, because=because)
        except Contradiction as contradiction:
            raise reasoning.contradiction(contradiction.because) from None
    return reasoning.deductions


class Follower:
    """One knowledge base for a whole game, as in the report: one literal is processed at a time, and the cell that it
    makes safe is opened before anything else is concluded.

    >>> from mineproof import Position
    >>> player = Follower()
    >>> [len(player.infer(Position.from_text(f"3x1x1\\n{row}")).safe) for row in ("1HH", "1HS")]
    [0, 1]
    """

    def __init__(self, **options: Any) -> None:
        """The options are those of `infer`."""
        self._options = options
        self.base = KnowledgeBase(**options)
        self._followed = Followed()
        self._pending_cells: deque[int] = deque()  # newly open cells that are not in KB0 yet
        self._pending_clues: deque[int] = deque()  # newly open cells whose numbers are not in KB yet

    def infer(self, position: Position, limit: Limit = DEFAULT) -> Deductions:
        """All proved cells that are still closed, as soon as one of them can be opened."""
        with Reasoning(position, "matching", limit) as reasoning:
            other_game, new = self._followed.see(position)
            if other_game:
                self.base = KnowledgeBase(**self._options)
                self._pending_cells.clear()
                self._pending_clues.clear()
            self._pending_cells += new
            self._pending_clues += new
            reasoning.note(self.base)
            try:
                self._tell(position, reasoning.clock)
                self._prove(reasoning)
                if not reasoning.deductions.safe:
                    for literal, _ in self.base.proved(reasoning.clock.check):
                        if literal < 0 and position.cells[-literal - 1] in _CLOSED:
                            break
                    self._prove(reasoning)
            except Contradiction:
                self._followed = Followed()  # some clue in the knowledge base is wrong, so begin again
                raise reasoning.wrong() from None
        return reasoning.deductions

    def _tell(self, position: Position, clock: Clock) -> None:
        """Add newly open cells, and cells named safe by the game. A number is a clause over all cells around it. Cells
        that there is no time for are added next time."""
        grid = position.grid
        for index in watched(emptied(self._pending_cells), clock):
            symbol = chr(position.cells[index])
            if symbol == "S":
                self.base.insert(frozenset((-index - 1,)), frozenset())
            else:
                self.base.know(index + 1 if symbol in MINES else -index - 1)
        for index in watched(emptied(self._pending_clues), clock, every=16):
            number = position.clue(grid.cell(index))
            if number is not None:
                around = [grid.index(near) + 1 for near in grid.neighbours(grid.cell(index))]
                self.base.tell(around, number, frozenset((index,)))

    def _prove(self, reasoning: Reasoning) -> None:
        """Prove the facts about cells that are still closed."""
        for literal, because in self.base.facts.items():
            if reasoning.position.cells[abs(literal) - 1] in _CLOSED:
                reasoning.prove([abs(literal) - 1], mine=literal > 0, because=because)
