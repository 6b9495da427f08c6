"""AI Capstone HW3 (Lee, 2023): the two tables of ``matching``, and the value of a better clause store."""

from __future__ import annotations

from statistics import stdev
from typing import TYPE_CHECKING

from mineproof.agents.reasoner import Reasoner
from mineproof.agents.registry import find_agent
from mineproof.arena.experiments.experiment import SEED, Experiment, Row, by, mean, share, sizes
from mineproof.arena.match import finish
from mineproof.arena.plots import bars, curve
from mineproof.board.game import Game, State
from mineproof.board.level import Level
from mineproof.logic.matching import Follower

if TYPE_CHECKING:
    from collections.abc import Iterable

    from matplotlib.axes import Axes

SOURCE = "Lee, AI Capstone HW3 (2023)"
RULES = "given:sqrt+no-flood"
THEIRS = "matching"
KEEPS = "matching:keep-parents,rounds=unlimited"
AGENTS = {THEIRS: "matching, as in the report", KEEPS: "matching that keeps parents", "careful": "careful (complete)"}
PLAYED = ("easy", "medium", "hard")
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


def _points(agents: Iterable[str], level: str, rules: str, games: int, **labels: object) -> list[Row]:
    return [
        {
            "agent": agent, "version": find_agent(agent).version, "level": level, "rules": rules, "first": first,
            "games": 5, **labels,
        }
        for agent in agents
        for first in range(0, games, 5)
    ]  # fmt: skip


def measure(point: Row) -> list[Row]:
    """Games, with what the report counts: rounds of pairs, and a win when every cell is marked."""
    agent = find_agent(point["agent"]).make()
    labels = {name: value for name, value in point.items() if name not in ("first", "games")}
    rows = []
    for board in range(point["first"], point["first"] + point["games"]):
        game = Game(point["level"], point["rules"], seed=SEED, index=board)
        result = finish(agent, game)
        mind = agent.minds[0] if isinstance(agent, Reasoner) else None
        marked = game.state is State.WON
        if marked:
            left = {move.cell for move in agent.choose(game.position).moves if move.kind == "flag"}
            marked = set(game.position.where("H")) <= left
        rows.append(
            {
                **labels, "board": board, "won": result.won, "marked": marked, "stuck": result.stuck,
                "hits": result.hits, "rounds": mind.base.rounds if isinstance(mind, Follower) else None,
                "seconds": result.seconds,
            }
        )  # fmt: skip
    return rows


def _columns(rows: list[Row]) -> list[str]:
    times = [row["seconds"] for row in rows]
    rounds = "" if rows[0]["rounds"] is None else f"{mean(rows, 'rounds')[0]:.2f}"
    return [
        f"{100 * share(rows)[0]:.0f}",
        f"{100 * share(rows, 'marked')[0]:.0f}",
        f"{100 * share(rows, 'stuck')[0]:.0f}",
        f"{mean(rows, 'seconds')[0]:.3f}",
        f"{stdev(times) if len(times) > 1 else 0:.3f}",
        rounds,
    ]


COLUMNS = ["won %", "won as in the report %", "stuck %", "mean time, s", "its deviation", "rounds of pairs"]


# -- the levels ------------------------------------------------------------------------------------------------------


def level_points(quick: bool) -> list[Row]:
    """The report's three levels; five games each there."""
    return [point for name in PLAYED for point in _points(AGENTS, name, RULES, 40 if quick else 400)]


def level_table(rows: list[Row]) -> list[list[str]]:
    """The report's columns. It prints no numbers for its levels."""
    found = by(rows, "level", "agent")
    head = ["level", "agent", "games", *COLUMNS]
    return [head] + [
        [f"{name} ({Level.parse(name).size})", agent, str(len(found[name, agent])), *_columns(found[name, agent])]
        for name in PLAYED
        for agent in AGENTS
    ]


