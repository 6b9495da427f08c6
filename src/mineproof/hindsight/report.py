"""What a review says: a mark for each move, and the sum of them. Plain values; words are made on demand."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from math import sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from mineproof.board.position import CLOSED
from mineproof.errors import OutOfTime
from mineproof.explain.explanation import why
from mineproof.limit import DEFAULT, Limit

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mineproof.agents.chance import Chance
    from mineproof.board.game import State
    from mineproof.board.grid import Cell
    from mineproof.board.move import Move
    from mineproof.board.position import Position
    from mineproof.board.replay import Replay
    from mineproof.explain.explanation import Explanation


class Mark(StrEnum):
    """What a move was, judged by what could be known before it."""

    START = "start"
    """The first cell that was opened: nothing was known yet."""
    CERTAIN = "certain"
    """Proved: all cells that it opens are safe, or the cell that it flags is a mine."""
    NEEDLESS = "needless guess"
    """It was not, and there was a safe cell that could be proved."""
    GOOD = "good guess"
    """There was no such cell, and no guess that is known to be better by more than a point."""
    POOR = "poor guess"
    """There was one."""
    MISTAKE = "mistake"
    """The opposite could be proved: it opens a certain mine, or flags a certainly safe cell."""
    UNPROVED = "unproved flag"
    """A flag on a cell that could be either."""
    NOTE = "note"
    """A note was taken off, or a doubt noted."""
    UNDO = "undo"
    """A move was taken back; what it had shown stays known."""


GUESSES = (Mark.NEEDLESS, Mark.GOOD, Mark.POOR)


class Points(NamedTuple):
    """A difference of winning chances, with its standard error; 0.01 is a point."""

    value: float
    error: float

    def __str__(self) -> str:
        digits = 0 if self.error else 1
        rounded = round(100 * self.value, digits)
        sign = "−" if rounded < 0 else "+" if rounded > 0 else ""
        return f"{sign}{abs(rounded):.{digits}f}{f' ± {100 * self.error:.0f}' if self.error else ''}"


def total(terms: Iterable[tuple[float, Chance]]) -> Points:
    """The sum of chances, each with its sign; one estimate that comes in several times is one error."""
    shares: dict[int, float] = {}
    known: dict[int, Chance] = {}
    for sign, chance in terms:
        shares[id(chance)] = shares.get(id(chance), 0.0) + sign
        known[id(chance)] = chance
    value = sum(share * known[key].value for key, share in shares.items())
    return Points(value, sqrt(sum((share * known[key].error) ** 2 for key, share in shares.items())))


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A move, and what it was worth. What does not apply is None."""

    number: int
    """From 1 on."""
    move: Move
    mark: Mark
    level: int | None = None
    """Of the easiest way to find a certain move; of several cells, of the hardest."""
    risk: float | None = None
    """How likely the move was wrong: that it opens a mine, or flags a safe cell."""
    mines: int = 0
    """That it opened."""
    better: Cell | None = None
    """For a guess or a mistake: the easiest certain cell, or what ``best`` would have opened."""
    better_level: int | None = None
    better_risk: float | None = None
    before: Chance | None = None
    """To win, with the best move."""
    with_it: Chance | None = None
    """To win, with this move, when it is not known yet how it falls."""
    behind: Chance | None = None
    """To win, before the next guess, or at the end: how it fell."""
    position: Position | None = None
    """For a guess or a mistake: all that was known before it."""
    wrong: Cell | None = None
    """For a mistake: a cell of which the opposite could be proved."""

    @property
    def guess(self) -> bool:
        """Whether a cell was opened that was not certain, though it could be safe."""
        return self.mark in GUESSES

    @property
    def fell(self) -> str | None:
        """How a guess fell: ``lucky``, or ``unlucky`` when it opened a mine."""
        return None if not self.guess else "unlucky" if self.mines else "lucky"

    @property
    def extra_risk(self) -> float | None:
        """What the move cost in risk: negative where a riskier cell would have been better."""
        return None if self.risk is None or self.better_risk is None else self.risk - self.better_risk

    @property
    def cost(self) -> Points | None:
        """What the move cost in winning chance."""
        if self.before is None or self.with_it is None:
            return None
        return total([(1, self.before), (-1, self.with_it)])

    @property
    def luck(self) -> Points | None:
        """What it brought in winning chance, with the certain moves after it, beyond what could be expected."""
        if self.behind is None or self.with_it is None:
            return None
        return total([(1, self.behind), (-1, self.with_it)])

    def why(self, limit: Limit = DEFAULT) -> Explanation | None:
        """The reason for the better cell of a needless guess, or for the opposite of a mistake."""
        cell = self.wrong or (self.better if self.mark is Mark.NEEDLESS else None)
        if cell is None or self.position is None or self.position[cell] not in CLOSED:
            return None  # there is none, or it was seen before it was taken back
        return why(self.position, cell, limit)

    def text(self, limit: Limit = DEFAULT) -> str:
        """In words; the reasons are found now."""
        try:
            found = self.why(limit)
        except OutOfTime:
            return f"{_text(self, '')} (There was no time to find the reason.)"
        return _text(self, "" if found is None else " " + found.text.replace("\n", " "))

    def fields(self, limit: Limit = DEFAULT) -> dict[str, Any]:
        """As JSON has it."""
        cost, luck = self.cost, self.luck
        return {
            "number": self.number,
            "move": str(self.move),
            "mark": str(self.mark),
            "level": self.level,
            "risk": self.risk,
            "mines": self.mines,
            "cost": None if cost is None else cost.value,
            "cost_error": None if cost is None else cost.error,
            "extra_risk": self.extra_risk,
            "better": None if self.better is None else list(self.better),
            "better_level": self.better_level,
            "better_risk": self.better_risk,
            "fell": self.fell,
            "luck": None if luck is None else luck.value,
            "luck_error": None if luck is None else luck.error,
            "chance": None if self.before is None else self.before.fields(),
            "text": self.text(limit),
        }


