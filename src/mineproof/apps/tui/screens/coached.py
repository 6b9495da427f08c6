"""A screen whose board can be asked about: overlays of certain cells, odds and the best guess; hints; why."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType

from mineproof.apps.tui import work
from mineproof.apps.tui.coach import of_explanation
from mineproof.apps.tui.looks import NOTHING, Overlay
from mineproof.apps.tui.screens.base import BoardScreen
from mineproof.apps.tui.sight import WHOLE, Sight, hinted, lit, see
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
"""Kinds of questions: overlays, and words."""


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
        """Of odds, certain, best: those that are on."""
        self.sight: Sight | None = None
        """What is to be seen in the present position, if it was looked at."""
        self.pointed: Overlay = NOTHING
        """What the coach points at."""
        self.found_hint: tuple[Hint, int] | None = None
        """The hint for this position, and how many of its parts were shown."""
        self.found_why: tuple[Explanation, int] | None = None
        """The explanation that is shown, and its step."""

    # -- for each screen to fill in ------------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """What is asked about."""
        raise NotImplementedError

    @property
    def seat(self) -> Seat:
        """From where it is asked about."""
        raise NotImplementedError

    def may_ask(self) -> None:
        """Raise an error if help cannot be had now; note that it was had."""

    def note_help(self) -> None:
        """Note that help was had."""

    def draw(self) -> None:
        """Show the board."""
        raise NotImplementedError

    def idle(self) -> None:
        """What the coach says when nothing was asked."""
        raise NotImplementedError

    # -- overlays ------------------------------------------------------------------------------------------------

    @property
    def overlay(self) -> Overlay:
        """All that is shown on top of the position."""
        seen = NOTHING if self.sight is None else self.sight.overlay
        on, point = self.overlays, self.pointed
        return Overlay(
            seen.risks if "odds" in on else {},
            seen.estimated,
            seen.safe if on & {"certain", "odds"} else frozenset(),
            seen.mined if on & {"certain", "odds"} else frozenset(),
            point.best if point.best is not None else seen.best if "best" in on else None,
            point.clues | (seen.clues if on else frozenset()),
            point.settled,
            point.before,
        )

    def changed(self) -> None:
        """The position is another one."""
        self.forget_findings()
        self.idle()
        self.draw()
        self.look()

    def forget_findings(self) -> None:
        """What was found about the position before."""
        work.forget(self, LOOK, ASK)
        self.sight = self.found_hint = self.found_why = None
        self.pointed = NOTHING

    def look(self) -> None:
        """Find what the overlays need."""
        if not self.overlays or self.sight is not None or self.seat.unlaid or self.seat.over:
            return
        self.note_help()
        question = partial(see, self.seat, best="best" in self.overlays, count=self.counts_boards)
        work.ask(self, LOOK, question, self._seen, self.refused)

    counts_boards = False
    """Whether to say how many boards are consistent."""

    def _seen(self, found: Sight) -> None:
        self.sight = found
        if self.found_hint is None and self.found_why is None:
            self.idle()
        self.draw()

    def action_toggle_overlay(self, name: str) -> None:
        """Switch an overlay on or off."""
        try:
            self.may_ask()
        except MineproofError as failure:
            self.refused(failure)
            return
        self.overlays ^= {name}
        self.found_hint = self.found_why = None  # the coach speaks of the overlays now
        if name == "best":
            self.sight = None  # it may have been found without the guess
        if self.seat.unlaid and name in self.overlays:
            self.say(UNLAID)
        else:
            self.say(f"{OVERLAYS[name]}: {'on' if name in self.overlays else 'off'}.")
        self.idle()
        self.draw()
        self.look()

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
        """One more part of the hint."""
        try:
            self.may_ask()
        except MineproofError as failure:
            self.refused(failure)
            return
        if self.found_hint is not None:
            found, shown = self.found_hint
            self._show_hint(found, min(shown + 1, len(found.portions)))
            return
        self.say("Looking for a move …")
        work.ask(self, ASK, self.seat.hint, lambda found: self._show_hint(found, 1), self.refused)

    def _show_hint(self, found: Hint, shown: int) -> None:
        self.found_hint = found, shown
        self.found_why = None
        self.say("")
        if found.explanation is not None and shown >= WHOLE:
            self.show_why(found.explanation, len(found.explanation.steps) - 1)
            return
        self.point_at(hinted(found, shown))
        parts = len(found.portions)
        more = f" ({shown} of {parts}; W: more)" if shown < parts else ""
        self.coach.tell(f"Hint{more}", found.portions[:shown], newest=shown - 1)
        self.draw()

    def action_why(self) -> None:
        """Why the cell at the cursor is safe, or a mine."""
        self.ask_why(self.board.cursor)

    def ask_why(self, cell: Cell) -> None:
        """Why a cell is safe, or a mine."""
        try:
            if self.position[cell] not in CLOSED:
                raise IllegalMove(f"{cell} is open: ask about a closed cell")
            self.may_ask()
        except MineproofError as failure:
            self.refused(failure)
            return
        self.say(f"Why is {cell} …")
        work.ask(self, ASK, partial(self.seat.why, cell), lambda found: self.show_why(found, 0), self.refused)

    def show_why(self, found: Explanation, step: int) -> None:
        """Show an explanation, and light one of its steps."""
        self.found_why = found, step
        self.say("")
        self.point_at(lit(found, step))
        self.coach.tell(*of_explanation(found, step))
        self.draw()

    def point_at(self, pointed: Overlay) -> None:
        """Point at cells; where the board scrolls, they are shown."""
        self.pointed = pointed
        best = () if pointed.best is None else (pointed.best,)
        for index in (*pointed.clues, *pointed.settled, *best):
            self.board.show_cell(self.position.grid.cell(index))

    def action_step(self, by: int) -> None:
        """Another step of the explanation."""
        if self.found_why is None or not self.found_why[0].steps:
            self.say("There are no steps to go through: ask why first (Y).")
            return
        found, step = self.found_why
        self.show_why(found, min(max(step + by, 0), len(found.steps) - 1))


OVERLAYS = {"odds": "Odds of a mine in percent", "certain": "Certain cells", "best": "Best guess"}
