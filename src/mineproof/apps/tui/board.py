"""The widget that shows a position: it draws only the lines on screen, scrolls, and keeps its cursor in view.

It knows nothing of games: it shows a position with an overlay, and reports which cell was pressed and how.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np
from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from mineproof.apps.tui.looks import ASCII, DARK, NOTHING, Overlay, Palette, look
from mineproof.apps.tui.sight import beside_numbers
from mineproof.board.grid import Cell, Grid, column_name
from mineproof.board.position import UNKNOWN

if TYPE_CHECKING:
    from textual import events

OPEN, FLAG, CHORD = "open", "flag", "chord"
BUTTONS = {1: OPEN, 2: CHORD, 3: FLAG}
BOTH = {1, 3}
WIDE, NARROW = 3, 2
"""Widths of a cell, in columns of the terminal."""
HEAD = 1
"""Number of lines above the cells: the names of columns."""
HIDDEN = "P"
"""The symbol of every cell while the game is paused."""


class BoardView(ScrollView, can_focus=True):
    """A position, with a cursor."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,h", "move(0, -1)", show=False),
        Binding("right,l", "move(0, 1)", show=False),
        Binding("up,k", "move(-1, 0)", show=False),
        Binding("down,j", "move(1, 0)", show=False),
        Binding("home", "to_end(0, -1)", show=False),
        Binding("end", "to_end(0, 1)", show=False),
        Binding("ctrl+home", "to_end(-1, -1)", show=False),
        Binding("ctrl+end", "to_end(1, 1)", show=False),
        Binding("pageup", "page(-1)", show=False),
        Binding("pagedown", "page(1)", show=False),
        Binding("full_stop", "unknown(1)", show=False),
        Binding("comma", "unknown(-1)", show=False),
    ]

    class Pressed(Message):
        """A cell was pressed with the mouse."""

        def __init__(self, cell: Cell, how: str) -> None:
            super().__init__()
            self.cell = cell
            self.how = how

    class Moved(Message):
        """The cursor is on another cell."""

    def __init__(self, *, ascii_only: bool = False, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.grid = Grid(1, 1)
        self.symbols = "H"
        self.overlay: Overlay = NOTHING
        self.cursor = Cell(0, 0)
        self.width_of_cell = WIDE
        self.palette: Palette = DARK
        self.ascii_only = ascii_only
        self._held: set[int] = set()  # buttons of the mouse
        self._both = False

    # -- what is shown -------------------------------------------------------------------------------------------

    def show(self, grid: Grid, symbols: str, overlay: Overlay = NOTHING) -> None:
        """Show these symbols, one for each cell, as in a position."""
        if grid != self.grid:
            self.grid = grid
            self.cursor = Cell(min(self.cursor.row, grid.rows - 1), min(self.cursor.col, grid.cols - 1))
            self._resize()
        self.symbols, self.overlay = symbols, overlay
        self.refresh()

    def set_cell_width(self, width: int) -> None:
        """Draw cells of this many columns."""
        if width != self.width_of_cell:
            self.width_of_cell = width
            self._resize()
            self.refresh()

    @property
    def margin(self) -> int:
        """Width of the numbers of the rows, on the left, in columns of the terminal."""
        return len(str(self.grid.rows)) + 2

    def needs(self, width: int) -> Size:
        """Return the room that the whole board takes, with cells of this width."""
        return Size(self.margin + self.grid.cols * width, self.grid.rows + HEAD)

    def _resize(self) -> None:
        self.virtual_size = self.needs(self.width_of_cell)
        self.call_after_refresh(self.show_cursor)

    def render_line(self, y: int) -> Strip:
        """Return a line: the names of the columns, or a row of cells with its number."""
        across, down = self.scroll_offset
        room = max(0, self.size.width - self.margin)
        width = self.width_of_cell
        first = across // width
        columns = range(first, min(self.grid.cols, first + room // width + 2))
        row = y - HEAD + down
        if y < HEAD:
            label, segments = Segment(" " * self.margin, self._label(False)), self._names(columns)
        elif row < self.grid.rows:
            number = f"{row + 1:>{self.margin - 1}} "
            label, segments = Segment(number, self._label(row == self.cursor.row)), self._cells(row, columns)
        else:
            return Strip.blank(self.size.width, self.rich_style)
        cut = across - first * width
        line = Strip.join([Strip([label]), Strip(segments).crop(cut, cut + room)])
        return line.apply_style(self.rich_style)

    def _label(self, current: bool) -> Style:
        return Style.parse(self.palette.here if current else self.palette.label)

    def _names(self, columns: range) -> list[Segment]:
        """Return the names of columns; where they are too long, every other one."""
        width, segments = self.width_of_cell, []
        for col in columns:
            name, style = column_name(col), self._label(col == self.cursor.col)
            if len(name) < width:
                segments.append(Segment(name.rjust(width - 1).ljust(width), style))
            elif col % 2 == 0:
                segments.append(Segment(name[: 2 * width - 1].ljust(2 * width), style))
            elif col == columns.start:
                segments.append(Segment(" " * width, style))
        return segments

    def _cells(self, row: int, columns: range) -> list[Segment]:
        width, style, cols = self.width_of_cell, self.palette.style, self.grid.cols
        segments = []
        for col in columns:
            index = row * cols + col
            symbol = self.symbols[index]
            sign, role = (" ", "H") if symbol == HIDDEN else look(symbol, index, self.overlay)
            if self.ascii_only:
                sign = ASCII.get(sign, sign)
            at_cursor = (row, col) == self.cursor and self.has_focus
            text = sign.rjust(width - 1).ljust(width) if len(sign) == 1 else sign.rjust(width)
            if at_cursor and text == f" {sign} ":
                text = f"[{sign}]"
            segments.append(Segment(text, style("cursor" if at_cursor else role, bool((row + col) % 2))))
        return segments

    # -- the cursor ----------------------------------------------------------------------------------------------

    def go(self, cell: Cell) -> None:
        """Move the cursor to a cell, and show it."""
        self.cursor = cell
        self.show_cursor()
        self.refresh()
        self.post_message(self.Moved())

    def show_cursor(self) -> None:
        """Scroll as far as needed to show the cursor, with its neighbours."""
        self.show_cell(self.cursor)

    def show_cell(self, cell: Cell) -> None:
        """Scroll as far as needed to show a cell, with its neighbours."""
        width = self.width_of_cell
        region = Region(cell.col * width, cell.row, width, 1).grow((1, width, 1, width))
        across, down = self.scroll_offset
        room_x, room_y = self.size.width - self.margin, self.size.height - HEAD
        if room_x <= 0 or room_y <= 0:
            return
        left = min(max(across, region.right - room_x), region.x)
        top = min(max(down, region.bottom - room_y), region.y)
        self.scroll_to(max(0, -(-left // width) * width), max(0, top), animate=False)  # no cell is cut on the left

    def action_move(self, down: int, across: int) -> None:
        """Move the cursor by one cell."""
        row, col = self.cursor.row + down, self.cursor.col + across
        if 0 <= row < self.grid.rows and 0 <= col < self.grid.cols:
            self.go(Cell(row, col))

    def action_to_end(self, down: int, across: int) -> None:
        """Move the cursor to an end of its row, or to a corner."""
        row = self.cursor.row if not down else 0 if down < 0 else self.grid.rows - 1
        self.go(Cell(row, 0 if across < 0 else self.grid.cols - 1))

    def action_page(self, pages: int) -> None:
        """Move the cursor up or down by a screenful."""
        row = self.cursor.row + pages * max(1, self.size.height - HEAD - 1)
        self.go(Cell(min(max(row, 0), self.grid.rows - 1), self.cursor.col))

    def action_unknown(self, by: int) -> None:
        """Move the cursor to the next unknown cell beside a number, or to the previous one."""
        symbols = self.symbols.encode()
        unknown = np.isin(np.frombuffer(symbols, np.uint8), list(UNKNOWN.encode()))
        unknown_beside = np.flatnonzero(unknown & beside_numbers(self.grid, symbols))
        if unknown_beside.size:
            current = self.grid.index(self.cursor)
            next_one = (
                np.searchsorted(unknown_beside, current, "right")
                if by > 0
                else np.searchsorted(unknown_beside, current) - 1
            )
            self.go(self.grid.cell(int(unknown_beside[next_one % unknown_beside.size])))

    # -- the mouse -----------------------------------------------------------------------------------------------

    def cell_at(self, x: int, y: int) -> Cell | None:
        """Return the cell at a place of this widget."""
        if x < self.margin or y < HEAD:
            return None
        across, down = self.scroll_offset
        cell = Cell(y - HEAD + down, (x - self.margin + across) // self.width_of_cell)
        return cell if cell in self.grid else None

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Remember which buttons are held: both together are a chord."""
        self._held.add(event.button)
        self._both |= self._held >= BOTH

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Press the cell where the button is released, as in every Minesweeper."""
        if event.button not in self._held:
            return
        self._held.discard(event.button)
        how = BUTTONS.get(event.button)
        if self._both:
            how = None if self._held else CHORD  # once, when the second is released
            self._both = bool(self._held)
        cell = self.cell_at(event.x, event.y)
        if how is not None and cell is not None:
            self.focus()
            self.go(cell)
            self.post_message(self.Pressed(cell, how))

    def on_leave(self) -> None:
        """Forget which buttons are held: they may be released outside."""
        self._held.clear()
        self._both = False

    def on_focus(self) -> None:
        """Draw again, because only a board with the focus shows its cursor."""
        self.refresh()

    def on_blur(self) -> None:
        """Draw again, because only a board with the focus shows its cursor."""
        self.refresh()
