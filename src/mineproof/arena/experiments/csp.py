"""CSP Based Agent (Sharma, Kallingal Joshy and Agrawal): its guesses and its time against the size of the board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mineproof.agents.systems import find_system
from mineproof.arena.experiments.experiment import (
    Experiment,
    Row,
    above_zero,
    by,
    compared,
    game_points,
    mean,
    play_games,
    player,
    sizes,
    timed_games,
)
from mineproof.arena.plots import curve
from mineproof.board.level import SHARES, Level

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SYSTEM = find_system("sharma")
BUILT, PLANNED = SYSTEM.agents
PERCENTS = {name: int(share.rstrip("%")) for name, share in SHARES.items()}
DENSEST = max(PERCENTS.values())
OPTIONS = ",".join(map(str, SYSTEM.players[0].options))
DENSITY = f"{BUILT}+density:{OPTIONS}"
EXACT = f"{BUILT}+lowest-risk:{OPTIONS}"
AGENTS = {BUILT: "random guesses (built)", DENSITY: "by density (planned)", EXACT: "by exact odds (ours)"}
"""Agents that differ in their guesses: those that the report built and planned, and by the exact odds."""
TIMED = {
    BUILT: "csp",
    PLANNED: "asp, told each new clue",
    f"{PLANNED}:multi-shot=no": "asp, rebuilt each turn",
    "lowest-risk": "counting (lowest-risk)",
}
SOURCE = "Sharma, Kallingal Joshy and Agrawal, CSP Based Agent"


def _boards(quick: bool) -> tuple[list[tuple[str, Row]], int]:
    """Return the levels with their labels, and the number of games."""
    sides, games = ((5, 10, 15, 20), 15) if quick else ((5, 10, 15, 20, 25, 30), 60)
    levels: list[tuple[str, Row]] = [
        (f"{size}x{size}x{name}", {"size": size, "percent": percent})
        for size in sides
        for name, percent in PERCENTS.items()
    ]
    return levels, games


def points(quick: bool) -> list[Row]:
    """Let the agents play by the rules of the report."""
    levels, games = _boards(quick)
    return [
        point
        for level, labels in levels
        for point in game_points(AGENTS, Level.parse(level), SYSTEM.rules, games, 3, **labels)
    ]


def time_points(quick: bool) -> list[Row]:
    """Let the timed agents play the same boards, in turn over all sizes."""
    levels, games = _boards(quick)
    rows = [player(agent, level, SYSTEM.rules, **labels) for level, labels in levels for agent in TIMED]
    return compared(rows, games)


def measure_time(point: Row) -> list[Row]:
    """Return a row per game."""
    return [{**row, "board": board, "seconds": result.seconds} for row, board, _, _, result in timed_games(point)]


def _draw(panels: list[Axes], rows: list[Row], built: str, compared_by: str, agents: dict[str, str]) -> None:
    """Draw the report's figure, a curve per level for csp, and beside it the agents on the densest level."""
    levels = by([row for row in rows if row["agent"] == BUILT], "percent").items()
    for number, (name, (percent, own)) in enumerate(zip(SHARES, levels, strict=True)):
        points = [(size, *mean(games, built)) for size, games in by(own, "size").items()]
        curve(panels[0], points, f"{name} ({percent} % mines)", number)
    dense = by([row for row in rows if row["percent"] == DENSEST], "agent", "size")
    for number, (agent, label) in enumerate(agents.items()):
        points = [(size, *mean(own, compared_by)) for (name, size), own in dense.items() if name == agent]
        curve(panels[1], above_zero(points) if panels[1].get_yscale() == "log" else points, label, number)
    for axes in panels:
        axes.set_xlabel("rows and columns")
        axes.set_xticks(sorted(by(rows, "size")))
        axes.legend()


