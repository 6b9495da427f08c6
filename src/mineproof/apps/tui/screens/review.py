"""The review of a game, move by move: its marks, its reasons, and the board before each move."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType

from mineproof.apps.tui import work
from mineproof.apps.tui.chart import Chart, worst
from mineproof.apps.tui.coach import of_explanation
from mineproof.apps.tui.looks import NOTHING
from mineproof.apps.tui.screens.base import AROUND, DOT, TALL, BoardScreen
from mineproof.apps.tui.sight import lit
from mineproof.board.render import symbols
from mineproof.hindsight.marks import MoveMark
from mineproof.hindsight.review import review

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from mineproof.apps.tui.board import BoardView
    from mineproof.board.game import Replay
    from mineproof.board.ids import GameId
    from mineproof.errors import MineproofError
    from mineproof.explain.explanation import Explanation
    from mineproof.hindsight.report import Review, Reviewed
    from mineproof.limit import Limit

REVIEW, WORDS = "review", "words"
SECONDS = 20.0
"""For a review."""
PLAIN = (MoveMark.CERTAIN, MoveMark.NOTE, MoveMark.START, MoveMark.UNDO)
"""Marks that `,` and `.` pass over."""
TALLEST = 5
"""Lines of the chart, at most."""


class ReviewScreen(BoardScreen):
    """A played game and what its moves were worth."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,h,up,k", "turn(-1)", "Back", key_display="←", priority=True),
        Binding("right,l,down,j", "turn(1)", "Next", key_display="→", priority=True),
        Binding("home", "to(0)", show=False, priority=True),
        Binding("end", "to(-1)", show=False, priority=True),
        Binding("comma", "guess(-1)", show=False, priority=True),
        Binding("full_stop", "guess(1)", "Guesses", key_display=", .", priority=True),
        Binding("pageup", "words(-1)", show=False, priority=True),
        Binding("pagedown", "words(1)", show=False, priority=True),
        Binding("w", "worst", "Worst"),
        Binding("y", "why", "Why"),
        Binding("less_than_sign,left_square_bracket", "step(-1)", show=False),
        Binding("greater_than_sign,right_square_bracket", "step(1)", show=False),
        Binding("e", "analyse", "Analyse"),
        Binding("escape,v,n", "close", "Close"),
    ]

    def __init__(self, replay: Replay) -> None:
        super().__init__()
        self.replay = replay
        self.positions = list(replay.positions())
        self.layout_shown = replay.game().layout if replay.game().over else None
        self.number = len(replay.moves)
        """Moves that were played on the board that is shown."""
        self.found: Review | None = None
        self.found_why: Explanation | None = None
        """The reason that is shown, and its step."""
        self.step = 0

    def more(self) -> ComposeResult:
        """The chart."""
        yield Chart(id="chart")

    def share_room(self) -> None:
        """The chart has the lines that board and coach do not need, but at least one."""
        self.lines_of_more = 1
        super().share_room()
        coach = 0 if self.has_class("beside") else TALL
        spare = self.size.height - AROUND - self.board.needs(self.board.width_of_cell).height - coach
        self.lines_of_more = min(max(spare, 1), TALLEST)
        self.query_one(Chart).styles.height = self.lines_of_more
        super().share_room()

    def on_mount(self) -> None:
        """Review it."""
        super().on_mount()
        self.turn_to(self.number)
        self.say("Reviewing …")
        work.ask(self, REVIEW, self._question, self._reviewed, self._refused, SECONDS)

    def _question(self, limit: Limit) -> Review:
        return review(self.replay, limit, progress=self._progress)

    def _progress(self, done: int, total: int) -> None:
        """Called in the thread that reviews."""
        self.mine.call_later(self._show_progress, done, total)

    def _show_progress(self, done: int, total: int) -> None:
        if self.found is None:
            self.say(f"Reviewing: {done} of {total} …")

    def _reviewed(self, found: Review) -> None:
        self.found = found
        self.turn_to(self.number)
        self.say("W: the worst moves   , and .: all guesses   click on the chart: that move")

    def _refused(self, failure: MineproofError) -> None:
        self.say(f"{failure}.")

    # -- moves ---------------------------------------------------------------------------------------------------

    def turn_to(self, number: int) -> None:
        """Show the game after this many moves."""
        self.found_why = None
        self.number = min(max(number, 0), len(self.replay.moves))
        work.forget(self, WORDS)
        if self.found is not None:
            self.say("")
        position = self.positions[self.number]
        last = self.number == len(self.replay.moves)
        self.show_board(position.grid, symbols(position, self.layout_shown if last else None), NOTHING)
        move = self.replay.moves[self.number - 1] if self.number else None
        if move is not None and move.cell is not None:
            self.board.go(move.cell)
        self.head(f"Review{DOT}{short(self.replay.id)}", f"move {self.number} of {len(self.replay.moves)}")
        self.query_one(Chart).show(self.found, self.number)
        told = self.told
        if told is None or self.found is None:
            self.coach.tell("The start" if move is None else f"{self.number}. {move}", [])
            return
        self._tell(told, "…" if told.mark not in PLAIN else told.text())
        if told.mark not in PLAIN:  # its words may need a proof
            work.ask(self, WORDS, told.text, partial(self._tell, told), self._refused)

    @property
    def told(self) -> Reviewed | None:
        """What is known of the last move shown."""
        return None if self.found is None or not self.number else self.found.moves[self.number - 1]

    def _tell(self, told: Reviewed, text: str) -> None:
        assert self.found is not None
        foot = "Y: why, on the board" if told.mark is MoveMark.NEEDLESS or told.wrong is not None else ""
        summary = str(self.found.summary).splitlines() if self.number == len(self.replay.moves) else []
        said = [*summary, text]
        self.coach.tell(f"{told.number}. {told.move}: {told.mark}", said, foot)

    def action_turn(self, by: int) -> None:
        """A move further, or back."""
        self.turn_to(self.number + by)

    def action_to(self, end: int) -> None:
        """To the start, or to the end."""
        self.turn_to(len(self.replay.moves) if end else 0)

    def action_guess(self, by: int) -> None:
        """To the next guess or mistake, or to the one before."""
        if self.found is None:
            return
        some = [told.number for told in self.found.moves if told.mark not in PLAIN]
        ahead = [number for number in some if (number - self.number) * by > 0]
        if ahead:
            self.turn_to(ahead[0] if by > 0 else ahead[-1])
        else:
            self.say("There is no further guess or mistake.")

    def action_worst(self) -> None:
        """To the worst move; from there, to the next in order of cost."""
        if self.found is None:
            return
        some = worst(self.found)
        if not some:
            self.say("No move was a mistake, a needless guess or a poor one.")
            return
        place = some.index(self.number) + 1 if self.number in some else 0
        self.turn_to(some[place % len(some)])
        self.say(f"Bad move {place % len(some) + 1} of {len(some)}, the costliest first. W: the next.")

    def on_chart_chosen(self, event: Chart.Chosen) -> None:
        """A click on the chart."""
        self.turn_to(event.number)

    # -- more ----------------------------------------------------------------------------------------------------

    def action_why(self) -> None:
        """The reason for the better move, on the board before this one."""
        told = self.told
        if told is None or (told.mark is not MoveMark.NEEDLESS and told.wrong is None):
            self.say("There is nothing to explain: no certain move was missed here.")
            return
        work.ask(self, WORDS, told.why, self._show_why, self._refused)

    def _show_why(self, found: Explanation | None) -> None:
        if found is None:
            self.say("It was seen before it was taken back.")
            return
        self.found_why = found
        self._show_step(0)
        self.say("The position before the move; ← → goes on.")

    def _show_step(self, step: int) -> None:
        found = self.found_why
        assert found is not None
        self.step = min(max(step, 0), len(found.steps) - 1)
        position = found.position
        self.show_board(position.grid, position.cells.decode(), lit(found, self.step))
        self.board.go(found.cell)
        self.coach.tell(*of_explanation(found, self.step))

    def action_step(self, by: int) -> None:
        """Another step of the reason."""
        if self.found_why is None:
            self.say("There are no steps to go through: ask why first (Y).")
        else:
            self._show_step(self.step + by)

    def action_analyse(self) -> None:
        """Edit the position that is shown."""
        found = self.found_why
        self.mine.analyse(self.positions[self.number] if found is None else found.position, self.board.cursor)

    def on_board_view_pressed(self, event: BoardView.Pressed) -> None:
        """A click on an open cell goes to the move that opened it."""
        index = event.cell.row * self.board.grid.cols + event.cell.col
        for number, position in enumerate(self.positions):
            if number and position.cells[index] != self.positions[0].cells[index]:
                self.turn_to(number)
                return

    def action_close(self) -> None:
        """Back."""
        self.dismiss(None)


def short(game_id: GameId) -> str:
    """The id of a game, without its mines.

    >>> from mineproof.board.ids import GameId
    >>> short(GameId.parse("4x3x1/any=200")), short(GameId.parse("expert/safe#42"))
    ('4x3x1/any', 'expert/safe#42')
    """
    return str(game_id).partition("=")[0]
