"""The difficulty of boards: writes ``src/mineproof/generate/calibration.json``, and a table and a figure of the docs.

10,000 boards of each level of the game with an opening in the middle: random ones, and ``uniform`` ones that need no
guess. ``python benchmarks/rating.py [BOARDS]``; with fewer than 10,000 boards it only prints.
"""

from __future__ import annotations

import json
import sys
import time
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mineproof import LEVELS, layouts, no_guess
from mineproof.generate.no_guess import choose_start
from mineproof.generate.rating import difficulty_of
from mineproof.generate.solution import GUESS, solve

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mineproof import Layout

ROOT = Path(__file__).parent.parent
DATA = ROOT / "src/mineproof/generate/calibration.json"
FIGURE = ROOT / "docs/images/difficulty.svg"
BOARDS, SEED = 10_000, 1
KINDS = ("random", "no-guess")
SHOWN = (5, 25, 50, 75, 95, 99)


def boards(kind: str, name: str) -> Iterator[Layout]:
    """Boards of a level, endless."""
    level = LEVELS[name]
    assert level.mines is not None
    start = choose_start(level.grid, level.mines)
    if kind == "random":
        return layouts(level, "opening", start, seed=SEED)
    return (found.layout for found in no_guess(level, start=start, method="uniform", seed=SEED, count=None))


def main() -> int:
    size = int(sys.argv[1]) if len(sys.argv) > 1 else BOARDS
    found: dict[str, dict[str, list[float]]] = {}
    print(f"{size:,} boards of each kind; quantiles of the difficulty, and in percent the boards of each level")
    names = ["level 0", "1", "2", "3", "4", "5", "6", "guess"]
    columns = "".join(f"{f'{q} %':>8}" for q in SHOWN) + "  |" + "".join(f"{name:>8}" for name in names)
    print(f"{'':24}{columns}  | ms to solve: median, 99 %")
    for name in ("beginner", "intermediate", "expert"):
        found[name] = {}
        for kind in KINDS:
            numbers, times, hardest = [], [], [0] * (GUESS + 1)
            for layout in islice(boards(kind, name), size):
                begun = time.process_time()
                levels = solve(layout).levels
                times.append(1000 * (time.process_time() - begun))
                guesses = levels.pop(GUESS, 0)
                numbers.append(difficulty_of(levels, guesses))
                hardest[GUESS if guesses else max(levels, default=0)] += 1
            quantiles = np.quantile(numbers, np.linspace(0, 1, 101), method="inverted_cdf")
            found[name][kind] = quantiles.tolist()
            row = "".join(f"{quantiles[q]:8.1f}" for q in SHOWN)
            row += "  |" + "".join(f"{100 * count / size:8.2f}" for count in hardest)
            print(f"{name + ', ' + kind:24}{row}  | {np.median(times):.2f}, {np.quantile(times, 0.99):.2f}")
    if size >= BOARDS:
        made = {"made_by": "benchmarks/rating.py", "boards": size, "seed": SEED, "levels": found}
        DATA.write_text(json.dumps(made) + "\n")
        draw(found)
    return 0


def draw(found: dict[str, dict[str, list[float]]]) -> None:
    """The distributions, as a figure of the docs."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "mineproof"  # the same picture each time
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 3.5), layout="constrained")
    for number, (name, kinds) in enumerate(found.items()):
        for kind, style in zip(KINDS, ("-", "--"), strict=True):
            axes.plot(kinds[kind], range(101), style, color=f"C{number}", label=f"{name}, {kind}")
    axes.set(xlabel="difficulty", ylabel="% of boards at most as difficult", xlim=(0, 1000))
    axes.legend(frameon=False)
    figure.savefig(FIGURE, metadata={"Date": None})


if __name__ == "__main__":
    sys.exit(main())
