"""Speed of the counting engine, in one run on one thread: against ms-toollib, and on positions that are hard.

Prints a table, and fails if a claim of the docs does not hold. ms-toollib runs in a separate process, because it can
abort the interpreter and has no time limit.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mineproof import Analyst, Game, Limit, Position, analyse
from mineproof.reference import analyse_exactly

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from support import awkward

if TYPE_CHECKING:
    from collections.abc import Callable

POSITIONS = 300
PEER = """
import json, sys, time
import ms_toollib
out = []
for mines, board in json.load(sys.stdin):
    start = time.perf_counter()
    odds, _ = ms_toollib.cal_probability_onboard(board, mines)
    out.append([time.perf_counter() - start, odds])
json.dump(out, sys.stdout)
"""

OURS = """
import json, sys, time
from mineproof import Position, analyse
out = []
for text in json.load(sys.stdin):
    position = Position.from_text(text)
    start = time.perf_counter()
    analyse(position)
    out.append(time.perf_counter() - start)
json.dump(out, sys.stdout)
"""
MEMORY = """
import re, sys
from mineproof import Grid, Position, analyse
def peak(): return 1024 * int(re.search(r"VmHWM:\\s*([0-9]+) kB", open("/proc/self/status").read())[1])
side, mines = map(int, sys.argv[1:])
position = Position(Grid(side, side), mines, sys.stdin.buffer.read())
analyse(Position.from_text("3x1x1\\n1HH"))
before = peak()
found = analyse(position)
print(peak() - before)
"""


def stuck_positions(count: int) -> list[Position]:
    """Expert positions with no certain move, met in games that continue with the least risk."""
    found: list[Position] = []
    seed = 0
    while len(found) < count:
        game = Game("expert", "opening", seed=seed)
        game.open("D4")
        seed += 1
        while not game.over and len(found) < count:
            analysis = analyse(game.position)
            for cell in analysis.safe:
                if game[cell] == "H":
                    game.open(cell)
            if not analysis.safe and not game.over:
                found.append(game.position)
                assert analysis.least_risk is not None
                game.open(analysis.least_risk.cell)
    return found


def times(work: Callable[[Position], object], positions: list[Position]) -> list[float]:
    """Seconds for each position, each seen for the first time."""
    return [seconds(partial(work, position)) for position in positions]


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def peer(positions: list[Position], patience: float) -> list[tuple[float, list[list[float]]]] | None:
    """ms-toollib's result and time for each position; None if it did not finish."""
    boards = [
        (p.mines, [[int(s) if s.isdigit() else 10 for s in map(chr, row)] for row in p.array().tolist()])
        for p in positions
    ]
    try:
        done = subprocess.run(
            [sys.executable, "-c", PEER],
            input=json.dumps(boards),
            capture_output=True,
            text=True,
            timeout=patience,
            check=True,
        )
    except (subprocess.TimeoutExpired, subprocess.CalledProcessError):
        return None
    found: list[tuple[float, list[list[float]]]] = json.loads(done.stdout)
    return found


def cold(positions: list[Position]) -> list[float]:
    """Seconds of `analyse` for each position, in a process that has not seen it."""
    texts = json.dumps([position.to_text() for position in positions])
    done = subprocess.run([sys.executable, "-c", OURS], input=texts, capture_output=True, text=True, check=True)
    found: list[float] = json.loads(done.stdout)
    return found


def p99(figures: list[float]) -> float:
    return sorted(figures)[int(len(figures) * 0.99)]


def bytes_per_cell(side: int) -> float:
    """Memory that `analyse` needs at its peak, per cell of a board at 15 % mines of which half is open."""
    game = Game(f"{side}x{side}x15%", "any+continue", seed=1)
    assert game.layout is not None
    mines = np.frombuffer(game.layout.mask, np.uint8).reshape(side, side)
    edged = np.pad(mines, 1)
    around = sum(edged[row : row + side, col : col + side] for row in range(3) for col in range(3)) + ord("0")
    shown = (np.random.default_rng(1).random(mines.shape) < 0.5) & (mines == 0)
    cells = np.where(shown, around, ord("H")).astype(np.uint8).tobytes()
    done = subprocess.run(
        [sys.executable, "-c", MEMORY, str(side), str(mines.sum())], input=cells, capture_output=True, check=True
    )
    return float(done.stdout) / side**2


