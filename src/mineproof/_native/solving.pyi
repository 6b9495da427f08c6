from mineproof.limit import Clock

CLEARED: int
STUCK: int
HARD: int
STOPPED: int
GUESS: int

class Course:
    def run(self, rows: int, cols: int, mines: bytes, start: int, most: int, clock: Clock) -> int: ...
    def counts(self) -> tuple[int, ...]: ...
    def steps(
        self,
    ) -> list[tuple[int, bool, tuple[int, ...], tuple[int, ...], tuple[int, ...], float]]: ...
