"""The cheapest set that meets each of some sets (a minimum hitting set), by branch and bound."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping


def cheapest_hit(sets: Iterable[frozenset[int]], cost: Mapping[int, float], look: Callable[[], None]) -> set[int]:
    """One element of each set, at the least total cost. ``look`` is called regularly.

    >>> sorted(cheapest_hit([frozenset({1, 2}), frozenset({2, 3})], {1: 1, 2: 1, 3: 1}, lambda: None))
    [2]
    >>> sorted(cheapest_hit([frozenset({1, 2}), frozenset({2, 3})], {1: 1, 2: 3, 3: 1}, lambda: None))
    [1, 3]
    """
    listed = sorted(sets, key=lambda some: (len(some), sorted(some)))
    best = _quickly(listed, cost)
    cheapest = sum(cost[element] for element in best)

    def search(taken: list[int], spent: float, unmet: list[frozenset[int]]) -> None:
        nonlocal best, cheapest
        look()
        if spent + _at_least(unmet, cost) >= cheapest:
            return
        if not unmet:
            best, cheapest = set(taken), spent
            return
        smallest: frozenset[int] = min(unmet, key=len)
        tried: set[int] = set()  # what was tried with one element need not be tried again with another
        for element in sorted(smallest, key=lambda e: (cost[e], -sum(e in some for some in unmet), e)):
            left = [some - tried for some in unmet if element not in some]
            if all(left):
                search([*taken, element], spent + cost[element], left)
            tried.add(element)

    search([], 0, listed)
    return best


def _quickly(sets: list[frozenset[int]], cost: Mapping[int, float]) -> set[int]:
    """Some set that meets all of them, chosen greedily by the number of sets met per cost."""
    taken: set[int] = set()
    unmet = sets
    while unmet:
        often: dict[int, int] = {}
        for some in unmet:
            for element in some:
                often[element] = often.get(element, 0) + 1
        element = min(often, key=lambda e: (cost[e] / often[e], e))
        taken.add(element)
        unmet = [some for some in unmet if element not in some]
    return taken


def _at_least(sets: list[frozenset[int]], cost: Mapping[int, float]) -> float:
    """A lower bound: disjoint sets must be met one by one."""
    met: set[int] = set()
    total = 0.0
    for some in sorted(sets, key=len):
        if met.isdisjoint(some):
            met |= some
            total += min(cost[element] for element in some)
    return total
