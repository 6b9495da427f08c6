"""A proof that a cell is safe, or a mine: suppose the opposite, and reach the empty clause.

Every step is a clause: from a clue, from a counting step, or resolved from two earlier steps. Only a minimal set of
clues is used: without any one of them the cell would not be certain. `checker` verifies every proof.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

from mineproof.board.grid import CellSet
from mineproof.board.html import beside, heading, table
from mineproof.board.position import CLOSED, SHOWN_CELLS, position_of
from mineproof.board.svg import Highlight
from mineproof.errors import InvalidArgument, OutOfTime
from mineproof.limit import DEFAULT, Clock, Limit
from mineproof.logic import sat
from mineproof.logic.checker import find_fault
from mineproof.logic.constraints import components, once, problem_of, watched
from mineproof.logic.deduction import in_words
from mineproof.logic.refutation import Origin, Refutation, trimmed
from mineproof.logic.solver import Solver, minimal
from mineproof.plural import noun_for, plural

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mineproof.board.grid import Cell, CellLike
    from mineproof.board.position import Position, Seen
    from mineproof.logic.clauses import Clause
    from mineproof.logic.constraints import Constraint

TRIES = 12
"""The number of refutations tried, each in another order; the shortest is kept."""
LONG = 300
"""The number of steps above which no other refutation is tried."""
PATIENCE = 0.3
"""The share of the time for finding the fewest clues; after that a minimal set is used."""


@dataclass(frozen=True, slots=True)
class ProofStep:
    """A clause, as literals (names of cells, a minus in front for "no mine"), and its origin."""

    clause: tuple[str, ...]
    rule: str
    """``suppose``, ``given``, ``clue``, ``count`` or ``resolve``."""
    clues: tuple[str, ...] = ()
    steps: tuple[int, ...] = ()
    """Numbers of earlier steps, from 1."""

    def fields(self) -> dict[str, Any]:
        """The fields for JSON."""
        fields: dict[str, Any] = {"clause": list(self.clause), "rule": self.rule}
        if self.rule in ("clue", "count"):
            fields["clues"] = list(self.clues)
        if self.steps:
            fields["steps"] = list(self.steps)
        return fields

    def __str__(self) -> str:
        """The clause in words."""
        mines = [literal for literal in self.clause if not literal.startswith("-")]
        safe = [literal[1:] for literal in self.clause if literal.startswith("-")]
        parts = [f"{' or '.join(cells)} is {value}" for cells, value in ((mines, "a mine"), (safe, "safe")) if cells]
        return ", or ".join(parts) or "contradiction"

    @property
    def reason(self) -> str:
        """The origin of the clause, in words."""
        if self.rule == "clue":
            return f"clue {self.clues[0]}"
        if self.rule == "count":
            return "the mine count" + (
                f" less {noun_for(len(self.clues), 'clue')} {', '.join(self.clues)}" if self.clues else ""
            )
        if self.rule == "resolve":
            return f"from {self.steps[0]} and {self.steps[1]}"
        return "suppose the opposite" if self.rule == "suppose" else "named safe by the game"


@dataclass(frozen=True, slots=True)
class Proof:
    """Why a cell must be safe, or a mine."""

    position: Position
    cell: Cell
    mine: bool
    because: CellSet
    mine_count: bool
    steps: tuple[ProofStep, ...]

    def fields(self) -> dict[str, Any]:
        """The fields for JSON and for the checker."""
        return {
            "cell": list(self.cell),
            "verdict": "mine" if self.mine else "safe",
            "because": [list(clue) for clue in sorted(self.because)],
            "mine_count": self.mine_count,
            "steps": [step.fields() for step in self.steps],
        }

    def to_json(self) -> str:
        """One line of JSON."""
        return json.dumps(self.fields())

    def find_fault(self) -> str | None:
        """The fault that the independent checker finds in this proof; None if it is right."""
        return find_fault(self.position, json.loads(self.to_json()))

    def __repr__(self) -> str:
        return f"<Proof: {self.cell} is {'a mine' if self.mine else 'safe'}, in {plural(len(self.steps), 'step')}>"

    def __str__(self) -> str:
        """Numbered steps."""
        lines = [self.claim]
        width = min(60, max(len(str(step)) for step in self.steps))
        for number, step in enumerate(self.steps, start=1):
            text = f"{number:4}. {step!s:{width}}"
            lines += (
                [f"{text}  {step.reason}"] if len(str(step)) <= width else [text, f"{'':{width + 6}}  {step.reason}"]
            )
        return "\n".join(lines)

    @property
    def claim(self) -> str:
        """The proved statement, with the clues that prove it."""
        return f"{self.cell} is {'a mine' if self.mine else 'safe'}, {in_words(self.because, self.mine_count)}."

    def _repr_html_(self) -> str:
        """The board with the clues, and the steps, for a notebook."""
        picture = None
        if len(self.position.grid) <= SHOWN_CELLS:
            picture = self.position.to_svg(why=(Highlight(tuple(self.because), (self.cell,), self.mine),))
        rows = [(f"{number}.", str(step), step.reason) for number, step in enumerate(self.steps, start=1)]
        return beside(picture, heading(self.claim), table(("", "step", "reason"), rows))

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: ARG002
        """The steps, in an IPython console."""
        printer.text(str(self))


def prove(position: Position | Seen, cell: CellLike, limit: Limit = DEFAULT) -> Proof | None:
    """A proof that the cell is safe, or that it is a mine; None if it can be either.

    >>> from mineproof import Position
    >>> print(prove(Position.from_text("3x2x2\\nHHH\\n121"), "B1"))
    B1 is safe, by clues A2, B2, C2.
       1. B1 is a mine                 suppose the opposite
       2. B1 or C1 is safe             clue C2
       3. A1 or C1 is a mine           clue B2
       4. A1 is a mine, or B1 is safe  from 2 and 3
       5. A1 or B1 is safe             clue A2
       6. B1 is safe                   from 4 and 5
       7. contradiction                from 6 and 1
    """
    clock = Clock(limit)
    position = position_of(position)
    at = position.grid.at(cell)
    if position[at] not in CLOSED:
        raise InvalidArgument(
            f"{at} is {'open' if position.clue(at) is not None else 'known'}: there is nothing to prove"
        )
    deductions = sat.infer(position, clock.rest())
    verdict = next((deduction for deduction in deductions if at in deduction.cells), None)
    if verdict is None:
        if not deductions.complete:
            raise OutOfTime(f"it is not known whether {at} is certain: {deductions.ended}")
        return None
    problem = problem_of(position, clock)
    index = position.grid.index(at)
    opposite: Clause = frozenset((-1 - index if verdict.mine else index + 1,))
    named_safe: Clause | None = frozenset((-1 - index,)) if position[at] == "S" else None
    count = problem.mine_count if verdict.mine_count else None
    used = {position.grid.index(clue) for clue in verdict.because}
    known_clues = once(constraint for constraint in watched(problem.constraints, clock) if constraint.clue in used)
    if count is not None:
        constraints = _needed_with(count, known_clues, index, verdict.mine, clock)
    else:
        constraints = _needed(known_clues, problem.constraints, opposite, clock)
    shortest: list[tuple[Clause, Origin]] = []
    for attempt in range(TRIES):
        origins = {} if named_safe is None else {named_safe: Origin("given")}
        shuffle = random.Random(attempt) if attempt else None
        refutation = Refutation(constraints, count, clock.check, shuffle, origins)
        try:
            refutation.refute(opposite)
        except OutOfTime:
            if shortest:
                break  # there is a proof, though perhaps not the shortest
            raise
        clauses = trimmed(refutation.origins)
        if not shortest or len(clauses) < len(shortest):
            shortest = clauses
        if len(shortest) > LONG:
            break
    return _proof(position, at, verdict.mine, shortest)


def _needed(
    known_clues: list[Constraint], all_clues: Iterable[Constraint], opposite: Clause, clock: Clock
) -> list[Constraint]:
    """The fewest clues that make the cell certain; if that takes too long, a minimal set of ``known_clues``."""
    if not known_clues:
        return []  # the game has named the cell safe
    near = next(part for part in components(all_clues, clock) if known_clues[0] in part)
    try:
        with Solver(once(near), clock.rest(PATIENCE).start(), selectors=True) as solver:
            needed = solver.smallest_core(solver.literals(opposite))
    except OutOfTime:
        with Solver(known_clues, clock, selectors=True) as solver:
            needed = solver.minimal_core(solver.literals(opposite))
    assert needed is not None, "the clues do not make the cell certain"
    return needed


def _needed_with(count: Constraint, clues: list[Constraint], cell: int, mine: bool, clock: Clock) -> list[Constraint]:
    """A minimal set of clues that, together with the number of mines, makes the cell certain."""
    follows = Follows(count, cell, mine, clock)
    parts = [tuple(part) for part in components(clues, clock)]
    parts = minimal(parts, lambda fewer: fewer if follows(chain(*fewer)) else None, at_once=len(parts))
    return minimal(sorted(chain(*parts)), lambda fewer: fewer if follows(fewer) else None)


class Follows:
    """Tests whether given clues and the number of mines make a cell certain; caches the components."""

    def __init__(self, count: Constraint, cell: int, mine: bool, clock: Clock) -> None:
        self.count = count
        self.cell = cell
        self.mine = mine
        self.clock = clock
        self.parts: dict[tuple[Constraint, ...], sat.Part] = {}

    def __call__(self, constraints: Iterable[Constraint]) -> bool:
        """Whether these clues, with the number of mines, make the cell certain."""
        parts = [self._part(tuple(part)) for part in components(constraints, self.clock)]
        own = next((i for i, part in enumerate(parts) if self.cell in part.variable), None)
        unseen = len(self.count.cells) - sum(len(part.cells) for part in parts)
        cases, sums = sat.allowed(parts, self.count.mines, unseen, self.clock)
        if own is None:
            return sums == [self.count.mines - unseen if self.mine else self.count.mines]
        variable = parts[own].variable[self.cell]
        opposite = -variable if self.mine else variable
        return not any(parts[own].solve([*case, opposite]) for case in cases[own].values())

    def _part(self, constraints: tuple[Constraint, ...]) -> sat.Part:
        if constraints not in self.parts:
            self.parts[constraints] = sat.Part(constraints, self.clock)
        return self.parts[constraints]


def _proof(position: Position, cell: Cell, mine: bool, clauses: list[tuple[Clause, Origin]]) -> Proof:
    """The proof whose steps are these clauses, with names of cells and numbers of steps."""
    at = position.grid.cell
    number = {clause: i for i, (clause, _) in enumerate(clauses, start=1)}
    steps = tuple(
        ProofStep(
            clause=tuple("-" * (literal < 0) + str(at(abs(literal) - 1)) for literal in sorted(clause, key=abs)),
            rule=origin.rule,
            clues=tuple(str(at(clue)) for clue in origin.clues),
            steps=tuple(number[premise] for premise in origin.premises),
        )
        for clause, origin in clauses
    )
    because = CellSet(at(clue) for _, origin in clauses for clue in origin.clues)
    return Proof(position, cell, mine, because, any(step.rule == "count" for step in steps), steps)
