"""Hints in parts: whether there is a certain move, roughly where, by which clues, which cell, and why.

If it is proved that there is none, the hint names the best guess, its risk, and the chance that it leads on.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mineproof._native import counting
from mineproof.board.html import beside
from mineproof.board.html import listed as listed_in_html
from mineproof.board.position import SHOWN_CELLS, Position, position_of
from mineproof.errors import OutOfTime
from mineproof.explain.explanation import analyse_or_refuse, deriver_of, why_with
from mineproof.explain.guess import best_guess
from mineproof.explain.phrases import listed, sentence
from mineproof.explain.words import clue_name
from mineproof.limit import DEFAULT, Clock, Limit

if TYPE_CHECKING:
    from mineproof.board.grid import Cell
    from mineproof.board.position import Seen
    from mineproof.explain.derivation import Deriver
    from mineproof.explain.explanation import Explanation
    from mineproof.explain.guess import BestGuess, Candidate
    from mineproof.odds.analysis import Analysis

NO_MOVE = "There is no certain move: every closed cell is a mine on some of the consistent boards."
UNKNOWN_YET = "time ran out before it was known whether there is a certain move"
DOWN, ACROSS = ("top", "middle", "bottom"), ("left", "middle", "right")


MOST_NAMES = 6
"""The most cells that a part of a hint names."""


@dataclass(frozen=True, slots=True)
class Hint:
    """What to do next, in parts."""

    position: Position
    certain: bool
    """Whether there is a certain move."""
    cell: Cell | None
    """The cell to open; None if nothing is left to open."""
    explanation: Explanation | None = None
    """The explanation of the certain move."""
    guess: BestGuess | None = None
    """The best guess, if there is no certain move."""
    portions: tuple[str, ...] = ()
    """The parts, each of which says more: from whether there is a certain move to the whole reason."""

    @property
    def text(self) -> str:
        """All parts, one line each."""
        return "\n".join(self.portions)

    @property
    def guesses(self) -> tuple[Candidate, ...]:
        """The old name of ``guess.candidates``."""
        warnings.warn("Hint.guesses is now called guess.candidates", DeprecationWarning, stacklevel=2)
        return () if self.guess is None else self.guess.candidates

    def __repr__(self) -> str:
        if self.cell is None:
            return "<Hint: there is no move>"
        mine = self.explanation is not None and self.explanation.mine
        return f"<Hint: {self.cell} is {'a mine' if mine else 'safe' if self.certain else 'the best guess'}>"

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        """The board with the steps of a certain move, and words, for a notebook."""
        shown = len(self.position.grid) <= SHOWN_CELLS
        picture = self.position.to_svg(why=self.explanation or ()) if shown else None
        return beside(picture, listed_in_html(self.text.split("\n")))

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: ARG002
        """The words, in an IPython console."""
        printer.text(self.text)

    @property
    def region(self) -> str | None:
        """Roughly where the cell is."""
        return None if self.cell is None else region(self.position, self.cell)

    def fields(self) -> dict[str, Any]:
        """The fields for JSON."""
        fields: dict[str, Any] = {"certain": self.certain}
        if self.explanation is not None:
            last = self.explanation.steps[-1]
            fields |= {
                "level": self.explanation.level,
                "region": self.region,
                "clues": [list(clue) for clue in last.clues],
                "cell": list(self.explanation.cell),
                "verdict": self.explanation.verdict,
            }
        elif self.guess is not None:
            fields |= self.guess.fields()
            fields["least_risk"] = {"cell": list(self.guess.least.cell), "risk": self.guess.least.risk}
            fields["alternatives"] = [candidate.fields() for candidate in self.guess.candidates]
        else:
            fields["cell"] = None if self.cell is None else list(self.cell)
        return {**fields, "text": self.text}


def hint(position: Position | Seen, limit: Limit = DEFAULT) -> Hint:
    """The easiest certain move; or, if there is none, the best guess.

    >>> from mineproof import Position
    >>> print(*hint(Position.from_text("3x2x2\\nHHH\\n121")).portions[:4], sep="\\n")
    There is a certain move.
    Look at the top of the board, in the middle.
    First settle A1, then look at the 1 at A2.
    B1 is safe.
    """
    clock = Clock(limit)
    return hint_with(analyse_or_refuse(position_of(position), clock), clock)


def hint_with(analysis: Analysis, clock: Clock) -> Hint:
    """The hint for an analysed position, see `hint`."""
    if counting.MARK_SAFE in analysis.marks:
        return _certain(analysis, clock)
    if not analysis.complete:
        raise OutOfTime(UNKNOWN_YET)
    return _guess(analysis, clock)


def _certain(analysis: Analysis, clock: Clock) -> Hint:
    position = analysis.position
    deriver = deriver_of(analysis, clock)
    cell = easiest_safe(position, deriver)
    explanation = why_with(analysis, cell, clock, deriver)
    last = explanation.steps[-1]
    clues = listed([clue_name(position, clue) for clue in last.clues])
    first = "the cells settled by other clues" if len(last.used) > MOST_NAMES else listed([*map(str, last.used)])
    where = f"look at {clues}" if clues else "count the mines" if last.mine_count else "the game names a safe cell"
    portions = (
        "There is a certain move.",
        f"Look at {region(position, cell)}.",
        sentence(f"first settle {first}, then {where}" if first else where),
        f"{cell} is safe.",
        explanation.text,
    )
    return Hint(position, True, cell, explanation, portions=portions)


def easiest_safe(position: Position, deriver: Deriver) -> Cell:
    """The certainly safe cell that is easiest to find; there must be one."""
    easiest = position.cells.find(b"S")  # named by the game: nothing is easier
    if easiest < 0:
        easiest = deriver.easiest([cell for cell, mine in deriver.certain.items() if not mine])
    return position.grid.cell(easiest)


def _guess(analysis: Analysis, clock: Clock) -> Hint:
    position = analysis.position
    if analysis.finished:
        return Hint(position, False, None, portions=("There is nothing left to open.",))
    guess = best_guess(analysis, clock)
    if guess is None:
        raise OutOfTime("there is no certain move, and time ran out before any risk was estimated")
    portions = [NO_MOVE]
    if not analysis.exact:
        portions.append("There are too many boards to count, so the risks are estimates.")
    if analysis.unrated:
        portions.append("Some cells have no estimate yet: with more time there may be a better guess.")
    return Hint(position, False, guess.cell, guess=guess, portions=(*portions, *guess.sentences))


def region(position: Position, cell: Cell) -> str:
    """Roughly where a cell is, in words."""
    down, across = DOWN[_third(cell.row, position.grid.rows)], ACROSS[_third(cell.col, position.grid.cols)]
    if position.grid.cols == 1 or (position.grid.rows == 1 and across != "middle"):
        return f"the {down if position.grid.rows > 1 else across} of the board"
    if down == across == "middle":
        return "the middle of the board"
    if across == "middle":
        return f"the {down} of the board, in the middle"
    return f"the {down} {across} of the board" if down != "middle" else f"the {across} of the board, in the middle"


def _third(at: int, size: int) -> int:
    """The third of the board in which the centre of a row or column is: 0, 1 or 2."""
    return 0 if 6 * at + 3 < 2 * size else 2 if 6 * at + 3 > 4 * size else 1
