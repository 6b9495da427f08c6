"""AI Capstone HW3 (Lee, 2023): the two tables of ``matching``."""

from __future__ import annotations

import time
from statistics import stdev
from typing import TYPE_CHECKING

from mineproof.arena.experiments.experiment import SEED, Experiment, Row, by, game_points, mean, play_games, share
from mineproof.arena.match import play
from mineproof.arena.plots import COLOURS, MARKS, bars, curve
from mineproof.board.game import Game, State
from mineproof.board.level import LEVELS as NAMED
from mineproof.logic.matching import KnowledgeBase

if TYPE_CHECKING:
    from matplotlib.axes import Axes

RULES = "given:sqrt+no-flood"
AGENTS = ("matching", "careful", "lowest-risk")
PLAYED = ("beginner", "medium", "expert")
SAFE_CELL_COUNTS = (8, 16, 32, 64, 128, 231)


def level_points(quick: bool) -> list[Row]:
    """The report's three levels; five games each there."""
    games = 40 if quick else 200
    return [point for name in PLAYED for point in game_points(AGENTS, NAMED[name], RULES, games, 2, name=name)]


def level_table(rows: list[Row]) -> list[list[str]]:
    """The report's columns, won, stuck and time, for its agent and for two of ours."""
    head = ["level"] + [f"{agent}: {what}" for agent in AGENTS for what in ("won %", "stuck %", "s a game")]
    found = [head]
    for name, own in by(rows, "name").items():
        line = [f"{name} ({NAMED[name].size})"]
        for agent in AGENTS:
            some = by(own, "agent")[agent]
            line += [
                f"{100 * share(some)[0]:.0f}",
                f"{100 * share(some, 'stuck')[0]:.0f}",
                f"{mean(some, 'seconds')[0]:.3f}",
            ]
        found.append(line)
    return found


def level_draw(panels: list[Axes], rows: list[Row]) -> None:
    """Games won, and time."""
    won, seconds = panels
    names = [f"{agent}, {name}" for name in PLAYED for agent in AGENTS]
    found = by(rows, "name", "agent")
    groups = [found[name, agent] for name in PLAYED for agent in AGENTS]
    shares = [share(own) for own in groups]
    bars(won, names, [(100 * a, 100 * b, 100 * c) for a, b, c in shares], [0, 1, 2] * len(PLAYED))
    won.set_xlim(0, 100)
    won.set_title("Games won, %")
    for number, agent in enumerate(AGENTS):
        cells = [len(NAMED[name].grid) for name in PLAYED]
        curve(
            seconds,
            [(x, *mean(found[name, agent], "seconds")) for x, name in zip(cells, PLAYED, strict=True)],
            agent,
            number,
        )
    seconds.set_yscale("log")
    seconds.set_xlabel("cells of the board")
    seconds.set_title("Seconds a game")
    seconds.legend()


def level_read(rows: list[Row]) -> str:
    """Never wrong; how often stuck; what completeness adds."""
    found = by(rows, "name", "agent")
    told = []
    for name in PLAYED:
        theirs, ours = found[name, "matching"], found[name, "careful"]
        told.append(f"{name} {100 * share(theirs)[0]:.0f} % ({100 * share(ours)[0]:.0f} % for careful)")
    hits = sum(row["hits"] for row in rows if row["agent"] == "matching")
    games = sum(row["agent"] == "matching" for row in rows)
    more = sum(row["won"] for row in rows if row["agent"] == "careful") - sum(
        row["won"] for row in rows if row["agent"] == "matching"
    )
    careful, guessing = found["expert", "careful"], found["expert", "lowest-risk"]
    return (
        f"The report says that matching is never wrong, and that a game ends as won or stuck: in {games} games it "
        f"opened {hits} mines. It won {', '.join(told)}. A complete method that also knows the number of mines wins "
        f"{more} more of these {games} games. At expert it is stuck in {100 * share(careful, 'stuck')[0]:.0f} % of "
        f"games; the least risk wins {100 * share(guessing)[0]:.0f} %."
    )


def cell_points(quick: bool) -> list[Row]:
    """The number of cells that the game gives; 231 is every safe cell."""
    games = 40 if quick else 200
    return [{"given": given, "first": first, "games": 5} for given in SAFE_CELL_COUNTS for first in range(0, games, 5)]


def measure_cells(point: Row) -> list[Row]:
    """Games of matching with one knowledge base that is told each clue as it opens, and of careful."""
    rows = []
    for index in range(point["first"], point["first"] + point["games"]):
        rules = f"given:{point['given']}+no-flood"
        game = Game("medium", rules, seed=SEED, index=index)
        began = time.perf_counter()
        base = play_by_matching(game)
        seconds = time.perf_counter() - began
        ours = play("careful", "medium", rules, seed=SEED, index=index)
        rows.append(
            {
                "given": point["given"],
                "board": index,
                "won": game.state is State.WON,
                "stuck": not game.over,
                "hits": game.hits,
                "rounds": base.rounds,
                "seconds": seconds,
                "careful_won": ours.won,
                "careful_seconds": ours.seconds,
            }
        )
    return rows


