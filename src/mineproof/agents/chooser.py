"""Python interface of the compiled chooser: a position is counted once, and everything else is derived from that."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from mineproof._native import counting
from mineproof._native.playing import Player
from mineproof.agents.agent import STUCK, Alternative, Decision, opening
from mineproof.agents.first_click import first_click
from mineproof.board.grid import Cells
from mineproof.logic.conflict import inconsistent
from mineproof.odds.analysis import EQUAL, analyse
from mineproof.odds.counted import has_room

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from mineproof._native.playing import Choice
    from mineproof.board.position import Position
    from mineproof.limit import Limit

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
    Why.ISOLATED: "no other move can tell more about this cell, so it must be guessed sooner or later",
    Why.TOSSUP: "this cell is a mine only as half of a toss-up that would remain to the end",
    Why.IMPLIED: "this cell is safe whenever the one that looked best is, and in other cases too",
    Why.PLAYED_OUT: "games after this guess were won more often when the best candidates were played out",
}
"""Why a cell was chosen, if not because it looked best one step ahead."""


@dataclass(frozen=True, slots=True)
class Survey:
    """The certain cells of a position, the risks of the others, and the cell that the chooser would open."""

    position: Position
    marks: bytes
    """What is certain about each cell, as in an analysis."""
    risks: NDArray[np.float64]
    exact: bool
    choice: Choice | None = None
    """Set if no cell is certainly safe and the position could be counted."""
    considered: tuple[Choice, ...] = ()

    @property
    def unknown(self) -> Cells:
        """The closed cells that are not known to be mines."""
        marks = np.frombuffer(self.marks, np.uint8)
        unknown = (marks == counting.MARK_UNSURE) | (marks == counting.MARK_SAFE)
        return Cells(self.position.grid, np.flatnonzero(unknown).tolist())

    @property
    def is_finished(self) -> bool:
        """Whether every closed cell is known to be a mine."""
        return counting.MARK_UNSURE not in self.marks and counting.MARK_SAFE not in self.marks

    def guess(self) -> Decision:
        """The cell that ``best`` opens: on an untouched board the first click, unless the whole game was searched."""
        start = first_click(self.position)
        if start is not None and (self.choice is None or self.choice[3] != Why.EXACT):
            return self.least(Cells(self.position.grid, [self.position.grid.index(start)]))
        if self.choice is None:
            return self.least(self.unknown)
        at = self.position.grid.cell
        cell, risk, score, why = self.choice
        chosen = Alternative(at(cell), risk, score)
        if why == Why.EXACT:
            return Decision(opening(self.position, chosen.cell), False, risk, alternatives=(chosen,), chance=score)
        others = sorted((one for one in self.considered if one[0] != cell), key=lambda one: -one[2])
        decision = guess(self.position, [chosen, *(Alternative(at(c), r, s) for c, r, s, _ in others)])
        return replace(decision, why=SAID.get(Why(why), ""))

    def least(self, cells: Cells) -> Decision:
        """The least risky of these cells; ties, or unknown risks, go to the first."""
        if not cells:
            return STUCK
        risks = self.risks.ravel()[cells.indices]
        if np.isnan(risks).all():
            return Decision(opening(self.position, cells[0]), certain=False)
        first = int(np.argmax(risks <= np.nanmin(risks) + EQUAL))
        order = np.argsort(risks, kind="stable")[: SHOWN + 1].tolist()  # NaN comes last
        named = [i for i in [first, *(i for i in order if i != first)][:SHOWN] if not np.isnan(risks[i])]
        considered = [Alternative(cells[i], float(risks[i]), 1 - float(risks[i])) for i in named]
        return guess(self.position, considered, known=self.exact)


def guess(position: Position, cells: Iterable[Alternative], *, known: bool = True) -> Decision:
    """Open the first of these cells; ``known`` says whether its risk is exact."""
    considered = tuple(cells)[:SHOWN]
    chosen = considered[0]
    risk = chosen.risk if known else None
    return Decision(opening(position, chosen.cell), certain=False, risk=risk, alternatives=considered)


def look(position: Position, player: Player, limit: Limit) -> Survey:
    """Count the position, or estimate it if that is too hard."""
    clock = limit.start()
    grid = position.grid
    if not has_room(grid, limit):
        found = analyse(position, limit)
        return Survey(position, found.marks, found.probabilities, found.exact)
    risks = np.empty((grid.rows, grid.cols))
    outcome, marks, choice, considered = player.choose(
        grid.rows, grid.cols, position.cells, position.mines, risks, clock.part(0.5)
    )
    clock.check_cancelled()
    if outcome == counting.INCONSISTENT:
        raise inconsistent(position, clock)
    if outcome != counting.COUNTED:
        found = analyse(position, clock.rest(), strict=True)
        return Survey(position, found.marks, found.probabilities, found.exact)
    return Survey(position, marks, risks, True, choice, tuple(considered))
