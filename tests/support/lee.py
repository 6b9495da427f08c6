"""Lee, "AI Capstone HW3" (2023), as printed: every pair, nothing clever. The oracle of ``matching``."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Generator, Sequence

    from mineproof import Game, Position

Clause = frozenset[int]
ROUNDS = 11


def in_order(clauses: Collection[Clause]) -> list[Clause]:
    """By cells, those of a mine after those of none."""
    return sorted(clauses, key=lambda clause: sorted((abs(literal), literal) for literal in clause))


class Printed:
    """One player in one game: KB, KB0, and what it does next. ``arranged`` is the order of the clauses of a round; the
    printed one is that of a Python set: arbitrary, under PyPy that of insertion."""

    def __init__(
        self, position: Position, arranged: Callable[[Collection[Clause]], Sequence[Clause]] = in_order
    ) -> None:
        self.grid = position.grid
        self.kb: dict[Clause, None] = {}  # a set that keeps its order, as every set does under PyPy
        self.kb0: set[int] = set()
        self.rounds = 0
        self._arranged = arranged
        for cell in position.where("S"):
            self.insert(frozenset([-self.variable(cell)]))

    def variable(self, cell: object) -> int:
        return self.grid.index(cell) + 1  # type: ignore[arg-type]

    def insert(self, clause: Clause) -> None:
        """Resolve with KB0; drop a duplicate or a superset; remove supersets."""
        if clause & self.kb0:
            return
        clause = frozenset(literal for literal in clause if -literal not in self.kb0)
        assert clause, "a board contradicts itself"
        if self.has_part(clause):
            return
        for longer in self.wholes(clause):
            self.take(longer)
        self.put(clause)

    def has_part(self, clause: Clause) -> bool:
        return any(other <= clause for other in self.kb)

    def wholes(self, clause: Clause) -> list[Clause]:
        return [other for other in self.kb if clause <= other]

    def put(self, clause: Clause) -> None:
        self.kb[clause] = None

    def take(self, clause: Clause) -> None:
        self.kb.pop(clause, None)

    def insert_clue(self, variable: int, number: int) -> None:
        """The clauses of a clue: of all cells around it that are not marked."""
        around = [self.variable(cell) for cell in self.grid.neighbours(self.grid.cell(variable - 1))]
        unmarked = [one for one in around if one not in self.kb0 and -one not in self.kb0]
        mines = number - sum(one in self.kb0 for one in around)
        for group in combinations(unmarked, len(unmarked) - mines + 1):
            self.insert(frozenset(group))
        for group in combinations(unmarked, mines + 1):
            self.insert(frozenset(-one for one in group))

    def match(self, one: Clause, other: Clause) -> list[Clause]:
        """What a pair gives."""
        if one <= other or other <= one:
            return [min(one, other, key=len)]
        if len(one) > 2 and len(other) > 2:
            return [one, other]
        clash = [literal for literal in one if -literal in other]
        if len(clash) != 1:
            return [one, other]
        return [(one | other) - {clash[0], -clash[0]}]

    def pairs(self) -> None:
        """One round, on a snapshot of KB."""
        for one, other in combinations(self._arranged(self.kb), 2):
            self.pair(one, other)

    def pair(self, one: Clause, other: Clause) -> None:
        self.take(one)
        self.take(other)
        for clause in self.match(one, other):
            self.insert(clause)

    def cells_to_open(self) -> Generator[int, int]:
        """Play; when a cell is to be opened, yield its index and be sent its number."""
        idle = 0
        while True:
            units = [clause for clause in self.kb if len(clause) == 1]
            if units:
                unit = units[0]
                (literal,) = unit
                self.take(unit)
                self.kb0.add(literal)
                if literal < 0:
                    number = yield -literal - 1
                    self.insert_clue(-literal, number)
                for clause in in_order(self.kb):
                    if literal in clause or -literal in clause:
                        self.take(clause)
                        for found in self.match(unit, clause):
                            if found != unit:
                                self.insert(found)
                idle = 0
                continue
            before = set(self.kb)
            if not self.kb or idle == ROUNDS:
                return
            self.pairs()
            self.rounds += 1
            idle += 1
            if set(self.kb) == before:
                return

    def play(self, game: Game) -> bool:
        """Play a game to its end. Return whether every cell is marked, which is a win in the report."""
        player = self.cells_to_open()
        opens = next(player, None)
        while opens is not None:
            game.open(game.grid.cell(opens))
            try:
                opens = player.send(int(game[game.grid.cell(opens)]))
            except StopIteration:
                break
        return len(self.kb0) == len(game.grid)


class Hurried(Printed):
    """The same for many games: clauses are found by their literals, and two long ones that would be taken out and put
    in again stay where they are."""

    def __init__(
        self, position: Position, arranged: Callable[[Collection[Clause]], Sequence[Clause]] = in_order
    ) -> None:
        self._holding: dict[int, set[Clause]] = defaultdict(set)
        super().__init__(position, arranged)

    def has_part(self, clause: Clause) -> bool:
        return any(other <= clause for literal in clause for other in self._holding[literal])

    def wholes(self, clause: Clause) -> list[Clause]:
        return list(set.intersection(*(self._holding[literal] for literal in clause)))

    def put(self, clause: Clause) -> None:
        super().put(clause)
        for literal in clause:
            self._holding[literal].add(clause)

    def take(self, clause: Clause) -> None:
        super().take(clause)
        for literal in clause:
            self._holding[literal].discard(clause)

    def pairs(self) -> None:
        snapshot = self._arranged(self.kb)
        for place, one in enumerate(snapshot, start=1):
            long = len(one) > 2
            for other in snapshot[place:]:
                if not (long and len(other) > 2 and one in self.kb and other in self.kb):
                    self.pair(one, other)

    def pair(self, one: Clause, other: Clause) -> None:
        if one in self.kb and other in self.kb and self.match(one, other) == [one, other]:
            return
        super().pair(one, other)
