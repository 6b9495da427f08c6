"""A seat at a game: all that its player may know, and every question that the player may ask.

Help for a player is reached from a game only through `Seat.at`. A seat holds no mine that the player has not seen, so
no answer depends on one. All apps ask here; `answers` turns the replies into JSON and words.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from mineproof._native.counting import MARK_SAFE
from mineproof.agents.first_click import safe_first_click
from mineproof.board.game import State
from mineproof.board.position import UNKNOWN
from mineproof.errors import IllegalMove, OutOfTime
from mineproof.explain.explanation import Explanation, closed_cell, refuse_inconsistent, why_with
from mineproof.explain.guess import best_guess
from mineproof.explain.hint import UNKNOWN_YET, Hint, hint_with
from mineproof.limit import DEFAULT, Clock, Limit
from mineproof.logic.proof import prove
from mineproof.odds.analysis import analyse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mineproof.board.game import Game
    from mineproof.board.grid import Cell, CellLike
    from mineproof.board.position import Position
    from mineproof.board.rules import Rules
    from mineproof.explain.guess import BestGuess
    from mineproof.logic.proof import Proof
    from mineproof.odds.analysis import Analysis

UNLAID = "The mines are laid after the first click, so no first click is a mine."


MORE = 1.1
"""The factor by which the time must grow for an estimate to be made again: clocks of one question differ a little."""


@dataclass(frozen=True)
class Seat:
    """What the player of a game knows. Questions about one seat share one analysis.

    >>> from mineproof import Game
    >>> seat = Seat.at(Game("beginner", "opening", seed=1))
    >>> print(seat.hint())
    The first click is always safe in this game; C3 is a good one.
    >>> print(seat.why("A1"))
    The mines are laid after the first click, so no first click is a mine.
    >>> print(Seat.at(Game.from_id("9x9x10/opening=0103081000200a0004008@E5")).hint())
    Start at E5, which is safe.
    """

    position: Position
    """What the board shows; a start that it names is marked as safe."""
    laying: Rules | None = None
    """The rules by which the mines are laid at the first click; None once they are laid."""
    start: Cell | None = None
    """The cell to begin with, if the board names one and no cell is open."""
    state: State = State.PLAYING
    without: Seat | None = None
    """The seat without what undone moves have shown, if they have shown anything that the board hides again."""
    _kept: dict[str, tuple[Limit, Analysis]] = field(default_factory=dict, repr=False, compare=False)
    """The analysis, with the limit that it had."""

    @classmethod
    def at(cls, game: Game, before: Seat | None = None) -> Seat:
        """Return the seat of the player of a game: the one ``before``, with its analysis, if nothing has changed."""
        position, start = game.position, game.safe_start
        if start is not None and position.cells.strip(UNKNOWN.encode()):
            start = None
        if start is not None and position[start] != "F":  # a flag must be removed first, so it stays visible
            position = position.with_symbol(start, "S")
        seat = cls(position, game.rules if game.layout is None else None, start, game.state)
        known = _with_taken_back(position, *game.taken_back)
        if known is not position:
            seat = replace(seat, position=known, without=seat, _kept={})
        return before if before == seat else seat

    def __reduce__(self) -> tuple[object, ...]:
        return Seat, (self.position, self.laying, self.start, self.state, self.without)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.state is not State.PLAYING

    @property
    def unlaid(self) -> bool:
        """Whether the mines are laid at the first click."""
        return self.laying is not None

    @property
    def first(self) -> Cell | None:
        """The cell to open first, if nothing is open and it is known to be safe."""
        if self.laying is None:
            return self.start
        return safe_first_click(self.position, self.laying, None)

    @property
    def free_start(self) -> bool:
        """Whether the first click is safe, and equally good, wherever it is."""
        crowded = self.position.mines > len(self.position.grid) - 9
        return self.laying is not None and not (crowded and self.laying.first_click == "opening")

    def seen(self, cell: Cell) -> str:
        """What an undone move has shown of a cell that is closed now, as a sentence; empty if nothing."""
        if self.without is None or self.position[cell] == self.without.position[cell]:
            return ""
        is_mine = self.position[cell] == "*"
        return f"{cell} is {'a mine' if is_mine else 'safe'}: you opened it before you took the move back."

    @property
    def mines_seen(self) -> list[Cell]:
        """The mines that only undone moves have shown."""
        return [] if self.without is None else [cell for cell in self.position.where("*") if self.seen(cell)]

    def check_playing(self) -> None:
        """Refuse questions about the next move of a game that is over."""
        if self.over:
            raise IllegalMove(f"the game is {self.state}, so there is no next move")

    # -- questions -----------------------------------------------------------------------------------------------

    def analysis(self, limit: Limit = DEFAULT) -> Analysis:
        """Return the analysis. It is made once, and again only if it was not exact and the limit is larger now."""
        before, analysis = self._kept.get("analysis", (limit, None))
        larger = limit.seconds > MORE * before.seconds or limit.memory > before.memory
        if analysis is None or (larger and not analysis.exact):
            analysis = analyse(self.position, limit)
            self._kept["analysis"] = limit, analysis
        return analysis

    def certain(self, clock: Clock) -> Analysis:
        """Return the analysis, made in half of the time that is left. Raises `InconsistentPosition`."""
        return refuse_inconsistent(self.analysis(clock.rest(0.5)), clock)

    def hint(self, limit: Limit = DEFAULT) -> Hint:
        """Return the easiest certain move or, if there is none, the best guess; at the start, where to begin."""
        self.check_playing()
        first = self.first
        if first is not None:
            text = f"Start at {first}, which is safe."
            if self.unlaid:
                text = f"The first click is always safe in this game; {first} is a good one."
            return Hint(self.position, True, first, portions=(text,))
        clock = Clock(limit)
        if self.without is not None:
            shown = self.without.certain(clock)
            if MARK_SAFE in shown.marks:  # the clues have a reason, which teaches more than what was seen
                return hint_with(shown, clock)
            cell = self.position.cells.find(b"S")
            if cell >= 0:
                at = self.position.grid.cell(cell)
                return Hint(self.position, True, at, portions=(self.seen(at),))
        return hint_with(self.certain(clock), clock)

    def why(self, cell: CellLike, limit: Limit = DEFAULT) -> Explanation:
        """Explain why a closed cell is safe, or a mine; or give its risk."""
        clock = Clock(limit)
        at = closed_cell((self.without or self).position, cell)
        if self.unlaid:
            return Explanation(self.position, at, False, rule=UNLAID)
        if self.without is not None and (seen := self.seen(at)):
            by_clues = why_with(self.without.certain(clock), at, clock)
            mine = self.position[at] == "*"
            return by_clues if by_clues.mine is mine else Explanation(self.position, at, mine, rule=seen)
        return why_with(self.certain(clock), at, clock)

    def prove(self, cell: CellLike, limit: Limit = DEFAULT) -> Proof | None:
        """Prove that a cell is safe, or a mine. Return None if it can be either, or if the rules alone make it safe."""
        seat = self.without if self.without is not None and self.seen(self.position.grid.at(cell)) else self
        return None if self.unlaid else prove(seat.position, cell, limit)

    def best_guess(self, limit: Limit = DEFAULT) -> BestGuess | None:
        """Return what ``best`` would guess; None if no guess is needed, or nothing is left to open."""
        self.check_playing()
        if self.first is not None:
            return None
        clock = Clock(limit)
        return best_guess(self.certain(clock), clock)

    def may_guess(self, limit: Limit = DEFAULT) -> bool:
        """Whether a guess is needed: no cell is certainly safe. Raises `OutOfTime` if that is not known."""
        self.check_playing()
        if self.first is not None:
            return False
        clock = Clock(limit)
        analysis = self.certain(clock)
        if MARK_SAFE not in analysis.marks and not analysis.complete:
            raise OutOfTime(UNKNOWN_YET)
        return MARK_SAFE not in analysis.marks and not analysis.finished

    def numbers(self, cell: CellLike, limit: Limit = DEFAULT) -> dict[int, float]:
        """Return the numbers that a closed cell could show if it is safe, with their probabilities."""
        if self.seen(self.position.grid.at(cell)) and self.position[cell] == "*":
            return {}
        clock = Clock(limit)
        return self.certain(clock).numbers(cell, clock.rest())


def _with_taken_back(position: Position, safe: Sequence[int], mined: Sequence[int]) -> Position:
    """Return a position in which the closed cells that undone moves had opened are marked: as safe, or as mines."""
    hidden = {cell: ord("S") for cell in safe if position.cells[cell] in b"HQ"}
    hidden |= {cell: ord("*") for cell in mined if position.cells[cell] in b"HQF"}
    if not hidden:
        return position
    cells = bytearray(position.cells)
    for cell, symbol in hidden.items():
        cells[cell] = symbol
    return replace(position, cells=bytes(cells))