def _text(told: Reviewed, reason: str) -> str:
    """One sentence or more; none where there is nothing to say."""
    match told.mark:
        case Mark.CERTAIN:
            return "Known from before it was taken back." if told.level is None else f"Certain, level {told.level}."
        case Mark.START:
            risk = f" There was {percent(told.risk)} risk of a mine." if told.risk else ""
            return f"The first click.{risk}{' It was a mine.' if told.mines else ''}"
        case Mark.UNPROVED:
            return f"Not proved: {percent(told.risk)} risk that there is no mine."
        case Mark.MISTAKE:
            if told.move.kind == "flag":
                return f"{told.wrong} is certainly safe.{reason}"
            return f"{told.wrong} is certainly a mine.{reason}{_cost(told)}"
        case Mark.NOTE | Mark.UNDO:
            return ""
    risk = f"{percent(told.risk)} risk of a mine"
    if told.mark is Mark.NEEDLESS:
        level = "" if told.better_level is None else f", level {told.better_level}"
        return f"It had {risk}, but {told.better} was certainly safe{level}.{reason}{_cost(told)}{_fell(told)}"
    if told.mark is Mark.GOOD:
        return f"No move was certain. This one had {risk}.{_fell(told)}"
    other = f"{told.better}, with {percent(told.better_risk)} risk, was better"
    return f"No move was certain. This one had {risk}; {other}.{_cost(told)}{_fell(told)}"


def percent(share: float | None) -> str:
    """A share in words: whole percents, from ten on."""
    if share is None:
        return "an unknown"
    return f"{100 * share:.0f} %" if share >= 0.0995 else f"{100 * share:.1f} %"


def _cost(told: Reviewed) -> str:
    cost = told.cost
    if cost is None:
        return ""
    error = f" ± {100 * cost.error:.0f}" if cost.error else ""
    return f" It cost {100 * cost.value:.{0 if cost.error else 1}f}{error} points of winning chance."


def _fell(told: Reviewed) -> str:
    if told.mines:
        return " It was a mine."
    if told.before is None or told.behind is None:
        return " It was safe."
    return f" It was safe. The winning chance went from {told.before} to {told.behind}."


