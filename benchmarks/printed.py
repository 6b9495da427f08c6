"""Lee's printed code on boards from standard input, one per line, for `matching.py`: it needs only Python, so that
PyPy, which the report used, can run it too."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from support.lee import Hurried


class Board:
    """As much of a grid, a position and a game as the transcription asks for. Cells are indices."""

    def __init__(self, rows: int, cols: int, mines: list[int], given: list[int]) -> None:
        self.grid = self
        self._size = rows, cols
        self._mines = set(mines)
        self._given = given

    def __len__(self) -> int:
        return self._size[0] * self._size[1]

    def where(self, _symbol: str) -> list[int]:
        return self._given

    def index(self, cell: int) -> int:
        return cell

    def cell(self, index: int) -> int:
        return index

    def neighbours(self, cell: int) -> list[int]:
        rows, cols = self._size
        row, col = divmod(cell, cols)
        near = [(r, c) for r in (row - 1, row, row + 1) for c in (col - 1, col, col + 1) if (r, c) != (row, col)]
        return [r * cols + c for r, c in near if 0 <= r < rows and 0 <= c < cols]

    def open(self, cell: int) -> None:
        assert cell not in self._mines, "the printed code is never wrong"

    def __getitem__(self, cell: int) -> int:
        return len(self._mines.intersection(self.neighbours(cell)))


if __name__ == "__main__":
    for line in sys.stdin:
        board = Board(**json.loads(line))
        began = time.process_time()
        won = Hurried(board, list).play(board)  # type: ignore[arg-type]
        print(json.dumps({"won": won, "seconds": time.process_time() - began}), flush=True)
