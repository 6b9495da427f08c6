"""What a method knows about a position while it reasons: facts with the clues that prove them, and open clues."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from mineproof.board.grid import CellSet, whole
from mineproof.board.position import position_of
from mineproof.errors import InconsistentPosition, InvalidArgument, OutOfTime
from mineproof.limit import Clock, Limit
from mineproof.logic.conflict import Conflict, conflict_of, conflicting, inconsistent
from mineproof.logic.constraints import COUNT, Constraint, once, problem_of, watched
from mineproof.logic.deduction import Deduction, Deductions, named_parts

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from types import TracebackType

    from mineproof.board.position import Position, Seen
    from mineproof.logic.constraints import Problem

Reason = frozenset[int]
"""Clues, as indices; `COUNT` among them when the number of mines was used."""

CLUE_BYTES, FACT_BYTES = 64, 400
"""Approximate bytes per clue in a reason, and per proved cell."""


_KEPT: ContextVar[list[Reasoning] | None] = ContextVar("kept reasonings", default=None)


@contextmanager
def noted() -> Iterator[list[Reasoning]]:
    """Collect the reasonings of all methods that run inside this block, with their notes.

    >>> from mineproof import METHODS, Position
    >>> with noted() as reasonings:
    ...     deductions = METHODS["csp"].infer(Position.from_text("3x1x1\\n1HH"))
    >>> [len(reasoning.constraints) for reasoning in reasonings]
    [1]
    """
    kept: list[Reasoning] = []
    token = _KEPT.set(kept)
    try:
        yield kept
    finally:
        _KEPT.reset(token)


class Reasoning:
    """A position, and what has been proved about it. The clock starts at once. Inside a ``with``, running out of time
    is not an error: it ends the block, and ``deductions`` has those made until then.

    >>> from mineproof import Limit, Position
    >>> with Reasoning(Position.from_text("3x1x1\\n1HH"), "example", Limit(seconds=2)) as reasoning:
    ...     reasoning.settle()
    >>> print(*reasoning.deductions)
    B1 is a mine, by clue A1
    """

    def __init__(self, position: Position | Seen, method: str, limit: Limit, *, mine_count: bool = False) -> None:
        self.clock = Clock(limit)
        self.position = position_of(position)
        self.method = method
        self.mine_count = mine_count
        """Whether the number of mines is one of the clues."""
        self.facts: dict[int, bool] = {}
        """Proved cells: whether each is a mine."""
        self.because: dict[int, Reason] = {}
        """The reason of each fact."""
        self.deductions = Deductions()
        self.constraints: dict[int, Constraint] = {}
        """The constraint of each clue, by its index."""
        self.open: list[Constraint] = []
        """The constraints without proved cells and without duplicates, in the order of the clues."""
        self.clue_checks = 0
        """The number of times that single-clue rules were applied to a clue."""
        self.notes: list[Any] | None = None
        """What the method notes for display; None unless somebody collects the notes (`noted`)."""
        kept = _KEPT.get()
        if kept is not None:
            self.notes = []
            kept.append(self)
        self._problem: Problem | None = None
        self._settled = -1  # the number of facts when single clues last proved nothing more
        self._memory_left = limit.memory
        self._named: tuple[Reason, CellSet] = frozenset(), CellSet()

    def note(self, note: object) -> None:
        """Keep a note, if somebody collects them."""
        if self.notes is not None:
            self.notes.append(note)

    def __enter__(self) -> Reasoning:
        return self

    def __exit__(self, _: type[BaseException] | None, end: BaseException | None, __: TracebackType | None) -> bool:
        self.deductions.ended = str(end or "")
        return isinstance(end, OutOfTime)

    def read(self) -> Problem:
        """The position as constraints, which are read on first use."""
        if self._problem is not None:
            return self._problem
        problem = problem_of(self.position, self.clock)
        constraints = [*problem.constraints, problem.mine_count] if self.mine_count else problem.constraints
        self.constraints = {constraint.clue: constraint for constraint in watched(constraints, self.clock)}
        self.open = once(constraints, self.clock)
        self._problem = problem
        if problem.named_safe:
            self.prove(problem.named_safe, mine=False, because=frozenset())
        return problem

    def prove(self, cells: Collection[int], *, mine: bool, because: Reason, method: str | None = None) -> None:
        """Record that these cells are mines, or safe. Cells that are proved already are skipped."""
        at = self.position.grid.cell
        new = []
        self.need(FACT_BYTES * len(cells))
        for cell in watched(cells, self.clock, every=1_024):
            if cell not in self.facts:
                self.facts[cell] = mine
                self.because[cell] = because
                new.append(at(cell))
            elif self.facts[cell] is not mine:
                raise self.contradiction(because | self.because[cell])
        if new:
            self._memory_left -= FACT_BYTES * len(new)
            clues = self._clues(because)
            self.deductions.append(Deduction(CellSet(new), mine, clues, method or self.method, COUNT in because))

    def _clues(self, because: Reason) -> CellSet:
        """The clues of a reason as cells. The last result is cached, because the same long reason often recurs."""
        if because is not self._named[0]:
            self.need(CLUE_BYTES * len(because))
            self._memory_left -= CLUE_BYTES * len(because)
            at = self.position.grid.cell
            self._named = because, CellSet([at(clue) for clue in watched(because, self.clock, 1_024) if clue >= 0])
        return self._named[1]

    def need(self, memory: int) -> None:
        """Raise `OutOfTime` if less memory than this, in bytes, is left of the limit."""
        if self._memory_left < memory:
            raise OutOfTime("the proved cells take more memory than the limit allows")

    def settle(self) -> None:
        """Apply single-clue rules until nothing new follows, and remove the proved cells from the open constraints."""
        self.read()
        facts = self.facts
        while self._settled < len(facts):
            proved = len(facts)
            self.clue_checks += len(self.open)
            left: dict[tuple[int, ...], Constraint] = {}
            for constraint in watched(self.open, self.clock):
                clue, cells, mines = constraint
                unknown = [cell for cell in cells if cell not in facts]
                if len(unknown) < len(cells):
                    mines -= len([cell for cell in cells if facts.get(cell)])
                    constraint = Constraint(clue, tuple(unknown), mines)
                if 0 < mines < len(unknown):
                    other = left.setdefault(constraint.cells, constraint)
                    if other.mines != mines:
                        raise self.contradiction(self.reason(constraint) | self.reason(other))
                elif mines not in (0, len(unknown)):
                    raise self.contradiction(self.reason(constraint))
                elif unknown:  # proved mines make the rest safe, or proved safe cells make the rest mines
                    used = [cell for cell in self.constraints[clue].cells if facts.get(cell) is (mines == 0)]
                    self.prove(unknown, mine=mines > 0, because=self.with_reasons(clue, used), method="single")
            self.open = list(left.values())
            self._settled = proved

    def reason(self, constraint: Constraint) -> Reason:
        """The clue of an open constraint, with the reasons of the facts that were removed from it."""
        removed = [cell for cell in self.constraints[constraint.clue].cells if cell not in constraint.cells]
        return self.with_reasons(constraint.clue, removed)

    def with_reasons(self, clue: int, cells: Iterable[int]) -> Reason:
        """A clue, together with the reasons of these proved cells."""
        return frozenset([clue]).union(*[self.because[cell] for cell in cells])

    # -- contradictions ------------------------------------------------------------------------------------------

    def contradiction(self, because: Reason) -> InconsistentPosition:
        """The error for contradicting clues. It names a minimal set of them, if there is time to find one."""
        at = self.position.grid.cell
        clues = [self.constraints[clue] for clue in because if clue != COUNT]
        try:
            if COUNT in because:
                return _refused(conflict_of(self.position, self.clock.rest()))
            fewest = conflicting(clues, self.clock)
            assert fewest is not None, "clues that contradict each other have a solution"
            return _refused(Conflict(CellSet(at(c.clue) for c in fewest), mine_count=False))
        except OutOfTime:
            known = CellSet(at(c.clue) for c in clues)
            if len(known) == 1 and COUNT not in because:
                return _refused(Conflict(known, mine_count=False))
            named = " and ".join(named_parts(known, COUNT in because))
            return InconsistentPosition(f"{named} contradict each other; time ran out before it was known which")

    def wrong(self) -> InconsistentPosition:
        """The error for clues that contradict each other anywhere in the position."""
        return inconsistent(self.position, self.clock)

    def miscount(self) -> InconsistentPosition:
        """The error for clues that can all be right, but not with this number of mines."""
        return _refused(Conflict(CellSet(), mine_count=True))


def _refused(conflict: Conflict) -> InconsistentPosition:
    return InconsistentPosition(conflict, conflict)


def check_option(name: str, value: int | None, least: int = 1) -> None:
    """Check that an option is a whole number, and at least ``least``; None means no limit."""
    if value is not None and whole(value, name) < least:
        raise InvalidArgument(f"{name} must be at least {least}, not {value}")
