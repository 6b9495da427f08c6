"""A laboratory for guesses.

``python benchmarks/lab.py play best deep --out study`` measures how many points the second agent wins more than the
first, with a 95 % interval, and the same by the number of boards that were left. ``python benchmarks/lab.py score
best:dead=no study`` says what another agent would gain by its choices at the same guesses. The same command continues
where it stopped; Ctrl-C loses the games of one file at most.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from mineproof.arena.engines import processes
from mineproof.arena.lab import BOARDS, Shelf, Study
from mineproof.errors import MineproofError


def at_least_one(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a whole number of at least 1")
    return int(text)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    play = commands.add_parser("play", help="what the second agent wins more often than the first")
    play.add_argument("judge")
    play.add_argument("walker")
    play.add_argument("--level", default="expert")
    play.add_argument("--rules", default="safe", help="the first click: any, safe or opening")
    play.add_argument("--seed", type=int, default=1)
    play.add_argument("--boards", type=int, default=BOARDS, help="on which a cell is weighed")
    play.add_argument("--rivals", type=int, default=0, help="cells that are weighed at every guess")
    play.add_argument("--games", type=at_least_one, default=1000)
    play.add_argument("--workers", type=at_least_one, default=1)
    play.add_argument("--out", type=Path, help="folder for the records")
    score = commands.add_parser("score", help="what an agent would gain at the guesses of a study")
    score.add_argument("agent")
    score.add_argument("folder", type=Path)
    given = parser.parse_args()
    try:
        return run(given)
    except KeyboardInterrupt:
        print("interrupted; the same command continues", file=sys.stderr)
        return 130
    except (MineproofError, OSError) as failure:
        print(failure, file=sys.stderr)
        return 2


def run(given: argparse.Namespace) -> int:
    with Progress(console=Console(stderr=True), transient=True) as bar, tempfile.TemporaryDirectory() as scratch:
        if given.command == "score":
            task = bar.add_task("games", total=None)
            found = Shelf(given.folder).score(given.agent, lambda games: bar.advance(task, games))
            who = given.agent
        else:
            wanted = (given.judge, given.walker, given.level, given.rules, given.seed, given.boards, given.rivals)
            shelf = Shelf(given.out or Path(scratch), Study(*wanted))
            task = bar.add_task("games", total=given.games)
            with processes(given.workers) as engine:
                shelf.play(given.games, engine, lambda games: bar.advance(task, games))
            found, who = shelf.gain(), f"{given.walker} against {given.judge}"
    if not found.games:
        print("no games yet")
        return 0
    print(f"{who}: {found}", *found.lines(), sep="\n  ")
    if given.command == "play":
        mean, half = found.chance.mean(found.games)
        print(f"{given.walker} wins {mean:.2f} ± {half:.2f} %")
    return 0


if __name__ == "__main__":
    sys.exit(main())
