"""The cheapest set that meets each of some sets (a minimum hitting set), by branch and bound."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping


def cheapest_hit(
    sets: Iterable[frozenset[int]], cost: Mapping[int, float], check_clock: Callable[[], None]
) -> set[int]:
    """The cheapest set that has an element of each of the sets. ``check_clock`` is called regularly, and may raise.

    >>> sorted(cheapest_hit([frozenset({1, 2}), frozenset({2, 3})], {1: 1, 2: 1, 3: 1}, lambda: None))
    [2]
    >>> sorted(cheapest_hit([frozenset({1, 2}), frozenset({2, 3})], {1: 1, 2: 3, 3: 1}, lambda: None))
    [1, 3]
    """
    ordered = sorted(sets, key=lambda elements: (len(elements), sorted(elements)))
    best = _greedy_hit(ordered, cost)
    cheapest = sum(cost[element] for element in best)

    def search(chosen: list[int], spent: float, unmet: list[frozenset[int]]) -> None:
        nonlocal best, cheapest
        check_clock()
        if spent + _lower_bound(unmet, cost) >= cheapest:
            return
        if not unmet:
            best, cheapest = set(chosen), spent
            return
        smallest: frozenset[int] = min(unmet, key=len)
        tried: set[int] = set()  # sets with these elements have been searched already
        for element in sorted(smallest, key=lambda e: (cost[e], -sum(e in elements for elements in unmet), e)):
            left = [elements - tried for elements in unmet if element not in elements]
            if all(left):
                search([*chosen, element], spent + cost[element], left)
            tried.add(element)

    search([], 0, ordered)
    return best


def _greedy_hit(sets: list[frozenset[int]], cost: Mapping[int, float]) -> set[int]:
    """A set that meets all sets, chosen greedily by the number of sets met per cost."""
    chosen: set[int] = set()
    unmet = sets
    while unmet:
        met = Counter(chain.from_iterable(unmet))  # how many sets each element would meet
        element = min(met, key=lambda e: (cost[e] / met[e], e))
        chosen.add(element)
        unmet = [elements for elements in unmet if element not in elements]
    return chosen


def _lower_bound(sets: list[frozenset[int]], cost: Mapping[int, float]) -> float:
    """A lower bound on the cost: disjoint sets need an element each."""
    covered: set[int] = set()
    total = 0.0
    for elements in sorted(sets, key=len):
        if covered.isdisjoint(elements):
            covered |= elements
            total += min(cost[element] for element in elements)
    return total
