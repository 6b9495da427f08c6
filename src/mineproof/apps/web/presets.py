"""The games of the five systems: their rules and boards, ready to be chosen."""

from __future__ import annotations

from typing import NamedTuple

from mineproof.errors import UnknownName


class Preset(NamedTuple):
    """A game as one of the five systems has it."""

    name: str
    title: str
    text: str
    rules: str
    levels: tuple[str, ...]
    agent: str


PRESETS = {
    preset.name: preset
    for preset in (
        Preset(
            "chaining", "McIntyre: one given cell", "The game places the mines, then names one safe cell to start.",
            "given", ("beginner", "intermediate", "expert"), "chaining",
        ),
        Preset(
            "sat", "Harnjan: play and hand over", "The first click is an opening. Ask the solver to continue whenever "
            "you like; it stops where only guesses remain, and it is your turn again. A flag is only a note: "
            "a click opens a flagged cell.",
            "opening+open-flags", ("beginner", "intermediate", "expert"), "sat",
        ),
        Preset(
            "smile", "Nguyen and Kafafian: play continues", "Every cell is a mine with the same probability, the first "
            "one too. An opened mine stays visible, and the game continues: flag as many others as you can.",
            "any+continue", ("9x9xp0.124", "9x9xp0.2", "16x16xp0.15"), "normal-form",
        ),
        Preset(
            "matching", "Lee: initial safe cells", "The game names as many safe cells as the square root of the number "
            "of cells. A zero opens alone.",
            "given:sqrt+no-flood", ("beginner", "medium", "expert"), "matching",
        ),
        Preset(
            "csp", "Sharma, Kallingal Joshy and Agrawal: mines are counted", "The first square is never a mine. "
            "Opening a mine does not end the game, but is counted. The levels have 10, 15 and 20 % mines.",
            "safe+continue", ("16x16x10%", "16x16x15%", "16x16x20%"), "csp",
        ),
    )
}  # fmt: skip


def find_preset(name: str) -> Preset:
    """The preset of a name.

    >>> find_preset("matching").rules
    'given:sqrt+no-flood'
    """
    if name not in PRESETS:
        raise UnknownName("preset", name, PRESETS)
    return PRESETS[name]