@dataclass(frozen=True, slots=True)
class Summary:
    """The sum of a review."""

    state: str
    """How the game stands: ``won``, ``lost``, ``cleared`` or ``playing``."""
    moves: int
    levels: dict[int, int]
    """Certain moves, by level."""
    marks: dict[str, int]
    """Moves, by mark."""
    lucky: int
    unlucky: int
    expected_mines: float
    """That the guesses and mistakes would open on average."""
    mines: int
    """That they opened."""
    cost: Points | None
    """Skill: what guesses and mistakes cost in winning chance, all together. None where no time was left for it."""
    luck: Points | None
    """Luck: how they fell."""
    start: Chance | None
    """The winning chance before the first of them; with cost and luck it makes the end."""
    end: Chance | None
    wrong_flags: int | None
    """Flags that stand on safe cells when the game is over; None before."""

    def fields(self) -> dict[str, Any]:
        """As JSON has it."""

        def points(some: Points | None) -> dict[str, float] | None:
            return None if some is None else some._asdict()

        return {
            "state": self.state,
            "moves": self.moves,
            "levels": {str(level): count for level, count in self.levels.items()},
            "marks": self.marks,
            "lucky": self.lucky,
            "unlucky": self.unlucky,
            "expected_mines": self.expected_mines,
            "mines": self.mines,
            "cost": points(self.cost),
            "luck": points(self.luck),
            "start": None if self.start is None else self.start.fields(),
            "end": None if self.end is None else self.end.fields(),
            "wrong_flags": self.wrong_flags,
            "text": str(self),
        }

    def __str__(self) -> str:
        guesses = sum(self.marks.get(mark, 0) for mark in GUESSES)
        certain = self.marks.get(Mark.CERTAIN, 0)
        lines = [f"{self.state.capitalize()} after {_many(self.moves, 'move')}: {certain} certain, {_guessed(self)}."]
        if self.levels:
            named = ", ".join(f"{count} of level {level}" for level, count in self.levels.items())
            lines.append(f"Certain moves: {named}.")
        unproved, mistakes = self.marks.get(Mark.UNPROVED, 0), self.marks.get(Mark.MISTAKE, 0)
        if unproved:
            lines.append(f"{_many(unproved, 'flag')} could not be proved.")
        if mistakes:
            lines.append(f"{_many(mistakes, 'move')} went against what could be proved.")
        if self.wrong_flags:
            lines.append(f"In the end {_many(self.wrong_flags, 'flag')} stood on safe cells.")
        if guesses or mistakes:
            lines.append(f"Guesses would open {self.expected_mines:.2f} mines on average; they opened {self.mines}.")
        if self.cost is not None and self.luck is not None and self.start is not None:
            cost = Points(-self.cost.value, self.cost.error)
            lines.append(f"Winning chance before the first guess: {self.start}.")
            lines.append(f"Skill: {cost} points, what guesses cost. Luck: {self.luck} points, how they fell.")
        elif guesses:
            lines.append("Winning chances were not estimated.")
        return "\n".join(lines)


def _many(count: int, name: str) -> str:
    return f"{count} {name}{'s' * (count != 1)}"


def _guessed(summary: Summary) -> str:
    parts = [(summary.marks.get(mark, 0), mark.removesuffix(" guess")) for mark in GUESSES]
    guesses = sum(count for count, _ in parts)
    told = ", ".join(f"{count} {name}" for count, name in parts if count)
    return f"{_many(guesses, 'guess').replace('guesss', 'guesses')}{f' ({told})' if told else ''}"


@dataclass(frozen=True, slots=True)
class Review:
    """A game that was looked at again."""

    replay: Replay
    moves: tuple[Reviewed, ...]
    summary: Summary

    def __str__(self) -> str:
        return str(self.summary)

    def fields(self, limit: Limit = DEFAULT) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "id": str(self.replay.id),
            "moves": [told.fields(limit) for told in self.moves],
            "summary": self.summary.fields(),
        }


def summed_up(moves: list[Reviewed], state: State, end: Chance | None, wrong_flags: int | None) -> Summary:
    """The summary of these moves."""
    counted = [told for told in moves if told.guess or (told.mark is Mark.MISTAKE and told.move.kind != "flag")]
    cost: list[tuple[float, Chance]] = []
    luck: list[tuple[float, Chance]] = []
    rated = bool(counted)
    for told in counted:
        if told.before is None or told.with_it is None or told.behind is None:
            rated = False
            break
        cost += [(1, told.before), (-1, told.with_it)]
        luck += [(1, told.behind), (-1, told.with_it)]
    falls = Counter(told.fell for told in counted)
    marks = Counter(str(told.mark) for told in moves)
    levels = Counter(told.level for told in moves if told.mark is Mark.CERTAIN and told.level is not None)
    return Summary(
        str(state),
        len(moves),
        dict(sorted(levels.items())),
        {str(mark): marks[mark] for mark in Mark if marks[mark]},
        falls["lucky"],
        falls["unlucky"],
        sum(told.risk or 0.0 for told in counted),
        sum(told.mines for told in counted),
        total(cost) if rated else None,
        total(luck) if rated else None,
        counted[0].before if rated else None,
        end if rated else None,
        wrong_flags,
    )
