"""The rules of the game, applied: moves in, positions out. It does not reason. (`game` saves and draws games.)"""

from __future__ import annotations

from array import array
from enum import StrEnum
from typing import TYPE_CHECKING, Self

from mineproof._native.field import Field
from mineproof.board.grid import Cell, CellLike, Cells, Grid
from mineproof.board.ids import GameId
from mineproof.board.layout import Layout, check_start, draw_mine_count, lay, some_seed
from mineproof.board.level import Level
from mineproof.board.move import KINDS, Move
from mineproof.board.position import CLOSED, Position
from mineproof.board.rules import Rules
from mineproof.errors import IllegalMove, InvalidBoard
from mineproof.plural import plural

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_UNDO = KINDS.index("undo")
NOTHING_TO_UNDO = "there is nothing to undo"


class State(StrEnum):
    """The state of a game."""

    PLAYING = "playing"
    WON = "won"
    """Every safe cell is open, and no mine."""
    CLEARED = "cleared"
    """Every safe cell is open, and some mines, in a game that continues after mines."""
    LOST = "lost"


class Play:
    """A game while it is played, without its files and pictures: see `Game`."""

    def __init__(
        self,
        level: Level | Layout | str = "expert",
        rules: Rules | str | None = None,
        *,
        seed: int | None = None,
        index: int = 0,
    ) -> None:
        board = level if isinstance(level, Layout) else Level.of(level)
        if rules is None:
            rules = "any" if isinstance(board, Layout) else "safe"
        rules = Rules.of(rules)
        if isinstance(board, Layout):
            _check_promise(board, rules)
            seed = 0
        self._id = GameId(board, rules, some_seed(seed), index)
        self.rules = rules
        self.grid: Grid = board.grid
        self._field = Field(self.grid.rows, self.grid.cols, rules.flood)
        self._record = array("q")  # kind + number of kinds × cell, for each move
        self._seen: tuple[int, Position] | None = None  # after this many moves, undo included
        self._layout: Layout | None = None
        self.deaths_undone = 0
        """Mines opened by moves that were undone. Undo does not reduce this number."""
        self._taken_back: set[int] = set()
        if isinstance(board, Layout):
            self.mines = board.mines
            self._put(board)
        else:
            self.mines = draw_mine_count(board, rules, self._id.seed, self._id.index)
            if not rules.laid_after_click:
                self._put(lay(self.grid, self.mines, rules, None, self._id.seed, self._id.index))
        self._safe = len(self.grid) - self.mines

    @classmethod
    def from_id(cls, text: str | GameId) -> Self:
        """The game with this id.

        >>> from mineproof import Game
        >>> Game.from_id("expert/safe#42").mines
        99
        """
        game = text if isinstance(text, GameId) else GameId.parse(text)
        return cls(game.board, game.rules, seed=game.seed, index=game.index)

    def _put(self, layout: Layout) -> None:
        self._layout = layout
        self._field.lay(layout.mask)
        if self.rules.given(self.grid):
            self._field.give(map(self.grid.index, layout.starts))

    # -- looking -------------------------------------------------------------------------------------------------

    @property
    def id(self) -> str:
        """The id from which this game can be created again."""
        return str(self._id)

    @property
    def level(self) -> Level:
        """Size and mines of the board."""
        return self._id.board if isinstance(self._id.board, Level) else self._id.board.level

    @property
    def rows(self) -> int:
        """The height of the board."""
        return self.grid.rows

    @property
    def cols(self) -> int:
        """The width of the board."""
        return self.grid.cols

    @property
    def layout(self) -> Layout | None:
        """The layout; None until the mines are laid."""
        return self._layout

    @property
    def safe_start(self) -> Cell | None:
        """The start that the layout names, unless it is a mine."""
        start = None if self._layout is None else self._layout.start
        return None if start is None or self._layout is None or self._layout.has_mine(start) else start

    @property
    def position(self) -> Position:
        """What the player sees now."""
        seen = self._seen
        if seen is None or seen[0] != self.step:
            # The step comes first: if another thread moves meanwhile, what is kept is too new, never too old.
            step, symbols = self.step, self._field.text(reveal=not self.rules.continues)
            seen = self._seen = step, Position(self.grid, self.mines, symbols)
        return seen[1]

    def __getitem__(self, cell: CellLike) -> str:
        """The symbol of a cell, as in the position, except for mines shown after a loss. Fast on any board."""
        return chr(self._field.symbol(self.grid.index(cell)))

    def __iter__(self) -> Iterator[Cell]:
        """The cells, row by row."""
        return iter(self.grid)

    def __contains__(self, cell: object) -> bool:
        return cell in self.grid

    def shows(self, cells: Cells) -> str:
        """The symbols of these cells, to follow the game move by move.

        >>> from mineproof import Game
        >>> game = Game(Layout.parse("4x3x1=200"))
        >>> game.shows(game.open("B1"))
        '1'
        """
        return self._field.symbols(cells.indices).decode()

    @property
    def state(self) -> State:
        """The state of the game."""
        hits = self._field.hits
        if hits and not self.rules.continues:
            return State.LOST
        if self._field.opened == self._safe and self._layout is not None:
            return State.CLEARED if hits else State.WON
        return State.PLAYING

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.state is not State.PLAYING

    @property
    def hits(self) -> int:
        """The number of opened mines."""
        return self._field.hits

    @property
    def mines_left(self) -> int:
        """The mine counter: mines minus flags minus opened mines."""
        return self.mines - self._field.flags - self._field.hits

    @property
    def score(self) -> float:
        """Correctly flagged mines as a share of all mines; 1 if there are none."""
        return self._field.flagged_mines() / self.mines if self.mines else 1.0

    @property
    def taken_back(self) -> tuple[list[int], list[int]]:
        """The cells that undone moves had opened: the safe ones, and the mines. The player has seen them."""
        if self._layout is None:
            return [], []
        mask = self._layout.mask
        cells = sorted(self._taken_back)
        return [cell for cell in cells if not mask[cell]], [cell for cell in cells if mask[cell]]

    @property
    def given(self) -> tuple[Cell, ...]:
        """The safe cells that the game named at the start."""
        return self._layout.starts if self._layout is not None and self.rules.given(self.grid) else ()

    # -- playing -------------------------------------------------------------------------------------------------

    def open(self, cell: CellLike) -> Cells:
        """Open a cell; a zero opens its surroundings too."""
        return self._play("open", self.grid.at(cell))

    def flag(self, cell: CellLike) -> Cells:
        """Flag a cell as a mine."""
        return self._play("flag", self.grid.at(cell))

    def unflag(self, cell: CellLike) -> Cells:
        """Remove a flag or a question mark."""
        return self._play("unflag", self.grid.at(cell))

    def question(self, cell: CellLike) -> Cells:
        """Set a question mark, if the rules allow it."""
        return self._play("question", self.grid.at(cell))

    def chord(self, cell: CellLike) -> Cells:
        """Open all unflagged cells around a number that has all its flags."""
        return self._play("chord", self.grid.at(cell))

    def undo(self, moves: int = 1) -> Cells:
        """Undo the last moves, all or none, and return the cells that changed. Works after the end of a game too."""
        if not self._field.moves:
            raise IllegalMove(NOTHING_TO_UNDO)
        if not 1 <= moves <= self._field.moves:
            raise IllegalMove(f"undo: {self._field.moves} moves can be taken back, not {moves}")
        undone = [self._play("undo", None) for _ in range(moves)]
        if moves == 1:
            return undone[0]
        return Cells(self.grid, list(dict.fromkeys(index for cells in undone for index in cells.indices)))

    def play(self, move: Move | str) -> Cells:
        """Make a move.

        >>> from mineproof import Game
        >>> Game("expert/safe", seed=1)
        Traceback (most recent call last):
        ...
        mineproof.errors.UnknownName: there is no level 'expert/safe'; did you mean 'expert'?
        >>> Game("expert", seed=2).play("open P8")
        [P8]
        """
        kind, cell = Move.of(move)
        return self._play(kind, None if cell is None else self.grid.at(cell))

    def _play(self, kind: str, cell: Cell | None) -> Cells:
        if cell is None:
            changed = self._undo()
            index = 0
        else:
            index = cell.row * self.grid.cols + cell.col
            if self.state is not State.PLAYING:
                raise IllegalMove(f"{kind} {cell}: the game is {self.state}")
            changed = _MOVES[kind](self, cell, index)
        self._record.append(KINDS.index(kind) + len(KINDS) * index)
        return Cells(self.grid, changed)

    def _open(self, cell: Cell, index: int) -> Sequence[int]:
        symbol = self._field.symbol(index)
        if symbol == ord("F") and not self.rules.open_flags:
            raise IllegalMove(f"open {cell}: it is flagged; unflag it first")
        if chr(symbol) not in CLOSED:
            raise IllegalMove(f"open {cell}: it is already open")
        if self._layout is None:
            check_start(self.grid, self.mines, self.rules, cell)
            self._put(lay(self.grid, self.mines, self.rules, cell, self._id.seed, self._id.index))
        return self._field.open(index)

    def _flag(self, cell: Cell, index: int) -> Sequence[int]:
        return self._note("flag", cell, index, "HQ", "F")

    def _unflag(self, cell: Cell, index: int) -> Sequence[int]:
        return self._note("unflag", cell, index, "FQ", "H")

    def _question(self, cell: Cell, index: int) -> Sequence[int]:
        if not self.rules.questions:
            raise IllegalMove(f"question {cell}: this game has no question marks")
        return self._note("question", cell, index, "HF", "Q")

    def _note(self, kind: str, cell: Cell, index: int, where: str, symbol: str) -> Sequence[int]:
        now = chr(self._field.symbol(index))
        if now not in where:
            reason = {"F": "it is flagged", "Q": "it has a question mark", "H": "it has no mark"}
            given = "the game says that it is safe"
            raise IllegalMove(f"{kind} {cell}: {given if now == 'S' else reason.get(now, 'it is open')}")
        return self._field.note(index, ord(symbol))

    def _chord(self, cell: Cell, index: int) -> Sequence[int]:
        number = self._field.symbol(index) - ord("0")
        if not 0 <= number <= 8:
            raise IllegalMove(f"chord {cell}: only an open number can be chorded")
        flags = self._field.flags_around(index)
        if flags != number:
            raise IllegalMove(f"chord {cell}: it shows {number}, but {flags} cells around it are flagged")
        if not self._field.closed_around(index):
            raise IllegalMove(f"chord {cell}: there is nothing left to open around it")
        return self._field.chord(index)

    def _undo(self) -> Sequence[int]:
        if not self._field.moves:
            raise IllegalMove(NOTHING_TO_UNDO)
        opened, hits = self._field.opened, self._field.hits
        changed = self._field.undo()
        self.deaths_undone += hits - self._field.hits
        if (opened, hits) != (self._field.opened, self._field.hits):
            self._taken_back.update(changed)
        return changed

    # -- history -------------------------------------------------------------------------------------------------

    @property
    def moves(self) -> list[Move]:
        """All moves played, including undo."""
        kinds = len(KINDS)
        return [
            Move(KINDS[entry % kinds], None if entry % kinds == _UNDO else self.grid.cell(entry // kinds))
            for entry in self._record
        ]

    @property
    def step(self) -> int:
        """The number of moves played, including undo."""
        return len(self._record)


def _check_promise(layout: Layout, rules: Rules) -> None:
    """Check that a layout satisfies the rules: its mines are fixed, so it must name suitable starts."""
    grid = layout.grid
    wanted = rules.given(grid) or int(rules.laid_after_click)
    if rules.first_click == "any":
        return
    if len(layout.starts) != wanted:
        cells = plural(wanted, "starting cell")
        raise InvalidBoard(f"with first click {rules.first_click} a layout must name {cells}, not {len(layout.starts)}")
    promised = list(layout.starts)
    if rules.first_click == "opening":
        promised += grid.neighbours(layout.starts[0])
    if any(map(layout.has_mine, promised)):
        raise InvalidBoard(f"the start of this layout does not satisfy the first-click rule {rules.first_click}")


_MOVES = {
    "open": Play._open,
    "flag": Play._flag,
    "unflag": Play._unflag,
    "question": Play._question,
    "chord": Play._chord,
}