def level_draw(panels: list[Axes], rows: list[Row]) -> None:
    """Games won, and time."""
    won, seconds = panels
    found = by(rows, "level", "agent")
    names = [f"{name}: {label}" for name in PLAYED for label in AGENTS.values()]
    shares = [share(found[name, agent]) for name in PLAYED for agent in AGENTS]
    bars(won, names, [(100 * a, 100 * b, 100 * c) for a, b, c in shares], list(range(len(AGENTS))) * len(PLAYED))
    won.set_xlim(0, 100)
    won.set_title("Games won, %")
    cells = [len(Level.parse(name).grid) for name in PLAYED]
    for number, (agent, label) in enumerate(AGENTS.items()):
        own = [(x, *mean(found[name, agent], "seconds")) for x, name in zip(cells, PLAYED, strict=True)]
        curve(seconds, [(x, y, max(low, y / 10), high) for x, y, low, high in own], label, number)
    seconds.set_yscale("log")
    seconds.set_xlabel("cells of the board")
    seconds.set_title("Seconds per game")
    seconds.legend()


def level_read(rows: list[Row]) -> str:
    """Whether it is ever wrong, how often it is stuck, and what completeness adds."""
    found = by(rows, "level", "agent")
    told = []
    for name in PLAYED:
        shares = [f"{100 * share(found[name, agent])[0]:.1f}" for agent in AGENTS]
        told.append(f"{name} {' / '.join(shares)} %")
    theirs = [row for row in rows if row["agent"] == THEIRS]
    unmarked = sum(row["won"] and not row["marked"] for row in theirs)
    return (
        "The report says that matching is never wrong, and that every game ends won or stuck: in "
        f"{len(theirs):,} games it opened {sum(row['hits'] for row in theirs)} mines. Games won by matching as in the "
        f"report, by matching that keeps the parents of a clause and continues as long as it finds anything new, and "
        f"by a complete method that knows the number of mines: {'; '.join(told)}. Of the games that matching won, "
        f"{unmarked} do not count as won in the report, because a mine that no open cell touches stays unmarked."
    )


# -- the given cells -------------------------------------------------------------------------------------------------


def cell_points(quick: bool) -> list[Row]:
    """The number of cells that the game gives; 231 is every safe cell."""
    return [
        point
        for given in SAFE_CELL_COUNTS
        for point in _points(
            (THEIRS, "careful"), "medium", f"given:{given}+no-flood", 40 if quick else 400, given=given
        )
    ]


def cell_table(rows: list[Row]) -> list[list[str]]:
    """The report's columns beside ours."""
    found = by(rows, "given", "agent")
    table = [
        ["safe cells given", "report: won", "report: mean time, s", "report: its deviation", "report: rounds", "games",
         *COLUMNS, "careful: won %"]
    ]  # fmt: skip
    for given, reported in REPORTED.items():
        own = found[given, THEIRS]
        theirs = ["5 of 5", *(f"{number:g}" for number in reported)]
        table.append(
            [str(given), *theirs, str(len(own)), *_columns(own), f"{100 * share(found[given, 'careful'])[0]:.0f}"]
        )
    return table


