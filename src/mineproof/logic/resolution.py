"""Resolution: suppose the opposite, and look for the empty clause.

For every cell next to a clue, add "no mine here" to the clauses of the clues around it. If the empty clause follows,
the cell is a mine. Otherwise add "mine here": if the empty clause follows now, the cell is safe. Otherwise go on with
the next cell. Areas grow as in `chaining`, and its engine resolves all pairs of clauses.

Source: McIntyre, "Minesweeper" (2016), where it runs last and may keep more clauses than chaining; here, 600. With
``set_of_support`` only clauses that descend from the supposed one are made (Wos, Robinson and Carson, 1965): another
algorithm, which loses nothing as long as the clues agree with each other, and finds more below the same limit.

Without a limit, and with the mine count as one more clue, it is complete: resolution refutes all that can be refuted
(Robinson, 1965). With ``subsumption`` that works on about a dozen cells; beyond that it takes too long.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from mineproof.limit import DEFAULT, Limit
from mineproof.logic.chaining import growing, saturate
from mineproof.logic.constraints import cells_of
from mineproof.logic.reasoning import Reasoning, check_option

if TYPE_CHECKING:
    from mineproof.board.position import Position
    from mineproof.logic.constraints import Constraint
    from mineproof.logic.deduction import Deductions

CLAUSES = 600
REACH = 2


def infer(
    position: Position,
    limit: Limit = DEFAULT,
    *,
    clauses: int | None = CLAUSES,
    reach: int = REACH,
    subsumption: bool = False,
    literal: bool = False,
    set_of_support: bool = False,
    mine_count: bool = False,
) -> Deductions:
    """All cells that single clues and refutations in areas prove. Sound, except with ``literal``; complete without a
    limit and with the mine count.

    ``clauses`` is the limit of a knowledge base (None: no limit), ``reach`` how far the first area extends to each
    side, ``subsumption`` drops clauses implied by a shorter one, ``literal`` resolves as the report prints it (see
    `chaining`), ``set_of_support`` makes only clauses that descend from the supposed one, ``mine_count`` adds the
    number of mines.

    >>> from mineproof import Position
    >>> infer(Position.from_text("3x2x2\\nHHH\\n121")).safe
    CellSet.parse('B1')
    """
    check_option("clauses", clauses)
    check_option("reach", reach, 0)
    fruitless: dict[int, dict[tuple[Constraint, ...], bool]] = defaultdict(dict)
    with Reasoning(position, "resolution", limit, mine_count=mine_count) as reasoning:
        proved = -1
        while proved < len(reasoning.facts):
            reasoning.settle()
            proved = len(reasoning.facts)
            for cell in cells_of(reasoning.open, reasoning.clock):
                _refute(reasoning, cell, fruitless[cell], clauses, reach, subsumption, literal, set_of_support)
                if literal and len(reasoning.facts) > proved:
                    return reasoning.deductions
        reasoning.deductions.complete = clauses is None and mine_count
    return reasoning.deductions


def _refute(
    reasoning: Reasoning,
    cell: int,
    fruitless: dict[tuple[Constraint, ...], bool],
    most: int | None,
    reach: int,
    subsumption: bool,
    literal: bool,
    set_of_support: bool,
) -> None:
    """Prove a cell, if the clues around it decide it. ``fruitless`` has areas that do not: whether each was
    exhausted."""
    centre = divmod(cell, reasoning.position.grid.cols)
    for area in growing(reasoning, centre, reach, fruitless):
        if cell in reasoning.facts:
            return
        fruitless[area] = True
        for mine in (True, False):
            supposed = -1 - cell if mine else cell + 1
            result = saturate(reasoning, area, most, subsumption, literal, supposed, set_of_support)
            fruitless[area] &= result.exhausted
            if result.contradiction is not None:
                reasoning.prove([cell], mine=mine, because=result.contradiction)
                return
