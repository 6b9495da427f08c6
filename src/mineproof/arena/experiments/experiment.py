"""An experiment: points to measure, a pure function that measures one, a figure, and a summary.

DIR/points.jsonl               every point measured, so that an interrupted run can continue
DIR/NAME/data.parquet, .csv    all rows
DIR/NAME/figure.png, .svg
DIR/NAME/reading.md
DIR/index.html                 all experiments in the folder
"""

from __future__ import annotations

import csv
import io
import json
import time
from collections import defaultdict
from dataclasses import asdict, dataclass, replace
from functools import cache
from math import sqrt
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import mineproof
from mineproof.agents.registry import find_agent
from mineproof.arena.binomial import Z
from mineproof.arena.chunks import Chunk, run
from mineproof.arena.engines import Engine, work
from mineproof.arena.match import finish, play
from mineproof.arena.rows import write_table
from mineproof.arena.statistics import poisson, wilson
from mineproof.board.game import Game
from mineproof.board.level import Level
from mineproof.board.rules import Rules
from mineproof.errors import BadRecords
from mineproof.files import write_file
from mineproof.limit import Limit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
    from pathlib import Path

    from matplotlib.axes import Axes

    from mineproof.agents.agent import Agent
    from mineproof.arena.match import Result

Row = dict[str, Any]
_One = TypeVar("_One")
_Other = TypeVar("_Other")
_Given = ParamSpec("_Given")
SEED = 2026
PATIENT = Limit(600)
"""Where time is measured, so that a busy machine does not cut a choice short."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """An experiment. ``measure`` is a function of a module, so that other processes can call it."""

    name: str
    title: str
    question: str
    source: str
    points: Callable[[bool], list[Row]]
    """The points to measure; fewer in quick mode."""
    measure: Callable[[Row], list[Row]]
    draw: Callable[[list[Axes], list[Row]], None]
    read: Callable[[list[Row]], str]
    sample: Callable[[list[Row]], str]
    """The number of games, positions or boards per point, for the caption of the figure."""
    panels: int = 1
    height: float = 4.0
    width: float | None = None
    """The width of all panels together; None: as much as they need."""
    table: Callable[[list[Row]], list[list[str]]] | None = None
    """The report's table, header first."""


