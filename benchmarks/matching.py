"""Lee's player three ways, on the same boards: ``python benchmarks/matching.py FILE [games]``.

The printed code, transcribed with hardly a thought of speed (``tests/support/lee.py``), with the clauses of a round in
the order in which they came, as a set has them under PyPy, which the report used, and here runs it if there is one; the
agent ``matching``; and the same agent if two clauses stay when their resolvent is inserted. A win is the report's:
every cell is marked, mines too. FILE keeps each game, so that an interrupted run continues.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from mineproof import Game, Limit
from mineproof.agents.reasoner import Reasoner
from mineproof.agents.registry import find_agent
from mineproof.agents.systems import find_system
from mineproof.arena.match import finish
from mineproof.arena.statistics import wilson
from mineproof.logic.matching import Follower

LEE = find_system("lee")
PLAYERS = ("printed", LEE.agent, f"{LEE.agent}:keep-parents,rounds=unlimited")
SEED = 2026
PATIENT = Limit(seconds=600)


class Transcription:
    """The printed code in a process of its own."""

    def __init__(self) -> None:
        self.python = shutil.which("pypy3") or sys.executable
        command = [self.python, str(Path(__file__).with_name("printed.py"))]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def play(self, game: Game) -> dict[str, Any]:
        assert game.layout is not None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        index = game.grid.index
        board = {
            "rows": game.rows,
            "cols": game.cols,
            "mines": [cell for cell, mine in enumerate(game.layout.mask) if mine],
            "given": [index(cell) for cell in game.given],
        }
        self._process.stdin.write(json.dumps(board) + "\n")
        self._process.stdin.flush()
        found: dict[str, Any] = json.loads(self._process.stdout.readline())
        return found


def played(player: str, game: Game, transcription: Transcription) -> dict[str, Any]:
    """Whether a player marks every cell of a game, and its processor time."""
    if player == "printed":
        return transcription.play(game)
    agent = find_agent(player).make()
    assert isinstance(agent, Reasoner)
    began = time.process_time()
    finish(agent, game, PATIENT)
    (mind,) = agent.minds
    assert isinstance(mind, Follower)
    mind.infer(game.position)
    return {"won": len(mind.base.facts) == len(game.grid), "seconds": time.process_time() - began}


def main(path: Path, games: int) -> None:
    known: dict[str, list[dict[str, Any]]] = {}
    if path.exists():
        for line in path.read_text("utf-8").splitlines():
            known.update(json.loads(line))
    transcription = Transcription()
    with path.open("a", encoding="utf-8") as file:
        for level in LEE.levels:
            for board in range(games):
                key = f"{level} {board}"
                if key not in known:
                    game = Game(level, LEE.rules, seed=SEED, index=board)
                    known[key] = [played(player, Game.from_id(game.id), transcription) for player in PLAYERS]
                    file.write(json.dumps({key: known[key]}) + "\n")
                    file.flush()
    print(f"{games} boards per level; the printed code ran under {Path(transcription.python).name}")
    for level in LEE.levels:
        rows = [known[f"{level} {board}"] for board in range(games)]
        for number, player in enumerate(PLAYERS):
            wins = sum(row[number]["won"] for row in rows)
            low, high = wilson(wins, games)
            times = [row[number]["seconds"] for row in rows]
            print(
                f"{level:8}{player:40}{100 * wins / games:5.1f} % ({100 * low:.1f}–{100 * high:.1f})"
                f"{mean(times):10.3f} ± {stdev(times):.3f} s"
            )
        differ = sum(len({found["won"] for found in row}) > 1 for row in rows)
        print(f"{level:8}not all three the same: {differ} boards")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 200)