def cell_draw(panels: list[Axes], rows: list[Row]) -> None:
    """Wins, rounds and time against the number of given cells."""
    found = by(rows, "given", "agent")
    for number, agent in enumerate((THEIRS, "careful")):
        own = [(given, share(found[given, agent])) for given in SAFE_CELL_COUNTS]
        curve(panels[0], [(x, 100 * y, 100 * low, 100 * high) for x, (y, low, high) in own], AGENTS[agent], number)
    panels[0].set_ylim(-2, 102)
    panels[0].set_title("Games won on 16×16/25, %")
    panels[0].legend(loc="lower right")
    for axes, name, factor, title, reported in (
        (panels[1], "rounds", 1.0, "Rounds of pairs per game", 2),
        (panels[2], "seconds", 1e3, "Milliseconds per game", None),
    ):
        own = [(given, mean(found[given, THEIRS], name)) for given in SAFE_CELL_COUNTS]
        curve(axes, [(x, factor * y, factor * low, factor * high) for x, (y, low, high) in own], "Mineproof", 0)
        if reported is not None:
            axes.plot(list(REPORTED), [numbers[reported] for numbers in REPORTED.values()], "x--", color="#777777",
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
    own = {given: found[given, THEIRS] for given in SAFE_CELL_COUNTS}
    wins = ", ".join(f"{100 * share(some)[0]:.1f} %" for some in own.values())
    rounds = ", ".join(f"{mean(some, 'rounds')[0]:.2f}" for some in own.values())
    paired = [row for some in own.values() for row in some if row["rounds"]]
    won = sum(row["won"] for row in paired)
    return (
        f"With 8 to 231 cells given, games won: {wins} (the report: all 30). Rounds of pairs per game: {rounds} (the "
        f"report: 0.6, 0.8, then 0). Pairs were matched in {len(paired)} of these {sum(map(len, own.values())):,} "
        f"games, and {won} of those were won."
    )


# -- the store -------------------------------------------------------------------------------------------------------

STORES = {
    "matching": "by literal, one base per game",
    "matching:store=list": "a list, one base per game (the report)",
    "matching:one-base=no": "by literal, a base per position",
    "matching:store=list,one-base=no": "a list, a base per position",
}


def store_points(quick: bool) -> list[Row]:
    """The same boards, with clauses found in several ways."""
    games = {"easy": 20, "medium": 10, "hard": 5} if quick else {"easy": 100, "medium": 100, "hard": 40}
    return [point for name in PLAYED for point in _points(STORES, name, RULES, games[name])]


def store_draw(panels: list[Axes], rows: list[Row]) -> None:
    """Time against the size of the board."""
    (axes,) = panels
    found = by(rows, "agent", "level")
    for number, (agent, label) in enumerate(STORES.items()):
        own = [(len(Level.parse(name).grid), *mean(found[agent, name], "seconds")) for name in PLAYED]
        curve(axes, [(x, y, max(low, y / 10), high) for x, y, low, high in own], label, number)
    axes.set_yscale("log")
    axes.set_xlabel("cells of the board (easy, medium, hard)")
    axes.set_title("Seconds per game of matching")
    axes.legend()


def store_read(rows: list[Row]) -> str:
    """The time saved by the index and by one knowledge base."""
    found = by(rows, "level", "agent")
    told = []
    for name in PLAYED:
        times = [mean(found[name, agent], "seconds")[0] for agent in STORES]
        told.append(f"{name} {', '.join(f'{1e3 * seconds:.1f}' for seconds in times)} ms")
    won = {agent: [row["won"] for row in own] for agent, own in by(rows, "agent").items()}
    same = won["matching"] == won["matching:store=list"]
    return (
        "The report finds matching time-consuming, and asks for a better clause store and faster matching. Time per "
        "game with clauses found by their literals and one knowledge base per game; in a list, as in the "
        "report; by their literals with a new base per position; in a list with a new base per position: "
        f"{'; '.join(told)}. Both stores {'win the same games' if same else 'do not win the same games'}."
    )


def _sample(rows: list[Row]) -> str:
    return sizes(by(rows, "level", "rules", "agent").values(), "games")


LEVELS = Experiment(
    "matching-levels", "Matching on three levels", "How often does matching win, how often is it stuck, and how long "
    "does it take?",
    SOURCE, level_points, measure, level_draw, level_read, _sample, panels=2, table=level_table,
)  # fmt: skip
SAFE_CELLS = Experiment(
    "matching-safe-cells", "Matching and initial safe cells", "How much does a safe start help?",
    SOURCE, cell_points, measure, cell_draw, cell_read, _sample, panels=3, table=cell_table,
)  # fmt: skip
STORE = Experiment(
    "matching-store", "A better clause store", "How much time does it save to find clauses by their literals?",
    SOURCE, store_points, measure, store_draw, store_read, _sample,
)  # fmt: skip
