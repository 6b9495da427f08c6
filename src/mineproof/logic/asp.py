"""Answer sets: a logic program of a few lines, to which clues are added, and which says what follows. Complete.

The program says that every cell may hold a mine, how many mines there are, and what a clue means. Its answer sets are
exactly the boards that are consistent with the position. Cells in all of them (*cautious* consequences) are certain
mines; cells in none of them (not among the *brave* ones) are safe.

`AnswerSets.tell` adds a clue, `ask` returns what follows. At each question Clingo grounds only the rules that are new,
and keeps what it has grounded and learnt before (multi-shot solving). `Follower` keeps one program for a whole game.

Source: the logic-programming base that Sharma, Kallingal Joshy and Agrawal planned for their "CSP Based Agent"; the
solver is that of Gebser, Kaminski, Kaufmann and Schaub, "Multi-shot ASP solving with clingo" (2019).
"""

from __future__ import annotations

from collections import deque
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from mineproof.board.grid import whole
from mineproof.board.position import MINES
from mineproof.errors import InvalidBoard, MissingExtra, OutOfTime
from mineproof.limit import DEFAULT, Clock, Limit
from mineproof.logic.background import Lent
from mineproof.logic.constraints import COUNT, cells_of, components, lots, watched
from mineproof.logic.following import Followed, emptied
from mineproof.logic.reasoning import Reasoning

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from mineproof.board.grid import Cell, CellLike, Grid
    from mineproof.board.position import Position
    from mineproof.logic.constraints import Constraint
    from mineproof.logic.deduction import Deductions

PROGRAM = """
#program cells(row, first, last).
{ mine(row, first..last) }.
#show mine/2.

#program count(mines).
#external counted.
:- counted, not mines { mine(R, C) } mines.

#program clue(row, col, number).
:- mine(row, col).
:- not number { mine(R, C) : R = row-1..row+1, C = col-1..col+1 } number.

#program shown(row, col).
:- not mine(row, col).

#program safe(row, col).
:- mine(row, col).
"""

GROUNDED_AT_ONCE = 128
"""The number of program parts (clues, or rows of cells) that are grounded at once: this takes a few milliseconds."""
ROW = 64
"""The most cells of a row that are one program part."""
CELLS_A_SECOND = 250_000
"""Approximate number of cells counted per second. Counting cannot be stopped, so it begins only if there is time."""


class Consequences(NamedTuple):
    """The cells that are mines in every answer set (cautious), and in at least one (brave)."""

    cautious: set[tuple[int, int]]
    brave: set[tuple[int, int]]


