"""The result of a review: a mark for each move, and a summary. Plain values; `words` puts them into sentences."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import hypot
from operator import itemgetter
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
    """A move that was reviewed. Fields that do not apply are None."""

    number: int
    """The number of the move in the game, from 1."""
    move: Move
    mark: MoveMark
    level: int | None = None
    """The level of the easiest way to find a certain move; with several cells, of the hardest."""
    risk: float | None = None
    """The probability that the move opens a mine, or flags a safe cell."""
    mines: int = 0
    """The number of mines that it opened."""
    ended: bool = False
    """Whether the move lost the game."""
    better: Cell | None = None
    """For a guess or a mistake: the easiest certain cell, or the cell that ``best`` would have opened."""
    better_level: int | None = None
    """The level of the easiest way to find the certain cell."""
    better_risk: float | None = None
    """The risk of the better cell."""
    better_flagged: bool = False
    """Whether the player had flagged the certain cell."""
    better_since: int | None = None
    """The number of an earlier move for which this certain cell was named already."""
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
    """The winning chance that the move cost: ``before`` less ``with_it``. If both were played out on the same boards,
    the error of the difference is smaller than theirs."""
    position: Position | None = None
    """For a guess or a mistake: all that was known before it."""
    wrong: Cell | None = None
    """For a mistake: the cell of which the opposite could be proved."""
    undone: Move | None = None
    """For an undo: the move that it takes back."""

    @property
    def guess(self) -> bool:
        """Whether the move opened a cell that was not certain, but could be safe."""
        return self.mark in GUESSES

    @property
    def fell(self) -> str | None:
        """The outcome of a guess: ``lucky``, or ``unlucky`` if it opened a mine."""
        return None if not self.guess else "unlucky" if self.mines else "lucky"

    @property
    def affects_chance(self) -> bool:
        """Whether the move changes the winning chance: it is a guess, or opens a certain mine."""
        return self.guess or (self.mark is MoveMark.MISTAKE and self.move.kind != "flag")

    @property
    def extra_risk(self) -> float | None:
        """The risk of the move less that of the better cell: negative if a riskier cell was better."""
        return None if self.risk is None or self.better_risk is None else self.risk - self.better_risk

    @property
    def luck(self) -> Points | None:
        """The winning chance after the outcome and the certain moves that followed, less the expected one."""
        if self.behind is None or self.with_it is None:
            return None
        return Points(self.behind.value - self.with_it.value, hypot(self.behind.error, self.with_it.error))

    def why(self, limit: Limit = DEFAULT) -> Explanation | None:
        """Explain the better cell of a needless guess, or the opposite of a mistake."""
        cell = self.wrong or (self.better if self.mark is MoveMark.NEEDLESS else None)
        if cell is None or self.position is None or self.position[cell] not in CLOSED:
            return None  # nothing to explain, or the cell had been seen before an undo
        return why(self.position, cell, limit)

    def text(self, limit: Limit = DEFAULT) -> str:
        """Return the review of the move in words; the reasons are found when this is called."""
        if self.better_since is not None and self.wrong is None:
            return words.move_in_words(self, "")
        try:
            explanation = self.why(limit)
        except OutOfTime:
            return f"{words.move_in_words(self, '')} (Time ran out before the reason was found.)"
        return words.move_in_words(self, "" if explanation is None else " " + explanation.text.replace("\n", " "))

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
    """How the winning chance changed from the first guess or mistake to a mine, or to the end of the game; after a mine
    another account begins. ``start``, less both costs, plus ``luck``, is ``end``."""

    first: int
    """The number of its first guess or mistake."""
    last: int
    """The number of its last guess or mistake."""
    start: Chance
    mistakes: Points
    """The cost of the mistakes."""
    guesses: Points
    """The cost of the guesses."""
    luck: Points
    end: Chance

    @property
    def cost(self) -> Points:
        """The cost of guesses and mistakes together."""
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
    """The number of certain moves, by level."""
    marks: dict[str, int]
    """The number of moves, by mark."""
    lucky: int
    unlucky: int
    expected_mines: float
    """The number of mines that the guesses would open on average."""
    mines: int
    """The number of mines that the guesses opened."""
    lost_by: Reviewed | None
    """The move that lost the game."""
    costliest: Reviewed | None
    """The costliest guess or mistake, if it surely cost more than a point of winning chance."""
    accounts: tuple[Account, ...]
    """The accounts of the game; empty where a winning chance is missing."""
    end: Chance | None
    """The winning chance at the end of the review."""
    wrong_flags: int | None
    """The number of flags on safe cells at the end of the game; None if it is not over."""
    wanted: int
    """The number of playouts requested."""
    playouts: int
    """The number of playouts played."""
    cut: bool
    """Whether time ran out before all playouts were played."""

    @property
    def cost(self) -> Points | None:
        """Skill: the total cost of guesses and mistakes in winning chance. None without accounts."""
        return total(account.cost for account in self.accounts) if self.accounts else None

    @property
    def luck(self) -> Points | None:
        """Luck: the effect of their outcomes on the winning chance. None without accounts."""
        return total(account.luck for account in self.accounts) if self.accounts else None

    @property
    def start(self) -> Chance | None:
        """The winning chance before the first guess or mistake. None without accounts."""
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
            "accounts": [account.fields() for account in self.accounts],
            "wrong_flags": self.wrong_flags,
            "playouts": self.playouts,
            "cut": self.cut,
            "text": str(self),
        }

    def __str__(self) -> str:
        return words.summary_in_words(self)


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
            "moves": [move.fields(limit) for move in self.moves],
            "summary": self.summary.fields(),
        }


class Spent(NamedTuple):
    """The playouts of a review: how many were requested and played, and whether time ran out first."""

    wanted: int
    playouts: int = 0
    cut: bool = False


def summarise(
    moves: Sequence[Reviewed], state: State, end: Chance | None, wrong_flags: int | None, spent: Spent
) -> Summary:
    """Return the summary of these moves."""
    guesses = [move for move in moves if move.guess]
    outcomes = Counter(guess.fell for guess in guesses)
    marks = Counter(str(move.mark) for move in moves)
    levels = Counter(move.level for move in moves if move.mark is MoveMark.CERTAIN and move.level is not None)
    costs = [(move.cost.value, move) for move in moves if move.cost is not None and move.cost.clear]
    return Summary(
        str(state),
        len(moves),
        dict(sorted(levels.items())),
        {str(mark): marks[mark] for mark in MoveMark if marks[mark]},
        outcomes["lucky"],
        outcomes["unlucky"],
        sum(guess.risk or 0.0 for guess in guesses),
        sum(guess.mines for guess in guesses),
        moves[-1] if moves[-1].ended else None,
        max(costs, key=itemgetter(0))[1] if costs else None,
        _accounts([move for move in moves if move.affects_chance]),
        end,
        wrong_flags,
        *spent,
    )


def _accounts(moves: Sequence[Reviewed]) -> tuple[Account, ...]:
    """Return an account up to each mine, and one up to the end; none at all if a winning chance is missing."""
    accounts, part = [], []
    for move in moves:
        if move.before is None or move.with_it is None or move.behind is None or move.cost is None:
            return ()
        part.append(move)
        if move.mines or move is moves[-1]:
            accounts.append(_account(part))
            part = []
    return tuple(accounts)


def _account(moves: Sequence[Reviewed]) -> Account:
    """Return the account of these moves. The chance expected with a guess is the chance after the guess before it, less
    the guess's cost. So in the sum of the luck most errors cancel: those of the first chance, of the end, and of the
    costs after the first move remain."""
    first, last = moves[0], moves[-1]
    assert first.before is not None
    assert first.with_it is not None
    assert last.behind is not None
    costs = [(move.mark is MoveMark.MISTAKE, move.cost or Points(0.0)) for move in moves]
    luck = sum((move.luck or Points(0.0)).value for move in moves)
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
