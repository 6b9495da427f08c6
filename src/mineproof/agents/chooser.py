"""Python interface of the compiled chooser: a position is counted once, and everything else is derived from that."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from mineproof._native import counting
from mineproof._native.playing import Player
from mineproof.agents.agent import Alternative, Decision, opening
from mineproof.board.grid import CellSet
from mineproof.board.position import CLOSED
from mineproof.logic.conflict import inconsistent
from mineproof.odds.analysis import EQUAL, analyse

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from mineproof._native.playing import Choice
    from mineproof.board.grid import Cell
    from mineproof.board.position import Position
    from mineproof.limit import Limit

_CLOSED = np.frombuffer(CLOSED.encode(), np.uint8)
SHOWN = 5
"""The number of alternatives that a decision names."""
BOARDS, SOLUTIONS, ENDGAME = 256, 6, 1000
"""What ``best`` may spend: see `best_player`."""
NODES = 20
"""Of the search of an endgame, for each of its boards."""


def best_player(
    *,
    boards: int = BOARDS,
    closed: int = 100,
    solutions: int | None = SOLUTIONS,
    endgame: int = ENDGAME,
    **rule: bool,
) -> Player:
    """The player of ``best``. It plays out at most ``boards`` games for a guess, once at most ``closed`` percent of the
    cells are closed and at most 10 to the power of ``solutions`` boards are consistent; with at most ``endgame`` boards
    the rest of the game is searched. ``rule`` switches parts of its rule off."""
    most = inf if solutions is None else solutions
    return Player(nodes=NODES * endgame, boards=endgame, playouts=boards, closed=closed / 100, solutions=most, **rule)


class Why(IntEnum):
    """How the compiled chooser found its choice; in the order of ``strategy.hpp``."""

    LOOKED = 0
    EXACT = 1
    ISOLATED = 2
    TOSSUP = 3
    IMPLIED = 4
    PLAYED_OUT = 5


SAID = {
    Why.ISOLATED: "nothing else will tell about it, so it must be guessed sooner or later",
    Why.TOSSUP: "it can only be a mine in a toss-up that would stay to the end",
    Why.IMPLIED: "it is safe wherever the cell that looked best is, and elsewhere too",
    Why.PLAYED_OUT: "it wins more often when the best guesses are played out",
}
"""Why a cell was chosen, if not because it looked best one step ahead."""


@dataclass(frozen=True, slots=True)
class Look:
    """The certain cells of a position, the risks of the others, and the cell that the chooser would open."""

    position: Position
    safe: CellSet
    mined: CellSet
    risks: NDArray[np.float64]
    exact: bool
    choice: Choice | None = None
    """Set if no cell is certainly safe and the position could be counted."""
    considered: tuple[Choice, ...] = ()

    def guess(self) -> Decision:
        """The cell that the chooser would open."""
        if self.choice is None:
            return self._least(np.flatnonzero(np.isin(np.frombuffer(self.position.cells, np.uint8), _CLOSED)))
        at = self.position.grid.cell
        cell, risk, score, why = self.choice
        chosen = Alternative(at(cell), risk, score)
        if why == Why.EXACT:
            return Decision(opening(self.position, chosen.cell), False, risk, alternatives=(chosen,), chance=score)
        others = sorted((one for one in self.considered if one[0] != cell), key=lambda one: -one[2])
        decision = guess(self.position, [chosen, *(Alternative(at(c), r, s) for c, r, s, _ in others)])
        return replace(decision, why=SAID.get(Why(why), ""))

    def least(self, cells: Iterable[Cell]) -> Decision:
        """The least risky of these cells; ties, or unknown risks, go to the first."""
        index = self.position.grid.index
        return self._least(np.array([index(cell) for cell in cells]))

    def _least(self, indices: NDArray[np.intp]) -> Decision:
        grid = self.position.grid
        risks = self.risks.ravel()[indices]
        if np.isnan(risks).all():
            return Decision(opening(self.position, grid.cell(int(indices[0]))), certain=False)
        first = int(np.argmax(risks <= np.nanmin(risks) + EQUAL))
        order = np.argsort(risks, kind="stable")[: SHOWN + 1].tolist()  # NaN comes last
        named = [i for i in [first, *(i for i in order if i != first)][:SHOWN] if not np.isnan(risks[i])]
        cells_of = ((grid.cell(int(indices[i])), float(risks[i])) for i in named)
        return guess(self.position, [Alternative(cell, risk, 1 - risk) for cell, risk in cells_of], known=self.exact)


def guess(position: Position, cells: Iterable[Alternative], *, known: bool = True) -> Decision:
    """Open the first of these cells; ``known`` says whether its risk is exact."""
    considered = tuple(cells)[:SHOWN]
    chosen = considered[0]
    risk = chosen.risk if known else None
    return Decision(opening(position, chosen.cell), certain=False, risk=risk, alternatives=considered)


def look(position: Position, player: Player, limit: Limit) -> Look:
    """Count the position, or estimate it if that is too hard."""
    clock = limit.start()
    grid = position.grid
    risks = np.empty((grid.rows, grid.cols))
    outcome, marks, choice, considered = player.choose(
        grid.rows, grid.cols, position.cells, position.mines, risks, clock.part(0.5)
    )
    clock.check_cancelled()
    if outcome == counting.INCONSISTENT:
        raise inconsistent(position, clock)
    if outcome != counting.COUNTED:
        found = analyse(position, clock.rest(), strict=True)
        return Look(position, found.safe, found.mined, found.probabilities, found.exact)
    known = np.frombuffer(marks, np.uint8)
    safe, mined = (
        CellSet(map(grid.cell, np.flatnonzero(known == mark).tolist()))
        for mark in (counting.MARK_SAFE, counting.MARK_MINED)
    )
    return Look(position, safe, mined, risks, True, choice, tuple(considered))
