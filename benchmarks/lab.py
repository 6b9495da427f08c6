"""A laboratory for guesses: what one agent wins more often than another, measured at the guesses where they differ.

``python benchmarks/lab.py play best deep --out study`` measures how many points the second agent wins more than the
first, with a 95 % interval, and the same by the number of boards that were left. ``python benchmarks/lab.py score
best:dead=no study`` says what another agent would gain by its choices at the same guesses. The same command continues
where it stopped; Ctrl-C loses the games of one file at most.

The *walker* plays games in which a guess costs its risk, but does not end them: the game goes on where the guess was
safe, on another board if need be. At each guess the *judge* is asked too. Where they choose different cells, both cells
are weighed: opened on the same boards, drawn from the position, on which the judge then plays on. The differences,
weighted by the chance that all guesses before were safe, and summed over a game, are on average exactly what the walker
wins more often than the judge (Kakade and Langford, 2002: the performance difference lemma). No luck before a guess is
in that sum, and as little as possible after it; so its error is far smaller than the difference of two arena runs.

The guesses are kept with their positions, what the judge considered, and what each cell was worth. So another agent can
be asked later what it would have done there: `score`.
"""

from __future__ import annotations

import argparse
import io
import json
import sys
import tempfile
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property, partial
from hashlib import blake2b
from math import inf, log, sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from rich.console import Console
from rich.progress import Progress

from mineproof._native import counting
from mineproof._native.field import Field
from mineproof._native.mining import lay
from mineproof.agents.chooser import Why
from mineproof.agents.counting import Counting
from mineproof.agents.first_click import first_click
from mineproof.agents.registry import find_agent
from mineproof.arena.binomial import Z
from mineproof.arena.chunks import RADIUS
from mineproof.arena.engines import Engine, in_process, processes, work
from mineproof.arena.tournament import Plan
from mineproof.board.layout import check_seed
from mineproof.board.level import Level
from mineproof.board.position import Position
from mineproof.board.rules import Rules
from mineproof.errors import BadRecords, InvalidArgument, MineproofError, OutOfTime
from mineproof.files import write_file
from mineproof.limit import Limit
from mineproof.odds.analysis import analyse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from mineproof._native.playing import Choice, Player

BOARDS = 32
"""By default, the boards on which a cell is weighed."""
MOST_BOARDS = 100_000
CHUNK = 50
"""Games per file."""
GUESSES = 2**20
"""Numbers for the guesses of a game."""
PATIENCE = Limit(seconds=600)
"""For a game, and for weighing the cells of a guess. A game that needs more is left out, and counted."""
STAGES = {"up to 10^3": 3.0, "10^3 to 10^6": 6.0, "10^6 to 10^12": 12.0, "10^12 to 10^30": 30.0, "more": inf}
"""By the number of boards consistent with the position of a guess."""

_CHOICE = pa.struct([("cell", pa.string()), ("risk", pa.float64()), ("score", pa.float64()), ("why", pa.string())])
_WEIGHED = pa.struct([("cell", pa.string()), ("worth", pa.float64())])
SCHEMA = pa.schema(
    [
        ("game", pa.int64()),
        ("chance", pa.float64()),
        (
            "guesses",
            pa.list_(
                pa.struct(
                    [
                        ("position", pa.string()),
                        ("weight", pa.float64()),
                        ("log10_solutions", pa.float64()),
                        ("opened", pa.int32()),
                        ("judge", _CHOICE),
                        ("walker", _CHOICE),
                        ("considered", pa.list_(_CHOICE)),
                        ("weighed", pa.list_(_WEIGHED)),
                    ]
                )
            ),
        ),
    ]
)
"""One row per game. ``chance`` is a fair estimate of the walker's chance to win, null if the game took too long.
``weight`` is the chance that all guesses before were safe; ``worth`` the chance to win from the position on if the cell
is opened and the judge plays on."""


