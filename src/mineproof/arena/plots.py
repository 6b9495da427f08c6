"""Figures in one style, with colours that colour-blind people can tell apart, and markers for print."""

from __future__ import annotations

import textwrap
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from mineproof.agents.registry import COMMAND
from mineproof.arena.statistics import wilson
from mineproof.errors import MissingExtra, visible
from mineproof.files import whole_file

try:
    import matplotlib as mpl
    from matplotlib.figure import Figure
except ImportError:
    raise MissingExtra("drawing figures", "matplotlib", "arena") from None

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from matplotlib.axes import Axes

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8C8C00", "#7A7A7A", "#882255")
"""The colours of Okabe and Ito (2008), and three more."""
MARKS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "*")
ENOUGH = 20
"""The fewest guesses for a point of a calibration."""
DASHES = ("-", "--", "-.", ":")

STYLE: Any = {
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#DDDDDD",
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "legend.fontsize": 9,
    "lines.linewidth": 1.6,
    "lines.markersize": 5,
    "savefig.dpi": 120,
    "svg.hashsalt": "mineproof",  # so that the same data give the same file
}

Point = tuple[float, float, float, float]
"""x, a value, and the two ends of its interval."""


@contextmanager
def figure(panels: int = 1, height: float = 4.0, width: float | None = None) -> Iterator[tuple[Figure, list[Axes]]]:
    """Make a figure with panels side by side; four are arranged two by two."""
    across = 2 if panels == 4 else panels
    down = panels // across
    with mpl.rc_context(STYLE):
        usual = 6.4 if panels == 1 else 4.9 * across
        picture = Figure(figsize=(width or usual, height * down), layout="constrained")
        yield picture, list(picture.subplots(down, across, squeeze=False).flat)


def caption(picture: Figure, text: str) -> None:
    """Write a line below all panels."""
    picture.supxlabel(visible(text), x=0.01, ha="left", fontsize=8, color="#555555")


def curve(axes: Axes, points: Sequence[Point], label: str, number: int) -> None:
    """Draw values along x, with their intervals as a band."""
    xs, ys, lows, highs = zip(*points, strict=True)
    colour, mark = COLOURS[number % len(COLOURS)], MARKS[number % len(MARKS)]
    axes.fill_between(xs, lows, highs, color=colour, alpha=0.12, linewidth=0)
    axes.plot(xs, ys, color=colour, marker=mark, linestyle=DASHES[number % len(DASHES)], label=label)


def spans(values: Sequence[tuple[float, float, float]]) -> tuple[list[float], list[list[float]]]:
    """Return values with their intervals as error bars: the distances below and above the values."""
    down = [max(0.0, value - low) for value, low, _ in values]
    up = [max(0.0, high - value) for value, _, high in values]
    return [value for value, _, _ in values], [down, up]


def bars(
    axes: Axes, names: Sequence[str], values: Sequence[tuple[float, float, float]], numbers: Sequence[int]
) -> None:
    """Draw values as bars beside their names, from the top down, with intervals; ``numbers`` choose the colours."""
    places = range(len(names))
    shares, errors = spans(values)
    axes.barh(places, shares, color=[COLOURS[number] for number in numbers], alpha=0.8, height=0.7)
    axes.errorbar(shares, places, xerr=errors, fmt="none", ecolor="#222222", elinewidth=1.2, capsize=3)
    axes.set_yticks(places, names)
    axes.invert_yaxis()
    axes.grid(visible=False, axis="y")


def draw_run(summary: dict[str, Any], stem: Path) -> None:
    """Draw the figure of a finished tournament: win rates, and whether the estimated risks match the outcomes."""
    rows = summary["agents"]
    agents = list(dict.fromkeys(row["agent"] for row in rows))
    height = 1.8 + 0.32 * len(rows)
    with figure(2, max(4.0, height)) as (picture, (rates, risks)):
        names = [f"{_label(row['agent'])}, {_label(row['level'])}" for row in rows]
        numbers = [agents.index(row["agent"]) % len(COLOURS) for row in rows]
        bars(rates, names, [tuple(100 * part for part in row["win_rate"]) for row in rows], numbers)
        rates.set_xlim(0, 100)
        rates.set_title("Games won, %")
        risks.plot([0, 100], [0, 100], color="#777777", linewidth=1, linestyle=":")
        for number, agent in enumerate(agents):
            points = merged([row["calibration"] for row in rows if row["agent"] == agent])
            if points:
                xs = [x for x, *_ in points]
                values, errors = spans([(y, low, high) for _, y, low, high in points])
                risks.errorbar(xs, values, yerr=errors, fmt=MARKS[number % len(MARKS)], elinewidth=1, capsize=2,
                               color=COLOURS[number % len(COLOURS)], label=_label(agent))  # fmt: skip
        risks.set_title(f"Guesses: risk and outcome, for {ENOUGH} guesses or more")
        risks.set_xlabel("risk estimated by the agent, %")
        risks.set_ylabel("guesses that opened a mine, %")
        if risks.get_legend_handles_labels()[0]:
            risks.legend()
        save(picture, stem)


def _label(agent: str) -> str:
    """Return a name shortened for a figure, and escaped so that it is not read as a formula."""
    return visible(agent.removeprefix(COMMAND)[:30]).replace("$", r"\$")


def merged(calibrations: Sequence[Sequence[dict[str, Any]]]) -> list[Point]:
    """Return the calibration over several levels, in percent, where there are enough guesses."""
    bins: dict[int, list[float]] = {}
    for row in (row for rows in calibrations for row in rows):
        sums = bins.setdefault(round(20 * row["predicted"]), [0.0, 0.0, 0.0])
        for i, part in enumerate((row["guesses"], row["guesses"] * row["predicted"], row["struck"])):
            sums[i] += part
    points = []
    for _, (guesses, predicted, struck) in sorted(bins.items()):
        if guesses >= ENOUGH:
            low, high = wilson(round(struck), round(guesses))
            points.append((100 * predicted / guesses, 100 * struck / guesses, 100 * low, 100 * high))
    return points


def fit_titles(picture: Figure) -> None:
    """Wrap titles that are too long for their panel."""
    panels = [(axes, axes.get_title("left")) for axes in picture.axes]
    for axes, _ in panels:
        axes.set_title("", loc="left")
    picture.draw_without_rendering()  # sets the widths of the panels
    boxes = [axes.get_tightbbox() for axes, _ in panels[1:]]
    ends = [*(picture.bbox.x1 if box is None else box.x0 for box in boxes), picture.bbox.x1]
    for (axes, text), end in zip(panels, ends, strict=True):
        for width in range(max(len(text), 11), 10, -1):
            title = axes.set_title(textwrap.fill(text, width), loc="left")
            if axes.bbox.x0 + title.get_window_extent().width <= end:
                break


def save(picture: Figure, stem: Path) -> None:
    """Save a figure as PNG and as SVG; the same data give the same bytes."""
    with mpl.rc_context(STYLE):
        fit_titles(picture)
        for kind, metadata in (("png", {"Software": None}), ("svg", {"Date": None, "Creator": None})):
            with whole_file(stem.with_suffix(f".{kind}")) as file:
                picture.savefig(file, format=kind, metadata=metadata)
