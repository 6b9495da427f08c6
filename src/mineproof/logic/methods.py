"""All inference methods by name, each imported when it is used."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from mineproof.board.position import position_of
from mineproof.errors import Registry
from mineproof.limit import DEFAULT, Limit
from mineproof.logic.options import Option, read_options

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mineproof.board.position import Position, Seen
    from mineproof.logic.deduction import Deductions


class Infers(Protocol):
    """Anything that finds certain cells in a position."""

    def infer(self, position: Position, limit: Limit = ...) -> Deductions:
        """The certain cells that this engine finds, with their reasons."""
        ...


@dataclass(frozen=True, slots=True)
class Method:
    """An inference method, with its options."""

    name: str
    complete: bool
    """Whether it finds, given time, every cell that follows from the clues and the number of mines."""
    idea: str
    source: str
    options: tuple[Option, ...] = ()
    chosen: Mapping[str, Any] = field(default_factory=dict)
    """The chosen options by keyword; the others have their defaults."""
    version: int = 2
    """The version of its behaviour; a new version is also one of all agents that use the method."""

    @property
    def finds_all(self) -> bool:
        """Whether it is complete with the chosen options.

        >>> find_method("csp").finds_all, find_method("csp:mine-count=no").finds_all
        (True, False)
        """
        values = [self.chosen.get(option.keyword, option.default) for option in self.options if option.completes]
        return self.complete and all(value is True for value in values)

    def consistent(self, deductions: Deductions) -> bool | None:
        """Whether some board is consistent with a position, by the deductions of this method from it; None if the
        method does not know: most methods overlook contradictions.

        >>> from mineproof import METHODS, Position
        >>> wrong = Position.from_text("6x1x1\\nH1HH2H")
        >>> METHODS["single"].consistent(METHODS["single"].infer(wrong))
        """
        return True if self.finds_all and deductions.complete else None

    def infer(self, position: Position | Seen, limit: Limit = DEFAULT, **options: Any) -> Deductions:
        """The deductions of this method; its page of the docs lists its options."""
        deductions: Deductions = self._module.infer(position_of(position), limit, **{**self.chosen, **options})
        return deductions

    def bound(self, **options: Any) -> Method:
        """The same method with these options."""
        return replace(self, chosen={**self.chosen, **options})

    def follower(self) -> Infers:
        """An engine for the successive positions of one game, which keeps what it knows."""
        follower: Infers = self._module.Follower(**self.chosen)
        return follower

    @property
    def _module(self) -> Any:
        return import_module(f"mineproof.logic.{self.name.replace('-', '_')}")


NO_LIMIT = {"unlimited": None}
LITERAL = Option("literal", False, "the rule as printed, which is unsound")
SUBSUMPTION = Option("subsumption", False, "drop a clause if a shorter one implies it")
SUPPORT = Option("set-of-support", False, "resolve only with clauses that descend from the supposed one")
REACH = Option("reach", 2, "how far the first area extends to each side", {}, 0)
MINE_COUNT = Option("mine-count", True, "use the number of mines", completes=True)

_METHODS = (
    Method("single", False, "rules for one clue", "nearly every program"),
    Method("subset", False, "rules for two clues, and for their difference", "strong human players"),
    Method(
        "normal-form", False, "arrangements of two neighbouring clues", "Nguyen and Kafafian 2021",
        (Option("unknowns", 3, "most unknown cells of the first clue of a pair", {}, 1), LITERAL),
    ),
    Method(
        "chaining", False, "resolution of all pairs of clauses, in areas", "McIntyre 2016",
        (
            Option("clauses", 300, "most clauses in a knowledge base", NO_LIMIT, 1),
            Option("every", 5, "distance between the cells of interest", {}, 1),
            REACH, SUBSUMPTION, LITERAL,
        ),
    ),
    Method(
        "resolution", False, "refutation of the opposite, in areas", "McIntyre 2016",
        (
            Option("clauses", 600, "most clauses in a knowledge base", NO_LIMIT, 1), REACH, SUBSUMPTION, LITERAL,
            SUPPORT, Option("mine-count", False, "add the number of mines as one more clue, on small boards"),
        ),
        version=3,
    ),
    Method(
        "matching", False, "resolution that keeps clauses short", "Lee 2023",
        (
            Option("literals", 2, "most literals in the shorter clause of a pair", NO_LIMIT, 1),
            Option("keep-parents", False, "two clauses stay when their resolvent is inserted"),
            Option("rounds", 11, "stuck after this many rounds of pairs that prove nothing", NO_LIMIT, 1),
            Option("store", "index", "how clauses are found", {"index": "index", "list": "list"}),
        ),
        version=3,
    ),
    Method(
        "sat", True, "a SAT solver, and counting over components", "Harnjan",
        (
            Option(
                "mine-count", True, "use the number of mines; a number N: only if the clues make no cell safe, with "
                "at most N closed cells", least=1, completes=True,
            ),
            Option(
                "encoding", "cardinality", "how a clue is written",
                {name: name for name in ("cardinality", "direct", "multiplied-out")},
            ),
        ),
    ),
    Method("csp", True, "a finite-domain solver", "Sharma, Kallingal Joshy and Agrawal", (MINE_COUNT,)),
    Method("asp", True, "an answer-set program", "Sharma, Kallingal Joshy and Agrawal, planned", (MINE_COUNT,)),
)  # fmt: skip
METHODS = Registry("method", {method.name: method for method in _METHODS})
OTHER_NAMES = {"basic": "single"}
"""The methods by the other names that reports give them."""


def find_method(name: str) -> Method:
    """The method with this name, with its options.

    >>> find_method("single").complete, find_method("chaining:clauses=100").chosen
    (False, {'clauses': 100})
    """
    plain, colon, text = name.partition(":")
    plain = OTHER_NAMES.get(plain, plain)
    method = METHODS[plain]
    return method.bound(**read_options(plain, text, method.options)) if colon else method
