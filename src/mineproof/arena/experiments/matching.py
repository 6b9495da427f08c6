"""AI Capstone HW3 (Lee, 2023): the report's two tables about ``matching``, and the value of a better clause store."""

from __future__ import annotations

from itertools import groupby, pairwise
from statistics import stdev
from typing import TYPE_CHECKING

from mineproof.agents.reasoner import Reasoner
from mineproof.agents.systems import find_system
from mineproof.arena.experiments.experiment import (
    Experiment,
    Row,
    above_zero,
    by,
    compared,
    mean,
    player,
    share,
    sizes,
    timed_games,
)
from mineproof.arena.plots import bars, curve
from mineproof.board.game import State
from mineproof.board.level import Level
from mineproof.logic.matching import Follower

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SYSTEM = find_system("lee")
SOURCE = "Lee, AI Capstone HW3 (2023)"
THEIRS = SYSTEM.agent
LISTED = f"{THEIRS}:store=list"
"""The agent with the clause store of the report: it makes the same moves, in a time to compare with the report's."""
AGENTS = {
    THEIRS: "matching, as in the report",
    LISTED: "the same, its clauses in a list",
    f"{THEIRS}:keep-parents,rounds=unlimited": "matching that keeps parents",
    "careful": "careful (complete)",
}
REPORTED_LEVELS = {
    "easy": ("5 of 5", "0 of 5", 0.29, 0.15, ""),
    "medium": ("5 of 5", "0 of 5", 2.65, 1.86, ""),
    "hard": ("2 of 5", "3 of 5", 168.49, 104.7, 20.33),
}
"""The report's results on its levels, run by PyPy: games won, games stuck, seconds, their deviation, and cells left in
stuck games."""
SAFE_CELL_COUNTS = (8, 16, 32, 64, 128, 231)
REPORTED = {
    8: (1.47, 0.37, 0.6),
    16: (2.65, 1.86, 0.8),
    32: (3.59, 1.17, 0.0),
    64: (3.88, 0.92, 0.0),
    128: (3.61, 0.13, 0.0),
    231: (2.73, 0.36, 0.0),
}
"""The report's results by the number of given cells, in five games each, all won: seconds, their deviation, and rounds
of pairs."""


def measure(point: Row) -> list[Row]:
    """Return a row per game, with what the report counts: rounds of pairs, and cells left unmarked."""
    rows = []
    for row, board, agent, game, result in timed_games(point):
        mind = agent.minds[0] if isinstance(agent, Reasoner) else None
        rounds = left = None
        if isinstance(mind, Follower):
            if game.state is State.WON:
                mind.infer(game.position)  # the match stops before the last cells are marked
            rounds, left = mind.base.rounds, len(game.grid) - len(mind.base.facts)
        rows.append(
            {
                **row, "board": board, "won": result.won, "stuck": result.stuck, "hits": result.hits, "rounds": rounds,
                "left": left, "seconds": result.seconds,
            }
        )  # fmt: skip
    return rows


def _percent(rows: list[Row]) -> str:
    """Return the share of games won, with its interval, in percent."""
    won, low, high = (100 * bound for bound in share(rows))
    return f"{won:.1f} ({low:.1f}–{high:.1f})"


def _columns(rows: list[Row]) -> list[str]:
    times = [row["seconds"] for row in rows]
    stuck = [row for row in rows if row["stuck"]]
    known = rows[0]["rounds"] is not None
    return [
        _percent(rows),
        f"{100 * sum(row['won'] and row['left'] == 0 for row in rows) / len(rows):.1f}" if known else "",
        f"{100 * len(stuck) / len(rows):.1f}",
        f"{mean(rows, 'seconds')[0]:.3f}",
        f"{stdev(times) if len(times) > 1 else 0:.3f}",
        f"{mean(rows, 'rounds')[0]:.2f}" if known else "",
        f"{mean(stuck, 'left')[0]:.1f}" if known and stuck else "",
    ]


