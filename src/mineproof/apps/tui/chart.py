"""The chart of a review: the winning chance after each move, the guesses and the bad moves, and the move shown.

Where no winning chance is known, the risk of each move is shown instead.
"""

from __future__ import annotations

from itertools import pairwise
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

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
"""Width of the labels on the left, in columns of the terminal."""
WIDEST = 4
"""Greatest width of one move, in columns of the terminal."""
BAD = (MoveMark.MISTAKE, MoveMark.NEEDLESS, MoveMark.POOR)
GUESS, CURRENT = "?", "▲"
"""Signs below the bars: of a guess, and of the move that is shown."""


class Curve(NamedTuple):
    """What a chart shows: a value after each number of moves, from 0 on."""

    name: str
    values: list[float]

    @property
    def top(self) -> float:
        """The end of its scale: a multiple of 20 %."""
        return min(1.0, max(0.2, ceil(5 * max(self.values)) / 5))


def curve(review: Review) -> Curve:
    """Return the winning chances of a review; without any, the risks.

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
    end = review.summary.end
    if end is None or all(move.before is None for move in review.moves):
        return Curve("risk", [0.0, *(move.risk or 0.0 for move in review.moves)])
    ahead, values = end.value, []
    for move in reversed(review.moves):
        values.append(0.0 if move.mines else ahead)
        if move.before is not None:
            ahead = move.before.value
    return Curve("chance", [ahead, *reversed(values)])


def worst(review: Review) -> list[int]:
    """Return the numbers of the bad moves, the costliest first.

    >>> from mineproof import Game, Layout, review
    >>> game = Game(Layout.parse("4x2x2=50"))
    >>> for move in ("open A1", "open B2", "open D2"):
    ...     changed = game.play(move)
    >>> worst(review(game))
    [3]
    """
    bad = [move for move in review.moves if move.mark in BAD]
    bad.sort(key=lambda move: move.cost.value if move.cost is not None else move.risk or 0.0, reverse=True)
    return [move.number for move in bad]


class Chart(Widget):
    """The chart. A click on it chooses a move."""

    app: MineproofApp

    class Chosen(Message):
        """A move was chosen with the mouse."""

        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

    review: Review | None = None
    number = 0
    """The number of moves that were played on the board that is shown."""

    def show(self, review: Review | None, number: int) -> None:
        """Show this review, with a mark at the move of this number."""
        self.review, self.number = review, number
        self.refresh()

    def columns(self) -> list[range]:
        """Return the numbers of moves that each column stands for."""
        count = 1 if self.review is None else len(self.review.moves) + 1
        room = max(1, min(self.size.width - LABEL - 1, WIDEST * count))
        starts = [column * count // room for column in range(room + 1)]
        return [range(start, max(start + 1, end)) for start, end in pairwise(starts)]

    def render(self) -> Text:
        """Return bars, with the signs of moves below them; in a single line, signs instead of bars."""
        if self.review is None:
            return Text()
        shown, columns, height = curve(self.review), self.columns(), self.size.height
        most = min if shown.name == "chance" else max  # a column of several moves shows the worst
        shares = [most(shown.values[number] for number in numbers) / shown.top for numbers in columns]
        bars = max(1, height - 1)
        scale = [f"{shown.name} {100 * shown.top:.0f} %", *[""] * (bars - 2), "0 %"] if bars > 1 else [shown.name]
        labels = [*scale, ""]
        picture = Text(no_wrap=True)
        for line in range(height):
            picture.append(f"{labels[line]:>{LABEL - 1}} ", self._style("label"))
            for column, (numbers, share) in enumerate(zip(columns, shares, strict=True)):
                first = column == 0 or columns[column - 1] != numbers
                current = self.number in numbers
                sign, role = self._sign(numbers) if first else (" ", "")
                if line < bars and (sign == " " or height > 1):
                    eighths = round(8 * (share * bars - (bars - 1 - line)))
                    sign, role = BARS[min(max(eighths, 0), 8)], "here" if current else "bar"
                picture.append(self._drawn(sign), self._style("cursor" if current and line == height - 1 else role))
            picture.append("\n")
        return picture

    def _sign(self, numbers: range) -> tuple[str, str]:
        assert self.review is not None
        marks = {self.review.moves[number - 1].mark for number in numbers if number}
        if marks & {*BAD}:
            return MINED, "bad"
        if marks & {*GUESSES}:
            return GUESS, "guess"
        return (CURRENT if self.number in numbers and self.size.height > 1 else " "), ""

    def _drawn(self, sign: str) -> str:
        return ASCII.get(sign, sign).translate(PLAIN_BARS) if self.app.ascii_only else sign

    def _style(self, role: str) -> Style:
        palette = self.app.palette
        styles = {
            "label": palette.label, "here": palette.here, "cursor": palette.cursor, "bar": palette.roles["1"],
            "bad": palette.roles["mine"], "guess": palette.roles["Q"],
        }  # fmt: skip
        return Style.parse(styles.get(role, "none"))

    def on_click(self, event: events.Click) -> None:
        """Choose the move of this column, or the worst of several."""
        columns = self.columns()
        if self.review is not None and LABEL <= event.x < LABEL + len(columns):
            numbers = columns[event.x - LABEL]
            bad = [number for number in worst(self.review) if number in numbers]
            self.post_message(self.Chosen((bad or numbers)[0]))
