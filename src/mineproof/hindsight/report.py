"""The result of a review: a mark for each move, and a summary. Plain values; words are made on demand (`words`)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import hypot
from typing import TYPE_CHECKING, Any, NamedTuple

from mineproof.board.position import CLOSED
from mineproof.errors import OutOfTime
from mineproof.explain.explanation import why
from mineproof.hindsight import words
from mineproof.hindsight.marks import GUESSES, MoveMark, Points, total
from mineproof.limit import DEFAULT, Limit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mineproof.agents.chance import Chance
    from mineproof.board.game import Replay, State
    from mineproof.board.grid import Cell
    from mineproof.board.move import Move
    from mineproof.board.position import Position
    from mineproof.explain.explanation import Explanation


__all__ = ["Account", "MoveMark", "Points", "Review", "Reviewed", "Spent", "Summary"]


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A move and its value. Fields that do not apply are None."""

    number: int
    """From 1 on."""
    move: Move
    mark: MoveMark
    level: int | None = None
    """The level of the easiest way to find a certain move; with several cells, of the hardest."""
    risk: float | None = None
    """The risk of the move: that it opens a mine, or flags a safe cell."""
    mines: int = 0
    """That it opened."""
    ended: bool = False
    """Whether it lost the game."""
    better: Cell | None = None
    """For a guess or a mistake: the easiest certain cell, or the cell that ``best`` would have opened."""
    better_level: int | None = None
    better_risk: float | None = None
    better_flagged: bool = False
    """Whether the player had flagged the certain cell."""
    better_since: int | None = None
    """The move at which this certain cell was named before."""
    safest: Cell | None = None
    """For a forced guess: the least risky cell."""
    safest_risk: float | None = None
    before: Chance | None = None
    """The winning chance with the best move."""
    with_it: Chance | None = None
    """The winning chance with this move, before its outcome is known."""
    behind: Chance | None = None
    """The winning chance before the next guess, or at the end."""
    cost: Points | None = None
    """What the move cost in winning chance: ``before`` less ``with_it``, with the error of the difference, which is
    less than theirs where both were played out on the same boards."""
    position: Position | None = None
    """For a guess or a mistake: all that was known before it."""
    wrong: Cell | None = None
    """For a mistake: a cell of which the opposite could be proved."""
    undone: Move | None = None
    """For an undo: what it takes back."""

    @property
    def guess(self) -> bool:
        """Whether a cell was opened that was not certain, though it could be safe."""
        return self.mark in GUESSES

    @property
    def fell(self) -> str | None:
        """The outcome of a guess: ``lucky``, or ``unlucky`` if it opened a mine."""
        return None if not self.guess else "unlucky" if self.mines else "lucky"

    @property
    def extra_risk(self) -> float | None:
        """The cost of the move in risk: negative if a riskier cell would have been better."""
        return None if self.risk is None or self.better_risk is None else self.risk - self.better_risk

    @property
    def luck(self) -> Points | None:
        """The change of winning chance, with the certain moves after it, compared with its expectation."""
        if self.behind is None or self.with_it is None:
            return None
        return Points(self.behind.value - self.with_it.value, hypot(self.behind.error, self.with_it.error))

    def why(self, limit: Limit = DEFAULT) -> Explanation | None:
        """The reason for the better cell of a needless guess, or for the opposite of a mistake."""
        cell = self.wrong or (self.better if self.mark is MoveMark.NEEDLESS else None)
        if cell is None or self.position is None or self.position[cell] not in CLOSED:
            return None  # there is none, or it was seen before it was taken back
        return why(self.position, cell, limit)

    def text(self, limit: Limit = DEFAULT) -> str:
        """In words; the reasons are found now."""
        if self.better_since is not None and self.wrong is None:
            return words.of_move(self, "")
        try:
            found = self.why(limit)
        except OutOfTime:
            return f"{words.of_move(self, '')} (Time ran out before the reason was found.)"
        return words.of_move(self, "" if found is None else " " + found.text.replace("\n", " "))

    def fields(self, limit: Limit = DEFAULT) -> dict[str, Any]:
        """The fields for JSON."""
        cost, luck = self.cost, self.luck
        return {
            "number": self.number,
            "move": str(self.move),
            "mark": str(self.mark),
            "level": self.level,
            "risk": self.risk,
            "mines": self.mines,
            "ended": self.ended,
            "cost": None if cost is None else cost.value,
            "cost_error": None if cost is None else cost.error,
            "extra_risk": self.extra_risk,
            "better": None if self.better is None else list(self.better),
            "better_level": self.better_level,
            "better_risk": self.better_risk,
            "safest": None if self.safest is None else list(self.safest),
            "safest_risk": self.safest_risk,
            "fell": self.fell,
            "luck": None if luck is None else luck.value,
            "luck_error": None if luck is None else luck.error,
            "chance": None if self.before is None else self.before.fields(),
            "text": self.text(limit),
        }


