"""The knowledge that an agent of the five systems has written down, in its system's own form, for JSON. It is read from
the agent's notes (`noted`), not concluded again. Lists have at most `MOST` items.

The forms: clauses of areas for chaining and resolution, clauses and models for SAT, the table of clues and normal forms
for normal-form, KB and KB0 for matching, variables and sums for CSP.
"""

from __future__ import annotations

from itertools import islice
from math import comb
from typing import TYPE_CHECKING, Any

from mineproof.board.grid import Cell
from mineproof.logic.chaining import Area
from mineproof.logic.clauses import exactly, multiplied_out
from mineproof.logic.clue_table import Known, clue_table, lines
from mineproof.logic.constraints import COUNT, Constraint, cells_of, watched
from mineproof.logic.matching import KnowledgeBase
from mineproof.logic.normal_form import arrangements
from mineproof.logic.solver import Solver

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from mineproof.limit import Clock, Limit
    from mineproof.logic.reasoning import Reason, Reasoning

Json = dict[str, Any]
MOST = 400
"""The most items of a list."""
MODELS = 8
"""The most models listed."""
AREAS = 6
"""The most areas whose clauses are listed."""
_QUICK, _MANY = 5, 8
"""The most cells of a clue that is multiplied out: with any number, and with one mine or one safe cell."""


def written(reasonings: Sequence[Reasoning], limit: Limit) -> Json:
    """What an agent's methods, tried in turn, have written down. Each method has its own entries.

    >>> from mineproof import METHODS, Limit, Position
    >>> from mineproof.logic.reasoning import noted
    >>> with noted() as reasonings:
    ...     deductions = METHODS["csp"].infer(Position.from_text("3x2x2\\nHHH\\n121"))
    >>> [clue["text"] for clue in written(reasonings, Limit())["constraints"]]
    ['A1 + B1 = 1', 'A1 + B1 + C1 = 2', 'B1 + C1 = 1']
    """
    clock = limit.start()
    entries: Json = {}
    cut = False
    for reasoning in reasonings:
        in_json = IN_JSON.get(reasoning.method)
        if in_json is not None:
            entries |= in_json(reasoning, clock)
            cut = entries.pop("cut", False) or cut
    cut = cut or any(isinstance(value, list) and len(value) > MOST for value in entries.values())
    return {name: value[:MOST] if isinstance(value, list) else value for name, value in entries.items()} | {"cut": cut}


def in_short(reasonings: Sequence[Reasoning]) -> str:
    """The size of the written knowledge, in a line; empty if nothing was written."""
    return "; ".join(IN_SHORT[reasoning.method](reasoning) for reasoning in reasonings if reasoning.method in IN_SHORT)


def in_full(reasonings: Sequence[Reasoning], limit: Limit) -> Iterator[str]:
    """The written knowledge, line by line.

    >>> from mineproof import METHODS, Limit, Position
    >>> from mineproof.logic.reasoning import noted
    >>> with noted() as reasonings:
    ...     deductions = METHODS["single"].infer(Position.from_text("3x2x2\\nHHH\\n121"))
    >>> print(*in_full(reasonings, Limit()), sep="\\n")
    clue   number  safe mines hidden  status of hidden cells
    A2          1     1     0      2  unsure
    B2          2     2     0      3  unsure
    C2          1     1     0      2  unsure
    """
    entries = written(reasonings, limit)
    if "clues" in entries:
        yield from lines(Known(**{**row, "clue": Cell(*row["clue"])}) for row in entries["clues"])
    for form in entries.get("forms", ()):
        ways = " or ".join(" ".join(str(Cell(*cell)) for cell in mines) for mines in form["arrangements"])
        yield f"{Cell(*form['clue'])}: mines at {ways}"
    for area in (*entries.get("areas", ()), *entries.get("refutations", ())):
        clues, size = " ".join(str(Cell(*clue)) for clue in area["clues"]), sum(area["count"].values())
        supposed = "" if area["supposed"] is None else f", supposed {_name(area['supposed'])}"
        yield f"clues {clues}{supposed}: {size} clauses" + ("" if area["exhausted"] else ", then the limit")
        yield from (f"  {clause['text']}" for clause in area["clauses"])
    if "kb0" in entries:
        yield f"KB0: {', '.join(map(_name, entries['kb0']))}"
    for clause in (*entries.get("kb", ()), *entries.get("clauses", ()), *entries.get("constraints", ())):
        yield clause["text"]
    if entries["cut"]:
        yield "…"


def _name(literal: tuple[int, int, bool]) -> str:
    row, col, mine = literal
    return f"{'' if mine else '¬'}{Cell(row, col)}"


# -- areas of clauses ------------------------------------------------------------------------------------------------


