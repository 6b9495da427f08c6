"""Boards that need no guess, per second of one core: against ms-toollib and Simon Tatham's Mines, in one run.

Prints a table and fails when a claim of the docs does not hold. What counts is processor time, so that a busy machine
slows nobody down. Boards are counted as each maker calls them solved; the solvers differ. Only ``uniform`` and
``laymine_solvable`` take boards as they come; the others change them.
"""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from mineproof import Level, Limit, OutOfTime, no_guess

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 3
SECONDS = 4.0
"""For each maker, in each round."""
TATHAM_BOARDS = 200
"""As many in each round: a program that is stopped does not print its last ones."""

MS_TOOLLIB = """
import ms_toollib
while True:
    if ms_toollib.{name}(16, 30, {mines}, 7, 14)[1]:
        print(flush=True)
"""


def ours(method: str, mines: int) -> tuple[int, float]:
    """Boards, and the processor time that they took."""
    began = time.process_time()
    boards = no_guess(
        Level(16, 30, mines), start="O8", method=method, count=None, tries=2**60, limit=Limit(seconds=2 * SECONDS)
    )
    made = 0
    with suppress(OutOfTime):
        while time.process_time() - began < SECONDS:
            next(boards)
            made += 1
    return made, time.process_time() - began


def program(command: list[str]) -> tuple[int, float]:
    """The same of a program that prints a line for each board, until it ends or its time is over."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        try:
            printed, _ = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            printed, _ = process.communicate()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return printed.count(b"\n"), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def rates(mines: int) -> dict[str, float]:
    """Boards per second of everybody who makes them, over all rounds."""
    makers: dict[str, Callable[[], tuple[int, float]]] = {
        "fast": lambda: ours("fast", mines),
        "uniform": lambda: ours("uniform", mines),
    }
    for name in ("laymine_solvable", "laymine_solvable_adjust"):
        script = MS_TOOLLIB.format(name=name, mines=mines)
        makers[name] = lambda script=script: program([sys.executable, "-c", script])  # type: ignore[misc]
    tatham = shutil.which("sgt-mines") or shutil.which("sgt-mines", path="/usr/games")
    if tatham is not None:
        makers["sgt-mines"] = lambda: program([tatham, "--generate", f"{TATHAM_BOARDS}", f"30x16n{mines}"])
    made = dict.fromkeys(makers, 0)
    took = dict.fromkeys(makers, 0.0)
    for _ in range(ROUNDS):
        for name, make in makers.items():
            boards, seconds = make()
            made[name] += boards
            took[name] += seconds
    return {name: made[name] / took[name] for name in makers}


def main() -> int:
    all_hold = True
    for mines in (99, 130, 150):
        found = rates(mines)
        print(f"30x16, {mines} mines, boards per second: " + ", ".join(f"{name} {n:,.1f}" for name, n in found.items()))
        peers = {name: n for name, n in found.items() if name not in ("fast", "uniform")}
        claims = [("fast", name, 5) for name in peers]
        claims += [("uniform", name, 1) for name in (peers if mines == 99 else ["laymine_solvable"])]
        for own, peer, least in claims:
            holds = found[own] >= least * found[peer]
            all_hold = all_hold and holds
            ratio = f"× {found[own] / found[peer]:.1f}" if found[peer] else "the peer made none"
            print(f"{'ok  ' if holds else 'MISS'} {own} against {peer}: {ratio}  (at least × {least})", flush=True)
    if "sgt-mines" not in found:
        print("Simon Tatham's Mines was left out: it is not installed (Debian: apt-get install sgt-puzzles).")
    return 0 if all_hold else 1


if __name__ == "__main__":
    sys.exit(main())
