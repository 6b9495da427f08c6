"""Clues as clauses. As in DIMACS, a literal is a variable for "here is a mine", and its negative for "here is none".

Two encodings of "exactly so many of these cells are mines" say the same. The direct one is what everything here
uses. The other takes the long way round: all arrangements as a disjunction, multiplied out. It is here to be compared.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Clause = frozenset[int]


def exactly(mines: int, variables: Sequence[int]) -> Iterator[list[int]]:
    """Clauses that say that exactly so many of the variables are mines, the direct way.

    Of any ``len - mines + 1`` cells at least one is a mine; of any ``mines + 1`` cells at least one is not.

    >>> list(exactly(2, [1, 2, 3]))
    [[1, 2], [1, 3], [2, 3], [-1, -2, -3]]
    >>> len(list(exactly(1, range(1, 9))))
    29
    """
    size = len(variables)
    if not 0 <= mines <= size:
        yield []
        return
    for group in combinations(variables, size - mines + 1):
        yield list(group)
    for group in combinations(variables, mines + 1):
        yield [-variable for variable in group]


@lru_cache(maxsize=64)
def multiplied_out(mines: int, size: int) -> frozenset[Clause]:
    """The same for the variables 1 to ``size``, as a normal form multiplied out: each clause takes one literal of every
    arrangement. Clauses that are always true are left out, and no clause is there twice; shorter ones that make longer
    ones needless stay beside them.

    >>> len(multiplied_out(1, 8))
    5282
    """
    clauses = {frozenset[int]()}
    for mined in combinations(range(1, size + 1), mines):
        arrangement = [v if v in mined else -v for v in range(1, size + 1)]
        clauses = {clause | {literal} for clause in clauses for literal in arrangement if -literal not in clause}
    return frozenset(clauses)


def resolve(one: Clause, other: Clause) -> Clause | None:
    """What follows from two clauses that disagree on exactly one variable; None if they do not.

    If they disagree on more, all that follows is always true.

    >>> sorted(resolve(frozenset({1, 2}), frozenset({-2, 3})))
    [1, 3]
    """
    clash = [literal for literal in one if -literal in other]
    return None if len(clash) != 1 else (one | other) - {clash[0], -clash[0]}
