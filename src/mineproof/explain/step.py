"""One step of an explanation: some clues, and cells that earlier steps have settled, settle further cells."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mineproof.board.grid import Cell
    from mineproof.explain.argument import Argument
    from mineproof.odds.scenarios import Scenario

ONE_CLUE, TWO_CLUES, COMBINATION, CHAIN, CASES, MINE_COUNT = range(1, 7)
"""Levels: one clue; two clues; three or four; a longer chain; several cases; the number of mines."""
SUMMARY = "single clues"
"""The technique of a step that sums up many steps of one clue."""


@dataclass(frozen=True, slots=True)
class ExplanationStep:
    """A step that settles these cells, as mines or as safe, by these clues."""

    clues: tuple[Cell, ...]
    cells: tuple[Cell, ...]
    mine: bool
    level: int
    technique: str
    used: tuple[Cell, ...] = ()
    """Cells settled by earlier steps that this one needs."""
    mine_count: bool = False
    """Whether the number of mines on the whole board is also needed."""
    argument: Argument | None = field(default=None, repr=False)
    """From level 3 on: the argument why the first cell cannot be the opposite."""
    scenario: Scenario | None = None
    """The configuration of two or three clues, the same for all steps of that kind."""
    text: str = ""

    @property
    def verdict(self) -> str:
        """``mine`` or ``safe``."""
        return "mine" if self.mine else "safe"

    @property
    def spoken(self) -> tuple[int, ...]:
        """Indices of the cells that the argument mentions, sorted."""
        return () if self.argument is None else tuple(sorted(self.argument.cells))

    def fields(self) -> dict[str, Any]:
        """The fields for JSON."""
        return {
            "clues": [list(clue) for clue in self.clues],
            "cells": [list(cell) for cell in self.cells],
            "verdict": self.verdict,
            "technique": self.technique,
            "level": self.level,
            "scenario": None if self.scenario is None else str(self.scenario),
            "text": self.text,
        }
