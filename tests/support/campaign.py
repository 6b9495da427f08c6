"""Many positions by number, examined in several processes, until somebody stops it: what is common to fuzz and soak.

A process that dies is a fault of the position that it was at, and replaced.
"""

from __future__ import annotations

import argparse
import faulthandler
import multiprocessing
import os
import secrets
import signal
import sys
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from itertools import islice
from math import inf
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterator
    from multiprocessing.process import BaseProcess

    from mineproof import Position

    Start = Callable[[int, int], tuple[str, Position, random.Random]]
    Examine = Callable[[int, int], "Report"]

EVERY = 20.0
"""Seconds between two lines of progress."""


@dataclass(frozen=True)
class Report:
    """What came of one position."""

    kind: str
    position: str
    """To paste."""
    counts: dict[str, int]
    """What was done with it."""
    faults: list[str]
    seconds: float = 0.0


class Worker(NamedTuple):
    """A process, and the number that it is at."""

    process: BaseProcess
    number: int


def _work(examine: Examine, seed: int, numbers: Connection) -> None:
    faulthandler.enable()
    while True:
        number = numbers.recv()
        began = time.monotonic()
        report = examine(seed, number)
        numbers.send(replace(report, seconds=time.monotonic() - began))


@dataclass
class Campaign:
    """What is asked for, and the sums so far."""

    start: Start
    examine: Examine
    seed: int
    numbers: Iterator[int]
    seconds: float = inf
    tables: dict[str, Counter[str]] = field(default_factory=dict)
    times: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    workers: dict[Connection, Worker] = field(default_factory=dict)
    wrong: int = 0

    def run(self, processes: int) -> int:
        """Examine all; the status for the shell."""
        began = told = time.monotonic()
        try:
            for number in islice(self.numbers, processes):
                self._employ(number)
            print(f"seed {self.seed}", flush=True)
            while self.workers and (now := time.monotonic()) < began + self.seconds:
                if now > told + EVERY:
                    told = now
                    print(f"{(now - began) / 60:.1f} minutes: {self._progress()}", flush=True)
                for ready in wait(self.workers, min(EVERY, began + self.seconds - now)):
                    self._read(ready)  # type: ignore[arg-type]
        except KeyboardInterrupt:
            print(f"\nstopped at {', '.join(str(worker.number) for worker in self.workers.values())}")
        finally:
            for worker in self.workers.values():
                worker.process.kill()
        print(self.table())
        return min(self.wrong, 1)

    def _employ(self, number: int) -> None:
        """Start a process with this number."""
        spawn = multiprocessing.get_context("spawn")
        ours, theirs = spawn.Pipe()
        process = spawn.Process(target=_work, args=(self.examine, self.seed, theirs), daemon=True)
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # inherited: Ctrl-C is for the process that looks on
        process.start()
        signal.signal(signal.SIGINT, before)
        theirs.close()
        ours.send(number)
        self.workers[ours] = Worker(process, number)

    def _read(self, ready: Connection) -> None:
        """Take a report, and hand out the next number: to a new process, if this one has died."""
        process, number = self.workers.pop(ready)
        try:
            report = ready.recv()
        except (EOFError, ConnectionError):
            process.join()
            kind, position, *_ = self.start(self.seed, number)
            report = Report(kind, repr(position), {}, [f"the process ended with status {process.exitcode}"])
        self.add(number, report)
        following = next(self.numbers, None)
        if following is None:
            process.kill()
        elif process.exitcode is None:
            ready.send(following)
            self.workers[ready] = Worker(process, following)
        else:
            self._employ(following)

    def add(self, number: int, report: Report) -> None:
        """Count a report, and print what is wrong."""
        row = self.tables.setdefault(report.kind, Counter())
        row.update({"positions": 1, **report.counts, "wrong": len(report.faults)})
        self.times[report.kind] += report.seconds
        self.wrong += len(report.faults)
        if report.faults:
            again = f"again: SEED={self.seed} ONLY={number}"
            print(f"number {number}, {report.kind}: {report.position}", *report.faults, again, sep="\n  ", flush=True)

    def _progress(self) -> str:
        kinds = ", ".join(f"{kind} {row['positions']:,}" for kind, row in self.tables.items())
        return f"{kinds}; {self.wrong or 'nothing'} wrong"

    def table(self) -> str:
        """A row for each kind, and all together; each process examines so many positions of a kind in a second."""
        together = "all", sum(self.tables.values(), Counter()), sum(self.times.values())
        rows = [*((kind, row, self.times[kind]) for kind, row in self.tables.items()), together]
        columns = [*dict.fromkeys(column for _, row, _ in rows for column in row if column != "wrong"), "wrong"]
        lines = [["kind", *columns, "per second"]]
        for kind, row, seconds in rows:
            rate = f"{row['positions'] / seconds:,.1f}" if seconds else ""
            lines.append([kind, *(f"{row[column]:,}" for column in columns), rate])
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        return "\n".join("  ".join([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])]) for line in lines)


def main(what: str, start: Start, examine: Examine, positions: int = sys.maxsize, seed: int | None = None) -> int:
    """Run a campaign as the command line says: by default so many positions of this seed, or of one that is drawn."""
    parser = argparse.ArgumentParser(description=what)
    parser.add_argument("--positions", type=int, default=positions, help="how many")
    parser.add_argument("--seconds", type=float, default=inf, help="how long, at most")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**6) if seed is None else seed)
    parser.add_argument("--only", type=int, metavar="NUMBER", help="one position, again")
    asked = parser.parse_args()
    numbers = iter(range(asked.positions) if asked.only is None else [asked.only])
    return Campaign(start, examine, asked.seed, numbers, asked.seconds).run(os.cpu_count() or 1)
