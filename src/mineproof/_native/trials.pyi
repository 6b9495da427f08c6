from collections.abc import Iterable

from mineproof._native.playing import Player
from mineproof.limit import Limit

Choice = tuple[int, float, float, int]
Fork = tuple[float, float, int, bytes, Choice, Choice, list[Choice]]

class Pair:
    def __init__(self, judge: Player, walker: Player) -> None: ...
    def walk(
        self, rows: int, cols: int, mines: int, start: int, radius: int, seed: int, index: int, limit: Limit
    ) -> tuple[float, list[Fork]] | None: ...
    def weigh(
        self,
        rows: int,
        cols: int,
        symbols: bytes,
        mines: int,
        cells: Iterable[int],
        boards: int,
        seed: int,
        index: int,
        limit: Limit,
    ) -> list[float] | None: ...
