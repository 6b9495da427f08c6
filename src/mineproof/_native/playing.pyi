from collections.abc import Collection, Iterable

import numpy as np
from numpy.typing import NDArray

from mineproof.limit import Clock, Limit

Choice = tuple[int, float, float, int]
Course = tuple[bool, int, tuple[float, ...], float, float]

class Player:
    def __init__(
        self,
        lookahead: bool = True,
        nodes: int | None = None,
        boards: int | None = None,
        *,
        dead: bool = True,
        living: bool = True,
        tossups: bool = True,
        dominance: bool = True,
        isolated: bool = True,
        playouts: int = 0,
        closed: float = 1,
        solutions: float = ...,
    ) -> None: ...
    def joint(
        self,
        rows: int,
        cols: int,
        symbols: bytes,
        mines: int,
        mined: Collection[int],
        safe: Collection[int],
        clock: Clock,
    ) -> float | None: ...
    def choose(
        self, rows: int, cols: int, symbols: bytes, mines: int, probability: NDArray[np.float64], clock: Clock
    ) -> tuple[int, bytes, Choice | None, list[Choice]]: ...
    def play(self, rows: int, cols: int, mines: bytes, start: int, limit: Limit) -> Course | None: ...
    def play_seeded(
        self,
        rows: int,
        cols: int,
        mines: int,
        start: int,
        radius: int,
        seed: int,
        first: int,
        games: int,
        limit: Limit,
    ) -> list[Course | None]: ...
    def play_out(
        self,
        rows: int,
        cols: int,
        symbols: bytes,
        mines: int,
        seed: int,
        games: int,
        work: float,
        clock: Clock,
        first: Iterable[int] = (),
        begin: int = 0,
    ) -> list[float] | None: ...
    @property
    def work(self) -> float: ...
    def chance(self, rows: int, cols: int, symbols: bytes, mines: int, clock: Clock) -> tuple[int, int] | None: ...

class Tree:
    def __init__(self, rows: int, cols: int, mines: int, nodes: int, hashed: int = ...) -> None: ...
    def start(self, cell: int, opening: bool, clock: Clock) -> tuple[int, int] | None: ...
