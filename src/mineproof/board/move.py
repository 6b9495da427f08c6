"""One move of a game, and its text."""

from __future__ import annotations

from typing import NamedTuple

from mineproof.board.grid import Cell
from mineproof.errors import InvalidText, UnknownName, shorten

KINDS = ("open", "flag", "unflag", "question", "chord", "undo")


class Move(NamedTuple):
    """What to do, and where; only ``undo`` has no cell.

    >>> Move.parse("open C4")
    Move(kind='open', cell=Cell(row=3, col=2))
    >>> str(Move("undo"))
    'undo'
    """

    kind: str
    cell: Cell | None = None

    def __str__(self) -> str:
        return self.kind if self.cell is None else f"{self.kind} {self.cell}"

    @classmethod
    def parse(cls, text: str) -> Move:
        """A move from its text."""
        kind, *rest = text.split()[:3] or [""]
        if kind not in KINDS:
            raise UnknownName("move", kind, KINDS)
        if len(rest) != (kind != "undo"):
            form = "undo, alone" if kind == "undo" else f"{kind} and a cell, as in {kind} C4"
            raise InvalidText(f"this move is written as {form}; this is {shorten(text.strip())}")
        return cls(kind, Cell.parse(rest[0]) if rest else None)
