"""Positions too hard to count: certain cells by SAT, odds by sampling, inside a time limit.

Sampling is block Gibbs. A chain holds one solution. Again and again it forgets the mines in a random window, with all
cells that no clue sees, counts the window exactly given everything else, and draws its mines anew. What is averaged is
not the draw but the exact odds inside the window. Several chains start from different models; how far they disagree is
the error. A cell that was seen to go both ways in any window is unsure; only the others are asked of the SAT solver.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from pysat.card import CardEnc, EncType
from pysat.solvers import Glucose4

from mineproof._native import counting
from mineproof.errors import Cancelled
from mineproof.limit import Limit
from mineproof.odds.frontier import Frontier, clue_clauses, frontier_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from threading import Event

    from numpy.typing import NDArray

    from mineproof._native.counting import Engine
    from mineproof.board.grid import Cell
    from mineproof.board.position import Position

CHAINS = 6
_WINDOW_SECONDS = 0.05
_WIDE = 2_000  # states of a window that is large enough
_CELLS_A_SECOND = 40_000  # that Python can read at all
_LITERALS_A_SECOND = 500_000  # of an encoding of the number of mines, for the time that there is
_CONFLICTS = 2_000  # of the solver, between two looks at the clock


@dataclass(frozen=True, slots=True)
class Estimate:
    """What time allowed. ``consistent`` is None when not even that could be found out."""

    consistent: bool | None
    probabilities: NDArray[np.float64]
    errors: NDArray[np.float64]
    marks: bytes
    complete: bool
    """Whether every certain cell is marked."""


def estimate(position: Position, seconds: float, engine: Engine, cancel: Event | None, memory: int = 2**28) -> Estimate:
    """Certain cells and odds of a hard position, as good as they get in this time.

    The engine has just failed to count it; what it proved until then is kept.
    """
    proved = engine.take_proved()
    deadline = time.monotonic() + seconds

    def time_left() -> float:
        if cancel is not None and cancel.is_set():
            raise Cancelled("the analysis was cancelled")
        return deadline - time.monotonic()

    if too_large(position, seconds):
        return nothing_more(position, proved)
    frontier = frontier_of(position)
    with Solver(frontier, time_left) as solver:
        models = []
        for chain in range(CHAINS):
            model = solver.model(seed=chain)
            if model is None:
                break
            models.append(model)
        if not models:
            consistent = None if solver.cut_short or not solver.counted else False
            return replace(nothing_more(position, proved), consistent=consistent, complete=consistent is False)
        sampler = Sampler(
            position, frontier, models, engine, Limit(min(_WINDOW_SECONDS, seconds / 20), min(memory, 2**28))
        )
        sampler.run(lambda: time_left() > 0.7 * seconds)
        sampler.forget()
        sampler.run(lambda: time_left() > 0.4 * seconds)
        complete = solver.decide(sampler.seen) and settle_rest(frontier, sampler, time_left)
    sampler.run(lambda: time_left() > 0.02 * seconds)
    return sampler.estimate(complete)


def too_large(position: Position, seconds: float) -> bool:
    """Whether there is not even time to read the position here."""
    return len(position.cells) > _CELLS_A_SECOND * seconds


def nothing_more(position: Position, proved: tuple[list[int], list[int]]) -> Estimate:
    """No time for more than what the engine proved."""
    odds = np.full((position.grid.rows, position.grid.cols), np.nan)
    marks = bytearray(len(position.cells))
    for cells, mark, value in zip(proved, (counting.SAFE, counting.MINED), (0.0, 1.0), strict=True):
        for index in cells:
            marks[index] = mark
            odds.flat[index] = value
    return Estimate(None, odds, odds * 0, bytes(marks), complete=False)


def settle_rest(frontier: Frontier, sampler: Sampler, time_left: Callable[[], float]) -> bool:
    """Cells that no clue sees: one of them is a mine, or safe, on some board if the others can do with what is left."""
    if not frontier.rest:
        return True
    seen, first = sampler.seen, frontier.rest[0]
    for ways, proved, mines in (
        (seen.mined, seen.proved_safe, frontier.mines - 1),
        (seen.safe, seen.proved_mined, frontier.mines),
    ):
        if ways[first]:
            continue
        with Solver(replace(frontier, rest=frontier.rest[1:], mines=mines), time_left) as solver:
            if solver.solve([]) is False:
                proved |= sampler.rest
            elif solver.cut_short or not solver.counted:
                return False
    return True


class Solver:
    """The clues, and the number of mines where it can matter, as clauses."""

    def __init__(self, frontier: Frontier, time_left: Callable[[], float]) -> None:
        self.frontier = frontier
        self.time_left = time_left
        self.cut_short = False
        cells = [cell for part in frontier.components for box in part.boxes for cell in box.cells]
        self.variable = {cell: i for i, cell in enumerate(cells, start=1)}
        self.solver = Glucose4()
        for clause in clue_clauses(frontier, self.variable):
            self.solver.add_clause(clause)
        self.fewest = max(0, frontier.mines - len(frontier.rest))
        self.counted = self._count_mines()

    def __enter__(self) -> Solver:
        return self

    def __exit__(self, *_: object) -> None:
        self.solver.delete()

    def _count_mines(self) -> bool:
        """Add the number of mines; False when it is too large to be said in clauses."""
        variables = list(self.variable.values())
        bounds = [(self.frontier.mines, CardEnc.atmost), (self.fewest, CardEnc.atleast)]
        needed = [self.frontier.mines < len(variables), self.fewest > 0]
        top = len(variables)
        for (bound, encode), wanted in zip(bounds, needed, strict=True):
            if not wanted:
                continue
            if bound * len(variables) > _LITERALS_A_SECOND * self.time_left():
                return False
            clauses = encode(variables, bound, top_id=top, encoding=EncType.kmtotalizer)
            top = max(top, clauses.nv)
            self.solver.append_formula(clauses.clauses)
        return True

    def solve(self, assumptions: list[int]) -> bool | None:
        """Whether there is a solution; None when time is up."""
        while self.time_left() > 0:
            self.solver.conf_budget(_CONFLICTS)
            answer: bool | None = self.solver.solve_limited(assumptions=assumptions)
            if answer is not None:
                return answer
        self.cut_short = True
        return None

    def model(self, seed: int) -> dict[Cell, bool] | None:
        """A solution; another seed leans to another one."""
        lean = np.random.Generator(np.random.Philox(key=[seed, 0])).random(len(self.variable)) < 0.3
        self.solver.set_phases([v if mine else -v for v, mine in zip(self.variable.values(), lean, strict=True)])
        if not self.solve([]):
            return None
        return self._solution()

    def _solution(self) -> dict[Cell, bool] | None:
        """What the solver has just found, if its number of mines is right."""
        model = self.solver.get_model()
        mined = {cell: model[variable - 1] > 0 for cell, variable in self.variable.items()}
        return mined if self.fewest <= sum(mined.values()) <= self.frontier.mines else None

    def decide(self, seen: Seen) -> bool:
        """Settle the frontier cells that were not seen both ways; False when time ran out."""
        for cell, variable in self.variable.items():
            for ways, other, literal in (
                (seen.mined, seen.proved_safe, variable),
                (seen.safe, seen.proved_mined, -variable),
            ):
                if ways[cell]:
                    continue
                answer = self.solve([literal])
                if answer is None:
                    return False
                if answer:
                    self._note(seen)
                else:
                    other[cell] = True
        return self.counted

    def _note(self, seen: Seen) -> None:
        """A solution shows one way for every cell at once."""
        for cell, mine in (self._solution() or {}).items():
            (seen.mined if mine else seen.safe)[cell] = True


class Seen:
    """Which way each cell was seen to go, and what was proved."""

    def __init__(self, shape: tuple[int, int]) -> None:
        self.mined = np.zeros(shape, np.bool_)
        self.safe = np.zeros(shape, np.bool_)
        self.proved_safe = np.zeros(shape, np.bool_)
        self.proved_mined = np.zeros(shape, np.bool_)


class Sampler:
    """Chains of solutions, and what their windows said."""

    def __init__(
        self, position: Position, frontier: Frontier, models: list[dict[Cell, bool]], engine: Engine, limit: Limit
    ) -> None:
        self.position = position
        self.limit = limit  # of a window
        self.frontier = frontier
        self.engine = engine
        self.symbols = position.array()
        shape = self.symbols.shape
        self.fringe = np.zeros(shape, np.bool_)
        self.cells = list(models[0])
        for cell in self.cells:
            self.fringe[cell] = True
        self.rest = np.zeros(shape, np.bool_)
        for cell in frontier.rest:
            self.rest[cell] = True
        self.mines = np.zeros((len(models), *shape), np.bool_)
        for chain, model in enumerate(models):
            for cell, mine in model.items():
                self.mines[chain][cell] = mine
        self.total = np.zeros((len(models), *shape))
        self.visits = np.zeros((len(models), *shape))
        self.seen = Seen((shape[0], shape[1]))
        self.random = np.random.Generator(np.random.Philox(key=[position.mines, len(self.cells)]))
        self.side = 6.0
        self.blocks = 0

    def run(self, keep_going: Callable[[], bool]) -> None:
        """One window after another, chain by chain."""
        odds, errors = np.empty((2, *self.symbols.shape))
        while keep_going():
            chain = self.blocks % len(self.mines)
            self.blocks += 1
            self._redraw(chain, self._window(), odds, errors)

    def _window(self) -> NDArray[np.bool_]:
        """Cells to forget: a rectangle; two when no free cell can take the mines that one of them gives away."""
        window = np.zeros(self.symbols.shape, np.bool_)
        for _ in range(1 if self.frontier.rest else 2):
            row, col = self.cells[self.random.integers(len(self.cells))]
            height, width = self.random.integers(2, max(3, int(self.side * 2)), 2)
            top, left = row - self.random.integers(height), col - self.random.integers(width)
            window[max(0, top) : top + height, max(0, left) : left + width] = True
        return window & self.fringe

    def _redraw(
        self, chain: int, window: NDArray[np.bool_], odds: NDArray[np.float64], errors: NDArray[np.float64]
    ) -> None:
        mines = self.mines[chain]
        fixed = self.fringe & ~window
        symbols = np.where(fixed, np.where(mines, ord("?"), ord("S")), self.symbols).astype(np.uint8).tobytes()
        rows, cols = self.symbols.shape
        self.engine.start(rows, cols, symbols, self.position.mines)
        outcome = self.engine.count(self.limit.seconds, self.limit.memory)
        if outcome == counting.COUNTED:
            outcome, marked = self.engine.odds(odds, errors, np.inf, self.limit.seconds)
        if outcome != counting.COUNTED:
            self.side = max(2.0, self.side * 0.8)
            return
        self.side = min(30.0, self.side * (1.02 if self.engine.widest < _WIDE else 0.98))
        marks = np.frombuffer(marked, np.uint8).reshape(rows, cols)
        closed = window | self.rest
        self.seen.mined |= closed & (marks != counting.SAFE)
        self.seen.safe |= closed & (marks != counting.MINED)
        self.total[chain][closed] += odds[closed]
        self.visits[chain][closed] += 1
        drawn = np.frombuffer(self.engine.samples(1, self.blocks)[0], np.bool_).reshape(rows, cols)
        mines[window] = drawn[window]

    def forget(self) -> None:
        """Start the averages anew, from where the chains have come."""
        self.total[:] = 0
        self.visits[:] = 0

    def estimate(self, complete: bool) -> Estimate:
        """The averages, and how far the chains disagree."""
        closed = self.fringe | self.rest
        with np.errstate(invalid="ignore", divide="ignore"):
            means = np.where(self.visits > 0, self.total / self.visits, self.mines)
        odds = np.where(closed, means.mean(axis=0), np.nan)
        errors = np.where(closed, means.std(axis=0, ddof=1) / np.sqrt(len(means)), np.nan)
        marks = np.full(self.symbols.shape, counting.OPEN, np.uint8)
        marks[closed] = counting.UNSURE
        given = self.symbols == ord("S")
        for proved, mark, value in (
            (self.seen.proved_safe | given, counting.SAFE, 0.0),
            (self.seen.proved_mined, counting.MINED, 1.0),
        ):
            marks[proved], odds[proved], errors[proved] = mark, value, 0.0
        return Estimate(True, odds, errors, marks.tobytes(), complete)
