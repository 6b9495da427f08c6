"""The words of a review: about each move, and about the whole game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mineproof.explain.phrases import sentence
from mineproof.hindsight.marks import GUESSES, MoveMark
from mineproof.odds.analysis import EQUAL
from mineproof.percent import a_percent, percent

if TYPE_CHECKING:
    from mineproof.hindsight.report import Account, Reviewed, Summary


# -- a move ------------------------------------------------------------------------------------------------------


def of_move(told: Reviewed, reason: str) -> str:
    """Some sentences, or none if there is nothing to say."""
    match told.mark:
        case MoveMark.CERTAIN:
            return "Known from before the undo." if told.level is None else f"Certain, level {told.level}."
        case MoveMark.START:
            risk = f" The risk of a mine was {percent(told.risk)}." if told.risk else ""
            return f"The first click.{risk}{f' {sentence(_mine(told))}' if told.mines else ''}"
        case MoveMark.UNPROVED:
            return f"Could not be proved: the chance of a mine was {percent(1 - (told.risk or 0.0))}."
        case MoveMark.MISTAKE:
            if told.move.kind == "flag":
                return f"{told.wrong} is certainly safe.{reason}"
            other = "" if told.better_level is None else f" {told.better} was certainly safe{_found(told)}."
            return f"{told.wrong} is certainly a mine.{reason}{other}{_cost(told)} {sentence(_mine(told))}"
        case MoveMark.NEEDLESS:
            known = f"It had {a_percent(told.risk)} risk of a mine, but {told.better} was certainly safe{_found(told)}."
            return f"{known}{reason}{_cost(told)}{_fell(told)}"
        case MoveMark.UNDO:
            return f"It takes back {told.undone}; what it showed stays known."
        case MoveMark.NOTE:
            return ""
    risk = f"It had {a_percent(told.risk)} risk of a mine{_safest(told)}."
    return f"No move was certain. {risk}{_against(told)}{_fell(told)}"


def _found(told: Reviewed) -> str:
    """How a certain cell could have been found, and why it may have been missed."""
    found = "" if told.better_level is None else f", level {told.better_level}"
    if told.better_since is not None:
        found += f", as it was before move {told.better_since}"
    return found + (", under your own wrong flag" if told.better_flagged else "")


def _safest(told: Reviewed) -> str:
    if told.safest is None or told.safest_risk is None or told.risk is None:
        return ""
    if told.risk <= told.safest_risk + EQUAL:
        return "; no cell had less"
    return f"; the safest cell, {told.safest}, had {percent(told.safest_risk)}"


def _against(told: Reviewed) -> str:
    """The guess against the one that ``best`` would have made."""
    other = str(told.better)
    if told.better != told.safest:
        other += f", with {a_percent(told.better_risk)} risk,"
    if told.cost is None:
        alone = " Guesses are compared by their risk alone."
        return f"{f' {other} was better.' if told.mark is MoveMark.POOR and told.better != told.safest else ''}{alone}"
    if told.move.kind == "open" and told.better == told.move.cell:
        return " The agent best would also have made it."
    chances = f"{told.before} to win, against {told.with_it} with this guess"
    if told.mark is MoveMark.POOR:
        return f" {other} was better: {chances}.{_cost(told)}"
    if told.mark is MoveMark.UNCLEAR:
        return f" Whether {other} was better is unclear: {chances}, a difference of {told.cost.plain} points."
    return f" {other} was not better by more than a point: {chances}.{_cost(told)}"


def _cost(told: Reviewed) -> str:
    return "" if told.cost is None else f" It cost {told.cost.plain} points of winning chance."


def _mine(told: Reviewed) -> str:
    return "it was a mine, and the game was lost" if told.ended else "it was a mine"


def _fell(told: Reviewed) -> str:
    fell = _mine(told) if told.mines else "it was safe"
    if told.luck is None:
        return f" {sentence(fell)}"
    luck = sentence(f"{fell}: luck {told.luck} points")
    return f" {luck} The winning chance went from {told.before} to {told.behind}."


# -- the game ----------------------------------------------------------------------------------------------------


def of_summary(summary: Summary) -> str:
    """A few lines: the moves, where it went wrong, and what was luck."""
    lines = [_headline(summary), *_verdicts(summary)]
    if summary.marks.get(MoveMark.CERTAIN):
        named = [f"{count} of level {level}" for level, count in summary.levels.items()]
        seen = summary.marks.get(MoveMark.CERTAIN, 0) - sum(summary.levels.values())
        named += [f"{seen} known from before an undo"] if seen else []
        lines.append(f"Certain moves: {', '.join(named)}.")
    if MoveMark.UNDO in summary.marks:
        lines.append("A move that was taken back counts as it was played.")
    unproved = summary.marks.get(MoveMark.UNPROVED, 0)
    if unproved:
        lines.append(f"{many(unproved, 'flag')} could not be proved.")
    if summary.wrong_flags:
        flags = (
            "1 flag was on a safe cell"
            if summary.wrong_flags == 1
            else f"{summary.wrong_flags} flags were on safe cells"
        )
        lines.append(f"{flags} at the end.")
    guesses = sum(summary.marks.get(mark, 0) for mark in GUESSES)
    if guesses:
        lines.append(f"Expected mines from these guesses: {summary.expected_mines:.2f}; opened: {summary.mines}.")
    one = len(summary.accounts) == 1
    lines += [
        f"{'' if one else f'Try {number}. '}{_account(account)}" for number, account in enumerate(summary.accounts, 1)
    ]
    if summary.cut:
        rest = "" if summary.accounts else ", which are too few for winning chances"
        lines.append(
            f"Time ran out after {summary.playouts:,} of {summary.wanted:,} playouts{rest}: "
            "a longer limit (--seconds) allows more."
        )
    elif guesses and not summary.accounts:
        lines.append("Winning chances were not estimated.")
    return "\n".join(lines)


def _headline(summary: Summary) -> str:
    parts = [(summary.marks.get(mark, 0), mark.removesuffix(" guess")) for mark in GUESSES]
    guesses = sum(count for count, _ in parts)
    kinds = ", ".join(f"{count} {name}" for count, name in parts if count)
    told = [
        f"{summary.marks.get(MoveMark.CERTAIN, 0)} certain",
        many(guesses, "guess", "guesses") + f" ({kinds})" * bool(kinds),
    ]
    told += [
        many(summary.marks[mark], str(mark)) for mark in (MoveMark.MISTAKE, MoveMark.UNDO) if mark in summary.marks
    ]
    return f"{summary.state.capitalize()} after {many(summary.moves, 'move')}: {', '.join(told)}."


def _verdicts(summary: Summary) -> list[str]:
    """Where it went wrong."""
    lines = []
    lost, costliest = summary.lost_by, summary.costliest
    if lost is not None:
        lines.append(f"The game was lost at move {lost.number}, {lost.move}: {_verdict(lost)}.")
    if costliest is not None and costliest.cost is not None:
        what = "It" if costliest is lost else f"Move {costliest.number}, {costliest.move} ({costliest.mark}),"
        lines.append(f"{what} cost most: {costliest.cost.plain} points of winning chance.")
    return lines


def _verdict(lost: Reviewed) -> str:
    match lost.mark:
        case MoveMark.START:
            return "the first click"
        case MoveMark.MISTAKE:
            other = "" if lost.better_level is None else f", while {lost.better} was certainly safe"
            return f"a certain mine{other}"
        case MoveMark.NEEDLESS:
            return f"a needless guess with {a_percent(lost.risk)} risk, while {lost.better} was certainly safe"
    article = "an" if lost.mark is MoveMark.UNCLEAR else "a"
    return f"{article} {lost.mark} with {a_percent(lost.risk)} risk"


def _account(account: Account) -> str:
    parts = [f"Winning chance before move {account.first}: {account.start}."]
    for what, cost in (("mistakes", account.mistakes), ("choice of guess", account.guesses)):
        if cost.plain != "0.0":
            parts.append(f"Lost by {what}: {cost.plain} points.")
    parts.append(f"Luck: {account.luck} points. At the end: {account.end}.")
    return " ".join(parts)


def many(count: int, name: str, names: str = "") -> str:
    """A number with its noun: 1 move, 2 moves."""
    return f"{count} {name if count == 1 else names or f'{name}s'}"
