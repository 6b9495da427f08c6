"""Answers to the questions that a seat can be asked, as JSON and in words: the same for every app.

Each answer is a dictionary that can be sent as JSON; its ``text`` says the same in words. That no board is consistent
with a position is an answer too. For a position without a game, ask ``Seat(position)``.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mineproof._native.counting import MARK_SAFE
from mineproof.errors import InconsistentPosition, OutOfTime
from mineproof.explain.guess import best_guess
from mineproof.logic.conflict import refused, refused_claim
from mineproof.logic.methods import find_method
from mineproof.odds.in_json import json_parts
from mineproof.odds.words import in_words
from mineproof.percent import percent
from mineproof.plural import noun_for
from mineproof.seat.seat import UNLAID

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mineproof.board.grid import CellLike
    from mineproof.explain.guess import BestGuess
    from mineproof.limit import Clock, Limit
    from mineproof.odds.analysis import Analysis
    from mineproof.seat.seat import Seat

Answer = dict[str, Any]
NO_GUESS = "No guess is needed"


@dataclass(frozen=True)
class Overview:
    """The answer about a whole position: its certain cells, the odds of the others, and the best guess."""

    seat: Seat
    analysis: Analysis
    guess: BestGuess | None
    text: str
    clock: Clock

    @property
    def consistent(self) -> bool | None:
        """Whether any board is consistent with the position; None if that is not known."""
        return self.analysis.consistent

    def json_parts(self) -> Iterator[str]:
        """Yield the answer as JSON, in pieces, because it may be large."""
        return iter([json.dumps(self.fields())]) if self.seat.mines_seen else self._parts()

    def _parts(self) -> Iterator[str]:
        fields: Answer = {"best": self._best(), "text": self.text}
        first = self.seat.first
        if first is not None:
            fields["least_risk"] = {"cell": list(first), "risk": 0.0}
        return json_parts(self.analysis, self.clock, **fields)

    def fields(self) -> Answer:
        """Return the answer as a dictionary."""
        answer: Answer = json.loads("".join(self._parts()))
        for row, col in self.seat.mines_seen if self.analysis.consistent else ():
            answer["odds"][row][col] = 1.0
            answer["mined"].append([row, col])
        return answer

    def _best(self) -> Answer | None:
        """Return the cell that ``best`` would open."""
        if self.guess is not None:
            return self.guess.fields()
        cell, safe = self.seat.first, self.analysis.marks.find(MARK_SAFE)
        if cell is None and safe >= 0:
            cell = self.seat.position.grid.cell(safe)
        if cell is None:
            return None
        return {"cell": list(cell), "risk": 0.0, "chance": None, "text": f"{NO_GUESS}: {cell} is safe."}


def overview(seat: Seat, limit: Limit) -> Overview:
    """Find every certain cell, the odds of all others, and what ``best`` would open."""
    clock = limit.start()
    analysis = seat.analysis(clock.rest(0.9))
    guess = None if seat.first is not None or not analysis.consistent else best_guess(analysis, clock)
    text = in_words(analysis, clock, "" if guess is None else guess.clause)
    if seat.unlaid:
        text = f"{seat.hint(clock.rest()).text} The odds are those of boards that are laid without regard to it."
    return Overview(seat, analysis, guess, text, clock)


def hinted(seat: Seat, limit: Limit) -> Answer:
    """Answer what to do next, in portions that say more and more."""
    try:
        hint = seat.hint(limit)
    except InconsistentPosition as failure:
        reason = refused(failure)
        return {"certain": None, "cell": None, **reason, "portions": [reason["text"]]}
    return {**hint.fields(), "portions": list(hint.portions)}


def explained(seat: Seat, cell: CellLike, limit: Limit) -> Answer:
    """Answer why a cell is safe, or a mine."""
    at = seat.position.grid.at(cell)
    try:
        return seat.why(at, limit).fields()
    except InconsistentPosition as failure:
        return {**refused_claim(at, failure), "technique": None, "level": None}


def proved(seat: Seat, cell: CellLike, limit: Limit) -> Answer:
    """Answer with a proof by resolution that a cell is safe, or a mine, and whether the proof is valid."""
    at = seat.position.grid.at(cell)
    nothing: Answer = {"cell": list(at), "because": [], "mine_count": False, "steps": [], "valid": None}
    if seat.unlaid:
        return {**nothing, "verdict": "safe", "text": UNLAID}
    try:
        proof = seat.prove(at, limit)
    except InconsistentPosition as failure:
        return {**refused_claim(at, failure), "valid": None}
    if proof is None and (seen := seat.seen(at)):
        return {**nothing, "verdict": "mine" if seat.position[at] == "*" else "safe", "text": seen}
    if proof is None:
        text = f"{at} is not certain: some consistent boards have a mine there, others do not."
        return {**nothing, "verdict": "unknown", "text": text}
    return {**proof.fields(), "valid": proof.find_fault() is None, "text": str(proof)}


def guessed(seat: Seat, limit: Limit) -> Answer:
    """Answer whether a guess is needed, and which is the best."""
    clock = limit.start()
    answer: Answer = {"may_guess": False, "best": None, "least_risk": None}
    if seat.first is not None:
        seat.check_playing()
        return {**answer, "text": UNLAID if seat.unlaid else f"{NO_GUESS}: {seat.hint(clock.rest()).text}"}
    try:
        if not seat.may_guess(clock.rest(0.6)):
            safe = min(seat.analysis(clock.rest()).safe, default=None)
            reason = "nothing is left to open" if safe is None else f"{safe} is safe"
            return {**answer, "text": f"{NO_GUESS}: {reason}."}
        guess = seat.best_guess(clock.rest())
    except InconsistentPosition as failure:
        return {**answer, "may_guess": None, **refused(failure)}
    if guess is None:
        raise OutOfTime("there is no certain move, and time ran out before any risk was estimated")
    least = {"cell": list(guess.least.cell), "risk": guess.least.risk}
    return {**answer, "may_guess": True, "best": guess.fields(), "least_risk": least, "text": str(guess)}


def numbered(seat: Seat, cell: CellLike, limit: Limit) -> Answer:
    """Answer which numbers a closed cell could show if it is safe, and how likely each is."""
    at = seat.position.grid.at(cell)
    if seat.unlaid:
        return {"cell": list(at), "numbers": {}, "text": UNLAID}
    try:
        numbers = seat.numbers(at, limit)
    except InconsistentPosition as failure:
        return {"cell": list(at), "numbers": {}, **refused(failure)}
    shares = ", ".join(f"{number} ({percent(share)})" for number, share in numbers.items())
    text = f"If {at} is safe, it shows {shares}." if numbers else f"{at} is a mine."
    return {"cell": list(at), "numbers": {str(number): share for number, share in numbers.items()}, "text": text}


def deduced(seat: Seat, method: str, limit: Limit) -> Answer:
    """Answer which cells an inference method proves."""
    chosen = find_method(method)
    try:
        deductions = chosen.infer(seat.position, limit)
    except InconsistentPosition as failure:
        return {"method": method, "consistent": False, **refused(failure)}
    end = "there may be others that this method cannot find"
    if chosen.finds_all:
        end = "there are no others" if deductions.complete else "there may be others: the limit was reached"
    mines = len(deductions.mined)
    text = "\n".join([*map(str, deductions), f"{len(deductions.safe)} safe, {mines} {noun_for(mines, 'mine')}; {end}"])
    return {"method": method, "consistent": chosen.consistent(deductions), **deductions.fields(), "text": text}
