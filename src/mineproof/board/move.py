"""One move of a game, and its text."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mineproof.board.grid import Cell, to_cell
from mineproof.errors import IllegalMove, InvalidArgument, InvalidText, UnknownName, check_text, shorten

if TYPE_CHECKING:
    from mineproof.board.grid import CellLike

KINDS = ("open", "flag", "unflag", "question", "chord", "undo")


class _Move(NamedTuple):
    kind: str
    cell: Cell | None


class Move(_Move):
    """A kind of move and its cell; only ``undo`` has no cell.

    >>> Move("open", "C4"), Move.parse("open C4") == Move("open", (3, 2))
    (Move(kind='open', cell=Cell.parse('C4')), True)
    >>> str(Move("undo"))
    'undo'
    >>> Move("opne", "C4")
    Traceback (most recent call last):
    mineproof.errors.UnknownName: there is no move 'opne'; did you mean 'open'?
    """

    __slots__ = ()

    def __new__(cls, kind: str, cell: CellLike | None = None) -> Move:
        if kind not in KINDS:
            raise UnknownName("move", kind, KINDS)
        if (cell is None) != (kind == "undo"):
            raise IllegalMove(f"{kind} takes {'no' if kind == 'undo' else 'a'} cell")
        return super().__new__(cls, kind, None if cell is None else to_cell(cell))

    def __str__(self) -> str:
        return self.kind if self.cell is None else f"{self.kind} {self.cell}"

    @classmethod
    def of(cls, move: Move | str | tuple[str, CellLike | None]) -> Move:
        """Return a move in any form."""
        if isinstance(move, cls):
            return move
        if isinstance(move, str):
            return cls.parse(move)
        if isinstance(move, (tuple, list)) and 1 <= len(move) <= 2:
            return cls(*move)
        raise InvalidArgument(f"a move must be a Move, or text such as open C4, not {shorten(move)}")

    @classmethod
    def parse(cls, text: str) -> Move:
        """Parse a move."""
        check_text(text, "a move to parse")
        kind, *cells = text.split()[:3] or [""]
        if kind not in KINDS:
            raise UnknownName("move", kind, KINDS)
        if len(cells) != (kind != "undo"):
            form = "undo, alone" if kind == "undo" else f"{kind} and a cell, as in {kind} C4"
            raise InvalidText(f"write this move as {form}, not {shorten(text.strip())}")
        return cls(kind, Cell.parse(cells[0]) if cells else None)
