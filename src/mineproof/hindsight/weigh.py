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
"""The most work per playout, on average, in units of about a nanosecond: some positions take twenty times the usual."""
FEW = 8
"""Boards on which each guess is played out first; then it gets twice as many, and so on, so that few guesses have no
estimate when time runs out."""


class Contest:
    """A position to evaluate: with the best move and, if it is different, with the guess that was made."""

    def __init__(self, position: Position, guess: GuessToWeigh | None = None) -> None:
        self.guess = guess
        self.before: Chance | None = None
        self.with_it: Chance | None = None
        self.cost: Points | None = None
        self.failed = False
        self._position = position
        self._best: Playouts | None = None
        self._made: Playouts | None = None

    def search(self, clock: Clock) -> bool:
        """Search the rest of the game. Return whether playouts are still needed."""
        guess = self.guess
        if guess is None:
            self.before = None if clock.over else search(self._position, clock.part(0.2))
            if self.before is None:
                self._best = Playouts(self._position)
            return self.before is None
        if guess.share and guess.assumed is None:  # the share is an estimate
            return False
        self.before = None if clock.over else search(guess.position, clock.part(0.2))
        if self.before is None:
            self._best = Playouts(guess.position, guess.best)
        if guess.assumed is None:
            self.with_it = Chance(0.0)
        elif not guess.is_best:
            chance = None if clock.over else search(guess.assumed, clock.part(0.2))
            self.with_it = None if chance is None else chance.times(guess.share)
            if chance is None:
                self._made = Playouts(guess.position, guess.cells)
        self._compare()
        return bool(self._played)

    @property
    def _played(self) -> list[Playouts]:
        return [side for side in (self._best, self._made) if side is not None]

    @property
    def sides(self) -> int:
        """The number of playouts per board."""
        return len(self._played)

    @property
    def games(self) -> int:
        """The number of boards played so far."""
        return min((len(side.chances) for side in self._played), default=0)

    @property
    def unclear(self) -> bool:
        """Whether more playouts could change the mark."""
        guess = self.guess
        if guess is None or guess.is_best or guess.reviewed.mark is not MoveMark.GOOD or self.cost is None:
            return False
        return verdict(self.cost) is MoveMark.UNCLEAR

    @property
    def error(self) -> float:
        """The error that more playouts would reduce."""
        if self.unclear and self.cost is not None:
            return self.cost.error
        return max((chance.error for chance in (self.before, self.with_it) if chance is not None), default=1.0)

    def play(self, games: int, clock: Clock, work: float) -> tuple[int, float]:
        """Play on this many more boards. Return the number of playouts, and the work done."""
        played, done = 0, 0.0
        for side in self._played:
            before = len(side.chances)
            done += side.play(games, clock, work)
            games = len(side.chances) - before  # the other side plays as many
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
        share = 1.0 if self.guess is None else self.guess.best_share
        with suppress(OutOfTime):
            if self._best is not None:
                self.before = self._best.chance(clock).times(share)
            if self._made is not None and self.guess is not None:
                self.with_it = self._made.chance(clock).times(self.guess.share)
        self._compare()

    def _compare(self) -> None:
        guess = self.guess
        if guess is None or self.before is None:
            return
        if guess.is_best:
            self.with_it, self.cost = self.before, Points(0.0)
        if self.with_it is None or guess.is_best:
            return
        value, error = self.before.value - self.with_it.value, (self.before.error**2 + self.with_it.error**2) ** 0.5
        if self._best is not None and self._made is not None:
            pairs = zip(self._best.chances, self._made.chances, strict=True)
            value, error = mean([guess.best_share * best - guess.share * made for best, made in pairs])
        if value > 1 - guess.share:
            # Opening it and then playing as if it were still closed loses only the boards on which it is a mine.
            value = 1 - guess.share
            self.with_it = replace(self.with_it, value=self.before.value - value)
        self.cost = Points(value, error)


def verdict(cost: Points) -> MoveMark:
    """Return the mark of a forced guess with this cost."""
    if cost.clear:
        return MoveMark.POOR
    return MoveMark.GOOD if cost.value + CLEAR * cost.error <= POOR + EQUAL else MoveMark.UNCLEAR


def play_out(contests: Sequence[Contest], playouts: int, clock: Clock, report: Callable[[float], object]) -> Spent:
    """Distribute the playouts as described above; call ``report`` with the share of them that is done."""
    left, work = playouts, WORK * playouts
    even = max(2, playouts // (2 * max(sum(contest.sides for contest in contests), 1)))
    while left > 0 and work > 0 and not clock.over:
        alive = [contest for contest in contests if not contest.failed]
        behind = [contest for contest in alive if contest.games < even]
        if behind:
            chosen = min(behind, key=lambda contest: contest.games)
            games = min(max(FEW, chosen.games), even - chosen.games)
        elif alive:
            chosen = max(alive, key=lambda contest: (contest.unclear, contest.error))
            games = min(chosen.games, left // chosen.sides)
        if not alive or not games:
            break
        played, done = chosen.play(games, clock, WORK * games)
        left, work = left - played, work - done
        report(1 - max(left, 0) / playouts)
    return Spent(playouts, playouts - max(left, 0), clock.over and left > 0)


def apply_chances(contests: Sequence[Contest], end: Chance | None) -> list[Reviewed]:
    """Return the guesses with their chances and final marks, the last one first; ``end`` is the chance at the end."""
    guesses = []
    for contest in reversed(contests):
        guess = contest.guess
        if guess is None:
            continue
        reviewed = guess.reviewed
        mark = reviewed.mark
        if mark is MoveMark.GOOD and not guess.is_best:
            by_risk = MoveMark.POOR if (reviewed.extra_risk or 0.0) > EQUAL else MoveMark.GOOD
            mark = by_risk if contest.cost is None else verdict(contest.cost)
        behind = Chance(0.0) if reviewed.mines else end
        before, with_it, cost = contest.before, contest.with_it, contest.cost
        guesses.append(replace(reviewed, mark=mark, before=before, with_it=with_it, behind=behind, cost=cost))
        end = contest.before
    return guesses
