"""Pairs of clues, as strong human players read them.

Two clues that share cells divide them into three groups: those of the first alone, of the second alone, and of both.
The numbers bound the mines in each group; if a bound is tight, the whole group is decided. This covers the patterns
that players know by name (1-1, 1-2, 1-2-1, 1-2-2-1). A group whose number of mines is known, but not decided, is used
like a clue of its own.
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
    """All cells that single clues and pairs of clues prove. Sound; not complete.

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
    return reasoning.deductions


def _pairs(reasoning: Reasoning) -> bool:
    """Compare all groups that share cells, and the groups that these make. Return whether any cell was proved."""
    groups: dict[frozenset[int], Group] = {}
    holding: dict[int, list[Group]] = defaultdict(list)
    waiting = deque(
        Group(frozenset(c.cells), c.mines, reasoning.reason(c)) for c in watched(reasoning.open, reasoning.clock)
    )
    proved = len(reasoning.facts)
    while waiting and proved == len(reasoning.facts):
        reasoning.clock.check()
        group = waiting.popleft()
        same = groups.setdefault(group.cells, group)
        if same.mines != group.mines:
            raise reasoning.contradiction(same.because | group.because)
        if same is not group:
            continue
        for other in list({id(near): near for cell in group.cells for near in holding[cell]}.values()):
            for part in split(group, other):
                if part.mines in (0, len(part.cells)):
                    reasoning.prove(sorted(part.cells), mine=part.mines > 0, because=part.because)
                else:
                    waiting.append(part)
        for cell in group.cells:
            holding[cell].append(group)
    return len(reasoning.facts) > proved


def split(first: Group, second: Group) -> Iterator[Group]:
    """Divide two groups into up to three whose numbers of mines are known."""
    shared = first.cells & second.cells
    first_only, second_only = first.cells - shared, second.cells - shared
    least = max(0, first.mines - len(first_only), second.mines - len(second_only))
    most = min(len(shared), first.mines, second.mines)
    because = first.because | second.because
    for cells, low, high in (
        (shared, least, most),
        (first_only, first.mines - most, first.mines - least),
        (second_only, second.mines - most, second.mines - least),
    ):
        if cells and low == high:
            yield Group(cells, low, because)
