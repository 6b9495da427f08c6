"""Hard positions: are sampled odds honest, is more time never worse, are limits kept? ``python benchmarks/hard.py``.

Positions are drawn with their layout, so that what is said can be held against the truth.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np

from mineproof import Analysis, Grid, Limit, Position, analyse
from mineproof._native import counting

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from support import awkward


def drawn(
    side: int, density: float, share: float, seed: int
) -> tuple[Position, np.ndarray[tuple[int, int], np.dtype[np.bool_]]]:
    """A square board of which a share of the safe cells is shown, and its mines."""
    rng = np.random.default_rng(seed)
    mines = rng.random((side, side)) < density
    padded = np.pad(mines, 1).astype(np.uint8)
    around = [padded[1 + r : side + 1 + r, 1 + c : side + 1 + c] for r in (-1, 0, 1) for c in (-1, 0, 1)]
    shown = ~mines & (rng.random((side, side)) < share)
    cells = np.where(shown, np.sum(around, axis=0, dtype=np.uint8) + ord("0"), ord("H")).astype(np.uint8)
    return Position(Grid(side, side), int(mines.sum()), cells.tobytes()), mines


def timed(position: Position, seconds: float) -> tuple[Analysis, float]:
    start = time.perf_counter()
    found = analyse(position, Limit(seconds))
    return found, time.perf_counter() - start


def marks(found: Analysis) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.frombuffer(found.marks, np.uint8).reshape(found.probabilities.shape)


def certain_by_limit() -> None:
    print("certain cells of 200×200 at 20 %, half of the safe cells shown, by the limit in seconds")
    position, mines = drawn(200, 0.2, 0.5, 1)
    for seconds in (0.5, 1, 2, 4):
        found, took = timed(position, seconds)
        known = marks(found)
        wrong = int(mines[known == counting.MARK_SAFE].sum() + (~mines[known == counting.MARK_MINED]).sum())
        certain = int((known >= counting.MARK_SAFE).sum())
        print(f"  {seconds:4} s: {certain:6,} certain, {wrong} wrong, exact {found.exact}, took {took:.2f} s")


def calibration(boards: int) -> None:
    print(f"\nsampled odds against the mines of {boards} drawn boards of 150×150 with a honeycomb of numbers")
    for seconds in (0.5, 1, 4):
        odds, truth, unrated = [], [], 0
        for seed in range(boards):
            position, mines = awkward.honeycomb(150, seed)
            found, _ = timed(position, seconds)
            unsure = marks(found) == counting.MARK_UNSURE
            rated = unsure & ~np.isnan(found.probabilities)
            unrated += int((unsure & ~rated).sum())
            odds.append(found.probabilities[rated])
            truth.append(mines[rated])
        said, mined = np.concatenate(odds), np.concatenate(truth)
        print(f"  limit {seconds} s: {len(said):,} unsure cells with odds, {unrated:,} without")
        for low, high in ((0, 0.01), (0.01, 0.05), (0.05, 0.2), (0.2, 0.5), (0.5, 1)):
            here = (said >= low) & (said < high)
            if here.any():
                words = f"mean odds {100 * said[here].mean():6.2f} %, mines {100 * mined[here].mean():6.2f} %"
                print(f"    said {100 * low:3.0f} to {100 * high:3.0f} %: {int(here.sum()):7,} cells, {words}")


def limits() -> None:
    print("\nlimits kept: seconds that analyse takes")
    for side, density, share in (
        (1000, 0.15, 0.5),
        (1000, 0.2, 0.5),
        (1000, 0.2, 0.2),
        (1000, 0.2, 0.01),
        (3000, 0.2, 0.5),
    ):
        position, _ = drawn(side, density, share, 1)
        row = [f"{timed(position, seconds)[1]:.2f} of {seconds}" for seconds in (0.2, 0.5, 1, 3)]
        print(f"  {side}×{side}, {100 * density:.0f} % mines, {100 * share:.0f} % shown: {'; '.join(row)}")


if __name__ == "__main__":
    certain_by_limit()
    calibration(4)
    limits()
