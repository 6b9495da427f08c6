"""Scenarios: small configurations of clues, and what they prove. Nguyen and Kafafian, "S.M.I.L.E." (2021), asked for
such a table.

Which cells a few clues decide depends only on how many cells each set of them shares, and on their numbers. So a
scenario is a list of *groups*, cells that are seen by the same clues, and of numbers of mines. All ways to share the
mines out over the groups are tried, so the result is exact. A scenario gets a line in the table if it decides a group
that no smaller part of it decides.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, combinations_with_replacement, permutations, product
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mineproof.logic.constraints import Constraint

MOST_CLUES = 3
"""Of a scenario."""


class Scenario(NamedTuple):
    """Groups as (who sees it, cells), where a bit stands for a clue; and the mines that each clue needs.

    >>> from mineproof.logic.constraints import Constraint
    >>> print(scenario_of([Constraint(0, (1, 2), 1), Constraint(5, (1, 2, 3), 2)]))
    a: 1 in ab2; b: 2 in b1 ab2
    """

    groups: tuple[tuple[int, int], ...]
    mines: tuple[int, ...]

    def __str__(self) -> str:
        said = []
        for clue, mines in enumerate(self.mines):
            groups = [f"{letters(seen)}{cells}" for seen, cells in self.groups if seen >> clue & 1]
            said.append(f"{letters(1 << clue)}: {mines} in {' '.join(groups)}")
        return "; ".join(said)

    @property
    def cells(self) -> int:
        """Of all groups."""
        return sum(cells for _, cells in self.groups)

    def part(self, clues: Sequence[int]) -> Scenario:
        """The same with some of its clues."""
        groups: dict[int, int] = {}
        for seen, cells in self.groups:
            mask = sum(1 << new for new, old in enumerate(clues) if seen >> old & 1)
            if mask:
                groups[mask] = groups.get(mask, 0) + cells
        return Scenario(tuple(sorted(groups.items())), tuple(self.mines[clue] for clue in clues))


def letters(mask: int) -> str:
    """The names of clues."""
    return "".join(letter for i, letter in enumerate("abc") if mask >> i & 1)


@lru_cache(maxsize=200_000)
def decided(scenario: Scenario) -> dict[int, bool] | None:
    """The groups, by who sees them, that are all mines or all safe whatever way the mines are laid; None: there is no
    way.

    >>> decided(Scenario(((2, 1), (3, 2)), (1, 2)))
    {2: True}
    """
    least = dict(scenario.groups)
    most = dict.fromkeys(least, 0)
    possible = False
    for laid in product(*(range(cells + 1) for _, cells in scenario.groups)):
        sums = [0] * len(scenario.mines)
        for (seen, _), mines in zip(scenario.groups, laid, strict=True):
            for clue in range(len(sums)):
                if seen >> clue & 1:
                    sums[clue] += mines
        if tuple(sums) == scenario.mines:
            possible = True
            for (seen, _), mines in zip(scenario.groups, laid, strict=True):
                least[seen], most[seen] = min(least[seen], mines), max(most[seen], mines)
    if not possible:
        return None
    cells_of = dict(scenario.groups)
    return {seen: most[seen] > 0 for seen in least if most[seen] == 0 or least[seen] == cells_of[seen]}


@lru_cache(maxsize=200_000)
def news(scenario: Scenario) -> dict[int, bool]:
    """What a scenario decides and no smaller part of it does."""
    found = dict(decided(scenario) or {})
    clues = range(len(scenario.mines))
    for size in range(1, len(scenario.mines)):
        for some in combinations(clues, size):
            known = decided(scenario.part(some)) or {}
            for seen in list(found):
                if sum(1 << new for new, old in enumerate(some) if seen >> old & 1) in known:
                    del found[seen]
    return found


def scenario_of(constraints: Sequence[Constraint]) -> Scenario:
    """The scenario of some clues, the same whatever their order."""
    seen: dict[int, int] = {}
    for place, (_, cells, _) in enumerate(constraints):
        for cell in cells:
            seen[cell] = seen.get(cell, 0) | 1 << place
    groups: dict[int, int] = {}
    for mask in seen.values():
        groups[mask] = groups.get(mask, 0) + 1
    return _first(tuple(sorted(groups.items())), tuple(mines for _, _, mines in constraints))


@lru_cache(maxsize=200_000)
def _first(groups: tuple[tuple[int, int], ...], mines: tuple[int, ...]) -> Scenario:
    """Of all orders of the clues, the first."""
    plain = Scenario(groups, mines)
    return min((plain.part(order) for order in permutations(range(len(mines)))), key=lambda one: (one[1], one[0]))


def table(clues: int, cells: int) -> Iterator[tuple[Scenario, dict[int, bool]]]:
    """All scenarios of this many clues and at most this many cells that decide something new, each once. Clues that
    decide their cells alone (no mine, or all) are left out.

    >>> [str(one) for one, _ in table(2, 3)]
    ['a: 1 in a1 ab2; b: 1 in ab2', 'a: 1 in ab2; b: 2 in b1 ab2']
    """
    masks = range(1, 1 << clues)
    done = set()
    for size in range(1, cells + 1):
        for laid in combinations_with_replacement(masks, size):
            groups = tuple((mask, laid.count(mask)) for mask in masks if mask in laid)
            around = [sum(count for mask, count in groups if mask >> clue & 1) for clue in range(clues)]
            if not _joined([mask for mask, _ in groups], clues):
                continue
            for mines in product(*(range(1, number) for number in around)):
                scenario = _first(groups, mines)
                if scenario not in done:
                    done.add(scenario)
                    found = news(scenario)
                    if found:
                        yield scenario, found


def _joined(masks: list[int], clues: int) -> bool:
    """Whether all clues are connected through shared cells."""
    reached, before = 1, 0
    while reached != before:
        before = reached
        for mask in masks:
            if mask & reached:
                reached |= mask
    return reached == (1 << clues) - 1


def found_in(constraints: Sequence[Constraint], clues: int) -> Iterator[Scenario]:
    """The scenarios of this many of these clues, connected, that decide something new."""
    near: dict[int, set[int]] = {place: set() for place in range(len(constraints))}
    by_cell: dict[int, list[int]] = {}
    for place, (_, cells, _) in enumerate(constraints):
        for cell in cells:
            for other in by_cell.setdefault(cell, []):
                near[place].add(other)
                near[other].add(place)
            by_cell[cell].append(place)
    sets = {frozenset((place,)) for place in near}
    for _ in range(clues - 1):
        sets = {some | {other} for some in sets for place in some for other in near[place] if other not in some}
    for some in sets:
        scenario = scenario_of([constraints[place] for place in sorted(some)])
        if news(scenario):
            yield scenario
