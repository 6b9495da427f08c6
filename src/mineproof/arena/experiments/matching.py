"""AI Capstone HW3 (Lee, 2023): the two tables of ``matching``, and the value of a better clause store."""

from __future__ import annotations

from itertools import groupby, pairwise
from statistics import stdev
from typing import TYPE_CHECKING

from mineproof.agents.reasoner import Reasoner
from mineproof.agents.systems import find_system
from mineproof.arena.experiments.experiment import (
    Experiment,
    Row,
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
"""With the store of the report: the same moves, and the time that is compared with that of the report."""
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
"""Of the report, run by PyPy: won, stuck, seconds, their deviation, cells left in games that were stuck."""
SAFE_CELL_COUNTS = (8, 16, 32, 64, 128, 231)
REPORTED = {
    8: (1.47, 0.37, 0.6),
    16: (2.65, 1.86, 0.8),
    32: (3.59, 1.17, 0.0),
    64: (3.88, 0.92, 0.0),
    128: (3.61, 0.13, 0.0),
    231: (2.73, 0.36, 0.0),
}
"""Of the report, five games each, all won: seconds, their deviation, rounds of pairs."""


def measure(point: Row) -> list[Row]:
    """Games, with what the report counts: rounds of pairs, and cells that are not marked: none in a game won."""
    rows = []
    for row, board, agent, game, result in timed_games(point):
        mind = agent.minds[0] if isinstance(agent, Reasoner) else None
        rounds = left = None
        if isinstance(mind, Follower):
            if game.state is State.WON:
                mind.infer(game.position)  # it works off the rest
            rounds, left = mind.base.rounds, len(game.grid) - len(mind.base.facts)
        rows.append(
            {
                **row, "board": board, "won": result.won, "stuck": result.stuck, "hits": result.hits, "rounds": rounds,
                "left": left, "seconds": result.seconds,
            }
        )  # fmt: skip
    return rows


def _percent(rows: list[Row]) -> str:
    """The share of games won, with its interval."""
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
    """The report's three levels; five games each there."""
    rows = [player(agent, level, SYSTEM.rules) for level in SYSTEM.levels for agent in AGENTS]
    return compared(rows, 40 if quick else 200, 5)


def level_table(rows: list[Row]) -> list[list[str]]:
    """The report's table beside ours."""
    found = by(rows, "level", "agent")
    table = [["level", "agent", "games", *COLUMNS]]
    for level in SYSTEM.levels:
        where = f"{level} ({Level.parse(level).size})"
        won, stuck, seconds, deviation, left = map(str, REPORTED_LEVELS[level])
        table.append([where, "the report (PyPy)", "5", "", won, stuck, seconds, deviation, "", left])
        table += [[where, agent, str(len(found[level, agent])), *_columns(found[level, agent])] for agent in AGENTS]
    return table


def level_draw(panels: list[Axes], rows: list[Row]) -> None:
    """Games won, and time."""
    won, seconds = panels
    found = by(rows, "level", "agent")
    players = [agent for agent in AGENTS if agent != LISTED]  # it wins the same games
    names = [f"{level}: {AGENTS[agent]}" for level in SYSTEM.levels for agent in players]
    shares = [share(found[level, agent]) for level in SYSTEM.levels for agent in players]
    numbers = [list(AGENTS).index(agent) for agent in players] * len(SYSTEM.levels)
    bars(won, names, [(100 * a, 100 * b, 100 * c) for a, b, c in shares], numbers)
    won.set_xlim(0, 100)
    won.set_title("Games won, %")
    cells = [len(Level.parse(level).grid) for level in SYSTEM.levels]
    for number, (agent, label) in enumerate(AGENTS.items()):
        own = [(x, *mean(found[level, agent], "seconds")) for x, level in zip(cells, SYSTEM.levels, strict=True)]
        curve(seconds, [(x, y, max(low, y / 10), high) for x, y, low, high in own], label, number)
    reported = [REPORTED_LEVELS[level][2] for level in SYSTEM.levels]
    seconds.plot(cells, reported, "x--", color="#777777", label="the report (PyPy), five games each")
    seconds.set_yscale("log")
    seconds.set_xlabel("cells of the board")
    seconds.set_title("Processor time per game, s")
    seconds.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14))


def level_read(rows: list[Row]) -> str:
    """Whether it is ever wrong, how often it is stuck, and what completeness adds."""
    found = by(rows, "level", "agent")
    players = [agent for agent in AGENTS if agent != LISTED]
    told = [f"{level} {' / '.join(_percent(found[level, agent]) for agent in players)} %" for level in SYSTEM.levels]
    times = ", ".join(f"{level} {mean(found[level, LISTED], 'seconds')[0]:.2f} s" for level in SYSTEM.levels)
    theirs = [row for row in rows if row["agent"] == THEIRS]
    unmarked = sum(row["won"] and row["left"] > 0 for row in theirs)
    return (
        "The report says that matching is never wrong, and that every game ends won or stuck: in "
        f"{len(theirs):,} games it opened {sum(row['hits'] for row in theirs)} mines. Games won by matching as in the "
        f"report, by matching that keeps the parents of a clause and continues as long as it finds anything new, and "
        f"by a complete method that knows the number of mines: {'; '.join(told)}. Of the games that matching won, "
        f"{unmarked} do not count as won in the report, because a mine that no open cell touches stays unmarked. With "
        f"clauses in a list, as in the report, a game takes this much processor time: {times}."
    )


# -- the given cells -------------------------------------------------------------------------------------------------


