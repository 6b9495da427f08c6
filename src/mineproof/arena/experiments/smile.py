"""S.M.I.L.E. (Nguyen and Kafafian, 2021): its score against the density, and what the proposed waiting list saves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mineproof.agents.registry import find_agent
from mineproof.agents.systems import RANDOM, find_system
from mineproof.arena.experiments.experiment import (
    SEED,
    Experiment,
    Row,
    above_zero,
    boards_of,
    by,
    compared,
    fraction,
    in_turn,
    mean,
    sizes,
    spent,
)
from mineproof.arena.match import identified, turns
from mineproof.arena.plots import curve
from mineproof.board.game import Game
from mineproof.board.level import Level
from mineproof.limit import DEFAULT
from mineproof.logic import single
from mineproof.logic.reasoning import Reasoning

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from mineproof.agents.agent import Agent
    from mineproof.board.position import Position

SYSTEM = find_system("smile")
NORMAL_FORM, BASIC = SYSTEM.agents
SOURCE = "Nguyen and Kafafian, S.M.I.L.E. (2021)"
LITERAL = f"{NORMAL_FORM}:literal"
METHODS = {
    BASIC: "basic",
    NORMAL_FORM: "normal-form, sound",
    LITERAL: "normal-form, as printed",
    f"sat+random:{RANDOM}": "complete (sat+random)",
}
GUESSES = {
    NORMAL_FORM: "random (the report)",
    f"{NORMAL_FORM}+density:{RANDOM}": "density",
    f"{NORMAL_FORM}+lowest-risk:{RANDOM}": "lowest risk",
    f"{NORMAL_FORM}+best:{RANDOM}": "looking ahead",
}
"""Agents that differ in their guesses: the report proposes to guess by statistics."""


def points(quick: bool) -> list[Row]:
    """Vary the density of 9×9 boards, under the rules of the report, which has ten boards per density."""
    return [
        {"agent": agent, "version": find_agent(agent).version, "percent": percent, "first": first, "games": 20}
        for percent in (range(10, 61, 10) if quick else range(5, 61, 5))
        for agent in {**METHODS, **GUESSES}
        for first in range(0, 40 if quick else 200, 20)
    ]


def measure(point: Row) -> list[Row]:
    """Return a row per game, with the score by the report's measure and by ours, and the verdicts of pairs of clues."""
    agent = find_agent(point["agent"]).make()
    level = Level(9, 9, probability=point["percent"] / 100)
    rows = []
    for board in boards_of(point):
        game = Game(level, SYSTEM.rules, seed=SEED, index=board)
        verdicts, wrong = _play(agent, game)
        rows.append(
            {
                "agent": point["agent"], "percent": point["percent"], "board": board, "mines": game.mines,
                "score": flagged(agent, game), "identified": identified(game), "hits": game.hits,
                "verdicts": verdicts, "wrong": wrong,
            }
        )  # fmt: skip
    return rows


def _play(agent: Agent, game: Game) -> tuple[int, int]:
    """Play a game. Return how many verdicts came from pairs of clues, and how many of these were wrong."""
    verdicts = wrong = 0
    assert game.layout is not None
    for turn in turns(agent, game):
        played = {move.cell for move in turn.played}
        for reason in turn.decision.reasons if turn.decision.certain else ():
            if reason.method == "normal-form":
                cells = reason.cells & played
                verdicts += len(cells)
                wrong += sum(game.layout.has_mine(cell) is not reason.mine for cell in cells)
    return verdicts, wrong


def flagged(agent: Agent, game: Game) -> float:
    """Return the score by the report's measure: the share of mines that are flagged. When the game is over, the agent
    may still flag mines that it knows."""
    if not game.mines:
        return 1.0
    assert game.layout is not None
    flags = set(game.position.where("F"))
    if game.over:
        flags |= {move.cell for move in agent.choose(game.position).moves if move.kind == "flag" and move.cell}
    return sum(map(game.layout.has_mine, flags)) / game.mines


def draw(panels: list[Axes], rows: list[Row]) -> None:
    """Draw the report's figure, our measure, guesses by statistics, and wrong verdicts."""
    groups = by(rows, "agent", "percent")
    percents = sorted(by(rows, "percent"))
    for axes, agents, name, title in (
        (panels[0], METHODS, "score", "Score of the report: mines flagged, %"),
        (panels[1], METHODS, "identified", "Mines flagged, or left closed at the end, %"),
        (panels[2], GUESSES, "score", "Score of normal-form, by how it guesses, %"),
    ):
        for number, (agent, label) in enumerate(agents.items()):
            shares = [(percent, fraction(groups[agent, percent], name)) for percent in percents]
            curve(axes, [(x, 100 * y, 100 * low, 100 * high) for x, (y, low, high) in shares], label, number)
        axes.set_ylim(-2, 102)
        axes.set_title(title)
        axes.legend(loc="lower left")
    for number, agent in enumerate((LITERAL, NORMAL_FORM)):
        own = [(percent, wrong_share(groups[agent, percent])) for percent in percents]
        curve(panels[3], [(x, 100 * y, 100 * low, 100 * high) for x, (y, low, high) in own], METHODS[agent], number)
    panels[3].set_title("Wrong verdicts of pairs of clues, %")
    panels[3].legend()
    for axes in panels:
        axes.set_xlabel("chance of a mine, %")
        axes.set_xticks([percent for percent in percents if percent % 10 == 0])


def wrong_share(rows: list[Row]) -> tuple[float, float, float]:
    """Return the share of wrong verdicts among those of pairs of clues, with its interval."""
    verdicts = [{"wrong": n < row["wrong"]} for row in rows for n in range(row["verdicts"])]
    return fraction(verdicts, "wrong") if verdicts else (0.0, 0.0, 1.0)


