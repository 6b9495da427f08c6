"""The reasons of moves, or what they risk: in a line for lists, and in full sentences.

A certain move is explained as a person would, by nearby clues, whatever method the agent used.
"""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mineproof._native.counting import MARK_MINED, MARK_SAFE, MARK_UNSURE
from mineproof.errors import OutOfTime
from mineproof.explain.explanation import deriver_of, why_with
from mineproof.explain.guess import Candidate, advantage, progress
from mineproof.explain.phrases import listed, sentence
from mineproof.limit import Clock, Limit
from mineproof.odds.analysis import EQUAL
from mineproof.percent import percent
from mineproof.plural import noun_for

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from mineproof.agents.agent import Decision
    from mineproof.board.grid import Cell
    from mineproof.board.move import Move
    from mineproof.explain.derivation import Deriver
    from mineproof.explain.step import ExplanationStep
    from mineproof.logic.deduction import Deduction
    from mineproof.odds.analysis import Analysis
    from mineproof.seat.seat import Seat

SECONDS = 2.0
"""Time limit for all reasons of a turn, in seconds."""
FEW = 4
"""The most clues to name; if there are more, only the last step is given."""
MOST_EXPLAINED = 12
"""The most moves of a turn that are explained in full."""
FIRST_CLICK = "the first click"


class Reason(NamedTuple):
    """The reason of a move."""

    move: Move
    verdict: str
    """``safe``, ``mine`` or ``guess``."""
    text: str
    """The reason in full sentences."""
    clues: tuple[Cell, ...] = ()
    level: int | None = None
    """The level of the explanation, if the text is one."""

    def fields(self) -> dict[str, Any]:
        """The fields for JSON."""
        return {
            "cells": [] if self.move.cell is None else [list(self.move.cell)],
            "verdict": self.verdict,
            "text": self.text,
            "clues": [list(clue) for clue in self.clues],
            "level": self.level,
        }


