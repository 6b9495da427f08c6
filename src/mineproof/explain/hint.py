"""Hints in parts: whether there is a certain move, roughly where, by which clues, which cell, and why.

If there is none, that is proved; then the hint names the best guess, its risk, and what it would reveal.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mineproof._native import counting
from mineproof.agents.chooser import SHOWN, best_player, look
from mineproof.agents.first_click import safe_first_click
from mineproof.board.html import beside
from mineproof.board.html import listed as listed_in_html
from mineproof.board.position import SHOWN_CELLS, Position, position_of
from mineproof.errors import OutOfTime
from mineproof.explain.explanation import analyse_or_refuse, deriver_of, why_with
from mineproof.explain.phrases import listed, sentence
from mineproof.explain.words import clue_name
from mineproof.limit import DEFAULT, Clock, Limit
from mineproof.logic.background import stoppable
from mineproof.odds.analysis import EQUAL, analyse
from mineproof.percent import a_percent, percent

if TYPE_CHECKING:
    from mineproof.board.grid import Cell
    from mineproof.board.position import Seen
    from mineproof.board.rules import Rules
    from mineproof.explain.derivation import Deriver
    from mineproof.explain.explanation import Explanation
    from mineproof.odds.analysis import Analysis

NO_MOVE = "There is no certain move: every closed cell is a mine on some of the consistent boards."
DOWN, ACROSS = ("top", "middle", "bottom"), ("left", "middle", "right")


MOST_NAMES = 6
"""The most cells that a part names."""


class Guess(NamedTuple):
    """A possible guess: its risk of a mine, and the probability that, if it is safe, a certain move follows or the game
    is won."""

    cell: Cell
    risk: float
    progress: float | None
    error: float | None = None
    """The error of the risk, if it is an estimate."""


@dataclass(frozen=True, slots=True)
class Hint:
    """What to do next, in parts."""

    position: Position
    certain: bool
    """Whether there is a certain move."""
    cell: Cell | None
    explanation: Explanation | None = None
    """The explanation of the certain move."""
    guesses: tuple[Guess, ...] = ()
    """If there is none: the best guess, and others."""
    portions: tuple[str, ...] = ()
    """From "is there a move?" to the whole reason."""

    @property
    def text(self) -> str:
        """All of it."""
        return "\n".join(self.portions)

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
        found: dict[str, Any] = {"certain": self.certain}
        if self.explanation is not None:
            last = self.explanation.steps[-1]
            found |= {
                "level": self.explanation.level,
                "region": self.region,
                "clues": [list(clue) for clue in last.clues],
                "cell": list(self.explanation.cell),
                "verdict": self.explanation.verdict,
            }
        elif self.guesses:
            found |= {
                "cell": list(self.guesses[0].cell),
                "risk": self.guesses[0].risk,
                "alternatives": [
                    {"cell": list(guess.cell), "risk": guess.risk, "error": guess.error, "progress": guess.progress}
                    for guess in self.guesses
                ],
            }
        else:
            found["cell"] = None if self.cell is None else list(self.cell)
        return {**found, "text": self.text}


@stoppable
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
    analysis = analyse_or_refuse(position_of(position), clock)
    if counting.MARK_SAFE in analysis.marks:
        return _certain(analysis, clock)
    if not analysis.complete:
        raise OutOfTime("time ran out before it was known whether there is a certain move")
    return _guess(analysis, clock)


def first_hint(position: Position, rules: Rules | None, start: Cell | None = None) -> Hint | None:
    """Where to begin; None if a cell is open, or no start is known to be safe.

    With ``rules``, the mines are still to be laid to suit the first click. Without, only ``start`` is known to be safe.

    >>> from mineproof import LEVELS, Position, Rules
    >>> print(first_hint(Position.blank(LEVELS["beginner"].grid, 10), Rules("opening")))
    The first click is always safe in this game; C3 is a good one.
    """
    cell = safe_first_click(position, rules, start)
    if cell is None:
        return None
    text = f"Start at {cell}, which is safe."
    if rules is not None:
        text = f"The first click is always safe in this game; {cell} is a good one."
    return Hint(position, True, cell, portions=(text,))


def _certain(analysis: Analysis, clock: Clock) -> Hint:
    position = analysis.position
    deriver = deriver_of(analysis, clock)
    cell = easiest_safe(position, deriver)
    found = why_with(analysis, cell, clock, deriver)
    last = found.steps[-1]
    clues = listed([clue_name(position, clue) for clue in last.clues])
    first = "the cells settled by other clues" if len(last.used) > MOST_NAMES else listed([*map(str, last.used)])
    where = f"look at {clues}" if clues else "count the mines" if last.mine_count else "the game names a safe cell"
    portions = (
        "There is a certain move.",
        f"Look at {region(position, cell)}.",
        sentence(f"first settle {first}, then {where}" if first else where),
        f"{cell} is safe.",
        found.text,
    )
    return Hint(position, True, cell, found, portions=portions)


def easiest_safe(position: Position, deriver: Deriver) -> Cell:
    """Of the certainly safe cells, of which there must be one, the easiest to find."""
    easiest = position.cells.find(b"S")  # named by the game: nothing is easier
    if easiest < 0:
        easiest = deriver.easiest([cell for cell, mine in deriver.certain.items() if not mine])
    return position.grid.cell(easiest)


def _guess(analysis: Analysis, clock: Clock) -> Hint:
    position = analysis.position
    if analysis.finished:
        return Hint(position, False, None, portions=("There is nothing left to open.",))
    if not analysis.exact or clock.left < clock.limit.seconds / 4:  # to choose takes as long as the analysis did
        return _least_risky(analysis)
    decision = look(position, best_player(), clock.rest(0.5)).guess()
    guesses = tuple(
        Guess(option.cell, option.risk, progress(analysis, option.cell, clock)) for option in decision.alternatives
    )
    if not guesses:
        raise OutOfTime("there is no certain move, and time ran out before the best guess was found")
    chosen = guesses[0]
    told = [NO_MOVE, f"The best guess is {chosen.cell}, with {a_percent(chosen.risk)} risk of a mine."]
    if decision.why:
        told.append(f"{decision.why[0].upper()}{decision.why[1:]}.")
    if decision.chance is not None:
        told.append(f"Perfect play wins {percent(decision.chance)} of the remaining boards.")
    told += [f"{guess.cell}: {_about(guess)}." for guess in guesses]
    least = min(guesses, key=lambda guess: guess.risk)
    if chosen.risk > least.risk + EQUAL:
        told.append(_preferred(chosen, least))
    return Hint(position, False, chosen.cell, guesses=guesses, portions=tuple(told))


def _least_risky(analysis: Analysis) -> Hint:
    """The least risky cells, if there are too many boards to count or little time is left."""
    order = np.argsort(analysis.probabilities.ravel(), kind="stable")[:SHOWN].tolist()  # NaN comes last
    found = ((index, float(analysis.probabilities.flat[index])) for index in order)
    errors = None if analysis.errors is None else analysis.errors.ravel()
    guesses = tuple(
        Guess(analysis.position.grid.cell(index), risk, None, None if errors is None else float(errors[index]))
        for index, risk in found
        if not isnan(risk)
    )
    if not guesses:
        raise OutOfTime("there is no certain move, and time ran out before any risk was estimated")
    chosen = guesses[0]
    told = [NO_MOVE]
    if not analysis.exact:
        told.append("There are too many boards to count, so the risks are estimates.")
    if analysis.unrated:
        told.append("Some cells have no estimate yet: with more time there may be a better guess.")
    told.append(f"The least risky cell is {chosen.cell}, with {a_percent(chosen.risk, chosen.error)} risk of a mine.")
    told += [f"{guess.cell}: {_about(guess)}." for guess in guesses]
    return Hint(analysis.position, False, chosen.cell, guesses=guesses, portions=tuple(told))


def progress(analysis: Analysis, cell: Cell, clock: Clock) -> float | None:
    """The probability that, if the cell is safe, a certain move or nothing remains after opening it; None if boards
    cannot be counted exactly in time."""
    position = analysis.position
    if not analysis.exact:
        return None
    logs, leads_on = [], []
    for number in range(len(position.grid.neighbours(cell)) + 1):
        if clock.over:
            return None
        found = analyse(position.with_symbol(cell, str(number)), clock.rest())
        if not found.exact:
            return None
        if found.consistent:
            logs.append(found.log_solutions)
            leads_on.append(counting.MARK_SAFE in found.marks or found.finished)
    shares = np.exp(np.array(logs) - max(logs))
    return float(shares[leads_on].sum() / shares.sum())


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
    """Whether a row or column is in the first third (0), the middle (1), or the last third (2), by its centre."""
    return 0 if 6 * at + 3 < 2 * size else 2 if 6 * at + 3 > 4 * size else 1


def _about(guess: Guess) -> str:
    if guess.progress is None:
        return f"{percent(guess.risk, guess.error)} risk"
    follows = f"a certain move follows, or the game is won, on {percent(guess.progress)} of boards"
    return f"{percent(guess.risk)} risk; if it is safe, {follows}"


def _preferred(chosen: Guess, least: Guess) -> str:
    text = f"{least.cell} is less risky ({percent(least.risk)} against {percent(chosen.risk)})"
    if chosen.progress is not None and least.progress is not None and chosen.progress > least.progress:
        return f"{text}, but after {chosen.cell} a certain move, or the win, follows more often."
    return f"{text}, but the games after {chosen.cell} are won more often, as far as the search looks ahead."
