"""How long public calls take that were given a limit, on boards of a million cells. Prints a table, and the slowest
board of each call.

Fails if a call takes more than `SLACK` longer than it was asked to, or if one with a limit is missing here: they are
found by walking the public names. Building the board, and what a call needs first (an analysis, a solution), is not
measured. A name, or several, measures only calls that begin so. The machine should be idle.
"""

from __future__ import annotations

import inspect
import sys
import time
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

import mineproof
from mineproof import AGENTS, METHODS, Analyst, Game, Grid, Layout, Level, Limit, MineproofError, Position
from mineproof.agents.optimal import optimum

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    Call = Callable[[Limit], object]

SIDE = 1_000
ASKED = 0.5, 2.0
SLACK = 0.3
"""Seconds: to read a million cells before the first look at the clock, and to write the answer after the last."""
LATER = Limit(seconds=60, memory=2**33)
"""For what is not measured."""
WHOLE = {"Agent.choose", "Game.show", "Position.show", "Plan", "Solution.told", "finish", "play"}
"""Here by their parts or new names, which are measured; or, for games and tournaments, because the limit is that of one
choice."""


def shown(density: float, where: NDArray[np.bool_]) -> Position:
    """A position of a random board, with these cells open unless they are mines."""
    rows, cols = where.shape
    mines = np.random.default_rng(1).random(where.shape) < density
    padded = np.pad(mines.astype(np.uint8), 1)
    around = sum(padded[r : r + rows, c : c + cols] for r in range(3) for c in range(3))
    cells = np.where(where & ~mines, around + ord("0"), ord("H")).astype(np.uint8)
    return Position(Grid(rows, cols), int(mines.sum()), cells.tobytes())


