"""Single-clue rules: a clue whose mines are all found makes the rest of its neighbours safe; a clue that needs all its
unknown neighbours makes them mines.

What a clue proves is used with the next clue, until nothing new follows. These are the automatic moves of nearly every
program that plays the game. Flags are notes of the player: they prove nothing here.

`Follower` keeps a *waiting list* over a game, as Nguyen and Kafafian, "S.M.I.L.E." (2021), proposed: a clue that
cannot help now is not checked again until a cell around it changes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mineproof.board.position import CLOSED, MINES, UNKNOWN
from mineproof.limit import DEFAULT, Limit
from mineproof.logic.following import Followed
from mineproof.logic.reasoning import Reasoning

if TYPE_CHECKING:
    from mineproof.board.position import Position
    from mineproof.logic.deduction import Deductions
    from mineproof.logic.reasoning import Reason


def infer(position: Position, limit: Limit = DEFAULT) -> Deductions:
    """All cells that the two rules prove. Sound; not complete.

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
    return reasoning.deductions


class Follower:
    """The two rules over a whole game, with a waiting list.

    >>> from mineproof import Position
    >>> player = Follower()
    >>> [len(player.infer(Position.from_text(f"6x1x2\\n{row}"))) for row in ("1HHHHH", "1H1HHH")], player.clue_checks
    ([1, 2], 2)
    """

    def __init__(self) -> None:
        self.clue_checks = 0
        """The number of clue checks so far."""
        self._followed = Followed()
        self._facts: dict[int, tuple[bool, Reason]] = {}
        self._waiting: dict[int, None] = {}  # clues to be checked; a set that keeps its order

    def infer(self, position: Position, limit: Limit = DEFAULT) -> Deductions:
        """Every proved cell that is still closed."""
        with Reasoning(position, "single", limit) as reasoning:
            other_game, new = self._followed.see(position)
            if other_game:
                self._facts.clear()
                self._waiting.clear()
            for index in new:
                self._wake(position, index)
                self._waiting[index] = None
                if position.cells[index] == ord("S"):  # named safe by the game
                    self._facts[index] = False, frozenset()
            while self._waiting:
                reasoning.clock.check()
                clue = next(iter(self._waiting))
                self._check_clue(reasoning, clue)
                del self._waiting[clue]
            for cell, (mine, because) in self._facts.items():
                if position.cells[cell] in CLOSED.encode():
                    reasoning.prove([cell], mine=mine, because=because)
        return reasoning.deductions

    def _wake(self, position: Position, index: int) -> None:
        """Let the clues around a changed cell be checked again."""
        grid = position.grid
        for near in grid.neighbours(grid.cell(index)):
            self._waiting[grid.index(near)] = None

    def _check_clue(self, reasoning: Reasoning, clue: int) -> None:
        """Add the facts that a clue proves, given the facts around it."""
        position, grid, facts = reasoning.position, reasoning.position.grid, self._facts
        symbol = chr(position.cells[clue])
        if not symbol.isdigit():
            return
        self.clue_checks += 1
        around = [grid.index(near) for near in grid.neighbours(grid.cell(clue))]
        known = {cell: facts[cell] for cell in around if cell in facts and chr(position.cells[cell]) in UNKNOWN}
        unknown = [cell for cell in around if cell not in known and chr(position.cells[cell]) in UNKNOWN]
        missing = int(symbol) - sum(chr(position.cells[cell]) in MINES for cell in around)
        missing -= sum(mine for mine, _ in known.values())
        if not 0 <= missing <= len(unknown):
            raise reasoning.wrong()
        if not unknown or missing not in (0, len(unknown)):
            return
        mine = missing > 0
        reasons = [because for is_mine, because in known.values() if is_mine is not mine]
        for cell in unknown:
            facts[cell] = mine, frozenset((clue,)).union(*reasons)
            self._wake(position, cell)
