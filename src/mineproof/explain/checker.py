"""Checks an explanation step by step, independently of the code that finds explanations.

A step holds if its clues and the cells settled by earlier steps leave only one possibility for its cells: all ways to
lay mines around these clues are tried, box by box. An argument holds if each of its links follows from one clue.
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
    """The first fault in these steps; None if each follows from those before it.

    >>> from mineproof import Position, why
    >>> explanation = why(Position.from_text("3x2x2\\nHHH\\n121"), "B1")
    >>> position, steps = explanation.position, explanation.steps
    >>> find_fault(position, steps), find_fault(position, steps[1:])
    (None, 'step 1 uses A1, which is not settled')
    """
    known: Known = {}
    for number, step in enumerate(steps, start=1):
        missing = [cell for cell in step.used if cell not in known]
        if missing:
            return f"step {number} uses {missing[0]}, which is not settled"
        fault = step_fault(position, step, {cell: known[cell] for cell in step.used})
        if fault is not None:
            return f"step {number}: {fault}"
        known.update(dict.fromkeys(step.cells, step.mine))
    return None


def step_fault(position: Position, step: ExplanationStep, used: Known) -> str | None:
    """The fault in one step, given the cells that it uses; None if it follows."""
    if any(position.clue(clue) is None for clue in step.clues):
        return "some of its clues are not clues"
    named = [cell for cell in step.cells if position[cell] == "S" and not step.mine]
    if named == list(step.cells):
        return None
    if step.technique == SUMMARY:
        settled = _singly(position, step.clues, used)
        wrong = [cell for cell in step.cells if settled.get(cell) is not step.mine]
        return f"single clues do not settle {wrong[0]}" if wrong else None
    for cell in step.cells:
        if possible(position, step.clues, {**used, cell: not step.mine}, counted=step.mine_count):
            return f"{cell} need not be {'a mine' if step.mine else 'safe'}"
    if step.argument is not None:
        supposed = {**used, step.cells[0]: not step.mine}
        return _argument_fault(position, step, step.argument, supposed)
    return None


def _unknown(position: Position, clue: Cell, known: Mapping[Cell, bool]) -> tuple[set[Cell], int]:
    """The unknown cells around a clue, and how many mines it still needs among them."""
    around = position.grid.neighbours(clue)
    mines = position.clue(clue) or 0
    mines -= sum(position[cell] in MINES or known.get(cell) is True for cell in around)
    return {cell for cell in around if position[cell] in UNKNOWN and cell not in known}, mines


def _left(position: Position, known: Mapping[Cell, bool]) -> tuple[set[Cell], int]:
    """The unknown cells of the whole board, and how many mines are left among them."""
    cells = {cell for cell in position.where(UNKNOWN) if cell not in known}
    return cells, position.mines - position.known_mines - sum(known.values())


def possible(position: Position, clues: Iterable[Cell], known: Mapping[Cell, bool], *, counted: bool) -> bool:
    """Whether mines can be laid so that these clues are right, given the known cells; if ``counted``, with exactly the
    board's number of mines."""
    wants = [_unknown(position, clue, known) for clue in clues]
    boxes: dict[tuple[int, ...], int] = {}
    for cell in set().union(*(cells for cells, _ in wants)):
        seen = tuple(i for i, (cells, _) in enumerate(wants) if cell in cells)
        boxes[seen] = boxes.get(seen, 0) + 1
    room = [len(cells) for cells, _ in wants]
    ways = {tuple(need for _, need in wants): 1}  # by the clues' remaining needs: the totals so far, one bit each
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


def _singly(position: Position, clues: Sequence[Cell], used: Known) -> Known:
    """The known cells, with all that single clues settle, applied repeatedly."""
    known = dict(used)
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
    """The most and the fewest mines that the other clues allow in these cells."""
    most = len(cells.difference(*(seen for seen, _ in others)))
    most += sum(min(need, len(seen & cells)) for seen, need in others)
    shared = [cell for seen, _ in others for cell in seen & cells]
    least = sum(max(0, need - len(seen - cells)) for seen, need in others)
    return most, least if len(shared) == len(set(shared)) else 0


def _argument_fault(position: Position, step: ExplanationStep, argument: Argument, supposed: Known) -> str | None:
    grid = position.grid
    known = dict(supposed)

    def need_of(clue: int) -> tuple[set[Cell], int] | None:
        if clue == COUNT:
            return _left(position, known) if step.mine_count else None
        return _unknown(position, grid.cell(clue), known) if grid.cell(clue) in step.clues else None

    for link in argument.implied:
        need = need_of(link.clue)
        if need is None:
            return "its argument uses a clue that it does not name"
        cells, mines = need
        if mines != (len(cells) if link.mine else 0) or not cells.issuperset(map(grid.cell, link.cells)):
            return f"{grid.cell(link.cells[0])} does not follow from one clue"
        known.update({grid.cell(cell): link.mine for cell in link.cells})
    if argument.split is not None:
        for case, mine in zip(argument.cases, (True, False), strict=True):
            fault = _argument_fault(position, step, case, {**known, grid.cell(argument.split): mine})
            if fault is not None:
                return fault
        return None
    wants = [need_of(clue) for clue in argument.wrong]
    if any(want is None for want in wants):
        return "its argument ends at a clue that it does not name"
    (cells, mines), *others = (want for want in wants if want is not None)
    if not others:
        return None if mines < 0 or mines > len(cells) else "its argument ends without a contradiction"
    if argument.wrong[0] != COUNT:
        most, least = _bounds(cells, others)
        return None if most < mines or least > mines else "its clues are compatible"
    packed = [cell for seen, _ in others for cell in seen]
    mined, safe = sum(want for _, want in others), sum(len(seen) - want for seen, want in others)
    if len(packed) > len(set(packed)) or (mined <= mines and safe <= len(cells) - mines):
        return "its clues share cells, or there is room for them"
    return None