def read(rows: list[Row]) -> str:
    """Say whether the report is right, and what its printed rule costs."""
    groups = by(rows, "agent")

    def score(agent: str, name: str = "score") -> float:
        return 100 * fraction(groups[agent], name)[0]

    verdicts, wrong = (sum(row[name] for row in groups[LITERAL]) for name in ("verdicts", "wrong"))
    sound_wrong = sum(row["wrong"] for row in groups[NORMAL_FORM])
    complete = list(METHODS)[-1]
    guesses = ", ".join(f"{label} {score(agent):.1f}" for agent, label in GUESSES.items())
    return (
        "The report finds only a very small improvement of normal-form over basic, and both fall with density. Mean "
        f"score over all densities: basic {score(BASIC):.1f} %, normal-form {score(NORMAL_FORM):.1f} % (sound) and "
        f"{score(LITERAL):.1f} % (as printed), a complete method {score(complete):.1f} %. By our second measure, "
        f"which includes closed mines on a cleared board: {score(BASIC, 'identified'):.1f}, "
        f"{score(NORMAL_FORM, 'identified'):.1f}, {score(LITERAL, 'identified'):.1f} and "
        f"{score(complete, 'identified'):.1f} %. Of {verdicts:,} verdicts of the printed rule {wrong:,} were wrong "
        f"({100 * wrong / max(1, verdicts):.0f} %); of the sound rule, {sound_wrong}. If normal-form guesses by "
        f"statistics, as the report proposes, the scores are: {guesses}."
    )


# -- the waiting list ------------------------------------------------------------------------------------------------


def waiting_points(quick: bool) -> list[Row]:
    """Play boards of several sizes, in turn."""
    return compared([{"size": size} for size in (9, 16, 32, 64)], 10 if quick else 100, 5)


def measure_waiting(point: Row) -> list[Row]:
    """Check the clues in the positions of games of basic, with and without a waiting list."""
    for count_checks in LISTS.values():
        count_checks(positions_of(Game("beginner", SYSTEM.rules, seed=SEED)))  # the first time takes longer
    rows = []
    for row, board in in_turn(point["rows"], boards_of(point), point["first"]):
        size = row["size"]
        positions = positions_of(Game(Level.share(size, size, 0.124), SYSTEM.rules, seed=SEED, index=board))
        counts = {"size": size, "board": board, "turns": len(positions)}
        counts |= {name + kind: 0 for kind in LISTS for name in ("looks", "seconds")}
        for kind, _ in in_turn(list(LISTS), [board], board):
            counts["looks" + kind], counts["seconds" + kind] = spent(LISTS[kind], positions)
        rows.append(counts)
    return rows


def _with_every_clue(positions: list[Position]) -> int:
    looks = 0
    for position in positions:
        with Reasoning(position, "single", DEFAULT) as reasoning:
            reasoning.settle()
        looks += reasoning.clue_checks
    return looks


def _with_waiting_list(positions: list[Position]) -> int:
    follower = single.Follower()
    for position in positions:
        follower.infer(position)
    return follower.clue_checks


LISTS = {"": _with_every_clue, "_waiting": _with_waiting_list}
"""Functions that check the clues and count the checks, by the suffix of their columns."""


def positions_of(game: Game) -> list[Position]:
    """Let basic play a game, and return the positions in which it had to choose."""
    positions = [game.position]
    for _ in turns(BASIC, game):
        positions.append(game.position)
    return positions if not game.over else positions[:-1]


def draw_waiting(panels: list[Axes], rows: list[Row]) -> None:
    """Draw the checks of clues, and the time."""
    for axes, name, title in (
        (panels[0], "looks", "Clue checks per game"),
        (panels[1], "seconds", "Processor time of inference per game, s"),
    ):
        for number, (column, label) in enumerate(
            ((name, "every clue, every turn"), (f"{name}_waiting", "waiting list"))
        ):
            means = [(size, *mean(own, column)) for size, own in by(rows, "size").items()]
            curve(axes, above_zero(means), label, number)
        axes.set_yscale("log")
        axes.set_xscale("log", base=2)
        axes.set_xticks(list(by(rows, "size")), [f"{size}×{size}" for size in by(rows, "size")])
        axes.minorticks_off()
        axes.set_title(title)
        axes.legend()


def read_waiting(rows: list[Row]) -> str:
    """Say what the waiting list saves."""
    savings = []
    for size, own in by(rows, "size").items():
        looks, fewer, seconds, less = (
            mean(own, name)[0] for name in ("looks", "looks_waiting", "seconds", "seconds_waiting")
        )
        savings.append(
            f"{size}×{size}: {looks:,.0f} and {fewer:,.0f} checks, {1e3 * seconds:.0f} and {1e3 * less:.0f} ms"
        )
    return (
        "The report proposes a waiting list: a clue that cannot help now is not checked again until a cell around it "
        "changes. Games of basic with 12.4 % mines, without and with it, in processor time: "
        f"{'; '.join(savings)}. Both find the same cells."
    )


DENSITY = Experiment(
    "smile-density", "Score against density", "How many mines are identified, as boards get denser?", SOURCE,
    points, measure, draw, read, lambda rows: sizes(by(rows, "agent", "percent").values(), "games"), panels=4,
)  # fmt: skip
WAITING = Experiment(
    "smile-waiting-list", "The waiting list", "How much does it save to skip clues that cannot help?", SOURCE,
    waiting_points, measure_waiting, draw_waiting, read_waiting,
    lambda rows: sizes(by(rows, "size").values(), "games"), panels=2,
)  # fmt: skip
