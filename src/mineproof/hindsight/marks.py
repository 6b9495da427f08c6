"""The marks of moves, and their costs."""

from __future__ import annotations

from enum import StrEnum
from math import hypot
from typing import TYPE_CHECKING, NamedTuple

from mineproof.odds.analysis import EQUAL
from mineproof.percent import hundredths

if TYPE_CHECKING:
    from collections.abc import Iterable


class MoveMark(StrEnum):
    """The mark of a move, judged by what could be known before it."""

    START = "start"
    """The first cell that was opened: nothing was known yet."""
    CERTAIN = "certain"
    """A proved move: all cells that it opens are safe, or the cell that it flags is a mine."""
    NEEDLESS = "needless guess"
    """A guess, while a safe cell could be proved."""
    GOOD = "good guess"
    """A forced guess, and no other guess was better by more than a point."""
    UNCLEAR = "unclear guess"
    """A forced guess, and the estimates do not tell whether another was better."""
    POOR = "poor guess"
    """A forced guess, and another was better."""
    MISTAKE = "mistake"
    """A move whose opposite could be proved: it opens a certain mine, or flags a certainly safe cell."""
    UNPROVED = "unproved flag"
    """A flag on a cell that could be a mine, or safe."""
    NOTE = "note"
    """A note was removed, or a question mark set."""
    UNDO = "undo"
    """A move was undone; what it had shown stays known."""


GUESSES = (MoveMark.NEEDLESS, MoveMark.GOOD, MoveMark.UNCLEAR, MoveMark.POOR)
CLEAR = 2.5
"""The least standard errors of a clear difference. More than the usual two, because every difference is tested several
times while games are played out."""
POOR = 0.01
"""The most that a good guess may cost, in winning chance."""


class Points(NamedTuple):
    """A difference of winning chances, with its standard error; 0.01 is a point."""

    value: float
    error: float = 0.0

    @property
    def clear(self) -> bool:
        """Whether the difference is significantly above 0, and more than a point."""
        return self.value > max(POOR + EQUAL, CLEAR * self.error)

    @property
    def plain(self) -> str:
        """The difference in words, with a sign only if it is negative."""
        text = hundredths(abs(self.value), self.error)
        return f"−{text}" if self.value < 0 and float(text.split()[0]) else text

    def __str__(self) -> str:
        return f"+{self.plain}" if self.value > 0 and float(self.plain.split()[0]) else self.plain


def total(parts: Iterable[Points]) -> Points:
    """Return the sum of differences that are independent of each other."""
    terms = list(parts)
    return Points(sum(term.value for term in terms), hypot(*(term.error for term in terms)))
