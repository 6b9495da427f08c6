"""A screen whose board can be asked about: overlays of certain cells, odds and the best guess; hints; why."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType

from mineproof.apps.tui import work
from mineproof.apps.tui.coach import of_explanation
from mineproof.apps.tui.looks import NOTHING, Overlay
from mineproof.apps.tui.screens.base import BoardScreen
from mineproof.apps.tui.sight import WHOLE, Sight, hint_overlay, see, step_overlay
from mineproof.board.position import CLOSED
from mineproof.errors import IllegalMove, InconsistentPosition, MineproofError
from mineproof.explain.phrases import sentence
from mineproof.seat.seat import UNLAID

if TYPE_CHECKING:
    from mineproof.board.grid import Cell
    from mineproof.board.position import Position
    from mineproof.explain.explanation import Explanation
    from mineproof.explain.hint import Hint
    from mineproof.seat.seat import Seat

LOOK, ASK = "look", "ask"
"""Kinds of questions: for overlays, and for the coach."""


class CoachedScreen(BoardScreen):
    """A board that can be asked about."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("w", "hint", "Hint"),
        Binding("y", "why", "Why"),
        Binding("o", "toggle_overlay('odds')", "Odds"),
        Binding("less_than_sign,left_square_bracket", "step(-1)", show=False),
        Binding("greater_than_sign,right_square_bracket", "step(1)", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.overlays: set[str] = set()
        """The overlays that are on: ``odds``, ``certain``, ``best``."""
        self.sight: Sight | None = None
        """What follows from the position that is shown, once that was found."""
        self.pointed: Overlay = NOTHING
        """An overlay of the cells that the coach speaks of."""
        self.hint_shown: tuple[Hint, int] | None = None
        """The hint for the position that is shown, and how many of its parts were shown."""
        self.why_shown: tuple[Explanation, int] | None = None
        """The explanation that is shown, and the number of its highlighted step."""

    # -- for each screen to fill in ------------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """The position that is asked about."""
        raise NotImplementedError

    @property
    def seat(self) -> Seat:
        """The seat from which the position is asked about."""
        raise NotImplementedError

    def check_help(self) -> None:
        """Note that the player gets help, or raise an error if there can be none now."""

    def note_help(self) -> None:
        """Note that the player gets help."""

    def draw(self) -> None:
        """Show the board."""
        raise NotImplementedError

    def idle(self) -> None:
        """Let the coach say what it says when nothing was asked."""
        raise NotImplementedError

    # -- overlays ------------------------------------------------------------------------------------------------

    @property
    def overlay(self) -> Overlay:
        """The overlays that are on, with what the coach points at."""
        seen = NOTHING if self.sight is None else self.sight.overlay
        on, point = self.overlays, self.pointed
        return Overlay(
            seen.risks if "odds" in on else {},
            seen.safe if on & {"certain", "odds"} else frozenset(),
            seen.mined if on & {"certain", "odds"} else frozenset(),
            point.best if point.best is not None else seen.best if "best" in on else None,
            point.clues | (seen.clues if on else frozenset()),
            point.settled,
            point.before,
        )

    def changed(self) -> None:
        """Forget what was said of the previous position, and show the new one."""
        self.forget_findings()
        self.idle()
        self.draw()
        self.look()

    def forget_findings(self) -> None:
        """Forget what was found about the previous position."""
        work.forget(self, LOOK, ASK)
        self.sight = self.hint_shown = self.why_shown = None
        self.pointed = NOTHING

    def look(self) -> None:
        """Analyse the position if an overlay needs it."""
        if not self.overlays or self.sight is not None or self.seat.unlaid or self.seat.over:
            return
        self.note_help()
        question = partial(see, self.seat, best="best" in self.overlays, count=self.counts_boards)
        work.ask(self, LOOK, question, self._seen, self.refused)

    counts_boards = False
    """Whether to say how many boards are consistent."""

    def _seen(self, sight: Sight) -> None:
        self.sight = sight
        if self.hint_shown is None and self.why_shown is None:
            self.idle()
        self.draw()

    def action_toggle_overlay(self, name: str) -> None:
        """Switch an overlay on or off."""
        if not self.may_ask():
            return
        self.overlays ^= {name}
        self.hint_shown = self.why_shown = None  # the coach speaks of the overlays now
        if name == "best":
            self.sight = None  # the analysis may lack the guess
        if self.seat.unlaid and name in self.overlays:
            self.say(UNLAID)
        else:
            self.say(f"{OVERLAYS[name]}: {'on' if name in self.overlays else 'off'}.")
        self.idle()
        self.draw()
        self.look()

    def may_ask(self) -> bool:
        """Return whether the player may get help now, which is noted; if not, say why."""
        try:
            self.check_help()
        except MineproofError as failure:
            self.refused(failure)
            return False
        return True

    # -- words ---------------------------------------------------------------------------------------------------

    def refused(self, failure: MineproofError) -> None:
        """Say why something cannot be done, or has no answer."""
        text = sentence(str(failure))
        if isinstance(failure, InconsistentPosition):
            conflict = failure.conflict
            if conflict is not None:
                self.pointed = Overlay(clues=frozenset(map(self.position.grid.index, conflict.clues)))
            text = f"There is no such board: {failure}."
            self.draw()
        self.say(text)

    def action_hint(self) -> None:
        """Show one more part of the hint."""
        if not self.may_ask():
            return
        if self.hint_shown is not None:
            hint, shown = self.hint_shown
            self._show_hint(hint, min(shown + 1, len(hint.portions)))
            return
        self.say("Looking for a move …")
        work.ask(self, ASK, self.seat.hint, lambda hint: self._show_hint(hint, 1), self.refused)

    def _show_hint(self, hint: Hint, shown: int) -> None:
        self.hint_shown = hint, shown
        self.why_shown = None
        self.say("")
        if hint.explanation is not None and shown >= WHOLE:
            self.show_why(hint.explanation, len(hint.explanation.steps) - 1)
            return
        self.point_at(hint_overlay(hint, shown))
        parts = len(hint.portions)
        more = f" ({shown} of {parts}; W: more)" if shown < parts else ""
        self.coach.tell(f"Hint{more}", hint.portions[:shown], newest=shown - 1)
        self.draw()

    def action_why(self) -> None:
        """Explain why the cell at the cursor is safe, or a mine."""
        self.ask_why(self.board.cursor)

    def ask_why(self, cell: Cell) -> None:
        """Explain why a cell is safe, or a mine."""
        if self.position[cell] not in CLOSED:
            self.refused(IllegalMove(f"{cell} is open: ask about a closed cell"))
            return
        if not self.may_ask():
            return
        self.say(f"Why is {cell} …")
        work.ask(
            self, ASK, partial(self.seat.why, cell), lambda explanation: self.show_why(explanation, 0), self.refused
        )

    def show_why(self, explanation: Explanation, step: int) -> None:
        """Show an explanation, and highlight one of its steps."""
        self.why_shown = explanation, step
        self.say("")
        self.point_at(step_overlay(explanation, step))
        self.coach.tell(*of_explanation(explanation, step))
        self.draw()

    def point_at(self, pointed: Overlay) -> None:
        """Point at cells, and scroll the board to them."""
        self.pointed = pointed
        best = () if pointed.best is None else (pointed.best,)
        for index in (*pointed.clues, *pointed.settled, *best):
            self.board.show_cell(self.position.grid.cell(index))

    def action_step(self, by: int) -> None:
        """Show another step of the explanation."""
        if self.why_shown is None or not self.why_shown[0].steps:
            self.say("There are no steps to go through: ask why first (Y).")
            return
        explanation, step = self.why_shown
        self.show_why(explanation, min(max(step + by, 0), len(explanation.steps) - 1))


OVERLAYS = {"odds": "Odds of a mine in percent", "certain": "Certain cells", "best": "Best guess"}
