"""What explanations say, kind by kind."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from itertools import islice
from string import Formatter
from typing import TYPE_CHECKING

import pytest

from mineproof import Layout, Level, Limit, Position, analyse, no_guess, solve, why
from mineproof.explain import phrases
from mineproof.explain.checker import find_fault
from mineproof.explain.step import MINE_COUNT
from support import awkward
from support.sentences import faults, faults_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mineproof import Explanation

PATIENT = Limit(seconds=600)

SAID = {
    ("2x1x1\n1H", "B1"): "The 1 at A1 touches only one closed cell, B1, so B1 is a mine.",
    (
        "3x1x2\nH2H",
        "A1",
    ): "The 2 at B1 needs two mines and touches only two closed cells, A1 and C1, so both are mines.",
    ("3x2x1\n*1H\nHHH", "C1"): "The 1 at B1 already has its mine at A1, so C1 is safe.",
    ("4x1x2\n*2HH", "C1"): "The 2 at B1, with the mine at A1, touches only one other closed cell, C1, so C1 is a mine.",
    ("4x2x2\nHHHH\n1111", "C1"): (
        "The 1 at A2 touches only two closed cells, A1 and B1, so one of them is a mine. The 1 at B2 touches A1, B1 "
        "and C1. Its mine is one of A1 and B1, so C1 is safe."
    ),
    ("5x1x1\nHHHHS", "E1"): "E1 is named safe by the game.",
    (
        "3x1x1\nS1H",
        "C1",
    ): "Apart from A1, which is safe, the 1 at B1 touches only one closed cell, C1, so C1 is a mine.",
    ("4x1x1\nH1QH", "D1"): (
        "Suppose D1 is a mine. Then the only mine is found, so A1 and C1 are safe. But then the 1 at B1 can "
        "have no mine at all. So D1 is safe."
    ),
    ("2x1x0\nHH", "A1"): "There is no mine to be found, so A1 is safe.",
    ("5x1x1\nHSH0H", "A1"): "One mine is left, and only one unknown cell, so A1 is a mine.",
}


@pytest.mark.parametrize(("text", "cell"), SAID)
def test_a_step_is_said_like_this(text: str, cell: str) -> None:
    found = why(Position.from_text(text), cell)
    assert found.steps[-1].text == SAID[text, cell]
    assert find_fault(found.position, found.steps) is None


def test_a_clue_that_needs_no_more_mines_says_so() -> None:
    found = why(Position.from_text("3x5x5\nH2S\nHHH\nH31\nH30\nFH0"), "A2")
    assert [step.text for step in found.steps[:2]] == [
        "The blank cell C4 has no mine around it, so B5 is safe.",
        (
            "Apart from B5, which is safe, the 3 at B4 needs three mines and touches only three closed cells, A3, A4 "
            "and A5, so all three are mines."
        ),
    ]


def test_what_is_settled_is_not_counted_as_closed() -> None:
    """Settled cells, and those that the game names safe, are closed on the board, and known to the reader."""
    named = why(Position.from_text("5x2x1\n001HH\n00HH1"), "E1")
    assert [step.text for step in named.steps] == [
        "The blank cell B2 has no mine around it, so C2 is safe.",
        (
            "Apart from C2, which is safe, the 1 at C1 touches only two closed cells, D1 and D2, so one of them is a "
            "mine. The 1 at E2 touches D1, E1 and D2. Its mine is one of D1 and D2, so E1 is safe."
        ),
    ]


def test_mines_that_are_needed_besides_others_are_more() -> None:
    found = why(Position.from_text("3x3x4\n*H1\n4H2\nHHH"), "C3")
    assert found.text == (
        "The 4 at A2, with the mine at A1, needs three more mines, and A3 can hold at most one, so at least two of B1, "
        "B2 and B3 are mines. The 2 at C2 touches B1, B2, B3 and C3. Its two mines are among B1, B2 and B3, so C3 is "
        "safe."
    )


def explanations(size: str, count: int) -> Iterator[Explanation]:
    """Explanations from games in which random cells were opened."""
    rng = random.Random(size)
    while count > 0:
        hard = size in awkward.LEVELS
        position = awkward.middle(rng, size) if hard else awkward.torn(rng, Level.parse(size), rng.choice(SHARES))
        analysis = analyse(position, PATIENT)
        cells = sorted(analysis.safe | analysis.mined)
        for cell in rng.sample(cells, min(len(cells), 20)):
            yield why(position, cell, PATIENT)
            count -= 1


SIZES = "8x8x12", "16x10x28", "7x1x2", "5x4x6", "beginner", "expert"
SHARES = 0.1, 0.3, 0.5


@pytest.mark.parametrize("size", SIZES)
def test_sentences_count_as_their_reader_does(size: str) -> None:
    """Every sentence of many explanations is taken apart again, and its numbers are counted on the position."""
    for found in explanations(size, 400):
        assert faults(found.position, found, {}) == [], found.position


@pytest.mark.parametrize(("level", "hardest"), [("beginner", 3), ("intermediate", 3), ("expert", 2)])
def test_sentences_of_solutions_count_as_their_reader_does(level: str, hardest: int) -> None:
    for board in islice(no_guess(level, min_level=hardest, seed=5), 3):
        for position, step in board.solution().walk(PATIENT):
            flagged = dict.fromkeys(position.where("F"), True)
            assert faults_of(position, [step], flagged) == [], position


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("touches only two closed cells", "touches only three closed cells"),
        ("so one of them is a mine", "so two of them are mines"),
        ("D1 and D2, so one", "D1 and E1, so one"),
        ("Apart from C2, which is safe, the 1", "The 1"),
        ("touches D1, E1 and D2", "touches D1 and E1"),
        ("so E1 is safe", "so E1 is a mine"),
        ("so C2 is safe", "so B1 and C2 are safe"),
        ("The 1 at E2", "The 2 at E2"),
    ],
)
def test_a_false_sentence_is_found(right: str, wrong: str) -> None:
    found = why(Position.from_text("5x2x1\n001HH\n00HH1"), "E1")
    assert right in found.text
    steps = [replace(step, text=step.text.replace(right, wrong)) for step in found.steps]
    assert faults_of(found.position, found.steps) == []
    assert faults_of(found.position, steps)


def test_who_translates_the_phrases_translates_every_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a language of Greek letters, no other letter is left but those of cells."""
    greek = str.maketrans("abcdefghijklmnopqrstuvwxyz", "αβχδεφγηιϳκλμνοπϙρστυϝωξψζ")

    def translated(template: str) -> str:
        parts = []
        for text, name, form, _ in Formatter().parse(template):
            shown = form if form in (None, "", "d", "#") else translated(form)
            parts.append(text.translate(greek) + ("" if name is None else f"{{{name}{':' if shown else ''}{shown}}}"))
        return "".join(parts)

    for kind, template in phrases.TEMPLATES.items():
        monkeypatch.setitem(phrases.TEMPLATES, kind, translated(template))
    monkeypatch.setattr(phrases, "NUMBERS", tuple(word.translate(greek) for word in phrases.NUMBERS))
    steps = [step for size in SIZES for found in explanations(size, 300) for step in found.steps]
    for index in (28, 39):  # with a chain, and with cases
        steps += solve(Layout.draw("expert", "opening", "O8", seed=1, index=index)).steps()
    steps = [step for step in steps if step.level <= MINE_COUNT]
    assert {step.level for step in steps} == set(range(1, 7))
    assert not any(re.search("[a-z]", step.text) for step in steps)


def test_a_cell_that_is_not_certain() -> None:
    found = why(Position.from_text("3x1x1\nHHH"), "A1")
    assert (found.verdict, found.level, found.technique, found.steps) == ("unknown", None, None, ())
    assert found.text == (
        "A1 is not certain: some consistent boards have a mine there, others do not. The risk of a mine is 33.3 %."
    )


def test_the_mine_count() -> None:
    found = why(Position.from_text("6x1x2\n1HHHH1"), "C1")
    assert (found.verdict, found.level, found.technique, found.mine_count) == ("safe", 6, "mine count", True)
    assert found.text.endswith("Both mines are found, so C1 is safe.")
    assert find_fault(found.position, found.steps) is None


def test_known_patterns_have_their_names() -> None:
    names = {
        ("3x2x2\nHHH\n121", "A1"): {"1-2", "one clue"},
        ("4x2x2\nHHHH\n1221", "A1"): {"1-2-2-1", "1-2", "one clue", "combination"},
        ("4x2x2\nHHHH\n1111", "C1"): {"1-1"},
    }
    for (text, cell), allowed in names.items():
        found = why(Position.from_text(text), cell)
        assert {step.technique for step in found.steps} <= allowed
        assert found.technique != "one clue"
