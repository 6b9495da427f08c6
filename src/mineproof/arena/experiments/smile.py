"""S.M.I.L.E. (Nguyen and Kafafian, 2021): score against density."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mineproof.agents.registry import AGENTS
from mineproof.arena.experiments.experiment import Experiment, Row, by, game_points, mean, play_games
from mineproof.arena.plots import curve
from mineproof.board.level import Level

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SLOW = ("chaining",)
THEIRS = ("basic", "normal-form")


def points(quick: bool) -> list[Row]:
    """Side 9; play goes on after a mine. The report has ten boards a point.

    Its first click may be a mine; with all agents, it is safe, so that those who never guess can begin.
    """
    found = []
    for percent in range(10, 61, 10) if quick else range(5, 71, 5):
        level = Level(9, 9, probability=percent / 100)
        found += game_points(THEIRS, level, "any+goes-on", 100 if quick else 1000, 50, percent=percent)
        for agent in AGENTS:
            games = 12 if quick else 100
            block = 1 if agent in SLOW else 4
            found += game_points(
                [agent], level, "safe+goes-on", games // (4 if agent in SLOW else 1), block, percent=percent
            )
    return found


def _scores(rows: list[Row], rules: str) -> dict[str, dict[int, tuple[float, float, float]]]:
    """By agent and density, in per cent."""
    found: dict[str, dict[int, tuple[float, float, float]]] = {}
    for (agent, percent), own in by([row for row in rows if row["rules"] == rules], "agent", "percent").items():
        middle, low, high = (100 * part for part in mean(own, "score"))
        found.setdefault(agent, {})[percent] = middle, low, high
    return found


def draw(panels: list[Axes], rows: list[Row]) -> None:
    """The report's figure, and the same for everybody."""
    for axes, rules, title in zip(
        panels,
        ("any+goes-on", "safe+goes-on"),
        ("The report's two agents", "All agents, first click safe"),
        strict=True,
    ):
        for agent, own in _scores(rows, rules).items():
            curve(axes, [(percent, *score) for percent, score in own.items()], agent, list(AGENTS).index(agent))
        axes.set_title(title)
        axes.set_xlabel("chance of a mine, %")
        axes.set_ylabel("score: mines identified, %")
        axes.set_ylim(-2, 102)
    panels[0].legend()
    panels[1].legend(loc="center left", bbox_to_anchor=(1.01, 0.5))


def read(rows: list[Row]) -> str:
    """Whether it is as the report expects."""
    theirs = _scores(rows, "any+goes-on")
    basic, normal = ({percent: score[0] for percent, score in theirs[agent].items()} for agent in THEIRS)
    least, most = min(basic), max(basic)
    gain = sum(normal[percent] - basic[percent] for percent in basic) / len(basic)
    above = sum(normal[percent] > basic[percent] for percent in basic)
    means = {
        agent: sum(score[0] for score in own.values()) / len(own)
        for agent, own in _scores(rows, "safe+goes-on").items()
    }
    leaders = sorted(means, key=lambda agent: -means[agent])
    falling = all(found[most] < found[least] for found in (basic, normal))
    return (
        "The report expects normal-form a little above basic, and both to fall with density. Here normal-form is "
        f"above at {above} of {len(basic)} densities, by {gain:.1f} points on average, and both "
        f"{'fall' if falling else 'do not fall'}: basic from {basic[least]:.0f} % of the mines at {least} % to "
        f"{basic[most]:.0f} % at {most} %, normal-form from {normal[least]:.0f} % to {normal[most]:.0f} %. All agents, "
        f"on average over the densities: {', '.join(f'{agent} {means[agent]:.0f}' for agent in leaders)}. A score "
        "counts the mines that were found and not opened; whoever hands over leaves the rest of the board as it is."
    )


DENSITY = Experiment(
    "smile-density", "Score against density", "How many mines are identified, as boards get denser?",
    "Nguyen and Kafafian, S.M.I.L.E. (2021)", points, play_games, draw, read, panels=2,
)  # fmt: skip
