"""What a method knows of a position while it reasons: facts, each with the clues that prove it, and what is open."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from mineproof.board.grid import whole
from mineproof.errors import InconsistentPosition, InvalidBoard, OutOfTime
from mineproof.limit import Limit, check_limit
from mineproof.logic.conflict import find_conflict
from mineproof.logic.constraints import COUNT, Constraint, problem_of
from mineproof.logic.deduction import Deduction, Deductions

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mineproof.board.position import Position

Reason = frozenset[int]
"""Clues, as indices; `COUNT` among them when the number of mines was used."""


class Knowledge:
    """A position, and what was proved of it so far."""

    def __init__(self, position: Position, method: str, limit: Limit, *, mine_count: bool = False) -> None:
        check_limit(limit)
        self.position = position
        self.method = method
        self.deadline = time.monotonic() + limit.seconds
        self.problem = problem_of(position)
        self.facts: dict[int, bool] = {}
        """Proved cells: whether each is a mine."""
        self.because: dict[int, Reason] = {}
        self.found = Deductions()
        said = [*self.problem.constraints, self.problem.mine_count] if mine_count else self.problem.constraints
        self.said = {constraint.clue: constraint for constraint in said}
        self.open = list({(c.cells, c.mines): c for c in reversed(said)}.values())[::-1]
        """What the clues still say of cells that are not proved, the same thing once."""
        if self.problem.given:
            self.prove(self.problem.given, mine=False, because=frozenset())

    def prove(self, cells: Iterable[int], *, mine: bool, because: Reason, method: str | None = None) -> None:
        """These cells are mines, or safe; those that are known already are not told again."""
        at = self.position.grid.cell
        new = []
        for cell in cells:
            if cell not in self.facts:
                self.facts[cell] = mine
                self.because[cell] = because
                new.append(at(cell))
            elif self.facts[cell] is not mine:
                raise inconsistent(self.position)
        if new:
            clues = frozenset([at(clue) for clue in because if clue >= 0])
            self.found.append(Deduction(frozenset(new), mine, clues, method or self.method, COUNT in because))

    def settle(self) -> None:
        """Single-clue rules, until nothing new follows; and what is proved is taken out of what is open."""
        proved = -1
        facts = self.facts
        while proved < len(facts):
            proved = len(facts)
            left: dict[tuple[int, ...], Constraint] = {}
            for constraint in self.open:
                clue, cells, mines = constraint
                unknown = [cell for cell in cells if cell not in facts]
                if len(unknown) < len(cells):
                    mines -= len([cell for cell in cells if facts.get(cell)])
                    constraint = Constraint(clue, tuple(unknown), mines)
                if 0 < mines < len(unknown):
                    if left.setdefault(constraint.cells, constraint).mines != mines:
                        raise inconsistent(self.position)
                elif mines not in (0, len(unknown)):
                    raise inconsistent(self.position)
                elif unknown:  # proved mines make the rest safe, or proved safe cells make the rest mines
                    used = [cell for cell in self.said[clue].cells if facts.get(cell) is (mines == 0)]
                    self.prove(unknown, mine=mines > 0, because=self.with_reasons(clue, used), method="single")
            self.open = list(left.values())

    def reason(self, constraint: Constraint) -> Reason:
        """The clue, and what proved the cells around it that are no longer open."""
        gone = [cell for cell in self.said[constraint.clue].cells if cell not in constraint.cells]
        return self.with_reasons(constraint.clue, gone)

    def with_reasons(self, clue: int, cells: Iterable[int]) -> Reason:
        """A clue, together with the reasons of facts."""
        return frozenset([clue]).union(*[self.because[cell] for cell in cells])

    def check_time(self) -> None:
        """Raise `OutOfTime` when the limit is reached."""
        if time.monotonic() > self.deadline:
            raise OutOfTime("the limit was reached before the answer was there")


def check_option(name: str, value: int | None, least: int = 1) -> None:
    """Whether an option of a method is a whole number, and large enough; None, where allowed, means no limit."""
    if value is not None and whole(value, name) < least:
        raise InvalidBoard(f"{name} has to be at least {least}, not {value}")


def inconsistent(position: Position) -> InconsistentPosition:
    """The error that says which clues of a position cannot be right."""
    return InconsistentPosition(str(find_conflict(position)))
