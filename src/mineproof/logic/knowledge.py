"""What each of the five systems writes down about a position, in its own form, for JSON; lists have at most `MOST`
items.

Clauses for `chaining` and `matching`, clauses and models for `sat`, the table of clues and normal forms for
`normal-form`, variables and sums for `csp`. What they conclude from it is their method's `infer`.
"""

from __future__ import annotations

from collections import defaultdict, deque
from itertools import islice
from typing import TYPE_CHECKING, Any

from mineproof.board.position import MINES, NUMBERS, UNKNOWN
from mineproof.errors import OutOfTime, UnknownName
from mineproof.limit import DEFAULT, Limit
from mineproof.logic.chaining import CLAUSES, Bits, resolve_all
from mineproof.logic.clauses import exactly, multiplied_out
from mineproof.logic.constraints import cells_of, components, watched
from mineproof.logic.matching import Contradiction, KnowledgeBase
from mineproof.logic.normal_form import UNKNOWNS, arrangements
from mineproof.logic.reasoning import Reasoning
from mineproof.logic.solver import Solver

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from mineproof.board.position import Position
    from mineproof.logic.constraints import Constraint
    from mineproof.logic.reasoning import Reason

Json = dict[str, Any]
MOST = 400
MODELS = 8
_QUICK = 5  # cells of a clue that is multiplied out whatever its number is


def knowledge(system: str, position: Position, limit: Limit = DEFAULT) -> Json:
    """What a system writes down; ``cut`` says whether anything was left out. Raises `InconsistentPosition`.

    >>> from mineproof import Position
    >>> found = knowledge("csp", Position.from_text("3x2x2\\nHHH\\n121"))
    >>> [one["text"] for one in found["constraints"]]
    ['A1 + B1 = 1', 'A1 + B1 + C1 = 2', 'B1 + C1 = 1']
    """
    if system not in SYSTEMS:
        raise UnknownName("system", system, SYSTEMS)
    with Reasoning(position, system, limit) as reasoning:
        written = SYSTEMS[system](reasoning)
        cut = any(isinstance(value, list) and len(value) > MOST for value in written.values())
        short = {name: value[:MOST] if isinstance(value, list) else value for name, value in written.items()}
        return {**short, "cut": cut}
    return {"cut": True}  # time ran out


def _chaining(reasoning: Reasoning) -> Json:
    """The clauses of the clues that single-clue rules leave open, and what resolving adds, component by component."""
    reasoning.settle()
    told: list[Json] = []
    resolved: list[Json] = []
    exhausted = True
    for part in components(reasoning.open, reasoning.clock):
        bits, base = Bits(), dict[int, "Reason"]()
        for constraint in part:
            for clause in exactly(constraint.mines, [cell + 1 for cell in constraint.cells]):
                base[bits.of(clause)] = reasoning.reason(constraint)
        own = len(base)
        exhausted &= resolve_all(reasoning, bits, base, deque(base), defaultdict(list), max(CLAUSES, own), False, False)
        for number, (known, because) in enumerate(base.items()):
            literals = [bits.literal(bit) for bit in bits.each(known)]
            (told if number < own else resolved).append(_clause(reasoning, literals, because, number >= own))
        if len(told) + len(resolved) > MOST:
            break
    return {
        "clauses": [*told, *resolved], "count": {"clues": len(told), "resolved": len(resolved)}, "limit": CLAUSES,
        "exhausted": exhausted,
    }  # fmt: skip


def _sat(reasoning: Reasoning) -> Json:
    """The clauses that single-clue rules leave open, and some of their models."""
    reasoning.settle()
    clauses: list[Json] = []
    direct = long = 0
    for constraint in watched(reasoning.open, reasoning.clock):
        because = reasoning.reason(constraint)
        own = list(exactly(constraint.mines, [cell + 1 for cell in constraint.cells]))
        clauses += [_clause(reasoning, clause, because) for clause in own] if len(clauses) <= MOST else []
        direct += len(own)
        size = len(constraint.cells)
        quick = size <= _QUICK or constraint.mines in (1, size - 1)
        long = long + len(multiplied_out(constraint.mines, size)) if quick and long >= 0 else -1
    models: list[list[list[int]]] = []
    with Solver(reasoning.open, reasoning.clock) as solver:
        while solver.cells and len(models) < MODELS and solver.solve():
            models.append(_pairs(reasoning, solver.mined()))
            solver.prefer([-literal for literal in solver.model()])
            solver.exclude()
        variables = _pairs(reasoning, solver.cells)
    encodings = {"direct": direct, "multiplied_out": long if long >= 0 else None}
    return {"clauses": clauses, "variables": variables, "models": models, "encodings": encodings}


