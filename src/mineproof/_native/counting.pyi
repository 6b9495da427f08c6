from threading import Event
from typing import Any

COUNTED: int
INCONSISTENT: int
STOPPED: int
TOO_FINE: int
OPEN: int
UNSURE: int
SAFE: int
MINED: int

class Engine:
    def __init__(self) -> None: ...
    def count(
        self,
        rows: int,
        cols: int,
        symbols: bytes,
        mines: int,
        seconds: float,
        most_bytes: int,
        cancel: Event | None = None,
    ) -> int: ...
    def odds(self, probability: Any) -> bytes: ...
    def samples(self, symbols: bytes, count: int, seed: int) -> list[bytes]: ...
    @property
    def log_solutions(self) -> float: ...
    @property
    def widest(self) -> int: ...
    def components(self) -> list[tuple[list[int], list[int]]]: ...