def _areas(reasoning: Reasoning, _: Clock) -> Json:
    """The knowledge bases of areas, in order; for resolution, those that proved something come first."""
    areas = [note for note in reasoning.notes or () if isinstance(note, Area)]
    shown = sorted(areas, key=lambda area: not _refuted(area)) if reasoning.method == "resolution" else areas
    listed = [_area(reasoning, area) for area in islice(shown, AREAS)]
    return {
        "areas" if reasoning.method == "chaining" else "refutations": listed,
        f"{reasoning.method}_count": {
            "areas": len(areas),
            "clauses": sum(area.size for area in areas),
            "cut_off": sum(not area.exhausted and not _refuted(area) for area in areas),
        },
        "cut": len(areas) > AREAS or any(len(area.clauses) > MOST for area in shown[:AREAS]),
    }


def _refuted(area: Area) -> bool:
    return any(not literals for literals, _ in area.clauses)


def _area(reasoning: Reasoning, area: Area) -> Json:
    at = reasoning.position.grid.cell
    return {
        "clues": [list(at(clue)) for clue in area.clues if clue != COUNT],
        "supposed": None if area.supposed is None else _literal(reasoning, area.supposed),
        "clauses": [
            _clause(reasoning, literals, because, number >= area.premises)
            for number, (literals, because) in enumerate(area.clauses[:MOST])
        ],
        "count": {"clues": area.premises, "resolved": area.size - area.premises},
        "exhausted": area.exhausted,
        "contradiction": _refuted(area),
    }


def _areas_in_short(reasoning: Reasoning) -> str:
    count = _areas(reasoning, reasoning.clock)[f"{reasoning.method}_count"]
    kind = "areas" if reasoning.method == "chaining" else "suppositions"
    clauses = f"{reasoning.method}: {count['clauses']:,} clauses in {count['areas']:,} {kind}"
    return f"{clauses}, the limit reached in {count['cut_off']:,}"


# -- the other methods -----------------------------------------------------------------------------------------------


def _sat(reasoning: Reasoning, clock: Clock) -> Json:
    """The clauses of the open constraints, with the number of mines if it was used, and some models."""
    constraints = _open(reasoning)
    clauses: list[Json] = []
    direct = long = 0
    for constraint in watched(constraints, clock, every=1):
        because, size = _because(reasoning, constraint), len(constraint.cells)
        own = exactly(constraint.mines, [cell + 1 for cell in constraint.cells])
        clauses += [_clause(reasoning, clause, because) for clause in islice(own, MOST + 1 - len(clauses))]
        direct += _size(constraint)
        quick = size <= _QUICK or (constraint.mines in (1, size - 1) and size <= _MANY)
        long = long + len(multiplied_out(constraint.mines, size)) if quick and long >= 0 else -1
    models: list[list[list[int]]] = []
    with Solver(constraints, clock) as solver:
        while solver.cells and len(models) < MODELS and solver.solve():
            models.append(_pairs(reasoning, solver.mined()))
            solver.prefer([-literal for literal in solver.model()])
            solver.exclude()
        variables = _pairs(reasoning, solver.cells)
    encodings = {"direct": direct, "multiplied_out": long if long >= 0 else None}
    counted = len(constraints) > len(reasoning.open)
    return {
        "clauses": clauses, "variables": variables, "models": models, "encodings": encodings, "mine_count": counted
    }  # fmt: skip


def _open(reasoning: Reasoning) -> list[Constraint]:
    return [*reasoning.open, *(note for note in reasoning.notes or () if isinstance(note, Constraint))]


def _because(reasoning: Reasoning, constraint: Constraint) -> Reason:
    return frozenset[int]() if constraint.clue == COUNT else reasoning.reason(constraint)


def _size(constraint: Constraint) -> int:
    """The number of clauses of a constraint."""
    size, mines = len(constraint.cells), constraint.mines
    return comb(size, mines + 1) + comb(size, size - mines + 1) if 0 <= mines <= size else 1


def _sat_in_short(reasoning: Reasoning) -> str:
    constraints = _open(reasoning)
    clauses = sum(map(_size, constraints))
    cells = {cell for constraint in constraints for cell in constraint.cells}
    return f"{clauses:,} clauses about {len(cells):,} cells"


def _table(reasoning: Reasoning, _: Clock) -> Json:
    """The dictionary of S.M.I.L.E.: all clues that have unknown cells, before anything new is concluded."""
    return {"clues": [{**known._asdict(), "clue": list(known.clue)} for known in _dictionary(reasoning)]}


def _dictionary(reasoning: Reasoning) -> list[Known]:
    """The table of clues. Only those proved mines that have a flag, because they were proved before, count as known."""
    position = reasoning.position
    proved = (position.grid.cell(index) for index, mine in reasoning.facts.items() if mine)
    return clue_table(position, mined={cell for cell in proved if position[cell] == "F"})


def _table_in_short(reasoning: Reasoning) -> str:
    statuses = [known.status for known in _dictionary(reasoning)]
    counts = [f"{statuses.count(status):,} {status}" for status in dict.fromkeys(statuses)]
    return f"{len(statuses):,} clues in the table" + (f": {', '.join(counts)}" if counts else "")