@dataclass(frozen=True)
class Study:
    """Who walks, who judges, and where."""

    judge: str
    walker: str
    level: str = "expert"
    rules: str = "safe"
    seed: int = 1
    boards: int = BOARDS
    rivals: int = 0
    """Of the cells that the judge considered, those with the best scores are weighed too, at every guess."""

    def __post_init__(self) -> None:
        if not 1 <= self.boards <= MOST_BOARDS or self.rivals < 0:
            raise InvalidArgument(f"the laboratory weighs cells on 1 to {MOST_BOARDS:,} boards")
        check_seed(self.seed)
        level, rules = Level.parse(self.level), Rules.parse(self.rules)
        if level.mines is None or rules.first_click not in RADIUS:
            raise InvalidArgument("the laboratory needs a number of mines, and the first click any, safe or opening")
        Plan("best", level, rules, games=1)  # such boards exist
        for name in (self.judge, self.walker):
            _player(name)

    @property
    def versions(self) -> list[int]:
        """Of the two agents: another version is another study."""
        return [find_agent(name).version for name in (self.judge, self.walker)]

    @cached_property
    def _players(self) -> tuple[Player, Player]:
        return _player(self.judge), _player(self.walker)

    def games(self, numbers: Iterable[int]) -> list[dict[str, Any]]:
        """These games, as rows of the records."""
        found = []
        for game in numbers:
            try:
                chance, guesses = self._walk(game)
            except OutOfTime:
                chance, guesses = None, []
            found.append({"game": game, "chance": chance, "guesses": guesses})
        return found

    def _walk(self, game: int) -> tuple[float, list[dict[str, Any]]]:
        """A game of the walker: its chance, and the guesses."""
        level, rules = Level.parse(self.level), Rules.parse(self.rules)
        grid, mines = level.grid, level.mines or 0
        start = first_click(Position.blank(grid, mines), rules)
        assert start is not None
        at, radius = grid.index(start), RADIUS[rules.first_click]
        board = lay(grid.rows, grid.cols, mines, at, radius, self.seed, game)
        if board[at]:
            return 0.0, []  # under the rule that it may be a mine
        judge, walker = self._players
        chance, guesses = 1.0, list[dict[str, Any]]()
        field, to_open = _opened(grid.rows, grid.cols, board, [at]), len(grid) - mines
        while field.opened < to_open:
            position = Position(grid, mines, field.text())
            safe, choice, _ = _ask(walker, position)
            if choice is None:
                for index in safe:
                    if field.symbol(index) == ord("H"):
                        field.open(index)
                continue
            _, judged, considered = _ask(judge, position)
            assert judged is not None
            if not choice["why"] == judged["why"] == "exact":  # else both play perfectly from here on
                number = number_of(game, len(guesses))
                guesses.append(self._guess(number, position, chance, field.opened, judged, choice, considered))
            if choice["why"] == "exact":
                return chance * choice["score"], guesses
            chance *= 1 - choice["risk"]
            index = grid.index(choice["cell"])
            if board[index]:
                named = analyse(position.with_symbol(choice["cell"], "S"), PATIENCE)
                seed = self._seed(number_of(game, field.opened), "board")
                board = named.samples(1, seed=seed, limit=PATIENCE)[0].tobytes()
                field = _opened(grid.rows, grid.cols, board, map(grid.index, position.where("012345678")))
            field.open(index)
        return chance, guesses

    def _seed(self, number: int, purpose: str) -> int:
        told = f"{self.seed} {number} {purpose}".encode()
        return int.from_bytes(blake2b(told, digest_size=8).digest(), "little")

    def _guess(
        self,
        number: int,
        position: Position,
        weight: float,
        opened: int,
        judge: dict[str, Any],
        walker: dict[str, Any],
        considered: list[dict[str, Any]],
    ) -> dict[str, Any]:
        guess: dict[str, Any] = {
            "position": position.to_text(),
            "weight": weight,
            "log10_solutions": analyse(position, PATIENCE).log_solutions / log(10),
            "opened": opened,
            "judge": judge,
            "walker": walker,
            "considered": considered,
            "weighed": [],
        }
        if self.rivals or _differ(judge, walker):
            best = sorted(considered, key=lambda choice: -choice["score"])[: self.rivals]
            self.weigh(number, guess, [judge, walker, *best])
        return guess

    def weigh(self, number: int, guess: dict[str, Any], choices: Iterable[dict[str, Any]]) -> None:
        """Weigh the cells of these choices at a guess with this number, unless they are known or exact already. The
        boards are the same whenever it is done."""
        known = {one["cell"] for one in guess["weighed"]}
        missing = {c["cell"]: c["risk"] for c in choices if c["why"] != "exact" and c["cell"] not in known}
        at, seed = Position.from_text(guess["position"]), self._seed(number, "weigh")
        for cell, risk in missing.items():
            first = (at.grid.index(cell),)
            chances = self._players[0].play_out(
                at.rows, at.cols, at.cells, at.mines, seed, self.boards, inf, PATIENCE.start(), first
            )
            if chances is None or len(chances) < self.boards:
                raise OutOfTime("a guess took too long to weigh")
            guess["weighed"].append({"cell": cell, "worth": (1 - risk) * sum(chances) / self.boards})