def cell_points(quick: bool) -> list[Row]:
    """The number of cells that the game gives; 231 is every safe cell."""
    rows = [
        player(agent, "medium", f"given:{given}+no-flood", given=given)
        for given in SAFE_CELL_COUNTS
        for agent in (LISTED, "careful")
    ]
    return compared(rows, 40 if quick else 400, 5)


def cell_table(rows: list[Row]) -> list[list[str]]:
    """The report's columns beside ours."""
    found = by(rows, "given", "agent")
    table = [
        ["safe cells given", "report: won", "report: time, s", "report: its deviation", "report: rounds", "games",
         *COLUMNS, "careful: won % (95 %)"]
    ]  # fmt: skip
    for given, reported in REPORTED.items():
        own = found[given, LISTED]
        theirs = ["5 of 5", *(f"{number:g}" for number in reported)]
        table.append([str(given), *theirs, str(len(own)), *_columns(own), _percent(found[given, "careful"])])
    return table


def cell_draw(panels: list[Axes], rows: list[Row]) -> None:
    """Wins, rounds and time against the number of given cells."""
    found = by(rows, "given", "agent")
    for number, agent in enumerate((LISTED, "careful")):
        won = [(given, share(found[given, agent])) for given in SAFE_CELL_COUNTS]
        label = AGENTS[THEIRS if agent == LISTED else agent]
        curve(panels[0], [(x, 100 * y, 100 * low, 100 * high) for x, (y, low, high) in won], label, number)
    panels[0].set_ylim(-2, 102)
    panels[0].set_title("Games won on 16×16/25, %")
    panels[0].legend(loc="lower right")
    for axes, name, column, title in (
        (panels[1], "rounds", 2, "Rounds of pairs per game"),
        (panels[2], "seconds", 0, "Processor time per game: that with 8 cells is 1"),
    ):
        own = [(given, mean(found[given, LISTED], name)) for given in SAFE_CELL_COUNTS]
        theirs = [numbers[column] for numbers in REPORTED.values()]
        one, their_one = (own[0][1][0], theirs[0]) if name == "seconds" else (1, 1)
        curve(axes, [(x, y / one, low / one, high / one) for x, (y, low, high) in own], "Mineproof", 0)
        axes.plot(list(REPORTED), [number / their_one for number in theirs], "x--", color="#777777",
                  label="the report, five games each")  # fmt: skip
        axes.legend()
        axes.set_title(title)
        axes.set_ylim(bottom=0)
    for axes in panels:
        axes.set_xscale("log", base=2)
        axes.set_xticks(SAFE_CELL_COUNTS, list(map(str, SAFE_CELL_COUNTS)))
        axes.set_xlabel("safe cells given")


def cell_read(rows: list[Row]) -> str:
    """The value of initial safe cells."""
    found = by(rows, "given", "agent")
    own = {given: found[given, LISTED] for given in SAFE_CELL_COUNTS}
    wins = ", ".join(f"{100 * share(some)[0]:.1f} %" for some in own.values())
    rounds = ", ".join(f"{mean(some, 'rounds')[0]:.2f}" for some in own.values())
    paired = [row for some in own.values() for row in some if row["rounds"]]
    won = sum(row["won"] for row in paired)
    seconds = [mean(some, "seconds")[0] for some in own.values()]
    times = ", ".join(f"{1e3 * one:.0f}" for one in seconds)
    return (
        f"With 8 to 231 cells given, games won: {wins} (the report: all 30). Rounds of pairs per game: {rounds} (the "
        f"report: 0.6, 0.8, then 0). Pairs were matched in {len(paired)} of these {sum(map(len, own.values())):,} "
        f"games, and {won} of those were won. The report asks whether time falls as the number of given cells grows: "
        f"there it {_shape([one for one, *_ in REPORTED.values()])}. Here a game takes {times} ms of processor time "
        f"with clauses in a list, as in the report: it {_shape(seconds)}."
    )


def _shape(values: list[float]) -> str:
    """Where the values for the numbers of given cells rise and fall, and the largest.

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
    """The same boards, with clauses found in several ways."""
    games = {"easy": 20, "medium": 10, "hard": 5} if quick else {"easy": 100, "medium": 100, "hard": 20}
    return [
        point
        for level in SYSTEM.levels
        for point in compared([player(agent, level, SYSTEM.rules) for agent in STORES], games[level], 5)
    ]


def store_draw(panels: list[Axes], rows: list[Row]) -> None:
    """Time against the size of the board."""
    (axes,) = panels
    found = by(rows, "agent", "level")
    for number, (agent, label) in enumerate(STORES.items()):
        own = [(len(Level.parse(name).grid), *mean(found[agent, name], "seconds")) for name in SYSTEM.levels]
        curve(axes, [(x, y, max(low, y / 10), high) for x, y, low, high in own], label, number)
    axes.set_yscale("log")
    axes.set_xlabel("cells of the board (easy, medium, hard)")
    axes.set_title("Processor time per game of matching, s")
    axes.legend()


def store_read(rows: list[Row]) -> str:
    """The time saved by the index and by one knowledge base."""
    found = by(rows, "level", "agent")
    told = []
    for name in SYSTEM.levels:
        times = [mean(found[name, agent], "seconds")[0] for agent in STORES]
        told.append(f"{name} {', '.join(f'{1e3 * seconds:.1f}' for seconds in times)} ms")
    won = {agent: [row["won"] for row in own] for agent, own in by(rows, "agent").items()}
    same = won[THEIRS] == won[LISTED]
    return (
        "The report finds matching time-consuming, and asks for a better clause store and faster matching. Processor "
        "time per game with clauses found by their literals and one knowledge base per game; in a list, as in the "
        "report; by their literals with a new base per position; in a list with a new base per position: "
        f"{'; '.join(told)}. Both stores {'win the same games' if same else 'do not win the same games'}."
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
