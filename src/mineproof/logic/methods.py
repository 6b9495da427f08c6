"""All methods of inference by name, each imported when it is used."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from mineproof.errors import UnknownName
from mineproof.limit import DEFAULT, Limit
from mineproof.logic.background import stoppable

if TYPE_CHECKING:
    from mineproof.board.position import Position
    from mineproof.logic.deduction import Deductions


@dataclass(frozen=True, slots=True)
class Method:
    """How certain cells are found."""

    name: str
    complete: bool
    """Whether it finds every cell that follows from the clues and the number of mines, given time."""
    idea: str
    source: str

    @stoppable
    def infer(self, position: Position, limit: Limit = DEFAULT, **options: Any) -> Deductions:
        """The deductions of this method; what options it has is on its page of the docs."""
        module = import_module(f"mineproof.logic.{self.name.replace('-', '_')}")
        found: Deductions = module.infer(position, limit, **options)
        return found


METHODS = {
    method.name: method
    for method in (
        Method("single", False, "rules for one clue", "nearly every program"),
        Method("subset", False, "rules for two clues, and for their difference", "strong human players"),
        Method("normal-form", False, "arrangements of two neighbouring clues", "Nguyen and Kafafian 2021"),
        Method("chaining", False, "resolution of all pairs of clauses, in areas", "McIntyre 2016"),
        Method("resolution", False, "refutation of the opposite, in areas", "McIntyre 2016"),
        Method("matching", False, "resolution that keeps clauses short", "Lee 2023"),
        Method("sat", True, "a SAT solver, and counting over components", "Harnjan"),
        Method("csp", True, "a finite-domain solver", "Sharma, Kallingal Joshy and Agrawal"),
        Method("asp", True, "an answer-set program", "Sharma, Kallingal Joshy and Agrawal, planned"),
    )
}


def find_method(name: str) -> Method:
    """The method of a name.

    >>> find_method("single").complete
    False
    """
    if name not in METHODS:
        raise UnknownName("method", name, METHODS)
    return METHODS[name]
