"""The winning chances of guesses: exact where the rest of the game can be searched, else by playing it out.

A guess and the move that ``best`` would have made are played out on the same boards: the error of their difference is
smaller than that of either. Half of the playouts are spread evenly; the others go to the pair whose difference is
unclear and has the largest error, or, if all are clear, to the largest error.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from mineproof.agents.chance import Chance, Playouts, mean, search
from mineproof.errors import OutOfTime
from mineproof.hindsight.marks import CLEAR, POOR, MoveMark, Points
from mineproof.hindsight.report import Spent
from mineproof.odds.analysis import EQUAL

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mineproof.board.position import Position
    from mineproof.hindsight.report import Reviewed
    from mineproof.hindsight.walk import GuessToWeigh
    from mineproof.limit import Clock

WORK = 6e5
"""For each playout, on average, in units of about a nanosecond: some positions take twenty times as long as most."""
FEW = 8
"""Boards that each guess has at first, then twice as many, and so on: when time runs out, few have no estimate."""


class Contest:
    """A position to evaluate: with the best move, and with the move that was made, if different."""

    def __init__(self, position: Position, plan: GuessToWeigh | None = None) -> None:
        self.plan = plan
        self.before: Chance | None = None
        self.with_it: Chance | None = None
        self.cost: Points | None = None
        self.failed = False
        self._position = position
        self._best: Playouts | None = None
        self._made: Playouts | None = None

    def look(self, clock: Clock) -> bool:
        """Search. Return whether playouts are still needed."""
        plan = self.plan
        if plan is None:
            self.before = None if clock.over else search(self._position, clock.part(0.2))
            if self.before is None:
                self._best = Playouts(self._position)
            return self.before is None
        if plan.share and plan.named is None:  # only its risk was estimated
            return False
        self.before = None if clock.over else search(plan.position, clock.part(0.2))
        if self.before is None:
            self._best = Playouts(plan.position, plan.best)
        if plan.named is None:
            self.with_it = Chance(0.0)
        elif not plan.same:
            found = None if clock.over else search(plan.named, clock.part(0.2))
            self.with_it = None if found is None else found.times(plan.share)
            if found is None:
                self._made = Playouts(plan.position, plan.cells)
        self._compare()
        return bool(self._played)

    @property
    def _played(self) -> list[Playouts]:
        return [one for one in (self._best, self._made) if one is not None]

    @property
    def sides(self) -> int:
        """The number of playouts per board."""
        return len(self._played)

    @property
    def games(self) -> int:
        """The number of boards played so far."""
        return min((len(one.chances) for one in self._played), default=0)

    @property
    def unclear(self) -> bool:
        """Whether more playouts could change the mark."""
        if self.plan is None or self.plan.same or self.plan.told.mark is not MoveMark.GOOD or self.cost is None:
            return False
        return verdict(self.cost) is MoveMark.UNCLEAR

    @property
    def error(self) -> float:
        """The error that more playouts would reduce."""
        if self.unclear and self.cost is not None:
            return self.cost.error
        return max((chance.error for chance in (self.before, self.with_it) if chance is not None), default=1.0)

    def play(self, games: int, clock: Clock, work: float) -> tuple[int, float]:
        """Play this many more boards. Return the number of playouts, and the work."""
        played, done = 0, 0.0
        for side in self._played:
            had = len(side.chances)
            done += side.play(games, clock, work)
            games = len(side.chances) - had  # the other side plays as many
            played += games
            if not games:
                self.failed = True
                break
        size = self.games
        for side in self._played:
            del side.chances[size:]
        if size >= 2:
            self._weigh(clock)
        return played, done

    def _weigh(self, clock: Clock) -> None:
        share = 1.0 if self.plan is None else self.plan.best_share
        with suppress(OutOfTime):
            if self._best is not None:
                self.before = self._best.chance(clock).times(share)
            if self._made is not None and self.plan is not None:
                self.with_it = self._made.chance(clock).times(self.plan.share)
        self._compare()

    def _compare(self) -> None:
        plan = self.plan
        if plan is None or self.before is None:
            return
        if plan.same:
            self.with_it, self.cost = self.before, Points(0.0)
        if self.with_it is None or plan.same:
            return
        value, error = self.before.value - self.with_it.value, (self.before.error**2 + self.with_it.error**2) ** 0.5
        if self._best is not None and self._made is not None:
            pairs = zip(self._best.chances, self._made.chances, strict=True)
            value, error = mean([plan.best_share * one - plan.share * other for one, other in pairs])
        if value > 1 - plan.share:
            # Opening it and then continuing as if nothing were known loses at most the boards on which it is a mine.
            value = 1 - plan.share
            self.with_it = replace(self.with_it, value=self.before.value - value)
        self.cost = Points(value, error)


def verdict(cost: Points) -> MoveMark:
    """The mark of a forced guess."""
    if cost.clear:
        return MoveMark.POOR
    return MoveMark.GOOD if cost.value + CLEAR * cost.error <= POOR + EQUAL else MoveMark.UNCLEAR


def play_out(contests: Sequence[Contest], playouts: int, clock: Clock, tell: Callable[[float], object]) -> Spent:
    """Distribute the playouts as described above, and report progress."""
    left, work = playouts, WORK * playouts
    even = max(2, playouts // (2 * max(sum(one.sides for one in contests), 1)))
    while left > 0 and work > 0 and not clock.over:
        alive = [one for one in contests if not one.failed]
        behind = [one for one in alive if one.games < even]
        if behind:
            chosen = min(behind, key=lambda one: one.games)
            games = min(max(FEW, chosen.games), even - chosen.games)
        elif alive:
            chosen = max(alive, key=lambda one: (one.unclear, one.error))
            games = min(chosen.games, left // chosen.sides)
        if not alive or not games:
            break
        played, done = chosen.play(games, clock, WORK * games)
        left, work = left - played, work - done
        tell(1 - max(left, 0) / playouts)
    return Spent(playouts, playouts - max(left, 0), clock.over and left > 0)


def weighed(contests: Sequence[Contest], end: Chance | None) -> list[Reviewed]:
    """The guesses with their chances, the last one first."""
    found = []
    for contest in reversed(contests):
        plan = contest.plan
        if plan is None:
            continue
        told = plan.told
        mark = told.mark
        if mark is MoveMark.GOOD and not plan.same:
            by_risk = MoveMark.POOR if (told.extra_risk or 0.0) > EQUAL else MoveMark.GOOD
            mark = by_risk if contest.cost is None else verdict(contest.cost)
        behind = Chance(0.0) if told.mines else end
        found.append(
            replace(told, mark=mark, before=contest.before, with_it=contest.with_it, behind=behind, cost=contest.cost)
        )
        end = contest.before
    return found
