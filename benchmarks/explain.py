"""Explanations, hints and reviews at expert, on one core: median and 99th percentile of processor time.

Prints a table, and fails if a claim of the docs does not hold. Positions and games are those of a player who makes a
certain move nineteen times out of twenty, and otherwise opens one of the eight least risky cells. ``--games N`` plays
more.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from typing import TYPE_CHECKING

from mineproof import Game, analyse, hint, review, why

if TYPE_CHECKING:
    from collections.abc import Callable

    from mineproof import Cell, Position

GAMES = 200
HASTE = 0.05


def careless(seed: int) -> tuple[Game, list[Position]]:
    """A game, and the positions before its moves."""
    rng = random.Random(seed)
    game = Game("expert", "opening", seed=seed)
    game.open("D4")
    positions = []
    while not game.over:
        found = analyse(game.position)
        positions.append(game.position)
        if found.safe and rng.random() > HASTE:
            game.open(min(found.safe))
        else:
            unsure = (cell for cell in game.position.where("H") if cell not in found.mined)
            game.open(rng.choice(sorted(unsure, key=lambda cell: float(found.probabilities[cell]))[:8]))
    return game, positions


def took(work: Callable[[], object]) -> float:
    """Processor time in milliseconds."""
    start = time.process_time()
    work()
    return 1e3 * (time.process_time() - start)


def explained(positions: list[Position], rng: random.Random) -> list[float]:
    """The time for one certain cell of each position."""
    figures = []
    for position in positions:
        found = analyse(position)
        certain: list[Cell] = sorted(found.safe | found.mined)
        if certain:
            cell = rng.choice(certain)
            figures.append(took(lambda position=position, cell=cell: why(position, cell)))  # type: ignore[misc]
    return figures


def main() -> int:
    games = int(sys.argv[sys.argv.index("--games") + 1]) if "--games" in sys.argv else GAMES
    rng = random.Random(1)
    played = [careless(seed) for seed in range(games)]
    positions = [position for _, before in played for position in rng.sample(before, min(5, len(before)))]
    reviews = [(game, review(game, playouts=0)) for game, _ in played]
    guesses = sum(told.guess for _, found in reviews for told in found.moves) / games
    figures = {
        ("one explanation (why)", 5): explained(positions, rng),
        ("one hint", 20): [took(lambda position=position: hint(position)) for position in positions],  # type: ignore[misc]
        ("marks alone, of a whole game", 200): [took(lambda game=game: review(game, playouts=0)) for game, _ in played],  # type: ignore[misc]
        ("review of a whole game", 1000): [took(lambda game=game: review(game)) for game, _ in played],  # type: ignore[misc]
    }
    print(f"{games} expert games, {guesses:.1f} guesses per game")
    holds = True
    for (what, most), some in figures.items():
        median, p99 = statistics.median(some), sorted(some)[int(len(some) * 0.99)]
        fine = median < most
        holds = holds and fine
        print(
            f"{'ok  ' if fine else 'MISS'} {what:32} median {median:8.2f} ms, p99 {p99:8.2f} ms, "
            f"n = {len(some)}  (median below {most} ms)",
            flush=True,
        )
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
