"""The review of a game, move by move: its marks, its reasons, and the board before each move."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType

from mineproof.apps.tui import work
from mineproof.apps.tui.chart import Chart, worst
from mineproof.apps.tui.coach import of_explanation
from mineproof.apps.tui.looks import NOTHING
from mineproof.apps.tui.screens.base import COACH_LINES, DOT, FRAME_LINES, BoardScreen
from mineproof.apps.tui.sight import step_overlay
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
"""Time limit of a review, in seconds."""
PLAIN = (MoveMark.CERTAIN, MoveMark.NOTE, MoveMark.START, MoveMark.UNDO)
"""Marks that `,` and `.` pass over."""
TALLEST = 5
"""Greatest height of the chart, in lines."""


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
        """The number of moves that were played on the board that is shown."""
        self.review: Review | None = None
        self.why_shown: Explanation | None = None
        """The explanation that is shown; `step` is the number of its highlighted step."""
        self.step = 0

    def more(self) -> ComposeResult:
        """Make the chart."""
        yield Chart(id="chart")

    def share_room(self) -> None:
        """Give the chart the lines that board and coach do not need, but at least one."""
        self.lines_of_more = 1
        super().share_room()
        coach = 0 if self.has_class("beside") else COACH_LINES
        spare = self.size.height - FRAME_LINES - self.board.needs(self.board.width_of_cell).height - coach
        self.lines_of_more = min(max(spare, 1), TALLEST)
        self.query_one(Chart).styles.height = self.lines_of_more
        super().share_room()

    def on_mount(self) -> None:
        """Show the end of the game, and review it."""
        super().on_mount()
        self.turn_to(self.number)
        self.say("Reviewing …")
        work.ask(self, REVIEW, self._question, self._show_review, self._refused, SECONDS)

    def _question(self, limit: Limit) -> Review:
        return review(self.replay, limit, progress=self._progress)

    def _progress(self, done: int, total: int) -> None:
        """Report progress, from the thread that reviews."""
        self.app.call_later(self._show_progress, done, total)

    def _show_progress(self, done: int, total: int) -> None:
        if self.review is None:
            self.say(f"Reviewing: {done} of {total} …")

    def _show_review(self, game_review: Review) -> None:
        self.review = game_review
        self.turn_to(self.number)
        self.say("W: the worst moves   , and .: all guesses   click on the chart: that move")

    def _refused(self, failure: MineproofError) -> None:
        self.say(f"{failure}.")

    # -- moves ---------------------------------------------------------------------------------------------------

    def turn_to(self, number: int) -> None:
        """Show the game after this many moves."""
        self.why_shown = None
        self.number = min(max(number, 0), len(self.replay.moves))
        work.forget(self, WORDS)
        if self.review is not None:
            self.say("")
        position = self.positions[self.number]
        last = self.number == len(self.replay.moves)
        self.show_board(position.grid, symbols(position, self.layout_shown if last else None), NOTHING)
        move = self.replay.moves[self.number - 1] if self.number else None
        if move is not None and move.cell is not None:
            self.board.go(move.cell)
        self.head(f"Review{DOT}{short(self.replay.id)}", f"move {self.number} of {len(self.replay.moves)}")
        self.query_one(Chart).show(self.review, self.number)
        reviewed = self.reviewed
        if reviewed is None or self.review is None:
            self.coach.tell("The start" if move is None else f"{self.number}. {move}", [])
            return
        self._tell(reviewed, "…" if reviewed.mark not in PLAIN else reviewed.text())
        if reviewed.mark not in PLAIN:  # its words may need a proof
            work.ask(self, WORDS, reviewed.text, partial(self._tell, reviewed), self._refused)

    @property
    def reviewed(self) -> Reviewed | None:
        """The review of the last move that was played on the board that is shown."""
        return None if self.review is None or not self.number else self.review.moves[self.number - 1]

    def _tell(self, reviewed: Reviewed, text: str) -> None:
        assert self.review is not None
        foot = "Y: why, on the board" if reviewed.mark is MoveMark.NEEDLESS or reviewed.wrong is not None else ""
        summary = str(self.review.summary).splitlines() if self.number == len(self.replay.moves) else []
        paragraphs = [*summary, text]
        self.coach.tell(f"{reviewed.number}. {reviewed.move}: {reviewed.mark}", paragraphs, foot)

    def action_turn(self, by: int) -> None:
        """Go a move further, or back."""
        self.turn_to(self.number + by)

    def action_to(self, end: int) -> None:
        """Go to the start, or to the end."""
        self.turn_to(len(self.replay.moves) if end else 0)

    def action_guess(self, by: int) -> None:
        """Go to the next guess or mistake, or to the previous one."""
        if self.review is None:
            return
        numbers = [move.number for move in self.review.moves if move.mark not in PLAIN]
        ahead = [number for number in numbers if (number - self.number) * by > 0]
        if ahead:
            self.turn_to(ahead[0] if by > 0 else ahead[-1])
        else:
            self.say("There is no further guess or mistake.")

    def action_worst(self) -> None:
        """Go to the worst move, and from there to the next in order of cost."""
        if self.review is None:
            return
        numbers = worst(self.review)
        if not numbers:
            self.say("No move was a mistake, a needless guess or a poor one.")
            return
        place = numbers.index(self.number) + 1 if self.number in numbers else 0
        self.turn_to(numbers[place % len(numbers)])
        self.say(f"Bad move {place % len(numbers) + 1} of {len(numbers)}, the costliest first. W: the next.")

    def on_chart_chosen(self, event: Chart.Chosen) -> None:
        """Go to the move that was clicked on the chart."""
        self.turn_to(event.number)

    # -- more ----------------------------------------------------------------------------------------------------

    def action_why(self) -> None:
        """Show the reason for the better move, on the board before this one."""
        reviewed = self.reviewed
        if reviewed is None or (reviewed.mark is not MoveMark.NEEDLESS and reviewed.wrong is None):
            self.say("There is nothing to explain: no certain move was missed here.")
            return
        work.ask(self, WORDS, reviewed.why, self._show_why, self._refused)

    def _show_why(self, explanation: Explanation | None) -> None:
        if explanation is None:
            self.say("It was seen before it was taken back.")
            return
        self.why_shown = explanation
        self._show_step(0)
        self.say("The position before the move; ← → goes on.")

    def _show_step(self, step: int) -> None:
        explanation = self.why_shown
        assert explanation is not None
        self.step = min(max(step, 0), len(explanation.steps) - 1)
        position = explanation.position
        self.show_board(position.grid, position.cells.decode(), step_overlay(explanation, self.step))
        self.board.go(explanation.cell)
        self.coach.tell(*of_explanation(explanation, self.step))

    def action_step(self, by: int) -> None:
        """Show another step of the explanation."""
        if self.why_shown is None:
            self.say("There are no steps to go through: ask why first (Y).")
        else:
            self._show_step(self.step + by)

    def action_analyse(self) -> None:
        """Edit the position that is shown."""
        explanation = self.why_shown
        self.app.analyse(
            self.positions[self.number] if explanation is None else explanation.position, self.board.cursor
        )

    def on_board_view_pressed(self, event: BoardView.Pressed) -> None:
        """Go to the move that opened the cell."""
        index = event.cell.row * self.board.grid.cols + event.cell.col
        for number, position in enumerate(self.positions):
            if number and position.cells[index] != self.positions[0].cells[index]:
                self.turn_to(number)
                return

    def action_close(self) -> None:
        """Go back to the game."""
        self.dismiss(None)


def short(game_id: GameId) -> str:
    """Return the id of a game, without its mines.

    >>> from mineproof.board.ids import GameId
    >>> short(GameId.parse("4x3x1/any=200")), short(GameId.parse("expert/safe#42"))
    ('4x3x1/any', 'expert/safe#42')
    """
    return str(game_id).partition("=")[0]
