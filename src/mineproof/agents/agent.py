"""The agent protocol: an agent looks at a `Position` and decides."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Protocol

from mineproof.board.move import Move
from mineproof.errors import AgentFault, InvalidArgument, shorten
from mineproof.limit import DEFAULT, Clock

if TYPE_CHECKING:
    from collections.abc import Callable, Set

    from mineproof.board.grid import Cell
    from mineproof.board.position import Position
    from mineproof.limit import Limit
    from mineproof.logic.deduction import Deduction


MOVES_PER_CHECK = 256
"""Number of certain moves between two checks of the clock."""


class Alternative(NamedTuple):
    """A cell that was considered, its risk, and its rating."""

    cell: Cell
    risk: float
    score: float


@dataclass(frozen=True, init=False)
class Decision:
    """What to do now, and why. Without moves, the agent is stuck. Moves may be text; a single one needs no tuple.

    >>> Decision("open C4", certain=False, risk=0.2).moves
    (Move(kind='open', cell=Cell.parse('C4')),)
    """

    moves: tuple[Move, ...]
    certain: bool
    """Whether the moves are proved; a guess is not."""
    risk: float | None = None
    """The risk that the guess opens a mine, if the agent knows it; 0 if certain."""
    explain: Callable[[], Iterable[Deduction]] = field(default=tuple, repr=False, compare=False)
    """The function that finds the `reasons` on demand."""
    alternatives: tuple[Alternative, ...] = ()
    """For a guess: the cells considered, the chosen one first."""
    chance: float | None = None
    """The chance of winning with perfect play, if the rest of the game was searched exactly."""
    why: str = ""
    """For a guess: why this cell, if not because it looked best one step ahead."""

    def __init__(
        self,
        moves: Move | str | Iterable[Move | str],
        certain: bool,
        risk: float | None = None,
        explain: Callable[[], Iterable[Deduction]] = tuple,
        alternatives: tuple[Alternative, ...] = (),
        chance: float | None = None,
        why: str = "",
    ) -> None:
        if isinstance(moves, (Move, str)):
            moves = (moves,)
        if not isinstance(moves, Iterable):
            raise InvalidArgument(f"a decision needs a move, or a tuple of moves, not {shorten(moves)}")
        if risk is not None and not (isinstance(risk, (int, float)) and -1e-9 <= risk <= 1 + 1e-9):
            raise AgentFault(f"a risk must be a number from 0 to 1, not {risk}")
        fields = {
            "moves": tuple(map(Move.of, moves)),
            "certain": certain,
            "risk": risk,
            "explain": explain,
            "alternatives": alternatives,
            "chance": chance,
            "why": why,
        }
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    @cached_property
    def reasons(self) -> tuple[Deduction, ...]:
        """The deductions that prove the certain moves."""
        return tuple(self.explain())

    def after(self, moves: tuple[Move, ...]) -> Decision:
        """Return this decision with these moves before its own."""
        return replace(self, moves=(*moves, *self.moves)) if moves else self

    @property
    def stuck(self) -> bool:
        """Whether the agent has no move."""
        return not self.moves


def moves_to_open(position: Position, cell: Cell) -> tuple[Move, ...]:
    """Return the moves that open a closed cell: a flag on it is removed first."""
    moves = (Move("open", cell),)
    return (Move("unflag", cell), *moves) if position[cell] == "F" else moves


def proved_moves(position: Position, certain: Iterable[tuple[Cell, bool]], clock: Clock) -> tuple[Move, ...]:
    """Return the moves that open the safe cells and flag the mines; ``certain`` says of each cell whether it is a mine.
    Flagged mines need no move; wrong flags are removed. When time runs out, return the moves so far: the other cells
    are still certain afterwards."""
    moves: list[Move] = []
    for number, (cell, mine) in enumerate(certain, start=1):
        if not mine:
            moves += moves_to_open(position, cell)
        elif position[cell] in "HQ":
            moves.append(Move("flag", cell))
        if number % MOVES_PER_CHECK == 0 and moves and clock.over:
            break
    return tuple(moves)


def certain_moves(position: Position, safe: Set[Cell], mined: Set[Cell]) -> tuple[Move, ...]:
    """Return the moves that open these safe cells and flag these mines: the old form of `proved_moves`."""
    warnings.warn("certain_moves is now called proved_moves, and has a clock", DeprecationWarning, stacklevel=2)
    return proved_moves(position, ((cell, cell in mined) for cell in sorted({*safe, *mined})), Clock(DEFAULT))


STUCK = Decision((), certain=False)


class Chooser(Protocol):
    """The least that an agent must have to play."""

    def choose(self, position: Position, limit: Limit, /) -> Decision:
        """Decide what to do in this position; the game is not over, and some board is consistent with it."""
        ...


class Agent(Protocol):
    """A player. The same seed and the same positions give the same decisions. A subclass needs only `choose`."""

    outside: ClassVar[bool] = False
    """Whether the agent is an outside program: its faults lose a game, but do not end a run."""

    def choose(self, position: Position, limit: Limit = DEFAULT) -> Decision:
        """Decide what to do in this position; the game is not over, and some board is consistent with it."""
        ...

    def reset(self, seed: int = 0) -> None:  # noqa: ARG002
        """Prepare a new game."""
        return

    def close(self) -> None:
        """Release the agent's resources. It may be used again, and then starts from scratch."""
        return


def is_outside(agent: Chooser) -> bool:
    """Whether an agent is an outside program; one without the attribute ``outside`` is not."""
    return getattr(agent, "outside", False)


def check_choose(agent: Chooser, name: str) -> None:
    """Check that the agent's `choose` takes a position and a limit."""
    try:
        inspect.signature(agent.choose).bind("position", "limit")
    except TypeError:
        raise InvalidArgument(f"the method choose of the agent {name} must take a position and a limit") from None


def reset(agent: Chooser, seed: int) -> None:
    """Prepare a new game; an agent without ``reset`` keeps no state."""
    getattr(agent, "reset", lambda _: None)(seed)


def close(agent: Chooser) -> None:
    """Close an agent; one without ``close`` holds no resources."""
    getattr(agent, "close", lambda: None)()