def follow(side: int) -> float:
    """Seconds per safe cell, when a whole board at 15 % mines is played with an `Analyst` that continues after hits."""
    best = float("inf")
    for _ in range(3 if side < 500 else 1):
        game = Game(f"{side}x{side}x15%", "opening+continue", seed=1)
        start = time.perf_counter()
        analyst = Analyst(game.position)
        changed = game.open("D4")
        todo = list(analyst.see(changed, game.shows(changed)).safe)
        while not game.over:
            if not todo:
                guess = analyst.least_risk()
                assert guess is not None
                todo.append(guess.cell)
            cell = todo.pop()
            if game[cell] == "H":
                changed = game.open(cell)
                todo += analyst.see(changed, game.shows(changed)).safe
        best = min(best, time.perf_counter() - start)
    return best / (side * side - game.mines)


def main() -> int:
    positions = stuck_positions(POSITIONS)
    theirs = peer(positions, 600)
    assert theirs is not None
    ours = cold(positions)
    solutions = [seconds(partial(getattr, found, "solutions")) for found in map(analyse, positions)]
    reference = times(analyse_exactly, positions[:100])
    worst = 0.0
    for position, (_, odds) in zip(positions, theirs, strict=True):
        mine = analyse(position).probabilities
        closed = ~np.isnan(mine)
        worst = max(worst, float(np.abs(mine[closed] - np.array(odds)[closed]).max()))
    their_times = [took for took, _ in theirs]
    claims = [
        ("largest difference of a probability from ms-toollib's", f"{worst:.1e}", worst < 1e-6, "rounding only"),
        _ratio("median of 300 expert positions with no certain move", *map(statistics.median, (ours, their_times))),
        _ratio("99th percentile of the same", p99(ours), p99(their_times)),
        (
            "the reference in pure Python, median",
            f"{1e3 * statistics.median(reference):.1f} ms",
            statistics.median(reference) <= 0.011,
            "at most 11 ms",
        ),
        (
            "the exact number of solutions, median, maximum",
            f"{1e6 * statistics.median(solutions):.0f} µs, {1e6 * max(solutions):.0f} µs",
            statistics.median(solutions) < 1e-3,
            "median below 1 ms",
        ),
    ]
    for name, position in [(f"lattice {n}×{n}", awkward.lattice(n)) for n in (14, 20, 24)] + [
        ("100×100, 20 % of its safe cells shown", awkward.sparse(100))
    ]:
        figures = []
        for limit in (2.0, 60.0):
            start = time.perf_counter()
            found = analyse(position, Limit(seconds=limit, memory=2**32))
            took = time.perf_counter() - start
            figures.append(f"{took:.2f} s {'exact' if found.exact else 'sampled'} (limit {limit:.0f} s)")
            kept = took <= 1.2 * limit
            if found.exact or not kept:
                break
        their = peer([position], 60)
        figures.append(f"ms-toollib {'over 60 s' if their is None else f'{their[0][0]:.1f} s'}")
        claims.append((name, ", ".join(figures), kept, "within 1.2 × the limit"))
        if found.exact:
            took = min(seconds(partial(analyse, position)) for _ in range(3))
            exactly = min(seconds(partial(getattr, analyse(position), "solutions")) for _ in range(3))
            digits = len(str(found.solutions))
            figure = f"{1e3 * exactly:.1f} ms for {digits} digits, odds {1e3 * took:.1f} ms: × {exactly / took:.1f}"
            claims.append(("    its exact number of solutions", figure, exactly <= 3 * took, "at most × 3"))
    small, large = follow(100), follow(1000)
    figures_of_play = f"{1e6 * small:.2f} µs, {1e6 * large:.2f} µs: × {large / small:.2f}"
    what = "following whole games, time per cell: 100×100, 1000×1000"
    claims.append((what, figures_of_play, large <= 2 * small, "at most × 2"))
    memory = bytes_per_cell(1000)
    what = "memory of analyse, 1000×1000 at 15 %, half open"
    claims.append((what, f"{memory:.0f} bytes per cell", memory <= 200, "at most 200"))
    for what, text, holds, claim in claims:
        print(f"{'ok  ' if holds else 'MISS'} {what:56} {text}  ({claim})", flush=True)
    return 0 if all(holds for _, _, holds, _ in claims) else 1


def _ratio(what: str, ours: float, theirs: float) -> tuple[str, str, bool, str]:
    figures = f"ours {1e6 * ours:,.0f} µs, ms-toollib {1e6 * theirs:,.0f} µs: 1/{theirs / ours:.0f}"
    return what, figures, ours * 25 <= theirs, "at most 1/25"


if __name__ == "__main__":
    sys.exit(main())
