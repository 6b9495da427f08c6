"""Scenarios: small configurations of clues, and what they prove. Nguyen and Kafafian, "S.M.I.L.E." (2021), asked for
such a table.

Which cells a few clues decide depends only on how many cells each set of them shares, and on their numbers. So a
scenario has the sizes of *groups*, cells that are seen by the same clues, and a number of mines for each clue. All ways
to distribute the mines over the groups are tried, so the result is exact. A scenario is in the table if it decides a
group that no smaller part of it decides.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations, combinations_with_replacement, permutations, product
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mineproof.logic.constraints import Constraint

MOST_CLUES = 3
"""The most clues of a scenario."""


class Scenario(NamedTuple):
    """Groups as pairs (the clues that see it, one bit each; its number of cells), and the mines that each clue needs.

    >>> from mineproof.logic.constraints import Constraint
    >>> print(scenario_of([Constraint(0, (1, 2), 1), Constraint(5, (1, 2, 3), 2)]))
    a: 1 in ab2; b: 2 in b1 ab2
    """

    groups: tuple[tuple[int, int], ...]
    mines: tuple[int, ...]

    def __str__(self) -> str:
        parts = []
        for clue, mines in enumerate(self.mines):
            groups = [f"{letters(seen)}{cells}" for seen, cells in self.groups if seen >> clue & 1]
            parts.append(f"{letters(1 << clue)}: {mines} in {' '.join(groups)}")
        return "; ".join(parts)

    @property
    def cells(self) -> int:
        """The number of cells of all groups."""
        return sum(cells for _, cells in self.groups)

    def part(self, clues: Sequence[int]) -> Scenario:
        """The scenario of some of its clues."""
        groups: dict[int, int] = {}
        for seen, cells in self.groups:
            mask = sum(1 << place for place, clue in enumerate(clues) if seen >> clue & 1)
            if mask:
                groups[mask] = groups.get(mask, 0) + cells
        return Scenario(tuple(sorted(groups.items())), tuple(self.mines[clue] for clue in clues))


def letters(mask: int) -> str:
    """The names of the clues in a mask."""
    return "".join(letter for i, letter in enumerate("abc") if mask >> i & 1)


@lru_cache(maxsize=200_000)
def decided(scenario: Scenario) -> dict[int, bool] | None:
    """The groups, by the clues that see them, that are all mines or all safe however the mines are laid; None if they
    cannot be laid.

    >>> decided(Scenario(((2, 1), (3, 2)), (1, 2)))
    {2: True}
    """
    least = dict(scenario.groups)
    most = dict.fromkeys(least, 0)
    possible = False
    for held in product(*(range(cells + 1) for _, cells in scenario.groups)):
        sums = [0] * len(scenario.mines)
        for (seen, _), mines in zip(scenario.groups, held, strict=True):
            for clue in range(len(sums)):
                if seen >> clue & 1:
                    sums[clue] += mines
        if tuple(sums) == scenario.mines:
            possible = True
            for (seen, _), mines in zip(scenario.groups, held, strict=True):
                least[seen], most[seen] = min(least[seen], mines), max(most[seen], mines)
    if not possible:
        return None
    cells_of = dict(scenario.groups)
    return {seen: most[seen] > 0 for seen in least if most[seen] == 0 or least[seen] == cells_of[seen]}


@lru_cache(maxsize=200_000)
def newly_decided(scenario: Scenario) -> dict[int, bool]:
    """The groups that a scenario decides, and no smaller part of it does."""
    new = dict(decided(scenario) or {})
    clues = range(len(scenario.mines))
    for size in range(1, len(scenario.mines)):
        for fewer in combinations(clues, size):
            known = decided(scenario.part(fewer)) or {}
            for seen in list(new):
                if sum(1 << place for place, clue in enumerate(fewer) if seen >> clue & 1) in known:
                    del new[seen]
    return new


def scenario_of(constraints: Sequence[Constraint]) -> Scenario:
    """The scenario of some clues, the same whatever their order."""
    seen: dict[int, int] = {}
    for place, (_, cells, _) in enumerate(constraints):
        for cell in cells:
            seen[cell] = seen.get(cell, 0) | 1 << place
    groups: dict[int, int] = {}
    for mask in seen.values():
        groups[mask] = groups.get(mask, 0) + 1
    return _canonical(tuple(sorted(groups.items())), tuple(mines for _, _, mines in constraints))


@lru_cache(maxsize=200_000)
def _canonical(groups: tuple[tuple[int, int], ...], mines: tuple[int, ...]) -> Scenario:
    """The scenario with its clues in the order that sorts first, so that equal scenarios are equal values."""
    plain = Scenario(groups, mines)
    return min(
        (plain.part(order) for order in permutations(range(len(mines)))),
        key=lambda scenario: (scenario.mines, scenario.groups),
    )


def table(clues: int, cells: int) -> Iterator[tuple[Scenario, dict[int, bool]]]:
    """All scenarios of this many clues and at most this many cells that decide something new, each once. Clues that
    decide their cells alone (no mine, or all) are left out.

    >>> [str(scenario) for scenario, _ in table(2, 3)]
    ['a: 1 in a1 ab2; b: 1 in ab2', 'a: 1 in ab2; b: 2 in b1 ab2']
    """
    masks = range(1, 1 << clues)
    done = set()
    for size in range(1, cells + 1):
        for seen in combinations_with_replacement(masks, size):  # the clues that see each cell
            groups = tuple((mask, seen.count(mask)) for mask in masks if mask in seen)
            around = [sum(count for mask, count in groups if mask >> clue & 1) for clue in range(clues)]
            if not _connected([mask for mask, _ in groups], clues):
                continue
            for mines in product(*(range(1, number) for number in around)):
                scenario = _canonical(groups, mines)
                if scenario not in done:
                    done.add(scenario)
                    new = newly_decided(scenario)
                    if new:
                        yield scenario, new


def _connected(masks: list[int], clues: int) -> bool:
    """Whether all clues are connected through shared cells."""
    reached, before = 1, 0
    while reached != before:
        before = reached
        for mask in masks:
            if mask & reached:
                reached |= mask
    return reached == (1 << clues) - 1


def scenarios_in(constraints: Sequence[Constraint], clues: int) -> Iterator[Scenario]:
    """The scenarios of all connected sets of this many of these clues that decide something new."""
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
        sets = {places | {other} for places in sets for place in places for other in near[place] - places}
    for places in sets:
        scenario = scenario_of([constraints[place] for place in sorted(places)])
        if newly_decided(scenario):
            yield scenario
