"""How soon a call on a board of a million cells returns after cancellation or Ctrl-C. Prints a table.

Fails if that takes longer than the promised 0.5 s, most of which is the freeing of what the call has built. The machine
should be idle.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from typing import TYPE_CHECKING

import numpy as np

from mineproof import METHODS, Cancelled, Grid, Limit, Position, analyse, hint, prove, why
from mineproof.logic.sat import find_conflict

if TYPE_CHECKING:
    from collections.abc import Callable

    Call = Callable[[Position, Limit], object]

SIDE = 1_000
AFTER = 0.3, 2.0, 6.0
"""Seconds of work before it is stopped."""
AGAIN = 2.0
"""Seconds after which Ctrl-C is pressed again: Python drops one that comes while a weak reference is cleared."""
PROMISED = 0.5


def board(density: float, shown: np.ndarray) -> Position:
    """A position of a random board, with these cells open unless they are mines."""
    mines = np.random.default_rng(1).random((SIDE, SIDE)) < density
    padded = np.pad(mines.astype(np.uint8), 1)
    around = sum(padded[r : r + SIDE, c : c + SIDE] for r in range(3) for c in range(3))
    cells = np.where(shown & ~mines, around + ord("0"), ord("H")).astype(np.uint8)
    return Position(Grid(SIDE, SIDE), int(mines.sum()), cells.tobytes())


def answered(call: Call, position: Position, seconds: float, ctrl_c: bool) -> float | None:
    """Seconds until a stopped call has returned and all that it has built is freed; None if it finished before."""
    cancel, done = threading.Event(), threading.Event()
    told: list[float] = []

    def stop() -> None:
        while not done.wait(AGAIN if told else seconds):
            told.append(time.perf_counter())
            if ctrl_c:
                os.kill(os.getpid(), signal.SIGINT)
            else:
                cancel.set()

    threading.Thread(target=stop).start()
    stopped = True
    try:
        call(position, Limit(seconds=600, cancel=cancel))
        stopped = False
    except (Cancelled, KeyboardInterrupt):
        pass  # when this block ends, so do the frames of the exception, and what they held is freed
    finally:
        done.set()
    return time.perf_counter() - told[-1] if stopped else None


def main() -> int:
    """Stop every call on every board, both ways."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    calls: dict[str, Call] = {name: method.infer for name, method in METHODS.items()}
    calls |= {
        "find_conflict": find_conflict,
        "analyse": analyse,
        "prove": lambda position, limit: prove(position, position.grid.cell(position.cells.index(b"H")), limit),
        "why": lambda position, limit: why(position, position.grid.cell(position.cells.index(b"H")), limit),
        "hint": hint,
    }
    lattice = np.zeros((SIDE, SIDE), bool)
    lattice[1::2, 1::2] = True
    boards = {
        "15 % mines, half open": board(0.15, np.random.default_rng(2).random((SIDE, SIDE)) < 0.5),
        "20 % mines, a lattice": board(0.2, lattice),
    }
    worst = 0.0
    for kind, position in boards.items():
        print(f"\n{kind}\n{'':14} {'answers in':>11}   (worst, ms)")
        for name in sys.argv[1:] or calls:
            results = [
                answered(calls[name], position, seconds, ctrl_c) for seconds in AFTER for ctrl_c in (False, True)
            ]
            stopped = [result for result in results if result is not None]
            if not stopped:
                print(f"{name:14} {'done before':>11}")
                continue
            print(f"{name:14} {1e3 * max(stopped):11.0f}", flush=True)
            worst = max(worst, *stopped)
    print(f"\nslowest answer: {worst:.3f} s of {PROMISED} s")
    return worst > PROMISED


if __name__ == "__main__":
    raise SystemExit(main())
