"""A hundred thousand awkward positions: the engine must agree with the reference on each, and never crash or hang.

``make fuzz``; takes some minutes. Prints how many positions there were of each kind, and the first that disagrees.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from pathlib import Path

from mineproof import Position, analyse
from mineproof.odds.exact import analyse_exactly

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from support import awkward


def agrees(position: Position) -> str:
    """What kind of position it is; fails when the two disagree."""
    found, reference = analyse(position), analyse_exactly(position)
    assert found.consistent == (reference.solutions > 0)
    if not found.consistent:
        return "inconsistent"
    assert found.exact
    assert (found.safe, found.mined) == (reference.safe, reference.mined)
    for cell, risk in reference.probabilities.items():
        assert abs(found.probabilities[cell] - float(risk)) <= 1e-12 * float(risk)
    return "certain cells" if found.safe or found.mined else "nothing certain"


def main(count: int, seed: int) -> int:
    rng = random.Random(seed)
    kinds: Counter[str] = Counter()
    for number in range(count):
        position = awkward.small(rng, 6, 8)
        try:
            kinds[agrees(position)] += 1
        except AssertionError:
            print(f"disagreement at {position!r}")
            return 1
        if number % 10_000 == 9_999:
            print(f"{number + 1:,} positions: {dict(kinds)}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000, int(sys.argv[2]) if len(sys.argv) > 2 else 1))
