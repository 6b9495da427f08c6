"""The list of keys. It is the one place that describes them; a test compares it with the keys that there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.table import Table
from rich.text import Text

from mineproof.apps.tui.screens.dialogs import Page

if TYPE_CHECKING:
    from rich.console import RenderableType

WIDTH = 15
"""Width of the column of keys."""
KEYS = (
    (
        "On the board",
        (
            ("arrows, h j k l", "move; Home and End, Page up and down: further"),
            (". ,", "next and previous unknown cell beside a number"),
            ("Enter, space", "open; on a number, open the rest around it"),
            ("F", "flag; in a game that has them, then a question mark"),
            ("C", "chord: open the rest around a number that has its flags"),
            ("mouse", "left opens, right flags, middle or both buttons chord"),
            ("M", "flag mode: the left button flags"),
        ),
    ),
    (
        "The game",
        (
            ("N", "new game: level, size, rules, no guess, seed or id"),
            ("R", "same board again"),
            ("U", "undo, even a move that lost the game"),
            ("P", "pause: stops the clock and hides the board"),
            ("D", "best times"),
            ("V", "games: continue one, or review it"),
            ("Ctrl+S, Ctrl+O", "save to a file; open a game, a board or a position"),
        ),
    ),
    (
        "Help",
        (
            ("W", "hint: one more part each time"),
            ("Y", "why is this cell safe, or a mine?"),
            ("< >", "step of an explanation; [ and ] do the same"),
            ("Shift+↑ ↓", "scroll the words"),
            ("O", "odds: the risk of each cell in percent"),
            ("S", "certain cells: ✓ safe, ✗ mine"),
            ("B", "best guess, where nothing is certain"),
            ("A", "the agent takes one step; twice, if it must guess"),
            ("G", "the agent goes on, until it would have to guess"),
            ("X", "choose the agent"),
            ("Escape", "stop the agent; clear what is shown"),
        ),
    ),
    (
        "The app",
        (
            ("E", "analyse and edit the position"),
            ("T", "theme"),
            ("?", "this list"),
            ("Q, Ctrl+C", "leave; the game is kept, and continues next time"),
        ),
    ),
    (
        "While editing a position",
        (
            ("0 … 8", "a number"),
            ("H F Q S *", "hidden, flag, question mark, named safe, mine"),
            ("mouse", "left paints the same again, right hides"),
            ("+ −", "mines on the board"),
            ("N", "an empty board of another size"),
            ("U", "undo"),
            ("C", "count and odds on or off"),
            ("paste", "a position in any format"),
        ),
    ),
    (
        "In a review",
        (
            ("← →", "previous, next move; Home and End"),
            (", .", "previous, next guess or mistake"),
            ("W", "worst move; again: the next in order of cost"),
            ("mouse", "the chart: go to a move; the board: the move that opened a cell"),
            ("Y", "the reason for the better move, on the board"),
            ("Page up, down", "scroll the words"),
        ),
    ),
)


def keys_page() -> Page:
    """Return the list of keys."""
    parts: list[RenderableType] = []
    for title, rows in KEYS:
        table = Table.grid(padding=(0, 1))
        table.add_column(no_wrap=True, width=WIDTH)
        table.add_column()
        for key, effect in rows:
            table.add_row(Text(key, "bold"), effect)
        parts += [Text(title, "bold underline"), table, ""]
    return Page("Keys", Group(*parts[:-1]))
