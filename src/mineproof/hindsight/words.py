"""The sentences of a review: about each move, and about the whole game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mineproof.explain.phrases import sentence
from mineproof.hindsight.marks import GUESSES, MoveMark
from mineproof.odds.analysis import EQUAL
from mineproof.percent import a_percent, percent
from mineproof.plural import plural

if TYPE_CHECKING:
    from mineproof.hindsight.report import Account, Reviewed, Summary


# -- a move ------------------------------------------------------------------------------------------------------


def move_in_words(reviewed: Reviewed, reason: str) -> str:
    """Return the sentences about a move; none if there is nothing to say. ``reason`` explains the better cell."""
    match reviewed.mark:
        case MoveMark.CERTAIN:
            return "Known from before the undo." if reviewed.level is None else f"Certain, level {reviewed.level}."
        case MoveMark.START:
            risk = f" The risk of a mine was {percent(reviewed.risk)}." if reviewed.risk else ""
            return f"The first click.{risk}{f' {sentence(_mine(reviewed))}' if reviewed.mines else ''}"
        case MoveMark.UNPROVED:
            return f"Could not be proved: the chance of a mine was {percent(1 - (reviewed.risk or 0.0))}."
        case MoveMark.MISTAKE:
            if reviewed.move.kind == "flag":
                return f"{reviewed.wrong} is certainly safe.{reason}"
            other = ""
            if reviewed.better_level is not None:
                other = f" {reviewed.better} was certainly safe{_how_certain(reviewed)}."
            return f"{reviewed.wrong} is certainly a mine.{reason}{other}{_cost(reviewed)} {sentence(_mine(reviewed))}"
        case MoveMark.NEEDLESS:
            risk = f"It had {a_percent(reviewed.risk)} risk of a mine"
            safe = f"{reviewed.better} was certainly safe{_how_certain(reviewed)}"
            return f"{risk}, but {safe}.{reason}{_cost(reviewed)}{_outcome(reviewed)}"
        case MoveMark.UNDO:
            return f"It takes back {reviewed.undone}; what it showed stays known."
        case MoveMark.NOTE:
            return ""
    risk = f"It had {a_percent(reviewed.risk)} risk of a mine{_safest(reviewed)}."
    return f"No move was certain. {risk}{_against(reviewed)}{_outcome(reviewed)}"


def _how_certain(reviewed: Reviewed) -> str:
    """Say how a certain cell could have been found, and why it may have been missed."""
    clause = "" if reviewed.better_level is None else f", level {reviewed.better_level}"
    if reviewed.better_since is not None:
        clause += f", as it was before move {reviewed.better_since}"
    return clause + (", under your own wrong flag" if reviewed.better_flagged else "")


def _safest(reviewed: Reviewed) -> str:
    if reviewed.safest is None or reviewed.safest_risk is None or reviewed.risk is None:
        return ""
    if reviewed.risk <= reviewed.safest_risk + EQUAL:
        return "; no cell had less"
    return f"; the safest cell, {reviewed.safest}, had {percent(reviewed.safest_risk)}"


def _against(reviewed: Reviewed) -> str:
    """Compare a guess with the one that ``best`` would have made."""
    other = str(reviewed.better)
    if reviewed.better != reviewed.safest:
        other += f", with {a_percent(reviewed.better_risk)} risk,"
    if reviewed.cost is None:
        riskier = reviewed.mark is MoveMark.POOR and reviewed.better != reviewed.safest
        return f"{f' {other} was better.' if riskier else ''} Guesses are compared by their risk alone."
    if reviewed.move.kind == "open" and reviewed.better == reviewed.move.cell:
        return " The agent best would also have made it."
    chances = f"{reviewed.before} to win, against {reviewed.with_it} with this guess"
    if reviewed.mark is MoveMark.POOR:
        return f" {other} was better: {chances}.{_cost(reviewed)}"
    if reviewed.mark is MoveMark.UNCLEAR:
        return f" Whether {other} was better is unclear: {chances}, a difference of {reviewed.cost.plain} points."
    return f" {other} was not better by more than a point: {chances}.{_cost(reviewed)}"


def _cost(reviewed: Reviewed) -> str:
    return "" if reviewed.cost is None else f" It cost {reviewed.cost.plain} points of winning chance."


def _mine(reviewed: Reviewed) -> str:
    return "it was a mine, and the game was lost" if reviewed.ended else "it was a mine"


def _outcome(reviewed: Reviewed) -> str:
    outcome = _mine(reviewed) if reviewed.mines else "it was safe"
    if reviewed.luck is None:
        return f" {sentence(outcome)}"
    luck = sentence(f"{outcome}: luck {reviewed.luck} points")
    return f" {luck} The winning chance went from {reviewed.before} to {reviewed.behind}."


# -- the game ----------------------------------------------------------------------------------------------------


def summary_in_words(summary: Summary) -> str:
    """Return a few lines: the moves, where it went wrong, and what was luck."""
    lines = [_headline(summary), *_verdicts(summary)]
    if summary.marks.get(MoveMark.CERTAIN):
        counts = [f"{count} of level {level}" for level, count in summary.levels.items()]
        seen = summary.marks.get(MoveMark.CERTAIN, 0) - sum(summary.levels.values())
        counts += [f"{seen} known from before an undo"] if seen else []
        lines.append(f"Certain moves: {', '.join(counts)}.")
    if MoveMark.UNDO in summary.marks:
        lines.append("A move that was taken back counts as it was played.")
    unproved = summary.marks.get(MoveMark.UNPROVED, 0)
    if unproved:
        lines.append(f"{plural(unproved, 'flag')} could not be proved.")
    if summary.wrong_flags:
        flags = plural(summary.wrong_flags, "flag was on a safe cell", "flags were on safe cells")
        lines.append(f"{flags} at the end.")
    guesses = sum(summary.marks.get(mark, 0) for mark in GUESSES)
    if guesses:
        lines.append(f"Expected mines from these guesses: {summary.expected_mines:.2f}; opened: {summary.mines}.")
    numbered = len(summary.accounts) > 1
    lines += [
        f"{f'Try {number}. ' if numbered else ''}{_account(account)}"
        for number, account in enumerate(summary.accounts, 1)
    ]
    if summary.cut:
        too_few = "" if summary.accounts else ", which are too few for winning chances"
        lines.append(
            f"Time ran out after {summary.playouts:,} of {summary.wanted:,} playouts{too_few}: "
            "a longer limit (--seconds) allows more."
        )
    elif guesses and not summary.accounts:
        lines.append("Winning chances were not estimated.")
    return "\n".join(lines)


def _headline(summary: Summary) -> str:
    parts = [(summary.marks.get(mark, 0), mark.removesuffix(" guess")) for mark in GUESSES]
    guesses = sum(count for count, _ in parts)
    kinds = ", ".join(f"{count} {name}" for count, name in parts if count)
    counts = [
        f"{summary.marks.get(MoveMark.CERTAIN, 0)} certain",
        plural(guesses, "guess", "guesses") + f" ({kinds})" * bool(kinds),
    ]
    counts += [
        plural(summary.marks[mark], str(mark)) for mark in (MoveMark.MISTAKE, MoveMark.UNDO) if mark in summary.marks
    ]
    return f"{summary.state.capitalize()} after {plural(summary.moves, 'move')}: {', '.join(counts)}."


def _verdicts(summary: Summary) -> list[str]:
    """Say at which moves the game was lost, and the most winning chance."""
    lines = []
    lost, costliest = summary.lost_by, summary.costliest
    if lost is not None:
        lines.append(f"The game was lost at move {lost.number}, {lost.move}: {_verdict(lost)}.")
    if costliest is not None and costliest.cost is not None:
        subject = "It" if costliest is lost else f"Move {costliest.number}, {costliest.move} ({costliest.mark}),"
        lines.append(f"{subject} cost most: {costliest.cost.plain} points of winning chance.")
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
    for cause, cost in (("mistakes", account.mistakes), ("choice of guess", account.guesses)):
        if cost.plain != "0.0":
            parts.append(f"Lost by {cause}: {cost.plain} points.")
    parts.append(f"Luck: {account.luck} points. At the end: {account.end}.")
    return " ".join(parts)
