"""Hints come in portions; a guess is said to be one."""

from __future__ import annotations

import pytest

from mineproof import Cell, InconsistentPosition, Limit, OutOfTime, Position, analyse, hint
from support import awkward


def test_the_portions_of_a_certain_move() -> None:
    found = hint(Position.from_text("4x2x2\nHHHH\n1111"))
    assert found.certain
    assert len(found.portions) == 5
    assert found.explanation is not None
    assert found.cell == found.explanation.cell
    assert found.portions[3] == f"{found.cell} is safe."
    assert found.fields()["verdict"] == "safe"


def test_a_named_cell_is_the_easiest() -> None:
    assert hint(Position.from_text("4x2x1\nHHHS\n1110")).cell == Cell(0, 3)


def test_a_guess_is_said_to_be_one() -> None:
    position = Position.from_text("4x4x5\nHHHH\nHHHH\nHH3H\nHHHH")
    found = hint(position)
    assert not found.certain
    assert found.portions[0].startswith("There is no certain move")
    fields = found.fields()
    assert fields["risk"] == pytest.approx(analyse(position).probabilities[found.cell])
    assert fields["alternatives"][0]["cell"] == fields["cell"]
    assert all(0 <= option["progress"] <= 1 for option in fields["alternatives"])


def test_what_a_guess_teaches_is_counted() -> None:
    """A1 or B1 is the mine: after either, nothing is left to find out."""
    found = hint(Position.from_text("2x1x1\nHH"))
    assert [guess.progress for guess in found.guesses] == [1.0]


def test_nothing_is_left() -> None:
    found = hint(Position.from_text("2x1x1\n1H"))
    assert (found.certain, found.cell, found.text) == (False, None, "There is nothing left to open.")


def test_a_contradiction_is_said() -> None:
    with pytest.raises(InconsistentPosition, match="A1, C1"):
        hint(Position.from_text("5x1x1\n1H0H1"))


def test_a_limit_is_kept() -> None:
    with pytest.raises(OutOfTime):
        hint(awkward.lattice(60), Limit(seconds=0.001))
