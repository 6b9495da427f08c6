"""The density wall: the share of mines from which most games need a guess, or are lost."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from mineproof.agents.registry import find_agent
from mineproof.arena.chunks import Chunk, run
from mineproof.arena.experiments.experiment import SEED, Experiment, Row, by, sizes
from mineproof.arena.plots import curve
from mineproof.arena.statistics import wilson
from mineproof.board.level import Level
from mineproof.board.rules import Rules

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SIZES = {10: 1000, 20: 600, 30: 400, 50: 200, 100: 60}
"""The number of rows and columns of a board, and the number of games on it in quick mode."""


def points(quick: bool) -> list[Row]:
    """Combine all sizes with all densities."""
    percents = range(10, 29, 2) if quick else range(8, 31)
    return [
        {
            "size": size,
            "percent": percent,
            "games": games if quick else 20 * games,
            "version": find_agent("best").version,
        }
        for size, games in SIZES.items()
        for percent in percents
    ]


def measure(point: Row) -> list[Row]:
    """Let ``best`` play the games of a point, and count them."""
    size = point["size"]
    level = Level.share(size, size, point["percent"] / 100)
    results = run(Chunk("best", point["version"], level, Rules("opening"), SEED, 0, point["games"]))
    won, guessed = sum(result.won for result in results), sum(result.guesses > 0 for result in results)
    guesses = sum(result.guesses for result in results) / len(results)
    return [{**point, "mines": level.mines, "won": won, "guessed": guessed, "guesses": guesses}]


def draw(panels: list[Axes], rows: list[Row]) -> None:
    """Draw wins, and games that need a guess, against the density."""
    for axes, name, title in zip(
        panels, ("won", "guessed"), ("Games won by best, %", "Games that need a guess, %"), strict=True
    ):
        for number, (size, own) in enumerate(by(rows, "size").items()):
            points = []
            for row in own:
                low, high = wilson(row[name], row["games"])
                points.append((row["percent"], 100 * row[name] / row["games"], 100 * low, 100 * high))
            curve(axes, points, f"{size}×{size}", number)
        axes.set_title(title)
        axes.set_xlabel("mines, % of the cells")
        axes.set_ylim(-2, 102)
        axes.set_xticks(range(min(row["percent"] for row in rows), max(row["percent"] for row in rows) + 1, 2))
    panels[0].legend(title="board")


def halfway(rows: list[Row], name: str, falling: bool) -> float | None:
    """Return the density at which the share of games counted in column ``name`` crosses a half, by straight lines
    between the densities measured; None if it does not."""
    shares = [(row["percent"], row[name] / row["games"]) for row in rows]
    for (low, before), (high, after) in pairwise(shares):
        if (before >= 0.5 > after) if falling else (before < 0.5 <= after):
            return float(low + (high - low) * (before - 0.5) / (before - after))
    return None


def read(rows: list[Row]) -> str:
    """Say the densities of the walls."""
    walls = []
    for size, own in by(rows, "size").items():
        guess, win = halfway(own, "guessed", falling=False), halfway(own, "won", falling=True)
        bounds = [f"half need a guess from {guess:.1f} %"] if guess is not None else []
        bounds += [f"half are lost from {win:.1f} %"] if win is not None else []
        walls.append(f"{size}×{size}: {', '.join(bounds) or 'no wall in this range'}")
    return (
        f"Positions of the walls, interpolated between the densities played: {'; '.join(walls)}. A board needs a guess "
        "if one is forced anywhere, and a large board has more places for that. Expert has 20.6 % mines on 480 "
        "cells."
    )


WALL = Experiment(
    "density-wall", "The density wall", "At which density does Minesweeper stop being solvable?", "Mineproof",
    points, measure, draw, read,
    lambda rows: sizes([range(row["games"]) for row in rows], "games"), panels=2,
)  # fmt: skip
