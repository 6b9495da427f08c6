"""Speed of this version against an earlier commit: the same work, in turns, in one run on one thread.

``commits.py COMMIT`` builds that commit in a temporary folder. Each figure is processor time, the best of three rounds.
Prints a table, with the lines of the compiled room; fails if anything got slower by more than a tenth. ``make
bench-against COMMIT=…`` runs it.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
WORK = {
    "best, 3,000 expert games": """
from mineproof.arena.tournament import Plan, tournament
plan = Plan(("best",), (Level.parse("expert"),), Rules("safe"), 3_000, 1)
def work(): tournament(plan)
""",
    "careful through the Python agent, 40 expert games": """
def work():
    for seed in range(40):
        mineproof.play("careful", "expert", "opening", seed=seed)
""",
    "analyse, 300 expert positions": """
positions = stuck(300)
def work():
    for position in positions: mineproof.analyse(position)
""",
    "exact numbers of solutions of 60 of them": """
found = [mineproof.analyse(position) for position in stuck(60)]
def work():
    for analysis in found: analysis.solutions
""",
    "numbers, of 100 cells": """
found = [mineproof.analyse(position) for position in stuck(100)]
def work():
    for analysis in found: analysis.numbers(analysis.position.where("H")[0])
""",
    "hint, 100 expert positions without a certain cell": """
positions = stuck(100)
def work():
    for position in positions: mineproof.hint(position)
""",
    "winning chances of 20 of them, 200 playouts each": """
positions = stuck(20)
def work():
    for position in positions: mineproof.winning_chance(position, playouts=200)
""",
    "100 steps of 200 environments": """
import numpy as np
from mineproof.apps.gym.vector import MinesweeperVector
games = MinesweeperVector(200, "expert")
games.reset(seed=1)
rng = np.random.default_rng(1)
actions = rng.integers(0, 480, (100, 200))
def work():
    for action in actions: games.step(action)
""",
    "metrics with ZiNi, 500 expert boards": """
boards = list(islice(mineproof.layouts("expert", "opening", "D4", seed=1), 500))
def work():
    for board in boards: mineproof.measure(board)
""",
}
FRAME = """
import time
from itertools import islice
import mineproof
from mineproof import Game, Level, Rules

def stuck(count):
    found, seed = [], 0
    while len(found) < count:
        game = Game("expert", "opening", seed=seed)
        game.open("D4")
        seed += 1
        while not game.over and len(found) < count:
            analysis = mineproof.analyse(game.position)
            for cell in analysis.safe:
                if game[cell] == "H": game.open(cell)
            if not analysis.safe and not game.over:
                found.append(game.position)
                least = analysis.least_risk if hasattr(analysis, "least_risk") else analysis.best  # its old name
                game.open(least.cell)
    return found
for agent in ("best", "careful"): mineproof.play(agent, "beginner")  # imports what they need
{setting}
start = time.process_time()
work()
print(time.process_time() - start)
"""


def build(commit: str, folder: Path) -> Path:
    """That commit, installed beside this one."""
    archive = subprocess.run(["git", "archive", commit], cwd=ROOT, capture_output=True, check=True).stdout
    source, installed = folder / "source", folder / "installed"
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(source, filter="data")
    pip = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-build-isolation"]
    subprocess.run([*pip, "--no-deps", "--target", installed, source], check=True)
    return installed


def seconds(work: str, path: Path | None) -> float:
    """Processor time of the work, in a process of its own."""
    environment = os.environ | ({} if path is None else {"PYTHONPATH": str(path)})
    code = FRAME.format(setting=work)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    return float(done.stdout)


def lines(source: Path) -> int:
    """Of the compiled room."""
    files = [path for path in (source / "src/mineproof/_native").iterdir() if path.suffix in {".hpp", ".pyx", ".pxd"}]
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files)


def main() -> int:
    if len(sys.argv) != 2:
        print("usage: commits.py COMMIT", file=sys.stderr)
        return 2
    commit = sys.argv[1]
    slower = False
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        old = build(commit, folder)
        print(f"{'':52} {commit:>10} {'now':>10}")
        for what, work in WORK.items():
            rounds = [(seconds(work, old), seconds(work, None)) for _ in range(3)]
            before, after = (min(column) for column in zip(*rounds, strict=True))
            slower |= after > 1.1 * before
            print(f"{what:52} {before:8.3f} s {after:8.3f} s: × {before / after:.2f}", flush=True)
        print(f"{'lines of the compiled room':52} {lines(folder / 'source'):10,} {lines(ROOT):10,}")
    return int(slower)


if __name__ == "__main__":
    sys.exit(main())
