"""``mineproof explain`` and ``hint``, as the contract has them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from mineproof import InvalidText
from mineproof.apps.cli import cli
from support.processes import said as done
from support.terminal import Terminal

if TYPE_CHECKING:
    from pathlib import Path

WALL = "3x2x2\nHHH\n121\n"


def said(*args: str, given: str = WALL) -> tuple[int, str]:
    done = CliRunner().invoke(cli, list(args), input=given)
    return done.exit_code, done.output


def test_explain_as_json() -> None:
    status, text = said("explain", "-", "B1", "--json")
    found = json.loads(text)
    assert status == 0
    assert (found["cell"], found["verdict"], found["because"]) == ([0, 1], "safe", [[1, 0], [1, 1], [1, 2]])
    assert (found["mine_count"], found["level"], found["technique"]) == (False, 2, "1-2")
    assert [step["verdict"] for step in found["steps"]] == ["mine", "safe"]
    assert set(found["steps"][0]) == {"clues", "cells", "verdict", "technique", "level", "scenario", "text"}
    assert found["steps"][-1]["cells"] == [[0, 1]]


def test_explain_a_cell_that_can_be_either() -> None:
    status, text = said("explain", "-", "A1", "--json", given="2x1x1\nHH\n")
    assert (status, json.loads(text)["verdict"]) == (1, "unknown")


def test_explain_a_contradiction() -> None:
    status, text = said("explain", "-", "B1", given="5x1x1\n1H0H1\n")
    assert (status, text) == (1, "inconsistent: the clues A1, C1 cannot both be right\n")


def test_explain_as_a_picture() -> None:
    status, text = said("explain", "-", "B1", "--svg")
    assert status == 0
    assert text.count('class="lit"') == 3
    assert text.count('class="step"') == 2
    _, one = said("explain", "-", "A1", "--svg")
    assert one.count('class="is-mine"') == 1
    assert 'class="step"' not in one  # a number would mean nothing
    _, cases = said("explain", "-", "A1", "--svg", given="5x5x7\nHHH2H\n1H2HH\nHHH4H\n2H13H\nHHHHH\n")
    assert cases.count('class="spoken"') == 12  # B1 B2 A3 B3, C3, B4 B5, C1 D2, E2 E3 E4


@pytest.mark.parametrize(
    "args", [("explain", "-", "A2"), ("explain", "-", "Z9"), ("explain", "-", "B1", "--svg", "--json")]
)
def test_bad_input(args: tuple[str, ...]) -> None:
    status, _ = said(*args)
    assert status != 0


def test_hint_in_portions() -> None:
    assert said("hint", "-", "--steps", "1") == (0, "There is a certain move.\n")
    status, text = said("hint", "-", "--json")
    found = json.loads(text)
    assert status == 0
    assert {"certain", "level", "region", "clues", "cell", "verdict", "text"} <= set(found)


def test_hint_of_a_game() -> None:
    begin = "mineproof game 1\n4x2x2/any=50\nopen A1\n"
    assert said("hint", "-", "--steps", "1", given=begin)[1].startswith("There is no certain move")
    status, text = said("hint", "beginner/opening#1")
    assert (status, text) == (0, "The first click is always safe in this game; C3 is a good one.\n")


@pytest.mark.parametrize("args", [("hint", "-"), ("explain", "-", "C1")])
def test_a_lost_game_shows_its_mines(args: tuple[str, ...]) -> None:
    """What they tell is no reason."""
    given = "mineproof game 1\n4x2x2/any=50\nopen A1\nopen B1\n"
    with pytest.raises(InvalidText, match=r"the game is lost, and shows its mines; .* --step 1"):
        CliRunner().invoke(cli, list(args), input=given, catch_exceptions=False)


def test_hint_of_a_guess() -> None:
    status, text = said("hint", "-", "--json", given="4x1x1\nHHHH\n")
    found = json.loads(text)
    assert (status, found["certain"]) == (0, False)
    assert {"cell", "risk", "alternatives"} <= set(found)
    assert said("hint", "-", given="5x1x1\n1H0H1\n") == (1, "inconsistent: the clues A1, C1 cannot both be right\n")


def test_explanations_fit_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "wall.mine").write_text(WALL)
    with Terminal("explain", tmp_path / "wall.mine", "B1") as terminal:
        text = terminal.expect(r"(?s).*\nLevel 2 of 6, two clues together: 1-2\.\n")[0]
    assert max(map(len, text.splitlines())) <= 80
    assert "\n    " in text  # under the text of the step, not under its number
    assert len(said("explain", "-", "B1")[1].splitlines()) == 3  # in a pipe, a step is a line


def test_hints_for_games_that_are_over(tmp_path: Path) -> None:
    for moves, sentence in (("open A1", "lost, and shows its mines"), ("open B1", "won, so there is no next move")):
        (tmp_path / "over.game").write_text(f"mineproof game 1\n2x1x1/any=8\n{moves}\n")
        status, _, complaint = done("hint", str(tmp_path / "over.game"))
        assert status == 2
        assert f"the game is {sentence}" in complaint
