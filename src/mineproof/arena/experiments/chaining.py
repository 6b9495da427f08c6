"""Minesweeper (McIntyre, 2016): the cost of forward chaining's clause limit, and whether resolution finds more."""

from __future__ import annotations

import random
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from mineproof.agents.systems import find_system
from mineproof.arena.binomial import Z
from mineproof.arena.experiments.experiment import (
    SEED,
    Experiment,
    Row,
    boards_of,
    by,
    compared,
    in_turn,
    mean,
    player,
    share,
    sizes,
    spent,
    timed_games,
)
from mineproof.arena.plots import bars, curve
from mineproof.board.game import Game
from mineproof.board.position import Position
from mineproof.limit import Limit
from mineproof.logic import chaining, resolution, sat, single, subset
from mineproof.logic.methods import METHODS
from mineproof.odds.analysis import analyse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from matplotlib.axes import Axes

    from mineproof.board.grid import Cell
    from mineproof.logic.deduction import Deductions

SYSTEM = find_system("mcintyre")
SOURCE = "McIntyre, Minesweeper (2016)"
REPORTED = chaining.CLAUSES
KINDS = {
    ("single", False): "single clues are stuck",
    ("pairs", False): "pairs of clues are stuck",
    ("pairs", True): "pairs are stuck, with subsumption",
}
"""Labels by the simpler rules that are stuck, and by whether chaining drops clauses that a shorter one implies; the
report keeps them."""
PATIENCE = Limit(seconds=5)
"""The limit of chaining and resolution in a position."""
LEVELS = SYSTEM.levels


def stuck_positions(
    board: int, simple: Callable[[Position], Deductions], level: str = "expert"
) -> Iterator[tuple[Position, frozenset[Cell]]]:
    """Yield the positions of a game in which the rule ``simple`` makes no cell safe, with the cells that the clues
    prove but the rule does not.

    The player knows the mines, so the game continues where a guess is needed.
    """
    game = Game(level, "opening", seed=SEED, index=board)
    game.open("D4" if level == "expert" else "C3")
    assert game.layout is not None
    rng = random.Random(board)
    while not game.over:
        position = game.position
        known = simple(position)
        if not known.safe:
            proved = sat.infer(position, mine_count=False)
            yield position, frozenset((proved.safe | proved.mined) - known.mined)
        for cell in sorted(analyse(position).safe) or [
            rng.choice([cell for cell in position.where("H") if not game.layout.has_mine(cell)])
        ]:
            if game[cell] == "H":
                game.open(cell)


# -- the limit -------------------------------------------------------------------------------------------------------


def points(quick: bool) -> list[Row]:
    """Measure positions of expert boards under all limits in turn, and whole games of all sizes in turn."""
    limits = (30, 100, 300, 1000, 3000) if quick else (30, 60, 100, 200, 300, 600, 1000, 2000, 3000)
    boards = {"single": 16 if quick else 60, "pairs": 160 if quick else 304}
    side, games = ((6, 10, 14, 18, 22), 12) if quick else ((6, 10, 14, 18, 22, 26, 30), 40)
    points: list[Row] = []
    for stuck, count in boards.items():
        rows = [
            {"subsumption": subsumption, "clauses": clauses}
            for kind, subsumption in KINDS
            for clauses in limits
            if kind == stuck and (not subsumption or clauses <= 1000)  # beyond that it takes too long
        ]
        points += compared(rows, count, 8, part="limit", stuck=stuck, version=METHODS["chaining"].version)
    rows = [player(SYSTEM.agent, f"{size}x{size}x15%", f"{SYSTEM.rules}+continue", size=size) for size in side]
    return points + compared(rows, games, 2, part="size")


def measure(point: Row) -> list[Row]:
    """Return the rows of either part; columns that a part does not measure are None."""
    if point["part"] == "size":
        return [
            _row(part="size", size=row["size"], board=board, seconds=result.seconds)
            for row, board, _, _, result in timed_games(point)
        ]
    rows = []
    simple = single.infer if point["stuck"] == "single" else subset.infer
    chaining.infer(Position.from_text("3x2x2\nHHH\n121"))  # the first time takes longer
    for board in boards_of(point):
        stuck = [(position, wanted) for position, wanted in stuck_positions(board, simple) if wanted]
        for limit, (position, wanted) in in_turn(point["rows"], stuck, board):
            deductions, seconds = spent(chaining.infer, position, PATIENCE, **limit)
            rows.append(
                _row(
                    **limit, part="limit", stuck=point["stuck"], board=board, wanted=len(wanted),
                    found=len((deductions.safe | deductions.mined) & wanted), seconds=seconds,
                )
            )  # fmt: skip
    return rows


def _row(**fields: object) -> Row:
    names = ("part", "stuck", "subsumption", "clauses", "size", "board", "wanted", "found", "seconds")
    return {name: fields.get(name) for name in names}


def _missed(rows: list[Row]) -> float:
    return float(100 * (1 - sum(row["found"] for row in rows) / sum(row["wanted"] for row in rows)))


