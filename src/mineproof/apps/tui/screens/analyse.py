"""The screen on which any position can be edited and analysed."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType

from mineproof.apps.tui.board import FLAG, BoardView
from mineproof.apps.tui.screens.base import DOT
from mineproof.apps.tui.screens.coached import CoachedScreen
from mineproof.apps.tui.screens.dialogs import Prompt
from mineproof.board.formats import as_position, read_bytes
from mineproof.board.grid import Grid
from mineproof.board.level import Level
from mineproof.board.position import Position
from mineproof.errors import InvalidBoard, MineproofError
from mineproof.seat.seat import Seat

if TYPE_CHECKING:
    from textual import events

    from mineproof.board.grid import Cell

BRUSHES = {**{str(n): str(n) for n in range(9)}, "h": "H", "f": "F", "q": "Q", "s": "S", "asterisk": "*"}
"""The symbol that a key paints."""


class AnalyseScreen(CoachedScreen):
    """A position that can be edited. What follows from it is shown after every change."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(key, f"paint('{symbol}')", show=False, priority=True) for key, symbol in BRUSHES.items()),
        Binding("u", "undo", "Undo"),
        Binding("n", "new", "Empty"),
        Binding("plus,equals_sign", "mines(1)", "Mine +"),
        Binding("minus", "mines(-1)", "Mine −"),
        Binding("c", "toggle_overlay('odds')", show=False),
        Binding("b", "toggle_overlay('best')", "Best"),
        Binding("ctrl+s", "app.save", show=False),
        Binding("ctrl+o", "app.load", show=False),
        Binding("e,escape", "close", "Close"),
    ]
    counts_boards = True

    def __init__(self, position: Position, cursor: Cell | None = None) -> None:
        super().__init__()
        self._position = position
        self._seat = Seat(position)
        self._before: list[Position] = []
        self._cursor = cursor
        self.brush = "H"
        self.overlays = {"odds"}

    @property
    def position(self) -> Position:
        """The position that is edited."""
        return self._position

    @property
    def seat(self) -> Seat:
        """The seat from which the position is asked about."""
        if self._seat.position != self._position:
            self._seat = Seat(self._position)
        return self._seat

    def on_mount(self) -> None:
        """Show and analyse the position."""
        super().on_mount()
        self.draw()
        if self._cursor is not None and self._cursor in self._position.grid:
            self.board.go(self._cursor)
        self.changed()
        self.say("0 to 8, H, F, Q, S and * paint a cell; paste any position; ? lists the keys.")

    def draw(self) -> None:
        """Show the position."""
        position = self._position
        self.show_board(position.grid, position.cells.decode(), self.overlay)
        self.head(f"Analyse{DOT}{position.grid}x{position.mines}", f"brush {self.brush}   mines {position.mines}")

    def idle(self) -> None:
        """Say what follows from the position."""
        if not self.overlays:
            self.coach.tell("Analysis", ["O: odds and certain cells."])
        else:
            self.coach.tell("Analysis", ["…"] if self.sight is None else self.sight.lines)

    # -- changes -------------------------------------------------------------------------------------------------

    def put(self, position: Position) -> None:
        """Edit this position from now on."""
        if position != self._position:
            self._before.append(self._position)
            self._position = position
            self.changed()

    def action_paint(self, symbol: str) -> None:
        """Set the cell at the cursor."""
        self.brush = symbol
        self.put(self._position.with_symbol(self.board.cursor, symbol))
        self.draw()

    def on_board_view_pressed(self, event: BoardView.Pressed) -> None:
        """Paint a cell with what was painted last, or hide it with the right button."""
        self.put(self._position.with_symbol(event.cell, "H" if event.how == FLAG else self.brush))

    def action_undo(self) -> None:
        """Take a change back."""
        if not self._before:
            self.say("There is nothing to take back.")
            return
        self._position = self._before.pop()
        self.changed()

    def action_mines(self, by: int) -> None:
        """Change the number of mines on the board by 1 or -1."""
        try:
            self.put(Position(self._position.grid, self._position.mines + by, self._position.cells))
        except InvalidBoard as failure:
            self.refused(failure)

    def action_new(self) -> None:
        """Ask for a size, and edit an empty board."""

        def sized(text: str | None) -> None:
            if text is None:
                return
            try:
                level = Level.parse(text)
                if level.mines is None:
                    raise InvalidBoard("a position has a number of mines")
                self.put(Position.blank(Grid(level.rows, level.cols), level.mines))
            except MineproofError as failure:
                self.refused(failure)

        self.app.push_screen(Prompt("An empty board of which size?", "", "9x9x10, or expert"), sized)

    def on_paste(self, event: events.Paste) -> None:
        """Edit the position that was pasted, in any format."""
        event.stop()
        try:
            self.put(as_position(read_bytes(event.text.encode("utf-8", "surrogatepass"))))
            self.say("Pasted.")
        except MineproofError as failure:
            self.refused(failure)

    def action_close(self) -> None:
        """Go back to the game."""
        self.dismiss(None)
