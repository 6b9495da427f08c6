"""Walks through a game, move by move, with everything that could be known before each.

Moves are never judged by where the mines are, but by what earlier moves showed. What was seen stays known, even after
an undo. An `Analyst` follows the game, so that certain moves are cheap.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mineproof._native import counting
from mineproof.agents.chance import after
from mineproof.agents.chooser import best_player, look
from mineproof.board.game import State
from mineproof.board.grid import Cells
from mineproof.board.position import CLOSED, MINES
from mineproof.errors import OutOfTime
from mineproof.explain.explanation import deriver_of
from mineproof.explain.hint import easiest_safe
from mineproof.explain.levels import Levels
from mineproof.explain.reasons import uncounted
from mineproof.explain.step import MINE_COUNT, ONE_CLUE
from mineproof.hindsight.report import MoveMark, Reviewed
from mineproof.odds.analysis import analyse
from mineproof.odds.analyst import Analyst

if TYPE_CHECKING:
    from mineproof.board.game import Game
    from mineproof.board.grid import Cell
    from mineproof.board.move import Move
    from mineproof.board.position import Position
    from mineproof.limit import Clock
    from mineproof.odds.analysis import Analysis

OPENED_BY_CHORD = "HQS"


class GuessToWeigh(NamedTuple):
    """A guess, or an opened certain mine, that needs winning chances."""

    told: Reviewed
    position: Position
    """Before it."""
    share: float
    """How likely all cells that it opens are safe."""
    named: Position | None
    """The position in which they are; None when they cannot be, or when the share is an estimate."""
    cells: tuple[int, ...]
    """That it opens, of those that are not certain."""
    best: tuple[int, ...]
    """What ``best`` would have opened; empty if it would have continued with certain moves."""
    best_share: float
    """The probability that this is safe."""

    @property
    def same(self) -> bool:
        """Whether it is what ``best`` would have done."""
        return self.share > 0 and self.cells == self.best


class Walk:
    """Replays a game and marks each move."""

    def __init__(self, game: Game, clock: Clock) -> None:
        self.game = game
        self.clock = clock
        self.told: list[Reviewed] = []
        self.plans: list[GuessToWeigh] = []
        start = game.position
        self._known = bytearray(start.cells)  # all that was ever shown, without notes
        self._analyst = Analyst(start, clock.rest())
        self._levels = Levels(start)
        self._proved: dict[int, bool] = {}  # closed cells that the clues settle: whether each is a mine
        self._analysis: Analysis | None = None
        self._begun = False
        self._named: dict[Cell, int] = {}  # certain cells that were named as better, and at which move first
        self._played: list[Move] = []  # that can be taken back

    @property
    def position(self) -> Position:
        """Everything that is known now."""
        return self._analyst.position

    def wrong_flags(self) -> int | None:
        """Flags on safe cells at the end of the game: only then is the layout used."""
        layout = self.game.layout
        if not self.game.over or layout is None:
            return None
        return sum(not layout.has_mine(cell) for cell in self.game.position.where("F"))

    def play(self, number: int, move: Move) -> None:
        """Mark a move by what is known, and play it."""
        self.clock.check()
        told, plan = self._judge(number, move)
        hits = self.game.hits
        changed = self.game.play(move)
        if move.kind == "undo":
            told = replace(told, undone=self._played.pop())
        else:
            self._played.append(move)
        if move.kind in ("open", "chord"):
            told = replace(told, mines=self.game.hits - hits, ended=self.game.state is State.LOST)
            self._see(changed)
        self.told.append(told)
        if plan is not None:
            self.plans.append(plan._replace(told=told))

    def _see(self, changed: Cells) -> None:
        shown = self.game.shows(changed).encode()
        new = [(cell, symbol) for cell, symbol in zip(changed.indices, shown, strict=True) if self._hidden(cell)]
        self._begun = True
        if not new:
            return
        cells, symbols = [cell for cell, _ in new], bytes(symbol for _, symbol in new)
        for cell, symbol in new:
            self._known[cell] = symbol
            self._proved.pop(cell, None)
        self._levels.see(cells, symbols)
        self._analyst.limit = self.clock.rest()
        proved = self._analyst.see(Cells(self.game.grid, cells), symbols.decode())
        self._proved |= dict.fromkeys(proved.safe.indices, False) | dict.fromkeys(proved.mined.indices, True)
        self._analysis = None

    def _hidden(self, cell: int) -> bool:
        return chr(self._known[cell]) in CLOSED

    def _analysed(self, number: int) -> Analysis:
        """What is certain now."""
        if self._analysis is None:
            self._analyst.limit = self.clock.rest()
            self._analysis = self._analyst.analysis()
            self.clock.check_cancelled()
        if not self._analysis.complete:
            raise OutOfTime(f"time ran out before the certain cells before move {number} were found")
        return self._analysis

    # -- marks ---------------------------------------------------------------------------------------------------

    def _judge(self, number: int, move: Move) -> tuple[Reviewed, GuessToWeigh | None]:
        if move.kind == "undo" or move.cell is None:
            return Reviewed(number, move, MoveMark.UNDO), None
        if move.kind in ("unflag", "question"):
            return Reviewed(number, move, MoveMark.NOTE), None
        if move.kind == "flag":
            return self._flag(number, move, self.game.grid.index(move.cell)), None
        grid = self.game.grid
        opened = [move.cell]
        if move.kind == "chord":
            opened = [cell for cell in grid.neighbours(move.cell) if self.game[cell] in OPENED_BY_CHORD]
        cells = [grid.index(cell) for cell in opened]
        if not self._begun and ord("S") not in self._known and self._known.count(b"H") == len(self._known):
            return Reviewed(number, move, MoveMark.START, risk=self._first_risk(cells)), None
        return self._open(number, move, cells)

    def _first_risk(self, cells: list[int]) -> float:
        layout = self.game.layout
        if layout is None or any(self.game.grid.cell(cell) in layout.starts for cell in cells):
            return 0.0  # the rules keep the first click free
        return self.game.mines / len(self._known)

    def _flag(self, number: int, move: Move, cell: int) -> Reviewed:
        at = self.game.grid.cell(cell)
        if not self._hidden(cell):
            if chr(self._known[cell]) in MINES:
                return Reviewed(number, move, MoveMark.CERTAIN, risk=0.0)
            return Reviewed(number, move, MoveMark.MISTAKE, risk=1.0, position=self.position, wrong=at)
        if self._proved.get(cell):
            return Reviewed(number, move, MoveMark.CERTAIN, self._level(cell), risk=0.0)
        found = self._analysed(number)
        if found.marks[cell] == counting.MARK_MINED:
            return Reviewed(number, move, MoveMark.CERTAIN, self._level(cell), risk=0.0)
        if found.marks[cell] == counting.MARK_SAFE:
            return Reviewed(number, move, MoveMark.MISTAKE, risk=1.0, position=found.position, wrong=at)
        return Reviewed(number, move, MoveMark.UNPROVED, risk=1 - float(found.probabilities[at]))

    def _open(self, number: int, move: Move, cells: list[int]) -> tuple[Reviewed, GuessToWeigh | None]:
        closed = [cell for cell in cells if self._hidden(cell)]
        mines = [cell for cell in cells if chr(self._known[cell]) in MINES or self._proved.get(cell)]
        unsure = [cell for cell in closed if self._known[cell] != ord("S") and self._proved.get(cell) is not False]
        if unsure:
            marks = self._analysed(number).marks
            mines += [cell for cell in unsure if marks[cell] == counting.MARK_MINED]
            unsure = [cell for cell in unsure if marks[cell] != counting.MARK_SAFE]
        if mines:
            return self._guess(number, move, closed, self.game.grid.cell(mines[0]))
        if unsure:
            return self._guess(number, move, unsure, None)
        level = max(map(self._level, closed), default=None)
        return Reviewed(number, move, MoveMark.CERTAIN, level, risk=0.0), None

    def _level(self, cell: int) -> int:
        if self._known[cell] == ord("S"):
            return ONE_CLUE
        if cell in self._proved:
            return self._levels.level(cell, self._proved, self.clock)
        # Only the number of mines settles it, unless the position was too hard to be followed.
        found = analyse(uncounted(self.position), self.clock.rest())
        marks = found.marks[: len(self._known)]
        by_clues = {i: mark == counting.MARK_MINED for i, mark in enumerate(marks) if mark >= counting.MARK_SAFE}
        return self._levels.level(cell, by_clues, self.clock) if cell in by_clues else MINE_COUNT

    def _guess(self, number: int, move: Move, cells: list[int], mine: Cell | None) -> tuple[Reviewed, GuessToWeigh]:
        """Something that was not certain; or a certain mine."""
        if 2 * len(self._known) * (len(self.plans) + 1) > self.clock.limit.memory:
            raise OutOfTime("this game is too large to review within the memory limit")
        found = self._analysed(number)
        position = found.position
        at = self.game.grid.cell
        share, named = (0.0, None) if mine is not None else self._share(found, [at(cell) for cell in cells])
        told = Reviewed(number, move, MoveMark.NEEDLESS, risk=1 - share, better_risk=0.0, position=position, wrong=mine)
        best: tuple[int, ...] = ()
        if counting.MARK_SAFE in found.marks:
            better = easiest_safe(position, deriver_of(found, self.clock))
            told = replace(
                told,
                better=better,
                better_level=self._level(self.game.grid.index(better)),
                better_flagged=self.game[better] == "F",
                better_since=self._named.get(better),
            )
            self._named.setdefault(better, number)
        elif counting.MARK_UNSURE in found.marks:
            looked = look(position, best_player(), self.clock.rest())
            guess, safest = looked.guess().alternatives[0], looked.least(position.where(CLOSED)).alternatives[0]
            best = (self.game.grid.index(guess.cell),)
            told = replace(
                told,
                mark=MoveMark.GOOD,  # until it is weighed
                better=guess.cell,
                better_risk=guess.risk,
                safest=safest.cell,
                safest_risk=safest.risk,
            )
        if mine is not None:
            told = replace(told, mark=MoveMark.MISTAKE)
        return told, GuessToWeigh(told, position, share, named, tuple(cells), best, 1 - (told.better_risk or 0.0))

    def _share(self, found: Analysis, cells: list[Cell]) -> tuple[float, Position | None]:
        """How likely these cells are all safe, and the position in which they are; where boards cannot be counted, an
        estimate for a single cell."""
        try:
            share, named = after(found, cells, self.clock)
            return share, named if share else None
        except OutOfTime:
            self.clock.check()
            if len(cells) > 1 or np.isnan(found.probabilities[cells[0]]):
                raise
            return 1 - float(found.probabilities[cells[0]]), None
