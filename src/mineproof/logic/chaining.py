"""Forward chaining: clauses are resolved with each other until nothing new appears; clauses of one literal are moves.

A whole board has far too many clauses. So each knowledge base is *local*: it has the clues of an area around a cell of
interest. Cells of interest are those whose row and column are multiples of 5. An area grows only if all its clauses
have been resolved without reaching the limit on their number.

Source: McIntyre, "Minesweeper" (2016), whose limit is about 300 clauses. Areas first extend two cells to each side, so
that they tile the board. The report keeps every clause that it finds; ``subsumption`` drops clauses implied by a
shorter one.

As printed, the report's Resolve is unsound: it removes one pair of opposite literals from the union of two clauses even
where the clauses disagree on more cells. So {A, B} and {¬A, ¬B} give {B, ¬B}, which with {A, B} gives {A}: of two cells
with one mine, A has it. Here clauses that disagree on more than one cell do not resolve. ``literal`` follows the
printed rule; its results may be false, so nothing is concluded from them, and the search ends with the first.
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
"""The most areas of a position whose clauses are noted; areas with a contradiction are always noted."""


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
    """All cells that single clues and chaining in areas prove. Sound, except with ``literal``; not complete.

    ``clauses`` is the limit of a knowledge base (None: no limit), ``every`` the distance between cells of interest,
    ``reach`` how far the first area extends to each side; ``subsumption`` drops clauses implied by a shorter one;
    ``literal`` uses the report's Resolve as printed.

    >>> from mineproof import Position
    >>> infer(Position.from_text("3x2x2\\nHHH\\n121")).safe
    CellSet.parse('B1')
    """
    for name, value, least in (("clauses", clauses, 1), ("every", every, 1), ("reach", reach, 0)):
        check_option(name, value, least)
    rows, cols = position.grid.rows, position.grid.cols
    fruitless: dict[tuple[Constraint, ...], bool] = {}  # areas that proved nothing, and whether all was resolved
    with Reasoning(position, "chaining", limit) as reasoning:
        reasoning.settle()
        proved = -1
        while proved < len(reasoning.facts):
            proved = len(reasoning.facts)
            for centre in product(range(0, rows, every), range(0, cols, every)):
                for area in growing(reasoning, centre, reach, fruitless):
                    result = saturate(reasoning, area, clauses, subsumption, literal)
                    if result.contradiction is not None and not literal:
                        raise reasoning.contradiction(result.contradiction)
                    for unit, because in result.units.items():
                        if not literal or abs(unit) - 1 not in reasoning.facts:
                            reasoning.prove([abs(unit) - 1], mine=unit > 0, because=because)
                    if not result.units:
                        fruitless[area] = result.exhausted
                    elif literal:
                        return reasoning.deductions
    return reasoning.deductions


def growing(
    reasoning: Reasoning, centre: tuple[int, int], reach: int, fruitless: dict[tuple[Constraint, ...], bool]
) -> Iterator[tuple[Constraint, ...]]:
    """Areas around a cell, each again while it proves something; larger ones until one has too many clauses."""
    widest = max(reasoning.position.grid.rows, reasoning.position.grid.cols)
    while reach <= widest:
        reasoning.clock.check()
        reasoning.settle()
        area = tuple(clues_near(reasoning, centre, reach))
        if area and area not in fruitless:
            yield area
        elif fruitless.get(area, True):
            reach += 1
        else:
            return


def clues_near(reasoning: Reasoning, centre: tuple[int, int], reach: int) -> Iterator[Constraint]:
    """The open clues within this distance, and the number of mines if it is one of the clues."""
    clues, clue_of = reasoning.open, attrgetter("clue")
    rows, cols = reasoning.position.grid.rows, reasoning.position.grid.cols
    yield from clues[: bisect_left(clues, 0, key=clue_of)]
    for row in range(max(0, centre[0] - reach), min(rows, centre[0] + reach + 1)):
        first = bisect_left(clues, row * cols + max(0, centre[1] - reach), key=clue_of)
        last = bisect_left(clues, row * cols + min(cols, centre[1] + reach + 1), lo=first, key=clue_of)
        yield from clues[first:last]


class Area(NamedTuple):
    """The knowledge base of one area, for the notes."""

    clues: tuple[int, ...]
    supposed: int | None
    """The literal that was supposed, if any."""
    premises: int
    """The number of clauses that state the clues and the supposed literal; the others were resolved."""
    size: int
    """The number of all clauses."""
    exhausted: bool
    clauses: list[tuple[list[int], Reason]]
    """The clauses with their reasons, premises first; empty if many areas were noted before (`MOST_NOTED`)."""


class Saturated(NamedTuple):
    """The result of resolving all pairs."""

    exhausted: bool
    """False when there were more clauses than allowed."""
    units: dict[int, Reason]
    """The literals that follow, with their reasons."""
    contradiction: Reason | None
    """The reason of the empty clause, if it follows."""


def saturate(
    reasoning: Reasoning,
    area: Collection[Constraint],
    most: int | None,
    subsumption: bool,
    as_printed: bool = False,
    supposed: int | None = None,
    set_of_support: bool = False,
) -> Saturated:
    """Resolve all pairs of clauses that state an area's clues and the ``supposed`` literal, until nothing new or the
    empty clause appears. The variable of a cell is its index + 1. With ``set_of_support``, only clauses that descend
    from the supposed literal are made.
    """
    base: dict[int, Reason] = {}  # clauses as sets of bits, see `Bits`
    bits = Bits()
    units, exhausted = {}, False
    fit = _add_clauses(reasoning, area, bits, base, most)
    if fit and supposed is not None:
        base[bits.of([supposed])] = frozenset()
    premises = len(base)
    if fit:
        waiting = deque(base)
        done: dict[int, list[int]] = defaultdict(list)  # by their literals
        if supposed is not None and set_of_support:
            waiting = deque([waiting.pop()])
            for clause in list(base)[:-1]:
                for bit in bits.each(clause):
                    done[bit].append(clause)
        exhausted = resolve_all(reasoning, bits, base, waiting, done, most, subsumption, as_printed)
        units = {bits.literal(bit): because for bit, because in base.items() if bit and not bit & (bit - 1)}
    if reasoning.notes is not None:
        kept = base.items() if len(reasoning.notes) < MOST_NOTED or 0 in base else ()
        clauses = [([bits.literal(bit) for bit in bits.each(clause)], because) for clause, because in kept]
        clues = tuple(constraint.clue for constraint in area)
        reasoning.notes.append(Area(clues, supposed, premises, len(base), exhausted, clauses))
    return Saturated(exhausted, units, base.get(0))


def _add_clauses(
    reasoning: Reasoning, area: Iterable[Constraint], bits: Bits, base: dict[int, Reason], most: int | None
) -> bool:
    """Add the clauses of an area to a knowledge base. Return whether they are at most as many as allowed."""
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
    """Resolve each waiting clause with the finished ones. Return False if there were more clauses than allowed."""
    dropped: set[int] = set()
    while waiting:
        reasoning.clock.check()
        clause = waiting.popleft()
        opposite = bits.negated(clause)
        for literal in bits.each(opposite):
            for other in done[literal]:
                if opposite & other != literal and not as_printed:  # their resolvent would always be true
                    continue
                new = (clause | other) & ~(literal | bits.negated(literal))
                if new in base or clause in dropped or other in dropped:
                    continue
                reasoning.clock.check()
                if subsumption:
                    if any(shorter & new == shorter and shorter not in dropped for shorter in base):
                        continue
                    dropped.update(longer for longer in base if longer & new == new)
                base[new] = base[clause] | base[other]
                waiting.append(new)
                if not new:
                    return True
                if most is not None and len(base) - len(dropped) > most:
                    return False
        for literal in bits.each(clause):
            done[literal].append(clause)
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
        """The clause with these literals."""
        bits = 0
        for literal in clause:
            variable = abs(literal)
            if variable not in self._place:
                self._place[variable] = 2 * len(self._place)
                self._variables.append(variable)
                self._even = self._even << 2 | 1
            bits |= 1 << self._place[variable] + (literal < 0)
        return bits

    def negated(self, clause: int) -> int:
        """The opposites of all literals of a clause."""
        return (clause & self._even) << 1 | clause >> 1 & self._even

    def each(self, clause: int) -> Iterator[int]:
        """The literals of a clause, one bit each."""
        while clause:
            yield clause & -clause
            clause &= clause - 1

    def literal(self, bit: int) -> int:
        """The literal of a bit."""
        place = bit.bit_length() - 1
        return -self._variables[place // 2] if place % 2 else self._variables[place // 2]
