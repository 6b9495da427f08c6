from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

class Batch:
    games: int
    rows: int
    cols: int
    mines: int
    def __init__(
        self,
        games: int,
        rows: int,
        cols: int,
        mines: int,
        radius: int,
        flood: bool,
        most_steps: int,
        draw: Callable[[int], NDArray[np.uint64]],
    ) -> None: ...
    def forget_seeds(self, game: int) -> None: ...
    def start(self, game: int) -> None: ...
    def start_with(self, game: int, seed: int, index: int) -> None: ...
    def start_on(self, game: int, mines: bytes) -> None: ...
    def step(
        self,
        actions: NDArray[np.int64],
        rewards: NDArray[np.float64],
        terminated: NDArray[np.uint8],
        truncated: NDArray[np.uint8],
    ) -> None: ...
    def look(self, shown: NDArray[np.int8]) -> None: ...
    def fixed(self, game: int) -> bool: ...
