"""Answer sets: a program of four lines that may be told more, and asked what follows. Complete.

The program says that every cell may hold a mine, that there are so many of them, and what a clue means. Its answer sets
are exactly the boards that look like the position. What is in all of them (*cautious* consequences) are the certain
mines; what is in none of them (not among the *brave* ones) is safe.

`KnowledgeBase.tell` adds a clue, `ask` gives what follows. Clingo grounds each clue when it is told and keeps all
that it has grounded and learnt before (multi-shot solving).

Source: the logic-programming base that Sharma, Kallingal Joshy and Agrawal planned for their "CSP Based Agent"; the
solver is that of Gebser, Kaminski, Kaufmann and Schaub, "Multi-shot ASP solving with clingo" (2019).
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from mineproof.board.grid import whole
from mineproof.errors import InvalidBoard, MissingExtra, OutOfTime
from mineproof.limit import DEFAULT, Limit
from mineproof.logic.constraints import COUNT, components
from mineproof.logic.knowledge import Knowledge, inconsistent

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mineproof.board.grid import CellLike, Grid
    from mineproof.board.position import Position
    from mineproof.logic.deduction import Deductions

PROGRAM = """
#program base.
{ mine(0..rows-1, 0..cols-1) }.
#external counted.
:- counted, not mines { mine(R, C) } mines.
#show mine/2.

#program clue(row, col, number).
:- mine(row, col).
:- not number { mine(R, C) : R = row-1..row+1, C = col-1..col+1 } number.

#program shown(row, col).
:- not mine(row, col).

#program safe(row, col).
:- mine(row, col).
"""


class Consequences(NamedTuple):
    """Mines of every answer set, and of any."""

    cautious: set[tuple[int, int]]
    brave: set[tuple[int, int]]


class KnowledgeBase:
    """What is known of a board, as an answer-set program.

    >>> from mineproof import Grid
    >>> base = KnowledgeBase(Grid(1, 5), mines=2)
    >>> base.tell((0, 0), 1)
    >>> sorted(base.ask().cautious)
    [(0, 1)]
    >>> base.tell((0, 2), 1)
    >>> sorted(base.ask().brave)
    [(0, 1), (0, 4)]
    """

    def __init__(self, grid: Grid, mines: int) -> None:
        try:
            from clingo import Control, Function, Number
        except ImportError:
            raise MissingExtra("the asp method", "clingo", "logic") from None
        self.grid = grid
        if not 0 <= whole(mines, "the number of mines") <= len(grid):
            raise InvalidBoard(f"a board of {len(grid)} cells has from 0 to {len(grid)} mines, not {mines}")
        constants = {"rows": grid.rows, "cols": grid.cols, "mines": mines}
        self._number = Number
        self._counted = Function("counted")
        self._control = Control([f"-c{name}={value}" for name, value in constants.items()], message_limit=0)
        self._control.add(PROGRAM)
        self._control.ground([("base", [])])

    def tell(self, cell: CellLike, number: int) -> None:
        """This cell is open and shows this number."""
        if not 0 <= whole(number, "the number of a clue") <= 8:
            raise InvalidBoard(f"a clue shows a number from 0 to 8, not {number}")
        self._ground("clue", cell, number)

    def tell_mine(self, cell: CellLike) -> None:
        """Here is a mine."""
        self._ground("shown", cell)

    def tell_safe(self, cell: CellLike) -> None:
        """Here is none."""
        self._ground("safe", cell)

    def _ground(self, part: str, cell: CellLike, *numbers: int) -> None:
        self._control.ground([(part, [self._number(number) for number in (*self.grid.at(cell), *numbers)])])

    @property
    def rules(self) -> int:
        """How many rules were grounded until the last question."""
        return int(self._control.statistics["problem"]["lp"]["rules"])

    def ask(self, *, mine_count: bool = True, deadline: float | None = None) -> Consequences | None:
        """What follows; None when there is no answer set. Raises `OutOfTime` past the deadline (`time.monotonic`)."""
        self._control.assign_external(self._counted, mine_count)
        cautious = self._consequences("cautious", deadline)
        brave = self._consequences("brave", deadline)
        return None if cautious is None or brave is None else Consequences(cautious, brave)

    def _consequences(self, mode: str, deadline: float | None) -> set[tuple[int, int]] | None:
        self._control.configuration.solve.enum_mode = mode  # type: ignore[union-attr]
        self._control.configuration.solve.models = 0  # type: ignore[union-attr]
        with self._control.solve(async_=True) as handle:
            while not handle.wait(0.1):  # in between, Ctrl-C is heard
                if deadline is not None and time.monotonic() > deadline:
                    handle.cancel()
                    raise OutOfTime("the limit was reached before all answer sets were known")
            last = handle.last()
            if last is None:
                return None
            return {(atom.arguments[0].number, atom.arguments[1].number) for atom in last.symbols(shown=True)}


def infer(position: Position, limit: Limit = DEFAULT, *, mine_count: bool = True) -> Deductions:
    """Every certain cell; without ``mine_count``, every cell that follows from the clues alone.

    >>> from mineproof import Position
    >>> print(*infer(Position.from_text("3x2x2\\nHHH\\n121")), sep="\\n")
    B1 is safe, by clues A2, B2, C2
    A1, C1 are mines, by clues A2, B2, C2
    """
    knowledge = Knowledge(position, "asp", limit)
    parts = components(knowledge.problem.constraints)
    everything = [(frozenset((COUNT, *knowledge.said)), knowledge.problem.mine_count.cells)]
    clues_alone = [(frozenset(c.clue for c in part), sorted({x for c in part for x in c.cells})) for part in parts]
    try:
        base = _told(knowledge)
        for counted, reasons in ((False, clues_alone), (True, everything)):
            if counted <= mine_count:
                _tell_what_follows(knowledge, base, counted, reasons)
        knowledge.found.complete = mine_count
    except OutOfTime:
        pass  # what was found until then
    return knowledge.found


def _told(knowledge: Knowledge) -> KnowledgeBase:
    """A knowledge base that was told all that the position shows."""
    position = knowledge.position
    base = KnowledgeBase(position.grid, position.mines)
    for cell in position.where("012345678*?S"):
        knowledge.check_time()
        symbol = position[cell]
        if symbol == "S":
            base.tell_safe(cell)
        elif symbol in "*?":
            base.tell_mine(cell)
        else:
            base.tell(cell, int(symbol))
    return base


def _tell_what_follows(
    knowledge: Knowledge, base: KnowledgeBase, counted: bool, reasons: Iterable[tuple[frozenset[int], Iterable[int]]]
) -> None:
    found = base.ask(mine_count=counted, deadline=knowledge.deadline)
    if found is None:
        raise inconsistent(knowledge.position)
    at = knowledge.position.grid.cell
    for because, cells in reasons:
        knowledge.prove([cell for cell in cells if at(cell) not in found.brave], mine=False, because=because)
        knowledge.prove([cell for cell in cells if at(cell) in found.cautious], mine=True, because=because)
