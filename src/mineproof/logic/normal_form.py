"""Normal forms: two neighbouring clues written out as all their arrangements, and one cell decided by contradiction.

For a clue with few unknown cells, write all ways to lay its mines, and those of a clue that shares cells with it. Take
the cell that is mined in the fewest of these arrangements. If no arrangement of the one goes with any of the other
while it is a mine, it is safe; if none does while it is safe, it is a mine.

Source: Nguyen and Kafafian, "S.M.I.L.E." (2021), where clues of at most three unknown cells are looked at. Of cells
that are mined equally seldom each is tried, in the order of the board.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import lru_cache
from itertools import chain, combinations
from typing import TYPE_CHECKING

from mineproof.limit import DEFAULT, Limit
from mineproof.logic.constraints import watched
from mineproof.logic.reasoning import Reasoning, check_option

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
    with Reasoning(position, "normal-form", limit) as reasoning:
        reasoning.settle()
        while _one_cell(reasoning, unknowns):
            reasoning.settle()
    return reasoning.found


def _one_cell(reasoning: Reasoning, unknowns: int) -> bool:
    """Decide one cell, if any pair of clues does."""
    seen_by: dict[int, list[int]] = defaultdict(list)  # the clues around a cell, by their place among the open ones
    for place, clue in enumerate(watched(reasoning.open, reasoning.clock)):
        for cell in clue.cells:
            seen_by[cell].append(place)
    for one in reasoning.open:
        if len(one.cells) > unknowns:
            continue
        reasoning.clock.check()
        for place in sorted({place for cell in one.cells for place in seen_by[cell]}):
            other = reasoning.open[place]
            if other is one:
                continue
            decided = contradiction(reasoning, one, other)
            if decided is not None:
                cell, mine = decided
                because = reasoning.reason(one) | reasoning.reason(other)
                reasoning.prove([cell], mine=mine, because=because)
                return True
    return False


@lru_cache(maxsize=4096)
def arrangements(constraint: Constraint) -> list[frozenset[int]]:
    """All ways to lay the mines of a clue."""
    return list(map(frozenset, combinations(constraint.cells, constraint.mines)))


def contradiction(reasoning: Reasoning, one: Constraint, other: Constraint) -> tuple[int, bool] | None:
    """The least frequent cell and whether it is a mine, if one of the two ways contradicts itself."""
    shared = set(one.cells).intersection(other.cells)
    form, other_form = arrangements(one), arrangements(other)
    mined_in = Counter(dict.fromkeys((*one.cells, *other.cells), 0))
    mined_in.update(chain.from_iterable((*form, *other_form)))
    together = [a | b for a in form for b in other_form if a & shared == b & shared]
    if not together:
        raise reasoning.contradiction(reasoning.reason(one) | reasoning.reason(other))
    least = min(mined_in.values())
    for cell in sorted(cell for cell, times in mined_in.items() if times == least):
        ways = {cell in mines for mines in together}
        if len(ways) == 1:
            return cell, ways.pop()
    return None