def perform(
    experiment: Experiment,
    folder: Path,
    engine: Engine,
    *,
    quick: bool = False,
    progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> str:
    """Measure, draw and summarise. Points already measured in this folder are reused. Returns the summary."""
    from mineproof.arena import plots

    folder.mkdir(parents=True, exist_ok=True)
    points = experiment.points(quick)
    known = Known(folder / "points.jsonl")
    keys = [known.key(experiment, point) for point in points]
    missing = [point for point, key in zip(points, keys, strict=True) if key not in known.rows]
    progress(len(points) - len(missing), len(points))
    for done, (point, rows) in enumerate(work(engine, experiment.measure, missing), start=1):
        known.add(known.key(experiment, point), rows)
        progress(len(points) - len(missing) + done, len(points))
    rows = [row for key in keys for row in known.rows[key]]
    home = folder / experiment.name
    home.mkdir(exist_ok=True)
    write_table(home / "data.parquet", rows)
    write_file(home / "data.csv", as_csv(rows))
    with plots.figure(experiment.panels, experiment.height, experiment.width) as (figure, axes):
        experiment.draw(axes, rows)
        caption = f"{experiment.sample(rows)}; bands and bars are 95 % intervals"
        plots.caption(figure, caption)
        plots.save(figure, home / "figure")
    reading = f"{experiment.read(rows)} ({caption[0].upper()}{caption[1:]}.)"
    if experiment.table is not None:
        head, *lines = experiment.table(rows)
        reading = "\n".join([*map(_line, [head, ["---"] * len(head), *lines]), "", reading])
    about = f"# {experiment.title}\n\n*{experiment.question}* Source: {experiment.source}.\n\n{reading}\n"
    write_file(home / "reading.md", about.encode())
    return reading


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _are_rows(found: object) -> bool:
    return isinstance(found, list) and all(isinstance(row, dict) for row in found)


class Known:
    """The points measured, in an append-only file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rows: dict[str, list[Row]] = {}
        if not path.exists():
            return
        text = before = path.read_bytes()
        lines = text.split(b"\n")
        for number, line in enumerate(lines, start=1):
            if not line:
                continue
            try:
                found = json.loads(line)
                if not isinstance(found, dict) or not all(map(_are_rows, found.values())):
                    raise ValueError
                self.rows.update(found)
            except (ValueError, RecursionError):
                if number < len(lines):  # only the last line can be incomplete
                    raise BadRecords(f"line {number} of {path} is damaged; delete the line, or the file") from None
                text = b"\n".join(lines[:-1]) + b"\n" * (len(lines) > 1)
        if text and not text.endswith(b"\n"):
            text += b"\n"
        if text != before:
            write_file(path, text)

    @staticmethod
    def key(experiment: Experiment, point: Row) -> str:
        """The key of a point: experiments that measure the same points share them."""
        what = f"{experiment.measure.__module__.rpartition('.')[2]}.{experiment.measure.__name__}"
        return json.dumps([mineproof.__version__, SEED, what, point])

    def add(self, key: str, rows: list[Row]) -> None:
        """Add a point."""
        self.rows[key] = rows
        with self.path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(json.dumps({key: rows}) + "\n")


def as_csv(rows: Sequence[Row]) -> bytes:
    """Write a header and one line per row."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


# -- games as points -------------------------------------------------------------------------------------------------


def player(agent: str, level: str, rules: str, **labels: Any) -> Row:
    """An agent, and what it plays. Labels go with it."""
    return {"agent": agent, "version": find_agent(agent).version, "level": level, "rules": rules, **labels}


def game_points(
    agents: Iterable[str], level: Level, rules: str, games: int, block: int = 5, **labels: Any
) -> list[Row]:
    """Games of each agent on the same boards, in blocks."""
    return [
        {**player(agent, level.size, rules, **labels), "first": first, "games": min(block, games - first)}
        for agent in agents
        for first in range(0, games, block)
    ]


def play_games(point: Row) -> list[Row]:
    """One row per game of a point."""
    chunk = Chunk(
        point["agent"],
        point["version"],
        Level.parse(point["level"]),
        Rules.parse(point["rules"]),
        SEED,
        point["first"],
        point["games"],
    )
    labels = {name: value for name, value in point.items() if name not in ("first", "games")}
    rows = []
    for board, result in enumerate(run(chunk), start=chunk.first):
        found = {**labels, "board": board, **asdict(result), "guesses": result.guesses}
        for name in ("risks", "struck", "seconds", "slowest", "fault", "replay"):
            del found[name]
        rows.append(found)
    return rows


# -- time ------------------------------------------------------------------------------------------------------------


def spent(call: Callable[_Given, _One], *given: _Given.args, **named: _Given.kwargs) -> tuple[_One, float]:
    """What a call returns, and the processor time that it takes: seconds of all threads of this process. Waiting for
    other programs is not in it."""
    began = time.process_time()
    found = call(*given, **named)
    return found, time.process_time() - began


def compared(rows: Sequence[Row], games: int, block: int = 1, **labels: Any) -> list[Row]:
    """Points that hold a block of boards for all rows whose times are compared: these are measured in one process."""
    return [
        {**labels, "rows": list(rows), "first": first, "games": min(block, games - first)}
        for first in range(0, games, block)
    ]


def in_turn(rows: Sequence[_One], items: Iterable[_Other], first: int = 0) -> Iterator[tuple[_One, _Other]]:
    """All rows on one item, then on the next, so that whatever else the machine does affects all rows alike. Each item
    begins with another row, by its number.

    >>> ["".join(pair) for pair in in_turn("abc", "12")]
    ['a1', 'b1', 'c1', 'b2', 'c2', 'a2']
    """
    for number, item in enumerate(items, start=first):
        start = number % len(rows)
        for row in (*rows[start:], *rows[:start]):
            yield row, item


def boards_of(point: Row) -> range:
    """The boards of a point."""
    return range(point["first"], point["first"] + point["games"])


def timed_games(point: Row) -> Iterator[tuple[Row, int, Agent, Game, Result]]:
    """The games of all players of a point, in turn on each board; the seconds of a result are processor time."""
    agents = {row["agent"]: find_agent(row["agent"]).make() for row in point["rows"]}
    for name in agents:
        _warm_up(name)
    for row, board in in_turn(point["rows"], boards_of(point), point["first"]):
        agent, game = agents[row["agent"]], Game(row["level"], row["rules"], seed=SEED, index=board)
        result, seconds = spent(finish, agent, game, PATIENT)
        yield row, board, agent, game, replace(result, seconds=seconds)


@cache
def _warm_up(agent: str) -> None:
    """Play a small game once in each process: the first one also loads libraries."""
    play(agent, "5x5x4", "safe", seed=SEED)


# -- reading rows ----------------------------------------------------------------------------------------------------


def by(rows: Iterable[Row], *names: str) -> dict[Any, list[Row]]:
    """Group rows by one or several columns, in their original order."""
    found: dict[Any, list[Row]] = defaultdict(list)
    for row in rows:
        found[row[names[0]] if len(names) == 1 else tuple(row[name] for name in names)].append(row)
    return dict(found)


def sizes(groups: Iterable[Sized], noun: str) -> str:
    """The number of rows per point of a figure, in words.

    >>> sizes([[{}], [{}, {}]], "games"), sizes([[{}]], "games")
    ('1 to 2 games per point', '1 games per point')
    """
    found = [len(group) for group in groups]
    least, most = min(found), max(found)
    return f"{least:,} to {most:,} {noun} per point" if least < most else f"{least:,} {noun} per point"


def share(rows: Sequence[Row], name: str = "won") -> tuple[float, float, float]:
    """The share of rows that have it, with its interval."""
    wins = sum(bool(row[name]) for row in rows)
    return wins / len(rows), *wilson(wins, len(rows))


def mean(rows: Sequence[Row], name: str, *, signed: bool = False) -> tuple[float, float, float]:
    """The mean, with its 95 % interval by the normal distribution. Unsigned values have no bound below 0. If all values
    are equal, they are taken as counts, with a Poisson interval: variation is possible, though none was seen.

    >>> [round(part, 3) for part in mean([{"x": 0}] * 100, "x")]
    [0.0, 0.0, 0.037]
    """
    values = [row[name] for row in rows]
    middle = sum(values) / len(values)
    spread = sqrt(sum((value - middle) ** 2 for value in values) / max(1, len(values) - 1))
    if spread == 0 and middle >= 0:
        low, high = poisson(sum(values))
        return middle, low / len(values), high / len(values)
    half = Z * spread / sqrt(len(values))
    return middle, middle - half if signed else max(0.0, middle - half), middle + half


def fraction(rows: Sequence[Row], name: str) -> tuple[float, float, float]:
    """The mean of numbers from 0 to 1, with a conservative interval: no such numbers vary more than 0 and 1."""
    middle = sum(row[name] for row in rows) / len(rows)
    return middle, *wilson(middle * len(rows), len(rows))
