"""The gain from two workers, and the cost of records: ``best`` at expert. Prints a table.

Fails if two workers play less than 1.8 times the games of one, or if records and display cost 5 % or more.
``--games N`` plays more.
"""

from __future__ import annotations

import pickle
import resource
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from mineproof import Level, Rules
from mineproof.arena.chunks import play_chunk
from mineproof.arena.engines import processes
from mineproof.arena.records import Records
from mineproof.arena.tournament import Plan, Standing, tournament


def games_per_second(plan: Plan, workers: int, folder: Path | None = None) -> float:
    """Games per second of wall-clock time, with workers already started, as in a long run."""
    with processes(workers) as engine:
        for future in [engine.executor.submit(time.sleep, 0.3) for _ in range(workers)]:
            future.result()
        store = None if folder is None else Records(folder, plan)
        began = time.perf_counter()
        tournament(plan, engine, store=store)
        return plan.total / (time.perf_counter() - began)


def handled_per_second(plan: Plan, folder: Path) -> float:
    """Games per second that the main process can receive from its workers, including records."""
    store = Records(folder, plan)
    standing = Standing(plan)
    chunk = replace(next(plan.chunks()), run=store.run)
    sent = pickle.dumps(play_chunk(chunk))
    began = time.perf_counter()
    for turn in range(50):
        played = pickle.loads(sent)
        store.save(replace(chunk, first=turn * plan.size), played)
        standing.add(chunk, played)
    return 50 * chunk.games / (time.perf_counter() - began)


def main() -> int:
    games = int(sys.argv[sys.argv.index("--games") + 1]) if "--games" in sys.argv else 20_000
    plan = Plan(("best",), (Level.parse("expert"),), Rules("safe"), games, 1)
    holds = True
    with tempfile.TemporaryDirectory() as folder:
        bare, kept, two = [], [], []
        for turn in range(3):  # in turns, because the speed of a machine varies
            bare.append(games_per_second(plan, 1))
            kept.append(games_per_second(plan, 1, Path(folder) / str(turn)))
            two.append(games_per_second(plan, 2))
        handled = handled_per_second(replace(plan, games=640_000), Path(folder) / "handled")
        size = sum(path.stat().st_size for path in (Path(folder) / "0").rglob("*.parquet")) / games
    one, with_records, both = max(bare), max(kept), max(two)
    for what, fine in (
        (f"one worker {one:.0f} games per second, two {both:.0f}: × {both / one:.2f}", both > 1.8 * one),
        (f"records cost {100 * (1 - with_records / one):.1f} % ({size:.0f} bytes per game)", with_records > 0.95 * one),
    ):
        holds &= fine
        print(f"{'ok  ' if fine else 'MISS'} {what}", flush=True)
    print(f"     the main process can receive {handled:,.0f} games per second, in chunks of 10,000")
    print(f"     peak memory of this process {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
