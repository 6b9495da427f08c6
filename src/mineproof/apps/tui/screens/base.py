"""A screen with a board: a line above it, the coach beside or below it, a message and the keys, fitted together."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, NamedTuple

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.screen import Screen
from textual.widgets import Footer, Static

from mineproof.apps.tui.board import NARROW, WIDE, BoardView
from mineproof.apps.tui.coach import Coach

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult
    from textual.geometry import Size

    from mineproof.apps.tui.app import MineproofApp
    from mineproof.apps.tui.looks import Overlay
    from mineproof.board.grid import Grid

FRAME_LINES = 3
"""The number of lines for the heading, the message and the keys."""
COACH_COLUMNS, LEAST_COLUMNS = 36, 28
"""The width that a coach beside the board should have, and must have."""
COACH_LINES, LEAST_LINES = 8, 3
"""The height that a coach below the board should have, and must have."""
DOT = "  ·  "


class Fit(NamedTuple):
    """How the board and the coach share a screen."""

    cell_width: int
    beside: bool


def fit(screen: Size, wide: Size, narrow: Size) -> Fit:
    """Wide cells if they fit, and the coach where it has more room.

    >>> from textual.geometry import Size
    >>> fit(Size(80, 24), Size(52, 17), Size(36, 17)), fit(Size(80, 24), Size(94, 17), Size(64, 17))
    (Fit(cell_width=3, beside=True), Fit(cell_width=2, beside=False))
    """
    lines = screen.height - FRAME_LINES
    for width, board in ((WIDE, wide), (NARROW, narrow)):
        if board.height > lines:
            continue
        beside, below = screen.width - board.width, lines - board.height
        if beside >= COACH_COLUMNS:
            return Fit(width, True)
        if beside >= 0 and below >= COACH_LINES:
            return Fit(width, False)
        if beside >= LEAST_COLUMNS:
            return Fit(width, True)
    for width, board in ((WIDE, wide), (NARROW, narrow)):
        if board.width <= screen.width and lines - board.height >= LEAST_LINES:
            return Fit(width, False)
    if screen.width - wide.width >= COACH_COLUMNS:
        return Fit(WIDE, True)
    return Fit(NARROW, screen.width - narrow.width >= LEAST_COLUMNS)


class BoardScreen(Screen[None]):
    """A screen with a board."""

    app: MineproofApp

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("shift+up", "words(-1)", show=False, priority=True),
        Binding("shift+down", "words(1)", show=False, priority=True),
    ]

    def compose(self) -> ComposeResult:
        """Make the widgets, from top to bottom."""
        yield Static(id="head")
        with Container(id="middle"):
            yield BoardView(id="board", ascii_only=self.app.ascii_only)
            yield Coach(id="coach")
        yield from self.more()
        yield Static(id="message")
        yield Footer(show_command_palette=False, compact=True)

    def more(self) -> ComposeResult:
        """Return what a screen has between the board and the message."""
        yield from ()

    lines_of_more = 0
    """The number of lines that `more` takes."""

    @property
    def board(self) -> BoardView:
        """The board."""
        return self.query_one(BoardView)

    @property
    def coach(self) -> Coach:
        """The panel of text."""
        return self.query_one(Coach)

    def on_mount(self) -> None:
        """Set the colours of the theme, and send keys to the board."""
        self.board.palette = self.app.palette
        self.board.focus()

    def on_resize(self, _event: events.Resize) -> None:
        """Fit board and coach into the new size."""
        self.share_room()

    def share_room(self) -> None:
        """Fit board and coach into the screen."""
        board = self.board
        size = self.size - (0, self.lines_of_more)
        layout = fit(size, board.needs(WIDE), board.needs(NARROW))
        board.set_cell_width(layout.cell_width)
        self.set_class(layout.beside, "beside")
        room = size - (LEAST_COLUMNS, FRAME_LINES) if layout.beside else size - (0, FRAME_LINES + LEAST_LINES)
        needed = board.needs(layout.cell_width)
        scrolls_down = needed.height > room.height
        scrolls = needed.width + scrolls_down > room.width  # the bar of one takes room from the other
        scrolls_down |= needed.height + scrolls > room.height
        board.styles.width = min(needed.width + scrolls_down, room.width)
        board.styles.height = min(needed.height + scrolls, room.height)
        board.call_after_refresh(board.show_cursor)

    def show_board(self, grid: Grid, symbols: str, overlay: Overlay) -> None:
        """Show a position."""
        new = grid != self.board.grid
        self.board.show(grid, symbols, overlay)
        if new:
            self.share_room()

    def action_words(self, pages: int) -> None:
        """Scroll the text of the coach, down or up."""
        self.coach.scroll_relative(y=pages * max(1, self.coach.size.height - 1), animate=False)

    def head(self, left: str, right: str) -> None:
        """Write the line above the board; where it is too long, without the name of the app."""
        if len(left) + len(right) + 3 > self.size.width:
            left = left.rpartition(DOT)[2]
        room = max(1, self.size.width - len(left) - len(right) - 2)
        line = Text(f" {left}{' ' * room}{right} ", no_wrap=True)
        self.query_one("#head", Static).update(line)

    def say(self, message: str) -> None:
        """Write the line below the board."""
        self.message = message
        self.query_one("#message", Static).update(Text(f" {message}"))

    message = ""
    """The text of the line below the board."""
