"""Checks an explanation step by step, independently of the code that finds explanations.

A step holds if its clues and the cells settled by earlier steps leave only one possibility for its cells: all ways to
place mines around these clues are tried, box by box. An argument holds if each of its links follows from one clue.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mineproof.board.position import MINES, UNKNOWN
from mineproof.explain.step import SUMMARY
from mineproof.logic.constraints import COUNT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from mineproof.board.grid import Cell
    from mineproof.board.position import Position
    from mineproof.explain.argument import Argument
    from mineproof.explain.step import ExplanationStep

Known = dict["Cell", bool]


def find_fault(position: Position, steps: Sequence[ExplanationStep]) -> str | None:
    """What is wrong with these steps; None if each follows from those before it.

    >>> from mineproof import Position, why
    >>> found = why(Position.from_text("3x2x2\\nHHH\\n121"), "B1")
    >>> find_fault(found.position, found.steps), find_fault(found.position, found.steps[1:])
    (None, 'step 1 uses A1, which is not settled')
    """
    known: Known = {}
    for number, step in enumerate(steps, start=1):
        missing = [cell for cell in step.used if cell not in known]
        if missing:
            return f"step {number} uses {missing[0]}, which is not settled"
        given = {cell: known[cell] for cell in step.used}
        fault = step_fault(position, step, given)
        if fault is not None:
            return f"step {number}: {fault}"
        known.update(dict.fromkeys(step.cells, step.mine))
    return None


def step_fault(position: Position, step: ExplanationStep, given: Known) -> str | None:
    """What is wrong with one step, given the cells that it uses."""
    if any(position.clue(clue) is None for clue in step.clues):
        return "some of its clues are not clues"
    named = [cell for cell in step.cells if position[cell] == "S" and not step.mine]
    if named == list(step.cells):
        return None
    if step.technique == SUMMARY:
        settled = _singly(position, step.clues, given)
        wrong = [cell for cell in step.cells if settled.get(cell) is not step.mine]
        return f"single clues do not settle {wrong[0]}" if wrong else None
    for cell in step.cells:
        if possible(position, step.clues, {**given, cell: not step.mine}, counted=step.mine_count):
            return f"{cell} need not be {'a mine' if step.mine else 'safe'}"
    if step.argument is not None:
        supposed = {**given, step.cells[0]: not step.mine}
        return _argument_fault(position, step, step.argument, supposed)
    return None


def _unknown(position: Position, clue: Cell, known: Mapping[Cell, bool]) -> tuple[set[Cell], int]:
    """The cells around a clue of which nothing is known, and how many mines it still needs among them."""
    around = position.grid.neighbours(clue)
    mines = position.clue(clue) or 0
    mines -= sum(position[cell] in MINES or known.get(cell) is True for cell in around)
    return {cell for cell in around if position[cell] in UNKNOWN and cell not in known}, mines


def _left(position: Position, known: Mapping[Cell, bool]) -> tuple[set[Cell], int]:
    """The same for the whole board."""
    cells = {cell for cell in position.where(UNKNOWN) if cell not in known}
    return cells, position.mines - position.known_mines - sum(known.values())


def possible(position: Position, clues: Iterable[Cell], known: Mapping[Cell, bool], *, counted: bool) -> bool:
    """Whether mines can be laid so that these clues are right, given what is known; with ``counted``, as many as there
    are."""
    wants = [_unknown(position, clue, known) for clue in clues]
    boxes: dict[tuple[int, ...], int] = {}
    for cell in set().union(*(cells for cells, _ in wants)):
        seen = tuple(i for i, (cells, _) in enumerate(wants) if cell in cells)
        boxes[seen] = boxes.get(seen, 0) + 1
    room = [len(cells) for cells, _ in wants]
    ways = {tuple(need for _, need in wants): 1}  # what the clues still need; the totals that lead there, as bits
    for seen, size in sorted(boxes.items()):
        after: dict[tuple[int, ...], int] = {}
        for i in seen:
            room[i] -= size
        for needs, totals in ways.items():
            for mines in range(size + 1):
                left = tuple(need - mines if i in seen else need for i, need in enumerate(needs))
                if all(0 <= need <= room[i] for i, need in enumerate(left)):
                    after[left] = after.get(left, 0) | totals << mines
        ways = after
    totals = ways.get((0,) * len(wants), 0)
    if not counted:
        return totals != 0
    cells, mines = _left(position, known)
    free = len(cells) - sum(boxes.values())
    return any(totals >> total & 1 for total in range(max(0, mines - free), mines + 1))


def _singly(position: Position, clues: Sequence[Cell], given: Known) -> Known:
    """What follows from single clues, applied repeatedly."""
    known = dict(given)
    grown = True
    while grown:
        grown = False
        for clue in clues:
            cells, mines = _unknown(position, clue, known)
            if cells and mines in (0, len(cells)):
                known.update(dict.fromkeys(cells, mines > 0))
                grown = True
    return known


def _bounds(cells: set[Cell], others: Sequence[tuple[set[Cell], int]]) -> tuple[int, int]:
    """How many mines the others allow among the cells, at most and at least."""
    most = len(cells.difference(*(seen for seen, _ in others)))
    most += sum(min(need, len(seen & cells)) for seen, need in others)
    shared = [cell for seen, _ in others for cell in seen & cells]
    least = sum(max(0, need - len(seen - cells)) for seen, need in others)
    return most, least if len(shared) == len(set(shared)) else 0


def _argument_fault(position: Position, step: ExplanationStep, argument: Argument, supposed: Known) -> str | None:
    grid = position.grid
    known = dict(supposed)

    def says(clue: int) -> tuple[set[Cell], int] | None:
        if clue == COUNT:
            return _left(position, known) if step.mine_count else None
        return _unknown(position, grid.cell(clue), known) if grid.cell(clue) in step.clues else None

    for link in argument.implied:
        said = says(link.clue)
        if said is None:
            return "its argument uses a clue that it does not name"
        cells, mines = said
        if mines != (len(cells) if link.mine else 0) or not cells.issuperset(map(grid.cell, link.cells)):
            return f"{grid.cell(link.cells[0])} does not follow from one clue"
        known.update({grid.cell(cell): link.mine for cell in link.cells})
    if argument.split is not None:
        for case, mine in zip(argument.cases, (True, False), strict=True):
            fault = _argument_fault(position, step, case, {**known, grid.cell(argument.split): mine})
            if fault is not None:
                return fault
        return None
    wants = [says(clue) for clue in argument.wrong]
    if any(want is None for want in wants):
        return "its argument ends at a clue that it does not name"
    (cells, mines), *others = (want for want in wants if want is not None)
    if not others:
        return None if mines < 0 or mines > len(cells) else "its argument ends without a contradiction"
    if argument.wrong[0] != COUNT:
        most, least = _bounds(cells, others)
        return None if most < mines or least > mines else "its clues are compatible"
    packed = [cell for some, _ in others for cell in some]
    most, least = sum(need for _, need in others), sum(len(some) - need for some, need in others)
    if len(packed) > len(set(packed)) or (most <= mines and least <= len(cells) - mines):
        return "its clues share cells, or there is room for them"
    return None
