"""The inference methods side by side: on the same expert positions, and in whole games. Prints two tables.

Fails if a complete method misses a certain cell, if a weak one is wrong, or if the order of speed differs from the
docs. `--quick` plays fewer games.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING

from mineproof import METHODS, Game, Limit, Position, State, analyse

if TYPE_CHECKING:
    from mineproof import Analysis

POSITIONS = 100
LONG = Limit(seconds=600)
LEVELS = {"9×9, 10 mines": "9x9x10", "16×16, 25 mines": "16x16x25", "30×16, 99 mines": "30x16x99"}
PLAYERS = ("single", "normal-form", "subset", "matching", "chaining", "sat")


def positions(count: int) -> list[Position]:
    """Expert positions, each from a random moment of a game that continues until it is won or lost."""
    rng = random.Random(1)
    found = []
    for seed in range(count):
        game = Game("expert", "opening", seed=seed)
        game.open("D4")
        seen = []
        while not game.over:
            seen.append(game.position)
            analysis = analyse(game.position)
            assert analysis.least_risk is not None
            game.open(rng.choice(sorted(analysis.safe or [analysis.least_risk.cell])))
        found.append(rng.choice(seen))
    return found


def measure(name: str, boards: list[Position], truth: list[Analysis]) -> tuple[list[float], float, bool]:
    """Seconds for each position, the share of all certain cells that were found, and whether nothing was wrong."""
    method = METHODS[name]
    method.infer(boards[0], LONG)  # imports what it needs
    seconds, found, certain, right = [], 0, 0, True
    for position, analysis in zip(boards, truth, strict=True):
        start = time.process_time()
        deductions = method.infer(position, LONG)
        seconds.append(time.process_time() - start)
        right &= deductions.safe <= analysis.safe and deductions.mined <= analysis.mined
        found += len(deductions.safe) + len(deductions.mined)
        certain += len(analysis.safe) + len(analysis.mined)
    return seconds, found / certain, right


def play(name: str, level: str, seed: int) -> bool:
    """Whether a game with given safe cells is won without a guess; otherwise the method got stuck."""
    game = Game(level, "given:sqrt", seed=seed)
    while not game.over:
        safe = [cell for cell in METHODS[name].infer(game.position, LONG).safe if game[cell] in "HS"]
        if not safe:
            return False
        for cell in safe:
            if game[cell] in "HS":
                game.open(cell)
    return game.state is State.WON


def play_many(job: tuple[str, str, int]) -> tuple[int, float]:
    name, level, games = job
    start = time.process_time()
    wins = sum(play(name, level, seed) for seed in range(games))
    return wins, (time.process_time() - start) / games


def main() -> int:
    boards = positions(POSITIONS)
    truth = [analyse(position) for position in boards]
    print(f"{POSITIONS} expert positions   median ms   mean ms    per s     certain cells found")
    holds = True
    median = {}
    for name, method in METHODS.items():
        seconds, share, right = measure(name, boards, truth)
        median[name], mean = statistics.median(seconds), statistics.mean(seconds)
        fine = right and (share == 1 if method.complete else share < 1)
        holds &= fine
        print(
            f"{'ok  ' if fine else 'MISS'} {name:16} {1e3 * median[name]:11.2f} {1e3 * mean:9.2f} {1 / mean:10.0f}"
            f" {100 * share:15.2f} %",
            flush=True,
        )
    for fast, slow, ratio in (
        ("sat", "csp", 5),
        ("sat", "asp", 10),
        ("sat", "matching", 2),
        ("chaining", "resolution", 3),
    ):
        fine = median[fast] * ratio <= median[slow]
        holds &= fine
        print(f"{'ok  ' if fine else 'MISS'} {slow} takes {median[slow] / median[fast]:.0f} times as long as {fast}")
    games = 20 if "--quick" in sys.argv else 100
    print(f"\n{games} games from given safe cells (√cells of them): won (the others are stuck), seconds per game")
    print(f"{'':16}" + "".join(f"{level:>24}" for level in LEVELS))
    with ProcessPoolExecutor() as workers:
        jobs = [(name, level, games) for name in PLAYERS for level in LEVELS.values()]
        results = workers.map(play_many, jobs)
        for name in PLAYERS:
            row = [next(results) for _ in LEVELS]
            print(f"{name:16}" + "".join(f"{wins:>14} {seconds:7.3f} s" for wins, seconds in row), flush=True)
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
