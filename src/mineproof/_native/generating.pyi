from mineproof.limit import Clock

CLEARED: int
STUCK: int
HARD: int
STOPPED: int

class Generator:
    def __init__(self, rows: int, cols: int, mines: int, start: int, opening: bool) -> None: ...
    def find(
        self, seed: int, first: int, tries: int, mend: bool, clock: Clock
    ) -> tuple[int, int, int, bytes | None]: ...
    def clear_board(self, mines: bytes, clock: Clock) -> int: ...
