"""Forward chaining: clauses are resolved with each other until nothing new appears; those of one literal are moves.

A whole board has far too many clauses. So the knowledge base is *local*: the clues in an area around a cell of
interest, which are the cells whose row and column are both multiples of 5. Only when inference is exhausted below a
limit of clauses does the area grow.

Source: McIntyre, "Minesweeper" (2016), whose limit is about 300 clauses. Areas begin with two cells to each side, so
that they tile the board. The report keeps every clause that it finds; ``subsumption`` drops those that a shorter one
makes needless.
"""

from __future__ import annotations

from collections import defaultdict, deque
from typing import TYPE_CHECKING

from mineproof.errors import OutOfTime
from mineproof.limit import DEFAULT, Limit
from mineproof.logic.clauses import Clause, exactly, resolve
from mineproof.logic.constraints import COUNT
from mineproof.logic.knowledge import Knowledge, inconsistent

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mineproof.board.position import Position
    from mineproof.logic.constraints import Constraint
    from mineproof.logic.deduction import Deductions
    from mineproof.logic.knowledge import Reason

CLAUSES = 300
EVERY = 5
REACH = 2


def infer(
    position: Position,
    limit: Limit = DEFAULT,
    *,
    clauses: int | None = CLAUSES,
    every: int = EVERY,
    reach: int = REACH,
    subsumption: bool = False,
) -> Deductions:
    """All that single clues and chaining in areas prove. Sound; not complete.

    ``clauses`` is the limit of a knowledge base (None: no limit), ``every`` the distance between cells of interest,
    ``reach`` how far the first area goes to each side.

    >>> from mineproof import Position
    >>> infer(Position.from_text("3x2x2\\nHHH\\n121")).safe
    frozenset({Cell(row=0, col=1)})
    """
    knowledge = Knowledge(position, "chaining", limit)
    rows, cols = position.grid.rows, position.grid.cols
    centres = [(row, col) for row in range(0, rows, every) for col in range(0, cols, every)]
    dull: dict[tuple[Constraint, ...], bool] = {}  # areas that gave nothing, and whether they were exhausted
    try:
        proved = -1
        while proved < len(knowledge.facts):
            proved = len(knowledge.facts)
            for centre in centres:
                for area in growing(knowledge, centre, reach, dull):
                    base = clauses_of(knowledge, area)
                    exhausted = saturate(knowledge, base, clauses, subsumption)
                    if not _prove_units(knowledge, base):
                        dull[area] = exhausted
    except OutOfTime:
        pass  # what was found until then
    return knowledge.found


def growing(
    knowledge: Knowledge, centre: tuple[int, int], reach: int, dull: dict[tuple[Constraint, ...], bool]
) -> Iterator[tuple[Constraint, ...]]:
    """The clues around a cell, again and again: the same area while it gives something, a larger one when it is
    exhausted, and none when it was too large."""
    widest = max(knowledge.position.grid.rows, knowledge.position.grid.cols)
    while reach <= widest:
        knowledge.settle()
        area = tuple(near(knowledge, centre, reach))
        if area and area not in dull:
            yield area
        elif dull.get(area, True):
            reach += 1
        else:
            return


def near(knowledge: Knowledge, centre: tuple[int, int], reach: int) -> Iterator[Constraint]:
    """The open clues that are at most so far away."""
    cols = knowledge.position.grid.cols
    for constraint in knowledge.open:
        row, col = divmod(constraint.clue, cols)
        if constraint.clue == COUNT or (abs(row - centre[0]) <= reach and abs(col - centre[1]) <= reach):
            yield constraint


def clauses_of(knowledge: Knowledge, constraints: Iterable[Constraint]) -> dict[Clause, Reason]:
    """Clauses of clues, each with its reason. The variable of a cell is its index + 1."""
    return {
        frozenset(clause): knowledge.reason(constraint)
        for constraint in constraints
        for clause in exactly(constraint.mines, [cell + 1 for cell in constraint.cells])
    }


def saturate(knowledge: Knowledge, base: dict[Clause, Reason], most: int | None, subsumption: bool) -> bool:
    """Resolve all pairs; what is found joins the base. False when there were more clauses than allowed.

    The empty clause ends it too."""
    waiting = deque(base)
    done: dict[int, list[Clause]] = defaultdict(list)  # by literal
    dropped: set[Clause] = set()
    while waiting:
        knowledge.check_time()
        one = waiting.popleft()
        for other in [other for literal in one for other in done[-literal]]:
            if one in dropped:
                break
            new = resolve(one, other)
            if new is None or new in base or other in dropped:
                continue
            if subsumption:
                if any(clause <= new and clause not in dropped for clause in base):
                    continue
                dropped.update(clause for clause in base if clause > new)
            base[new] = base[one] | base[other]
            waiting.append(new)
            if not new:
                return True
            if most is not None and len(base) - len(dropped) > most:
                return False
        for literal in one:
            done[literal].append(one)
    return True


def _prove_units(knowledge: Knowledge, base: dict[Clause, Reason]) -> bool:
    """Clauses of one literal are facts; whether there were any."""
    units = [(clause, because) for clause, because in base.items() if len(clause) < 2]
    for clause, because in units:
        if not clause:
            raise inconsistent(knowledge.position)
        (literal,) = clause
        knowledge.prove([abs(literal) - 1], mine=literal > 0, because=because)
    return bool(units)
