"""Clues as clauses. As in DIMACS, a literal is a variable for "here is a mine", and its negative for "here is none".

There are two encodings of "exactly n of these cells are mines". The direct one is used everywhere. The other, from
Harnjan, "Introduction to Logic Project", writes all arrangements as a disjunction and multiplies it out; it is included
for comparison.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

Clause = frozenset[int]


def exactly(mines: int, variables: Sequence[int]) -> Iterator[list[int]]:
    """Clauses that say that exactly this many of the variables are mines, in the direct encoding.

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
def multiplied_out(mines: int, size: int) -> tuple[tuple[int, ...], ...]:
    """The clauses for the variables 1 to ``size`` when all arrangements are multiplied out: each clause takes one
    literal of every arrangement. Clauses that are always true and duplicates are left out; longer clauses implied by
    shorter ones are kept.

    They are listed without multiplying. A clause holds in every arrangement if it has more positive literals than there
    are safe cells, or more negative ones than there are mines; otherwise some arrangement makes all its literals false.

    >>> len(multiplied_out(1, 8))
    5282
    """
    if not 0 < mines < size:
        return tuple(map(tuple, exactly(mines, range(1, size + 1))))
    variables = range(1, size + 1)
    clauses = []
    for length in range(min(mines, size - mines) + 1, size + 1):
        for cells in combinations(variables, length):
            for negative in range(length + 1):
                if negative > mines or length - negative > size - mines:
                    for safe in combinations(cells, negative):
                        clauses.append(tuple(-cell if cell in safe else cell for cell in cells))
    return tuple(clauses)


def size_multiplied_out(mines: int, size: int) -> int:
    """The number of clauses that `multiplied_out` gives.

    >>> size_multiplied_out(1, 8), size_multiplied_out(1, 15), size_multiplied_out(1, 2), size_multiplied_out(2, 3)
    (5282, 14070380, 2, 8)
    """
    if not 0 < mines < size:
        return size if 0 <= mines <= size else 1
    return sum(
        comb(size, length) * comb(length, negative)
        for length in range(size + 1)
        for negative in range(length + 1)
        if negative > mines or length - negative > size - mines
    )


def multiply_out(mines: int, size: int, check_clock: Callable[[], None] = lambda: None) -> set[Clause]:
    """The clauses of `multiplied_out`, converted as in the report. ``check_clock`` is called regularly, and may raise.

    >>> multiply_out(1, 5) == set(map(frozenset, multiplied_out(1, 5)))
    True
    """
    clauses = {frozenset[int]()}
    for mined in combinations(range(1, size + 1), mines):
        arrangement = [v if v in mined else -v for v in range(1, size + 1)]
        product: set[Clause] = set()
        for number, clause in enumerate(clauses):
            if number % 4_096 == 0:
                check_clock()
            product.update([clause | {literal} for literal in arrangement if -literal not in clause])
        clauses = product
    return clauses


def resolve(first: Clause, second: Clause) -> Clause | None:
    """The resolvent of two clauses that disagree on exactly one variable; None for other clauses.

    If they disagree on more variables, every resolvent is always true.

    >>> sorted(resolve(frozenset({1, 2}), frozenset({-2, 3})))
    [1, 3]
    """
    clash = [literal for literal in first if -literal in second]
    return None if len(clash) != 1 else (first | second) - {clash[0], -clash[0]}
