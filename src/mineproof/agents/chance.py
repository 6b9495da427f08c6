"""The chance of winning from a position: exact if the rest of the game can be searched, otherwise by playouts.

*Exact* is the share of the consistent boards on which perfect play wins. An *estimate* lets the rule of ``best`` play
on boards drawn from these. In such a playout a guess does not end the game: its risk is counted, and the game continues
as if it was safe; an endgame that can be searched ends the playout with its exact chance. The draws depend only on the
position, so its estimate is always the same, unless a limit cuts it short. Two plans for one position are played out on
the same boards, so that their difference has a smaller error than either of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from math import exp, inf, sqrt
from typing import TYPE_CHECKING

import numpy as np

from mineproof._native.playing import Player
from mineproof.board.grid import whole
from mineproof.board.position import CLOSED, Position, Seen, position_of
from mineproof.errors import InvalidArgument, OutOfTime
from mineproof.limit import DEFAULT, Clock, Limit
from mineproof.logic.conflict import inconsistent
from mineproof.odds.analysis import Analysis, analyse
from mineproof.odds.counted import check_room
from mineproof.percent import percent

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mineproof.board.grid import CellLike

PLAYOUTS = 500
"""Default number of playouts of an estimate, and of all estimates of a review together."""
MOST_PLAYOUTS = 1_000_000
TOO_HARD = "time ran out before the winning chance of this position was found"


@dataclass(frozen=True, slots=True)
class Chance:
    """A winning chance: exact, or estimated from playouts."""

    value: float
    error: float = 0.0
    """The standard error of an estimate; 0 if exact."""
    playouts: int = 0
    """The number of playouts of an estimate; 0 if exact."""

    @property
    def how(self) -> str:
        """``exact``: perfect play on all boards; ``playouts``: the rule of ``best`` on boards drawn from them."""
        return "playouts" if self.playouts else "exact"

    @property
    def exact(self) -> bool:
        """Whether the chance is exact."""
        return not self.playouts

    def times(self, share: float) -> Chance:
        """Return the chance if an event of this probability must happen first."""
        return Chance(self.value * share, self.error * share, self.playouts)

    def __str__(self) -> str:
        return percent(self.value, self.error)

    def fields(self) -> dict[str, float | str]:
        """The fields for JSON."""
        return {"value": self.value, "error": self.error, "how": self.how, "playouts": self.playouts}


def winning_chance(
    position: Position | Seen, limit: Limit = DEFAULT, *, first: Iterable[CellLike] = (), playouts: int = PLAYOUTS
) -> Chance:
    """The chance of opening all other safe cells and no mine; with ``first``, if these cells are opened first.

    Raises `InconsistentPosition`, and `OutOfTime` if the position is too hard to count.

    >>> from mineproof import Position
    >>> position = Position.from_text("5x2x4\\nHHHHH\\n2HHH2")
    >>> print(winning_chance(position), winning_chance(position, first=["A1"]), sep=", ")
    33.3 %, 22.2 %
    """
    clock = Clock(limit)
    position = position_of(position)
    if not 2 <= whole(playouts, "the number of playouts") <= MOST_PLAYOUTS:
        raise InvalidArgument(f"an estimate needs 2 to {MOST_PLAYOUTS:,} playouts, not {playouts:,}")
    check_room(position.grid, limit)
    opened = list(first)
    share, assumed = 1.0, position
    if opened:
        share, assumed = assume_safe(analyse(position, clock.rest(0.5)), opened, clock)
        if not share:
            return Chance(0.0)
    chance = search(assumed, clock)
    if chance is None and analyse(assumed, clock.rest(0.5)).settled:  # too many cells to search, and nothing to guess
        chance = Chance(1.0)
    if chance is None:
        games = Playouts(position, map(position.grid.index, opened))
        games.play(playouts, clock)
        chance = games.chance(clock)
    return chance.times(share)


def assume_safe(analysis: Analysis, cells: Iterable[CellLike], clock: Clock) -> tuple[float, Position]:
    """Return the probability that all these closed cells are safe, and the position that marks them safe."""
    position = analysis.position
    symbols = bytearray(position.cells)
    for cell in cells:
        index = position.grid.index(cell)
        if chr(symbols[index]) not in CLOSED:
            raise InvalidArgument(f"{position.grid.at(cell)} is open")
        symbols[index] = ord("S")
    assumed = Position(position.grid, position.mines, bytes(symbols))
    assuming = analyse(assumed, clock.rest(0.5))
    clock.check_cancelled()
    if analysis.consistent is False:
        raise inconsistent(position, clock)
    if not analysis.exact or not assuming.exact:
        raise OutOfTime(TOO_HARD)
    return (exp(assuming.log_solutions - analysis.log_solutions) if assuming.consistent else 0.0), assumed


def search(position: Position, clock: Clock) -> Chance | None:
    """Return the chance with perfect play; None if there is too much to search."""
    grid = position.grid
    counts = Player().chance(grid.rows, grid.cols, position.cells, position.mines, clock.part(0.5))
    clock.check_cancelled()
    won, boards = counts or (0, 0)
    return Chance(won / boards) if boards else None


class Playouts:
    """Games played out from a position, on boards where the cells of ``first`` are safe; these are opened first. All
    `Playouts` of a position use the same boards, in the same order."""

    def __init__(self, position: Position, first: Iterable[int] = ()) -> None:
        self.position = position
        self.first = tuple(first)
        self.chances: list[float] = []
        """The winning chance of each game."""
        self._seed = seed_of(position)

    def play(self, games: int, clock: Clock, work: float = inf) -> float:
        """Play this many more games, or fewer if the work exceeds ``work`` or time runs out. Return the work done;
        its unit is about a nanosecond."""
        grid, player = self.position.grid, Player()
        chances = player.play_out(
            grid.rows,
            grid.cols,
            self.position.cells,
            self.position.mines,
            self._seed,
            games,
            work,
            clock,
            self.first,
            len(self.chances),
        )
        clock.check_cancelled()
        self.chances += chances or ()
        return player.work

    def chance(self, clock: Clock) -> Chance:
        """The chance of winning. Raises `InconsistentPosition`, and `OutOfTime` if too few games could be played."""
        if len(self.chances) < 2:
            if analyse(self.position, clock.rest()).consistent is False:
                raise inconsistent(self.position, clock)
            raise OutOfTime(TOO_HARD)
        return Chance(*mean(self.chances), len(self.chances))


def mean(numbers: Sequence[float]) -> tuple[float, float]:
    """Return the mean of at least two numbers, and its standard error. If all numbers are equal, the error is still not
    0: the next number could differ."""
    size = len(numbers)
    return float(np.mean(numbers)), sqrt(max(float(np.var(numbers, ddof=1)) / size, 1 / (4 * size**2)))


def seed_of(position: Position) -> int:
    """Return a seed that depends on what the board shows, but not on the player's notes."""
    shown = position.cells.translate(bytes.maketrans(b"FQ?", b"HH*"))
    return int.from_bytes(
        blake2b(f"{position.grid}x{position.mines}".encode() + shown, digest_size=8).digest(), "little"
    )
