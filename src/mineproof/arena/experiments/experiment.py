"""An experiment: points to measure, a pure function that measures a point, a figure, and a summary.

DIR/points.jsonl               every point measured, so that an interrupted run can continue
DIR/NAME/data.parquet, .csv    all rows
DIR/NAME/figure.png, .svg      the figure
DIR/NAME/reading.md            the summary
DIR/index.html                 the page of all experiments in the folder
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
    from mineproof.arena.plots import Point

Row = dict[str, Any]
T = TypeVar("T")
U = TypeVar("U")
P = ParamSpec("P")
SEED = 2026
PATIENT = Limit(600)
"""The limit of choices whose time is measured: a busy machine does not cut them short."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """An experiment."""

    name: str
    title: str
    question: str
    source: str
    points: Callable[[bool], list[Row]]
    """The function that lists the points to measure; fewer in quick mode."""
    measure: Callable[[Row], list[Row]]
    """The function that measures a point. Other processes call it, so it is a function of a module."""
    draw: Callable[[list[Axes], list[Row]], None]
    read: Callable[[list[Row]], str]
    """The function that says in words what the rows show."""
    sample: Callable[[list[Row]], str]
    """The function that says how many games, positions or boards a point has, for the caption of the figure."""
    panels: int = 1
    height: float = 4.0
    """The height of a panel, in inches."""
    width: float | None = None
    """The width of all panels together, in inches; None: as much as they need."""
    table: Callable[[list[Row]], list[list[str]]] | None = None
    """The function that makes the report's table, header first."""