COLUMNS = [
    "won % (95 %)", "won as in the report %", "stuck %", "processor time, s", "its deviation", "rounds of pairs",
    "cells left when stuck",
]  # fmt: skip


# -- the levels ------------------------------------------------------------------------------------------------------


def level_points(quick: bool) -> list[Row]:
    """Play on the report's three levels; the report has five games on each."""
    rows = [player(agent, level, SYSTEM.rules) for level in SYSTEM.levels for agent in AGENTS]
    return compared(rows, 20 if quick else 200, 5)


def level_table(rows: list[Row]) -> list[list[str]]:
    """Return the report's table with rows for our agents."""
    groups = by(rows, "level", "agent")
    table = [["level", "agent", "games", *COLUMNS]]
    for level in SYSTEM.levels:
        where = f"{level} ({Level.parse(level).size})"
        won, stuck, seconds, deviation, left = map(str, REPORTED_LEVELS[level])
        table.append([where, "the report (PyPy)", "5", "", won, stuck, seconds, deviation, "", left])
        for agent in AGENTS:
            games = groups[level, agent]
            table.append([where, agent, str(len(games)), *_columns(games)])
    return table


def level_draw(panels: list[Axes], rows: list[Row]) -> None:
    """Draw games won, and time."""
    won, seconds = panels
    groups = by(rows, "level", "agent")
    players = [agent for agent in AGENTS if agent != LISTED]  # it wins the same games
    names = [f"{level}: {AGENTS[agent]}" for level in SYSTEM.levels for agent in players]
    shares = [share(groups[level, agent]) for level in SYSTEM.levels for agent in players]
    numbers = [list(AGENTS).index(agent) for agent in players] * len(SYSTEM.levels)
    bars(won, names, [(100 * a, 100 * b, 100 * c) for a, b, c in shares], numbers)
    won.set_xlim(0, 100)
    won.set_title("Games won, %")
    cells = [len(Level.parse(level).grid) for level in SYSTEM.levels]
    for number, (agent, label) in enumerate(AGENTS.items()):
        own = [(x, *mean(groups[level, agent], "seconds")) for x, level in zip(cells, SYSTEM.levels, strict=True)]
        curve(seconds, above_zero(own), label, number)
    reported = [REPORTED_LEVELS[level][2] for level in SYSTEM.levels]
    seconds.plot(cells, reported, "x--", color="#777777", label="the report (PyPy), five games each")
    seconds.set_yscale("log")
    seconds.set_xlabel("cells of the board")
    seconds.set_title("Processor time per game, s")
    seconds.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14))


def level_read(rows: list[Row]) -> str:
    """Say whether matching is ever wrong, how often it is stuck, and what a complete method adds."""
    groups = by(rows, "level", "agent")
    players = [agent for agent in AGENTS if agent != LISTED]
    wins = [f"{level} {' / '.join(_percent(groups[level, agent]) for agent in players)} %" for level in SYSTEM.levels]
    times = ", ".join(f"{level} {mean(groups[level, LISTED], 'seconds')[0]:.2f} s" for level in SYSTEM.levels)
    theirs = [row for row in rows if row["agent"] == THEIRS]
    unmarked = sum(row["won"] and row["left"] > 0 for row in theirs)
    return (
        "The report says that matching is never wrong, and that every game ends won or stuck: in "
        f"{len(theirs):,} games it opened {sum(row['hits'] for row in theirs)} mines. Games won by matching as in the "
        f"report, by matching that keeps the parents of a clause and continues as long as it finds anything new, and "
        f"by a complete method that knows the number of mines: {'; '.join(wins)}. Of the games that matching won, "
        f"{unmarked} do not count as won in the report, because a mine that no open cell touches stays unmarked. With "
        f"clauses in a list, as in the report, a game takes this much processor time: {times}."
    )


# -- the given cells -------------------------------------------------------------------------------------------------


