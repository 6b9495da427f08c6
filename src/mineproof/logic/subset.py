"""Pairs of clues, as strong human players read them.

Two clues that share cells cut them into three groups: those of the one alone, of the other alone, and of both. The
numbers bound the mines in each group; where a bound is tight the whole group is decided. This holds the patterns that
players know by name (1-1, 1-2, 1-2-1, 1-2-2-1). And where the cells of one clue lie inside those of another, the
difference is a clue of its own, which joins in as if it stood on the board.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from mineproof.errors import OutOfTime
from mineproof.limit import DEFAULT, Limit
from mineproof.logic.knowledge import Knowledge, inconsistent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mineproof.board.position import Position
    from mineproof.logic.deduction import Deductions
    from mineproof.logic.knowledge import Reason


class Group(NamedTuple):
    """Cells that hold so many mines, by a clue or by the difference of two."""

    cells: frozenset[int]
    mines: int
    because: Reason


def infer(position: Position, limit: Limit = DEFAULT) -> Deductions:
    """All that single clues and pairs of clues prove. Sound; not complete.

    >>> from mineproof import Position
    >>> print(*infer(Position.from_text("3x2x2\\nHHH\\n121")), sep="\\n")
    C1 is a mine, by clues A2, B2
    B1 is safe, by clues A2, B2, C2
    A1 is a mine, by clues A2, B2, C2
    """
    knowledge = Knowledge(position, "subset", limit)
    try:
        knowledge.settle()
        while _pairs(knowledge):
            knowledge.settle()
    except OutOfTime:
        pass  # what was found until then
    return knowledge.found


def _pairs(knowledge: Knowledge) -> bool:
    """Compare all groups that meet, and the differences that they leave; whether any cell was proved."""
    groups: dict[frozenset[int], Group] = {}
    holding: dict[int, list[Group]] = defaultdict(list)
    waiting = [Group(frozenset(c.cells), c.mines, knowledge.reason(c)) for c in knowledge.open]
    proved = len(knowledge.facts)
    while waiting and proved == len(knowledge.facts):
        knowledge.check_time()
        one = waiting.pop(0)
        if groups.setdefault(one.cells, one).mines != one.mines:
            raise inconsistent(knowledge.position)
        if groups[one.cells] is not one:
            continue
        for other in list({id(group): group for cell in one.cells for group in holding[cell]}.values()):
            for part in split(one, other):
                if part.mines in (0, len(part.cells)):
                    knowledge.prove(sorted(part.cells), mine=part.mines > 0, because=part.because)
                else:
                    waiting.append(part)
        for cell in one.cells:
            holding[cell].append(one)
    return len(knowledge.facts) > proved


def split(one: Group, other: Group) -> Iterator[Group]:
    """The three groups that two make, as far as their numbers of mines are known."""
    shared = one.cells & other.cells
    rest_of_one, rest_of_other = one.cells - shared, other.cells - shared
    least = max(0, one.mines - len(rest_of_one), other.mines - len(rest_of_other))
    most = min(len(shared), one.mines, other.mines)
    because = one.because | other.because
    for cells, low, high in (
        (shared, least, most),
        (rest_of_one, one.mines - most, one.mines - least),
        (rest_of_other, other.mines - most, other.mines - least),
    ):
        if cells and low == high:
            yield Group(cells, low, because)
