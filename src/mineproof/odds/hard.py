"""Positions with components too hard to count: certain cells by SAT, odds by sampling, inside a time limit.

1. SAT proves what follows from the clues of the hard components. Without the proved cells most of them fall into parts
   that can be counted after all.
2. Components that still cannot be counted are sampled: chains that start from different solutions redraw window after
   window (``gibbs.hpp``). All other components, and the cells that no clue sees, are weighed exactly, by the number of
   mines that they leave.
3. A cell that differs between consistent boards is unsure. SAT decides the cells for which the number of mines might
   still matter.

No odds are reported without an estimate: an unsure cell has odds strictly between 0 and 1 with a standard error, or
none at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mineproof._native import counting
from mineproof._native.clock import SMALL_CHANGE, bytes_of_board
from mineproof.errors import OutOfTime
from mineproof.limit import Clock
from mineproof.logic.constraints import Constraint, bounds
from mineproof.logic.solver import Solver

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from mineproof._native.counting import Counter, Sampler
    from mineproof.board.position import Position

COUNT_SHARE = 1 / 3
"""The share of the remaining time for a first count."""
RECOUNT_SHARE = 0.9
"""The share of the remaining time for a second count, if the first was stopped before it knew what is hard."""
PROVE_SHARE = 1 / 2
"""The share of the remaining time for SAT."""
PROVE_SWEEPS = 4
"""The number of sweeps that look for cells that are not certain, so that SAT need not be asked about them."""
CHAINS = 8
"""The number of chains, if a solution is found for each."""
FEWEST_CHAINS = 3
"""The fewest chains for an estimate: fewer give no error."""
ENOUGH_SWEEPS = 2_000
"""The number of sweeps after which more would hardly change anything."""
BURN_IN = 0.3
"""The share of the time for sampling in which the chains leave the solutions they started from."""
MOST_WORK = 3e8
"""The most steps for joining all components that can be counted."""
ROUNDING = 1e-12
"""The error of a probability by rounding alone."""
WIDER = 1.5
"""The factor on errors outside the hard components: a handful of chains decides them, so all are wrong together."""
SAFE_WAY, MINE_WAY, BOTH = 1, 2, 3
"""The ways in which cells of a box were seen on some board: safe, mined, both."""
CLUES_A_SECOND = 100_000
"""Approximate number of clues per second that are read and added to a solver."""
BYTES_A_CLUE = 10_000
"""Approximate bytes per clue in a solver and a sampler."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """The certain cells and the odds of a position, as far as there was time."""

    consistent: bool | None
    """Whether any board is consistent with the position; None if that is not known."""
    probabilities: NDArray[np.float64]
    errors: NDArray[np.float64]
    marks: bytes
    complete: bool
    """Whether every certain cell is marked."""


def count(counter: Counter, clock: Clock) -> tuple[int, bool]:
    """Count a position, with the help of SAT where it is hard. Return the outcome, and whether all cells that the clues
    prove in the remaining hard components are known."""
    outcome = _count(counter, clock)
    if outcome != counting.HARD:
        return outcome, True
    proving = clock.part(PROVE_SHARE)
    safe: list[int] = []
    mined: list[int] = []
    settled = True
    solvers: list[Solver] = []
    try:
        for part in _clues(counter, proving):
            solvers.append(Solver(part, proving))
            if not solvers[-1].solve():
                return counting.INCONSISTENT, True
        unsettled = _unsettled(counter, set().union(*(solver.mined() for solver in solvers)), proving)
        for solver in solvers:
            among = [sign * solver.variable[cell] for cell in solver.cells if cell in unsettled for sign in (1, -1)]
            for literal in solver.backbone(among=among):
                (mined if literal > 0 else safe).append(solver.cells[abs(literal) - 1])
    except OutOfTime:
        settled = False
    finally:
        for solver in solvers:
            solver.close()
    if safe or mined:  # without these cells the components are easier
        counter.know(safe, mined)
        outcome = _count(counter, clock)
    return outcome, settled


def _unsettled(counter: Counter, mined: set[int], clock: Clock) -> set[int]:
    """Cells of hard components that never change when a solution is redrawn, window by window, with any number of
    mines: the certain ones, and few others."""
    cells = counter.hard_cells
    sampler = counting.Sampler(counter, np.ones(cells + 1), np.ones(cells + 1, np.uint8), 0)
    board = np.zeros(counter.cells, np.uint8)
    board[list(mined)] = 1
    assert sampler.add_chain(board)
    sampler.run(PROVE_SWEEPS, clock.part(0.5))
    places, boxes = sampler.places
    return set(places[sampler.ways[boxes] != BOTH].tolist())


def _count(counter: Counter, clock: Clock) -> int:
    outcome = counter.count(clock.part(COUNT_SHARE))
    clock.check_cancelled()
    if outcome == counting.STOPPED:  # which components are hard is not known yet, and everything else depends on it
        outcome = counter.count(clock.part(RECOUNT_SHARE))
        clock.check_cancelled()
    return outcome


def _clues(counter: Counter, clock: Clock) -> list[list[Constraint]]:
    """The constraints of each hard component."""
    if not counter.list_hard(clock) or counter.hard_clue_count > CLUES_A_SECOND * clock.left:
        raise OutOfTime("time ran out before the clues were read")
    needed = BYTES_A_CLUE * counter.hard_clue_count + bytes_of_board(counter.cells)
    if needed > max(clock.limit.memory, SMALL_CHANGE):
        raise OutOfTime("the clues take more memory than the limit allows")
    return [list(map(Constraint._make, part)) for part in counter.hard_clues()]


def proved_only(position: Position, counter: Counter, consistent: bool | None = None) -> Estimate:
    """The proved cells, when there was no time for anything else."""
    marks = counter.marks()
    known = np.frombuffer(marks, np.uint8).reshape(position.grid.rows, position.grid.cols)
    odds = np.full(known.shape, np.nan)
    odds[known == counting.MARK_SAFE] = 0.0
    odds[known == counting.MARK_MINED] = 1.0
    return Estimate(consistent, odds, odds * 0, marks, complete=False)


def estimate(
    position: Position, counter: Counter, clock: Clock, *, settled: bool, sweeps: int = ENOUGH_SWEEPS
) -> Estimate | None:
    """The certain cells and the odds of a position that could not be counted; None if it is inconsistent. Sampling ends
    with the time, or after this many sweeps."""
    sampling: _Sampling | None = None
    try:
        sampling = _Sampling(position, counter, clock)
        if not sampling.begin():
            return None
        complete = sampling.run(settled, sweeps)
        return sampling.estimate(complete)
    except OutOfTime:
        return proved_only(position, counter, True if sampling is not None and sampling.chains else None)
    finally:
        if sampling is not None:
            sampling.close()


class _Sampling:
    """The sampling of the hard components of a position."""

    def __init__(self, position: Position, counter: Counter, clock: Clock) -> None:
        self.position = position
        self.counter = counter
        self.clock = clock
        self.constraints = [clue for part in _clues(counter, clock) for clue in part]
        self.cells = np.array(sorted({cell for clue in self.constraints for cell in clue.cells}))
        before = clock.left
        outside = counter.outside_hard(len(self.cells), MOST_WORK, clock)
        self.seconds_to_join = before - clock.left
        clock.check()
        if outside is None:
            raise OutOfTime("there are too many components to join")
        self.outside, self.possible = outside
        """By the number of mines in the hard components: the weight of the rest of the board, and what is possible."""
        self.chains = 0
        self.sampler: Sampler
        self.bounded = False
        """Whether the solver knows the least and the largest possible number of mines."""
        self.safe: list[int] = []
        self.mined: list[int] = []
        """The boxes whose cells were proved safe, and those proved mined."""
        self.solver = Solver(self.constraints, clock)

    def begin(self) -> bool:
        """Start the chains from models of a solver. Return False if there is none."""
        low, high = bounds(self.constraints, len(self.cells), self.clock)
        allowed = self.possible[low : high + 1]
        self.free = bool(allowed.all())
        if not allowed.any():
            return False
        seed = self.position.mines << 32 | len(self.cells)
        self.sampler = counting.Sampler(self.counter, self.outside, self.possible, seed)
        likeliest = int(np.argmax(self.outside)) / max(1, len(self.cells))
        self.solver.clock = self.clock.part(0.5)
        order = np.arange(1, len(self.cells) + 1)
        try:
            for chain in range(CHAINS):
                random = np.random.Generator(np.random.Philox(key=[seed, chain]))
                self.solver.prefer(np.where(random.random(len(order)) < likeliest, order, -order).tolist())
                solved = self._solution(())
                if solved is False:
                    return False
                if solved:
                    self.chains += self.sampler.add_chain(self._board())
        except OutOfTime:
            if self.chains < FEWEST_CHAINS:
                raise
        if self.chains < FEWEST_CHAINS:
            raise OutOfTime("there are too few solutions to start from")
        return True

    def _solution(self, supposed: Sequence[int]) -> bool | None:
        """Whether there is a solution in which these literals hold, with a possible number of mines.

        None if that is not known: the solver is told the least and the largest possible number, but not of gaps between
        them. It is told these two only when it must be, because they make it slow.
        """
        for bounded in (self.bounded, True):
            if bounded and not self.bounded:
                allowed = np.flatnonzero(self.possible)
                self.solver.bound(int(allowed[0]), int(allowed[-1]))
                self.bounded = True
            if not self.solver.solve(supposed):
                return False
            if self.sampler.note(self._board()):
                return True
        return None

    def _board(self) -> NDArray[np.uint8]:
        """The last solution of the solver."""
        board = np.zeros(len(self.position.cells), np.uint8)
        board[list(self.solver.mined())] = 1
        return board

    def close(self) -> None:
        """Free what the solver holds."""
        self.solver.close()

    def run(self, settled: bool, sweeps: int) -> bool:
        """Sample until the sweeps or the time are used up. Return whether every certain cell was found."""
        reserve = max(0.04 * self.clock.limit.seconds, 2 * (CHAINS + 2) * self.seconds_to_join)
        self.sampler.run(-(-sweeps // 5), self._until(self.clock.left - (self.clock.left - reserve) * BURN_IN))
        self.sampler.forget()
        self.sampler.run(-(-sweeps // 5), self._until(reserve + (self.clock.left - reserve) * 0.5))
        complete = self._decide(self._until(reserve + (self.clock.left - reserve) * 0.5), settled)
        self.sampler.run(sweeps, self._until(reserve))
        return complete

    def _until(self, left: float) -> Clock:
        """A clock that ends when this many seconds of the time are left."""
        return Clock(self.clock.limit, self.clock.left - left)

    def _decide(self, clock: Clock, settled: bool) -> bool:
        """Decide the cells of hard components that were only safe, or only mined, so far. Return False if time is over.

        If all cells that the clues prove are known already, and any number of mines in the hard components is possible,
        there is nothing to decide.
        """
        if settled and self.free:
            return True
        cells, boxes = self.sampler.places
        first = {
            box: cell for cell, box in zip(cells.tolist(), boxes.tolist(), strict=True)
        }  # the cells of a box are alike
        self.solver.clock = clock
        try:
            for box in np.flatnonzero(self.sampler.ways != BOTH).tolist():
                variable = self.solver.variable[first[box]]
                for way, literal, proved in ((MINE_WAY, variable, self.safe), (SAFE_WAY, -variable, self.mined)):
                    if self.sampler.ways[box] & way:
                        continue
                    solved = self._solution([literal])
                    if solved is None:
                        return False
                    if not solved:
                        proved.append(box)
        except OutOfTime:
            return False
        return True

    # -- results -----------------------------------------------------------------------------------------------------

    def estimate(self, complete: bool) -> Estimate:
        """The averages over all chains, and how far the chains disagree."""
        odds, errors, marks, all_decided = self._others()
        cells, boxes = self.sampler.places
        box_odds, box_errors = averages(self.sampler.records())
        odds[cells], errors[cells] = box_odds[boxes], box_errors[boxes]
        for proved, mark, value in (
            (self.safe, counting.MARK_SAFE, 0.0),
            (self.mined, counting.MARK_MINED, 1.0),
        ):
            proved_cells = cells[np.isin(boxes, proved)]
            marks[proved_cells], odds[proved_cells], errors[proved_cells] = mark, value, 0.0
        shape = (self.position.grid.rows, self.position.grid.cols)
        return Estimate(True, odds.reshape(shape), errors.reshape(shape), marks.tobytes(), complete and all_decided)

    def _others(self) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.uint8], bool]:
        """Odds, errors and marks of the cells outside the hard components, and whether all of these are decided. The
        numbers of mines that the hard components held on a chain give exact odds; the chains' mean is the estimate."""
        totals = self.sampler.totals()
        witnessed = totals.sum(axis=0) > 0
        with np.errstate(divide="ignore", invalid="ignore"):
            ways = np.where((totals > 0) & (self.outside > 0), totals / self.outside, 0.0)
        by_chain = [self._joined(row, witnessed) for row in ways if row.any()]
        if len(by_chain) < FEWEST_CHAINS:
            raise OutOfTime("time ran out before sampling")
        chain_odds = np.array([odds for odds, _ in by_chain])
        # Cells that are certain whatever the hard components hold are certain. Of a cell that is certain only with the
        # numbers of mines seen on the chains, this is not known.
        _, marks = self._joined(ways.sum(axis=0), np.ones_like(witnessed))
        open_question = (marks == counting.MARK_UNSURE) & (by_chain[0][1] != counting.MARK_UNSURE)
        odds = chain_odds.mean(axis=0)
        errors = WIDER * chain_odds.std(axis=0, ddof=1) / np.sqrt(len(chain_odds)) + ROUNDING
        unsure = marks == counting.MARK_UNSURE
        odds[unsure] = np.clip(odds[unsure], np.finfo(float).tiny, 1 - np.finfo(float).epsneg)
        odds[open_question] = errors[open_question] = np.nan
        errors[~unsure] = odds[~unsure] * 0
        open_question[self.sampler.places[0]] = False  # the sampler has decided these
        return odds, errors, marks, not open_question.any()

    def _joined(
        self, weights: NDArray[np.float64], possible: NDArray[np.bool_]
    ) -> tuple[NDArray[np.float64], NDArray[np.uint8]]:
        """Odds and marks if the hard components hold each number of mines with these weights."""
        odds, errors = np.empty((2, self.position.grid.rows, self.position.grid.cols))
        self.counter.suppose(0, weights / weights.max(), possible.astype(np.uint8))
        outcome, marks = self.counter.odds(odds, errors, MOST_WORK, self.clock)
        self.clock.check_cancelled()
        if outcome != counting.COUNTED:
            raise OutOfTime("time ran out before the rest of the board was joined")
        return odds.ravel(), np.frombuffer(marks, np.uint8).copy()


def averages(records: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The odds of each box by the records of `Sampler`, and their standard errors; NaN for boxes that too few chains
    have visited.

    One observation is added to those of the chains, the average of all boxes: a box that was never mined in a few
    visits need not be safe. A chain counts as one observation, and as one more for each visit in which the window left
    the box open; visits to a box that its surroundings determine say nothing new. The error is the disagreement between
    the chains, or what this number of observations allows, whichever is larger.
    """
    total, visits, open_visits = records
    seen = visits > 0
    chains = seen.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        means = np.where(seen, total / visits, np.nan)
        enough = chains >= FEWEST_CHAINS
        mean = np.where(enough, np.nansum(means, axis=0) / chains, np.nan)
        spread = np.nansum((means - mean) ** 2, axis=0) / (chains - 1)
        prior = np.nanmean(mean) if enough.any() else np.nan
        known = chains + open_visits.sum(axis=0)
        odds = (mean * known + prior) / (known + 1)
        error = np.sqrt(np.maximum(spread / chains, odds * (1 - odds) / (known + 1)) + ((odds - mean) / 2) ** 2)
    return odds, error
