"""Introduction to Logic Project (Harnjan): two encodings, and the value of the mine count."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any

from pysat.solvers import Glucose4

from mineproof.agents.systems import find_system
from mineproof.arena.experiments.experiment import SEED, Experiment, Row, boards_of, by, in_turn, share, sizes, spent
from mineproof.arena.match import play
from mineproof.arena.plots import COLOURS, DASHES, MARKS, bars
from mineproof.errors import OutOfTime
from mineproof.limit import Limit
from mineproof.logic.clauses import exactly, multiplied_out, multiply_out, size_multiplied_out

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from matplotlib.axes import Axes

    from mineproof.limit import Clock

ENCODINGS = {"direct": "direct", "multiplied": "multiplied out (the report)"}
SYSTEM = find_system("harnjan")
AGENTS = {
    SYSTEM.agent: "12 cells (report)",
    f"{SYSTEM.agent}:mine-count=no": "clues only",
    f"{SYSTEM.agent}:mine-count=yes": "no limit",
}
"""Agents by the most closed cells for which they count mines."""
MOST_UNKNOWNS = 15
CLAUSE_BYTES = 800
"""Approximate bytes per clause while clauses are multiplied out."""


def points(quick: bool) -> list[Row]:
    """Measure clues of one mine in up to 15 cells, and of more mines in up to 8 cells; and boards of three levels."""
    games = 60 if quick else 1000
    memory, seconds = (2**28, 5) if quick else (2**31, 300)
    clues = [(1, unknowns) for unknowns in range(2, MOST_UNKNOWNS + 1)]
    clues += [(mines, unknowns) for unknowns in range(3, 9) for mines in range(2, unknowns)]
    points: list[Row] = [
        {
            "part": "clause",
            "time": "processor",
            "unknowns": unknowns,
            "mines": mines,
            "memory": memory,
            "seconds": seconds,
        }
        for mines, unknowns in clues
    ]
    return points + [
        {"part": "board", "agent": agent, "level": level, "first": first, "games": 10}
        for level in SYSTEM.levels
        for agent in AGENTS
        for first in range(0, games, 10)
    ]


def measure(point: Row) -> list[Row]:
    """Return the rows of either part; columns that a part does not measure are None."""
    if point["part"] == "clause":
        return [_measure_clue(point["mines"], point["unknowns"], Limit(point["seconds"], point["memory"]).start())]
    return [
        _row(
            part="board", level=point["level"], agent=point["agent"], board=board,
            won=play(point["agent"], point["level"], SYSTEM.rules, seed=SEED, index=board).won,
        )
        for board in boards_of(point)
    ]  # fmt: skip


def _measure_clue(mines: int, unknowns: int, clock: Clock) -> Row:
    """Measure the processor time to write the clauses of a clue, and to query every cell: the best of three. Both
    encodings take turns; one that takes too much memory or time is left out."""
    row = _row(
        part="clause", unknowns=unknowns, mines=mines, direct_clauses=len(list(exactly(mines, range(unknowns)))),
        multiplied_clauses=size_multiplied_out(mines, unknowns),
    )  # fmt: skip
    variables = list(range(1, unknowns + 1))
    convert: dict[str, Callable[[], Iterable[Iterable[int]]]] = {"direct": lambda: list(exactly(mines, variables))}
    make = dict(convert)
    if CLAUSE_BYTES * row["multiplied_clauses"] <= clock.limit.memory:
        convert["multiplied"] = lambda: multiply_out(mines, unknowns, clock.check)
        make["multiplied"] = lambda: multiplied_out.__wrapped__(mines, unknowns)  # the same clauses in less memory
    _ask([[1]], 1)  # the first solver of a process takes longer
    try:
        for encoding, number in in_turn(list(convert), range(3)):
            if number and row[f"{encoding}_convert"] > 1:
                continue  # it takes long, so one measurement is enough
            clauses = make[encoding]()
            _keep_least(row, f"{encoding}_solve", spent(_ask, clauses, unknowns)[1])
            del clauses
            _keep_least(row, f"{encoding}_convert", spent(convert[encoding])[1])
    except OutOfTime:
        pass  # the figure ends before this clue, and the summary says so
    return row


def _keep_least(row: Row, name: str, seconds: float) -> None:
    row[name] = min(seconds, inf if row[name] is None else row[name])


def _ask(clauses: Iterable[Iterable[int]], cells: int) -> None:
    """Ask a solver of every cell whether it can be a mine, and whether it can be safe."""
    with Glucose4(map(list, clauses)) as solver:
        for cell in range(1, cells + 1):
            solver.solve([cell])
            solver.solve([-cell])


def _row(**fields: Any) -> Row:
    names = (
        "part", "unknowns", "mines", "direct_clauses", "multiplied_clauses", "direct_convert", "direct_solve",
        "multiplied_convert", "multiplied_solve", "level", "agent", "board", "won",
    )  # fmt: skip
    return {name: fields.get(name) for name in names}


def draw(panels: list[Axes], rows: list[Row]) -> None:
    """Draw the number of clauses, the time, and the boards solved."""
    parts = by(rows, "part")
    one_mine = [row for row in parts["clause"] if row["mines"] == 1]
    for number, (encoding, label) in enumerate(ENCODINGS.items()):
        style: dict[str, Any] = {"color": COLOURS[number], "marker": MARKS[number]}
        xs = [row["unknowns"] for row in one_mine]
        panels[0].plot(xs, [row[f"{encoding}_clauses"] for row in one_mine], DASHES[number], label=label, **style)
        for task, dash in (("convert", "-"), ("solve", ":")):
            column = f"{encoding}_{task}"
            times = [(row["unknowns"], row[column]) for row in one_mine if row[column]]
            panels[1].plot(*zip(*times, strict=True), dash, label=f"{encoding}: to {task}", **style)
    panels[0].set_title("Clauses of 1 mine in n cells")
    panels[1].set_title("Processor time of 1 mine in n cells, s")
    for axes in panels[:2]:
        axes.set_yscale("log")
        axes.set_xlabel("n")
        axes.set_xticks(range(3, MOST_UNKNOWNS + 1, 3))
        axes.legend()
    names, values = [], []
    for (level, agent), own in by(parts["board"], "level", "agent").items():
        names.append(f"{level}: {AGENTS[agent]}")
        middle, low, high = share(own)
        values.append((100 * middle, 100 * low, 100 * high))
    bars(panels[2], names, values, [number % len(AGENTS) for number in range(len(names))])
    panels[2].set_xlim(0, 100)
    panels[2].set_title("Boards solved without a guess, %")


def read(rows: list[Row]) -> str:
    """Say the number of clauses, the time, and the value of the mine count."""
    parts = by(rows, "part")
    clues = {(row["mines"], row["unknowns"]): row for row in parts["clause"]}
    counts = ", ".join(
        f"{mines} of {unknowns}: {clues[mines, unknowns]['multiplied_clauses']:,}"
        for mines, unknowns in ((1, 2), (1, 3), (2, 3), (1, 8), (1, 15))
    )
    last = max((row for row in clues.values() if row["multiplied_convert"] and row["mines"] == 1),
               key=lambda row: row["unknowns"])  # fmt: skip
    eight = clues[1, 8]
    solved = []
    for level, own in by(parts["board"], "level").items():
        shares = [f"{100 * share(boards)[0]:.1f}" for boards in by(own, "agent").values()]
        solved.append(f"{level} {' / '.join(shares)} %")
    return (
        f"Multiplied out, as in the report, clues give this many clauses: {counts}; the direct encoding of 1 of 8 has "
        f"{eight['direct_clauses']}, of 1 of 15 {clues[1, 15]['direct_clauses']}. For 1 of 8, multiplying out takes "
        f"{1e3 * eight['multiplied_convert']:.0f} ms of processor time, and querying each cell "
        f"{1e3 * eight['multiplied_solve']:.1f} ms; directly {1e3 * eight['direct_convert']:.3f} and "
        f"{1e3 * eight['direct_solve']:.3f} ms. Clauses were generated up to 1 of "
        f"{last['unknowns']} ({last['multiplied_clauses']:,}, {last['multiplied_convert']:.0f} s) "
        "within the limits of memory and time; larger counts are by formula. Boards solved without a guess, from "
        "an opening, with the mine count up to 12 cells (the report), with clues only, and with the mine count "
        f"without a limit: {', '.join(solved)}."
    )


ENCODING = Experiment(
    "sat-encoding", "Two encodings, and the mine count", "How many clauses, how much time, and how much does the "
    "mine count help?",
    "Harnjan, Introduction to Logic Project", points, measure, draw, read,
    lambda rows: sizes(by(by(rows, "part")["board"], "level", "agent").values(), "boards").replace("point", "bar"),
    panels=3,
)  # fmt: skip