@dataclass(frozen=True, slots=True)
class Account:
    """The winning chance from the first guess or mistake to the end, or to a mine; then another account begins.
    ``start`` less both costs, with the luck, is ``end``."""

    first: int
    """Its first guess or mistake, by number, and its last."""
    last: int
    start: Chance
    mistakes: Points
    """What they cost."""
    guesses: Points
    """What they cost."""
    luck: Points
    end: Chance

    @property
    def cost(self) -> Points:
        """Of guesses and mistakes."""
        return total((self.mistakes, self.guesses))

    def fields(self) -> dict[str, Any]:
        """The fields for JSON."""
        return {
            "first": self.first,
            "last": self.last,
            "start": self.start.fields(),
            "mistakes": self.mistakes._asdict(),
            "guesses": self.guesses._asdict(),
            "luck": self.luck._asdict(),
            "end": self.end.fields(),
        }


@dataclass(frozen=True, slots=True)
class Summary:
    """The summary of a review."""

    state: str
    """The state of the game: ``won``, ``lost``, ``cleared`` or ``playing``."""
    moves: int
    levels: dict[int, int]
    """Certain moves, by level."""
    marks: dict[str, int]
    """Moves, by mark."""
    lucky: int
    unlucky: int
    expected_mines: float
    """That the guesses would open on average."""
    mines: int
    """That they opened."""
    lost_by: Reviewed | None
    """The move that lost the game."""
    costliest: Reviewed | None
    """The costliest guess or mistake, if it surely cost more than a point of winning chance."""
    accounts: tuple[Account, ...]
    """None where winning chances are missing."""
    end: Chance | None
    wrong_flags: int | None
    """Flags on safe cells at the end of the game; None before."""
    wanted: int
    """Playouts."""
    playouts: int
    """That were played."""
    cut: bool
    """Whether time ran out first."""

    @property
    def cost(self) -> Points | None:
        """Skill: the total cost of guesses and mistakes in winning chance. None if time ran out."""
        return total(one.cost for one in self.accounts) if self.accounts else None

    @property
    def luck(self) -> Points | None:
        """Luck: the effect of their outcomes."""
        return total(one.luck for one in self.accounts) if self.accounts else None

    @property
    def start(self) -> Chance | None:
        """The winning chance before the first of them."""
        return self.accounts[0].start if self.accounts else None

    def fields(self) -> dict[str, Any]:
        """The fields for JSON."""
        cost, luck, start = self.cost, self.luck, self.start
        end = self.end if self.accounts else None
        return {
            "state": self.state,
            "moves": self.moves,
            "levels": {str(level): count for level, count in self.levels.items()},
            "marks": self.marks,
            "lucky": self.lucky,
            "unlucky": self.unlucky,
            "expected_mines": self.expected_mines,
            "mines": self.mines,
            "lost_by": None if self.lost_by is None else self.lost_by.number,
            "costliest": None if self.costliest is None else self.costliest.number,
            "cost": None if cost is None else cost._asdict(),
            "luck": None if luck is None else luck._asdict(),
            "start": None if start is None else start.fields(),
            "end": None if end is None else end.fields(),
            "accounts": [one.fields() for one in self.accounts],
            "wrong_flags": self.wrong_flags,
            "playouts": self.playouts,
            "cut": self.cut,
            "text": str(self),
        }

    def __str__(self) -> str:
        return words.of_summary(self)


