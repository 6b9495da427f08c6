"""Normal forms: two neighbouring clues written out as all their arrangements, and one cell decided by contradiction.

For a clue with few unknown cells, write all ways to lay its mines, and those of an opened neighbour that is a clue.
Take the cell that *occurs* in the fewest arrangements of the two forms: it belongs to the shorter form alone. If no
arrangement of the one goes with any of the other while it is safe, it is a mine; if none does while it is a mine, it
is safe.

Source: Nguyen and Kafafian, "S.M.I.L.E." (2021), where clues of at most three unknown cells are looked at. As printed,
the rule is unsound: where supposing the cell safe gives no contradiction, it is taken to be safe. ``literal`` does so;
nothing is built on such a verdict, so it is told at once. Here "safe" is proved by contradiction too, and of cells that
occur equally seldom each is tried, in the order of the board.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING

from mineproof.limit import DEFAULT, Limit
from mineproof.logic.constraints import Constraint, watched
from mineproof.logic.reasoning import Reasoning, check_option

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mineproof.board.position import Position
    from mineproof.logic.deduction import Deductions

UNKNOWNS = 3
"""Of the report."""


def infer(position: Position, limit: Limit = DEFAULT, *, unknowns: int = UNKNOWNS, literal: bool = False) -> Deductions:
    """All that single clues prove, and pairs of clues of which one has at most ``unknowns`` unknown cells. Sound,
    except ``literal``; not complete.

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
        while not (literal and reasoning.found.safe) and _one_cell(reasoning, unknowns, literal):
            if not (literal and reasoning.found.safe):
                reasoning.settle()
    return reasoning.found


def _one_cell(reasoning: Reasoning, unknowns: int, literal: bool) -> bool:
    """Decide one cell, if any pair of clues does."""
    for one, other in _pairs(reasoning, unknowns):
        decided = (as_printed if literal else by_contradiction)(reasoning, one, other)
        if decided is not None:
            cell, mine = decided
            reasoning.prove([cell], mine=mine, because=reasoning.reason(one) | reasoning.reason(other))
            return True
    return False


def _pairs(reasoning: Reasoning, unknowns: int) -> Iterator[tuple[Constraint, Constraint]]:
    """A clue with at most this many unknown cells, and an open neighbour that is a clue."""
    grid, facts = reasoning.position.grid, reasoning.facts
    clues: dict[int, Constraint] = {}
    for clue, cells, mines in watched(reasoning.said.values(), reasoning.clock):
        unknown = tuple(cell for cell in cells if cell not in facts)
        if unknown:
            clues[clue] = Constraint(clue, unknown, mines - sum(facts.get(cell, False) for cell in cells))
    for one in watched(clues.values(), reasoning.clock, every=1):
        if len(one.cells) <= unknowns:
            for near in grid.neighbours(grid.cell(one.clue)):
                other = clues.get(grid.index(near))
                if other is not None:
                    yield one, other


@lru_cache(maxsize=4096)
def arrangements(constraint: Constraint) -> list[frozenset[int]]:
    """All ways to lay the mines of a clue."""
    return list(map(frozenset, combinations(constraint.cells, constraint.mines)))


def least_occurring(one: Constraint, other: Constraint) -> list[int]:
    """The cells that occur in the fewest arrangements of the two forms. A form names each of its cells in each of its
    arrangements.

    >>> least_occurring(Constraint(8, (0, 1), 1), Constraint(9, (0, 1, 2), 1))
    [2]
    """
    times: dict[int, int] = {}
    for _, cells, mines in (one, other):
        for cell in cells:
            times[cell] = times.get(cell, 0) + comb(len(cells), mines)
    least = min(times.values())
    return sorted(cell for cell, occurs in times.items() if occurs == least)


def together(one: Constraint, other: Constraint) -> list[frozenset[int]]:
    """The arrangements of one that go with those of the other."""
    shared = set(one.cells).intersection(other.cells)
    return [a | b for a in arrangements(one) for b in arrangements(other) if a & shared == b & shared]


def by_contradiction(reasoning: Reasoning, one: Constraint, other: Constraint) -> tuple[int, bool] | None:
    """One of the least occurring cells, and whether it is a mine, if one of the two cases is contradictory."""
    if set(one.cells).isdisjoint(other.cells):
        return None  # neither says anything of the other
    ways = together(one, other)
    if not ways:
        raise reasoning.contradiction(reasoning.reason(one) | reasoning.reason(other))
    for cell in least_occurring(one, other):
        found = {cell in mines for mines in ways}
        if len(found) == 1:
            return cell, found.pop()
    return None


def as_printed(reasoning: Reasoning, one: Constraint, other: Constraint) -> tuple[int, bool]:
    """The least occurring cell; ties go to the first: a mine if "safe" is contradictory, otherwise safe."""
    ways = together(one, other)
    if not ways:
        raise reasoning.contradiction(reasoning.reason(one) | reasoning.reason(other))
    cell = least_occurring(one, other)[0]
    return cell, all(cell in mines for mines in ways)
