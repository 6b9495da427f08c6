"""Why a move was made, in one line: the clues that prove it, or the risk of a guess and why it was preferred."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mineproof._native.counting import MARK_MINED, MARK_SAFE, MARK_UNSURE
from mineproof.errors import OutOfTime
from mineproof.explain.explanation import analyse_or_refuse, deriver_of
from mineproof.explain.hint import progress
from mineproof.explain.phrases import listed
from mineproof.limit import Clock, Limit
from mineproof.odds.analysis import EQUAL
from mineproof.odds.in_json import marked
from mineproof.percent import percent

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mineproof.agents.agent import Decision
    from mineproof.board.grid import Cell
    from mineproof.board.move import Move
    from mineproof.board.position import Position
    from mineproof.explain.derivation import Deriver
    from mineproof.explain.step import Step
    from mineproof.odds.analysis import Analysis

SECONDS = 2.0
"""Time limit for all reasons of a turn."""
FEW = 4
"""The most clues to name; with more, only the last step is given."""


class Risk(NamedTuple):
    """A cell and its risk of a mine."""

    cell: Cell
    risk: float


class Reasons:
    """Why moves in a position are right, as a person would argue: by nearby clues, however the agent found them.

    >>> from mineproof import Move, Position
    >>> reasons = Reasons(Position.from_text("3x2x2\\nHHH\\n121"))
    >>> print(*reasons.lines([Move.parse("flag A1"), Move.parse("open B1")]), sep="\\n")
    flag A1: a mine, by B2 and C2
    open B1: safe, by A2, B2 and C2
    """

    def __init__(self, position: Position, limit: Limit | None = None) -> None:
        self.position = position
        self._clock = Clock(limit or Limit(SECONDS))
        self._analysis: Analysis | None = None
        self._deriver: Deriver | None = None

    @property
    def analysis(self) -> Analysis:
        """The certain cells and the odds of the position; computed on first use."""
        if self._analysis is None:
            self._analysis = analyse_or_refuse(self.position, self._clock)
        return self._analysis

    def mark(self, cell: Cell) -> int:
        """Whether a closed cell is certainly safe, certainly a mine, or neither."""
        return self.analysis.marks[self.position.grid.index(cell)]

    def by(self, cell: Cell) -> str:
        """What proves a certain cell. Raises `OutOfTime`."""
        if self.position[cell] == "S":
            return "named by the game"
        if self._deriver is None:
            self._deriver = deriver_of(self.analysis, self._clock)
        return steps_in_short(self._deriver.steps(self.position.grid.index(cell)))

    def lines(self, moves: Iterable[Move], decision: Decision | None = None) -> Iterator[str]:
        """One line per reason, with the moves it supports. ``decision`` has the agent's own reasons, for uncertain
        cells and in case time runs out."""
        groups: dict[tuple[str, str], list[Move]] = {}
        for move in moves:
            if move.kind != "unflag":
                groups.setdefault((move.kind, self._reason(move, decision)), []).append(move)
        for (kind, reason), some in groups.items():
            cells = ", ".join(str(move.cell) for move in some if move.cell is not None)
            if len(some) > 1:
                reason = re.sub(r"^a mine\b", "mines", reason)
            yield f"{kind} {cells}".rstrip() + f": {reason}"

    def _reason(self, move: Move, decision: Decision | None) -> str:
        cell = move.cell
        if cell is None:
            return "the last move is taken back"
        if move.kind in ("chord", "question"):
            return "opens the cells around it" if move.kind == "chord" else "a question mark"
        try:
            mark = self.mark(cell)
            if mark in (MARK_SAFE, MARK_MINED):
                return f"{'a mine' if mark == MARK_MINED else 'safe'}, {self.by(cell)}"
        except OutOfTime:
            mark = MARK_UNSURE
        own = next((one for one in decision.reasons if cell in one.cells), None) if decision is not None else None
        if own is not None:
            near = sorted(own.because, key=lambda clue: max(abs(clue.row - cell.row), abs(clue.col - cell.col)))
            return f"{'a mine' if own.mine else 'safe'}, {_by(near, own.mine_count)}"
        risk = self.risk(cell)
        return "not certain" if risk is None else f"{percent(risk)} risk of a mine"

    def risk(self, cell: Cell) -> float | None:
        """The risk of a cell, if known."""
        try:
            found = float(self.analysis.probabilities[cell])
        except OutOfTime:
            return None
        return None if np.isnan(found) else found

    def least(self) -> Risk | None:
        """The least risky of the uncertain cells."""
        try:
            risks = np.where(marked(self.analysis, MARK_UNSURE), self.analysis.probabilities.ravel(), np.nan)
        except OutOfTime:
            return None
        if np.isnan(risks).all():
            return None
        index = int(np.nanargmin(risks))
        return Risk(self.position.grid.cell(index), float(risks[index]))

    def safe(self) -> Cell | None:
        """A certainly safe cell, if there is one and it is known."""
        try:
            return min(self.analysis.safe, default=None)
        except OutOfTime:
            return None

    def guess(self, cell: Cell, decision: Decision | None = None, *, looks_ahead: bool = False) -> str:
        """A guess and its risk; if another cell had less risk, which one, and why an agent that looks ahead preferred
        this one. A guess that was not needed says so."""
        risk = self.risk(cell) if decision is None or decision.risk is None else decision.risk
        if risk is None:
            return f"guess {cell}"
        line = f"guess {cell}: {percent(risk)} risk of a mine"
        safe = self.safe()
        if safe is not None:
            return f"{line}, and {safe} was certainly safe"
        least, chance = self.least(), None if decision is None else decision.chance
        if least is not None and risk > least.risk + EQUAL:
            other = f"{percent(least.risk)} for {least.cell}"
            if chance is not None:
                line += f" against {other}, but it wins more often"
            elif decision is not None and decision.why:
                line += f" against {other}, but {decision.why}"
            elif looks_ahead:
                line += f" against {other}, but {self._advantage(cell, least.cell)}"
            else:
                line += f"; the least is {other}"
        elif chance is None and decision is not None and len(decision.alternatives) > 1:
            second = decision.alternatives[1]
            line += f"; next best {second.cell}: {percent(second.risk)}"
        if chance is not None:
            line += f"; perfect play wins {percent(chance)} of the remaining boards"
        return line

    def _advantage(self, cell: Cell, other: Cell) -> str:
        """The advantage of a cell that is riskier than another."""
        try:
            more, less = (progress(self.analysis, one, self._clock) for one in (cell, other))
        except OutOfTime:
            more = less = None
        if more is not None and less is not None and more > less:
            return "a certain move, or the win, follows more often"
        return "it wins more often, as far as the search looks ahead"


def steps_in_short(steps: tuple[Step, ...]) -> str:
    """The clues of all steps if they are few; otherwise those of the last step, and the number of steps before it."""
    clues = list(dict.fromkeys(clue for step in steps for clue in step.clues))
    mine_count = any(step.mine_count for step in steps)
    if len(clues) <= FEW or len(steps) == 1:
        return _by(clues if len(steps) == 1 else sorted(clues), mine_count)
    before = len(steps) - 1
    return f"{_by(list(steps[-1].clues), mine_count)}, after {before} other step{'s' * (before != 1)}"


def _by(clues: list[Cell], mine_count: bool) -> str:
    names = [str(clue) for clue in clues[:FEW]]
    if len(clues) > FEW:
        names.append(f"{len(clues) - FEW} more near it" if not mine_count else f"{len(clues) - FEW} more")
    if mine_count:
        names.append("the mine count")
    return f"by {listed(names)}" if names else "by earlier steps"