def cell_points(quick: bool) -> list[Row]:
    """Vary the number of safe cells that the game gives; 231 is every safe cell."""
    rows = [
        player(agent, "medium", f"given:{count}+no-flood", given=count)
        for count in SAFE_CELL_COUNTS
        for agent in (LISTED, "careful")
    ]
    return compared(rows, 40 if quick else 400, 5)


def cell_table(rows: list[Row]) -> list[list[str]]:
    """Return the report's table with our columns."""
    groups = by(rows, "given", "agent")
    table = [
        ["safe cells given", "report: won", "report: time, s", "report: its deviation", "report: rounds", "games",
         *COLUMNS, "careful: won % (95 %)"]
    ]  # fmt: skip
    for count, reported in REPORTED.items():
        own = groups[count, LISTED]
        theirs = ["5 of 5", *(f"{number:g}" for number in reported)]
        table.append([str(count), *theirs, str(len(own)), *_columns(own), _percent(groups[count, "careful"])])
    return table


def cell_draw(panels: list[Axes], rows: list[Row]) -> None:
    """Draw wins, rounds and time against the number of given cells."""
    groups = by(rows, "given", "agent")
    for number, agent in enumerate((LISTED, "careful")):
        won = [(count, share(groups[count, agent])) for count in SAFE_CELL_COUNTS]
        label = AGENTS[THEIRS if agent == LISTED else agent]
        curve(panels[0], [(x, 100 * y, 100 * low, 100 * high) for x, (y, low, high) in won], label, number)
    panels[0].set_ylim(-2, 102)
    panels[0].set_title("Games won on 16×16/25, %")
    panels[0].legend(loc="lower right")
    for axes, name, column, title in (
        (panels[1], "rounds", 2, "Rounds of pairs per game"),
        (panels[2], "seconds", 0, "Processor time per game: that with 8 cells is 1"),
    ):
        own = [(count, mean(groups[count, LISTED], name)) for count in SAFE_CELL_COUNTS]
        theirs = [numbers[column] for numbers in REPORTED.values()]
        unit, their_unit = (own[0][1][0], theirs[0]) if name == "seconds" else (1, 1)
        curve(axes, [(x, y / unit, low / unit, high / unit) for x, (y, low, high) in own], "Mineproof", 0)
        axes.plot(list(REPORTED), [number / their_unit for number in theirs], "x--", color="#777777",
                  label="the report, five games each")  # fmt: skip
        axes.legend()
        axes.set_title(title)
        axes.set_ylim(bottom=0)
    for axes in panels:
        axes.set_xscale("log", base=2)
        axes.set_xticks(SAFE_CELL_COUNTS, list(map(str, SAFE_CELL_COUNTS)))
        axes.set_xlabel("safe cells given")


def cell_read(rows: list[Row]) -> str:
    """Say what safe cells at the start are worth."""
    groups = by(rows, "given", "agent")
    own = [groups[count, LISTED] for count in SAFE_CELL_COUNTS]
    wins = ", ".join(f"{100 * share(games)[0]:.1f} %" for games in own)
    rounds = ", ".join(f"{mean(games, 'rounds')[0]:.2f}" for games in own)
    paired = [row for games in own for row in games if row["rounds"]]
    won = sum(row["won"] for row in paired)
    means = [mean(games, "seconds")[0] for games in own]
    times = ", ".join(f"{1e3 * seconds:.0f}" for seconds in means)
    return (
        f"With 8 to 231 cells given, games won: {wins} (the report: all 30). Rounds of pairs per game: {rounds} (the "
        f"report: 0.6, 0.8, then 0). Pairs were matched in {len(paired)} of these {sum(map(len, own)):,} "
        f"games, and {won} of those were won. The report asks whether time falls as the number of given cells grows: "
        f"there it {_shape([seconds for seconds, *_ in REPORTED.values()])}. Here a game takes {times} ms of processor "
        f"time with clauses in a list, as in the report: it {_shape(means)}."
    )


