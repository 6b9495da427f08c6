"""The game again, written to be obviously right: sets of cells, no compiled code, a copy of everything for undo."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field

from mineproof import Cell, Layout, Rules


class Refused(Exception):
    """The move is not allowed."""


@dataclass
class PlainGame:
    layout: Layout
    rules: Rules
    opened: set[Cell] = field(default_factory=set)
    flags: set[Cell] = field(default_factory=set)
    questions: set[Cell] = field(default_factory=set)
    given: set[Cell] = field(default_factory=set)
    history: list[tuple[set[Cell], set[Cell], set[Cell]]] = field(default_factory=list)
    deaths_undone: int = 0

    def __post_init__(self) -> None:
        if self.rules.first_click.startswith("given"):
            self.given = set(self.layout.starts)

    @property
    def mines(self) -> set[Cell]:
        return {cell for cell in self.layout.grid if self.layout.has_mine(cell)}

    @property
    def hits(self) -> int:
        return len(self.opened & self.mines)

    @property
    def state(self) -> str:
        if self.hits and not self.rules.continues:
            return "lost"
        if set(self.layout.grid) - self.mines <= self.opened:
            return "cleared" if self.hits else "won"
        return "playing"

    def play(self, kind: str, cell: Cell | None) -> None:
        if kind == "undo":
            if not self.history:
                raise Refused
            before = self.hits
            self.opened, self.flags, self.questions = self.history.pop()
            self.deaths_undone += before - self.hits
            return
        assert cell is not None
        if self.state != "playing":
            raise Refused
        saved = copy.deepcopy((self.opened, self.flags, self.questions))
        closed = cell not in self.opened
        if kind == "open":
            self.require(closed and cell not in self.flags)
            self.reveal(cell)
        elif kind == "flag":
            self.require(closed and cell not in self.flags | self.given)
            self.flags.add(cell)
            self.questions.discard(cell)
        elif kind == "unflag":
            self.require(cell in self.flags | self.questions)
            self.flags.discard(cell)
            self.questions.discard(cell)
        elif kind == "question":
            self.require(self.rules.questions and closed and cell not in self.questions | self.given)
            self.questions.add(cell)
            self.flags.discard(cell)
        else:
            around = set(self.layout.grid.neighbours(cell))
            known = len(around & (self.flags | (self.opened & self.mines)))
            to_open = around - self.opened - self.flags
            self.require(not closed and cell not in self.mines and known == self.layout.number(cell) and bool(to_open))
            for next_to in to_open:
                self.reveal(next_to)
        self.history.append(saved)

    def require(self, allowed: bool) -> None:
        if not allowed:
            raise Refused

    def reveal(self, cell: Cell) -> None:
        if cell in self.opened or cell in self.flags:
            return
        self.opened.add(cell)
        self.questions.discard(cell)
        if self.rules.flood and cell not in self.mines and self.layout.number(cell) == 0:
            for next_to in self.layout.grid.neighbours(cell):
                self.reveal(next_to)

    def text(self) -> str:
        rows = []
        for row in range(self.layout.grid.rows):
            rows.append("".join(self.symbol(Cell(row, col)) for col in range(self.layout.grid.cols)))
        return "\n".join([f"{self.layout.grid}x{len(self.mines)}", *rows, ""])

    def symbol(self, cell: Cell) -> str:
        if cell in self.opened:
            return "*" if cell in self.mines else str(self.layout.number(cell))
        if cell in self.flags:
            return "F"
        if self.state == "lost" and cell in self.mines:
            return "?"
        if cell in self.questions:
            return "Q"
        return "S" if cell in self.given else "H"
