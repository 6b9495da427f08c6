"""Python interface of the compiled chooser: a position is counted once, and everything else is derived from that."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from mineproof._native import counting
from mineproof._native.playing import Player
from mineproof.agents.agent import STUCK, Alternative, Decision, moves_to_open
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
"""The most alternatives that a decision names."""
BOARDS, SOLUTIONS, ENDGAME = 256, 6, 1000
"""What ``best`` may spend: see `best_player`."""
NODES = 20
"""Nodes that the search of an endgame may visit for each of its boards."""


def best_player(
    *,
    boards: int = BOARDS,
    closed: int = 100,
    solutions: int | None = SOLUTIONS,
    endgame: int = ENDGAME,
    **rule: bool,
) -> Player:
    """Return the player of ``best``. For a guess it plays out at most ``boards`` games, once at most ``closed`` percent
    of the cells are closed and at most 10 to the power of ``solutions`` boards are consistent; with at most ``endgame``
    boards it searches the rest of the game. ``rule`` switches parts of its rule off."""
    most = inf if solutions is None else solutions
    return Player(nodes=NODES * endgame, boards=endgame, playouts=boards, closed=closed / 100, solutions=most, **rule)


class Why(IntEnum):
    """How the compiled chooser made its choice; the numbers are those of ``strategy.hpp``."""

    LOOKED = 0
    EXACT = 1
    ISOLATED = 2
    TOSSUP = 3
    IMPLIED = 4
    PLAYED_OUT = 5


WHY_IN_WORDS = {
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
    """A mark for each cell, as in an analysis: safe, a mine, or neither is certain."""
    risks: NDArray[np.float64]
    exact: bool
    choice: Choice | None = None
    """The cell to open; None if a cell is certainly safe, or the position could not be counted."""
    considered: tuple[Choice, ...] = ()
    """All cells that were considered, with the choice."""

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
        """Open the cell that ``best`` would: on an untouched board the first click, unless the game was searched."""
        start = first_click(self.position)
        if start is not None and (self.choice is None or self.choice[3] != Why.EXACT):
            return self.least(Cells(self.position.grid, [self.position.grid.index(start)]))
        if self.choice is None:
            return self.least(self.unknown)
        at = self.position.grid.cell
        cell, risk, score, why = self.choice
        chosen = Alternative(at(cell), risk, score)
        if why == Why.EXACT:
            return Decision(
                moves_to_open(self.position, chosen.cell), False, risk, alternatives=(chosen,), chance=score
            )
        others = [Alternative(at(c), r, s) for c, r, s, _ in self.considered if c != cell]
        decision = guess(self.position, [chosen, *sorted(others, key=lambda other: -other.score)])
        return replace(decision, why=WHY_IN_WORDS.get(Why(why), ""))

    def least(self, cells: Cells) -> Decision:
        """Open the least risky of these cells: the first of several, or if no risk is known."""
        if not cells:
            return STUCK
        risks = self.risks.ravel()[cells.indices]
        if np.isnan(risks).all():
            return Decision(moves_to_open(self.position, cells[0]), certain=False)
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
    return Decision(moves_to_open(position, chosen.cell), certain=False, risk=risk, alternatives=considered)


def survey(position: Position, player: Player, limit: Limit) -> Survey:
    """Count a position, or estimate it if that is too hard."""
    clock = limit.start()
    grid = position.grid
    if not has_room(grid, limit):
        analysis = analyse(position, limit)
        return Survey(position, analysis.marks, analysis.probabilities, analysis.exact)
    risks = np.empty((grid.rows, grid.cols))
    outcome, marks, choice, considered = player.choose(
        grid.rows, grid.cols, position.cells, position.mines, risks, clock.part(0.5)
    )
    clock.check_cancelled()
    if outcome == counting.INCONSISTENT:
        raise inconsistent(position, clock)
    if outcome != counting.COUNTED:
        analysis = analyse(position, clock.rest(), strict=True)
        return Survey(position, analysis.marks, analysis.probabilities, analysis.exact)
    return Survey(position, marks, risks, True, choice, tuple(considered))