def _with_spread(rows: list[Row]) -> tuple[float, float, float]:
    """Return the share of cells that were missed, with a jackknife interval over the positions. If all cells were
    missed, or none, the interval is that of as many positions with a cell each."""
    missed = _missed(rows)
    if missed in (0.0, 100.0):
        _, low, high = share([{"missed": missed > 0}] * len(rows), "missed")
        return missed, 100 * low, 100 * high
    without = [_missed(rows[:i] + rows[i + 1 :]) for i in range(len(rows))] if len(rows) > 1 else [missed]
    half = Z * ((len(rows) - 1) / len(rows) * sum((other - missed) ** 2 for other in without)) ** 0.5
    return missed, max(0.0, missed - half), min(100.0, missed + half)


def draw(panels: list[Axes], rows: list[Row]) -> None:
    """Draw missed cells and time against the limit, and time against the size."""
    parts = by(rows, "part")
    limits = sorted(by(parts["limit"], "clauses"))
    kinds = by(parts["limit"], "stuck", "subsumption")
    for number, (kind, label) in enumerate(KINDS.items()):
        own = by(sorted(kinds.get(kind, []), key=itemgetter("clauses")), "clauses")
        if own:
            missed = [(clauses, *_with_spread(positions)) for clauses, positions in own.items()]
            seconds = [(clauses, *mean(positions, "seconds")) for clauses, positions in own.items()]
            curve(panels[0], missed, label, number)
            curve(panels[1], seconds, label, number)
    for axes, title in zip(panels, ("Certain cells missed, %", "Processor time per position, s"), strict=False):
        axes.axvline(REPORTED, color="#777777", linestyle=":", linewidth=1.2)
        axes.annotate("the report's limit", (REPORTED, 0.02), xycoords=("data", "axes fraction"), xytext=(4, 0),
                      textcoords="offset points", color="#555555", fontsize=9)  # fmt: skip
        axes.set_xscale("log")
        axes.set_xticks(limits, list(map(str, limits)), rotation=45)
        axes.minorticks_off()
        axes.set_xlabel("limit of clauses")
        axes.set_title(title)
    panels[0].set_ylim(-2, 102)
    panels[1].legend(loc="upper left")
    panels[1].set_yscale("log")
    side = by(parts["size"], "size")
    curve(panels[2], [(size, *mean(own, "seconds")) for size, own in side.items()], "time", 3)
    panels[2].set_title("Processor time per game, 15 % mines, s")
    panels[2].set_xticks(list(side))
    panels[2].set_xlabel("rows and columns")
    panels[2].set_ylim(bottom=0)


def read(rows: list[Row]) -> str:
    """Say what the limit costs, and what it saves."""
    parts = by(rows, "part")
    kinds = by(parts["limit"], "stuck", "subsumption")
    kinds_missed = []
    for kind, label in KINDS.items():
        own = by(sorted(kinds.get(kind, []), key=itemgetter("clauses")), "clauses")
        if own:
            shares = ", ".join(f"{_missed(positions):.0f} % at {clauses}" for clauses, positions in own.items())
            kinds_missed.append(
                f"where {label}: {shares}"
                if not kind[1]
                else f"with subsumption, and at most {PATIENCE.seconds:.0f} s per position: {shares}"
            )
    side = by(parts["size"], "size")
    seconds = ", ".join(f"{size}×{size} {mean(own, 'seconds')[0]:.2f} s" for size, own in side.items())
    small, large = min(side), max(side)
    growth = mean(side[large], "seconds")[0] / mean(side[small], "seconds")[0]
    return (
        "The report says that its limit of about 300 clauses misses long chains, and that large boards are slow. Of "
        "the expert cells that the clues prove but simpler rules do not, chaining misses, depending on the limit, "
        f"{'; '.join(kinds_missed)}. Subsumption drops the clauses implied by a shorter one; the report keeps them. "
        f"Processor time per game: {seconds}; the largest board has {large**2 / small**2:.0f} times the cells of the "
        f"smallest, and takes {growth:.1f} times as long."
    )


def _sample(rows: list[Row]) -> str:
    parts = by(rows, "part")
    positions = sizes(by(parts["limit"], "stuck", "subsumption", "clauses").values(), "positions")
    return f"{positions}; {sizes(by(parts['size'], 'size').values(), 'games')} on the right"


# -- resolution after chaining ---------------------------------------------------------------------------------------

LIMITS = {
    "new": ("300, then resolution with 600", chaining.CLAUSES, resolution.CLAUSES),
    "new_equal": ("300, then resolution with 300", chaining.CLAUSES, chaining.CLAUSES),
    "new_larger": ("600, then resolution with 600", resolution.CLAUSES, resolution.CLAUSES),
}
"""The clause limits of chaining and of resolution, with their label: about 300 and more, as in the report; and equal
ones."""
SUPPORTED = "supported_"
"""Prefix of the columns of resolution with a set of support."""


