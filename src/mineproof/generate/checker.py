"""Checks a solution by replaying it on its board; this shares no code with the search for solutions.

Each step must follow from the clues that it names, and from mines that earlier steps have proved, in the position that
the steps before it have reached. Cells that it proves safe are opened, and the last step must win the game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mineproof.board.game import Game
from mineproof.explain.checker import step_fault
from mineproof.explain.step import CASES, CHAIN, COMBINATION, MINE_COUNT, ONE_CLUE, TWO_CLUES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mineproof.board.grid import Cell
    from mineproof.board.layout import Layout
    from mineproof.explain.step import ExplanationStep

CLUES = {
    ONE_CLUE: (1, 1),
    TWO_CLUES: (2, 2),
    COMBINATION: (3, 4),
    CHAIN: (2, None),
    CASES: (2, None),
    MINE_COUNT: (0, None),
}
"""The least and the greatest number of clues that a step of each level names; None: no bound."""


def find_fault(layout: Layout, start: Cell, steps: Iterable[ExplanationStep]) -> str | None:
    """Say what is wrong with these steps; return None if each holds and they clear the board without a guess.

    >>> from mineproof import no_guess, solve
    >>> board = next(no_guess("beginner", seed=1))
    >>> steps = solve(board.layout).steps()
    >>> find_fault(board.layout, board.start, steps), find_fault(board.layout, board.start, steps[:-1])
    (None, 'after the last step the game is playing')
    """
    game = Game(layout)
    game.open(start)
    mines: set[Cell] = set()
    for number, step in enumerate(steps, start=1):
        least, most = CLUES.get(step.level, (1, 0))
        if not least <= len(step.clues) <= (len(step.clues) if most is None else most):
            return f"step {number}: {len(step.clues)} clues make no step of level {step.level}"
        if step.mine_count != (step.level == MINE_COUNT):
            return f"step {number}: the number of mines is for level {MINE_COUNT}, and for no other"
        missing = [cell for cell in step.used if cell not in mines]
        if missing:
            return f"step {number} uses {missing[0]}, which was not found to be a mine"
        fault = step_fault(game.position, step, dict.fromkeys(step.used, True))
        if fault is not None:
            return f"step {number}: {fault}"
        if step.mine:
            mines.update(step.cells)
        else:
            for cell in step.cells:
                if game[cell] == "H":  # a zero beside it may have opened it
                    game.open(cell)
    return None if str(game.state) == "won" else f"after the last step the game is {game.state}"
