"""The table of scenarios that S.M.I.L.E. (Nguyen and Kafafian, 2021) asked for, and how often each occurs in games."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from mineproof.arena.experiments.chaining import LEVELS, stuck_positions
from mineproof.arena.experiments.experiment import Experiment, Row, boards_of, by, share, sizes
from mineproof.arena.plots import bars
from mineproof.limit import DEFAULT
from mineproof.logic import single
from mineproof.logic.reasoning import Reasoning
from mineproof.odds.scenarios import letters, newly_decided, scenarios_in, table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CELLS = {2: 8, 3: 6}
"""The most cells of the scenarios of two and of three clues."""
SHOWN = 12
"""The number of scenarios in the figure and in the table."""


def points(quick: bool) -> list[Row]:
    """Measure all small scenarios, and the positions of games in which single clues open nothing."""
    points: list[Row] = [{"part": "table", "clues": clues, "cells": cells} for clues, cells in CELLS.items()]
    return points + [
        {"part": "games", "level": level, "first": first, "games": 5}
        for level in LEVELS
        for first in range(0, 20 if quick else 400, 5)
    ]


def measure(point: Row) -> list[Row]:
    """Return the rows of either part; columns that a part does not measure are None."""
    if point["part"] == "table":
        return [
            _row(
                part="table",
                scenario=str(scenario),
                clues=point["clues"],
                cells=scenario.cells,
                proves=_in_words(facts),
            )
            for scenario, facts in table(point["clues"], point["cells"])
        ]
    rows = []
    for board in boards_of(point):
        for number, (position, _) in enumerate(stuck_positions(board, single.infer, point["level"])):
            with Reasoning(position, "single", DEFAULT) as reasoning:
                reasoning.settle()
            seen: Counter[tuple[str, int, str]] = Counter()
            for clues in CELLS:
                for scenario in set(scenarios_in(reasoning.open, clues)):
                    seen[str(scenario), clues, _in_words(newly_decided(scenario))] += 1
            place = {"part": "games", "level": point["level"], "board": board, "number": number}
            rows.append(_row(**place))
            rows += [_row(**place, scenario=name, clues=clues, proves=proves) for name, clues, proves in sorted(seen)]
    return rows


def _in_words(facts: dict[int, bool]) -> str:
    return ", ".join(f"{letters(seen)} {'mines' if mine else 'safe'}" for seen, mine in sorted(facts.items()))


def _row(**fields: object) -> Row:
    names = ("part", "scenario", "clues", "cells", "proves", "level", "board", "number")
    return {name: fields.get(name) for name in names}


def _most_frequent(rows: list[Row]) -> tuple[int, list[tuple[str, str, int]]]:
    """Return the number of positions, and the scenarios with the number of positions in which each occurs."""
    games = [row for row in rows if row["part"] == "games"]
    positions = sum(row["scenario"] is None for row in games)
    times = Counter((row["scenario"], row["proves"]) for row in games if row["scenario"] is not None)
    return positions, [(scenario, proves, count) for (scenario, proves), count in times.most_common()]


def draw(panels: list[Axes], rows: list[Row]) -> None:
    """Draw the most frequent scenarios."""
    positions, scenarios = _most_frequent(rows)
    scenarios = scenarios[:SHOWN]
    values = [share([{"won": n < count} for n in range(positions)]) for *_, count in scenarios]
    names = [f"{scenario}\n→ {proves}" for scenario, proves, _ in scenarios]
    bars(panels[0], names, [(100 * a, 100 * b, 100 * c) for a, b, c in values], [0] * len(scenarios))
    panels[0].tick_params(axis="y", labelsize=8)
    panels[0].set_title("Positions in which single clues open nothing, %")


def frequency_table(rows: list[Row]) -> list[list[str]]:
    """Return the most frequent scenarios as a table."""
    positions, scenarios = _most_frequent(rows)
    head = ["scenario", "proves", "positions", "%"]
    return [head] + [
        [scenario, proves, str(count), f"{100 * count / max(1, positions):.1f}"]
        for scenario, proves, count in scenarios[:SHOWN]
    ]


def read(rows: list[Row]) -> str:
    """Say how many scenarios there are, and how often they help."""
    tables = by([row for row in rows if row["part"] == "table"], "clues")
    positions, scenarios = _most_frequent(rows)
    games = [row for row in rows if row["part"] == "games"]
    helped = len({(row["level"], row["board"], row["number"]) for row in games if row["scenario"] is not None})
    pairs = {(row["level"], row["board"], row["number"]) for row in games if row["clues"] == 2}
    counts = ", ".join(f"{len(own)} of {clues} clues with up to {CELLS[clues]} cells" for clues, own in tables.items())
    return (
        f"Scenarios that decide something that no smaller part of them decides: {counts}. In {positions:,} positions "
        f"of games in which single clues open nothing, {len(scenarios)} different ones of two or three clues occur: "
        f"{100 * helped / max(1, positions):.0f} % of the positions contain one, and "
        f"{100 * len(pairs) / max(1, positions):.0f} % contain one of two clues. Letters are clues; ab2 means two "
        "cells seen by both a and b."
    )


def _sample(rows: list[Row]) -> str:
    return sizes([[row for row in rows if row["part"] == "games" and row["scenario"] is None]], "positions").replace(
        " per point", ""
    )


SCENARIOS = Experiment(
    "smile-scenarios", "A table of scenarios", "Which small configurations prove something, and how often do they "
    "occur?",
    "Nguyen and Kafafian, S.M.I.L.E. (2021)", points, measure, draw, read, _sample, height=6.4, width=9.6,
    table=frequency_table,
)  # fmt: skip
