"""CSP Based Agent (Sharma, Kallingal Joshy and Agrawal): guesses and time against the size of the board."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mineproof.arena.experiments.experiment import Experiment, Row, by, game_points, mean, play_games
from mineproof.arena.plots import curve
from mineproof.board.level import Level

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PERCENTS = (10, 15, 20)
AGENTS = {
    "csp": "random guesses (built)",
    "csp+density": "by density (planned)",
    "csp+lowest-risk": "exact odds (called for)",
}
"""The guesses of the report: what was built, what was planned, and what its authors call the step that counts."""


def points(quick: bool) -> list[Row]:
    """The first cell is never a mine; play goes on after one, and counts it."""
    sizes, games = ((5, 10, 15, 20), 24) if quick else ((5, 10, 15, 20, 25, 30), 60)
    return [
        point
        for size in sizes
        for percent in PERCENTS
        for point in game_points(
            (*AGENTS, "lowest-risk"), Level.share(size, size, percent / 100), "safe+goes-on", games, 3,
            size=size, percent=percent,
        )
    ]  # fmt: skip


def _draw_built(axes: Axes, rows: list[Row], name: str) -> None:
    """The report's figure: one curve a level."""
    for number, (percent, own) in enumerate(by([row for row in rows if row["agent"] == "csp"], "percent").items()):
        curve(axes, [(size, *mean(some, name)) for size, some in by(own, "size").items()], f"{percent} % mines", number)
    axes.set_xlabel("rows and columns")
    axes.set_xticks(sorted(by(rows, "size")))
    axes.legend()


def draw_guesses(panels: list[Axes], rows: list[Row]) -> None:
    """Guesses of csp, and what better guesses are worth."""
    _draw_built(panels[0], rows, "guesses")
    panels[0].set_title("Guesses a game, csp")
    dense = by([row for row in rows if row["percent"] == PERCENTS[-1]], "agent", "size")
    for number, (agent, label) in enumerate(AGENTS.items()):
        found = [(size, *mean(own, "hits")) for (name, size), own in dense.items() if name == agent]
        curve(panels[1], found, label, number)
    panels[1].set_title(f"Mines opened a game, {PERCENTS[-1]} % mines")
    panels[1].set_xlabel("rows and columns")
    panels[1].set_xticks(sorted(by(rows, "size")))
    panels[1].legend()


def draw_time(panels: list[Axes], rows: list[Row]) -> None:
    """Time of csp, and of counting on the same boards."""
    _draw_built(panels[0], rows, "seconds")
    panels[0].set_title("Seconds a game, csp")
    dense = by([row for row in rows if row["percent"] == PERCENTS[-1]], "agent", "size")
    for number, agent in enumerate(("csp", "lowest-risk")):
        found = [(size, *mean(own, "seconds")) for (name, size), own in dense.items() if name == agent]
        curve(panels[1], [(x, y, max(low, y / 10), high) for x, y, low, high in found], agent, number)
    panels[1].set_yscale("log")
    panels[1].set_title(f"Seconds a game, {PERCENTS[-1]} % mines")
    panels[1].set_xlabel("rows and columns")
    panels[1].set_xticks(sorted(by(rows, "size")))
    panels[1].legend()


def read_guesses(rows: list[Row]) -> str:
    """How guesses grow, and what the odds are worth."""
    found = by(rows, "agent", "percent", "size")
    largest = max(row["size"] for row in rows)
    told = ", ".join(f"{mean(found['csp', percent, largest], 'guesses')[0]:.1f} at {percent} %" for percent in PERCENTS)
    hits = {agent: by(own, "size", "percent", "board") for agent, own in by(rows, "agent").items()}
    means = {agent: sum(row["hits"] for (row,) in own.values()) / len(own) for agent, own in hits.items()}
    saved = [
        {"mines": row["hits"] - hits["csp+lowest-risk"][board][0]["hits"]} for board, (row,) in hits["csp"].items()
    ]
    middle, low, high = mean(saved, "mines", signed=True)
    return (
        f"On {largest}×{largest} csp makes {told} guesses a game. The report guesses at random, planned guesses by "
        "density, and says that exact probabilities would be the step that counts. Over all boards, random guesses "
        f"open {means['csp']:.2f} mines a game, guesses by density {means['csp+density']:.2f}, and the least exact "
        f"risk {means['csp+lowest-risk']:.2f}. On the same boards exact risk saves {middle:.2f} mines a game against "
        f"random guesses (95 % interval {low:.2f} to "
        f"{high:.2f}){'' if low > 0 else ', which these games cannot tell from nothing'}."
    )


def read_time(rows: list[Row]) -> str:
    """How time grows."""
    found = by(rows, "agent", "percent", "size")
    small, large = min(row["size"] for row in rows), max(row["size"] for row in rows)
    growth = [
        mean(found["csp", percent, large], "seconds")[0] / mean(found["csp", percent, small], "seconds")[0]
        for percent in PERCENTS
    ]
    theirs, ours = (mean(found[agent, PERCENTS[-1], large], "seconds")[0] for agent in ("csp", "lowest-risk"))
    told = ", ".join(f"{times:.0f} at {percent} %" for times, percent in zip(growth, PERCENTS, strict=True))
    return (
        f"From {small}×{small} to {large}×{large}, {large**2 // small**2} times the cells, the time of a game grows by "
        f"a factor of {told}. Counting, which also knows the odds, plays the boards of {large}×{large} with "
        f"{PERCENTS[-1]} % mines {theirs / ours:.0f} times as fast."
    )


GUESSES = Experiment(
    "csp-guesses", "Guesses against size", "How many guesses does the CSP agent make, as boards grow?",
    "Sharma, Kallingal Joshy and Agrawal, CSP Based Agent", points, play_games, draw_guesses, read_guesses, panels=2,
)  # fmt: skip
TIME = replace(
    GUESSES, name="csp-time", title="Time against size", question="How long does the CSP agent take, as boards grow?",
    draw=draw_time, read=read_time,
)  # fmt: skip
