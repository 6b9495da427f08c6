"""Steps per second of the environments: single, the same number of single ones in Gymnasium's loop, and vectorised.

    python benchmarks/gym.py [--gym-minesweeper PYTHON] [--jumanji PYTHON]

Actions are random cells, open ones too; a game that ends starts again. With the interpreter of an environment in which
the package of that name is installed, the same loop runs there on the same level: gym-minesweeper has single
environments, and no boards that are wider than high; jumanji has vectorised ones, which JAX compiles, and in which a
zero opens alone. Prints a table, and fails if a claim of the docs does not hold. Seconds are processor time, of all
threads, the best of several rounds, so that a busy machine says nearly the same as an idle one.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np

import mineproof.apps.gym

if TYPE_CHECKING:
    from collections.abc import Callable

gymnasium.register_envs(mineproof.apps.gym)
ROUNDS = 5
STEPS = 20_000
CLAIM = 20
"""Vectorised against the same number of single environments."""
LEVELS = {"Beginner": (9, 9, 10), "Intermediate": (16, 16, 40), "Expert": (16, 30, 99)}

GYM_MINESWEEPER = """
import random, sys, time
from gym_minesweeper.envs import MinesweeperEnv
rows, cols, mines, steps, rounds = map(int, sys.argv[1:])
dice = random.Random(1)
actions = [(dice.randrange(rows), dice.randrange(cols)) for _ in range(steps)]
env = MinesweeperEnv(rows, cols, mines)
best = float("inf")
for _ in range(rounds):
    env.reset()
    begin = time.process_time()
    for action in actions:
        if env.step(action)[2]:
            env.reset()
    best = min(best, time.process_time() - begin)
print(steps / best)
"""

JUMANJI = """
import sys, time
import jax, numpy
from jumanji.environments.logic.minesweeper.env import Minesweeper
from jumanji.environments.logic.minesweeper.generator import UniformSamplingGenerator
from jumanji.wrappers import AutoResetWrapper
rows, cols, mines, count, calls, rounds = map(int, sys.argv[1:])
env = AutoResetWrapper(Minesweeper(generator=UniformSamplingGenerator(rows, cols, mines)))
step = jax.jit(jax.vmap(env.step))
state, _ = jax.jit(jax.vmap(env.reset))(jax.random.split(jax.random.PRNGKey(1), count))
actions = numpy.random.default_rng(1).integers((rows, cols), size=(calls, count, 2), dtype=numpy.int32)
state, seen = step(state, actions[0])  # compiles
best = float("inf")
for _ in range(rounds):
    begin = time.process_time()
    for action in actions:
        state, seen = step(state, action)
    jax.block_until_ready((state, seen))
    best = min(best, time.process_time() - begin)
print(calls * count / best)
"""


def rate(work: Callable[[], object], steps: int) -> float:
    """Steps per second, best of some rounds."""
    best = float("inf")
    for _ in range(ROUNDS):
        begin = time.process_time()
        work()
        best = min(best, time.process_time() - begin)
    return steps / best


def single(name: str, cells: int) -> float:
    """One environment, as `gymnasium.make` makes it."""
    env: Any = gymnasium.make(name)
    env.reset(seed=1)
    actions = np.random.default_rng(1).integers(cells, size=STEPS // 4).tolist()

    def work() -> None:
        for action in actions:
            _, _, terminated, truncated, _ = env.step(action)
            if terminated or truncated:
                env.reset()

    return rate(work, len(actions))


def many(name: str, cells: int, count: int, mode: str) -> float:
    """Many environments in one call: compiled, or single ones in Gymnasium's loop."""
    envs: Any = gymnasium.make_vec(name, num_envs=count, vectorization_mode=mode)
    envs.reset(seed=1)
    calls = max(2, STEPS // count) if mode == "sync" else max(200, STEPS // count)
    actions = np.random.default_rng(1).integers(cells, size=(calls, count))

    def work() -> None:
        for action in actions:
            envs.step(action)

    return rate(work, actions.size)


def elsewhere(python: str, code: str, *arguments: int) -> float:
    """The same loop in another interpreter."""
    command = [python, "-P", "-c", code, *map(str, arguments)]  # -P: this file is called gym, too
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr)
    return float(done.stdout.split()[-1])


def main() -> int:
    arguments = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    arguments.add_argument("--gym-minesweeper", metavar="PYTHON", help="an interpreter that has gym-minesweeper")
    arguments.add_argument("--jumanji", metavar="PYTHON", help="an interpreter that has jumanji")
    chosen = arguments.parse_args()
    holds = True
    for level, (rows, cols, mines) in LEVELS.items():
        name, cells = f"mineproof/{level}Any-v0", rows * cols
        alone = single(name, cells)
        print(f"     {level}: single {alone:,.0f} steps per second")
        if chosen.gym_minesweeper and rows == cols:
            theirs = elsewhere(chosen.gym_minesweeper, GYM_MINESWEEPER, rows, cols, mines, STEPS // 10, ROUNDS)
            print(f"     {level}: gym-minesweeper {theirs:,.0f}, so single × {alone / theirs:.1f}")
        for count in (16, 64, 1024):
            slow, fast = many(name, cells, count, "sync"), many(name, cells, count, "vector_entry_point")
            kept = fast / slow >= CLAIM
            holds &= kept
            print(
                f"{'ok  ' if kept else 'MISS'} {level}: {count} vectorised {fast:,.0f}, {count} single {slow:,.0f}: "
                f"× {fast / slow:.0f}  (at least × {CLAIM})"
            )
        if chosen.jumanji:
            theirs = elsewhere(chosen.jumanji, JUMANJI, rows, cols, mines, count, 100, ROUNDS)
            print(f"     {level}: {count} of jumanji {theirs:,.0f}, so ours × {fast / theirs:.1f}")
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
