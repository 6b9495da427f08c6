"""How much work a board is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mineproof._native import metrics as native

if TYPE_CHECKING:
    from mineproof.board.layout import Layout


@dataclass(frozen=True, slots=True)
class Metrics:
    """The measures that players compare boards by."""

    bbbv: int
    """3BV, Bechtel's Board Benchmark Value: the least number of left clicks, without flags."""
    openings: int
    """Groups of connected zeros, each opened by one click."""
    islands: int
    """Groups of connected numbers that no opening reaches."""
    zini: int
    """Clicks of a greedy player who flags and chords where that pays (Elmar Zimmermann, Christoph Nikolaus, 2009)."""


def bbbv(layout: Layout) -> int:
    """3BV alone, where speed counts.

    >>> from mineproof import Layout
    >>> bbbv(Layout.parse("4x3x3=418"))
    9
    """
    return native.bbbv(layout.mask, layout.grid.rows, layout.grid.cols)


def measure(layout: Layout) -> Metrics:
    """All measures of a board.

    >>> from mineproof import Layout
    >>> measure(Layout.draw("expert", "opening", "D4", seed=1))
    Metrics(bbbv=203, openings=12, islands=8, zini=130)
    """
    return Metrics(*native.measure(layout.mask, layout.grid.rows, layout.grid.cols))
