"""Everything that the package says of a position, held against the referee."""

from __future__ import annotations

import math
import re
import traceback
from functools import cache, partial
from typing import TYPE_CHECKING

import numpy as np

from mineproof import (
    AGENTS,
    METHODS,
    Agent,
    Analyst,
    Conflict,
    Decision,
    Deduction,
    Explanation,
    Hint,
    InconsistentPosition,
    Limit,
    Position,
    analyse,
    find_conflict,
    hint,
    prove,
    why,
    winning_chance,
)
from support import kinds, sentences
from support.campaign import Report
from support.referee import (
    MOST_BOARDS,
    NUMBERS,
    SHOWN,
    UNKNOWN,
    Referee,
    TooLarge,
    conflict_faults,
    step_faults,
)

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterable, Sequence
    from fractions import Fraction

    from mineproof import Cell
    from mineproof.errors import WrongClues
    from mineproof.logic.methods import Method

PATIENT = Limit(seconds=600)
"""A limit so generous that no answer depends on the speed of the machine."""
MOST_UNSURE = 9
"""Cells that are not certain, in a position that is played to its end in every way."""
MOST_EXPLAINED = 10
"""Certain cells that are explained, of each position."""
MOST_SEARCHED = 256
"""Closed cells with which a chance of winning is always exact, if there are few boards."""
SLOW = "asp", "chaining", "matching", "resolution"
FEW = 20
"""Closed cells, with which even slow methods take little time."""
CLOSE = 1e-9
SENTENCE = re.compile(r"[.:](?=\s|$)")


def examine(seed: int, number: int) -> Report:
    """Everything about position number so-and-so of a seed."""
    kind, position, rng = kinds.start(seed, number)
    return Examination(position, rng).report(kind)


