"""How much work a board takes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mineproof._native import metrics as native
from mineproof.board.layout import layout_of

if TYPE_CHECKING:
    from mineproof.board.layout import Laid, Layout


@dataclass(frozen=True, slots=True)
class Metrics:
    """The usual measures of a board."""

    bbbv: int
    """3BV, Bechtel's Board Benchmark Value: the smallest number of left clicks, without flags."""
    openings: int
    """Groups of connected zeros, each opened by one click."""
    islands: int
    """Groups of connected numbers that no opening reaches."""
    zini: int
    """Clicks of a greedy player who flags and chords where that saves clicks (Zimmermann and Nikolaus, 2009)."""

    def fields(self) -> dict[str, int]:
        """Return the fields for JSON."""
        return {"3bv": self.bbbv, "openings": self.openings, "islands": self.islands, "zini": self.zini}


def bbbv(layout: Layout | Laid) -> int:
    """Return only 3BV, which is faster. A game is measured by its board.

    >>> from mineproof import Layout
    >>> bbbv(Layout.parse("4x3x3=418"))
    9
    """
    layout = layout_of(layout)
    return native.bbbv(layout.mask, layout.grid.rows, layout.grid.cols)


def measure(layout: Layout | Laid) -> Metrics:
    """Return all measures of a board, or of the board of a game.

    >>> from mineproof import Layout
    >>> measure(Layout.draw("expert", "opening", "D4", seed=1))
    Metrics(bbbv=203, openings=12, islands=8, zini=130)
    """
    layout = layout_of(layout)
    return Metrics(*native.measure(layout.mask, layout.grid.rows, layout.grid.cols))
