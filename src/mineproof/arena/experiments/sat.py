"""Introduction to Logic Project (Harnjan): two encodings, and what the mine count is worth."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from pysat.solvers import Glucose4

from mineproof.agents.reasoner import Reasoner
from mineproof.arena.experiments.experiment import SEED, Experiment, Row, by, share
from mineproof.arena.match import finish
from mineproof.arena.plots import COLOURS, DASHES, MARKS, bars
from mineproof.board.game import Game
from mineproof.logic.clauses import exactly, multiplied_out

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from matplotlib.axes import Axes

ENCODINGS = {"direct": "direct", "multiplied": "multiplied out (the report)"}
PLAYED = ("beginner", "intermediate", "expert")


def points(quick: bool) -> list[Row]:
    """Every clue that there can be, in both encodings; and boards of three levels."""
    games = 100 if quick else 1000
    found: list[Row] = [
        {"part": "clause", "unknowns": unknowns, "mines": mines}
        for unknowns in range(1, 9)
        for mines in range(unknowns + 1)
    ]
    return found + [
        {"part": "board", "level": level, "first": first, "games": 10}
        for level in PLAYED
        for first in range(0, games, 10)
    ]


def measure(point: Row) -> list[Row]:
    """Rows of either part; what a part does not measure is empty."""
    if point["part"] == "clause":
        return [_encoded(point["unknowns"], point["mines"])]
    return [_board(point["level"], index) for index in range(point["first"], point["first"] + point["games"])]


def _encoded(unknowns: int, mines: int) -> Row:
    cells = list(range(1, unknowns + 1))
    direct, direct_seconds = _timed(lambda: list(exactly(mines, cells)), unknowns)
    long_way, long_seconds = _timed(lambda: list(map(list, multiplied_out.__wrapped__(mines, unknowns))), unknowns)
    return _row(
        part="clause", unknowns=unknowns, mines=mines, direct_clauses=direct, multiplied_clauses=long_way,
        direct_seconds=direct_seconds, multiplied_seconds=long_seconds,
    )  # fmt: skip


def _timed(encode: Callable[[], Iterable[list[int]]], unknowns: int) -> tuple[int, float]:
    """How many clauses there are, and the time to write them and to ask a solver for every cell, both ways.

    The least of up to three, for a machine has other things to do; what takes long is not disturbed as easily.
    """
    times: list[float] = []
    clauses: list[list[int]] = []
    while len(times) < 3 and sum(times) < 0.05:
        began = time.perf_counter()
        clauses = list(encode())
        with Glucose4(clauses) as solver:
            for cell in range(1, unknowns + 1):
                solver.solve([cell])
                solver.solve([-cell])
        times.append(time.perf_counter() - began)
    return len(clauses), min(times)


def _board(level: str, index: int) -> Row:
    solved = {}
    for name, mine_count in (("with_count", True), ("without_count", False)):
        game = Game(level, "opening", seed=SEED, index=index)
        solved[name] = finish(Reasoner("sat", "stop", mine_count=mine_count), game).won
    return _row(part="board", level=level, board=index, **solved)


def _row(**known: Any) -> Row:
    names = (
        "part", "unknowns", "mines", "direct_clauses", "multiplied_clauses", "direct_seconds", "multiplied_seconds",
        "level", "board", "with_count", "without_count",
    )  # fmt: skip
    return {name: known.get(name) for name in names}


def _most(rows: list[Row]) -> dict[int, dict[str, float]]:
    """By the number of unknowns, the most that any number of mines takes."""
    names = ("direct_clauses", "multiplied_clauses", "direct_seconds", "multiplied_seconds")
    return {n: {name: max(row[name] for row in own) for name in names} for n, own in by(rows, "unknowns").items()}


def draw(panels: list[Axes], rows: list[Row]) -> None:
    """Clauses, time, and boards."""
    parts = by(rows, "part")
    most = _most(parts["clause"])
    for axes, what, title in (
        (panels[0], "clauses", "Clauses of a clue"),
        (panels[1], "seconds", "Seconds to write and ask"),
    ):
        for number, (encoding, label) in enumerate(ENCODINGS.items()):
            xs, ys = list(most), [found[f"{encoding}_{what}"] for found in most.values()]
            axes.plot(xs, ys, DASHES[number], color=COLOURS[number], marker=MARKS[number], label=label)
            axes.scatter(
                [row["unknowns"] for row in parts["clause"]],
                [row[f"{encoding}_{what}"] for row in parts["clause"]],
                color=COLOURS[number],
                s=7,
                alpha=0.35,
            )
        axes.set_yscale("log")
        axes.set_xlabel("unknowns (a dot for each number of mines)")
        axes.set_title(title)
        axes.legend()
    levels = by(parts["board"], "level")
    names, values = [], []
    for level, own in levels.items():
        for name, label in (("with_count", "with the count"), ("without_count", "clues only")):
            names.append(f"{level}, {label}")
            middle, low, high = share(own, name)
            values.append((100 * middle, 100 * low, 100 * high))
    bars(panels[2], names, values, [0, 1] * len(levels))
    panels[2].set_xlim(0, 100)
    panels[2].set_title("Boards solved without a guess, %")


def read(rows: list[Row]) -> str:
    """Clauses and time, and the worth of the mine count."""
    parts = by(rows, "part")
    one = next(row for row in parts["clause"] if (row["unknowns"], row["mines"]) == (8, 1))
    most = _most(parts["clause"])[8]
    told = []
    for level, own in by(parts["board"], "level").items():
        counted, bare = (100 * share(own, name)[0] for name in ("with_count", "without_count"))
        told.append(f"{level} {counted:.0f} % ({bare:.0f} % by the clues alone)")
    return (
        "For 1 mine in 8 cells the report's way, a disjunction of all arrangements multiplied out, gives "
        f"{one['multiplied_clauses']:,} clauses (the report: 5,282); the direct encoding gives "
        f"{one['direct_clauses']}. For 8 unknowns they are at most {most['multiplied_clauses']:,} and "
        f"{most['direct_clauses']}, and the long way takes {most['multiplied_seconds'] / most['direct_seconds']:,.0f} "
        f"times the time. Solved without a guess, from an opening: {', '.join(told)}. The report uses the number of "
        "mines up to 12 closed cells; here there is no such limit."
    )


ENCODING = Experiment(
    "sat-encoding", "Two encodings, and the mine count", "How many clauses, how much time, and what is the mine "
    "count worth?",
    "Harnjan, Introduction to Logic Project", points, measure, draw, read, panels=3,
)  # fmt: skip
