"""Normal forms: two neighbouring clues written out as all their arrangements, and one cell decided by contradiction.

For a clue with few unknown cells, and for an open neighbour that is a clue, write all arrangements of its mines: its
*form*. Take the cell that *occurs* in the fewest arrangements of the two forms. If no arrangement of one form is
compatible with any of the other while the cell is safe, it is a mine; if none is while it is a mine, it is safe.

Source: Nguyen and Kafafian, "S.M.I.L.E." (2021), for clues of at most three unknown cells. As printed, the rule is
unsound: if supposing the cell safe gives no contradiction, it is taken to be safe. ``literal`` does the same; nothing
is concluded from such a verdict, and the search ends with it. Otherwise "safe" is proved by contradiction too, and all
cells that occur least are tried, in the order of the board.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING

from mineproof.limit import DEFAULT, Limit
from mineproof.logic.constraints import Constraint, reduced, watched
from mineproof.logic.reasoning import Reasoning, check_option

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mineproof.board.position import Position
    from mineproof.logic.deduction import Deductions

UNKNOWNS = 3
"""The report's limit on the unknown cells of the first clue of a pair."""


def infer(position: Position, limit: Limit = DEFAULT, *, unknowns: int = UNKNOWNS, literal: bool = False) -> Deductions:
    """All cells that single clues prove, and pairs of clues of which one has at most ``unknowns`` unknown cells. Sound,
    except with ``literal``; not complete.

    >>> from mineproof import Position
    >>> print(*infer(Position.from_text("4x2x1\\n01HH\\n02HH")), sep="\\n")
    Traceback (most recent call last):
    mineproof.errors.InconsistentPosition: the clues B1, B2 cannot both be right
    >>> print(*infer(Position.from_text("3x2x2\\nHHH\\n121")), sep="\\n")
    C1 is a mine, by clues A2, B2
    B1 is safe, by clues A2, B2, C2
    A1 is a mine, by clues A2, B2, C2
    """
    check_option("unknowns", unknowns)
    with Reasoning(position, "normal-form", limit) as reasoning:
        reasoning.note(unknowns)
        reasoning.settle()
        while not (literal and reasoning.deductions.safe) and _prove_cell(reasoning, unknowns, literal):
            if not (literal and reasoning.deductions.safe):
                reasoning.settle()
    return reasoning.deductions


def _prove_cell(reasoning: Reasoning, unknowns: int, literal: bool) -> bool:
    """Prove one cell. Return False if no pair of clues does."""
    for first, second in _pairs(reasoning, unknowns):
        verdict = (as_printed if literal else by_contradiction)(reasoning, first, second)
        if verdict is not None:
            cell, mine = verdict
            reasoning.prove([cell], mine=mine, because=reasoning.reason(first) | reasoning.reason(second))
            return True
    return False


def _pairs(reasoning: Reasoning, unknowns: int) -> Iterator[tuple[Constraint, Constraint]]:
    """Pairs of a clue with at most this many unknown cells and an open neighbour that is a clue."""
    grid = reasoning.position.grid
    left = reduced(watched(reasoning.constraints.values(), reasoning.clock), reasoning.facts)
    clues = {constraint.clue: constraint for constraint in left}
    for first in watched(left, reasoning.clock, every=1):
        if len(first.cells) <= unknowns:
            for near in grid.neighbours(grid.cell(first.clue)):
                second = clues.get(grid.index(near))
                if second is not None:
                    yield first, second


@lru_cache(maxsize=4096)
def arrangements(constraint: Constraint) -> list[frozenset[int]]:
    """All sets of cells that may be the mines of a clue."""
    return list(map(frozenset, combinations(constraint.cells, constraint.mines)))


def least_occurring(first: Constraint, second: Constraint) -> list[int]:
    """The cells that occur in the fewest arrangements of the two forms. Every arrangement names all cells of its form,
    safe or mined.

    >>> least_occurring(Constraint(8, (0, 1), 1), Constraint(9, (0, 1, 2), 1))
    [2]
    """
    occurrences: dict[int, int] = {}
    for _, cells, mines in (first, second):
        for cell in cells:
            occurrences[cell] = occurrences.get(cell, 0) + comb(len(cells), mines)
    least = min(occurrences.values())
    return sorted(cell for cell, number in occurrences.items() if number == least)


def compatible(first: Constraint, second: Constraint) -> list[frozenset[int]]:
    """The unions of all compatible arrangements of two clues."""
    shared = set(first.cells).intersection(second.cells)
    return [a | b for a in arrangements(first) for b in arrangements(second) if a & shared == b & shared]


def by_contradiction(reasoning: Reasoning, first: Constraint, second: Constraint) -> tuple[int, bool] | None:
    """A least occurring cell, and whether it is a mine, if the opposite is contradictory; None if there is none."""
    if set(first.cells).isdisjoint(second.cells):
        return None  # the clues share no cell, so all arrangements are compatible
    ways = compatible(first, second)
    if not ways:
        raise reasoning.contradiction(reasoning.reason(first) | reasoning.reason(second))
    for cell in least_occurring(first, second):
        values = {cell in mines for mines in ways}
        if len(values) == 1:
            return cell, values.pop()
    return None


def as_printed(reasoning: Reasoning, first: Constraint, second: Constraint) -> tuple[int, bool]:
    """The first least occurring cell, and whether "safe" is contradictory; otherwise it is taken to be safe."""
    ways = compatible(first, second)
    if not ways:
        raise reasoning.contradiction(reasoning.reason(first) | reasoning.reason(second))
    cell = least_occurring(first, second)[0]
    return cell, all(cell in mines for mines in ways)
