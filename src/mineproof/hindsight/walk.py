"""Walks through a game and marks each move by what could be known before it.

Moves are never judged by where the mines are, but by what earlier moves showed. What was seen stays known, even after
an undo. An `Analyst` follows the game, so that certain moves cost little time.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mineproof._native import counting
from mineproof.agents.chance import assume_safe
from mineproof.agents.chooser import best_player, survey
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
"""The symbols of the cells that a chord opens: all closed ones without a flag."""


class GuessToWeigh(NamedTuple):
    """A guess, or a certain mine that was opened, which still needs its winning chances."""

    reviewed: Reviewed
    position: Position
    """The position before the guess."""
    share: float
    """The probability that all cells that the guess opens are safe."""
    assumed: Position | None
    """The position that marks them safe; None if they cannot all be safe, or if ``share`` is an estimate."""
    cells: tuple[int, ...]
    """The uncertain cells that the guess opens."""
    best: tuple[int, ...]
    """The cell that ``best`` would have opened; empty if it would have made certain moves."""
    best_share: float
    """The probability that this cell is safe."""

    @property
    def is_best(self) -> bool:
        """Whether ``best`` would have made the same guess."""
        return self.share > 0 and self.cells == self.best


class Walk:
    """Replays a game and marks each move."""

    def __init__(self, game: Game, clock: Clock) -> None:
        self.game = game
        self.clock = clock
        self.reviewed: list[Reviewed] = []
        self.guesses: list[GuessToWeigh] = []
        start = game.position
        self._known = bytearray(start.cells)  # a symbol per cell: all that was ever shown, without notes
        self._analyst = Analyst(start, clock.rest())
        self._levels = Levels(start)
        self._proved: dict[int, bool] = {}  # whether each closed cell that the clues settle is a mine
        self._analysis: Analysis | None = None
        self._begun = False
        self._named: dict[Cell, int] = {}  # cells that were named as better, and first at which move
        self._played: list[Move] = []  # moves that can be taken back

    @property
    def position(self) -> Position:
        """The position with everything that is known now."""
        return self._analyst.position

    def wrong_flags(self) -> int | None:
        """Count the flags on safe cells at the end of the game: only then is the layout used. Return None before."""
        layout = self.game.layout
        if not self.game.over or layout is None:
            return None
        return sum(not layout.has_mine(cell) for cell in self.game.position.where("F"))

    def play(self, number: int, move: Move) -> None:
        """Mark a move by what is known, and play it."""
        self.clock.check()
        reviewed, guess = self._judge(number, move)
        hits = self.game.hits
        changed = self.game.play(move)
        if move.kind == "undo":
            reviewed = replace(reviewed, undone=self._played.pop())
        else:
            self._played.append(move)
        if move.kind in ("open", "chord"):
            reviewed = replace(reviewed, mines=self.game.hits - hits, ended=self.game.state is State.LOST)
            self._see(changed)
        self.reviewed.append(reviewed)
        if guess is not None:
            self.guesses.append(guess._replace(reviewed=reviewed))

    def _see(self, changed: Cells) -> None:
        shown = self.game.shows(changed).encode()
        new = [(cell, symbol) for cell, symbol in zip(changed.indices, shown, strict=True) if self._is_closed(cell)]
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

    def _is_closed(self, cell: int) -> bool:
        return chr(self._known[cell]) in CLOSED

    def _analyse(self, number: int) -> Analysis:
        """Return the analysis before move ``number``. Raises `OutOfTime` if it is not complete."""
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
            return 0.0  # the rules make the first click safe
        return self.game.mines / len(self._known)

    def _flag(self, number: int, move: Move, cell: int) -> Reviewed:
        at = self.game.grid.cell(cell)
        if not self._is_closed(cell):
            if chr(self._known[cell]) in MINES:
                return Reviewed(number, move, MoveMark.CERTAIN, risk=0.0)
            return Reviewed(number, move, MoveMark.MISTAKE, risk=1.0, position=self.position, wrong=at)
        if self._proved.get(cell):
            return Reviewed(number, move, MoveMark.CERTAIN, self._level(cell), risk=0.0)
        analysis = self._analyse(number)
        if analysis.marks[cell] == counting.MARK_MINED:
            return Reviewed(number, move, MoveMark.CERTAIN, self._level(cell), risk=0.0)
        if analysis.marks[cell] == counting.MARK_SAFE:
            return Reviewed(number, move, MoveMark.MISTAKE, risk=1.0, position=analysis.position, wrong=at)
        return Reviewed(number, move, MoveMark.UNPROVED, risk=1 - float(analysis.probabilities[at]))

    def _open(self, number: int, move: Move, cells: list[int]) -> tuple[Reviewed, GuessToWeigh | None]:
        closed = [cell for cell in cells if self._is_closed(cell)]
        mines = [cell for cell in cells if chr(self._known[cell]) in MINES or self._proved.get(cell)]
        unsure = [cell for cell in closed if self._known[cell] != ord("S") and self._proved.get(cell) is not False]
        if unsure:
            marks = self._analyse(number).marks
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
        # The cell is certain only by the number of mines, unless the position was too hard to be followed.
        marks = analyse(uncounted(self.position), self.clock.rest()).marks[: len(self._known)]
        by_clues = {i: mark == counting.MARK_MINED for i, mark in enumerate(marks) if mark >= counting.MARK_SAFE}
        return self._levels.level(cell, by_clues, self.clock) if cell in by_clues else MINE_COUNT

    def _guess(self, number: int, move: Move, cells: list[int], mine: Cell | None) -> tuple[Reviewed, GuessToWeigh]:
        """Mark a move that opens uncertain cells, or the certain mine ``mine``."""
        if 2 * len(self._known) * (len(self.guesses) + 1) > self.clock.limit.memory:
            raise OutOfTime("this game is too large to review within the memory limit")
        analysis = self._analyse(number)
        position = analysis.position
        at = self.game.grid.cell
        share, assumed = (0.0, None) if mine is not None else self._share(analysis, [at(cell) for cell in cells])
        reviewed = Reviewed(
            number, move, MoveMark.NEEDLESS, risk=1 - share, better_risk=0.0, position=position, wrong=mine
        )
        best: tuple[int, ...] = ()
        if counting.MARK_SAFE in analysis.marks:
            better = easiest_safe(position, deriver_of(analysis, self.clock))
            reviewed = replace(
                reviewed,
                better=better,
                better_level=self._level(self.game.grid.index(better)),
                better_flagged=self.game[better] == "F",
                better_since=self._named.get(better),
            )
            self._named.setdefault(better, number)
        elif counting.MARK_UNSURE in analysis.marks:
            seen = survey(position, best_player(), self.clock.rest())
            guess, safest = seen.guess().alternatives[0], seen.least(position.where(CLOSED)).alternatives[0]
            best = (self.game.grid.index(guess.cell),)
            reviewed = replace(
                reviewed,
                mark=MoveMark.GOOD,  # until its chances are known
                better=guess.cell,
                better_risk=guess.risk,
                safest=safest.cell,
                safest_risk=safest.risk,
            )
        if mine is not None:
            reviewed = replace(reviewed, mark=MoveMark.MISTAKE)
        best_share = 1 - (reviewed.better_risk or 0.0)
        return reviewed, GuessToWeigh(reviewed, position, share, assumed, tuple(cells), best, best_share)

    def _share(self, analysis: Analysis, cells: list[Cell]) -> tuple[float, Position | None]:
        """Return the probability that all these cells are safe, and the position that marks them safe. Where boards
        cannot be counted, return an estimate for a single cell, and no position."""
        try:
            share, assumed = assume_safe(analysis, cells, self.clock)
            return share, assumed if share else None
        except OutOfTime:
            self.clock.check()
            if len(cells) > 1 or np.isnan(analysis.probabilities[cells[0]]):
                raise
            return 1 - float(analysis.probabilities[cells[0]]), None
