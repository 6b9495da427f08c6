"""The exact optimum of small boards: ``python benchmarks/optimal.py 4x4x3 5x5x4 …``, width × height × mines.

One line per board and first-click rule, as soon as it is known: boards that perfect play wins, of how many, the best
first cell, and the processor time. If the first click may be any cell, as many are won as if it is safe, but of more.
"""

from __future__ import annotations

import sys
import time

from mineproof import Level, Limit
from mineproof.agents.optimal import optimum
from mineproof.errors import MineproofError

BOARDS = (
    "4x4x3",
    "4x4x4",
    "4x4x5",
    "5x5x3",
    "5x5x4",
    "6x6x3",
    "6x6x4",
    "5x5x5",
    "7x7x3",
    "8x8x3",
    "4x4x6",
    "7x7x4",
    "8x8x4",
    "6x6x5",
    "5x5x6",
)
PATIENT = Limit(seconds=3600, memory=6 << 30)


def main(names: list[str]) -> None:
    print(f"{'board':10}{'first click':14}{'won':>10}{'of':>10}{'chance':>12}{'start':>7}{'seconds':>10}")
    for name in names or BOARDS:
        for rule in ("safe", "opening"):
            began = time.process_time()
            try:
                found = optimum(Level.parse(name), rule, limit=PATIENT)
            except MineproofError as error:
                print(f"{name:10}{rule:14}{error}", flush=True)
                continue
            took = time.process_time() - began
            chance = f"{float(found.chance):.4%}"
            print(
                f"{name:10}{rule:14}{found.wins:10,}{found.boards:10,}{chance:>12}{found.start!s:>7}{took:10.1f}",
                flush=True,
            )


if __name__ == "__main__":
    main(sys.argv[1:])
