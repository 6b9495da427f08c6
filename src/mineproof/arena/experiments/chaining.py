"""Minesweeper (McIntyre, 2016): what the clause limit of forward chaining costs."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING

from mineproof.arena.experiments.experiment import SEED, Experiment, Row, by, mean
from mineproof.arena.match import play
from mineproof.arena.plots import curve
from mineproof.arena.statistics import Z
from mineproof.board.game import Game
from mineproof.board.level import Level
from mineproof.limit import Limit
from mineproof.logic import chaining, sat, single, subset
from mineproof.odds.analysis import analyse

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.axes import Axes

    from mineproof.board.grid import Cell
    from mineproof.board.position import Position

REPORTED = chaining.CLAUSES
KINDS = {
    ("single", False): "single clues are stuck",
    ("pairs", False): "pairs of clues are stuck",
    ("pairs", True): "the same, with subsumption",
}
"""What is stuck, and whether clauses that a shorter one makes needless are dropped; the report keeps them."""
PATIENCE = Limit(seconds=5)


def points(quick: bool) -> list[Row]:
    """Positions of expert boards under each limit; and whole games by size."""
    limits = (30, 100, 300, 1000, 3000) if quick else (30, 60, 100, 200, 300, 600, 1000, 2000, 3000, 6000)
    boards = {"single": 16 if quick else 100, "pairs": 160 if quick else 1000}
    sizes, games = ((6, 10, 14, 18, 22), 12) if quick else ((6, 10, 14, 18, 22, 26, 30), 40)
    found: list[Row] = [
        {
            "part": "limit",
            "stuck": stuck,
            "subsumption": subsumption,
            "clauses": clauses,
            "first": first,
            "games": min(8, boards[stuck] - first),
        }
        for stuck, subsumption in KINDS
        for clauses in limits
        for first in range(0, boards[stuck], 8)
        if not subsumption or clauses <= 1000  # beyond, patience is at its end
    ]
    return found + [
        {"part": "size", "size": size, "first": first, "games": 2} for size in sizes for first in range(0, games, 2)
    ]


def measure(point: Row) -> list[Row]:
    """Rows of either part; what a part does not measure is empty."""
    boards = range(point["first"], point["first"] + point["games"])
    if point["part"] == "size":
        return [_game(point["size"], board) for board in boards]
    rows = []
    for board in boards:
        for position, wanted in stuck_positions(board, point["stuck"]):
            began = time.perf_counter()
            found = chaining.infer(position, PATIENCE, clauses=point["clauses"], subsumption=point["subsumption"])
            seconds = time.perf_counter() - began
            rows.append(
                _row(
                    part="limit", stuck=point["stuck"], subsumption=point["subsumption"], clauses=point["clauses"],
                    board=board, wanted=len(wanted), found=len((found.safe | found.mined) & wanted), seconds=seconds,
                )
            )  # fmt: skip
    return rows


def stuck_positions(board: int, stuck: str) -> Iterator[tuple[Position, frozenset[Cell]]]:
    """Positions of a game in which simple rules open nothing but the clues prove something, and what they prove.

    Whoever plays it knows where the mines are: it goes on where a guess is needed.
    """
    simple = single.infer if stuck == "single" else subset.infer
    game = Game("expert", "opening", seed=SEED, index=board)
    game.open("D4")
    assert game.layout is not None
    rng = random.Random(board)
    while not game.over:
        position = game.position
        todo = sorted(analyse(position).safe)
        known = simple(position)
        if todo and not known.safe:
            found = sat.infer(position, mine_count=False)
            wanted = frozenset((found.safe | found.mined) - known.mined)
            if wanted:
                yield position, wanted
        for cell in todo or [rng.choice([cell for cell in position.where("H") if not game.layout.has_mine(cell)])]:
            if game[cell] == "H":
                game.open(cell)


def _game(size: int, board: int) -> Row:
    result = play("chaining", Level.share(size, size, 0.15), "given+goes-on", seed=SEED, index=board, limit=Limit(60))
    return _row(part="size", size=size, board=board, seconds=result.seconds)


def _row(**known: object) -> Row:
    names = ("part", "stuck", "subsumption", "clauses", "size", "board", "wanted", "found", "seconds")
    return {name: known.get(name) for name in names}


def _missed(rows: list[Row]) -> float:
    return float(100 * (1 - sum(row["found"] for row in rows) / sum(row["wanted"] for row in rows)))


def _with_spread(rows: list[Row]) -> tuple[float, float, float]:
    """The share that was missed, with the interval of a jackknife over the positions."""
    whole = _missed(rows)
    without = [_missed(rows[:i] + rows[i + 1 :]) for i in range(len(rows))] if len(rows) > 1 else [whole]
    half = Z * ((len(rows) - 1) / len(rows) * sum((one - whole) ** 2 for one in without)) ** 0.5
    return whole, max(0.0, whole - half), min(100.0, whole + half)


def draw(panels: list[Axes], rows: list[Row]) -> None:
    """Missed cells and time against the limit; time against the size."""
    parts = by(rows, "part")
    limits = sorted(by(parts["limit"], "clauses"))
    kinds = by(parts["limit"], "stuck", "subsumption")
    for number, (kind, label) in enumerate(KINDS.items()):
        own = by(kinds.get(kind, []), "clauses")
        if own:
            curve(panels[0], [(clauses, *_with_spread(some)) for clauses, some in own.items()], label, number)
            curve(panels[1], [(clauses, *mean(some, "seconds")) for clauses, some in own.items()], label, number)
    for axes, title in zip(panels, ("Certain cells missed, %", "Seconds a position"), strict=False):
        axes.axvline(REPORTED, color="#777777", linestyle=":", linewidth=1.2)
        axes.annotate("the report's limit", (REPORTED, 0.02), xycoords=("data", "axes fraction"), xytext=(4, 0),
                      textcoords="offset points", color="#555555", fontsize=9)  # fmt: skip
        axes.set_xscale("log")
        axes.set_xticks(limits, list(map(str, limits)))
        axes.minorticks_off()
        axes.set_xlabel("limit of clauses")
        axes.set_title(title)
    panels[0].set_ylim(-2, 102)
    panels[1].legend(loc="upper left")
    panels[1].set_yscale("log")
    sizes = by(parts["size"], "size")
    curve(panels[2], [(size, *mean(own, "seconds")) for size, own in sizes.items()], "time", 3)
    panels[2].set_title("Seconds a game, 15 % mines")
    panels[2].set_xticks(list(sizes))
    panels[2].set_xlabel("rows and columns")
    panels[2].set_ylim(bottom=0)


def read(rows: list[Row]) -> str:
    """What the limit costs, and what it saves."""
    parts = by(rows, "part")
    kinds = by(parts["limit"], "stuck", "subsumption")
    told = []
    for kind, label in KINDS.items():
        own = by(kinds.get(kind, []), "clauses")
        if own:
            shares = ", ".join(f"{_missed(some):.0f} % at {clauses}" for clauses, some in own.items())
            told.append(
                f"where {label}: {shares}"
                if not kind[1]
                else f"with subsumption, and {PATIENCE.seconds:.0f} s of patience: {shares}"
            )
    sizes = by(parts["size"], "size")
    small, large = min(sizes), max(sizes)
    growth = mean(sizes[large], "seconds")[0] / mean(sizes[small], "seconds")[0]
    return (
        "The report says that its limit of about 300 clauses misses long chains, and that large boards are slow. Of "
        "the cells that the clues prove at expert, and simpler rules do not, chaining misses, by the limit, "
        f"{'; '.join(told)}. Subsumption drops the clauses that a shorter one makes needless; the report keeps them. "
        f"From {small}×{small} to {large}×{large}, {large**2 / small**2:.0f} times the cells, a game takes "
        f"{growth:.1f} times as long ({mean(sizes[large], 'seconds')[0]:.1f} s)."
    )


LIMIT = Experiment(
    "chaining-limit", "What the clause limit costs",
    "How many certain cells does forward chaining miss, and how long does it take?", "McIntyre, Minesweeper (2016)",
    points, measure, draw, read, panels=3,
)  # fmt: skip
