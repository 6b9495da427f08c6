"""A certain conclusion and the clues that it follows from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mineproof.board.grid import Cell


MOST_NAMES = 24
"""Clues that are named in a reason; more are counted."""


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
        return in_words(self.because, self.mine_count)

    def __str__(self) -> str:
        one, many = ("is a mine", "are mines") if self.mine else ("is safe", "are safe")
        return f"{names(self.cells)} {many if len(self.cells) > 1 else one}, {self.reason}"


def in_words(because: frozenset[Cell], mine_count: bool) -> str:
    """Clues, and perhaps the mine count, as a reason."""
    used = [f"clue{'s' if len(because) > 1 else ''} {names(because)}"] if because else []
    if len(because) > MOST_NAMES:
        used = [f"{len(because)} clues"]
    if mine_count:
        used.append("the mine count")
    return f"by {' and '.join(used)}" if used else "named by the game"


class Deductions(list[Deduction]):
    """What a method found, and whether that is all there is to find.

    >>> from mineproof import Position
    >>> from mineproof.logic import sat
    >>> found = sat.infer(Position.from_text("3x2x2\\nHHH\\n121"))
    >>> found.safe, found.mined, found.complete
    (frozenset({Cell(row=0, col=1)}), frozenset({...}), True)
    """

    def __init__(self, found: Iterable[Deduction] = (), *, complete: bool = False) -> None:
        super().__init__(found)
        self.complete = complete
        """Whether every certain cell is among them."""

    @property
    def safe(self) -> frozenset[Cell]:
        """All cells that are said to be safe."""
        return self._cells(mine=False)

    @property
    def mined(self) -> frozenset[Cell]:
        """All cells that are said to be mines."""
        return self._cells(mine=True)

    def _cells(self, mine: bool) -> frozenset[Cell]:
        return frozenset(cell for deduction in self if deduction.mine is mine for cell in deduction.cells)


def names(cells: Iterable[Cell]) -> str:
    """Cells as a person reads them, in order."""
    return ", ".join(map(str, sorted(cells)))