def _opened(rows: int, cols: int, board: bytes, cells: Iterable[int]) -> Field:
    """A game on a board, in which these cells are open."""
    field = Field(rows, cols)
    field.lay(board)
    for cell in cells:
        if field.symbol(cell) == ord("H"):
            field.open(cell)
    return field


def _ask(player: Player, position: Position) -> tuple[list[int], dict[str, Any] | None, list[dict[str, Any]]]:
    """The safe cells; if there are none, the choice of a player, and all that were considered."""
    rows, cols = position.rows, position.cols
    outcome, marks, choice, considered = player.choose(
        rows, cols, position.cells, position.mines, np.empty((rows, cols)), PATIENCE.start()
    )
    if outcome != counting.COUNTED:
        raise OutOfTime("a position took too long to count")
    told = partial(_told, position)
    safe = [index for index, mark in enumerate(marks) if mark == counting.MARK_SAFE]
    return safe, None if choice is None else told(choice), list(map(told, considered))


def number_of(game: int, guess: int) -> int:
    """The number of a guess."""
    return (game + 1) * GUESSES + guess


def _player(name: str) -> Player:
    spec = find_agent(name)
    agent = spec.make()
    if spec.looks_ahead is None or not isinstance(agent, Counting):
        raise InvalidArgument(f"the laboratory compares agents that compiled code plays, and {name} is none")
    return agent.player


def _told(position: Position, choice: Choice) -> dict[str, Any]:
    """A choice as it is kept."""
    cell, risk, score, why = choice
    return {"cell": str(position.grid.cell(cell)), "risk": risk, "score": score, "why": Why(why).name.lower()}


