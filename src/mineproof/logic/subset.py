"""Pairs of clues, as strong human players read them.

Two clues that share cells cut them into three groups: those of the one alone, of the other alone, and of both. The
numbers bound the mines in each group; where a bound is tight the whole group is decided. This holds the patterns that
players know by name (1-1, 1-2, 1-2-1, 1-2-2-1). And where the cells of one clue lie inside those of another, the
difference is a clue of its own, which joins in as if it stood on the board.
"""

from __future__ import annotations

from collections import defaultdict, deque
from typing import TYPE_CHECKING, NamedTuple

from mineproof.limit import DEFAULT, Limit
from mineproof.logic.constraints import watched
from mineproof.logic.reasoning import Reasoning

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mineproof.board.position import Position
    from mineproof.logic.deduction import Deductions
    from mineproof.logic.reasoning import Reason


class Group(NamedTuple):
    """Cells with a known number of mines, by a clue or by the difference of two."""

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
    with Reasoning(position, "subset", limit) as reasoning:
        reasoning.settle()
        while _pairs(reasoning):
            reasoning.settle()
    return reasoning.found


def _pairs(reasoning: Reasoning) -> bool:
    """Compare all groups that share cells, and their differences. Return whether any cell was proved."""
    groups: dict[frozenset[int], Group] = {}
    holding: dict[int, list[Group]] = defaultdict(list)
    waiting = deque(
        Group(frozenset(c.cells), c.mines, reasoning.reason(c)) for c in watched(reasoning.open, reasoning.clock)
    )
    proved = len(reasoning.facts)
    while waiting and proved == len(reasoning.facts):
        reasoning.clock.check()
        one = waiting.popleft()
        same = groups.setdefault(one.cells, one)
        if same.mines != one.mines:
            raise reasoning.contradiction(same.because | one.because)
        if same is not one:
            continue
        for other in list({id(group): group for cell in one.cells for group in holding[cell]}.values()):
            for part in split(one, other):
                if part.mines in (0, len(part.cells)):
                    reasoning.prove(sorted(part.cells), mine=part.mines > 0, because=part.because)
                else:
                    waiting.append(part)
        for cell in one.cells:
            holding[cell].append(one)
    return len(reasoning.facts) > proved


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
