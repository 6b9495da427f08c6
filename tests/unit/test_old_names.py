"""What was documented under another name is still there, and warns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from mineproof import AGENTS, Layout, Limit, Position, analyse, hint, reference, why
from mineproof.agents.agent import certain_moves
from mineproof.explain.guess import best_guess
from mineproof.generate.solution import solve
from mineproof.logic.constraints import problem_of
from mineproof.odds import exact

if TYPE_CHECKING:
    from collections.abc import Callable

BLANK = Position.from_text("3x1x1\nHHH")
WALL = Position.from_text("3x2x2\nHHH\n121")
SOLUTION = solve(Layout.parse("5x1x2=60"), "A1")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (lambda: why(WALL, "B1").told(), lambda: why(WALL, "B1").full_text()),
        (lambda: hint(WALL).guesses, tuple),
        (lambda: hint(BLANK).guesses, lambda: best_guess(analyse(BLANK), Limit().start()).candidates),  # type: ignore[union-attr]
        (lambda: list(SOLUTION.told()), lambda: list(SOLUTION.walk())),
        (lambda: problem_of(WALL).rest, lambda: problem_of(WALL).unseen),
        (lambda: problem_of(WALL).given, lambda: problem_of(WALL).named_safe),
        (
            lambda: certain_moves(WALL, analyse(WALL).safe, analyse(WALL).mined),
            lambda: AGENTS["careful"].make().choose(WALL, Limit()).moves,
        ),
        (lambda: exact.analyse_exactly, lambda: reference.analyse_exactly),
    ],
)
def test_an_old_name_means_what_the_new_one_does(old: Callable[[], Any], new: Callable[[], Any]) -> None:
    with pytest.warns(DeprecationWarning, match="is now called"):
        value = old()
    assert value == new()
