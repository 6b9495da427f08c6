"""A certain conclusion and the clues that it follows from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mineproof.board.grid import CellSet
from mineproof.board.html import MOST_LINES, shortened
from mineproof.plural import noun_for

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mineproof.board.grid import Cell


MOST_NAMES = 24
"""The most clues named in a reason; more are only counted."""


@dataclass(frozen=True, slots=True)
class Deduction:
    """These cells are all mines, or all safe, because of these clues."""

    cells: CellSet
    mine: bool
    because: CellSet
    method: str
    mine_count: bool = False
    """Whether the number of mines on the whole board was used too."""

    @property
    def reason(self) -> str:
        """The clues that it follows from, in words."""
        return in_words(self.because, self.mine_count)

    def __str__(self) -> str:
        single, plural = ("is a mine", "are mines") if self.mine else ("is safe", "are safe")
        return f"{names(self.cells)} {plural if len(self.cells) > 1 else single}, {self.reason}"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: ARG002
        """The sentence, in an IPython console."""
        printer.text(str(self))

    def fields(self) -> dict[str, Any]:
        """The fields for JSON."""
        return {
            "cells": [list(cell) for cell in sorted(self.cells)],
            "verdict": "mine" if self.mine else "safe",
            "because": [list(clue) for clue in sorted(self.because)],
            "mine_count": self.mine_count,
            "method": self.method,
            "text": str(self),
        }


def in_words(because: CellSet, mine_count: bool) -> str:
    """The reason in words, from its clues and perhaps the mine count."""
    used = named_parts(because, mine_count)
    return f"by {' and '.join(used)}" if used else "named by the game"


def named_parts(because: CellSet, mine_count: bool) -> list[str]:
    """The parts of a reason in words: its clues, and perhaps the mine count."""
    used = [f"{noun_for(len(because), 'clue')} {names(because)}"] if because else []
    if len(because) > MOST_NAMES:
        used = [f"{len(because)} clues"]
    if mine_count:
        used.append("the mine count")
    return used


class Deductions(list[Deduction]):
    """The deductions of a method, and whether they are all that can be made.

    >>> from mineproof import Position
    >>> from mineproof.logic import sat
    >>> deductions = sat.infer(Position.from_text("3x2x2\\nHHH\\n121"))
    >>> deductions.safe, deductions.mined, deductions.complete
    (CellSet.parse('B1'), CellSet.parse('A1 C1'), True)
    """

    def __init__(self, deductions: Iterable[Deduction] = (), *, complete: bool = False) -> None:
        super().__init__(deductions)
        self.complete = complete
        """Whether every certain cell is in some deduction."""
        self.ended = ""
        """Why the search ended early; empty if it did not."""

    @property
    def safe(self) -> CellSet:
        """All cells deduced to be safe."""
        return self._cells(mine=False)

    @property
    def mined(self) -> CellSet:
        """All cells deduced to be mines."""
        return self._cells(mine=True)

    def __str__(self) -> str:
        """One line per deduction, and whether these are all."""
        return "\n".join([*shortened([str(deduction) for deduction in self]), self._end])

    @property
    def _end(self) -> str:
        if self:
            return "Every certain cell is listed." if self.complete else "There may be more certain cells."
        return "No cell is certain." if self.complete else "No certain cell was found; there may be some."

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: ARG002
        """The lines, in an IPython console."""
        printer.text(str(self))

    def _repr_markdown_(self) -> str:
        """A table, for a notebook."""
        rows = [
            f"| {names(deduction.cells)} | {'mine' if deduction.mine else 'safe'} | {deduction.reason} |"
            for deduction in self[:MOST_LINES]
        ]
        more = f"… and {len(self) - MOST_LINES:,} more; " if len(self) > MOST_LINES else ""
        head = ["| cells | verdict | reason |", "|:--|:--|:--|"]
        return "\n".join([*(head + rows if rows else []), "", f"{more}{self._end}"])

    def fields(self) -> dict[str, Any]:
        """The fields for JSON."""
        return {
            "complete": self.complete,
            "safe": [list(cell) for cell in sorted(self.safe)],
            "mined": [list(cell) for cell in sorted(self.mined)],
            "deductions": [deduction.fields() for deduction in self],
        }

    def _cells(self, mine: bool) -> CellSet:
        return CellSet(cell for deduction in self if deduction.mine is mine for cell in deduction.cells)


def names(cells: Iterable[Cell]) -> str:
    """The names of cells, sorted."""
    return ", ".join(map(str, sorted(cells)))