def after_points(quick: bool) -> list[Row]:
    """Measure whole games on three levels."""
    boards = {"beginner": 20, "intermediate": 20, "expert": 16} if quick else dict.fromkeys(LEVELS, 400)
    versions = [METHODS[name].version for name in SYSTEM.players[0].methods]
    return [
        {"level": level, "versions": versions, "first": first, "games": 4}
        for level in LEVELS
        for first in range(0, boards[level], 4)
    ]


def measure_after(point: Row) -> list[Row]:
    """Return a row for each position in which chaining opens nothing. Where the clues prove no more cells, resolution
    is not tried."""
    rows = []
    for board in boards_of(point):
        for position, wanted in stuck_positions(board, chained, point["level"]):
            row: dict[str, Any] = {"level": point["level"], "board": board, "wanted": len(wanted)}
            row |= {f"{prefix}{name}": 0 for prefix in ("", SUPPORTED) for name in LIMITS} | {"position": ""}
            if wanted:
                larger = chaining.infer(position, PATIENCE, clauses=resolution.CLAUSES)
                unproved = {chaining.CLAUSES: wanted, resolution.CLAUSES: wanted - larger.safe - larger.mined}
                for prefix in ("", SUPPORTED):
                    for clauses in (chaining.CLAUSES, resolution.CLAUSES):
                        proved = resolution.infer(position, PATIENCE, clauses=clauses, set_of_support=prefix != "")
                        for name, (_, before, after) in LIMITS.items():
                            if after == clauses:
                                row[prefix + name] = len((proved.safe | proved.mined) & unproved[before])
                row["position"] = position.to_text() if row["new"] else ""
            rows.append(row)
    return rows


def chained(position: Position) -> Deductions:
    """Return what chaining infers; if single clues make a cell safe, only what these infer."""
    simple = single.infer(position)
    return simple if simple.safe else chaining.infer(position, PATIENCE)


def draw_after(panels: list[Axes], rows: list[Row]) -> None:
    """Draw how often resolution finds anything, in positions in which there is something to find."""
    levels = {level: [row for row in own if row["wanted"]] for level, own in by(rows, "level").items()}
    for axes, title, prefix in zip(
        panels, ("All pairs, as in the report", "With a set of support"), ("", SUPPORTED), strict=True
    ):
        names, values, numbers = [], [], []
        for level, own in levels.items():
            for number, (name, (label, *_)) in enumerate(LIMITS.items()):
                if own:
                    names.append(f"{level}: {label}")
                    middle, low, high = share(own, prefix + name)
                    values.append((100 * middle, 100 * low, 100 * high))
                    numbers.append(number)
        if values:
            bars(axes, names, values, numbers)
        axes.set_xlim(0, 100)
        axes.set_title(f"{title}, %")
    panels[1].set_yticklabels([])


def table_after(rows: list[Row]) -> list[list[str]]:
    """Count the positions in which resolution finds anything, by algorithm and limits."""
    head = ["level", "positions", "the clues prove more"]
    head += [f"{kind}: {label}" for kind in ("all pairs", "set of support") for label, *_ in LIMITS.values()]
    table = [head]
    for level, own in by(rows, "level").items():
        counts = [sum(row[prefix + name] > 0 for row in own) for prefix in ("", SUPPORTED) for name in LIMITS]
        table.append([level, *map(str, (len(own), sum(row["wanted"] > 0 for row in own), *counts))])
    return table


def read_after(rows: list[Row]) -> str:
    """Say whether the report is right."""
    more = [row for row in rows if row["wanted"]]
    shares = ["none"] * 4
    if more:
        each = [share(more, name) for name in (*LIMITS, f"{SUPPORTED}new")]
        shares = [f"{100 * middle:.0f} % ({100 * low:.0f}–{100 * high:.0f})" for middle, low, high in each]
    example = min(
        (row for row in rows if row["new"]), key=lambda row: (len(row["position"]), row["position"]), default=None
    )
    shown = f" An example: {example['position'].strip().replace(chr(10), ' / ')}." if example else ""
    return (
        'The report says that "Resolution never finds any new information if it is run after Forward Chaining". In '
        f"{len(rows):,} positions chaining opens nothing, and in {len(more):,} of them the clues prove more. Of these, "
        f"resolution of all pairs, as in the report, finds some of it in {shares[0]} with limits of 300 and 600 "
        f"clauses, in {shares[1]} with 300 for both, and in {shares[2]} with 600 for both. Another algorithm, which "
        f"makes only clauses that descend from the supposed one (a set of support), finds some in {shares[3]} with "
        f"300 and 600.{shown}"
    )


LIMIT = Experiment(
    "chaining-limit", "What the clause limit costs",
    "How many certain cells does forward chaining miss, and how long does it take?", SOURCE,
    points, measure, draw, read, _sample, panels=3,
)  # fmt: skip
AFTER = Experiment(
    "resolution-after-chaining", "Resolution after chaining",
    "Does resolution find anything when forward chaining has found all it can?", SOURCE,
    after_points, measure_after, draw_after, read_after,
    lambda rows: sizes(by(rows, "level").values(), "positions").replace("point", "level"), panels=2,
    table=table_after,
)  # fmt: skip
