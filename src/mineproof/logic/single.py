"""Single-clue rules: a clue whose mines are all found makes the rest of its neighbours safe; a clue that needs all its
unknown neighbours makes them mines.

What a clue proves is used with the next clue, until nothing new follows. Flags are notes of the player: they prove
nothing here.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from mineproof.logic.deduction import Deduction

if TYPE_CHECKING:
    from mineproof.board.grid import Cell
    from mineproof.board.position import Position


def infer(position: Position) -> list[Deduction]:
    """All that the two rules prove. Sound; not complete.

    >>> from mineproof import Position
    >>> position = Position.from_text('''4x2x1
    ... 01HH
    ... 01HH''')
    >>> infer(position)
    []
    >>> print(*infer(Position.from_text('4x1x2\\n1H2H')), sep="\\n")
    B1 is a mine, by clue A1
    D1 is a mine, by clue C1
    """
    grid = position.grid
    reasons: dict[Cell, frozenset[Cell]] = {}  # proved cells, with the clues that proved them
    mines: set[Cell] = set()
    found = []
    waiting = deque(position.where("012345678"))
    queued = set(waiting)
    while waiting:
        clue = waiting.popleft()
        queued.discard(clue)
        around = grid.neighbours(clue)
        closed = [cell for cell in around if position[cell] in "HFQ"]
        unknown = [cell for cell in closed if cell not in reasons]
        if not unknown:
            continue
        left = (position.clue(clue) or 0) - sum(position[cell] in "*?" for cell in around)
        proved_mines = [cell for cell in closed if cell in mines]
        if left in (0, len(closed)):
            mine, used = left > 0, []  # the clue decides alone
        elif left == len(proved_mines):
            mine, used = False, proved_mines
        elif left == len(proved_mines) + len(unknown):
            mine, used = True, [cell for cell in closed if cell in reasons and cell not in mines]
        else:
            continue
        because = frozenset((clue,)).union(*(reasons[cell] for cell in used))
        found.append(Deduction(frozenset(unknown), mine, because, "single"))
        for cell in unknown:
            reasons[cell] = because
            if mine:
                mines.add(cell)
            for next_clue in grid.neighbours(cell):
                if position.clue(next_clue) is not None and next_clue not in queued:
                    queued.add(next_clue)
                    waiting.append(next_clue)
    return found