def _shape(values: list[float]) -> str:
    """Say where the values for the numbers of given cells rise and fall, and which is the largest.

    >>> _shape([1, 2, 4, 3, 2, 1])
    'rises from 8 to 32 and falls from 32 to 231; the longest is at 32'
    """
    runs = []
    for verb, steps in groupby(
        enumerate(pairwise(values)), lambda step: "rises" if step[1][0] < step[1][1] else "falls"
    ):
        places = [place for place, _ in steps]
        runs.append(f"{verb} from {SAFE_CELL_COUNTS[places[0]]} to {SAFE_CELL_COUNTS[places[-1] + 1]}")
    return f"{' and '.join(runs)}; the longest is at {SAFE_CELL_COUNTS[values.index(max(values))]}"


# -- the store -------------------------------------------------------------------------------------------------------

STORES = {
    THEIRS: "by literal, one base per game",
    LISTED: "a list, one base per game (the report)",
    f"{THEIRS}:one-base=no": "by literal, a base per position",
    f"{LISTED},one-base=no": "a list, a base per position",
}


def store_points(quick: bool) -> list[Row]:
    """Play the same boards with every store."""
    games = {"easy": 10, "medium": 5} if quick else {"easy": 100, "medium": 100, "hard": 20}
    return [
        point
        for level, count in games.items()
        for point in compared([player(agent, level, SYSTEM.rules) for agent in STORES], count, 5)
    ]


def store_draw(panels: list[Axes], rows: list[Row]) -> None:
    """Draw the time against the size of the board."""
    (axes,) = panels
    groups, levels = by(rows, "agent", "level"), by(rows, "level")
    for number, (agent, label) in enumerate(STORES.items()):
        own = [(len(Level.parse(name).grid), *mean(groups[agent, name], "seconds")) for name in levels]
        curve(axes, above_zero(own), label, number)
    axes.set_yscale("log")
    axes.set_xlabel(f"cells of the board ({', '.join(levels)})")
    axes.set_title("Processor time per game of matching, s")
    axes.legend()


def store_read(rows: list[Row]) -> str:
    """Say how much time the index saves, and how much a single knowledge base."""
    groups = by(rows, "level", "agent")
    level_times = []
    for name in by(rows, "level"):
        times = [mean(groups[name, agent], "seconds")[0] for agent in STORES]
        level_times.append(f"{name} {', '.join(f'{1e3 * seconds:.1f}' for seconds in times)} ms")
    won = {agent: [row["won"] for row in own] for agent, own in by(rows, "agent").items()}
    same = won[THEIRS] == won[LISTED]
    return (
        "The report finds matching time-consuming, and asks for a better clause store and faster matching. Processor "
        "time per game with clauses found by their literals and one knowledge base per game; in a list, as in the "
        "report; by their literals with a new base per position; in a list with a new base per position: "
        f"{'; '.join(level_times)}. Both stores {'win the same games' if same else 'do not win the same games'}."
    )


def _sample(rows: list[Row]) -> str:
    return sizes(by(rows, "level", "rules", "agent").values(), "games")


LEVELS = Experiment(
    "matching-levels", "Matching on three levels", "How often does matching win, how often is it stuck, and how long "
    "does it take?",
    SOURCE, level_points, measure, level_draw, level_read, _sample, panels=2, height=5.0, table=level_table,
)  # fmt: skip
SAFE_CELLS = Experiment(
    "matching-safe-cells", "Matching and initial safe cells", "How much does a safe start help?",
    SOURCE, cell_points, measure, cell_draw, cell_read, _sample, panels=3, table=cell_table,
)  # fmt: skip
STORE = Experiment(
    "matching-store", "A better clause store", "How much time does it save to find clauses by their literals?",
    SOURCE, store_points, measure, store_draw, store_read, _sample,
)  # fmt: skip