def positions() -> Iterator[tuple[str, Position]]:
    """Boards of a million cells."""
    half, lattice = np.random.default_rng(2).random((SIDE, SIDE)) < 0.5, np.zeros((SIDE, SIDE), bool)
    lattice[1::2, 1::2] = True
    yield "half shown", shown(0.15, half)
    yield "untouched", Position.blank(Grid(SIDE, SIDE), SIDE * SIDE // 5)
    yield "all open", shown(0.15, np.ones((SIDE, SIDE), bool))
    yield "a lattice", shown(0.2, lattice)
    yield "a wire", Position(Grid(1, SIDE * SIDE), SIDE * SIDE // 4, b"H1HH" * (SIDE * SIDE // 4))
    game = Game(Layout.draw(Level(SIDE, SIDE, SIDE * SIDE // 10), "opening", "D4", seed=1))
    game.open("D4")
    yield "begun", game.position


def on_position(position: Position) -> Iterator[tuple[str, Call]]:
    """The calls that take a position."""
    closed = position.grid.cell(max(0, position.cells.find(b"H")))
    for name, method in METHODS.items():
        yield f"METHODS {name}", partial(method.infer, position)
    for name in AGENTS:
        yield f"AGENTS {name}", partial(AGENTS[name].make().choose, position)
    for name in ("analyse", "hint", "find_conflict"):
        yield name, partial(getattr(mineproof, name), position)
    for name in ("prove", "why"):
        yield name, partial(getattr(mineproof, name), position, closed)
    yield "show", lambda limit: mineproof.show(position, odds=True, why=closed, limit=limit)
    yield "winning_chance", lambda limit: mineproof.winning_chance(position, limit=limit)
    yield "Analyst", partial(Analyst, position)
    analysis = mineproof.analyse(position, LATER)
    yield "Analysis.count_solutions", analysis.count_solutions
    yield "Analysis.numbers", partial(analysis.numbers, closed)
    yield "Analysis.outlooks", lambda limit: list(analysis.outlooks(closed, limit))
    yield "Analysis.samples", lambda limit: analysis.samples(100, seed=1, limit=limit)
    yield "Analysis.words", analysis.words


def on_layout(layout: Layout) -> Iterator[tuple[str, Call]]:
    """The calls that take a board with its mines, or a game on it."""
    assert layout.start is not None
    game = Game(layout)
    game.open(layout.start)
    for cell in np.flatnonzero(np.frombuffer(layout.mask, np.uint8))[:200].tolist():
        game.flag(game.grid.cell(cell))
    for name in ("rate", "solve", "needs_guess"):
        yield name, lambda limit, name=name: getattr(mineproof, name)(layout, limit=limit)  # type: ignore[misc]
    yield "review", partial(mineproof.review, game)
    yield "no_guess", lambda limit: next(mineproof.no_guess(layout.level, seed=1, limit=limit))
    yield "optimum", lambda limit: optimum(Level(7, 7, 5), limit=limit)
    small = Layout.draw(Level(SIDE // 3, SIDE // 3, SIDE * SIDE // 80), "opening", "D4", seed=1)
    solution = mineproof.solve(small, limit=LATER)
    for name in ("steps", "text", "fields"):
        yield f"Solution.{name}", getattr(solution, name)
    yield "NoGuess.solution", next(mineproof.no_guess("40x40x300", seed=1)).solution
    played = Game("expert", seed=1)
    mineproof.finish("best", played)
    yield "Review.fields", mineproof.review(played, LATER).fields
    yield "Solution.walk", lambda limit: list(solution.walk(limit))


def limited() -> set[str]:
    """The public functions and methods that take a limit."""

    def takes(call: object) -> bool:
        return callable(call) and "limit" in getattr(inspect.unwrap(call), "__annotations__", {})

    found = set()
    for name in mineproof.__all__:
        value: Any = getattr(mineproof, name)
        if takes(value):
            found.add(name)
        if inspect.isclass(value):
            public = {method: call for method, call in vars(value).items() if not method.startswith("_")}
            found |= {f"{name}.{method}" for method, call in public.items() if takes(call)}
            if takes(vars(value).get("__init__")):
                found.add(name)
    return found


def took(call: Call, asked: float) -> float:
    """Seconds until there is an answer, or a refusal."""
    start = time.perf_counter()
    try:
        answer = call(Limit(seconds=asked))
    except MineproofError as failure:
        answer = failure.with_traceback(None)
    seconds = time.perf_counter() - start
    del answer
    return seconds


def main() -> int:
    wanted = tuple(sys.argv[1:]) or ("",)
    for method in METHODS.values():
        method.infer(Position.from_text("3x1x1\n1HH"))  # so that its library is loaded
    layout = Layout.draw(Level(SIDE, SIDE, SIDE * SIDE // 5), "opening", "D4", seed=1)
    boards = [(name, on_position(position)) for name, position in positions()]
    boards.append(("a layout", on_layout(layout)))
    measured, late = set(), 0
    slowest: dict[str, list[float]] = {}
    print(f"{'':12} {'':26}" + "".join(f"{f'{asked} s asked':>14}" for asked in ASKED))
    for board, calls in boards:
        for name, call in calls:
            measured.add(name)
            if not name.startswith(wanted):
                continue
            seconds = [took(call, asked) for asked in ASKED]
            slow = any(taken > asked + SLACK for taken, asked in zip(seconds, ASKED, strict=True))
            late += slow
            slowest[name] = [max(pair) for pair in zip(slowest.get(name, seconds), seconds, strict=True)]
            print(
                f"{board:12} {name:26}" + "".join(f"{taken:14.2f}" for taken in seconds) + "  late" * slow, flush=True
            )
    print("\nthe slowest board of each call")
    for name, seconds in slowest.items():
        print(f"{name:26}" + "".join(f"{taken:14.2f}" for taken in seconds))
    missing = limited() - measured - WHOLE
    print(f"\n{late} late by more than {SLACK} s" + f"; not measured: {', '.join(sorted(missing))}" * bool(missing))
    return 1 if late or missing else 0


if __name__ == "__main__":
    raise SystemExit(main())