class Examination:
    """One position, what is true of it, and what was found to be wrong. The position decides what is asked; which of
    many cells are asked about is drawn."""

    def __init__(self, position: Position, rng: random.Random) -> None:
        self.position = position
        self.rng = rng
        self.truth = Referee(position)
        self.certain = self.truth.certain
        self.safe = {cell for cell, mine in self.certain.items() if not mine}
        self.mined = set(self.certain) - self.safe
        self.closed = list(position.where(UNKNOWN + "S"))
        self.unsure = [cell for cell in self.closed if cell not in self.certain]
        self.faults: list[str] = []
        self.checks = self.explanations = self.sentences = 0

    def report(self, kind: str) -> Report:
        """Ask everything."""
        for ask in CONSISTENT if self.truth.boards else INCONSISTENT:
            try:
                ask(self)
            except Exception:  # whatever it is, it is an answer to a fair question, and wrong
                self.faults.append(f"{ask.__name__}: {traceback.format_exc(limit=-3).strip()}")
        counts = {"explanations": self.explanations, "sentences": self.sentences, "checks": self.checks}
        return Report(kind, repr(self.position), counts, self.faults)

    def check(self, holds: bool, fault: str) -> None:
        """One check, and what is wrong if it does not hold."""
        self.checks += 1
        if not holds:
            self.faults.append(fault)

    def equal(self, what: str, found: object, expected: object) -> None:
        """Whether the package says what the referee says."""
        self.check(found == expected, f"{what}: {found}, but it is {expected}")

    def near(self, what: str, found: float | None, expected: Fraction | float) -> None:
        """The same for numbers that are rounded."""
        close = found is not None and math.isclose(found, expected, rel_tol=CLOSE, abs_tol=1e-300)
        self.check(close, f"{what}: {found}, but it is {expected}")

    def faultless(self, what: str, faults: Iterable[str]) -> None:
        """Whether the referee finds no fault; what is too large for it is not checked."""
        try:
            found = list(faults)
        except TooLarge:
            return
        self.check(not found, f"{what}: {'; '.join(found)}")

    def some(self, cells: Iterable[Cell], most: int) -> list[Cell]:
        """A few of these cells."""
        listed = sorted(cells)
        return sorted(self.rng.sample(listed, min(most, len(listed))))

    def is_safe(self, cell: Cell) -> bool:
        """Whether a cell is certainly no mine, open or closed."""
        return cell in self.safe or self.position[cell] in NUMBERS

    def is_mined(self, cell: Cell) -> bool:
        """Whether a cell is certainly a mine, shown or not."""
        return cell in self.mined or self.position[cell] in SHOWN

    # -- positions without a board -----------------------------------------------------------------------------------

    def contradiction(self) -> None:
        """It is told, with the clues that conflict, by whoever is asked."""
        analysis = analyse(self.position, PATIENT)
        self.equal("analyse: consistent", analysis.consistent, False)
        self.equal("analyse: solutions", analysis.solutions, 0)
        self.equal("analyse: certain cells", analysis.safe | analysis.mined, set())
        self.conflict("analyse", analysis.conflict)
        self.conflict("find_conflict", find_conflict(self.position, PATIENT))
        asked: dict[str, Callable[[], object]] = {
            "analyse": partial(analyse, self.position, PATIENT, strict=True),
            "winning_chance": partial(winning_chance, self.position, PATIENT),
            "hint": partial(hint, self.position, PATIENT),
        }
        for cell in self.some(self.closed, 1):
            asked["why"] = partial(why, self.position, cell, PATIENT)
            asked["prove"] = partial(prove, self.position, cell, PATIENT)
        for name, ask in asked.items():
            try:
                self.check(False, f"{name}: {ask()} of a position without a board")
            except InconsistentPosition as refusal:
                self.conflict(name, refusal.conflict)
        for name, method in self.asked():
            try:
                found = method.infer(self.position, PATIENT)
                self.check(not method.finds_all, f"{name}: {found} of a position without a board")
            except InconsistentPosition:
                self.checks += 1

    def conflict(self, who: str, found: WrongClues | None) -> None:
        """Clues that contradict each other, or the number of mines."""
        assert found is None or isinstance(found, Conflict)
        self.faultless(f"{who}: {found}", ["no conflict"] if found is None else conflict_faults(self.position, found))

    # -- odds --------------------------------------------------------------------------------------------------------

    def odds(self) -> None:
        """Certain cells, risks, how many boards there are, and what cells would show."""
        analysis = analyse(self.position, PATIENT)
        self.equal("analyse: consistent, exact", (analysis.consistent, analysis.exact), (True, True))
        self.equal("analyse: solutions", analysis.solutions, self.truth.boards)
        self.equal("analyse: safe", set(analysis.safe), self.safe)
        self.equal("analyse: mined", set(analysis.mined), self.mined)
        self.equal("analyse: conflict", analysis.conflict or find_conflict(self.position, PATIENT), None)
        for cell, risk in self.truth.risks.items():
            self.near(f"analyse: risk of {cell}", analysis.probability(cell), risk)
        for cell in self.some(self.closed, 3):
            numbers = analysis.numbers(cell, PATIENT)
            expected = self.truth.numbers(cell)
            self.equal(f"numbers of {cell}", list(numbers), list(expected))
            for number, share in expected.items():
                self.near(f"numbers of {cell}: {number}", numbers.get(number), share)
        best = analysis.least_risk
        if self.safe:
            first = best is not None and best.cell in self.safe
            self.check(first, f"analyse: {best} comes before certainly safe cells")
        elif best is not None:
            self.check(best.risk <= min(self.truth.risks.values()) + CLOSE, f"analyse: {best} is not the least risk")

    def samples(self) -> None:
        """Each is a board of the position."""
        for sample in analyse(self.position, PATIENT).samples(3, seed=self.rng.randrange(2**64), limit=PATIENT):
            mined = {self.position.grid.cell(int(index)) for index in np.flatnonzero(sample)}
            self.equal("samples: mines", len(mined), self.position.mines)
            no_mines = self.position.where(NUMBERS + "S")
            known = mined.issuperset(self.position.where(SHOWN)) and mined.isdisjoint(no_mines)
            self.check(known, "samples: what is shown is not so")
            for clue in self.position.where(NUMBERS):
                around = len(mined.intersection(self.position.grid.neighbours(clue)))
                self.equal(f"samples: mines around {clue}", around, int(self.position[clue]))

    def follower(self) -> None:
        """Who sees the cells in any order knows the same in the end."""
        grid = self.position.grid
        analyst = Analyst(Position.blank(grid, self.position.mines), PATIENT)
        cells = [cell for cell in grid if self.position[cell] != "H"]
        self.rng.shuffle(cells)
        while cells:
            size = self.rng.choice([1, 1, 2, 5, 20])
            seen, cells = cells[:size], cells[size:]
            proved = analyst.see(seen, [self.position[cell] for cell in seen])
            self.check(all(self.is_safe(cell) for cell in proved.safe), f"Analyst: {proved.safe} not safe")
            self.check(all(self.is_mined(cell) for cell in proved.mined), f"Analyst: {proved.mined} no mines")
        analysis = analyst.analysis()
        self.equal("Analyst: safe and mined", (set(analysis.safe), set(analysis.mined)), (self.safe, self.mined))
        self.equal("Analyst: solutions", analysis.solutions, self.truth.boards)
        for cell in self.some(self.unsure, 20):
            self.near(f"Analyst: risk of {cell}", analysis.probability(cell), self.truth.risks[cell])

    # -- play --------------------------------------------------------------------------------------------------------

    def play(self) -> None:
        """What ``best`` does, and its chance of winning, where all games can be played to their end."""
        decision = best().choose(self.position, PATIENT)
        opens = [move.cell for move in decision.moves if move.kind == "open" and move.cell is not None]
        flags = [move.cell for move in decision.moves if move.kind == "flag"]
        self.check(self.mined.issuperset(flags), f"best: {decision.moves} flags what is not a mine")
        if self.safe:
            self.equal("best: what it opens", (decision.certain, set(opens)), (True, self.safe))
        elif self.unsure:
            self.guess(decision, opens)
        else:
            self.equal("best: what it opens", opens, [])
        self.deduced("best", decision.reasons)
        if self.truth.boards <= MOST_BOARDS and len(self.unsure) <= MOST_UNSURE:
            self.chances(decision, opens)

    def guess(self, decision: Decision, opens: Sequence[Cell]) -> None:
        """One cell, with its risk."""
        self.equal("best: certain", decision.certain, False)
        self.equal("best: cells that it opens", len(opens), 1)
        self.near("best: risk", decision.risk, self.truth.risk(opens[0]))
        for cell, risk, _ in decision.alternatives:
            self.near(f"best: risk of {cell}", risk, self.truth.risk(cell))

    def chances(self, decision: Decision, opens: Sequence[Cell]) -> None:
        """Of winning with perfect play, and after each first cell."""
        wins = self.truth.wins()
        most = max((wins[cell] for cell in self.closed), default=1) if self.safe or self.unsure else 1
        chance = winning_chance(self.position, PATIENT)
        if not chance.exact:  # few boards, but of too many cells for the search
            self.check(len(self.closed) > MOST_SEARCHED, f"winning_chance: {chance} is an estimate")
            return
        self.near("winning_chance", chance.value, most)
        for cell in self.some(self.closed, 2):
            after = winning_chance(self.position, PATIENT, first=[cell])
            self.near(f"winning_chance after {cell}", after.value, wins[cell])
        if decision.chance is not None:
            self.near("best: chance", decision.chance, most)
            self.equal("best: chance of its guess", wins[opens[0]], most)

    # -- reasons -----------------------------------------------------------------------------------------------------

    def reasons(self) -> None:
        """Why cells are certain; and that others are not."""
        for cell in self.some(self.certain, MOST_EXPLAINED):
            self.explained(why(self.position, cell, PATIENT), cell)
        for cell in self.some(self.unsure, 2):
            found = why(self.position, cell, PATIENT)
            self.equal(f"why {cell}", (found.cell, found.mine), (cell, None))
            self.near(f"why {cell}: risk", found.risk, self.truth.risk(cell))
            self.words(found)

    def explained(self, found: Explanation, cell: Cell) -> None:
        """The verdict, the fewest clues, each step, and the words."""
        mine = self.certain.get(cell)
        self.equal(f"why {cell}", (found.cell, found.mine), (cell, mine))
        if mine is None:
            return
        reason = cell, mine, found.because, found.mine_count
        self.faultless(f"why {cell}: because", self.truth.reason_faults(*reason))
        self.faultless(f"why {cell}: because", self.truth.fewer_faults(*reason))
        self.faultless(f"why {cell}: steps", step_faults(self.position, found.steps))
        last = bool(found.steps) and cell in found.steps[-1].cells
        self.check(last, f"why {cell}: the last step does not settle it")
        counted = any(step.mine_count for step in found.steps)
        self.equal(f"why {cell}: mine count in steps", counted, found.mine_count)
        self.words(found)

    def words(self, found: Explanation | Hint) -> None:
        """Every sentence."""
        self.explanations += 1
        self.sentences += len(SENTENCE.findall(found.text))
        self.faultless(f"words of {found!r}", sentences.faults(self.position, found, self.truth.risks))

    def hints(self) -> None:
        """A certain move if there is one; otherwise a guess with its risk, and what follows if it is safe."""
        found = hint(self.position, PATIENT)
        self.equal("hint: certain", found.certain, bool(self.safe))
        self.words(found)
        if self.safe:
            self.check(found.cell in self.safe, f"hint: {found.cell} is not safe")
            if found.explanation is not None and found.cell is not None:
                self.explained(found.explanation, found.cell)
            else:
                self.check(False, "hint: no explanation")
            return
        self.check(found.cell in self.unsure if self.unsure else found.cell is None, f"hint: {found.cell} is no guess")
        if found.guess is not None:
            self.near("hint: least risk", found.guess.least.risk, min(self.truth.risks.values()))
        for guess in () if found.guess is None else found.guess.candidates:
            self.near(f"hint: risk of {guess.cell}", guess.risk, self.truth.risk(guess.cell))
            if guess.progress is not None:
                self.progress(guess.cell, guess.progress)

    def progress(self, cell: Cell, found: float) -> None:
        """The share of boards on which a certain move follows, or nothing is left to open."""
        share = 0.0
        for number, weight in self.truth.numbers(cell).items():
            try:
                after = Referee(self.position.with_symbol(cell, str(number))).risks.values()
            except TooLarge:
                return
            share += float(weight) * (0 in after or all(risk == 1 for risk in after))
        self.check(math.isclose(found, share, abs_tol=CLOSE), f"hint: progress of {cell}: {found}, but it is {share}")

    def asked(self) -> list[tuple[str, Method]]:
        """The methods that are asked: slow ones seldom where many cells are closed."""
        slow = len(self.closed) <= FEW or self.rng.random() < 0.1
        return [(name, method) for name, method in METHODS.items() if slow or name not in SLOW]

    def methods(self) -> None:
        """What each method infers is so, for its reasons; and complete ones find everything."""
        for name, method in self.asked():
            found = method.infer(self.position, PATIENT)
            self.check(self.safe >= found.safe, f"{name}: {found.safe - self.safe} not safe")
            self.check(self.mined >= found.mined, f"{name}: {found.mined - self.mined} no mines")
            if method.finds_all or found.complete:
                self.equal(f"{name}: complete", (set(found.safe), set(found.mined)), (self.safe, self.mined))
            self.deduced(name, found)

    def deduced(self, who: str, deductions: Sequence[Deduction]) -> None:
        """Some conclusions with their reasons."""
        for deduction in self.rng.sample(deductions, min(3, len(deductions))):
            cell = self.rng.choice(sorted(deduction.cells))
            self.check(self.certain.get(cell) is deduction.mine, f"{who}: {deduction}")
            reason = cell, deduction.mine, deduction.because, deduction.mine_count
            self.faultless(f"{who}: {deduction}", self.truth.reason_faults(*reason, minimal=False))

    def proofs(self) -> None:
        """By clues of which none may be left out, in steps that the checker follows."""
        for cell in self.some(self.certain, 2):
            proof = prove(self.position, cell, PATIENT)
            self.check(proof is not None, f"prove {cell}: nothing")
            if proof is not None:
                self.equal(f"prove {cell}", (proof.cell, proof.mine), (cell, self.certain[cell]))
                self.equal(f"prove {cell}: checker", proof.find_fault(), None)
                reason = cell, proof.mine, proof.because, proof.mine_count
                self.faultless(f"prove {cell}: because", self.truth.reason_faults(*reason))
        for cell in self.some(self.unsure, 1):
            self.equal(f"prove {cell}", prove(self.position, cell, PATIENT), None)


INCONSISTENT = (Examination.contradiction,)
CONSISTENT = (
    Examination.odds,
    Examination.samples,
    Examination.follower,
    Examination.play,
    Examination.reasons,
    Examination.hints,
    Examination.methods,
    Examination.proofs,
)


@cache
def best() -> Agent:
    """The strongest agent, once."""
    return AGENTS["best"].make()
