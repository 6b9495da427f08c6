"""What a move can be, and what it can be worth."""

from __future__ import annotations

from enum import StrEnum
from math import hypot
from typing import TYPE_CHECKING, NamedTuple

from mineproof.agents.chance import with_error
from mineproof.odds.analysis import EQUAL

if TYPE_CHECKING:
    from collections.abc import Iterable


class Mark(StrEnum):
    """What a move was, judged by what could be known before it."""

    START = "start"
    """The first cell that was opened: nothing was known yet."""
    CERTAIN = "certain"
    """Proved: all cells that it opens are safe, or the cell that it flags is a mine."""
    NEEDLESS = "needless guess"
    """It was not, and there was a safe cell that could be proved."""
    GOOD = "good guess"
    """There was no such cell, and no guess that is better by more than a point."""
    UNCLEAR = "unclear guess"
    """There was no such cell, and the estimates do not tell whether a better guess was there."""
    POOR = "poor guess"
    """There was no such cell, and a better guess was there."""
    MISTAKE = "mistake"
    """The opposite could be proved: it opens a certain mine, or flags a certainly safe cell."""
    UNPROVED = "unproved flag"
    """A flag on a cell that could be either."""
    NOTE = "note"
    """A note was taken off, or a doubt noted."""
    UNDO = "undo"
    """A move was taken back; what it had shown stays known."""


GUESSES = (Mark.NEEDLESS, Mark.GOOD, Mark.UNCLEAR, Mark.POOR)
CLEAR = 2.5
"""Standard errors from which on a difference is taken for one. More than the usual two, since it is looked for several
times while games are played out."""


POOR = 0.01
"""What a guess may cost, and still be good."""


class Points(NamedTuple):
    """A difference of winning chances, with its standard error; 0.01 is a point."""

    value: float
    error: float = 0.0

    @property
    def clear(self) -> bool:
        """Whether it is surely above 0, and worth a word."""
        return self.value > max(POOR + EQUAL, CLEAR * self.error)

    @property
    def plain(self) -> str:
        """Without the sign of what is above 0."""
        text = with_error(abs(self.value), self.error)
        return f"−{text}" if self.value < 0 and float(text.split()[0]) else text

    def __str__(self) -> str:
        return f"+{self.plain}" if self.value > 0 and float(self.plain.split()[0]) else self.plain


def total(parts: Iterable[Points]) -> Points:
    """The sum of differences that are independent of each other."""
    some = list(parts)
    return Points(sum(one.value for one in some), hypot(*(one.error for one in some)))
