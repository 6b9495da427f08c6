"""What ``generate`` writes, how far a long search is, and what other commands make of its boards."""

from __future__ import annotations

import io
import sys
import textwrap
import time
from html import escape
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from mineproof import Layout, no_guess, rate
from mineproof.apps.cli.generate import Status, command
from mineproof.apps.cli.play import command as play_command
from mineproof.apps.cli.rate import command as rate_command

if TYPE_CHECKING:
    from pathlib import Path


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def seconds(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    passed = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: passed[0])
    return passed


def test_a_long_search_shows_how_far_it_is(monkeypatch: pytest.MonkeyPatch, seconds: list[float]) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    status = Status(3)
    with status:
        status.tried(1000)
        assert terminal.getvalue() == ""  # not yet
        seconds[0] = 1
        status.tried(2000)
        status.tried(3000)  # not so soon again
        assert terminal.getvalue() == "\r0 of 3 boards; 2,000 tried for the next\x1b[K"
        seconds[0] = 2
        status.found()
        assert "1 of 3 boards" in terminal.getvalue()
    assert terminal.getvalue().endswith("\r\x1b[K")


def test_nothing_is_shown_where_there_is_no_terminal(monkeypatch: pytest.MonkeyPatch, seconds: list[float]) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    status = Status(3)
    with status:
        seconds[0] = 10
        status.tried(1000)
        status.found()
    assert stream.getvalue() == ""


def test_the_line_goes_before_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that comes after the line was shown: the sentence stands alone."""
    shown = []
    monkeypatch.setattr(Status, "clear", lambda _: shown.append("cleared"))
    done = CliRunner().invoke(command, ["--no-guess", "--size", "3x3", "--mines", "7", "--seed", "1", "--tries", "5"])
    assert done.exit_code == 1
    assert "none of" in done.output
    assert shown


EASY = ["--no-guess", "--size", "4x4", "--mines", "4", "--seed", "2"]
BOARD = "4x4x4=100e@B2"


def test_a_solution_has_its_board_and_levels() -> None:
    text = CliRunner().invoke(command, [*EASY, "--solution"]).output
    board = next(no_guess("4x4x4", seed=2))
    assert text == f"{board.solution()}\n"
    assert text.startswith(f"{board}\n")
    assert text.splitlines()[0] == BOARD
    assert "Start at B2" in text
    assert text.count("[level 1]") == len(board.solution().steps())


def test_a_solution_in_a_text_file(tmp_path: Path) -> None:
    done = CliRunner().invoke(command, [*EASY, "--count", "2", "--solution", "--out", str(tmp_path / "sol.txt")])
    assert (done.exit_code, done.output) == (0, "")
    assert (tmp_path / "sol.txt").read_text().count("Start at B2") == 2


def test_a_puzzle_shows_its_start_only() -> None:
    shown = CliRunner().invoke(command, [*EASY, "--format", "mine", "--show", "start"]).output
    assert shown == next(no_guess("4x4x4", seed=2)).position.to_text()
    solved = CliRunner().invoke(command, [*EASY, "--format", "svg"]).output
    assert 'class="shut"' not in solved
    assert CliRunner().invoke(command, [*EASY, "--format", "svg", "--show", "start"]).output != solved
    refused = CliRunner().invoke(command, [*EASY, "--show", "start"])
    assert refused.exit_code == 2
    assert "--show start needs" in refused.output


def test_a_sheet_to_print(tmp_path: Path) -> None:
    page = tmp_path / "class.html"
    done = CliRunner().invoke(command, [*EASY, "--count", "3", "--solution", "--out", str(page)])
    assert done.exit_code == 0
    text = page.read_text()
    puzzles, _, solutions = text.partition("</main>")
    assert (puzzles.count("<svg"), solutions.count("<svg")) == (3, 3)
    assert 'href="#mp-mine"' not in puzzles  # no mine is shown
    assert 'href="#mp-mine"' in solutions
    for number, board in enumerate(no_guess("4x4x4", seed=2, count=3), start=1):
        assert f"Solution {number}: level {board.solution().level}" in solutions
        assert all(escape(step.text) in solutions for step in board.solution().steps())
    plain = CliRunner().invoke(command, [*EASY, "--format", "html"]).output
    assert plain.count("<svg") == 1


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--count", "3", "--out", "many.txt"], "use --out FOLDER for 3 boards, not many.txt"),
        (["--count", "3", "--format", "svg"], "use --out FOLDER"),
        (["--min-level", "4", "--max-level", "3"], "--min-level 4 is above --max-level 3"),
        (["--solution", "--format", "mbf"], "mbf cannot hold a solution"),
    ],
)
def test_bad_wishes(args: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(command, [*EASY, *args])
    assert done.exit_code == 2
    assert said in done.output
    assert not list(tmp_path.iterdir())


def test_several_boards_are_rated_by_number(tmp_path: Path) -> None:
    file = tmp_path / "boards.jsonl"
    CliRunner().invoke(command, [*EASY, "--count", "2", "--out", str(file)])
    text = CliRunner().invoke(rate_command, [str(file)]).output
    assert [line for line in text.splitlines() if line.startswith("board")] == [
        line for line in text.splitlines() if not line.startswith(" ")
    ]
    assert text.startswith("board 1, 4x4x4: 3BV")
    assert "board 2, 4x4x4" in text
    one = CliRunner().invoke(rate_command, [BOARD]).output
    assert one.startswith("4x4x4: 3BV")
    assert textwrap.indent(str(rate(Layout.parse(BOARD))), "  ") in one
    assert "the first of level" not in one  # all steps are of level 1
    assert max(map(len, one.splitlines())) < 80
    refused = CliRunner().invoke(rate_command, ["beginner/opening#1"])
    assert "name it with --start CELL" in str(refused.exception)


def test_play_begins_at_the_start_of_a_board(tmp_path: Path) -> None:
    file = tmp_path / "board.id"
    CliRunner().invoke(command, [*EASY, "--out", str(file)])
    text = CliRunner().invoke(play_command, ["--plain", "--ascii", "--load", str(file)], input="hint\n").output
    assert "4x4x4/given=100e@B2: playing" in text
    assert "move 1" in text
    assert "There is a certain move." in text
    for starts, moves in (("", 0), ("@A1,B2", 0), ("@D1", 0)):  # none; several, which are given; a mine
        file.write_text(f"4x4x4=100e{starts}\n")
        text = CliRunner().invoke(play_command, ["--plain", "--ascii", "--load", str(file)], input="").output
        assert f"move {moves}" in text
        assert ("/given:2=" in text) == (starts == "@A1,B2")
