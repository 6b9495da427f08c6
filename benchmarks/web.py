"""100 simultaneous games on one server, on loopback: the time of a move, and of an analysis of an expert board.

    python benchmarks/web.py [--games 100] [--seconds 60] [--workers 1] [--pause 0.4] [--database URL]

Scripted clients play expert games through sockets: they open certain cells if they see any and random ones otherwise,
flag occasionally, request an analysis at every tenth move, and start a new game when one is over. Between two moves
each waits as long as a fast player does. At the end every game is fetched once more: all acknowledged moves must be
there. The clients share the machine with the server; on a busy machine the times are those of the queue, and the
processor time of the server is the figure to compare.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from typing import Any

import psutil
from websockets.asyncio.client import connect

from mineproof import Game, analyse
from mineproof.board.grid import Cell
from mineproof.board.position import Position

AIMS = {"move": 50, "analysis": 100}
"""Milliseconds, for 95 of 100."""


class Client:
    """Plays until time runs out."""

    def __init__(self, number: int, address: str, pause: float, ends: float) -> None:
        self.dice = random.Random(number)
        self.number, self.address, self.pause, self.ends = number, address, pause, ends
        self.took: dict[str, list[float]] = {"move": [], "analysis": []}
        self.played: dict[str, int] = {}
        self.errors: list[str] = []
        self.sure: list[Cell] = []

    async def run(self) -> None:
        """Game after game."""
        await asyncio.sleep(self.dice.random() * self.pause)
        while time.monotonic() < self.ends:
            made = await asyncio.to_thread(
                ask, f"{self.address}/api/games", {"level": "expert", "first_click": "opening"}
            )
            try:
                await self.play(made)
            except Exception as failure:  # any failure is counted
                self.errors.append(repr(failure))

    async def play(self, made: dict[str, Any]) -> None:
        """One game."""
        cells = bytearray(b"H" * 480)
        self.sure = []
        address = self.address.replace("http", "ws")
        async with connect(f"{address}/api/games/{made['id']}/socket", proxy=None, compression=None) as socket:
            await socket.recv()
            for number in range(10_000):
                if time.monotonic() > self.ends:
                    return
                kind = "analysis" if number % 10 == 9 else "move"
                text = {"do": "analyse"} if kind == "analysis" else {"do": "move", "move": self.choose(cells)}
                start = time.perf_counter()
                await socket.send(json.dumps({"id": f"{self.number}-{number}", **text}))
                answer = json.loads(await socket.recv())
                self.took[kind].append(1000 * (time.perf_counter() - start))
                if "ok" not in answer:
                    self.errors.append(str(answer))
                    continue
                if kind == "move":
                    self.played[made["id"]] = answer["ok"]["seq"]
                    for row, col, symbol in answer["ok"]["changed"]:
                        cells[30 * row + col] = ord(symbol)
                    if answer["ok"]["state"] != "playing":
                        return
                await asyncio.sleep(self.pause * self.dice.uniform(0.5, 1.5))

    def choose(self, cells: bytearray) -> str:
        """The next move; certain cells are not requested from the server."""
        closed = [index for index, symbol in enumerate(cells) if symbol == ord("H")]
        if len(closed) == 480:
            return "open D4"
        if self.dice.random() < 0.2:
            return f"flag {Cell(*divmod(self.dice.choice(closed), 30))}"
        self.sure = [cell for cell in self.sure if cells[30 * cell.row + cell.col] == ord("H")]
        if not self.sure:
            position = Position(GRID, 99, bytes(cells))
            self.sure = [cell for cell in analyse(position).safe if position[cell] == "H"]
        return f"open {self.sure.pop() if self.sure else Cell(*divmod(self.dice.choice(closed), 30))}"


GRID = Game("expert").grid


def ask(address: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    """A request and its answer."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(address, data, {"content-type": "application/json"})
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(request, timeout=60) as answer:
        found: dict[str, Any] = json.load(answer)
    return found


def busy(server: int) -> float:
    """Processor time of a server and its workers, in seconds."""
    processes = [psutil.Process(server), *psutil.Process(server).children()]
    return float(sum(one.cpu_times().user + one.cpu_times().system for one in processes))


def share(times: list[float], part: float) -> float:
    """The quantile of the times for this share."""
    return sorted(times)[min(len(times) - 1, int(part * len(times)))] if times else float("nan")


async def measure(address: str, server: int, games: int, seconds: float, pause: float) -> bool:
    """Play, and print the figures. Return whether all went well."""
    clients = [Client(number, address, pause, time.monotonic() + seconds) for number in range(games)]
    start, before = time.monotonic(), busy(server)
    await asyncio.gather(*(one.run() for one in clients))
    lasted = time.monotonic() - start
    errors = [error for one in clients for error in one.errors]
    played = {game: seq for one in clients for game, seq in one.played.items()}
    lost = [game for game, seq in played.items() if ask(f"{address}/api/games/{game}")["seq"] < seq]
    told = f"{len(played)} games, {len(errors)} errors, {len(lost)} games with lost moves"
    print(f"{games} players for {lasted:.0f} s: {told}")
    asked = sum(len(times) for one in clients for times in one.took.values())
    print(f"the server: {1000 * (busy(server) - before) / asked:.1f} ms of processor time per command")
    print(f"{'':10} {'number':>8} {'per s':>7} {'median':>9} {'p95':>9} {'p99':>9} {'longest':>9}   aim for p95")
    for kind, aim in AIMS.items():
        times = [took for one in clients for took in one.took[kind]]
        figures = " ".join(f"{share(times, part):6.1f} ms" for part in (0.5, 0.95, 0.99, 1))
        print(f"{kind:10} {len(times):8} {len(times) / lasted:7.1f} {figures}   {aim} ms")
    for error in errors[:5]:
        print(error[:300])
    return not errors and not lost


def main() -> None:
    """Start a server, play, and stop it."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--games", type=int, default=100)
    options.add_argument("--seconds", type=float, default=60)
    options.add_argument("--workers", type=int, default=1)
    options.add_argument("--pause", type=float, default=0.4)
    options.add_argument("--database")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "mineproof", "web", "--port", "0", "--no-browser"]
        command += ["--workers", str(chosen.workers), "--database", chosen.database or f"sqlite:///{folder}/web.db"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            found = re.search(r"http://[^/]+", server.stdout.readline())
            assert found is not None
            load = "/".join(f"{one:.1f}" for one in os.getloadavg())
            print(
                f"{os.cpu_count()} cores, load before {load}, {chosen.workers} worker(s), {chosen.database or 'SQLite'}"
            )
            well = asyncio.run(measure(found[0], server.pid, chosen.games, chosen.seconds, chosen.pause))
            server.terminate()
    sys.exit(not well)


if __name__ == "__main__":
    main()