def perform(
    experiment: Experiment,
    folder: Path,
    engine: Engine,
    *,
    quick: bool = False,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> str:
    """Measure, draw and summarise an experiment; points measured before are reused. Return the summary."""
    from mineproof.arena import plots

    folder.mkdir(parents=True, exist_ok=True)
    points = experiment.points(quick)
    measured = MeasuredPoints(folder / "points.jsonl")
    keys = [measured.key(experiment, point) for point in points]
    missing = [point for point, key in zip(points, keys, strict=True) if key not in measured.rows]
    progress(len(points) - len(missing), len(points))
    for done, (point, rows) in enumerate(work(engine, experiment.measure, missing), start=1):
        measured.add(measured.key(experiment, point), rows)
        progress(len(points) - len(missing) + done, len(points))
    rows = [row for key in keys for row in measured.rows[key]]
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
        reading = "\n".join([*map(_table_line, [head, ["---"] * len(head), *lines]), "", reading])
    about = f"# {experiment.title}\n\n*{experiment.question}* Source: {experiment.source}.\n\n{reading}\n"
    write_file(home / "reading.md", about.encode())
    return reading


def _table_line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _are_rows(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(row, dict) for row in value)


class MeasuredPoints:
    """The points measured so far, in an append-only file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rows: dict[str, list[Row]] = {}
        """The rows of each point, by its key."""
        if not path.exists():
            return
        text = before = path.read_bytes()
        lines = text.split(b"\n")
        for number, line in enumerate(lines, start=1):
            if not line:
                continue
            try:
                rows = json.loads(line)
                if not isinstance(rows, dict) or not all(map(_are_rows, rows.values())):
                    raise ValueError
                self.rows.update(rows)
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
        """Return the key of a point. Experiments with the same ``measure`` share their points."""
        function = f"{experiment.measure.__module__.rpartition('.')[2]}.{experiment.measure.__name__}"
        return json.dumps([mineproof.__version__, SEED, function, point])

    def add(self, key: str, rows: list[Row]) -> None:
        """Add the rows of a point."""
        self.rows[key] = rows
        with self.path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(json.dumps({key: rows}) + "\n")


def as_csv(rows: Sequence[Row]) -> bytes:
    """Return rows as CSV: a header, and a line per row."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


# -- games as points -------------------------------------------------------------------------------------------------


def player(agent: str, level: str, rules: str, **labels: Any) -> Row:
    """Return the fields of an agent and what it plays, with further labels."""
    return {"agent": agent, "version": find_agent(agent).version, "level": level, "rules": rules, **labels}


def game_points(
    agents: Iterable[str], level: Level, rules: str, games: int, block: int = 5, **labels: Any
) -> list[Row]:
    """Return points for games of each agent on the same boards, in blocks."""
    return [
        {**player(agent, level.size, rules, **labels), "first": first, "games": min(block, games - first)}
        for agent in agents
        for first in range(0, games, block)
    ]


def play_games(point: Row) -> list[Row]:
    """Play the games of a point; return a row for each."""
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
        row = {**labels, "board": board, **asdict(result), "guesses": result.guesses}
        for name in ("risks", "struck", "seconds", "slowest", "fault", "replay"):
            del row[name]
        rows.append(row)
    return rows


# -- time ------------------------------------------------------------------------------------------------------------


def spent(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> tuple[T, float]:
    """Call a function. Return its result, and the processor time of all threads of this process in seconds, which does
    not count waiting for other programs."""
    began = time.process_time()
    result = function(*args, **kwargs)
    return result, time.process_time() - began


def compared(rows: Sequence[Row], games: int, block: int = 1, **labels: Any) -> list[Row]:
    """Return points that each hold a block of boards for all rows: times to compare are measured in one process."""
    return [
        {**labels, "rows": list(rows), "first": first, "games": min(block, games - first)}
        for first in range(0, games, block)
    ]


def in_turn(rows: Sequence[T], items: Iterable[U], first: int = 0) -> Iterator[tuple[T, U]]:
    """Yield all rows with an item, then with the next item, so that other work of the machine affects all rows alike.
    Each item begins with another row, by its number from ``first``.

    >>> ["".join(pair) for pair in in_turn("abc", "12")]
    ['a1', 'b1', 'c1', 'b2', 'c2', 'a2']
    """
    for number, item in enumerate(items, start=first):
        start = number % len(rows)
        for row in (*rows[start:], *rows[:start]):
            yield row, item


def boards_of(point: Row) -> range:
    """Return the numbers of the boards of a point."""
    return range(point["first"], point["first"] + point["games"])


def timed_games(point: Row) -> Iterator[tuple[Row, int, Agent, Game, Result]]:
    """Play the games of all players of a point, in turn on each board; the seconds of a result are processor time."""
    agents = {row["agent"]: find_agent(row["agent"]).make() for row in point["rows"]}
    for name in agents:
        _warm_up(name)
    for row, board in in_turn(point["rows"], boards_of(point), point["first"]):
        agent, game = agents[row["agent"]], Game(row["level"], row["rules"], seed=SEED, index=board)
        result, seconds = spent(finish, agent, game, PATIENT)
        yield row, board, agent, game, replace(result, seconds=seconds)


@cache
def _warm_up(agent: str) -> None:
    """Play a small game once in each process: the first game also loads libraries."""
    play(agent, "5x5x4", "safe", seed=SEED)


# -- reading rows ----------------------------------------------------------------------------------------------------


def by(rows: Iterable[Row], *names: str) -> dict[Any, list[Row]]:
    """Group rows by one or several columns, in their original order."""
    groups: dict[Any, list[Row]] = defaultdict(list)
    for row in rows:
        groups[row[names[0]] if len(names) == 1 else tuple(row[name] for name in names)].append(row)
    return dict(groups)


def sizes(groups: Iterable[Sized], noun: str) -> str:
    """Return the number of rows per point of a figure in words.

    >>> sizes([[{}], [{}, {}]], "games"), sizes([[{}]], "games")
    ('1 to 2 games per point', '1 games per point')
    """
    counts = [len(group) for group in groups]
    least, most = min(counts), max(counts)
    return f"{least:,} to {most:,} {noun} per point" if least < most else f"{least:,} {noun} per point"


def share(rows: Sequence[Row], name: str = "won") -> tuple[float, float, float]:
    """Return the share of rows in which this column is true, with its interval."""
    wins = sum(bool(row[name]) for row in rows)
    return wins / len(rows), *wilson(wins, len(rows))


def mean(rows: Sequence[Row], name: str, *, signed: bool = False) -> tuple[float, float, float]:
    """Return the mean of a column, with its 95 % interval by the normal distribution, which does not go below 0 unless
    ``signed``. If all values are equal, they are taken as counts, with a Poisson interval: they could have varied.

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


def above_zero(points: Iterable[Point]) -> list[Point]:
    """Return points whose intervals end above 0, as a logarithmic scale needs."""
    return [(x, y, max(low, y / 10), high) for x, y, low, high in points]


def fraction(rows: Sequence[Row], name: str) -> tuple[float, float, float]:
    """Return the mean of numbers from 0 to 1, with the interval for numbers that are 0 or 1, which is the widest."""
    middle = sum(row[name] for row in rows) / len(rows)
    return middle, *wilson(middle * len(rows), len(rows))