def play_by_matching(game: Game) -> KnowledgeBase:
    """As the report plays: what is proved safe is opened at once, and its clue goes into the same knowledge base."""
    base = KnowledgeBase()
    grid = game.grid

    for cell in game.given:
        base.insert(frozenset((-grid.index(cell) - 1,)), frozenset())
    for literal, _ in base.proved():
        if literal > 0 or game.over:
            continue
        cell = grid.cell(-literal - 1)
        game.open(cell)
        around = [grid.index(near) + 1 for near in grid.neighbours(cell)]
        base.tell(around, int(game[cell]), frozenset((grid.index(cell),)))
    return base


def cell_table(rows: list[Row]) -> list[list[str]]:
    """The report's columns, and ours."""
    found = [
        ["safe cells given", "won %", "stuck %", "mean time, ms", "its deviation", "rounds of pairs", "careful: won %",
         "careful: mean time, ms"]
    ]  # fmt: skip
    for given, own in by(rows, "given").items():
        times = [1e3 * row["seconds"] for row in own]
        found.append(
            [
                str(given),
                f"{100 * share(own)[0]:.0f}",
                f"{100 * share(own, 'stuck')[0]:.0f}",
                f"{sum(times) / len(times):.1f}",
                f"{stdev(times):.1f}",
                f"{mean(own, 'rounds')[0]:.1f}",
                f"{100 * share(own, 'careful_won')[0]:.0f}",
                f"{1e3 * mean(own, 'careful_seconds')[0]:.1f}",
            ]
        )
    return found


def cell_draw(panels: list[Axes], rows: list[Row]) -> None:
    """Wins and rounds against the number of given cells."""
    wins, rounds = panels
    found = by(rows, "given")
    for number, (name, label) in enumerate((("won", "matching"), ("careful_won", "careful (complete)"))):
        curve(
            wins, [(given, *(100 * part for part in share(own, name))) for given, own in found.items()], label, number
        )
    wins.set_ylim(-2, 102)
    wins.set_title("Games won on 16×16/25, %")
    wins.legend(loc="lower right")
    curve(rounds, [(given, *mean(own, "rounds")) for given, own in found.items()], "rounds of pairs", 0)
    rounds.set_title("Rounds of pairs, and time")
    rounds.set_ylabel("rounds a game")
    clock = rounds.twinx()
    clock.spines["right"].set_visible(True)
    clock.grid(visible=False)
    clock.plot(
        list(found), [1e3 * mean(own, "seconds")[0] for own in found.values()], color=COLOURS[1], marker=MARKS[1],
        linestyle="--", label="time",
    )  # fmt: skip
    clock.set_ylabel("milliseconds a game")
    lines = [*rounds.get_legend_handles_labels()[0], *clock.get_legend_handles_labels()[0]]
    rounds.legend(lines, ["rounds of pairs", "time"], loc="upper left", bbox_to_anchor=(0, 1.0))
    rounds.set_ylim(0, 1.35 * max(0.1, *(mean(own, "rounds")[2] for own in found.values())))
    clock.set_ylim(0, 1.35e3 * max(mean(own, "seconds")[0] for own in found.values()))
    for axes in panels:
        axes.set_xscale("log", base=2)
        axes.set_xticks(SAFE_CELL_COUNTS, list(map(str, SAFE_CELL_COUNTS)))
        axes.set_xlabel("safe cells given")


def cell_read(rows: list[Row]) -> str:
    """What a start is worth."""
    found = by(rows, "given")
    wins = ", ".join(f"{100 * share(own)[0]:.0f} % with {given}" for given, own in found.items())
    rounds = ", ".join(f"{mean(own, 'rounds')[0]:.1f}" for own in found.values())
    missed = sum(row["careful_won"] and not row["won"] for row in rows)
    return (
        f"Games won: {wins} cells given; 231 is every safe cell. Rounds of pairs a game, in the same order: {rounds}. "
        f"A complete method wins {missed} of these {len(rows)} games that matching leaves stuck."
    )


LEVELS = Experiment(
    "matching-levels", "Matching on three levels", "How often does matching win, how often is it stuck, and how long "
    "does it take?",
    "Lee, AI Capstone HW3 (2023)", level_points, play_games, level_draw, level_read, panels=2, table=level_table,
)  # fmt: skip
SAFE_CELLS = Experiment(
    "matching-safe-cells", "Matching and the cells that are given", "What is a safe start worth?",
    "Lee, AI Capstone HW3 (2023)", cell_points, measure_cells, cell_draw, cell_read, panels=2, table=cell_table,
)  # fmt: skip
