"""Single-clue rules: a clue whose mines are all found makes the rest of its neighbours safe; a clue that needs all its
unknown neighbours makes them mines.

What a clue proves is used with the next clue, until nothing new follows. These are the automatic moves of nearly every
program that plays the game. Flags are notes of the player: they prove nothing here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mineproof.limit import DEFAULT, Limit
from mineproof.logic.reasoning import Reasoning

if TYPE_CHECKING:
    from mineproof.board.position import Position
    from mineproof.logic.deduction import Deductions


def infer(position: Position, limit: Limit = DEFAULT) -> Deductions:
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
    with Reasoning(position, "single", limit) as reasoning:
        reasoning.settle()
    return reasoning.found
