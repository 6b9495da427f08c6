"""Lee's player three ways, on the same boards: ``python benchmarks/matching.py FILE [games]``.

The printed code, transcribed with hardly a thought of speed (``tests/support/lee.py``), with the clauses of a round in
the order of a Python set, as printed; the agent ``matching``; and the same agent if two clauses stay when their
resolvent is inserted. A win is the report's: every cell is marked, mines too. FILE keeps each game, so that an
interrupted run continues.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from mineproof import Game
from mineproof.agents.reasoner import Reasoner
from mineproof.agents.registry import find_agent
from mineproof.agents.systems import find_system
from mineproof.arena.match import finish
from mineproof.arena.statistics import wilson
from mineproof.logic.matching import Follower
from support.lee import Hurried

LEE = find_system("lee")
KEPT = "matching:keep-parents,rounds=unlimited"
PLAYERS = ("printed", LEE.agent, KEPT)
SEED = 2026


def won(player: str, game: Game) -> bool:
    """Whether a player marks every cell of a game."""
    if player == "printed":
        return Hurried(game.position, list).play(game)
    agent = find_agent(player).make()
    assert isinstance(agent, Reasoner)
    finish(agent, game)
    (mind,) = agent.minds
    assert isinstance(mind, Follower)
    mind.infer(game.position)
    return len(mind.base.facts) == len(game.grid)


def main(path: Path, games: int) -> None:
    known: dict[str, list[bool]] = {}
    if path.exists():
        for line in path.read_text("utf-8").splitlines():
            known.update(json.loads(line))
    with path.open("a", encoding="utf-8") as file:
        for level in LEE.levels:
            for board in range(games):
                if f"{level} {board}" not in known:
                    results = [won(player, Game(level, LEE.rules, seed=SEED, index=board)) for player in PLAYERS]
                    known[f"{level} {board}"] = results
                    file.write(json.dumps({f"{level} {board}": results}) + "\n")
                    file.flush()
    print(f"won of {games}, % (95 % interval)  {'  '.join(f'{player:>22}' for player in PLAYERS)}")
    for level in LEE.levels:
        rows = [known[f"{level} {board}"] for board in range(games)]
        cells = []
        for number in range(len(PLAYERS)):
            wins = sum(row[number] for row in rows)
            low, high = wilson(wins, games)
            cells.append(f"{100 * wins / games:.1f} ({100 * low:.1f}–{100 * high:.1f})")
        differ = sum(len(set(row)) > 1 for row in rows)
        print(f"{level:32}{'  '.join(f'{cell:>22}' for cell in cells)}  not all the same: {differ} boards")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 200)