def draw_guesses(panels: list[Axes], rows: list[Row]) -> None:
    """Draw the guesses of csp, and the value of better guesses."""
    _draw(panels, rows, "guesses", "hits", AGENTS)
    panels[0].set_title("Guesses per game, csp")
    panels[1].set_title(f"Mines opened per game, {DENSEST} % mines")


def draw_time(panels: list[Axes], rows: list[Row]) -> None:
    """Draw the time of csp, and that of asp and of counting on the same boards."""
    panels[1].set_yscale("log")
    _draw(panels, rows, "seconds", "seconds", TIMED)
    panels[0].set_title("Processor time per game, csp, s")
    panels[1].set_title(f"Processor time per game, {DENSEST} % mines, s")


def read_guesses(rows: list[Row]) -> str:
    """Say how guesses grow with the board, and what the odds are worth."""
    groups = by(rows, "agent", "percent", "size")
    largest = max(row["size"] for row in rows)
    guesses = ", ".join(
        f"{mean(groups[BUILT, percent, largest], 'guesses')[0]:.1f} at {percent} %" for percent in PERCENTS.values()
    )
    hits = {agent: by(own, "size", "percent", "board") for agent, own in by(rows, "agent").items()}
    means = {agent: sum(row["hits"] for (row,) in own.values()) / len(own) for agent, own in hits.items()}
    saved = []
    for other in (DENSITY, EXACT):
        fewer = [{"mines": row["hits"] - hits[other][board][0]["hits"]} for board, (row,) in hits[BUILT].items()]
        middle, low, high = mean(fewer, "mines", signed=True)
        saved.append(f"{middle:.2f} ({low:.2f} to {high:.2f})")
    certain = sum(row["hits"] > row["guesses"] for row in rows)
    return (
        f"On {largest}×{largest} csp makes {guesses} guesses per game. The report says that the agent never opens a "
        f"mine without guessing; games with more mines opened than guesses: {certain}. Its authors guess at random, "
        "planned to guess by density, and expect probabilistic guessing to perform exponentially better. Over all "
        f"boards, random guesses open {means[BUILT]:.2f} mines per game, guesses by density {means[DENSITY]:.2f}, and "
        f"guesses with the least exact risk {means[EXACT]:.2f}; on the same boards density saves {saved[0]} mines per "
        f"game, and exact risk {saved[1]} (95 % intervals)."
    )


def read_time(rows: list[Row]) -> str:
    """Say how time grows with the board."""
    groups = by(rows, "agent", "percent", "size")
    small, large = min(row["size"] for row in rows), max(row["size"] for row in rows)
    growth = [
        mean(groups[BUILT, percent, large], "seconds")[0] / mean(groups[BUILT, percent, small], "seconds")[0]
        for percent in PERCENTS.values()
    ]
    times = {agent: mean(groups[agent, DENSEST, large], "seconds")[0] for agent in TIMED}
    factors = ", ".join(
        f"{factor:.0f} at {percent} %" for factor, percent in zip(growth, PERCENTS.values(), strict=True)
    )
    return (
        f"From {small}×{small} to {large}×{large}, {large**2 // small**2} times the cells, the processor time of a "
        f"game grows by a factor of {factors}. On {large}×{large} with {DENSEST} % mines a game takes "
        + ", ".join(f"{seconds:.3f} s by {TIMED[agent]}" for agent, seconds in times.items())
        + "."
    )


def _sample(rows: list[Row]) -> str:
    return sizes(by(rows, "agent", "size", "percent").values(), "games")


GUESSES = Experiment(
    "csp-guesses", "Guesses against size", "How many guesses does the CSP agent make, as boards grow?", SOURCE,
    points, play_games, draw_guesses, read_guesses, _sample, panels=2,
)  # fmt: skip
TIME = Experiment(
    "csp-time", "Time against size", "How long does the CSP agent take, as boards grow?", SOURCE,
    time_points, measure_time, draw_time, read_time, _sample, panels=2,
)  # fmt: skip