class MoveReasons:
    """The reasons of moves that are made from a seat. The agent's ``decision`` has its own reasons and risk: the
    reasons are used where time runs out.

    >>> from mineproof import Move, Position
    >>> from mineproof.seat.seat import Seat
    >>> reasons = MoveReasons(Seat(Position.from_text("3x2x2\\nHHH\\n121")))
    >>> print(*reasons.lines([Move.parse("flag A1"), Move.parse("open B1")]), sep="\\n")
    flag A1: a mine, by B2 and C2
    open B1: safe, by A2, B2 and C2
    """

    def __init__(
        self, seat: Seat, decision: Decision | None = None, limit: Limit | None = None, *, looks_ahead: bool = False
    ) -> None:
        self.seat = seat
        self.decision = decision
        self.looks_ahead = looks_ahead
        self._clock = Clock(limit or Limit(SECONDS))
        self._deriver: Deriver | None = None

    @property
    def analysis(self) -> Analysis:
        """The certain cells and the odds of the position."""
        return self.seat.certain(self._clock)

    def _mark(self, cell: Cell) -> int | None:
        """Return whether a closed cell is certainly safe, certainly a mine, or neither; None if time runs out."""
        try:
            return self.analysis.marks[self.seat.position.grid.index(cell)]
        except OutOfTime:
            return None

    def is_guess(self, move: Move) -> bool:
        """Whether a move opens a cell that may be a mine: by the agent's decision or, without one, by the analysis."""
        if move.kind != "open" or move.cell is None or self._is_first(move.cell):
            return False
        return self._mark(move.cell) == MARK_UNSURE if self.decision is None else not self.decision.certain

    def _is_first(self, cell: Cell) -> bool:
        """Whether opening the cell is a first click that the game makes safe."""
        return self.seat.unlaid or cell == self.seat.first

    # -- a line for each reason --------------------------------------------------------------------------------------

    def lines(self, moves: Sequence[Move]) -> Iterator[str]:
        """Yield a line for each reason, with the moves that share it, and then a line for each guess."""
        groups: dict[tuple[str, str, str], list[Move]] = {}
        for move in moves:
            if move.kind != "unflag" and not self.is_guess(move):
                groups.setdefault((move.kind, *self._in_short(move)), []).append(move)
        for (kind, verdict, reason), group in groups.items():
            cells = ", ".join(str(move.cell) for move in group if move.cell is not None)
            if len(group) > 1:
                verdict = PLURAL_VERDICTS.get(verdict, verdict)
            yield f"{kind} {cells}".rstrip() + f": {verdict}{reason}"
        yield from (self.guess(move.cell) for move in moves if move.cell is not None and self.is_guess(move))

    def _in_short(self, move: Move) -> tuple[str, str]:
        """Return what is known about the cell of a move, and why, in a few words."""
        cell = move.cell
        if cell is None:
            return "the last move is taken back", ""
        if move.kind in ("chord", "question"):
            return "opens the cells around it" if move.kind == "chord" else "a question mark", ""
        if self._is_first(cell):
            return FIRST_CLICK, ""
        mark = self._mark(cell)
        if mark in (MARK_SAFE, MARK_MINED):
            try:
                return IN_SHORT[mark == MARK_MINED], f", {self._by(cell)}"
            except OutOfTime:
                pass  # use the agent's own reason, if it has one
        own = self._own(cell)
        if own is not None:
            near = sorted(own.because, key=lambda clue: max(abs(clue.row - cell.row), abs(clue.col - cell.col)))
            return IN_SHORT[own.mine], f", {_by(near, own.mine_count)}"
        risk = self.risk(cell)
        return ("not certain" if risk is None else f"{percent(risk)} risk of a mine"), ""

    def _own(self, cell: Cell) -> Deduction | None:
        """Return the agent's own deduction about the cell, if it has one."""
        reasons = () if self.decision is None else self.decision.reasons
        return next((deduction for deduction in reasons if cell in deduction.cells), None)

    def _by(self, cell: Cell) -> str:
        """Return what proves a certain cell, in a few words. Raises `OutOfTime`."""
        if self.seat.position[cell] == "S":
            return "opened before" if self.seat.seen(cell) else "named by the game"
        return steps_in_short(self._derive().steps(self.seat.position.grid.index(cell)))

    def _derive(self) -> Deriver:
        if self._deriver is None:
            self._deriver = deriver_of(self.analysis, self._clock)
        return self._deriver

    # -- guesses -----------------------------------------------------------------------------------------------------

    def risk(self, cell: Cell) -> float | None:
        """Return the risk of a cell; None if it is not known."""
        try:
            risk = float(self.analysis.probabilities[cell])
        except OutOfTime:
            return None
        return None if isnan(risk) else risk

    def least(self) -> Candidate | None:
        """Return the least risky of the uncertain cells; None if no risk is known."""
        try:
            analysis = self.analysis
        except OutOfTime:
            return None
        unsure = np.frombuffer(analysis.marks, np.uint8) == MARK_UNSURE
        risks = np.where(unsure, analysis.probabilities.ravel(), np.nan)
        if np.isnan(risks).all():
            return None
        index = int(np.argmax(risks <= np.nanmin(risks) + EQUAL))  # as `Analysis.least_risk` breaks ties
        return Candidate(self.seat.position.grid.cell(index), float(risks[index]))

    def guess(self, cell: Cell) -> str:
        """Return a line about a guess and its risk: whether it was needed, whether another cell had less risk, and why
        an agent that looks ahead did not prefer that."""
        decision = self.decision
        risk = self.risk(cell) if decision is None or decision.risk is None else decision.risk
        if risk is None:
            return f"guess {cell}"
        line = f"guess {cell}: {percent(risk)} risk of a mine"
        safe = self._safe()
        if safe is not None:
            return f"{line}, and {safe} was certainly safe"
        least, chance = self.least(), None if decision is None else decision.chance
        if least is not None and risk > least.risk + EQUAL:
            other = f"{percent(least.risk)} for {least.cell}"
            if chance is not None or self.looks_ahead or (decision is not None and decision.why):
                line += f" against {other}, but {self._advantage(cell, least.cell)}"
            else:
                line += f"; the least is {other}"
        elif chance is None and decision is not None and len(decision.alternatives) > 1:
            second = decision.alternatives[1]
            line += f"; next best {second.cell}: {percent(second.risk)}"
        if chance is not None:
            line += f"; perfect play wins {percent(chance)} of the remaining boards"
        return line

    def _safe(self) -> Cell | None:
        """Return a certainly safe cell, if one is known."""
        try:
            return min(self.analysis.safe, default=None)
        except OutOfTime:
            return None

    def _advantage(self, cell: Cell, other: Cell) -> str:
        """Return the advantage that a cell has over a less risky one, in words."""
        decision = self.decision
        chance, why = (None, "") if decision is None else (decision.chance, decision.why)
        if chance is not None or why:
            return advantage(cell, chance, why)
        try:
            return advantage(cell, None, "", *(progress(self.analysis, at, self._clock) for at in (cell, other)))
        except OutOfTime:
            return advantage(cell, None, "")

    # -- in full -----------------------------------------------------------------------------------------------------

    def in_full(self, moves: Iterable[Move]) -> Iterator[Reason]:
        """Yield the reason of each move in full sentences."""
        for number, move in enumerate(moves):
            if move.kind != "unflag" and move.cell is not None:
                yield self._in_full(move, move.cell, explain=number < MOST_EXPLAINED)

    def _in_full(self, move: Move, cell: Cell, *, explain: bool) -> Reason:
        if self._is_first(cell):
            return Reason(move, "safe", f"{cell} is {FIRST_CLICK}.")
        if self.is_guess(move):
            return Reason(move, "guess", sentence(self.guess(cell)))
        if seen := self.seat.seen(cell):
            return Reason(move, "safe", seen)
        mark, own = self._mark(cell), self._own(cell)
        clues = () if own is None else tuple(sorted(own.because))
        if explain and mark in (MARK_SAFE, MARK_MINED):
            try:
                words = why_with(self.analysis, cell, self._clock, self._derive())
            except OutOfTime:
                pass  # use the agent's own reason
            else:
                return Reason(move, words.verdict, words.text, clues or words.because, words.level)
        if own is not None:
            claim = f"{cell} is {IN_SHORT[own.mine]}, {own.reason}."
            return Reason(move, "mine" if own.mine else "safe", claim, clues)
        verdict, reason = self._in_short(move)
        return Reason(move, "mine" if move.kind == "flag" else "safe", f"{move}: {verdict}{reason}.")


IN_SHORT = "safe", "a mine"
PLURAL_VERDICTS = {"a mine": "mines"}
"""The verdicts that are worded differently for several cells."""


def steps_in_short(steps: Sequence[ExplanationStep]) -> str:
    """Name the clues of all steps if they are few; otherwise those of the last step, and the number of others."""
    clues = list(dict.fromkeys(clue for step in steps for clue in step.clues))
    mine_count = any(step.mine_count for step in steps)
    if len(clues) <= FEW or len(steps) == 1:
        return _by(clues if len(steps) == 1 else sorted(clues), mine_count)
    before = len(steps) - 1
    return f"{_by(list(steps[-1].clues), mine_count)}, after {before} other {noun_for(before, 'step')}"


def _by(clues: list[Cell], mine_count: bool) -> str:
    names = [str(clue) for clue in clues[:FEW]]
    if len(clues) > FEW:
        names.append(f"{len(clues) - FEW} more near it" if not mine_count else f"{len(clues) - FEW} more")
    if mine_count:
        names.append("the mine count")
    return f"by {listed(names)}" if names else "by earlier steps"
