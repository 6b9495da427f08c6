"""The chart of a review: the winning chance after each move, the guesses and the bad moves, and where we are.

Where no winning chance is known, the risk of each move is shown instead.
"""

from __future__ import annotations

from itertools import pairwise
from math import ceil
from typing import TYPE_CHECKING, NamedTuple, cast

from rich.style import Style
from rich.text import Text
from textual.message import Message
from textual.widget import Widget

from mineproof.apps.tui.looks import ASCII, MINED
from mineproof.hindsight.marks import GUESSES, MoveMark

if TYPE_CHECKING:
    from textual import events

    from mineproof.apps.tui.app import MineproofApp
    from mineproof.hindsight.report import Review

BARS = " ▁▂▃▄▅▆▇█"
PLAIN_BARS = str.maketrans(BARS, " .,-~=+*#")
LABEL = 14
"""Columns on the left: what is shown, and its scale."""
WIDEST = 4
"""Columns for a move, at most."""
BAD = (MoveMark.MISTAKE, MoveMark.NEEDLESS, MoveMark.POOR)
GUESS, HERE = "?", "▲"


class Curve(NamedTuple):
    """What a chart shows: a value after each number of moves, from 0 on."""

    name: str
    values: list[float]

    @property
    def top(self) -> float:
        """The end of its scale: a multiple of 20 %."""
        return min(1.0, max(0.2, ceil(5 * max(self.values)) / 5))


def curve(found: Review) -> Curve:
    """The winning chances of a review; without any, the risks.

    Certain moves do not change the winning chance, so it is known between guesses, too.

    >>> from mineproof import Game, Layout, review
    >>> game = Game(Layout.parse("4x2x2=50"))
    >>> for move in ("open A1", "open B2", "open D2"):
    ...     changed = game.play(move)
    >>> curve(review(game)).name, [round(value, 2) for value in curve(review(game)).values]
    ('chance', [0.33, 0.33, 0.5, 1.0])
    >>> curve(review(game, playouts=0)).name
    'risk'
    """
    end = found.summary.end
    if end is None or all(told.before is None for told in found.moves):
        return Curve("risk", [0.0, *(told.risk or 0.0 for told in found.moves)])
    ahead, values = end.value, []
    for told in reversed(found.moves):
        values.append(0.0 if told.mines else ahead)
        if told.before is not None:
            ahead = told.before.value
    return Curve("chance", [ahead, *reversed(values)])


def worst(found: Review) -> list[int]:
    """The numbers of the bad moves, the costliest first.

    >>> from mineproof import Game, Layout, review
    >>> game = Game(Layout.parse("4x2x2=50"))
    >>> for move in ("open A1", "open B2", "open D2"):
    ...     changed = game.play(move)
    >>> worst(review(game))
    [3]
    """
    bad = [told for told in found.moves if told.mark in BAD]
    bad.sort(key=lambda told: told.cost.value if told.cost is not None else told.risk or 0.0, reverse=True)
    return [told.number for told in bad]


class Chart(Widget):
    """The chart. A click on it chooses a move."""

    class Chosen(Message):
        """A move was chosen with the mouse."""

        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

    found: Review | None = None
    here = 0
    """Moves that were played on the board that is shown."""

    def show(self, found: Review | None, here: int) -> None:
        """Show this review, and where we are in it."""
        self.found, self.here = found, here
        self.refresh()

    def columns(self) -> list[range]:
        """The numbers of moves that each column stands for."""
        count = 1 if self.found is None else len(self.found.moves) + 1
        room = max(1, min(self.size.width - LABEL - 1, WIDEST * count))
        starts = [column * count // room for column in range(room + 1)]
        return [range(start, max(start + 1, end)) for start, end in pairwise(starts)]

    def render(self) -> Text:
        """Bars, and below them the signs of moves; in a single line, signs instead of bars."""
        if self.found is None:
            return Text()
        shown, columns, height = curve(self.found), self.columns(), self.size.height
        most = min if shown.name == "chance" else max  # of several moves, the worst
        shares = [most(shown.values[number] for number in numbers) / shown.top for numbers in columns]
        bars = max(1, height - 1)
        scale = [f"{shown.name} {100 * shown.top:.0f} %", *[""] * (bars - 2), "0 %"] if bars > 1 else [shown.name]
        labels = [*scale, ""]
        picture = Text(no_wrap=True)
        for line in range(height):
            picture.append(f"{labels[line]:>{LABEL - 1}} ", self._style("label"))
            for column, (numbers, share) in enumerate(zip(columns, shares, strict=True)):
                first = column == 0 or columns[column - 1] != numbers
                here = self.here in numbers
                sign, role = self._sign(numbers) if first else (" ", "")
                if line < bars and (sign == " " or height > 1):
                    eighths = round(8 * (share * bars - (bars - 1 - line)))
                    sign, role = BARS[min(max(eighths, 0), 8)], "here" if here else "bar"
                picture.append(self._drawn(sign), self._style("cursor" if here and line == height - 1 else role))
            picture.append("\n")
        return picture

    def _sign(self, numbers: range) -> tuple[str, str]:
        assert self.found is not None
        marks = {self.found.moves[number - 1].mark for number in numbers if number}
        if marks & {*BAD}:
            return MINED, "bad"
        if marks & {*GUESSES}:
            return GUESS, "guess"
        return (HERE if self.here in numbers and self.size.height > 1 else " "), ""

    def _drawn(self, sign: str) -> str:
        return ASCII.get(sign, sign).translate(PLAIN_BARS) if self.mine.ascii_only else sign

    def _style(self, role: str) -> Style:
        palette = self.mine.palette
        styles = {
            "label": palette.label, "here": palette.here, "cursor": palette.cursor, "bar": palette.roles["1"],
            "bad": palette.roles["mine"], "guess": palette.roles["Q"],
        }  # fmt: skip
        return Style.parse(styles.get(role, "none"))

    @property
    def mine(self) -> MineproofApp:
        """The app, by its own type."""
        return cast("MineproofApp", self.app)

    def on_click(self, event: events.Click) -> None:
        """Choose the move of this column; of several, the worst."""
        columns = self.columns()
        if self.found is not None and LABEL <= event.x < LABEL + len(columns):
            numbers = columns[event.x - LABEL]
            bad = [number for number in worst(self.found) if number in numbers]
            self.post_message(self.Chosen((bad or numbers)[0]))
