"""Why a cell is safe, or a mine: the fewest clues that force it, and the easiest way to find it."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING, Any

import numpy as np

from mineproof._native import counting
from mineproof.board.html import beside, heading, told
from mineproof.board.position import CLOSED, SHOWN_CELLS, position_of
from mineproof.errors import InvalidArgument, OutOfTime
from mineproof.explain.derivation import Deriver
from mineproof.explain.phrases import phrase, sentence
from mineproof.explain.reasons import FewestClues
from mineproof.explain.step import ONE_CLUE, ExplanationStep
from mineproof.limit import DEFAULT, Clock, Limit
from mineproof.logic.conflict import inconsistent
from mineproof.logic.deduction import names
from mineproof.odds.analysis import analyse
from mineproof.percent import percent
from mineproof.plural import plural

if TYPE_CHECKING:
    from mineproof.board.grid import Cell, CellLike
    from mineproof.board.position import Position, Seen
    from mineproof.odds.analysis import Analysis


@dataclass(frozen=True, slots=True)
class Explanation:
    """Whether a cell is safe, a mine or not certain, and why."""

    position: Position
    cell: Cell
    mine: bool | None
    """Whether the cell is a mine; None if it can be either."""
    because: tuple[Cell, ...] = ()
    """A smallest set of clues that proves it."""
    mine_count: bool = False
    """Whether the number of mines is also needed."""
    steps: tuple[ExplanationStep, ...] = ()
    """The easiest way to find the cell; the last step settles it."""
    risk: float | None = None
    """The risk of a mine, if the cell can be either and the risk is known."""
    error: float | None = None
    """The error of the risk, if it is an estimate."""
    rule: str = ""
    """The rule of the game that makes the cell safe, in words, if no clue is needed."""

    @property
    def verdict(self) -> str:
        """``safe``, ``mine`` or ``unknown``."""
        return "unknown" if self.mine is None else "mine" if self.mine else "safe"

    @property
    def hardest(self) -> ExplanationStep | None:
        """The first step of the highest level."""
        return max(self.steps, key=lambda step: step.level, default=None)

    @property
    def level(self) -> int | None:
        """The level of the hardest step."""
        return None if self.hardest is None else self.hardest.level

    @property
    def technique(self) -> str | None:
        """The technique of the hardest step."""
        return None if self.hardest is None else self.hardest.technique

    @property
    def text(self) -> str:
        """The sentences of the steps; or why nothing is certain."""
        if self.mine is None:
            odds = "" if self.risk is None else f" The risk of a mine is {percent(self.risk, self.error)}."
            return f"{self.cell} is not certain: some consistent boards have a mine there, others do not.{odds}"
        return self.rule or "\n".join(step.text for step in self.steps)

    def __repr__(self) -> str:
        steps = f", in {plural(len(self.steps), 'step')}" if self.steps else ""
        return f"<Explanation: {self.claim.removesuffix('.')}{steps}>"

    def __str__(self) -> str:
        return self.text

    @property
    def claim(self) -> str:
        """Whether the cell is certain, in a sentence."""
        return f"{self.cell} is {'not certain' if self.mine is None else 'a mine' if self.mine else 'safe'}."

    @property
    def note(self) -> str:
        """How hard the cell is to find, and the fewest clues, which need not be those of the easiest way."""
        if not self.steps:
            return ""
        level = f"Level {self.level}: {self.technique}."
        parts = [*([names(self.because)] if self.because else []), *(["the mine count"] if self.mine_count else [])]
        return f"{level} The fewest clues that prove it: {', and '.join(parts)}." if parts else level

    def to_html(self) -> str:
        """The claim, the note and the steps, as HTML."""
        return heading(self.claim, self.note) + told(self.text.split("\n"))

    def full_text(self) -> str:
        """The claim, the note and the steps, as text."""
        return f"{self.claim} {self.note}\n{self.text}" if self.steps else self.text

    def told(self) -> str:
        """The old name of `full_text`."""
        warnings.warn("Explanation.told is now called full_text", DeprecationWarning, stacklevel=2)
        return self.full_text()

    def _repr_html_(self) -> str:
        """The board with the steps, and words, for a notebook."""
        shown = len(self.position.grid) <= SHOWN_CELLS
        return beside(self.position.to_svg(why=self) if shown else None, self.to_html())

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: ARG002
        """The words, in an IPython console."""
        printer.text(self.full_text())

    def fields(self) -> dict[str, Any]:
        """The fields for JSON."""
        return {
            "cell": list(self.cell),
            "verdict": self.verdict,
            "because": [list(clue) for clue in self.because],
            "mine_count": self.mine_count,
            "technique": self.technique,
            "level": self.level,
            "text": self.text,
            "steps": [step.fields() for step in self.steps],
        }


def why(position: Position | Seen, cell: CellLike, limit: Limit = DEFAULT) -> Explanation:
    """Why the cell is safe, or a mine; or that it can be either. Raises `OutOfTime` if not even that is known in time,
    and `InconsistentPosition`.

    >>> from mineproof import Position
    >>> explanation = why(Position.from_text("3x2x2\\nHHH\\n121"), "B1")
    >>> explanation.verdict, list(map(str, explanation.because)), explanation.level, explanation.technique
    ('safe', ['A2', 'B2', 'C2'], 2, '1-2')
    >>> print(explanation.steps[-1].text)
    The 1 at A2 already has its mine at A1, so B1 is safe.
    """
    clock = Clock(limit)
    position = position_of(position)
    at = closed_cell(position, cell)
    return why_with(analyse_or_refuse(position, clock), at, clock)


def closed_cell(position: Position, cell: CellLike) -> Cell:
    """The cell, after a check that it is closed: there is nothing to explain about others."""
    at = position.grid.at(cell)
    if position[at] not in CLOSED:
        raise InvalidArgument(
            f"{at} is {'open' if position.clue(at) is not None else 'known'}: there is nothing to explain"
        )
    return at


def analyse_or_refuse(position: Position, clock: Clock) -> Analysis:
    """Analyse a position. Raises `InconsistentPosition`."""
    return refuse_inconsistent(analyse(position, clock.rest(0.5)), clock)


def refuse_inconsistent(analysis: Analysis, clock: Clock) -> Analysis:
    """The same analysis, after a check that it is not inconsistent. Raises `InconsistentPosition`."""
    clock.check_cancelled()
    if analysis.consistent is False:
        raise inconsistent(analysis.position, clock)
    return analysis


def why_with(analysis: Analysis, cell: Cell, clock: Clock, deriver: Deriver | None = None) -> Explanation:
    """The explanation of a closed cell in an analysed position, see `why`."""
    position = analysis.position
    index = position.grid.index(cell)
    mine = {counting.MARK_MINED: True, counting.MARK_SAFE: False}.get(analysis.marks[index])
    if mine is None:
        if not analysis.complete:
            raise OutOfTime(f"time ran out before it was known whether {cell} is certain")
        risk = float(analysis.probabilities[cell])
        error = None if analysis.errors is None else float(analysis.errors[cell])
        return Explanation(position, cell, None, risk=None if isnan(risk) else risk, error=error)
    if position[cell] == "S":
        step = ExplanationStep(
            (), (cell,), False, ONE_CLUE, "named by the game", text=sentence(phrase("named", cells=cell))
        )
        return Explanation(position, cell, False, steps=(step,))
    clues, mine_count = FewestClues(position, {}, clock).smallest(index, mine)
    steps = (deriver or deriver_of(analysis, clock)).steps(index)
    return Explanation(position, cell, mine, tuple(map(position.grid.cell, clues)), mine_count, steps)


def deriver_of(analysis: Analysis, clock: Clock) -> Deriver:
    """The deriver of steps to the certain cells of an analysed position."""
    marks = np.frombuffer(analysis.marks, np.uint8)
    named = np.frombuffer(analysis.position.cells, np.uint8) == ord("S")
    certain = np.flatnonzero(((marks == counting.MARK_SAFE) & ~named) | (marks == counting.MARK_MINED))
    mined = marks[certain] == counting.MARK_MINED
    return Deriver(analysis.position, dict(zip(certain.tolist(), mined.tolist(), strict=True)), clock)
