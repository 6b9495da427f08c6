"""A step in words that a beginner understands. Every sentence is made from the structure of the step.

A sentence describes the position as its reader knows it after all earlier steps. Cells that these have settled are no
longer counted as unknown; if they are safe, the sentence names them.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from mineproof.board.position import MINES, UNKNOWN
from mineproof.explain.argument import bounds_on
from mineproof.explain.patterns import inner_and_outer, open_cells
from mineproof.explain.phrases import Amount, Names, listed, parts_listed, phrase, sentence
from mineproof.explain.step import ONE_CLUE, SUMMARY, TWO_CLUES
from mineproof.logic.constraints import COUNT
from mineproof.logic.deduction import MOST_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from mineproof.board.grid import Cell
    from mineproof.board.position import Position
    from mineproof.explain.argument import Argument, Implication
    from mineproof.explain.step import ExplanationStep

    Known = Mapping[int, bool]


class _Clause(NamedTuple):
    """Part of an argument, and the frame in which it usually stands."""

    text: str
    frame: str = ""

    def framed(self, frame: str | None = None) -> str:
        """The clause in a frame: its own, or another."""
        frame = self.frame if frame is None else frame
        return phrase(frame, clause=self.text) if frame else self.text


def text_of(position: Position, step: ExplanationStep, known: Known) -> str:
    """The sentences of a step; ``known`` has the cells around its clues that earlier steps have settled."""
    return " ".join(sentence(clause) for clause in _Words(position, step, known).clauses())


def clue_name(position: Position, clue: Cell) -> str:
    """The name of a clue in sentences; a zero is shown as a blank cell."""
    shown = position.clue(clue)
    return phrase("clue", shown=shown, cell=clue) if shown else phrase("clue, blank", cell=clue)


class _Words:
    def __init__(self, position: Position, step: ExplanationStep, known: Known) -> None:
        self.position = position
        self.step = step
        self.known = known
        self.grid = position.grid

    def clauses(self) -> list[str]:
        """The clauses of the whole step."""
        step = self.step
        if step.technique == SUMMARY:
            return [self._summary()]
        if step.level == ONE_CLUE:
            return [self._one_clue()]
        if step.level == TWO_CLUES:
            return self._two_clues()
        if step.argument is None:
            return [self._tried()]
        if step.argument.wrong == (COUNT,) and not step.argument.implied:
            return [self._counted()]
        return self._argued(step.argument)

    # -- parts ---------------------------------------------------------------------------------------------------

    def _names(self, cells: Iterable[Cell | int]) -> Names:
        return Names(str(cell) for cell in sorted(self.grid.cell(c) if isinstance(c, int) else c for c in cells))

    def _clue(self, clue: Cell | int) -> str:
        return clue_name(self.position, self.grid.cell(clue) if isinstance(clue, int) else clue)

    def _open(self, clue: Cell | int, known: Known) -> tuple[frozenset[int], int]:
        return open_cells(self.position, self.grid.cell(clue) if isinstance(clue, int) else clue, known)

    def _mines(self, clue: Cell | int, known: Known) -> Names:
        """The known mines around a clue: those shown, and those settled."""
        cells = self.grid.neighbours(self.grid.cell(clue) if isinstance(clue, int) else clue)
        return self._names(
            cell for cell in cells if self.position[cell] in MINES or known.get(self.grid.index(cell)) is True
        )

    def _with_mines(self, clue: Cell) -> str:
        """The name of a clue, with the known mines around it."""
        name, mines = self._clue(clue), self._mines(clue, self.known)
        return phrase("clue, with mines", clue=name, mines=mines) if mines else name

    def _safe(self, clue: Cell | int, known: Known) -> Names:
        """The closed cells around a clue that are known to be safe: named by the game, or settled."""
        cells = self.grid.neighbours(self.grid.cell(clue) if isinstance(clue, int) else clue)
        return self._names(c for c in cells if self.position[c] == "S" or known.get(self.grid.index(c)) is False)

    def _apart_from_safe(self, clue: Cell, clause: str) -> str:
        """A clause about the closed cells around a clue, which begins with those that are known to be safe."""
        safe = self._safe(clue, self.known)
        return phrase("apart from", cells=safe, clause=clause) if safe else clause

    def _claim(self, cells: Iterable[Cell | int], mine: bool) -> str:
        return phrase("mine" if mine else "safe", cells=self._names(cells))

    # -- one clue and two ----------------------------------------------------------------------------------------

    def _one_clue(self) -> str:
        step, (clue,) = self.step, self.step.clues
        mines, claim = self._mines(clue, self.known), self._claim(step.cells, step.mine)
        if step.mine:
            left, want = self._open(clue, self.known)
            parts = {"clue": self._with_mines(clue), "mines": mines, "cells": self._names(left), "claim": claim}
            return self._apart_from_safe(clue, phrase("last" if want == 1 else "all", count=Amount(want), **parts))
        if not mines:
            return phrase("zero", clue=self._clue(clue), claim=claim)
        return phrase("full", clue=self._clue(clue), mines=mines, count=Amount(len(mines)), claim=claim)

    def _two_clues(self) -> list[str]:
        """One clue bounds the mines in the common cells; then the other clue settles its other cells."""
        step = self.step
        inner, outer = inner_and_outer(self.position, step.clues, map(self.grid.index, step.cells), self.known)
        (inner_cells, inner_want), (outer_cells, want) = (self._open(clue, self.known) for clue in (inner, outer))
        shared, outside = inner_cells & outer_cells, inner_cells - outer_cells
        least = inner_want - len(outside)
        parts: dict[str, Any] = {
            "clue": self._with_mines(inner),
            "mines": self._mines(inner, self.known),
            "cells": self._names(shared),
            "count": Amount(inner_want),
        }
        if not outside:
            first = self._apart_from_safe(inner, phrase("inside", **parts))
        elif step.mine:
            first = phrase("at most", **parts)
        else:
            first = self._apart_from_safe(
                inner, phrase("at least", outside=self._names(outside), least=Amount(least), **parts)
            )
        claim = self._claim(step.cells, step.mine)
        mines = self._mines(outer, self.known)
        parts = {"clue": self._with_mines(outer), "mines": mines, "count": Amount(want)}
        needs = phrase("needs", **parts)
        if step.mine:
            conclusion = phrase("give at most", cells=self._names(shared), count=Amount(inner_want), claim=claim)
            safe = self._safe(outer, self.known)
            if safe:
                needs = phrase("needs beside", safe=safe, **(parts | {"cells": self._names(outer_cells)}))
            return [first, needs, conclusion]
        if not mines:
            parts |= {"cells": self._names(outer_cells)}
            needs = self._apart_from_safe(outer, phrase("touches", **parts))
        whose = "these are" if mines else "its mines are"
        if len(shared) > want:
            whose += " among"
        return [first, needs, phrase(whose, count=Amount(want), cells=self._names(shared), claim=claim)]

    def _summary(self) -> str:
        step = self.step
        if len(step.cells) == 1:
            return phrase("summary of one", claim=self._claim(step.cells, step.mine))
        named = self._names(step.cells if len(step.cells) <= MOST_NAMES else ())
        return phrase(f"summary, {step.verdict}", count=Amount(len(step.cells)), cells=named)

    # -- arguments -----------------------------------------------------------------------------------------------

    def _tried(self) -> str:
        step = self.step
        parts = {"clues": Names(map(self._clue, step.clues)), "claim": self._claim(step.cells, step.mine)}
        if step.mine_count:
            return phrase("tried, counted", count=Amount(self.position.mines), **parts)
        return phrase("tried", **parts)

    def _counted(self) -> str:
        claim = self._claim(self.step.cells, self.step.mine)
        if self.step.mine:
            return phrase("all left", count=Amount(self._left(self.known)[1]), claim=claim)
        return self._all_found(claim)

    def _all_found(self, claim: str) -> str:
        count = Amount(self.position.mines)
        return phrase("all found" if count else "no mine on the board", count=count, claim=claim)

    def _left(self, known: Known) -> tuple[int, int]:
        """The unknown cells of the whole board, and the mines among them."""
        unknown = sum(self.grid.index(cell) not in known for cell in self.position.where(UNKNOWN))
        return unknown, self.position.mines - self.position.known_mines - sum(known.values())

    def _argued(self, argument: Argument) -> list[str]:
        """The clauses of a supposition, of an argument against it, and of the claim."""
        first, *others = self.step.cells
        clauses = self._follow(argument, {**self.known, self.grid.index(first): not self.step.mine})
        supposed, claim = (self._claim([first], mine) for mine in (not self.step.mine, self.step.mine))
        return [
            phrase("suppose", claim=supposed),
            *(clause.framed("then" if i == 0 and clause.frame else None) for i, clause in enumerate(clauses)),
            phrase("likewise" if others else "so", claim=claim, others=self._names(others)),
        ]

    def _follows(self, link: Implication, known: Known) -> str:
        """The clause for what one clue implies, given the known cells."""
        cells, claim = self._names(link.cells), self._claim(link.cells, link.mine)
        if link.clue == COUNT:
            return phrase("all the rest", cells=cells) if link.mine else self._all_found(claim)
        clue = self._clue(link.clue)
        if link.mine:
            return phrase("needs these", clue=clue, cells=cells)
        mines = self._mines(link.clue, known)
        return phrase("has all" if mines else "has none", clue=clue, mines=mines, claim=claim)

    def _follow(self, argument: Argument, known: Known, within: str = "") -> list[_Clause]:
        clauses = []
        known = dict(known)
        for link in argument.implied:
            clauses.append(_Clause(self._follows(link, known), "then"))
            known.update(dict.fromkeys(link.cells, link.mine))
        if argument.split is None:
            return [*clauses, _Clause(self._wrong(argument.wrong, known), "but then")]
        return clauses + self._cases(argument, argument.split, known, within)

    def _cases(self, argument: Argument, split: int, known: Known, within: str) -> list[_Clause]:
        """The clauses of both cases; a common ending comes only once. ``within`` is part of the names of the phrases
        for cases inside other cases."""
        if_mined, if_safe = (self._claim([split], mine) for mine in (True, False))
        mined, safe = (
            self._follow(case, {**known, split: mine}, ", within")
            for case, mine in zip(argument.cases, (True, False), strict=True)
        )
        if any(case.split is not None and not case.implied for case in argument.cases):
            first, second = (
                phrase(f"{case} case{within}", claim=claim)
                for case, claim in (("first", if_mined), ("second", if_safe))
            )
            return [_Clause(first), *mined, _Clause(second), *safe]
        same, most = 0, min(len(mined), len(safe), max(len(mined), len(safe)) - 1)
        while same < most and mined[-same - 1] == safe[-same - 1]:
            same += 1
        ends = (len(clauses) - len(case.implied) for clauses, case in zip((mined, safe), argument.cases, strict=True))
        if same < max(ends):  # only part of the ending of a case that has cases of its own
            same = 0
        alike = mined[len(mined) - same :]
        del mined[len(mined) - same :], safe[len(safe) - same :]
        clauses = []
        if mined and safe:
            clauses += [_Clause(phrase("cases")), *_case(if_mined, mined), *_case(if_safe, safe)]
        else:  # one case has only the common ending
            own, claim, other_claim = (mined, if_mined, if_safe) if mined else (safe, if_safe, if_mined)
            if len(own) == 1:
                clauses.append(_Clause(phrase("or", claim=other_claim, clause=own[0].text)))
            else:
                clauses += [*_case(claim, own), _Clause(phrase("otherwise", claim=other_claim))]
        if alike:
            alike[0] = _Clause(phrase("either way", clause=alike[0].text))
        return clauses + alike

    # -- contradictions ------------------------------------------------------------------------------------------

    def _wrong(self, wrong: tuple[int, ...], known: Known) -> str:
        if wrong[0] == COUNT:
            unknown, left = self._left(known)
            if len(wrong) > 1:
                return self._packed(wrong[1:], known, unknown, left)
            count = Amount(self.position.mines)
            return phrase("more than there are" if left < 0 else "no room", count=count, room=count - left + unknown)
        if len(wrong) > 1:
            return self._misfit(wrong, known)
        clue, mines = self._clue(wrong[0]), self._mines(wrong[0], known)
        closed, want = self._open(wrong[0], known)
        if want < 0:
            return phrase("too many", clue=clue, cells=mines)
        cells = Names([*mines, *self._names(closed)])
        return phrase("too few" if cells else "too few, none", clue=clue, cells=cells)

    def _misfit(self, wrong: tuple[int, ...], known: Known) -> str:
        """The clause that the mines around a clue, known or bounded by other clues, are too many or too few."""
        (cells, need), *others = (self._open(clue, known) for clue in wrong)
        most, least = bounds_on(cells, others)
        few = most < need
        mines = self._mines(wrong[0], known)
        single = list(mines)
        if few:
            single += self._names(cells.difference(*(seen for seen, _ in others)))
        parts = [listed(single)] if single else []
        for clue, (seen, want) in zip(wrong[1:], others, strict=True):
            shared = seen & cells
            count = min(want, len(shared)) if few else max(0, want - len(seen - shared))
            if count:
                named = {"count": Amount(count), "cells": self._names(shared), "clue": self._clue(clue)}
                parts.append(phrase("at most by" if few else "at least by", **named))
        count = len(mines) + (most if few else least)
        kind = "at least, too many" if not few else "at most, too few" if count else "too few, none"
        listing = parts_listed(parts) if parts else ""
        return phrase(kind, clue=self._clue(wrong[0]), count=Amount(count), parts=listing)

    def _packed(self, clues: Sequence[int], known: Known, unknown: int, left: int) -> str:
        """The clause that clues with different cells need more mines, or more safe cells, than are left."""
        opened = [self._open(clue, known) for clue in clues]
        mines, safe = ([around(clue, known) for clue in clues] for around in (self._mines, self._safe))
        kind, wants = "packed, mine", [want for _, want in opened]
        parts: dict[str, Any] = {
            "left": Amount(left),
            "count": Amount(self.position.mines),
            "mines": Names(chain(*mines)),
        }
        if sum(wants) <= left:
            kind, wants = "packed, safe", [len(cells) - want for cells, want in opened]
            parts = {"left": Amount(unknown - left), "count": Amount(left), "unknown": Amount(unknown)}
            parts["safe"] = Names(chain(*safe))
        named = [self._clue(clue) for clue in clues]
        if len(clues) > 1:
            each = zip(named, map(Amount, wants), mines, safe, strict=True)
            named = [phrase(f"{kind} by", clue=clue, count=want, mines=m, safe=s) for clue, want, m, s in each]
        return phrase(kind, clues=Names(named), want=Amount(sum(wants)), **parts)


def _case(claim: str, clauses: Sequence[_Clause]) -> list[_Clause]:
    """The clauses of one case, the first of which states the case."""
    first, *others = clauses
    return [_Clause(phrase("case, then" if first.frame else "case", claim=claim, clause=first.text)), *others]
