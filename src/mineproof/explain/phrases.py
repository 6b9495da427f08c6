"""The words of the steps, and nothing else: whoever translates this module translates every step.

Phrases are put together from parts and never edited. A clause has neither a capital letter nor a full stop: `sentence`
gives it both, at the very end. In a template, ``{cells}`` lists names and ``{count}`` is a number in words;
``{cells:is|are}`` chooses the form that agrees with their number, and ``{mines:?other }`` appears only if there are any
mines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")
TEMPLATES = {
    # names
    "list": "{most} and {last}",
    "clue": "the {shown} at {cell}",
    "clue, blank": "the blank cell {cell}",
    "clue, with mines": "{clue}, with the {mines:mine|mines} at {mines},",
    # claims about cells
    "safe": "{cells} {cells:is|are} safe",
    "mine": "{cells} {cells:is a mine|are mines}",
    # frames
    "apart from": "apart from {cells}, which {cells:is|are} safe, {clause}",
    "suppose": "suppose {claim}",
    "then": "then {clause}",
    "but then": "but then {clause}",
    "cases": "there are two cases",
    "case": "if {claim}, {clause}",
    "case, then": "if {claim}, then {clause}",
    "first case": "first, suppose {claim}",
    "first case, within": "next, suppose {claim}",
    "second case": "now go back, and suppose {claim}",
    "second case, within": "now suppose {claim}",
    "or": "either {claim}, or {clause}",
    "otherwise": "otherwise {claim}",
    "either way": "either way, {clause}",
    "so": "so {claim}",
    "likewise": "so {claim}; and in the same way {others}",
    # one clue
    "named": "{cells} is named safe by the game",
    "zero": "{clue} has no mine around it, so {claim}",
    "full": "{clue} already has {mines:its mine|both its mines|all {count} of its mines} at {mines}, so {claim}",
    "all": "{clue} needs {count} {mines:?more }mines and touches only {count} {mines:?other }closed cells, {cells}, "
    "so {count:|both|all {count}} are mines",
    "last": "{clue} touches only one {mines:?other }closed cell, {cells}, so {claim}",
    # two clues
    "inside": "{clue} touches only {cells:#} {mines:?other }closed cells, {cells}, "
    "so {count} of them {count:is a mine|are mines}",
    "at most": "{clue} allows at most {count} of {cells} to be {count:a mine|mines}",
    "at least": "{clue} needs {count} {mines:?more }{count:mine|mines}, and {outside} can hold at most {outside:#}, "
    "so at least {least} of {cells} {least:is a mine|are mines}",
    "touches": "{clue} touches {cells}",
    "needs": "{clue} needs {count} {mines:?more }{count:mine|mines}",
    "needs beside": "{clue} needs {count} {mines:?more }{count:mine|mines}; apart from {safe}, which {safe:is|are} "
    "safe, it touches {cells}",
    "its mines are": "{count:its mine is|its {count} mines are} {cells}, so {claim}",
    "its mines are among": "{count:its mine is one of|its {count} mines are among} {cells}, so {claim}",
    "these are": "{count:that is|these are} {cells}, so {claim}",
    "these are among": "{count:that is one of|these are among} {cells}, so {claim}",
    "give at most": "{cells} {cells:gives|give} at most {count}, so {claim}",
    # one clue in an argument
    "has none": "{clue} has no mine, so {claim}",
    "has all": "{clue} has {mines:its mine|all its mines}, {mines}, so {claim}",
    "needs these": "{clue} needs {cells} to be {cells:a mine|mines}",
    "no mine on the board": "there is no mine to be found, so {claim}",
    "all found": "{count:the only mine is|both mines are|all {count:d} mines are} found, so {claim}",
    "all the rest": "{cells} must hold all the mines that are left",
    "all left": "{count} {count:mine is|mines are} left, and only {count} unknown {count:cell|cells}, so {claim}",
    # contradictions
    "too many": "{clue} has {cells:#} {cells:mine|mines} around it, {cells}: too many",
    "too few": "{clue} can have only {cells:#} {cells:mine|mines}, {cells}: too few",
    "too few, none": "{clue} can have no mine at all",
    "at most, too few": "{clue} can have at most {count} {count:mine|mines} around it, which is too few: {parts}",
    "at most by": "at most {count} of {cells} by {clue}",
    "at least, too many": "{clue} has at least {count} {count:mine|mines} around it, which is too many: {parts}",
    "at least by": "at least {count} of {cells} by {clue}",
    "parts": "{first}; {others}",
    "more than there are": "there are more mines than the {count:d} on the board",
    "no room": "there is room for only {room:d} of the {count:d} mines",
    "packed, mine": "{clues} {clues:|touch different unknown cells, so together they }{clues:needs|need} {want:d} "
    "{mines:?more }{want:mine|mines}, and only {left:d} of the {count:d} mines {left:is|are} left",
    "packed, mine by": "{clue} ({count:d} {mines:?more }{count:mine|mines})",
    "packed, safe": "{clues} {clues:|touch different unknown cells, so together they }{clues:has|have} {want:d} "
    "{safe:?more }safe {want:cell|cells}, and {count:d} of the {unknown:d} unknown cells that are left "
    "{count:is a mine|are mines}, so only {left:d} {left:is|are} safe",
    "packed, safe by": "{clue} ({count:d} {safe:?more }safe {count:cell|cells})",
    # without an argument
    "tried": "all ways to lay the mines {clues:?around {clues} }agree: {claim}",
    "tried, counted": "all ways to lay the {count:d} mines of the board {clues:?around {clues} }agree: {claim}",
    "summary of one": "single clues show that {claim}",
    "summary, safe": "{count} safe cells can be found one clue at a time{cells:?: {cells}}",
    "summary, mine": "{count} mines can be found one clue at a time{cells:?: {cells}}",
}


class Amount(int):
    """A number in a phrase.

    >>> f"{Amount(2)} {Amount(2):mine|mines}, {Amount(1)} {Amount(1):mine|mines}, {Amount(12)}, {Amount(2):d}"
    'two mines, one mine, 12, 2'
    """

    def __format__(self, form: str) -> str:
        if not form:
            return NUMBERS[self] if self < len(NUMBERS) else str(int(self))
        if form == "d":
            return str(int(self))
        if form.startswith("?"):
            return form[1:] if self else ""
        forms = form.split("|")
        return forms[min(self or len(forms), len(forms)) - 1]


class Names(tuple[str, ...]):
    """Names in a phrase; ``#`` is their number.

    >>> f"{Names(['A1', 'B1', 'C1'])}: {Names(['A1', 'B1', 'C1']):#} {Names(['A1', 'B1', 'C1']):cell|cells}"
    'A1, B1 and C1: three cells'
    """

    __slots__ = ()

    def __format__(self, form: str) -> str:
        return listed(self) if not form else format(Amount(len(self)), form.removeprefix("#"))


def phrase(kind: str, **parts: Any) -> str:
    """Fill a template with its parts."""
    return TEMPLATES[kind].format(**parts)


def listed(names: Sequence[str]) -> str:
    """List names as a person would.

    >>> listed(["A1", "B1", "C1"])
    'A1, B1 and C1'
    """
    *most, last = names or [""]
    return phrase("list", most=", ".join(most), last=last) if most else last


def parts_listed(parts: Sequence[str]) -> str:
    """List parts that are lists themselves.

    >>> parts_listed(["A1", "one of B1 and C1", "one of D1 and E1"])
    'A1; one of B1 and C1; one of D1 and E1'
    """
    first, *others = parts
    return phrase("parts", first=first, others=parts_listed(others)) if others else first


def sentence(clause: str) -> str:
    """Turn a clause into a sentence.

    >>> sentence("the 1 at B1 has no mine around it")
    'The 1 at B1 has no mine around it.'
    """
    return f"{clause[0].upper()}{clause[1:]}."
