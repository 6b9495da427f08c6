"""How likely a game is won from a position: exactly, where the rest of it can be searched; else by playing it out.

*Exact* is the share of the boards that look like the position on which perfect play wins. An *estimate* lets ``best``
play on boards that are drawn from these. In such a playout a guess does not end the game: its risk is counted, and the
game goes on where it was safe; an endgame that can be searched ends it with its chance. The draws follow from the
position: it has the same estimate every time, unless a limit cuts it short. Two plans for one position are played out
on the same boards, so that their difference has a smaller error than either of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from math import exp, inf, sqrt
from typing import TYPE_CHECKING

import numpy as np

from mineproof._native.playing import Player
from mineproof.board.grid import whole
from mineproof.board.position import CLOSED, Position
from mineproof.errors import InconsistentPosition, InvalidBoard, OutOfTime
from mineproof.limit import DEFAULT, Clock, Limit
from mineproof.logic.conflict import find_conflict
from mineproof.odds.analysis import Analysis, analyse

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mineproof.board.grid import CellLike

PLAYOUTS = 500
"""Of an estimate, unless told otherwise; of all estimates of a review together."""
MOST_PLAYOUTS = 1_000_000
TOO_HARD = "the winning chance of this position could not be found within the limit"


@dataclass(frozen=True, slots=True)
class Chance:
    """A winning chance, and how it was found."""

    value: float
    error: float = 0.0
    """The standard error of an estimate; 0 if exact."""
    playouts: int = 0
    """Of an estimate; 0 if exact."""

    @property
    def how(self) -> str:
        """``exact``: perfect play on all boards; ``playouts``: ``best`` on boards drawn from them."""
        return "playouts" if self.playouts else "exact"

    @property
    def exact(self) -> bool:
        """Whether it is no estimate."""
        return not self.playouts

    def times(self, share: float) -> Chance:
        """When something comes first that goes well this often."""
        return Chance(self.value * share, self.error * share, self.playouts)

    def __str__(self) -> str:
        return f"{with_error(self.value, self.error)} %"

    def fields(self) -> dict[str, float | str]:
        """As JSON has it."""
        return {"value": self.value, "error": self.error, "how": self.how, "playouts": self.playouts}


def with_error(share: float, error: float) -> str:
    """A share in hundredths, with as many digits as its error has a say in; one where it has none.

    >>> with_error(0.9904, 0.005), with_error(0.43, 0.031), with_error(1 / 3, 0)
    ('99.0 ± 0.5', '43 ± 3', '33.3')
    """
    if not error:
        return f"{100 * share:.1f}"
    digits = 0 if error >= 0.0095 else 1 if error >= 0.00095 else 2
    return f"{100 * share:.{digits}f} ± {100 * error:.{digits}f}"


def winning_chance(
    position: Position, limit: Limit = DEFAULT, *, first: Iterable[CellLike] = (), playouts: int = PLAYOUTS
) -> Chance:
    """The chance to open all other safe cells, and no further mine; with ``first``, when these cells are opened first.

    Raises `InconsistentPosition`, and `OutOfTime` where the position is too hard to be counted.

    >>> from mineproof import Position
    >>> position = Position.from_text("5x2x4\\nHHHHH\\n2HHH2")
    >>> print(winning_chance(position), winning_chance(position, first=["A1"]), sep=", ")
    33.3 %, 22.2 %
    """
    clock = Clock(limit)
    if not 2 <= whole(playouts, "the number of playouts") <= MOST_PLAYOUTS:
        raise InvalidBoard(f"an estimate takes from 2 to {MOST_PLAYOUTS:,} playouts, not {playouts:,}")
    opened = list(first)
    share, named = 1.0, position
    if opened:
        share, named = after(analyse(position, clock.rest(0.5)), opened, clock)
        if not share:
            return Chance(0.0)
    found = search(named, clock)
    if found is None:
        games = Playouts(position, map(position.grid.index, opened))
        games.play(playouts, clock)
        found = games.chance(clock)
    return found.times(share)


def after(analysis: Analysis, cells: Iterable[CellLike], clock: Clock) -> tuple[float, Position]:
    """How likely it is that all of these closed cells are safe, and the position when the game has said so."""
    position = analysis.position
    symbols = bytearray(position.cells)
    for cell in cells:
        index = position.grid.index(cell)
        if chr(symbols[index]) not in CLOSED:
            raise InvalidBoard(f"{position.grid.at(cell)} is open")
        symbols[index] = ord("S")
    named = Position(position.grid, position.mines, bytes(symbols))
    found = analyse(named, clock.rest(0.5))
    clock.check_cancelled()
    if analysis.consistent is False:
        raise InconsistentPosition(str(find_conflict(position, clock.rest())))
    if not analysis.exact or not found.exact:
        raise OutOfTime(TOO_HARD)
    return (exp(found.log_solutions - analysis.log_solutions) if found.consistent else 0.0), named


def search(position: Position, clock: Clock) -> Chance | None:
    """The chance with perfect play; None when that is too much to search."""
    grid = position.grid
    found = Player().chance(grid.rows, grid.cols, position.cells, position.mines, clock.part(0.5))
    clock.check_cancelled()
    return None if found is None or not found[1] else Chance(found[0] / found[1])


class Playouts:
    """Games that are played out from a position, as many as are asked for; with ``first``, these cells are opened
    first, and are safe. Playouts of one position have the same boards, one by one."""

    def __init__(self, position: Position, first: Iterable[int] = ()) -> None:
        self.position = position
        self.first = tuple(first)
        self.chances: list[float] = []
        """Of each game, to be won."""
        self._seed = seed_of(position)

    def play(self, games: int, clock: Clock, work: float = inf) -> float:
        """Play so many more, or fewer where that is more work than this or takes too long. Return the work that it was,
        in units of about a nanosecond."""
        grid, player = self.position.grid, Player()
        found = player.play_out(
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
        self.chances += found or ()
        return player.work

    def chance(self, clock: Clock) -> Chance:
        """To win. Raises `InconsistentPosition`, and `OutOfTime` where too few games could be played."""
        if len(self.chances) < 2:
            if analyse(self.position, clock.rest()).consistent is False:
                raise InconsistentPosition(str(find_conflict(self.position, clock.rest())))
            raise OutOfTime(TOO_HARD)
        return Chance(*mean(self.chances), len(self.chances))


def mean(numbers: Sequence[float]) -> tuple[float, float]:
    """The mean of at least two numbers, with its standard error. Where all are the same, that proves nothing: one more
    could have been different."""
    size = len(numbers)
    return float(np.mean(numbers)), sqrt(max(float(np.var(numbers, ddof=1)) / size, 1 / (4 * size**2)))


def seed_of(position: Position) -> int:
    """A seed that follows from what is seen, and not from notes."""
    seen = position.cells.translate(bytes.maketrans(b"FQ?", b"HH*"))
    return int.from_bytes(
        blake2b(f"{position.grid}x{position.mines}".encode() + seen, digest_size=8).digest(), "little"
    )
