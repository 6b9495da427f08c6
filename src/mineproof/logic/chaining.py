"""Forward chaining: clauses are resolved with each other until nothing new appears; those of one literal are moves.

A whole board has far too many clauses. So the knowledge base is *local*: the clues in an area around a cell of
interest, which are the cells whose row and column are both multiples of 5. Only when inference is exhausted below a
limit of clauses does the area grow.

Source: McIntyre, "Minesweeper" (2016), whose limit is about 300 clauses. Areas begin with two cells to each side, so
that they tile the board. The report keeps every clause that it finds; ``subsumption`` drops those implied by a
shorter one.

As printed, Resolve is unsound: it takes a pair of literals out of the union of two clauses even where they disagree on
more. So {A, B} and {¬A, ¬B} give {B, ¬B}, and that with {A, B} gives {A}: of two cells with one mine, A has it. Here
clauses that disagree on more than one cell do not resolve; ``literal`` does as printed. What it finds may be false, so
nothing is built on it: it is told as soon as there is any.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict, deque
from itertools import product
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from mineproof.limit import DEFAULT, Limit
from mineproof.logic.clauses import exactly
from mineproof.logic.reasoning import Reasoning, check_option

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from mineproof.board.position import Position
    from mineproof.logic.constraints import Constraint
    from mineproof.logic.deduction import Deductions
    from mineproof.logic.reasoning import Reason

CLAUSES = 300
EVERY = 5
REACH = 2
MOST_NOTED = 24
"""The most areas of a position whose clauses are kept in the notes, besides those with a contradiction."""


def infer(
    position: Position,
    limit: Limit = DEFAULT,
    *,
    clauses: int | None = CLAUSES,
    every: int = EVERY,
    reach: int = REACH,
    subsumption: bool = False,
    literal: bool = False,
) -> Deductions:
    """All that single clues and chaining in areas prove. Sound, except ``literal``; not complete.

    ``clauses`` is the limit of a knowledge base (None: no limit), ``every`` the distance between cells of interest,
    ``reach`` how far the first area goes to each side; with ``subsumption``, clauses implied by a shorter one are
    dropped; ``literal`` is the report's Resolve as printed.

    >>> from mineproof import Position
    >>> infer(Position.from_text("3x2x2\\nHHH\\n121")).safe
    CellSet.parse('B1')
    """
    for name, value, least in (("clauses", clauses, 1), ("every", every, 1), ("reach", reach, 0)):
        check_option(name, value, least)
    rows, cols = position.grid.rows, position.grid.cols
    dull: dict[tuple[Constraint, ...], bool] = {}  # areas that gave nothing, and whether they were exhausted
    with Reasoning(position, "chaining", limit) as reasoning:
        reasoning.settle()
        proved = -1
        while proved < len(reasoning.facts):
            proved = len(reasoning.facts)
            for centre in product(range(0, rows, every), range(0, cols, every)):
                for area in growing(reasoning, centre, reach, dull):
                    found = saturate(reasoning, area, clauses, subsumption, literal)
                    if found.contradiction is not None and not literal:
                        raise reasoning.contradiction(found.contradiction)
                    for unit, because in found.units.items():
                        if not literal or abs(unit) - 1 not in reasoning.facts:
                            reasoning.prove([abs(unit) - 1], mine=unit > 0, because=because)
                    if not found.units:
                        dull[area] = found.exhausted
                    elif literal:
                        return reasoning.found
    return reasoning.found


def growing(
    reasoning: Reasoning, centre: tuple[int, int], reach: int, dull: dict[tuple[Constraint, ...], bool]
) -> Iterator[tuple[Constraint, ...]]:
    """The clues around a cell, repeatedly: the same area while it gives something, a larger one when it is exhausted,
    and none when it was too large."""
    widest = max(reasoning.position.grid.rows, reasoning.position.grid.cols)
    while reach <= widest:
        reasoning.clock.check()
        reasoning.settle()
        area = tuple(near(reasoning, centre, reach))
        if area and area not in dull:
            yield area
        elif dull.get(area, True):
            reach += 1
        else:
            return


def near(reasoning: Reasoning, centre: tuple[int, int], reach: int) -> Iterator[Constraint]:
    """The open clues within this distance; the number of mines is always included."""
    clues, clue_of = reasoning.open, attrgetter("clue")
    rows, cols = reasoning.position.grid.rows, reasoning.position.grid.cols
    yield from clues[: bisect_left(clues, 0, key=clue_of)]
    for row in range(max(0, centre[0] - reach), min(rows, centre[0] + reach + 1)):
        first = bisect_left(clues, row * cols + max(0, centre[1] - reach), key=clue_of)
        last = bisect_left(clues, row * cols + min(cols, centre[1] + reach + 1), lo=first, key=clue_of)
        yield from clues[first:last]


class Area(NamedTuple):
    """A knowledge base of some clues, for the notes."""

    clues: tuple[int, ...]
    supposed: int | None
    """The literal that was supposed, if any."""
    told: int
    """The number of clauses that the clues and the supposed literal say; resolving added the rest."""
    size: int
    """The number of all clauses."""
    exhausted: bool
    clauses: list[tuple[list[int], Reason]]
    """Literals and reasons, the told ones first; empty if there were very many areas before."""


class Saturated(NamedTuple):
    """The result of resolving all pairs."""

    exhausted: bool
    """False when there were more clauses than allowed."""
    units: dict[int, Reason]
    """Literals that follow."""
    contradiction: Reason | None
    """Why the empty clause follows, if it does."""


def saturate(
    reasoning: Reasoning,
    area: Collection[Constraint],
    most: int | None,
    subsumption: bool,
    literal: bool = False,
    supposed: int | None = None,
    set_of_support: bool = False,
) -> Saturated:
    """Resolve all pairs of the clauses of some clues, and of a literal that is ``supposed``, until nothing new or the
    empty clause appears. The variable of a cell is its index + 1. With ``set_of_support``, only what descends from the
    supposed literal is made.
    """
    base: dict[int, Reason] = {}  # clauses as sets of bits, see `Bits`
    bits = Bits()
    units, exhausted = {}, False
    fit = _tell(reasoning, area, bits, base, most)
    if fit and supposed is not None:
        base[bits.of([supposed])] = frozenset()
    told = len(base)
    if fit:
        waiting = deque(base)
        done: dict[int, list[int]] = defaultdict(list)  # by literal
        if supposed is not None and set_of_support:
            waiting = deque([waiting.pop()])
            for known in list(base)[:-1]:
                for one in bits.each(known):
                    done[one].append(known)
        exhausted = resolve_all(reasoning, bits, base, waiting, done, most, subsumption, literal)
        units = {bits.literal(one): because for one, because in base.items() if one and not one & (one - 1)}
    if reasoning.notes is not None:
        kept = base.items() if len(reasoning.notes) < MOST_NOTED or 0 in base else ()
        clauses = [([bits.literal(bit) for bit in bits.each(clause)], because) for clause, because in kept]
        clues = tuple(constraint.clue for constraint in area)
        reasoning.notes.append(Area(clues, supposed, told, len(base), exhausted, clauses))
    return Saturated(exhausted, units, base.get(0))


def _tell(
    reasoning: Reasoning, area: Iterable[Constraint], bits: Bits, base: dict[int, Reason], most: int | None
) -> bool:
    """Put the clauses of these clues into a knowledge base. Return whether they fit."""
    for constraint in area:
        because = reasoning.reason(constraint)
        for clause in exactly(constraint.mines, [cell + 1 for cell in constraint.cells]):
            reasoning.clock.check()
            base[bits.of(clause)] = because
            if most is not None and len(base) > most:
                return False
    return True


def resolve_all(
    reasoning: Reasoning,
    bits: Bits,
    base: dict[int, Reason],
    waiting: deque[int],
    done: dict[int, list[int]],
    most: int | None,
    subsumption: bool,
    as_printed: bool,
) -> bool:
    """Resolve each waiting clause with the finished ones. False if there were more clauses than allowed."""
    dropped: set[int] = set()
    while waiting:
        reasoning.clock.check()
        one = waiting.popleft()
        opposite = bits.negated(one)
        for literal in bits.each(opposite):
            for other in done[literal]:
                if opposite & other != literal and not as_printed:  # they disagree on more: what follows is always true
                    continue
                new = (one | other) & ~(literal | bits.negated(literal))
                if new in base or one in dropped or other in dropped:
                    continue
                reasoning.clock.check()
                if subsumption:
                    if any(clause & new == clause and clause not in dropped for clause in base):
                        continue
                    dropped.update(clause for clause in base if clause & new == new)
                base[new] = base[one] | base[other]
                waiting.append(new)
                if not new:
                    return True
                if most is not None and len(base) - len(dropped) > most:
                    return False
        for literal in bits.each(one):
            done[literal].append(one)
    return True


class Bits:
    """Clauses as integers, two bits per variable: resolving is then a few operations on integers.

    >>> bits = Bits()
    >>> bits.of([5, -7]), bits.negated(bits.of([5, -7])) == bits.of([-5, 7])
    (9, True)
    """

    def __init__(self) -> None:
        self._place: dict[int, int] = {}
        self._variables: list[int] = []
        self._even = 0

    def of(self, clause: Iterable[int]) -> int:
        """The clause of some literals."""
        found = 0
        for literal in clause:
            variable = abs(literal)
            if variable not in self._place:
                self._place[variable] = 2 * len(self._place)
                self._variables.append(variable)
                self._even = self._even << 2 | 1
            found |= 1 << self._place[variable] + (literal < 0)
        return found

    def negated(self, clause: int) -> int:
        """The opposites of all its literals."""
        return (clause & self._even) << 1 | clause >> 1 & self._even

    def each(self, clause: int) -> Iterator[int]:
        """Its literals, one bit each."""
        while clause:
            yield clause & -clause
            clause &= clause - 1

    def literal(self, bit: int) -> int:
        """The literal of a bit."""
        place = bit.bit_length() - 1
        return -self._variables[place // 2] if place % 2 else self._variables[place // 2]
