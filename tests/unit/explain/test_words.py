"""What explanations say, kind by kind."""

from __future__ import annotations

import pytest

from mineproof import Position, why
from mineproof.explain.checker import find_fault

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
    assert found.steps[0].text == (
        "The blank cell C4 has no mine around it, so B5 is safe. Apart from B5, which is safe, the 3 at B4 needs three "
        "mines and touches only three closed cells, A3, A4 and A5, so all three are mines."
    )


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