class AnswerSets:
    """The possible boards, as the answer sets of a program to which the visible clues are added.

    >>> from mineproof import Grid
    >>> boards = AnswerSets(Grid(1, 5), mines=2)
    >>> boards.tell((0, 0), 1)
    >>> sorted(boards.ask().cautious)
    [(0, 1)]
    >>> boards.tell((0, 2), 1)
    >>> sorted(boards.ask().brave)
    [(0, 1), (0, 4)]
    """

    def __init__(self, grid: Grid, mines: int, cells: Iterable[int] | None = None) -> None:
        """``cells`` are the indices, in order, of the cells that may hold mines (None: all). Clues may add more."""
        try:
            import clingo
        except ImportError:
            raise MissingExtra("the asp method", "clingo", "logic") from None
        self.grid = grid
        if not 0 <= whole(mines, "the number of mines") <= len(grid):
            raise InvalidBoard(f"a board of {len(grid)} cells has from 0 to {len(grid)} mines, not {mines}")
        self.mines = mines
        self._clingo = clingo
        candidates = range(len(grid)) if cells is None else cells
        self._cells = set(candidates) if cells is not None else None
        self._rows = _rows(candidates, grid.cols)
        self._ungrounded: deque[tuple[str, Sequence[int]]] = deque()
        self._counted = False
        self._lent = Lent(clingo.Control(message_limit=0))
        self._lent.tool.add(PROGRAM)

    def __enter__(self) -> AnswerSets:
        return self

    def __exit__(self, *_: object) -> None:
        self._lent.drop()

    def tell(self, cell: CellLike, number: int) -> None:
        """Add that this cell is open and shows this number."""
        if not 0 <= whole(number, "the number of a clue") <= 8:
            raise InvalidBoard(f"a clue shows a number from 0 to 8, not {number}")
        centre = self.grid.at(cell)
        self._add_cells([centre, *self.grid.neighbours(centre)])
        self._ungrounded.append(("clue", (*centre, number)))

    def _add_cells(self, cells: Iterable[Cell]) -> None:
        """Let these cells hold mines from now on. They are grounded before the clues that mention them."""
        if self._cells is None:
            return
        for cell in cells:
            index = self.grid.index(cell)
            if index not in self._cells:
                self._cells.add(index)
                self._ungrounded.append(("cells", (cell.row, cell.col, cell.col)))

    def tell_mine(self, cell: CellLike) -> None:
        """Add that this cell is a mine."""
        self._add_cells([self.grid.at(cell)])
        self._ungrounded.append(("shown", self.grid.at(cell)))

    def tell_safe(self, cell: CellLike) -> None:
        """Add that this cell is safe."""
        self._add_cells([self.grid.at(cell)])
        self._ungrounded.append(("safe", self.grid.at(cell)))

    def tell_all(self, constraints: Iterable[Constraint]) -> None:
        """Add clues that mention only cells that may already hold mines."""
        cols = self.grid.cols
        self._ungrounded.extend(("clue", (*divmod(clue, cols), mines)) for clue, _, mines in constraints)

    @property
    def rules(self) -> int:
        """The number of rules that were grounded up to the last question."""
        return int(self._lent.tool.statistics["problem"]["lp"]["rules"])

    def ask(self, limit: Limit = DEFAULT, *, mine_count: bool = True) -> Consequences | None:
        """Return what follows; None if there is no answer set. May be called again after `OutOfTime`."""
        clock = Clock(limit)
        self._ground(clock, mine_count)
        cautious = self._consequences("cautious", clock)
        brave = self._consequences("brave", clock)
        return None if cautious is None or brave is None else Consequences(cautious, brave)

    def _ground(self, clock: Clock, mine_count: bool) -> None:
        """Ground the program parts that were added since the last question."""
        number, ground = self._clingo.Number, self._lent.tool.ground
        while True:
            clock.check()
            block = list(islice(self._rows, GROUNDED_AT_ONCE))
            if not block:
                block = [self._ungrounded.popleft() for _ in range(min(GROUNDED_AT_ONCE, len(self._ungrounded)))]
                block.sort(key=lambda part: part[0] != "cells")
            if not block:
                break
            ground([(part, [number(value) for value in values]) for part, values in block])
        if mine_count and not self._counted:
            self._lent.run(lambda tool: tool.ground([("count", [number(self.mines)])]), lambda _: None, clock)
            self._counted = True
        self._lent.tool.assign_external(self._clingo.Function("counted"), mine_count)

    def _consequences(self, mode: str, clock: Clock) -> set[tuple[int, int]] | None:
        symbols = None
        done = False
        while not done:  # an interruption may come after the search it was meant for, and end the next search instead
            done, symbols = self._lent.run(lambda tool: _solve(tool, mode), lambda tool: tool.interrupt(), clock)
        if symbols is None:
            return None
        return {(atom.arguments[0].number, atom.arguments[1].number) for atom in watched(symbols, clock)}


