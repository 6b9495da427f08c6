"""A step in words that a beginner understands. Every sentence is made from the structure of the step.

`TEMPLATES` has one entry per kind of sentence. To translate the package, translate these, and the few words below
them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mineproof.board.position import MINES, UNKNOWN
from mineproof.explain.argument import bounds_on
from mineproof.explain.patterns import open_cells
from mineproof.explain.step import ONE_CLUE, SUMMARY, TWO_CLUES
from mineproof.logic.constraints import COUNT
from mineproof.logic.deduction import MOST_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Set

    from mineproof.board.grid import Cell
    from mineproof.board.position import Position
    from mineproof.explain.argument import Argument, Implication
    from mineproof.explain.step import Step

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")
ALL = {0: "there is no mine to be", 1: "the only mine is", 2: "both mines are"}
TEMPLATES = {
    "named": "{cell} is named safe by the game.",
    "zero": "{clue} has no mine around it, so {cells} {are} safe.",
    "full": "{clue} already has {mines}, so {cells} {are} safe.",
    "all": "{clue}{with_mines} needs {want} and touches only {count} {closed}, {cells}, so {both} mines.",
    "last": "{clue}{with_mines} touches only one {closed}, {cells}, so {cells} is a mine.",
    "apart from": "Apart from {cells}, which {are} safe, {first}",
    "inside": "{inner}{with_inner} touches only {count} {closed}, {shared}, so {held}.",
    "at most": "{inner}{with_inner} allows at most {most} of {shared} to be {a_mine}.",
    "at least": "{inner}{with_inner} needs {inner_want}, and {outside} can hold at most {most}, "
    "so at least {least} of {shared} {is_mine}.",
    "others safe": "{outer} touches {all_cells}. {there}, so {rest} {are} safe.",
    "others safe, with mines": "{outer} already has {mines} and needs {want}. {there}, so {rest} {are} safe.",
    "others mines": "{outer}{with_outer} needs {want}. {shared} {give} {given}, so {rest} {are_mines}.",
    "suppose": "Suppose {cell} is {a_mine}.",
    "fact safe": "{clue} has {mines}, so {cells} {are} safe.",
    "fact mines": "{clue} needs {cells} to be {a_mine}.",
    "then safe": "Then {clue} has {mines}, so {cells} {are} safe.",
    "then mines": "Then {clue} needs {cells} to be {a_mine}.",
    "then count safe": "Then {all} found, so {cells} {are} safe.",
    "then count mines": "Then {cells} must hold all the mines that are left.",
    "too many": "But then {clue} has {found} around it, {cells}: too many.",
    "too few": "But then {clue} can have only {found}, {cells}: too few.",
    "too few, none": "But then {clue} can have no mine at all.",
    "count, too many": "But then there are more mines than the {mines} on the board.",
    "count, too few": "But then there is room for only {room} of the {mines} mines.",
    "all found": "{all} found, so {cells} {are} safe.",
    "all left": "{left_mines} left, and only {left_cells}, so {cells} {are_mines}.",
    "packed, mines": "But {clues} touch different unknown cells, so together they need {want} more mines. "
    "Only {left} of the {mines} {are} left.",
    "packed, mines by": "{clue} ({count} more)",
    "packed, mines of one": "But {clues}, and only {left} of the {mines} {are} left.",
    "packed, mines by of one": "{clue} needs {count} more mine{s}",
    "packed, safe": "But {clues} touch different unknown cells, so together they have {want} safe cells. "
    "Of the {unknown} unknown cells that are left, {left_mines}, so only {left} {are} safe.",
    "packed, safe by": "{clue} ({count} safe)",
    "packed, safe of one": "But {clues}. Of the {unknown} unknown cells that are left, {left_mines}, "
    "so only {left} {are} safe.",
    "packed, safe by of one": "{clue} has {count} safe cell{s}",
    "allow too few": "But then {clue} can have at most {found} around it, which is too few: {parts}.",
    "allow too few, by": "at most {count} of {cells} by {clue}",
    "force too many": "But then {clue} has at least {found} around it, which is too many: {parts}.",
    "force too many, by": "{count} of {cells} by {clue}",
    "cases": "There are two cases.",
    "case": "If {cell} is {a_mine}, {first}",
    "first case": "First, let {cell} be {a_mine}.",
    "second case": "Now let {cell} be {a_mine}.",
    "or": "Either {cell} is {a_mine}, or {first}",
    "otherwise": "Otherwise {cell} is {a_mine}.",
    "either way": "Either way, {first}",
    "so": "So {cells} {are} {verdict}.",
    "likewise": "So {cells} {are} {verdict}; and in the same way {others}.",
    "tried": "All ways to lay the mines around {clues}{count} agree: {cells} {are} {verdict}.",
    "summary of one": "Single clues show that {cells} is a {what}.",
    "summary": "{count} {what} can be found one clue at a time{cells}.",
}


def sentence(position: Position, step: Step, known: Mapping[int, bool]) -> str:
    """The sentences of a step."""
    return _Words(position, step, known).text()


def listed(names: Iterable[str]) -> str:
    """As a person lists them.

    >>> listed(["A1", "B1", "C1"])
    'A1, B1 and C1'
    """
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def clue_name(position: Position, clue: Cell) -> str:
    """The name of a clue in sentences; a zero is shown as a blank cell."""
    shown = position.clue(clue)
    return f"the {shown} at {clue}" if shown else f"the blank cell {clue}"


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
        if step.technique == SUMMARY:
            return self._summary()
        if step.level == ONE_CLUE:
            return self._one_clue(step.clues[0], step.cells, step.mine, self.known)
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
        """Known mines around a clue: those shown, and those that the step uses."""
        index = self.grid.index
        return [
            cell
            for cell in self.grid.neighbours(clue)
            if self.position[cell] in MINES or self.known.get(index(cell)) is True
        ]

    def _with_mines(self, clue: Cell) -> str:
        """The known mines around a clue, to follow its name."""
        mines = self._known_mines(clue)
        if not mines:
            return ""
        return f", with the {'mine' if len(mines) == 1 else 'mines'} at {self._names(mines)},"

    def _apart_from_safe(self, clue: Cell, first: str, known: Mapping[int, bool]) -> str:
        """A sentence on the closed cells around a clue, when some of them are known to be safe."""
        cells = self.grid.neighbours(clue)
        safe = [cell for cell in cells if self.position[cell] == "S" or known.get(self.grid.index(cell)) is False]
        return self._say("apart from", cells=self._names(safe), are=_are(safe), first=_inside(first)) if safe else first

    def _all_mines(self) -> str:
        return ALL.get(self.position.mines, f"all {self.position.mines} mines are")

    # -- one clue and two ----------------------------------------------------------------------------------------

    def _one_clue(self, clue: Cell, cells: Iterable[Cell | int], mine: bool, known: Mapping[int, bool]) -> str:
        name = capital(self._clue(clue))
        if mine:
            left, want = open_cells(self.position, clue, known)
            mines = self._known_mines(clue)
            words = {
                "clue": name,
                "cells": self._names(left),
                "with_mines": self._with_mines(clue),
                "closed": _closed(len(left), bool(mines)),
            }
            if want == 1:
                return self._apart_from_safe(clue, self._say("last", **words), known)
            both = "both are" if want == 2 else f"all {number(want)} are"
            needs = _more_mines(want) if mines else _mines(want)
            first = self._say("all", count=number(want), want=needs, both=both, **words)
            return self._apart_from_safe(clue, first, known)
        mines = self._known_mines(clue)
        safe = list(cells)
        if not mines:
            return self._say("zero", clue=name, cells=self._names(safe), are=_are(safe))
        whole = {1: "its mine", 2: "both its mines"}.get(len(mines), f"all {number(len(mines))} of its mines")
        return self._say(
            "full", clue=name, mines=f"{whole} at {self._names(mines)}", cells=self._names(safe), are=_are(safe)
        )

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
        words = {
            "inner": capital(self._clue(inner)),
            "with_inner": self._with_mines(inner),
            "shared": self._names(shared),
            "outside": self._names(outside) if outside else "",
        }
        least = inner_want - len(outside)
        if inner_want == 0:  # it settles its own cells
            first = self._one_clue(inner, shared, False, self.known)
            return f"{first} {self._one_clue(outer, rest, True, {**self.known, **dict.fromkeys(shared, False)})}"
        if inner_want == len(inner_cells):
            first = self._one_clue(inner, inner_cells, True, self.known)
        elif not outside:
            held = "that is a mine" if len(shared) == 1 else f"{number(inner_want)} of them {_is_mine(inner_want)}"
            closed = _closed(len(shared), bool(words["with_inner"]))
            first = self._say("inside", count=number(len(shared)), closed=closed, held=held, **words)
        elif step.mine:
            most = min(inner_want, len(shared))
            first = self._say("at most", most=number(most), a_mine="a mine" if most == 1 else "mines", **words)
        else:
            first = self._say(
                "at least",
                inner_want=_mines(inner_want),
                most=number(len(outside)),
                least=number(least),
                is_mine=_is_mine(least),
                **words,
            )
        given = min(inner_want, len(shared)) if step.mine else least
        return f"{first} {self._others(outer, outer_want, shared, rest, given)}"

    def _others(self, outer: Cell, want: int, shared: Set[int], rest: Set[int], given: int) -> str:
        """What the outer clue says about its other cells, given the number of mines in the shared ones."""
        known = self._known_mines(outer)
        words = {
            "outer": capital(self._clue(outer)),
            "want": _more_mines(want) if known else _mines(want),
            "shared": self._names(shared),
            "rest": self._names(rest),
            "are": _are(rest),
        }
        if self.step.mine:
            return self._say(
                "others mines",
                with_outer=self._with_mines(outer),
                give="gives" if len(shared) == 1 else "give",
                given=f"only {number(given)}",
                are_mines=_is_mine(len(rest)),
                **words,
            )
        if len(shared) == want:
            there = f"{'That is' if want == 1 else 'These are'} {words['shared']}"
        else:
            there = f"{'That is one of' if want == 1 else 'These are among'} {words['shared']}"
        if known:
            return self._say("others safe, with mines", mines=self._names(known), there=there, **words)
        whose = "Its mine is" if want == 1 else f"Its {number(want)} mines are"
        there = there.replace("That is", whose).replace("These are", whose)
        return self._say("others safe", all_cells=self._names(shared | rest), there=there, **words)

    def _summary(self) -> str:
        cells = self.step.cells
        names = f": {self._names(cells)}" if len(cells) <= MOST_NAMES else ""
        what = "mine" if self.step.mine else "safe cell"
        if len(cells) == 1:
            return self._say("summary of one", what=what, cells=self._names(cells))
        what += "s"
        return self._say("summary", count=capital(number(len(cells))), what=what, cells=names)

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
            left = self.position.mines - self.position.known_mines - sum(self.known.values())
            return self._say(
                "all left" if step.mine else "all found",
                all=capital(self._all_mines()),
                left_mines=capital(f"{_mines(left)} {'is' if left == 1 else 'are'}"),
                left_cells=f"{number(left)} unknown {'cell' if left == 1 else 'cells'}",
                cells=self._names(step.cells),
                are=_are(step.cells),
                are_mines=_is_mine(len(step.cells)),
            )
        supposed = self.grid.index(first)
        facts, rest = self._apart(step.argument, supposed)
        known = {**self.known, **{cell: fact.mine for fact in facts for cell in fact.cells}}
        said = [self._follows("fact", fact, known) for fact in facts]
        said.append(self._say("suppose", cell=str(first), a_mine="safe" if step.mine else "a mine"))
        told = self._follow(rest, {**known, supposed: not step.mine})
        said += [
            told[0].removeprefix("But ").replace("then ", "Then ", 1) if told[0].startswith("But then") else told[0]
        ]
        said += told[1:]
        if others:
            said.append(self._say("likewise", cells=str(first), are="is", verdict=verdict, others=self._names(others)))
        else:
            said.append(self._say("so", cells=str(first), are="is", verdict=verdict))
        return " ".join(said)

    def _apart(self, argument: Argument, supposed: int) -> tuple[list[Implication], Argument]:
        """What follows without the supposition, and the argument without that."""
        depends = {supposed}
        facts, rest = [], []
        for link in argument.implied:
            around = set() if link.clue == COUNT else self._around(link.clue)
            if link.clue == COUNT or around & depends:
                depends.update(link.cells)
                rest.append(link)
            else:
                facts.append(link)
        return facts, replace(argument, implied=tuple(rest))

    def _around(self, clue: int) -> set[int]:
        return {self.grid.index(cell) for cell in self.grid.neighbours(self.grid.cell(clue))}

    def _follows(self, kind: str, link: Implication, known: Mapping[int, bool]) -> str:
        """What one clue says, given what is known."""
        if link.clue == COUNT:
            kind += " count"
        mines = [] if link.clue == COUNT else self._mines_around(link.clue, known)
        clue = "" if link.clue == COUNT else self._clue(link.clue)
        return self._say(
            f"{kind} {'mines' if link.mine else 'safe'}",
            clue=capital(clue) if kind == "fact" else clue,
            cells=self._names(link.cells),
            are=_are(link.cells),
            a_mine="a mine" if len(link.cells) == 1 else "mines",
            mines=f"{'its mine' if len(mines) == 1 else 'all its mines'}, {self._names(mines)}" if mines else "no mine",
            all=self._all_mines(),
        )

    def _mines_around(self, clue: int, known: Mapping[int, bool]) -> list[Cell]:
        cells = self.grid.neighbours(self.grid.cell(clue))
        return [cell for cell in cells if self.position[cell] in MINES or known.get(self.grid.index(cell)) is True]

    def _follow(self, argument: Argument, known: dict[int, bool]) -> list[str]:
        said = []
        known = dict(known)
        for link in argument.implied:
            said.append(self._follows("then", link, known))
            known.update(dict.fromkeys(link.cells, link.mine))
        if argument.split is None:
            return [*said, self._wrong(argument.wrong, known)]
        return said + self._cases(argument, argument.split, known)

    def _cases(self, argument: Argument, split: int, known: dict[int, bool]) -> list[str]:
        """Both cases; a common ending is told once."""
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
        said = []
        if mined and safe:
            said.append(self._say("cases"))
            for a_mine, (first, *others) in (("a mine", mined), ("safe", safe)):
                said += [self._say("case", cell=cell, a_mine=a_mine, first=_inside(first)), *others]
        else:  # in one case nothing else happens
            own, here, there = (mined, "a mine", "safe") if mined else (safe, "safe", "a mine")
            if len(own) == 1:
                said.append(self._say("or", cell=cell, a_mine=there, first=_inside(own[0]).removeprefix("then ")))
            else:
                said += [self._say("case", cell=cell, a_mine=here, first=_inside(own[0])), *own[1:]]
                said.append(self._say("otherwise", cell=cell, a_mine=there))
        if alike:
            alike[0] = self._say("either way", first=_inside(alike[0]).removeprefix("then "))
        return said + alike

    def _misfit(self, wrong: tuple[int, ...], known: Mapping[int, bool]) -> str:
        """Mines that are known around a clue, and those that others need there, or allow, are too many or too few."""
        (cells, need), *others = (open_cells(self.position, self.grid.cell(clue), known) for clue in wrong)
        most, least = bounds_on(cells, others)
        kind = "allow too few" if most < need else "force too many"
        mines = self._mines_around(wrong[0], known)
        parts = list(map(str, mines))
        for clue, (seen, want) in zip(wrong[1:], others, strict=True):
            shared = seen & cells
            count = min(want, len(shared)) if most < need else max(0, want - len(seen - shared))
            if count:
                words = {"count": number(count), "cells": self._names(shared), "clue": self._clue(clue)}
                parts.append(self._say(f"{kind}, by", **words))
        if most < need:
            parts += map(str, map(self.grid.cell, sorted(cells.difference(*(seen for seen, _ in others)))))
        found = len(mines) + (most if most < need else least)
        return self._say(kind, clue=self._clue(wrong[0]), found=_mines(found), parts=listed(parts) if parts else "")

    def _wrong(self, wrong: tuple[int, ...], known: Mapping[int, bool]) -> str:
        if wrong[0] != COUNT and len(wrong) > 1:
            return self._misfit(wrong, known)
        if wrong[0] != COUNT:
            name = self._clue(wrong[0])
            mines = self._mines_around(wrong[0], known)
            want = self.position.clue(self.grid.cell(wrong[0]))
            assert want is not None
            if len(mines) > want:
                return self._say("too many", clue=name, found=_mines(len(mines)), cells=self._names(mines))
            left, _ = open_cells(self.position, self.grid.cell(wrong[0]), known)
            cells: list[Cell | int] = [*mines, *left]
            if not cells:
                return self._say("too few, none", clue=name)
            return self._say("too few", clue=name, found=_mines(len(cells)), cells=self._names(cells))
        count = self.position.mines
        left_mines = count - self.position.known_mines - sum(known.values())
        unknown = sum(self.grid.index(cell) not in known for cell in self.position.where(UNKNOWN))
        if len(wrong) == 1:
            room = str(count - left_mines + unknown)
            return self._say("count, too many" if left_mines < 0 else "count, too few", mines=str(count), room=room)
        return self._packed(wrong[1:], known, left_mines, unknown)

    def _packed(self, clues: tuple[int, ...], known: Mapping[int, bool], left: int, unknown: int) -> str:
        """Clues with different cells want more mines, or more safe cells, than are left."""
        wants = [open_cells(self.position, self.grid.cell(clue), known) for clue in clues]
        mines = [want for _, want in wants]
        kind, counts, room = "mines", mines, left
        if sum(mines) <= left:
            kind, counts, room = "safe", [len(cells) - want for cells, want in wants], unknown - left
        one = " of one" if len(clues) == 1 else ""
        large = max(sum(counts), self.position.mines if kind == "mines" else unknown) >= len(NUMBERS)
        told = str if large else number  # all in words, or none
        parts = (
            self._say(f"packed, {kind} by{one}", clue=self._clue(clue), count=told(count), s="" if count == 1 else "s")
            for clue, count in zip(clues, counts, strict=True)
        )
        return self._say(
            f"packed, {kind}{one}",
            clues=listed(parts),
            want=told(sum(counts)),
            mines=told(self.position.mines),
            unknown=told(unknown),
            left_mines=f"{told(left)} {_is_mine(left)}",
            left=told(room) if room else "none",
            are="is" if room == 1 else "are",
        )


def _closed(count: int, other: bool) -> str:
    """Closed cells; other ones, if some have been named."""
    return f"{'other ' if other else ''}closed {'cell' if count == 1 else 'cells'}"


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
    """A sentence as it continues after a comma."""
    text = sentence.removeprefix("But ")
    return text[0].lower() + text[1:]


def capital(text: str) -> str:
    """As a sentence begins."""
    return text[0].upper() + text[1:]