def _normal_form(reasoning: Reasoning) -> Json:
    """The table of all clues that have unknown cells, and the arrangements of those with few."""
    position, grid = reasoning.position, reasoning.position.grid
    clues = []
    for constraint in watched(reasoning.read().constraints, reasoning.clock):
        around = [position[cell] for cell in grid.neighbours(grid.cell(constraint.clue))]
        hidden = sum(symbol in UNKNOWN for symbol in around)
        status = "all safe" if constraint.mines == 0 else "all mines" if constraint.mines == hidden else "unsure"
        clues.append(
            {
                "clue": list(grid.cell(constraint.clue)),
                "number": position.clue(grid.cell(constraint.clue)),
                "safe": sum(symbol in NUMBERS or symbol == "S" for symbol in around),
                "mines": sum(symbol in MINES for symbol in around),
                "hidden": hidden,
                "status": status,
            }
        )
    reasoning.settle()
    forms = [
        {
            "clue": list(grid.cell(constraint.clue)),
            "cells": _pairs(reasoning, constraint.cells),
            "arrangements": [_pairs(reasoning, mines) for mines in arrangements(constraint)],
        }
        for constraint in reasoning.open
        if len(constraint.cells) <= UNKNOWNS
    ]
    return {"clues": clues, "forms": forms}


def _matching(reasoning: Reasoning) -> Json:
    """KB and KB0 when nothing more follows."""
    base = KnowledgeBase()
    try:
        for clue, cells, mines in watched(reasoning.read().constraints, reasoning.clock, every=16):
            base.tell([cell + 1 for cell in cells], mines, frozenset((clue,)))
        for _ in base.proved(reasoning.clock.check):
            pass
    except Contradiction as found:
        raise reasoning.contradiction(found.because) from None
    except OutOfTime:
        pass  # what was found until then
    kept = [_clause(reasoning, sorted(clause, key=abs), why) for clause, why in islice(base.clauses.items(), MOST + 1)]
    proved = [_literal(reasoning, literal) for literal in base.facts]
    return {"kb": kept, "kb0": proved, "rounds": base.rounds, "count": {"kb": len(base.clauses), "kb0": len(proved)}}


def _csp(reasoning: Reasoning) -> Json:
    """A variable per cell, a sum per clue."""
    constraints = reasoning.read().constraints
    sums = [_sum(reasoning, constraint) for constraint in islice(constraints, MOST + 1)]
    return {"variables": _pairs(reasoning, cells_of(constraints, reasoning.clock)), "constraints": sums}


def _sum(reasoning: Reasoning, constraint: Constraint) -> Json:
    at = reasoning.position.grid.cell
    text = f"{' + '.join(str(at(cell)) for cell in constraint.cells)} = {constraint.mines}"
    cells = _pairs(reasoning, constraint.cells)
    return {"clue": list(at(constraint.clue)), "cells": cells, "mines": constraint.mines, "text": text}


def _clause(reasoning: Reasoning, literals: Iterable[int], because: Reason, resolved: bool = False) -> Json:
    found = [_literal(reasoning, literal) for literal in literals]
    at = reasoning.position.grid.cell
    text = " ∨ ".join(
        f"{'' if mine else '¬'}{at(row * reasoning.position.grid.cols + col)}" for row, col, mine in found
    )
    clues = [list(at(clue)) for clue in sorted(because) if clue >= 0]
    return {"text": text or "⊥", "literals": found, "because": clues, "resolved": resolved}


def _literal(reasoning: Reasoning, literal: int) -> tuple[int, int, bool]:
    row, col = reasoning.position.grid.cell(abs(literal) - 1)
    return row, col, literal > 0


def _pairs(reasoning: Reasoning, cells: Iterable[int]) -> list[list[int]]:
    return [list(reasoning.position.grid.cell(cell)) for cell in sorted(cells)]


SYSTEMS: dict[str, Callable[[Reasoning], Json]] = {
    "chaining": _chaining,
    "sat": _sat,
    "normal-form": _normal_form,
    "matching": _matching,
    "csp": _csp,
}
