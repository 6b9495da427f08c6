"""What an agent is: it looks at a `Position`, and decides."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Protocol

from mineproof.board.move import Move
from mineproof.errors import AgentFault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Set

    from mineproof.board.grid import Cell
    from mineproof.board.position import Position
    from mineproof.limit import Limit
    from mineproof.logic.deduction import Deduction


class Alternative(NamedTuple):
    """A cell that was considered, how likely it is a mine, and how it was rated."""

    cell: Cell
    risk: float
    score: float


@dataclass(frozen=True)
class Decision:
    """What to do now, and why. No moves: the agent is stuck, and hands over."""

    moves: tuple[Move, ...]
    certain: bool
    """Whether the moves are proved; a guess is not."""
    risk: float | None = None
    """How likely the guess opens a mine, where the agent knows; 0 if certain."""
    explain: Callable[[], Iterable[Deduction]] = field(default=tuple, repr=False, compare=False)
    """Finds the reasons, when somebody asks for them."""
    alternatives: tuple[Alternative, ...] = ()
    """For a guess, cells that were considered, the chosen one first."""
    chance: float | None = None
    """The chance to win the game with perfect play, where the rest of it was searched exactly."""

    def __post_init__(self) -> None:
        if self.risk is not None and not -1e-9 <= self.risk <= 1 + 1e-9:
            raise AgentFault(f"a risk is a number from 0 to 1, not {self.risk}")

    @cached_property
    def reasons(self) -> tuple[Deduction, ...]:
        """Why certain moves are certain."""
        return tuple(self.explain())

    @property
    def stuck(self) -> bool:
        """Whether there is nothing that the agent wants to do."""
        return not self.moves


def opening(position: Position, cell: Cell) -> tuple[Move, ...]:
    """The moves that open a closed cell: a flag on it comes off first."""
    moves = (Move("open", cell),)
    return (Move("unflag", cell), *moves) if position[cell] == "F" else moves


def certain_moves(position: Position, safe: Set[Cell], mined: Set[Cell]) -> tuple[Move, ...]:
    """Open what is safe and flag what is a mine, as far as that is not done; flags that are wrong come off."""
    moves: list[Move] = []
    for cell in sorted(safe | mined):
        if cell in safe:
            moves += opening(position, cell)
        elif position[cell] in "HQ":
            moves.append(Move("flag", cell))
    return tuple(moves)


STUCK = Decision((), certain=False)


class Agent(Protocol):
    """Anybody who plays. The same seed and the same positions give the same decisions."""

    outside: ClassVar[bool] = False
    """Whether it is somebody else's program: what it does wrong loses it a game, and ends no run."""

    def choose(self, position: Position, limit: Limit = ...) -> Decision:
        """What to do in this position; the game is not over, and its clues can all be right."""
        ...

    def reset(self, seed: int = 0) -> None:
        """Before each game."""
        ...

    def close(self) -> None:
        """Let go of whatever it holds. It may be asked again, and then begins afresh."""
        return


def is_outside(agent: Agent) -> bool:
    """Whether it is somebody else's program; who does not say is none."""
    return getattr(agent, "outside", False)


def close(agent: Agent) -> None:
    """Close an agent; one that was written without ``close`` holds nothing."""
    getattr(agent, "close", lambda: None)()
