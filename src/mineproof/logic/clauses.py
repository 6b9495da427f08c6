"""Clues as clauses. As in DIMACS, a literal is a variable for "here is a mine", and its negative for "here is none"."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


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
