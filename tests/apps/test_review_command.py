"""``mineproof review`` of our games and of the community's, and ``hint`` and ``why`` in ``mineproof play``."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from mineproof import Game, Layout, hint, write
from mineproof.apps.cli import cli
from mineproof.apps.cli.progress import Progress
from support import recorded
from support.recorded import Recording

if TYPE_CHECKING:
    from pathlib import Path

LAYOUT = Layout.parse("4x2x2=50")  # mines in B1 and D1
MOVES = ("open A1", "flag B1", "open B2", "open D2", "open C1", "flag D1")


def said(*args: str, given: str = "") -> tuple[int, str]:
    done = CliRunner().invoke(cli, list(args), input=given)
    return done.exit_code, done.output


def played(*moves: str) -> Game:
    game = Game(LAYOUT)
    for move in moves:
        game.play(move)
    return game


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "my.game"
    path.write_bytes(write(played(*MOVES), "game"))
    return path


def test_lines_and_a_summary(saved: Path) -> None:
    status, text = said("review", str(saved))
    assert status == 0
    lines = text.splitlines()
    assert lines[:4] == [
        "4x2x2/any=50",
        "  1  open A1: start. The first click. The risk of a mine was 25.0 %.",
        "  2  flag B1: unproved flag. Could not be proved: the chance of a mine was",
        "     33.3 %.",
    ]
    assert "open D2: needless guess. It had a 50.0 % risk of a mine, but C1 was certainly safe, level 2." in " ".join(
        text.split()
    )
    assert "5–6  2 certain moves, level" in text
    assert all(len(line) <= 80 for line in lines)
    assert "Playing after 6 moves: 2 certain, 2 guesses (1 needless, 1 good)." in lines
    assert lines[-1] == "Winning chance before move 3: 33.3 %. Luck: +66.7 points. At the end: 100.0 %."


def test_a_single_certain_move_and_an_undo_are_named(tmp_path: Path) -> None:
    path = tmp_path / "my.game"
    path.write_bytes(write(played("open A1", "open B2", "open C1", "undo"), "game"))
    _, text = said("review", str(path))
    assert "  3  open C1: certain, level 2." in text.splitlines()
    assert "  4  undo. It takes back open C1; what it showed stays known." in text.splitlines()


def test_as_json(saved: Path) -> None:
    status, text = said("review", str(saved), "--json")
    found = json.loads(text)
    assert status == 0
    assert set(found) == {"id", "moves", "summary"}
    assert len(found["moves"]) == len(MOVES)
    for told in found["moves"]:
        assert {"move", "mark", "level", "risk", "cost", "better", "text"} <= set(told)
    assert {"cost", "luck", "marks", "levels", "text", "start", "end"} <= set(found["summary"])


def test_from_standard_input(saved: Path) -> None:
    status, text = said("review", "-", "--playouts", "0", given=saved.read_text())
    assert status == 0
    assert "Winning chances were not estimated." in text


@pytest.mark.parametrize("name", ["rawvf", *recorded.WRITERS])
def test_games_of_other_programs(name: str, tmp_path: Path, saved: Path) -> None:
    replay = played(*MOVES).replay()
    path = tmp_path / f"theirs.{name}"
    path.write_bytes(write(replay, "rawvf") if name == "rawvf" else recorded.WRITERS[name](Recording.of(replay)))
    status, text = said("review", str(path), "--json")
    assert status == 0
    ours = json.loads(said("review", str(saved), "--json")[1])
    assert json.loads(text)["moves"] == ours["moves"]


def problem(*args: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "mineproof", *args], capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    return done.stderr


def test_what_cannot_be_reviewed(tmp_path: Path) -> None:
    path = tmp_path / "none.game"
    path.write_text("mineproof game 1\nexpert/safe#1\n")
    assert "there are no moves to review" in problem("review", str(path))
    path.write_text("3x2x2\nHHH\n121\n")
    assert "there are no moves to review" in problem("review", str(path), "--from", "mine")
    (tmp_path / "broken.avf").write_bytes(b"\0" * 50)
    assert "this AVF file cannot be read: it is damaged" in problem("review", str(tmp_path / "broken.avf"))
    path.write_text("mineproof game 1\nexpert/safe#1\nopen A1\nopen A1\n")
    assert "line 4: open A1: it is already open" in problem("review", str(path))
    assert "No such file" in problem("review", str(tmp_path / "nowhere.game"))


def test_no_time(saved: Path) -> None:
    status, _ = said("review", str(saved), "--seconds", "0.000000001")
    assert status != 0


def test_progress_on_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with Progress() as shown:
        shown.wanted, shown.due = True, 0.0
        shown.show("reviewed 1 of 6")
    assert capsys.readouterr().err == "\rreviewed 1 of 6\r"


def hints(*lines: str, level: str = "beginner", rules: str = "opening") -> tuple[int, list[str]]:
    given = "\n".join([*lines, ""])
    status, text = said(
        "play", "--plain", "--ascii", "--level", level, "--seed", "1", "--first-click", rules, given=given
    )
    return status, [line for line in text.splitlines() if not line.startswith("The game is kept: ")]


def test_hints_in_play_say_more_each_time() -> None:
    game = Game("beginner", "opening", seed=1)
    game.open("E5")
    portions = hint(game.position).portions
    wanted = [*"\n".join(portions).splitlines(), "That was the whole hint."]
    _, lines = hints("E5", *["hint"] * (len(portions) + 1))
    assert lines[-len(wanted) :] == wanted


def test_a_new_position_has_a_new_hint() -> None:
    _, lines = hints("E5", "hint", "hint", "G5", "hint")
    assert lines[-1] == "There is a certain move."


def test_the_first_hint() -> None:
    _, lines = hints("hint", "hint")
    assert lines[-2:] == ["The first click is always safe in this game; C3 is a good one.", "That was the whole hint."]
    _, lines = hints("hint", rules="any")
    assert lines[-1].startswith("There is no certain move")


def test_hint_and_why_refuse_in_a_sentence() -> None:
    status, lines = hints("why", "why A1", "why Z99", level="4x3x1", rules="safe")
    assert status == 2
    assert "why needs a cell, as in why C4" in lines
    assert "The mines are laid after the first click, so no first click is a mine." in lines
    assert "Z99 is outside this board of 4 columns and 3 rows" in lines
    done = said("play", "--plain", "--id", "2x1x1/any=8", given="A1\nhint\n")
    assert done[0] == 2
    assert "the game is lost, so there is no next move" in done[1]


def test_why_in_play() -> None:
    _, lines = hints("E5", "why G5")
    assert lines[-1] == "The 1 at F6 already has its mine at F7, so G5 is safe."