def _differ(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two choices can lead to different chances: two cells, or perfect play against a rule."""
    exact = [choice["why"] == "exact" for choice in (one, other)]
    return bool(one["cell"] != other["cell"]) or exact[0] != exact[1]


def _worth(guess: dict[str, Any], choice: dict[str, Any]) -> float:
    """What a choice is worth: the chance itself if the rest of the game was searched."""
    if choice["why"] == "exact":
        return float(choice["score"])
    return float(next(one["worth"] for one in guess["weighed"] if one["cell"] == choice["cell"]))


# -- sums ----------------------------------------------------------------------------------------------------------


@dataclass
class Sums:
    """Numbers, one per game: their sum, and that of their squares."""

    total: float = 0.0
    squares: float = 0.0
    guesses: int = 0
    """That made the number other than 0."""

    def add(self, number: float) -> None:
        """One more."""
        self.total += number
        self.squares += number * number

    def mean(self, games: int) -> tuple[float, float]:
        """The mean over this many games, in points, and half of its 95 % interval. All other games count 0."""
        mean = self.total / games
        return 100 * mean, 100 * Z * sqrt(max(0.0, self.squares / games - mean * mean) / games)


@dataclass
class Gain:
    """What an agent wins more often than the judge, in points, and how often the walker wins."""

    games: int = 0
    failed: int = 0
    """Other games, with a position that took too long to count."""
    guesses: int = 0
    chance: Sums = field(default_factory=Sums)
    all: Sums = field(default_factory=Sums)
    stages: dict[str, Sums] = field(default_factory=lambda: {stage: Sums() for stage in STAGES})

    @property
    def points(self) -> float:
        """The difference, in points."""
        return self.all.mean(self.games)[0]

    @property
    def half(self) -> float:
        """Half of its 95 % interval."""
        return self.all.mean(self.games)[1]

    def __str__(self) -> str:
        told = f"{self.points:+.3f} ± {self.half:.3f} points in {self.games:,} games; "
        told += f"different at {self.all.guesses:,} of {self.guesses:,} guesses"
        return told + (f"; {self.failed:,} other game{'s' * (self.failed != 1)} took too long" if self.failed else "")

    def lines(self) -> Iterator[str]:
        """The difference by stage."""
        for stage, sums in self.stages.items():
            if sums.guesses:
                mean, half = sums.mean(self.games)
                yield f"{stage + ' boards left':28} {mean:+.3f} ± {half:.3f} points, {sums.guesses:,} guesses"


def gain(games: Iterable[dict[str, Any]], who: str = "walker") -> Gain:
    """What the choices of these games, the walker's or those that `score` has added, win more than the judge's."""
    found = Gain()
    for game in games:
        if game["chance"] is None:
            found.failed += 1
            continue
        found.games += 1
        found.chance.add(game["chance"])
        sums = dict.fromkeys(STAGES, 0.0)
        for guess in game["guesses"]:
            found.guesses += 1
            if not _differ(guess["judge"], guess[who]):
                continue
            stage = next(name for name, most in STAGES.items() if guess["log10_solutions"] <= most)
            sums[stage] += guess["weight"] * (_worth(guess, guess[who]) - _worth(guess, guess["judge"]))
            found.stages[stage].guesses += 1
            found.all.guesses += 1
        found.all.add(sum(sums.values()))
        for stage, number in sums.items():
            found.stages[stage].add(number)
    return found


# -- records -------------------------------------------------------------------------------------------------------


def _played(study: Study, chunk: int) -> bytes:
    """The file of a chunk of games."""
    return _parquet(study.games(range(chunk * CHUNK, (chunk + 1) * CHUNK)))


def _parquet(games: list[dict[str, Any]]) -> bytes:
    file = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(games, SCHEMA), file, compression="zstd")
    return file.getvalue()


class Shelf:
    """A folder with the games of a study: ``study.json``, and a Parquet file in ``games`` for every ``CHUNK`` games.

    A new folder is made for the study; one with another study is refused.
    """

    def __init__(self, folder: Path, study: Study | None = None) -> None:
        self.folder = folder
        about = folder / "study.json"
        if study is not None and not about.exists():
            folder.mkdir(parents=True, exist_ok=True)
            write_file(about, json.dumps(asdict(study) | {"versions": study.versions}).encode())
        try:
            found = json.loads(about.read_bytes())
            versions = found.pop("versions")
            self.study = Study(**found)
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as failure:
            raise BadRecords(f"{folder} has no games of the laboratory") from failure
        for name, value in asdict(study or self.study).items():
            if value != getattr(self.study, name):
                raise BadRecords(f"{folder} has another study: its {name} is {getattr(self.study, name)}")
        if versions != self.study.versions:
            raise BadRecords(f"{folder} has games of other versions of the agents")
        (folder / "games").mkdir(exist_ok=True)

    def _path(self, chunk: int) -> Path:
        return self.folder / "games" / f"{chunk:06}.parquet"

    def play(
        self,
        games: int,
        engine: Engine | None = None,
        progress: Callable[[int], None] = lambda _games: None,
    ) -> None:
        """Play until there are at least this many games; a few more, to fill the last file. What is there is kept."""
        wanted = [chunk for chunk in range(-(-games // CHUNK)) if not self._path(chunk).exists()]
        for chunk, data in work(engine or in_process(), partial(_played, replace(self.study)), wanted):
            write_file(self._path(chunk), data)
            progress(CHUNK)

    def _files(self) -> Iterator[tuple[Path, list[dict[str, Any]]]]:
        for path in sorted((self.folder / "games").glob("*.parquet")):
            try:
                yield path, pq.read_table(path, schema=SCHEMA).to_pylist()
            except (OSError, TypeError, ValueError, pa.ArrowException) as failure:
                raise BadRecords(f"{path} is damaged: delete it, and continue the study") from failure

    def gain(self) -> Gain:
        """What the walker wins more often than the judge."""
        return gain(game for _, games in self._files() for game in games)

    def score(self, agent: str, progress: Callable[[int], None] = lambda _games: None) -> Gain:
        """What another agent would win more often than the judge, by its choices at these guesses. Cells that were not
        weighed before are weighed now, and kept.

        For the walker this is the whole difference. Another agent would come to other guesses, too: for it this is what
        its choices gain one at a time, if the judge plays on after each."""
        player = _player(agent)

        def weighed(games: list[dict[str, Any]]) -> int:
            return sum(len(guess["weighed"]) for game in games for guess in game["guesses"])

        def scored() -> Iterator[dict[str, Any]]:
            for path, games in self._files():
                before = weighed(games)
                for game in games:
                    for i, guess in enumerate(game["guesses"]):
                        guess["asked"] = _ask(player, Position.from_text(guess["position"]))[1]
                        if _differ(guess["judge"], guess["asked"]):
                            self.study.weigh(number_of(game["game"], i), guess, [guess["judge"], guess["asked"]])
                if weighed(games) > before:
                    write_file(path, _parquet(games))
                progress(len(games))
                yield from games

        return gain(scored(), "asked")


# -- the commands --------------------------------------------------------------------------------------------------


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
