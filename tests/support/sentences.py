"""Reads explanations as a person does: every sentence is taken apart again, and its numbers are counted on the board.

It knows the sentences, and nothing of the code that makes them. What a step says is added to what is known; the next
step is read with that, as its reader would.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from mineproof import Cell, Explanation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from fractions import Fraction

    from mineproof import Hint, Position
    from mineproof.explain.step import ExplanationStep

Known = dict[Cell, bool]

COUNTS = {word: i for i, word in enumerate(("no", "one", "two", "three", "four", "five", "six", "seven", "eight"))} | {
    str(i): i for i in range(10_000)
}
ONE = r"[A-Z]+[0-9]+"
MANY = rf"{ONE}(?:, {ONE})*(?: and {ONE})?"
CLUE = rf"(?:the [1-8] at {ONE}|the blank cell {ONE})"
N = r"(?:no|one|two|three|four|five|six|seven|eight|[0-9]+)"
PERCENT = r"[<>]?[0-9.]+"
NO_MOVE = "There is no certain move: every closed cell is a mine on some of the consistent boards."
NOTHING = "There is nothing left to open."
BEST = (
    rf"The best guess is (?P<cell>{ONE}), with (?:an?|less than an?|more than an?) (?P<risk>{PERCENT}) % risk of a mine"
    rf"(?:, although (?P<other>{ONE}) has only (?P<least>{PERCENT}) %: .*)?\."
)
CANDIDATE = (
    rf"({ONE}): ({PERCENT}) % risk"
    rf"(?:; if it is safe, a certain move follows, or the game is won, on {PERCENT} % of boards)?\."
)
REASON = (
    rf"Perfect play wins {PERCENT} % of the remaining boards\.|No other move can tell more about this cell, .*|"
    r"This cell is (?:safe whenever|a mine only) .*|Games after this guess were won more often .*"
)
SAFE_OR_MINE = r"(?:is safe|are safe|is a mine|are mines)"


class Fault(Exception):
    """A sentence that is not true, or cannot be read."""


def must(holds: object, what: str) -> None:
    if not holds:
        raise Fault(what)


def cells_in(text: str | None) -> list[Cell]:
    return [Cell.parse(name) for name in re.findall(ONE, text or "")]


def faults(position: Position, found: Explanation | Hint, risks: Mapping[Cell, float | Fraction]) -> list[str]:
    """What is wrong with the sentences of an explanation or a hint; ``risks`` are those of all closed cells."""
    if isinstance(found, Explanation):
        return faults_of(position, found.steps) if found.mine is not None else open_faults(found, risks)
    if found.explanation is None:
        return guess_faults(found, risks)
    return faults_of(position, found.explanation.steps) + hint_faults(position, found, found.explanation)


def is_share(text: str, share: float | Fraction) -> bool:
    """Whether a share is written as such: in percent, with one digit, and never as 0 or 100 unless it is that."""
    if text[0] in "<>":
        return 0 < share < 0.0005 if text == "<0.1" else text == ">99.9" and 0.9995 < share < 1
    return abs(float(text) - 100 * float(share)) < 0.05 + 1e-9 and (share in (0, 1)) == (text in ("0.0", "100.0"))


def open_faults(found: Explanation, risks: Mapping[Cell, float | Fraction]) -> list[str]:
    """What is wrong with what is said of a cell that can be either."""
    read = re.fullmatch(
        rf"({ONE}) is not certain: some consistent boards have a mine there, others do not\. "
        rf"The risk of a mine is ({PERCENT}) %\.",
        found.text,
    )
    right = read is not None and Cell.parse(read[1]) == found.cell and is_share(read[2], risks[found.cell])
    return [] if right and 0 < risks[found.cell] < 1 else [f"not so: {found.text!r}"]


def guess_faults(found: Hint, risks: Mapping[Cell, float | Fraction]) -> list[str]:
    """What is wrong with a hint that names a guess, or nothing."""
    first, *others = found.portions
    if found.cell is None:
        right = found.text == NOTHING and all(risk == 1 for risk in risks.values())
        return [] if right else [f"not so: {found.text!r}"]
    lies = [] if first == NO_MOVE and 0 not in risks.values() else [first]
    named = []
    for sentence in others:
        if read := re.fullmatch(BEST, sentence):
            right = Cell.parse(read["cell"]) == found.cell and _is_best(read, risks)
        elif read := re.fullmatch(CANDIDATE, sentence):
            named.append(Cell.parse(read[1]))
            right = is_share(read[2], risks[named[-1]])
        else:
            right = re.fullmatch(REASON, sentence) is not None
        lies += [] if right else [sentence]
    wrong = [f"not so: {sentence!r}" for sentence in lies]
    return wrong if named[:1] == [found.cell] else [*wrong, f"other candidates: {found.text!r}"]


def _is_best(read: re.Match[str], risks: Mapping[Cell, float | Fraction]) -> bool:
    """Whether the risk of a guess is right, and so is what is said of a less risky cell, if there is one."""
    risk, least = risks[Cell.parse(read["cell"])], min(risks.values())
    if read["other"] is None:
        return risk == least and is_share(read["risk"], risk)
    other = risks[Cell.parse(read["other"])]
    return other == least < risk and is_share(read["risk"], risk) and is_share(read["least"], least)


def region_faults(position: Position, cell: Cell, told: str) -> list[str]:
    """What is wrong with the words for where a cell is: thirds of the board, by the centre of the cell."""
    read = re.fullmatch(r"Look at the ((?:top|bottom|left|right|middle| )+) of the board(, in the middle)?\.", told)
    if read is None:
        return [f"what does {told!r} mean"]
    words = read[1].split()
    for at, size, low, high in (
        (cell.row, position.grid.rows, "top", "bottom"),
        (cell.col, position.grid.cols, "left", "right"),
    ):
        third = (2 * at + 1) * 3 / (2 * size)
        is_low, is_high = third < 1, third > 2
        if size > 1 and ((low in words) != is_low or (high in words) != is_high):
            return [f"{cell} is elsewhere: {told!r}"]
    return []


def hint_faults(position: Position, found: Hint, explanation: Explanation) -> list[str]:
    """What is wrong with the parts of a hint that lead to its explanation."""
    last = explanation.steps[-1]
    start, region, place, verdict, *reason = found.portions
    wrong = region_faults(position, explanation.cell, region)
    if (start, verdict, reason) != ("There is a certain move.", f"{explanation.cell} is safe.", [explanation.text]):
        wrong.append(f"another move: {found.text!r}")
    read = re.fullmatch(rf"(?:First settle (?P<used>.+), then l|L)ook at (?P<clues>{CLUE}.*)\.", place)
    if read is None:
        told = ("ount the mines.", "he game names a safe cell.")
        return wrong if place.endswith(told) else [*wrong, f"what does {place!r} mean"]
    clues = re.findall(CLUE, read["clues"])
    numbers = [0 if "blank" in clue else int(clue.split()[1]) for clue in clues]
    if cells_in(read["clues"]) != list(last.clues) or numbers != list(map(position.clue, last.clues)):
        wrong.append(f"other clues: {place!r}")
    many = read["used"] == "the cells settled by other clues"
    if not many and set(cells_in(read["used"])) != set(last.used):
        wrong.append(f"other cells: {place!r}")
    return wrong


def faults_of(
    position: Position, steps: Sequence[ExplanationStep], known: Mapping[Cell, bool] | None = None
) -> list[str]:
    """What is wrong with the sentences of steps that follow one another."""
    reader = Reader(position, known or {})
    found = []
    for step in steps:
        try:
            reader.read(step)
        except Fault as fault:
            found.append(f"{fault}: {step.text!r}")
    return found


class Reader:
    """Knows what the board shows, and what it was told."""

    def __init__(self, position: Position, known: Mapping[Cell, bool]) -> None:
        self.position = position
        self.known: Known = dict(known)
        self.known |= dict.fromkeys(position.where("S"), False) | dict.fromkeys(position.where("*?"), True)
        self.closed = list(position.where("HFQS*?"))

    def read(self, step: ExplanationStep) -> None:
        """Check every sentence, and that they end where the step does."""
        must(re.fullmatch(r"(?:[^ .].*\.)", step.text), "not sentences")
        told = _Reading(self, step)
        for sentence in step.text[:-1].split(". "):
            must(not sentence[0].islower(), "no capital")
            told.sentence(sentence if re.match(ONE, sentence) else sentence[0].lower() + sentence[1:])
        told.end()
        self.known |= dict.fromkeys(step.cells, step.mine)

    def mines(self, clue: Cell, known: Known) -> set[Cell]:
        return {cell for cell in self.position.grid.neighbours(clue) if known.get(cell) is True}

    def safe(self, clue: Cell, known: Known) -> set[Cell]:
        around = self.position.grid.neighbours(clue)
        return {cell for cell in around if cell in set(self.closed) and known.get(cell) is False}

    def left(self, clue: Cell, known: Known) -> set[Cell]:
        around = self.position.grid.neighbours(clue)
        return {cell for cell in around if self.position[cell] in "HFQ" and cell not in known}

    def need(self, clue: Cell, known: Known) -> int:
        number = self.position.clue(clue)
        assert number is not None
        return number - len(self.mines(clue, known))

    def unknown(self, known: Known) -> set[Cell]:
        return {cell for cell in self.closed if cell not in known}

    def mines_left(self, known: Known) -> int:
        return self.position.mines - sum(known.values())


class _Case:
    """Two cases of a cell: what was known before, and the ends of the first that are still open."""

    def __init__(self, cell: Cell, mine: bool, before: list[Known]) -> None:
        self.cell = cell
        self.first = mine
        self.before = before
        self.open: list[Known] = []
        self.second = False


class _Reading:
    """One step. ``branches``: what is supposed now; none when it has led to a contradiction."""

    def __init__(self, reader: Reader, step: ExplanationStep) -> None:
        self.reader = reader
        self.step = step
        self.branches: list[Known] = [dict(reader.known)]
        self.supposed: tuple[Cell, bool] | None = None
        self.cases: list[_Case] = []
        self.concluded: Known = {}
        self.bound: tuple[set[Cell], int, int] | None = None  # cells with at least, and at most, so many mines
        self.outer: tuple[Cell, int] | None = None
        self.apart = True  # the last clause has named the safe cells around its clue

    def end(self) -> None:
        must(self.supposed is None, "a supposition without an end")
        must(self.concluded == dict.fromkeys(self.step.cells, self.step.mine), "it says more or less than the step")

    # -- frames ---------------------------------------------------------------------------------------------------

    def sentence(self, text: str) -> None:
        if found := re.fullmatch(rf"suppose ({ONE}) (is safe|is a mine)", text):
            self.supposed = cells_in(found[1])[0], found[2] == "is a mine"
            (known,) = self.branches
            self.branches = [{**known, self.supposed[0]: self.supposed[1]}]
        elif found := re.fullmatch(rf"so ({ONE}) (is safe|is a mine)(?:; and in the same way ({MANY}))?", text):
            self.conclude(cells_in(found[1])[0], found[2] == "is a mine", cells_in(found[3]))
        elif self.supposed is None:
            self.everywhere(text)
        elif found := re.fullmatch(r"(either way, )?there are two cases", text):
            if found[1]:
                self.join()
        elif found := re.fullmatch(
            rf"(?:first, |next, |now |now go back, and )suppose ({ONE}) (is safe|is a mine)", text
        ):
            self.case(found)
            must(text.startswith("now") == self.cases[-1].second, "first and second case")
        elif found := re.fullmatch(rf"if ({ONE}) (is safe|is a mine), (?:then )?(.*)", text):
            self.case(found)
            self.everywhere(found[3])
        elif found := re.fullmatch(rf"otherwise ({ONE}) (is safe|is a mine)", text):
            self.case(found)
            must(self.cases[-1].second, "otherwise, without a first case")
        elif found := re.fullmatch(rf"either ({ONE}) (is safe|is a mine), or (.*)", text):
            self.case(found)
            here, mine = cells_in(found[1])[0], found[2] == "is a mine"
            self.case_of(here, not mine)
            self.everywhere(found[3])
        elif found := re.fullmatch(r"either way, (.*)", text):
            self.join()
            self.everywhere(found[1])
        elif found := re.fullmatch(r"(?:but )?then (.*)", text):
            self.everywhere(found[1])
        else:
            raise Fault(f"what does {text!r} mean")

    def join(self) -> None:
        self.branches += self.cases[-1].open
        self.cases[-1].open = []

    def case(self, found: re.Match[str]) -> None:
        self.case_of(cells_in(found[1])[0], found[2] == "is a mine")

    def case_of(self, cell: Cell, mine: bool) -> None:
        known = next((case for case in self.cases if case.cell == cell and not case.second), None)
        if known is None:
            must(self.branches, "cases of something that is over")
            must(not any(cell in branch for branch in self.branches), f"{cell} is known")
            self.cases.append(_Case(cell, mine, self.branches))
            self.branches = [{**branch, cell: mine} for branch in self.branches]
            return
        must(mine is not known.first, "the same case twice")
        while self.cases[-1] is not known:
            must(not self.cases.pop().open, "a case is left open")
        known.open, known.second = self.branches, True
        self.branches = [{**branch, cell: mine} for branch in known.before]

    def conclude(self, cell: Cell, mine: bool, others: list[Cell]) -> None:
        must(self.supposed == (cell, not mine), "another conclusion than from the opposite")
        must(not self.branches and not any(case.open for case in self.cases), "nothing wrong was found")
        must(all(case.second for case in self.cases), "one of two cases is missing")
        self.supposed = None
        self.concluded |= dict.fromkeys([cell, *others], mine)

    def everywhere(self, text: str) -> None:
        """A clause holds in all cases that are open."""
        must(self.branches, "nothing can follow any more")
        self.branches = [known for known in self.branches if not self.clause(text, known)]

    # -- clauses --------------------------------------------------------------------------------------------------

    def clause(self, text: str, known: Known) -> bool:
        """Check a clause, and learn from it; True if it cannot be."""
        apart: list[Cell] = []
        if found := re.fullmatch(rf"apart from ({MANY}), which (is|are) safe, (.*)", text):
            apart, text = cells_in(found[1]), found[3]
            must((found[2] == "is") == (len(apart) == 1), "is or are")
        for pattern, check in CLAUSES:
            match = re.fullmatch(pattern, text)
            if match is None:
                continue
            parts = match.groupdict()
            if parts.get("clue") is not None:
                self.named(parts, known)
                clue = parts["clue"] = cells_in(parts["clue"])[0]
                self.apart = set(apart) == self.reader.safe(clue, known)
                if check in SPEAKS_OF_ALL or apart:
                    must(self.apart, "safe cells that it leaves out, or does not")
                if check in SPEAKS_OF_MORE:
                    others = bool(self.reader.mines(clue, known))
                    must(parts.get("more") is None or bool(parts["more"]) == others, "more mines, or mines")
                    must(parts.get("other") is None or bool(parts["other"]) == others, "other cells, or cells")
            return bool(check(self, known, parts))
        raise Fault(f"what does {text!r} mean")

    def named(self, parts: dict[str, Any], known: Known) -> None:
        """A clue shows its number, and has the mines that are named with it."""
        clue = cells_in(parts["clue"])[0]
        shown = re.match(r"the ([1-8]) at", parts["clue"])
        must(self.reader.position.clue(clue) == (int(shown[1]) if shown else 0), f"{clue} shows another number")
        if "with" in parts:
            mines = cells_in(parts["with"])
            must(set(mines) == self.reader.mines(clue, known), f"other known mines around {clue}")
            must(not mines or ("mines" in parts["with"]) == (len(mines) > 1), "mine or mines")

    def learn(self, known: Known, cells: str | Iterable[Cell], mine: bool | str) -> None:
        """What a clause concludes."""
        names = cells_in(cells) if isinstance(cells, str) else list(cells)
        if isinstance(mine, str):
            must((mine.split()[0] == "is") == (len(names) == 1), "is or are")
            mine = "mine" in mine
        must(not any(cell in known for cell in names), "it was known before")
        known |= dict.fromkeys(names, mine)
        if self.supposed is None:
            self.concluded |= dict.fromkeys(names, mine)


Parts = dict[str, Any]


def zero(reading: _Reading, known: Known, parts: Parts) -> None:
    must(reading.reader.position.clue(parts["clue"]) == 0, "no zero")
    _around(reading, known, parts)


def full(reading: _Reading, known: Known, parts: Parts) -> None:
    mines = reading.reader.mines(parts["clue"], known)
    must(set(cells_in(parts["mines"])) == mines, "other mines")
    must(reading.reader.need(parts["clue"], known) == 0, "it needs more mines")
    words = {1: "its mine", 2: "both its mines", 3: "all three of its mines", 4: "all four of its mines"}
    words |= {5: "all five of its mines", 6: "all six of its mines", 7: "all seven of its mines"}
    must(parts["whole"] == words[len(mines)], "another number of mines")
    _around(reading, known, parts)


def has_all(reading: _Reading, known: Known, parts: Parts) -> None:
    mines = reading.reader.mines(parts["clue"], known)
    must(set(cells_in(parts["mines"])) == mines, "other mines")
    must(reading.reader.need(parts["clue"], known) == 0, "it needs more mines")
    must(parts["whole"] == ("its mine" if len(mines) == 1 else "all its mines"), "another number of mines")
    _around(reading, known, parts)


def has_none(reading: _Reading, known: Known, parts: Parts) -> None:
    must(reading.reader.position.clue(parts["clue"]) == 0, "no zero")
    _around(reading, known, parts)


def _around(reading: _Reading, known: Known, parts: Parts) -> None:
    must(set(cells_in(parts["cells"])) <= reading.reader.left(parts["clue"], known), "cells that it does not touch")
    reading.learn(known, parts["cells"], parts["are"])


def all_mines(reading: _Reading, known: Known, parts: Parts) -> None:
    left = reading.reader.left(parts["clue"], known)
    must(set(cells_in(parts["cells"])) == left, "other closed cells")
    must(COUNTS[parts["touched"]] == len(left), "another number of cells")
    must(COUNTS[parts["needed"]] == reading.reader.need(parts["clue"], known) == len(left), "another number of mines")
    must(parts["all"] == ("both" if len(left) == 2 else f"all {parts['needed']}"), "both or all")
    reading.learn(known, left, True)


def last(reading: _Reading, known: Known, parts: Parts) -> None:
    left = reading.reader.left(parts["clue"], known)
    must(set(cells_in(parts["cells"])) == left == set(cells_in(parts["again"])), "other closed cells")
    must(len(left) == reading.reader.need(parts["clue"], known) == 1, "another number of mines")
    reading.learn(known, left, True)


def inside(reading: _Reading, known: Known, parts: Parts) -> None:
    left, count = reading.reader.left(parts["clue"], known), COUNTS[parts["count"]]
    must(set(cells_in(parts["cells"])) == left, "other closed cells")
    must(COUNTS[parts["touched"]] == len(left), "another number of cells")
    must(count == reading.reader.need(parts["clue"], known), "another number of mines")
    must((parts["are"] == "is a mine") == (count == 1), "is or are")
    reading.bound = left, count, count


def at_most(reading: _Reading, known: Known, parts: Parts) -> None:
    cells, count = set(cells_in(parts["cells"])), COUNTS[parts["count"]]
    must(cells <= reading.reader.left(parts["clue"], known), "cells that it does not touch")
    must(count == reading.reader.need(parts["clue"], known), "another number of mines")
    must((parts["mines"] == "a mine") == (count == 1), "mine or mines")
    reading.bound = cells, 0, count


def at_least(reading: _Reading, known: Known, parts: Parts) -> None:
    cells, outside = set(cells_in(parts["cells"])), set(cells_in(parts["outside"]))
    must(cells | outside == reading.reader.left(parts["clue"], known) and not cells & outside, "other closed cells")
    need, least = COUNTS[parts["needed"]], COUNTS[parts["least"]]
    must(need == reading.reader.need(parts["clue"], known), "another number of mines")
    must(COUNTS[parts["most"]] == len(outside) and least == need - len(outside), "another number of mines")
    must((parts["are"] == "is a mine") == (least == 1), "is or are")
    reading.bound = cells, least, need


def touches(reading: _Reading, known: Known, parts: Parts) -> None:
    must(set(cells_in(parts["cells"])) == reading.reader.left(parts["clue"], known), "other closed cells")
    reading.outer = parts["clue"], reading.reader.need(parts["clue"], known)


def needs(reading: _Reading, known: Known, parts: Parts) -> None:
    need = reading.reader.need(parts["clue"], known)
    must(COUNTS[parts["needed"]] == need, "another number of mines")
    must((parts["mines"] == "mine") == (need == 1), "mine or mines")
    reading.outer = parts["clue"], need


def needs_beside(reading: _Reading, known: Known, parts: Parts) -> None:
    needs(reading, known, parts)
    must(set(cells_in(parts["safe"])) == reading.reader.safe(parts["clue"], known), "other safe cells")
    must((parts["be"] == "is") == (len(cells_in(parts["safe"])) == 1), "is or are")
    must(set(cells_in(parts["cells"])) == reading.reader.left(parts["clue"], known), "other closed cells")
    reading.apart = True


def these_are(reading: _Reading, known: Known, parts: Parts) -> None:
    assert reading.outer is not None
    assert reading.bound is not None
    (clue, need), (shared, least, _) = reading.outer, reading.bound
    cells, left = set(cells_in(parts["shared"])), reading.reader.left(clue, known)
    must(cells == shared & left == shared, "other common cells")
    must(least == need, "the others may still have mines")
    words = parts["whose"].split()
    must(("of" in words or "among" in words) == (len(shared) > need), "all of them, or some")
    must("is" in words if need == 1 else "are" in words, "is or are")
    if words[0] == "its" and need > 1:
        must(COUNTS[words[1]] == need, "another number of mines")
    must(set(cells_in(parts["cells"])) <= left - shared, "other cells")
    reading.learn(known, parts["cells"], parts["are"])


def give_at_most(reading: _Reading, known: Known, parts: Parts) -> None:
    assert reading.outer is not None
    assert reading.bound is not None
    (clue, need), (shared, _, most) = reading.outer, reading.bound
    left = reading.reader.left(clue, known)
    must(set(cells_in(parts["shared"])) == shared and shared < left, "other common cells")
    must(COUNTS[parts["most"]] == most, "another number of mines")
    must(reading.apart, "safe cells that it leaves out")
    must((parts["give"] == "gives") == (len(shared) == 1), "give or gives")
    must(set(cells_in(parts["cells"])) == left - shared and need - most == len(left - shared), "other cells")
    reading.learn(known, parts["cells"], parts["are"])


def needs_these(reading: _Reading, known: Known, parts: Parts) -> None:
    left = reading.reader.left(parts["clue"], known)
    must(set(cells_in(parts["cells"])) == left, "other closed cells")
    must(reading.reader.need(parts["clue"], known) == len(left), "another number of mines")
    must((parts["mines"] == "a mine") == (len(left) == 1), "mine or mines")
    reading.learn(known, left, True)


def no_mine(reading: _Reading, known: Known, parts: Parts) -> None:
    must(reading.reader.position.mines == 0, "there are mines")
    reading.learn(known, parts["cells"], parts["are"])


def all_found(reading: _Reading, known: Known, parts: Parts) -> None:
    mines = reading.reader.position.mines
    words = {1: "the only mine is", 2: "both mines are"}.get(mines, f"all {mines} mines are")
    must(parts["all"] == words, "another number of mines")
    must(reading.reader.mines_left(known) == 0, "mines are left")
    reading.learn(known, parts["cells"], parts["are"])


def all_the_rest(reading: _Reading, known: Known, parts: Parts) -> None:
    unknown = reading.reader.unknown(known)
    must(set(cells_in(parts["cells"])) == unknown, "other unknown cells")
    must(len(unknown) == reading.reader.mines_left(known), "another number of mines")
    reading.learn(known, unknown, True)


def all_left(reading: _Reading, known: Known, parts: Parts) -> None:
    unknown, left = reading.reader.unknown(known), reading.reader.mines_left(known)
    must(COUNTS[parts["count"]] == COUNTS[parts["room"]] == len(unknown) == left, "another number")
    must(set(cells_in(parts["cells"])) <= unknown, "other cells")
    reading.learn(known, parts["cells"], parts["are"])


def too_many(reading: _Reading, known: Known, parts: Parts) -> bool:
    mines = reading.reader.mines(parts["clue"], known)
    must(set(cells_in(parts["cells"])) == mines and COUNTS[parts["count"]] == len(mines), "other mines")
    must(reading.reader.need(parts["clue"], known) < 0, "not too many")
    return True


def too_few(reading: _Reading, known: Known, parts: Parts) -> bool:
    cells = reading.reader.mines(parts["clue"], known) | reading.reader.left(parts["clue"], known)
    must(set(cells_in(parts["cells"])) == cells and COUNTS[parts["count"]] == len(cells), "other cells")
    must(len(cells) < (reading.reader.position.clue(parts["clue"]) or 0), "not too few")
    return True


def too_few_none(reading: _Reading, known: Known, parts: Parts) -> bool:
    must(not reading.reader.mines(parts["clue"], known), "it has mines")
    must(reading.reader.need(parts["clue"], known) > 0, "it needs none")
    left = reading.reader.left(parts["clue"], known)
    must(not left, "it has room")
    return True


def misfit(reading: _Reading, known: Known, parts: Parts) -> bool:
    reader, few = reading.reader, parts["bound"] == "can have at most"
    clue, count = parts["clue"], COUNTS[parts["count"]]
    left, mines = reader.left(clue, known), reader.mines(clue, known)
    by = rf"{'at most' if few else 'at least'} ({N}) of ({MANY}) by ({CLUE})"
    total, covered = 0, set[Cell]()
    for number, cells, other in re.findall(by, parts["parts"]):
        reading.named({"clue": other}, known)
        seen, want = reader.left(cells_in(other)[0], known), reader.need(cells_in(other)[0], known)
        shared = set(cells_in(cells))
        must(shared == seen & left, "other common cells")
        must(few or not covered & shared, "cells counted twice")
        bound = min(want, len(shared)) if few else want - len(seen - shared)
        must(COUNTS[number] == bound, "another number of mines")
        total, covered = total + bound, covered | shared
    single = set(cells_in(re.sub(by, "", parts["parts"])))
    must(mines <= single and single - mines <= left - covered, "other cells")
    must(not few or left <= single | covered, "cells that it leaves out")
    must(few or single == mines, "cells that need not be mines")
    must(count == total + len(single), "another sum")
    number = reader.position.clue(clue) or 0
    must(count < number if few else count > number, "not too few or too many")
    return True


def more_than(reading: _Reading, known: Known, parts: Parts) -> bool:
    must(COUNTS[parts["count"]] == reading.reader.position.mines, "another number of mines")
    must(reading.reader.mines_left(known) < 0, "not too many")
    return True


def no_room(reading: _Reading, known: Known, parts: Parts) -> bool:
    mines = reading.reader.position.mines
    room = mines - reading.reader.mines_left(known) + len(reading.reader.unknown(known))
    must(COUNTS[parts["count"]] == mines and COUNTS[parts["room"]] == room < mines, "another number")
    return True


def packed(reading: _Reading, known: Known, parts: Parts) -> bool:
    reader, safe = reading.reader, parts["unknown"] is not None
    left, unknown = reader.mines_left(known), len(reader.unknown(known))
    total, covered, others = 0, set[Cell](), False
    clues = re.findall(rf"({CLUE})(?: \(([0-9]+) (more |)(?:safe cell|mine)s?\))?", parts["clues"])
    for name, number, more in clues:
        reading.named({"clue": name}, known)
        clue = cells_in(name)[0]
        seen, want = reader.left(clue, known), reader.need(clue, known)
        must(not seen & covered, "cells counted twice")
        count = len(seen) - want if safe else want
        must(len(clues) == 1 or COUNTS[number] == count, "another number of mines")
        around = reader.safe(clue, known) if safe else reader.mines(clue, known)
        must(len(clues) == 1 or bool(more) == bool(around), "more")
        others |= bool(around)
        total, covered = total + count, covered | seen
    must(COUNTS[parts["want"]] == total, "another sum")
    must(bool(parts["more"]) == others, "more of them, or not")
    if safe:
        must((COUNTS[parts["count"]], COUNTS[parts["unknown"]]) == (left, unknown), "another number")
        must(COUNTS[parts["room"]] == unknown - left < total, "there is room")
    else:
        must(COUNTS[parts["all"]] == reader.position.mines, "another number")
        must(COUNTS[parts["left"]] == left < total, "there is room")
    return True


def tried(reading: _Reading, known: Known, parts: Parts) -> None:
    if parts["count"] is not None:
        must(COUNTS[parts["count"]] == reading.reader.position.mines, "another number of mines")
    must(parts["count"] is not None or parts["clues"] is not None, "around what")
    clues = re.findall(CLUE, parts["clues"] or "")
    for clue in clues:
        reading.named({"clue": clue}, known)
    must([cells_in(clue)[0] for clue in clues] == list(reading.step.clues), "other clues")
    reading.concluded |= dict.fromkeys(cells_in(parts["cells"]), "mine" in parts["are"])


def summary(reading: _Reading, _: Known, parts: Parts) -> None:
    cells = cells_in(parts["cells"]) or list(reading.step.cells)
    mine = "mine" in parts["what"]
    must(not parts["count"] or COUNTS[parts["count"].lower()] == len(cells), "another number of cells")
    follows = dict(reading.reader.known)
    clues = list(reading.reader.position.where("012345678"))
    grown = True
    while grown:
        grown = False
        for clue in clues:
            left, need = reading.reader.left(clue, follows), reading.reader.need(clue, follows)
            if left and need in (0, len(left)):
                follows |= dict.fromkeys(left, need > 0)
                grown = True
    must(all(follows.get(cell) is mine for cell in cells), "single clues do not show that")
    reading.concluded |= dict.fromkeys(cells, mine)


def named_safe(reading: _Reading, _: Known, parts: Parts) -> None:
    (cell,) = cells_in(parts["cells"])
    must(reading.reader.position[cell] == "S", "the game does not say so")
    reading.concluded[cell] = False


C, WITH = rf"(?P<clue>{CLUE})", rf"(?P<with>(?:, with the mines? at {MANY},)?)"
NEEDS = rf"needs (?P<needed>{N}) (?P<more>(?:more )?)"
CLAIM = rf"(?P<cells>{MANY}) (?P<are>{SAFE_OR_MINE})"
OTHER = r"(?P<other>(?:other )?)"
CLAUSES: list[tuple[str, Callable[[_Reading, Known, Parts], object]]] = [
    (rf"(?P<cells>{ONE}) is named safe by the game", named_safe),
    (rf"{C} has no mine around it, so {CLAIM}", zero),
    (rf"{C} already has (?P<whole>[a-z ]+) at (?P<mines>{MANY}), so {CLAIM}", full),
    (
        (
            rf"{C}{WITH} {NEEDS}mines and touches only (?P<touched>{N}) {OTHER}closed cells, (?P<cells>{MANY}), "
            rf"so (?P<all>both|all {N}) are mines"
        ),
        all_mines,
    ),
    (
        rf"{C}{WITH} touches only one {OTHER}closed cell, (?P<cells>{ONE}), so (?P<again>{ONE}) is a mine",
        last,
    ),
    (
        (
            rf"{C}{WITH} touches only (?P<touched>{N}) {OTHER}closed cells, (?P<cells>{MANY}), "
            rf"so (?P<count>{N}) of them (?P<are>is a mine|are mines)"
        ),
        inside,
    ),
    (rf"{C}{WITH} allows at most (?P<count>{N}) of (?P<cells>{MANY}) to be (?P<mines>a mine|mines)", at_most),
    (
        (
            rf"{C}{WITH} {NEEDS}mines?, and (?P<outside>{MANY}) can hold at most (?P<most>{N}), "
            rf"so at least (?P<least>{N}) of (?P<cells>{MANY}) (?P<are>is a mine|are mines)"
        ),
        at_least,
    ),
    (rf"{C} touches (?P<cells>{MANY})", touches),
    (rf"{C}{WITH} {NEEDS}(?P<mines>mines?)", needs),
    (
        (
            rf"{C}{WITH} {NEEDS}(?P<mines>mines?); apart from (?P<safe>{MANY}), which (?P<be>is|are) safe, it touches "
            rf"(?P<cells>{MANY})"
        ),
        needs_beside,
    ),
    (
        (
            rf"(?P<whose>its mine is|its {N} mines are|its mine is one of|its {N} mines are among|that is|these are|"
            rf"that is one of|these are among) (?P<shared>{MANY}), so {CLAIM}"
        ),
        these_are,
    ),
    (rf"(?P<shared>{MANY}) (?P<give>gives?) at most (?P<most>{N}), so {CLAIM}", give_at_most),
    (rf"{C} has no mine, so {CLAIM}", has_none),
    (rf"{C} has (?P<whole>its mine|all its mines), (?P<mines>{MANY}), so {CLAIM}", has_all),
    (rf"{C} needs (?P<cells>{MANY}) to be (?P<mines>a mine|mines)", needs_these),
    (rf"there is no mine to be found, so {CLAIM}", no_mine),
    (rf"(?P<all>the only mine is|both mines are|all [0-9]+ mines are) found, so {CLAIM}", all_found),
    (rf"(?P<cells>{MANY}) must hold all the mines that are left", all_the_rest),
    (rf"(?P<count>{N}) mines? (?:is|are) left, and only (?P<room>{N}) unknown cells?, so {CLAIM}", all_left),
    (rf"{C} has (?P<count>{N}) mines? around it, (?P<cells>{MANY}): too many", too_many),
    (rf"{C} can have only (?P<count>{N}) mines?, (?P<cells>{MANY}): too few", too_few),
    (rf"{C} can have no mine at all", too_few_none),
    (
        (
            rf"{C} (?P<bound>can have at most|has at least) (?P<count>{N}) mines? around it, "
            r"which is too (?:few|many): (?P<parts>.*)"
        ),
        misfit,
    ),
    (r"there are more mines than the (?P<count>[0-9]+) on the board", more_than),
    (r"there is room for only (?P<room>[0-9]+) of the (?P<count>[0-9]+) mines", no_room),
    (
        (
            r"(?P<clues>the .*?)(?: touch different unknown cells, so together they)? (?:needs|need|has|have) "
            r"(?P<want>[0-9]+) (?P<more>(?:more )?)(?:mines?, and only (?P<left>[0-9]+) of the (?P<all>[0-9]+) mines "
            r"(?:is|are) left|safe cells?, and (?P<count>[0-9]+) of the (?P<unknown>[0-9]+) unknown cells that are "
            r"left (?:is a mine|are mines), so only (?P<room>[0-9]+) (?:is|are) safe)"
        ),
        packed,
    ),
    (
        r"all ways to lay the (?:(?P<count>[0-9]+) )?mines (?:of the board )?(?P<clues>around .* )?agree: " + CLAIM,
        tried,
    ),
    (rf"(?P<count>{N}) (?P<what>safe cells|mines) can be found one clue at a time(?:: (?P<cells>{MANY}))?", summary),
    (rf"single clues show that (?P<cells>{ONE}) (?P<what>is safe|is a mine)(?P<count>)?", summary),
]
SPEAKS_OF_ALL = {all_mines, last, inside, at_least, touches}
SPEAKS_OF_MORE = {all_mines, last, inside, at_least, needs, needs_beside}
