"""A certain conclusion and the clues that it follows from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mineproof.board.grid import Cell


@dataclass(frozen=True, slots=True)
class Deduction:
    """These cells are all mines, or all safe, because of these clues."""

    cells: frozenset[Cell]
    mine: bool
    because: frozenset[Cell]
    method: str
    mine_count: bool = False
    """Whether the number of mines on the whole board was used too."""

    @property
    def reason(self) -> str:
        """What it follows from, in words."""
        clues = f"clue{'s' if len(self.because) > 1 else ''} {_names(self.because)}"
        return f"by {clues}{' and the mine count' if self.mine_count else ''}"

    def __str__(self) -> str:
        one, many = ("is a mine", "are mines") if self.mine else ("is safe", "are safe")
        return f"{_names(self.cells)} {many if len(self.cells) > 1 else one}, {self.reason}"


def _names(cells: frozenset[Cell]) -> str:
    return ", ".join(map(str, sorted(cells)))