def _rows(cells: Iterable[int], cols: int) -> Iterator[tuple[str, Sequence[int]]]:
    """Program parts for these cells: runs of neighbours within one row."""
    first = last = -2
    for cell in cells:
        if cell != last + 1 or cell % cols == 0 or cell - first == ROW:
            if first >= 0:
                yield "cells", (first // cols, first % cols, last % cols)
            first = cell
        last = cell
    if first >= 0:
        yield "cells", (first // cols, first % cols, last % cols)


def _solve(control: Any, mode: str) -> tuple[bool, list[Any] | None]:
    """Whether the search ended by itself; and the mines that it found, None if there is no answer set."""
    control.configuration.solve.enum_mode = mode
    control.configuration.solve.models = 0
    with control.solve(async_=True) as handle:
        done = not handle.get().interrupted
        last = handle.last() if done else None
        return done, None if last is None else list(last.symbols(shown=True))


def infer(position: Position, limit: Limit = DEFAULT, *, mine_count: bool = True) -> Deductions:
    """Every certain cell; without ``mine_count``, every cell that follows from the clues alone.

    >>> from mineproof import Position
    >>> print(*infer(Position.from_text("3x2x2\\nHHH\\n121")), sep="\\n")
    B1 is safe, by clues A2, B2, C2
    A1, C1 are mines, by clues A2, B2, C2
    """
    with Reasoning(position, "asp", limit) as reasoning:
        problem, clock = reasoning.read(), reasoning.clock
        for lot in lots(components(problem.constraints, clock)):
            clues = [constraint for part in lot for constraint in part]
            with AnswerSets(position.grid, 0, cells_of(clues, clock)) as boards:
                boards.tell_all(watched(clues, clock))
                consequences = boards.ask(clock.rest(), mine_count=False)
            if consequences is None:
                raise reasoning.contradiction(frozenset(constraint.clue for constraint in clues))
            for part in lot:
                _prove(
                    reasoning, consequences, cells_of(part, clock), frozenset(constraint.clue for constraint in part)
                )
        if mine_count:
            _count_mines(reasoning)
        reasoning.deductions.complete = mine_count
    return reasoning.deductions


class Follower:
    """One program for a whole game: each new clue is added (TELL), and then it is asked what follows (ASK).

    >>> from mineproof import Position
    >>> player = Follower()
    >>> [len(player.infer(Position.from_text(f"4x1x1\\n{row}")).safe) for row in ("1HHH", "1H1H")]
    [2, 1]
    """

    def __init__(self, *, mine_count: bool = True) -> None:
        self.mine_count = mine_count
        self._boards: AnswerSets | None = None
        self._followed = Followed()
        self._pending_clues: deque[int] = deque()  # newly open cells that are not in the program yet

    def close(self) -> None:
        """Free what the solver holds."""
        if self._boards is not None:
            self._boards.__exit__()
            self._boards = None

    def infer(self, position: Position, limit: Limit = DEFAULT) -> Deductions:
        """The certain cells of this position. The reason is always all clues together."""
        with Reasoning(position, "asp", limit) as reasoning:
            problem, clock = reasoning.read(), reasoning.clock
            if self.mine_count and len(problem.unknown) > CELLS_A_SECOND * clock.left:
                raise OutOfTime("time ran out before the mines of all cells were counted")
            boards = self._updated(position, clock)
            try:
                consequences = boards.ask(clock.rest(), mine_count=self.mine_count)
            except BaseException:
                self.close()  # its state is unknown, so the next question begins with a new program
                raise
            if consequences is None:
                self.close()
                raise reasoning.wrong()
            because = frozenset((COUNT, *reasoning.constraints) if self.mine_count else reasoning.constraints)
            cells = problem.mine_count.cells if self.mine_count else cells_of(problem.constraints, clock)
            _prove(reasoning, consequences, cells, because)
            reasoning.deductions.complete = self.mine_count
        return reasoning.deductions

    def _updated(self, position: Position, clock: Clock) -> AnswerSets:
        """The program with all new clues of this position. Clues that there is no time for are added next time."""
        if self._boards is None:
            self._followed = Followed()
        other_game, new = self._followed.see(position)
        if other_game:
            self.close()
            self._boards = AnswerSets(position.grid, position.mines, None if self.mine_count else ())
            self._pending_clues.clear()
        assert self._boards is not None
        self._pending_clues += new
        for index in watched(emptied(self._pending_clues), clock, every=16):
            cell, symbol = position.grid.cell(index), chr(position.cells[index])
            if symbol.isdigit():
                self._boards.tell(cell, int(symbol))
            else:
                (self._boards.tell_mine if symbol in MINES else self._boards.tell_safe)(cell)
        return self._boards


def _count_mines(reasoning: Reasoning) -> None:
    """Prove what follows only with the number of mines."""
    problem = reasoning.read()
    if len(problem.unknown) > CELLS_A_SECOND * reasoning.clock.left:
        raise OutOfTime("time ran out before the mines of all cells were counted")
    if problem.mines < 0:
        raise reasoning.miscount()
    cells = problem.mine_count.cells
    with AnswerSets(reasoning.position.grid, problem.mines, cells) as boards:
        boards.tell_all(watched(problem.constraints, reasoning.clock))
        consequences = boards.ask(reasoning.clock.rest())
    if consequences is None:
        raise reasoning.miscount()
    _prove(reasoning, consequences, cells, frozenset((COUNT, *reasoning.constraints)))


def _prove(reasoning: Reasoning, consequences: Consequences, cells: Iterable[int], because: frozenset[int]) -> None:
    pair = [(cell, divmod(cell, reasoning.position.grid.cols)) for cell in watched(cells, reasoning.clock, 1_024)]
    reasoning.prove([cell for cell, at in pair if at not in consequences.brave], mine=False, because=because)
    reasoning.prove([cell for cell, at in pair if at in consequences.cautious], mine=True, because=because)
