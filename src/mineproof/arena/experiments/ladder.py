"""The ladder: how often every agent wins on every level."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mineproof.agents.registry import AGENTS, find_agent
from mineproof.arena.experiments.experiment import Experiment, Row, by, game_points, play_games, share, sizes
from mineproof.arena.plots import COLOURS, MARKS, spans
from mineproof.board.level import LEVELS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SLOW = ("asp", "chaining", "csp")
PLAYERS = (*AGENTS, "sat+random")
"""All agents, which start as their reports say, and a complete one that guesses at random."""


def points(quick: bool) -> list[Row]:
    """Give faster agents more games; slower agents play the first of the same boards."""
    rows = []
    for name, level in LEVELS.items():
        for agent in PLAYERS:
            games, block = (100, 20) if quick else (1000, 20)
            if agent in SLOW:
                games, block = (16 if name == "expert" else 40) if quick else 200, 2
            elif agent != "deep" and find_agent(agent).looks_ahead is not None:  # quick, in compiled code
                games, block = 2000 if quick else 50_000, 1000
            rows += game_points([agent], level, "safe", games, block, name=name)
    return rows


def _order(rows: list[Row]) -> list[str]:
    """Return the agents, best first, by their mean win rate over the levels."""
    rates = {agent: [share(games)[0] for games in by(own, "name").values()] for agent, own in by(rows, "agent").items()}
    return sorted(rates, key=lambda agent: -sum(rates[agent]))


def draw(panels: list[Axes], rows: list[Row]) -> None:
    """Draw a line per agent, with a mark per level."""
    (axes,) = panels
    agents = _order(rows)
    for place in range(len(agents)):
        axes.axhline(place, color="#EEEEEE", zorder=0)
    for number, (name, own) in enumerate(by(rows, "name").items()):
        by_agent = by(own, "agent")
        shares = [share(by_agent[agent]) for agent in agents]
        middle, errors = spans([(100 * value, 100 * low, 100 * high) for value, low, high in shares])
        places = [place + 0.11 * (number - 2) for place in range(len(agents))]
        axes.errorbar(
            middle, places, xerr=errors, color=COLOURS[number], marker=MARKS[number], linestyle="none", elinewidth=1.3,
            capsize=2.5, label=f"{name} ({LEVELS[name].size})",
        )  # fmt: skip
    axes.set_yticks(range(len(agents)), agents)
    axes.invert_yaxis()
    axes.set_xlim(-1, 101)
    axes.set_xlabel("games won, %")
    axes.set_title("Win rates, first click safe")
    axes.legend(loc="upper center", bbox_to_anchor=(0.45, -0.14), ncols=3)


def read(rows: list[Row]) -> str:
    """Say the order of the agents, and the value of their guesses."""
    expert = {agent: share(own) for agent, own in by([row for row in rows if row["name"] == "expert"], "agent").items()}
    ranking = ", ".join(f"{agent} {100 * expert[agent][0]:.1f}" for agent in _order(rows))
    low, high = (100 * bound for bound in expert["best"][1:])
    guesses = {
        "careful": "stopping",
        "sat+random": "guessing at random",
        "lowest-risk": "taking the least risk",
        "best": "looking ahead",
    }
    worth = ", ".join(f"{100 * expert[agent][0]:.1f} % {guess} ({agent})" for agent, guess in guesses.items())
    return (
        f"Expert games won, in percent: {ranking} (95 % interval of best: {low:.1f} to {high:.1f}). Four of them find "
        f"every certain cell, and differ in what they do when there is none: {worth}. Slower agents play fewer of the "
        "same boards; the bars show the uncertainty. Agents of the reports play as the reports say: basic, "
        "normal-form, csp and asp begin at a random cell, the others in the corner; csp and asp use the clues alone, "
        "and sat counts mines up to 12 cells."
    )


LADDER = Experiment(
    "ladder", "The ladder: every agent on every level", "How often does each agent win?", "Mineproof", points,
    play_games, draw, read,
    lambda rows: sizes(by(rows, "agent", "name").values(), "games"), height=5.6,
)  # fmt: skip