@dataclass(frozen=True, slots=True)
class Review:
    """The review of a game."""

    replay: Replay
    moves: tuple[Reviewed, ...]
    summary: Summary

    def __repr__(self) -> str:
        return f"<Review of {self.replay.id}: {str(self.summary).partition('.')[0]}>"

    def __str__(self) -> str:
        return str(self.summary)

    def fields(self, limit: Limit = DEFAULT) -> dict[str, Any]:
        """The fields for JSON."""
        return {
            "id": str(self.replay.id),
            "moves": [told.fields(limit) for told in self.moves],
            "summary": self.summary.fields(),
        }


class Spent(NamedTuple):
    """Playouts: how many were requested and played, and whether time ran out first."""

    wanted: int
    playouts: int = 0
    cut: bool = False


def counted(told: Reviewed) -> bool:
    """Whether a move changes the winning chance beyond what is certain: a guess, or a certain mine that was opened."""
    return told.guess or (told.mark is MoveMark.MISTAKE and told.move.kind != "flag")


def summed_up(
    moves: Sequence[Reviewed], state: State, end: Chance | None, wrong_flags: int | None, spent: Spent
) -> Summary:
    """The summary of these moves."""
    guesses = [told for told in moves if told.guess]
    falls = Counter(told.fell for told in guesses)
    marks = Counter(str(told.mark) for told in moves)
    levels = Counter(told.level for told in moves if told.mark is MoveMark.CERTAIN and told.level is not None)
    costs = [(told.cost.value, told) for told in moves if told.cost is not None and told.cost.clear]
    return Summary(
        str(state),
        len(moves),
        dict(sorted(levels.items())),
        {str(mark): marks[mark] for mark in MoveMark if marks[mark]},
        falls["lucky"],
        falls["unlucky"],
        sum(told.risk or 0.0 for told in guesses),
        sum(told.mines for told in guesses),
        moves[-1] if moves[-1].ended else None,
        max(costs, key=lambda one: one[0])[1] if costs else None,
        _accounts([told for told in moves if counted(told)]),
        end,
        wrong_flags,
        *spent,
    )


def _accounts(moves: Sequence[Reviewed]) -> tuple[Account, ...]:
    """One up to each mine; none at all where a winning chance is missing."""
    found, part = [], []
    for told in moves:
        if told.before is None or told.with_it is None or told.behind is None or told.cost is None:
            return ()
        part.append(told)
        if told.mines or told is moves[-1]:
            found.append(_account(part))
            part = []
    return tuple(found)


def _account(moves: Sequence[Reviewed]) -> Account:
    """What could be expected before a guess is the chance behind the one before, less what it cost: all that is left of
    their errors in the sum of the luck is that of the first, of the end, and of the costs between."""
    first, last = moves[0], moves[-1]
    assert first.before is not None
    assert first.with_it is not None
    assert last.behind is not None
    costs = [(told.mark is MoveMark.MISTAKE, told.cost or Points(0.0)) for told in moves]
    luck = sum((told.luck or Points(0.0)).value for told in moves)
    between = (cost.error for _, cost in costs[1:])
    return Account(
        first.number,
        last.number,
        first.before,
        total(cost for mistake, cost in costs if mistake),
        total(cost for mistake, cost in costs if not mistake),
        Points(luck, hypot(first.with_it.error, last.behind.error, *between)),
        last.behind,
    )
