"""Endgames searched exactly: ``python benchmarks/endgames.py [games]``.

Guesses of ``best`` at expert, by the number of solutions that are left: how many of these endgames the search solves
within its budget of nodes, and the processor time that it takes.
"""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from math import log10
from statistics import median, quantiles

from mineproof import Game, IllegalMove, Limit, Position, analyse
from mineproof._native.playing import Player
from mineproof.agents.registry import AGENTS

BINS = (2.5, 3.0, 3.5, 4.0, 4.5)  # powers of ten
NODES = 200_000
PATIENT = Limit(seconds=600)


def guesses(games: int) -> dict[float, list[Position]]:
    """Positions of guesses, by the bin that their number of solutions falls into."""
    found: dict[float, list[Position]] = {bin_: [] for bin_ in BINS}
    agent = AGENTS["best"].make()
    for seed in range(games):
        game = Game.from_id(f"expert/safe#{seed}")
        agent.reset(0)
        while not game.over:
            decision = agent.choose(game.position)
            if not decision.certain and game.moves:
                solutions = log10(analyse(game.position).solutions)
                for bin_ in BINS:
                    if bin_ - 0.25 <= solutions < bin_ + 0.25:
                        found[bin_].append(game.position)
            for move in decision.moves:
                with suppress(IllegalMove):  # a cell that a zero has opened; or the game was won
                    game.play(move)
    return found


def main(games: int) -> None:
    print(f"{'solutions':>14}{'endgames':>10}{'solved':>9}{'median':>12}{'9 of 10':>12}")
    for bin_, positions in guesses(games).items():
        times, solved = [], 0
        for position in positions:
            player = Player(boards=10**6, nodes=NODES)
            symbols = position.cells
            began = time.process_time()
            chance = player.chance(position.rows, position.cols, symbols, position.mines, PATIENT.start())
            times.append(1000 * (time.process_time() - began))
            solved += chance is not None
        if len(times) > 1:
            print(
                f"{f'10^{bin_ - 0.25} to {bin_ + 0.25}':>14}{len(times):10}{solved / len(times):9.0%}"
                f"{median(times):9.1f} ms{quantiles(times, n=10)[-1]:9.1f} ms",
                flush=True,
            )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