def _normal_form(reasoning: Reasoning, clock: Clock) -> Json:
    """The table of clues, and the arrangements of the open clues that have few cells."""
    unknowns = next(note for note in reasoning.notes or () if isinstance(note, int))
    forms = [
        {
            "clue": list(reasoning.position.grid.cell(constraint.clue)),
            "cells": _pairs(reasoning, constraint.cells),
            "arrangements": [_pairs(reasoning, mines) for mines in arrangements(constraint)],
        }
        for constraint in watched(reasoning.open, clock)
        if len(constraint.cells) <= unknowns
    ]
    return {**_table(reasoning, clock), "forms": forms}


def _matching(reasoning: Reasoning, _: Clock) -> Json:
    """KB and KB0."""
    base = _base(reasoning)
    kept = [_clause(reasoning, sorted(clause, key=abs), why) for clause, why in islice(base.clauses.items(), MOST + 1)]
    proved = [_literal(reasoning, literal) for literal in base.facts]
    single = sum(len(clause) == 1 for clause in base.clauses)
    count = {"kb": len(base.clauses), "kb0": len(proved), "single": single}
    return {"kb": kept, "kb0": proved, "rounds": base.rounds, "count": count}


def _base(reasoning: Reasoning) -> KnowledgeBase:
    return next(note for note in reasoning.notes or () if isinstance(note, KnowledgeBase))


def _matching_in_short(reasoning: Reasoning) -> str:
    """The sizes of KB and KB0, as the report's window shows them."""
    base = _base(reasoning)
    single = sum(len(clause) == 1 for clause in base.clauses)
    return f"# in KB: {len(base.clauses)} (single: {single}), # in KB0: {len(base.facts)}"


def _csp(reasoning: Reasoning, clock: Clock) -> Json:
    """A variable per cell, a sum per clue, and the cells that have the same value in all solutions."""
    constraints = reasoning.read().constraints
    sums = [_sum(reasoning, constraint) for constraint in islice(constraints, MOST + 1)]
    variables = cells_of(constraints, clock)
    facts = reasoning.facts
    solved = {
        "safe": _pairs(reasoning, (cell for cell, mine in facts.items() if not mine)),
        "mined": _pairs(reasoning, (cell for cell, mine in facts.items() if mine)),
        "ambiguous": _pairs(reasoning, (cell for cell in variables if cell not in facts)),
    }
    return {"variables": _pairs(reasoning, variables), "constraints": sums, "solved": solved}


def _csp_in_short(reasoning: Reasoning) -> str:
    constraints = reasoning.read().constraints
    cells = {cell for constraint in constraints for cell in constraint.cells}
    return f"{len(cells):,} variables, {len(constraints):,} sums"


def _asp_in_short(reasoning: Reasoning) -> str:
    return f"told {len(reasoning.constraints):,} clues that have unknown cells"


# -- parts of JSON ---------------------------------------------------------------------------------------------------


def _sum(reasoning: Reasoning, constraint: Constraint) -> Json:
    at = reasoning.position.grid.cell
    text = f"{' + '.join(str(at(cell)) for cell in constraint.cells)} = {constraint.mines}"
    cells = _pairs(reasoning, constraint.cells)
    return {"clue": list(at(constraint.clue)), "cells": cells, "mines": constraint.mines, "text": text}


def _clause(reasoning: Reasoning, literals: Iterable[int], because: Reason, resolved: bool = False) -> Json:
    parts = [_literal(reasoning, literal) for literal in literals]
    at = reasoning.position.grid.cell
    text = " ∨ ".join(map(_name, parts))
    clues = [list(at(clue)) for clue in sorted(because) if clue >= 0]
    return {"text": text or "⊥", "literals": parts, "because": clues, "resolved": resolved}


def _literal(reasoning: Reasoning, literal: int) -> tuple[int, int, bool]:
    row, col = reasoning.position.grid.cell(abs(literal) - 1)
    return row, col, literal > 0


def _pairs(reasoning: Reasoning, cells: Iterable[int]) -> list[list[int]]:
    return [list(reasoning.position.grid.cell(cell)) for cell in sorted(cells)]


IN_JSON: dict[str, Callable[[Reasoning, Clock], Json]] = {
    "chaining": _areas,
    "resolution": _areas,
    "sat": _sat,
    "single": _table,
    "normal-form": _normal_form,
    "matching": _matching,
    "csp": _csp,
}
"""The knowledge in JSON, by method."""
IN_SHORT: dict[str, Callable[[Reasoning], str]] = {
    "chaining": _areas_in_short,
    "resolution": _areas_in_short,
    "sat": _sat_in_short,
    "single": _table_in_short,
    "normal-form": _table_in_short,
    "matching": _matching_in_short,
    "csp": _csp_in_short,
    "asp": _asp_in_short,
}
"""The size of the knowledge in a line, by method."""
