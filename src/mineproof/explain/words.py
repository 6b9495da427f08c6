"""A step in words that a beginner understands. Every sentence is made from the structure of the step.

`TEMPLATES` has one entry per kind of sentence: whoever translates the package translates these, and the few words
below them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mineproof.board.position import MINES, UNKNOWN
from mineproof.explain.argument import bounds_on
from mineproof.explain.patterns import open_cells
from mineproof.explain.step import ONE_CLUE, SUMMARY, TWO_CLUES
from mineproof.logic.constraints import COUNT
from mineproof.logic.deduction import MOST_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from mineproof.board.grid import Cell
    from mineproof.board.position import Position
    from mineproof.explain.argument import Argument
    from mineproof.explain.step import Step

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")
ALL = {1: "The only mine is", 2: "Both mines are"}
TEMPLATES = {
    "named": "{cells} {are} named safe by the game.",
    "zero": "{clue} has no mine around it, so {cells} {are} safe.",
    "full": "{clue} already has {mines}, so {cells} {are} safe.",
    "all": "{clue}{with_mines} touches only {count} closed {cells_word}{besides}, {cells}: {both} mines.",
    "last": "{clue}{with_mines} touches only one closed cell{besides}, {cells}, so that is a mine.",
    "inside, mines": "{inner}{with_inner} touches only {shared}, so {held}. "
    "{outer}{with_outer} touches {these} and {rest}, so {rest} {are_mines}.",
    "inside, safe": "{inner}{with_inner} touches only {shared}, so {held}. "
    "{outer}{with_outer} touches {these} as well, so {there}, and {rest} {are} safe.",
    "overlap, mines": "{inner}{with_inner} allows at most {most} of {shared} to be {a_mine}. "
    "{outer}{with_outer} needs {want} among these and {rest}, so {rest} {are_mines}.",
    "overlap, safe": "{inner}{with_inner} needs {inner_want}, and {outside} can hold at most {most}, "
    "so at least {least} of {shared} {is_mine}. "
    "{outer}{with_outer} touches {these} as well, so {there}, and {rest} {are} safe.",
    "suppose": "Suppose {cell} were {a_mine}.",
    "then safe": "Then {clue} has all its mines, so {cells} {are} safe.",
    "then mines": "Then {clue} needs {cells} to be {mines}.",
    "then count safe": "Then all mines are found, so {cells} {are} safe.",
    "then count mines": "Then {cells} must hold all the mines that are left.",
    "too many": "But then {clue} has {found} mines around it: too many.",
    "too few": "But then {clue} can have {found}: too few.",
    "count, too many": "But then there are more mines than the {mines} on the board.",
    "count, too few": "But then there is no room for the {mines} mines on the board.",
    "all found": "{all} found, so {cells} {are} safe.",
    "all left": "Of the {mines} mines, as many are left as there are closed cells, so {cells} {are_mines}.",
    "packed, mines": "But {clues} touch different cells and together need {want} more mines, "
    "and only {left} {are} left.",
    "packed, mines of one": "But {clues} needs {want} more, and only {left} {are} left.",
    "packed, safe of one": "But {want} of the cells around {clues} are safe, and only {left} safe {cells_are} left.",
    "packed, safe": "But {clues} touch different cells, of which together {want} are safe, "
    "and only {left} safe {cells_are} left.",
    "allow too few": "But then {clue} can have at most {found} around it: {parts}.",
    "allow too few, by": "{count} that {clue} allows",
    "force too many": "But then {clue} has at least {found} around it: {parts}.",
    "force too many, by": "{count} that {clue} needs there",
    "case": "If {cell} is {a_mine}, {first}",
    "first case": "First, let {cell} be {a_mine}.",
    "second case": "Now let {cell} be {a_mine}.",
    "may be": "{cell} may be {a_mine}. If it is not, {first}",
    "either way": "Either way, {first}",
    "so": "So {cells} {are} {verdict}.",
    "likewise": "So {cells} {are} {verdict}; and in the same way {others}.",
    "tried": "All ways to lay the mines around {clues}{count} agree: {cells} {are} {verdict}.",
    "summary of one": "Single clues show that {cells} is a {what}.",
    "summary": "Single clues show {count} {what}, one after the other{cells}.",
}


def sentence(position: Position, step: Step, known: Mapping[int, bool]) -> str:
    """What the step says."""
    return _Words(position, step, known).text()


def listed(names: Iterable[str]) -> str:
    """As a person lists them.

    >>> listed(["A1", "B1", "C1"])
    'A1, B1 and C1'
    """
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def clue_name(position: Position, clue: Cell) -> str:
    """A clue as sentences call it."""
    return f"the {position.clue(clue)} at {clue}"


def number(count: int) -> str:
    """In words, if it is small."""
    return NUMBERS[count] if 0 <= count < len(NUMBERS) else str(count)


def _are(cells: Iterable[object]) -> str:
    return "is" if len(list(cells)) == 1 else "are"


class _Words:
    def __init__(self, position: Position, step: Step, known: Mapping[int, bool]) -> None:
        self.position = position
        self.step = step
        self.known = known
        self.grid = position.grid

    def text(self) -> str:
        """The whole step."""
        step = self.step
        if not step.clues and not step.mine_count:
            return self._say("named", cells=self._names(step.cells), are=_are(step.cells))
        if step.technique == SUMMARY:
            return self._summary()
        if step.level == ONE_CLUE:
            return self._one_clue()
        if step.level == TWO_CLUES:
            return self._two_clues()
        return self._argued()

    def _say(self, kind: str, **words: str) -> str:
        return TEMPLATES[kind].format(**words)

    # -- names ---------------------------------------------------------------------------------------------------

    def _names(self, cells: Iterable[Cell | int]) -> str:
        found = sorted(self.grid.cell(cell) if isinstance(cell, int) else cell for cell in cells)
        return listed(str(cell) for cell in found)

    def _clue(self, clue: Cell | int) -> str:
        return clue_name(self.position, self.grid.cell(clue) if isinstance(clue, int) else clue)

    def _known_mines(self, clue: Cell) -> list[Cell]:
        """Around a clue: those that are shown, and those that the step uses."""
        index = self.grid.index
        return [
            cell
            for cell in self.grid.neighbours(clue)
            if self.position[cell] in MINES or self.known.get(index(cell)) is True
        ]

    def _with_mines(self, clue: Cell) -> str:
        """What is known around a clue, after its name."""
        mines = self._known_mines(clue)
        if not mines:
            return ""
        return f", with the {'mine' if len(mines) == 1 else 'mines'} at {self._names(mines)},"

    def _besides(self, clue: Cell) -> str:
        index = self.grid.index
        safe = [cell for cell in self.grid.neighbours(clue) if self.known.get(index(cell)) is False]
        return f" besides {self._names(safe)}" if safe else ""

    # -- one clue and two ----------------------------------------------------------------------------------------

    def _one_clue(self) -> str:
        step, (clue,) = self.step, self.step.clues
        name = _capital(self._clue(clue))
        cells = self._names(step.cells)
        if step.mine:
            left, want = open_cells(self.position, clue, self.known)
            words = {
                "clue": name,
                "cells": self._names(left),
                "with_mines": self._with_mines(clue),
                "besides": self._besides(clue),
            }
            if want == 1:
                return self._say("last", **words)
            both = "both are" if want == 2 else "all are"
            return self._say("all", count=number(want), cells_word="cells", both=both, **words)
        mines = self._known_mines(clue)
        if not mines:
            return self._say("zero", clue=name, cells=cells, are=_are(step.cells))
        whole = {1: "its mine", 2: "both its mines"}.get(len(mines), f"all its {number(len(mines))} mines")
        mines_text = f"{whole} at {self._names(mines)}"
        return self._say("full", clue=name, mines=mines_text, cells=cells, are=_are(step.cells))

    def _two_clues(self) -> str:
        """One clue bounds the mines in the cells that both see; with that the other settles its other cells."""
        step = self.step
        settled = {self.grid.index(cell) for cell in step.cells}
        wants = {clue: open_cells(self.position, clue, self.known) for clue in step.clues}
        outer = next(
            clue
            for clue in step.clues
            if settled <= wants[clue][0] and settled.isdisjoint(wants[_other(step.clues, clue)][0])
        )
        inner = _other(step.clues, outer)
        (inner_cells, inner_want), (outer_cells, outer_want) = wants[inner], wants[outer]
        shared, outside = inner_cells & outer_cells, inner_cells - outer_cells
        rest = outer_cells - shared
        these = {1: "it", 2: "these two"}.get(len(shared), "these")
        words = {
            "inner": _capital(self._clue(inner)),
            "outer": _capital(self._clue(outer)),
            "with_inner": self._with_mines(inner),
            "with_outer": self._with_mines(outer),
            "shared": self._names(shared),
            "these": these,
            "rest": self._names(rest),
            "are": _are(rest),
            "are_mines": _is_mine(len(rest)),
        }
        if outer_want == 1 and not words["with_outer"]:
            words["there"] = "its mine is one of these" if len(shared) > 1 else "that is its mine"
        else:
            words["there"] = f"the {_mines(outer_want)} that it needs {'is' if outer_want == 1 else 'are'} among these"
        if not outside:
            held = "that is a mine" if len(shared) == 1 else f"{number(inner_want)} of them {_is_mine(inner_want)}"
            return self._say("inside, mines" if step.mine else "inside, safe", held=held, **words)
        if step.mine:
            most = min(inner_want, len(shared))
            a_mine = "a mine" if most == 1 else "mines"
            return self._say("overlap, mines", most=number(most), a_mine=a_mine, want=_mines(outer_want), **words)
        least = inner_want - len(outside)
        return self._say(
            "overlap, safe",
            inner_want=_mines(inner_want),
            outside=self._names(outside),
            most=number(len(outside)),
            least=number(least),
            is_mine=_is_mine(least),
            **words,
        )

    def _summary(self) -> str:
        cells = self.step.cells
        names = f": {self._names(cells)}" if len(cells) <= MOST_NAMES else ""
        what = "mine" if self.step.mine else "safe cell"
        if len(cells) == 1:
            return self._say("summary of one", what=what, cells=self._names(cells))
        what += "s"
        return self._say("summary", count=str(len(cells)), what=what, cells=names)

    # -- arguments -----------------------------------------------------------------------------------------------

    def _argued(self) -> str:
        step = self.step
        first, *others = step.cells
        verdict = _verdict(step.mine, 1)
        if step.argument is None:
            return self._say(
                "tried",
                clues=listed(map(self._clue, step.clues)) if step.clues else "the clues",
                count=f" with {self.position.mines} mines in all" if step.mine_count else "",
                cells=self._names(step.cells),
                are=_are(step.cells),
                verdict=_verdict(step.mine, len(step.cells)),
            )
        if step.argument.wrong == (COUNT,) and not step.argument.implied:
            return self._say(
                "all left" if step.mine else "all found",
                all=ALL.get(self.position.mines, f"All {self.position.mines} mines are"),
                mines=str(self.position.mines),
                cells=self._names(step.cells),
                are=_are(step.cells),
                are_mines=_is_mine(len(step.cells)),
            )
        supposed = self._say("suppose", cell=str(first), a_mine="safe" if step.mine else "a mine")
        known = {**self.known, self.grid.index(first): not step.mine}
        parts = [supposed, *self._follow(step.argument, known)]
        if others:
            parts.append(self._say("likewise", cells=str(first), are="is", verdict=verdict, others=self._names(others)))
        else:
            parts.append(self._say("so", cells=str(first), are="is", verdict=verdict))
        return " ".join(parts)

    def _follow(self, argument: Argument, known: dict[int, bool]) -> list[str]:
        said = []
        known = dict(known)
        for step in argument.implied:
            counted = "count " if step.clue == COUNT else ""
            said.append(
                self._say(
                    f"then {counted}{'mines' if step.mine else 'safe'}",
                    clue="" if counted else self._clue(step.clue),
                    cells=self._names(step.cells),
                    are=_are(step.cells),
                    mines="a mine" if len(step.cells) == 1 else "mines",
                )
            )
            known.update(dict.fromkeys(step.cells, step.mine))
        if argument.split is None:
            said.append(self._wrong(argument.wrong, known))
            return said
        return said + self._cases(argument, argument.split, known)

    def _cases(self, argument: Argument, split: int, known: dict[int, bool]) -> list[str]:
        """Both cases; what they end with alike is said once."""
        mined, safe = (
            self._follow(case, {**known, split: mine}) for case, mine in zip(argument.cases, (True, False), strict=True)
        )
        cell = str(self.grid.cell(split))
        if any(case.split is not None and not case.implied for case in argument.cases):
            first = self._say("first case", cell=cell, a_mine="a mine")
            return [first, *mined, self._say("second case", cell=cell, a_mine="safe"), *safe]
        same, most = 0, min(len(mined), len(safe), max(len(mined), len(safe)) - 1)
        while same < most and mined[-same - 1] == safe[-same - 1]:
            same += 1
        alike = mined[len(mined) - same :]
        del mined[len(mined) - same :], safe[len(safe) - same :]
        told = [("case", "a mine", mined), ("case", "safe", safe)]
        if not mined:  # a case in which nothing else happens is only named
            told = [("may be", "a mine", safe)]
        elif not safe:
            told = [("may be", "safe", mined)]
        said = []
        for kind, a_mine, (first, *others) in told:
            said += [self._say(kind, cell=cell, a_mine=a_mine, first=_inside(first)), *others]
        if alike:
            alike[0] = self._say("either way", first=_inside(alike[0]).removeprefix("then "))
        return said + alike

    def _misfit(self, wrong: tuple[int, ...], known: Mapping[int, bool]) -> str:
        """Mines that are known around a clue, and those that others need there, or allow, are too many or too few."""
        (cells, need), *others = (open_cells(self.position, self.grid.cell(clue), known) for clue in wrong)
        most, least = bounds_on(cells, others)
        kind = "allow too few" if most < need else "force too many"
        around = self.grid.neighbours(self.grid.cell(wrong[0]))
        mines = [c for c in around if self.position[c] in MINES or known.get(self.grid.index(c)) is True]
        parts = list(map(str, mines))
        for clue, (seen, want) in zip(wrong[1:], others, strict=True):
            count = min(want, len(seen & cells)) if most < need else max(0, want - len(seen - cells))
            if count:
                parts.append(self._say(f"{kind}, by", count=number(count), clue=self._clue(clue)))
        if most < need:
            parts += map(str, map(self.grid.cell, sorted(cells.difference(*(seen for seen, _ in others)))))
        found = len(mines) + (most if most < need else least)
        return self._say(kind, clue=self._clue(wrong[0]), found=_mines(found), parts=listed(parts) if parts else "")

    def _wrong(self, wrong: tuple[int, ...], known: Mapping[int, bool]) -> str:
        if wrong[0] != COUNT and len(wrong) > 1:
            return self._misfit(wrong, known)
        if wrong[0] != COUNT:
            cells = self.grid.neighbours(self.grid.cell(wrong[0]))
            mines = sum(self.position[c] in MINES or known.get(self.grid.index(c)) is True for c in cells)
            want = self.position.clue(self.grid.cell(wrong[0]))
            assert want is not None
            if mines > want:
                return self._say("too many", clue=self._clue(wrong[0]), found=number(mines))
            closed = sum(self.position[c] in UNKNOWN and self.grid.index(c) not in known for c in cells)
            found = f"only {number(mines + closed)}" if mines + closed else "none"
            return self._say("too few", clue=self._clue(wrong[0]), found=found)
        count = self.position.mines
        left = count - self.position.known_mines - sum(known.values())
        if len(wrong) == 1:
            return self._say("count, too many" if left < 0 else "count, too few", mines=str(count))
        wants = [open_cells(self.position, self.grid.cell(clue), known) for clue in wrong[1:]]
        clues = listed(map(self._clue, wrong[1:]))
        alone = " of one" if len(wants) == 1 else ""
        want = sum(mines for _, mines in wants)
        if want > left:
            return self._say(
                "packed, mines" + alone,
                clues=clues,
                want=number(want),
                left=number(left),
                are="is" if left == 1 else "are",
            )
        unknown = sum(self.grid.index(cell) not in known for cell in self.position.where(UNKNOWN))
        safe = sum(len(cells) - mines for cells, mines in wants)
        return self._say(
            "packed, safe" + alone,
            clues=clues,
            want=number(safe),
            left=number(unknown - left),
            cells_are="cell is" if unknown - left == 1 else "cells are",
        )


def _is_mine(count: int) -> str:
    return "is a mine" if count == 1 else "are mines"


def _more_mines(count: int) -> str:
    return f"{number(count)} more {'mine' if count == 1 else 'mines'}"


def _mines(count: int) -> str:
    return f"{number(count)} {'mine' if count == 1 else 'mines'}"


def _verdict(mine: bool, cells: int) -> str:
    return "safe" if not mine else "a mine" if cells == 1 else "mines"


def _other(clues: tuple[Cell, ...], clue: Cell) -> Cell:
    return clues[1] if clues[0] == clue else clues[0]


def _inside(sentence: str) -> str:
    """A sentence as it goes on after a comma."""
    text = sentence.removeprefix("But ")
    return text[0].lower() + text[1:]


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]
