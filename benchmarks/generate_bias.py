"""What ``fast`` prefers: measures of its boards beside those of ``uniform`` and of all boards with the same opening.

Prints a table of means, each with its standard error, and of their differences in standard deviations of one board.
"""

from __future__ import annotations

import sys
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from mineproof import Layout, Level, layouts, measure, no_guess

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

START = "O8"
MEASURES = ("3BV", "openings", "islands", "mines near the start", "mines on the edge", "mines side by side")
NEAR = 3
"""Steps from the start; the first is free of mines on every board."""


def boards(kind: str, level: Level, seed: int) -> Iterator[Layout]:
    """Boards of a level, without end."""
    if kind == "all":
        return layouts(level, "opening", START, seed=seed)
    return (found.layout for found in no_guess(level, start=START, method=kind, seed=seed, count=None))


def measured(some: Iterable[Layout]) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """A row for each board. Mines are the share of the cells there that are mines, or of the pairs of neighbours in a
    row or column that both are."""
    rows = []
    for layout in some:
        mines = np.frombuffer(layout.mask, np.uint8).reshape(layout.grid.rows, layout.grid.cols)
        at = layout.grid.at(START)
        r, c = np.indices(mines.shape)
        steps = np.maximum(abs(r - at.row), abs(c - at.col))
        edge = (r == 0) | (c == 0) | (r == layout.grid.rows - 1) | (c == layout.grid.cols - 1)
        together = np.concatenate([(mines[1:] & mines[:-1]).ravel(), (mines[:, 1:] & mines[:, :-1]).ravel()])
        found = measure(layout)
        near = mines[(steps > 1) & (steps <= NEAR)]
        rows.append([found.bbbv, found.openings, found.islands, near.mean(), mines[edge].mean(), together.mean()])
    return np.array(rows, float)


def main() -> int:
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    for mines, share in ((99, 1.0), (120, 0.1)):  # uniform boards with more mines are rare
        level = Level(16, 30, mines)
        found = {
            kind: measured(islice(boards(kind, level, 1), int(size * share))) for kind in ("all", "uniform", "fast")
        }
        print(f"30x16, {mines} mines, {int(size * share):,} boards of each kind")
        print(f"{'':22}{'all':>20}{'uniform':>20}{'fast':>20}   fast - uniform, in σ")
        for i, name in enumerate(MEASURES):
            cells = (f"{a[:, i].mean():.4g} ± {a[:, i].std() / len(a) ** 0.5:.1g}" for a in found.values())
            apart = (found["fast"][:, i].mean() - found["uniform"][:, i].mean()) / found["uniform"][:, i].std()
            print(f"{name:22}" + "".join(f"{cell:>20}" for cell in cells) + f"{apart:>+12.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
