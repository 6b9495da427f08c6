"""Normal forms: two neighbouring clues written out as all their arrangements, and one cell decided by contradiction.

For a clue with few unknown cells, write all ways to lay its mines, and those of a clue that shares cells with it. Take
the cell that is mined in the fewest of these arrangements. If no arrangement of the one goes with any of the other
while it is a mine, it is safe; if none does while it is safe, it is a mine.

Source: Nguyen and Kafafian, "S.M.I.L.E." (2021), where clues of at most three unknown cells are looked at. Of cells
that are mined equally seldom each is tried, in the order of the board.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import chain, combinations
from typing import TYPE_CHECKING

from mineproof.errors import OutOfTime
from mineproof.limit import DEFAULT, Limit
from mineproof.logic.knowledge import Knowledge, check_option, inconsistent

if TYPE_CHECKING:
    from mineproof.board.position import Position
    from mineproof.logic.constraints import Constraint
    from mineproof.logic.deduction import Deductions

UNKNOWNS = 3
"""Of the report."""


def infer(position: Position, limit: Limit = DEFAULT, *, unknowns: int = UNKNOWNS) -> Deductions:
    """All that single clues prove, and pairs of which one has at most so many unknown cells. Sound; not complete.

    >>> from mineproof import Position
    >>> print(*infer(Position.from_text("4x2x1\\n01HH\\n02HH")), sep="\\n")
    Traceback (most recent call last):
    mineproof.errors.InconsistentPosition: the clues B1, B2 cannot all be right
    >>> print(*infer(Position.from_text("3x2x2\\nHHH\\n121")), sep="\\n")
    C1 is a mine, by clues A2, B2
    B1 is safe, by clues A2, B2, C2
    A1 is a mine, by clues A2, B2, C2
    """
    check_option("unknowns", unknowns)
    knowledge = Knowledge(position, "normal-form", limit)
    try:
        knowledge.settle()
        while _one_cell(knowledge, unknowns):
            knowledge.settle()
    except OutOfTime:
        pass  # what was found until then
    return knowledge.found


def _one_cell(knowledge: Knowledge, unknowns: int) -> bool:
    """Decide one cell, if any pair of clues does."""
    clues = list(knowledge.open)
    for one in clues:
        if len(one.cells) > unknowns:
            continue
        knowledge.check_time()
        for other in clues:
            if other is one or set(one.cells).isdisjoint(other.cells):
                continue
            decided = contradiction(knowledge, one, other)
            if decided is not None:
                cell, mine = decided
                because = knowledge.reason(one) | knowledge.reason(other)
                knowledge.prove([cell], mine=mine, because=because)
                return True
    return False


@lru_cache(maxsize=4096)
def arrangements(constraint: Constraint) -> list[frozenset[int]]:
    """All ways to lay the mines of a clue."""
    return list(map(frozenset, combinations(constraint.cells, constraint.mines)))


def contradiction(knowledge: Knowledge, one: Constraint, other: Constraint) -> tuple[int, bool] | None:
    """The least frequent cell and whether it is a mine, if one of the two ways contradicts itself."""
    shared = set(one.cells).intersection(other.cells)
    form, other_form = arrangements(one), arrangements(other)
    mined_in = Counter(dict.fromkeys((*one.cells, *other.cells), 0))
    mined_in.update(chain.from_iterable((*form, *other_form)))
    together = [a | b for a in form for b in other_form if a & shared == b & shared]
    if not together:
        raise inconsistent(knowledge.position)
    least = min(mined_in.values())
    for cell in sorted(cell for cell, times in mined_in.items() if times == least):
        ways = {cell in mines for mines in together}
        if len(ways) == 1:
            return cell, ways.pop()
    return None
