"""``mineproof play`` on a terminal of its own, by the bytes that a terminal sends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from mineproof import Replay
from support.processes import MINEPROOF, wait_for
from support.terminal import Terminal

if TYPE_CHECKING:
    from pathlib import Path

FULL_SCREEN = r"\x1b\[\?1049h"
BOARD = ("--id", "4x3x1/any=200")
KEPT = r"The game is kept: mineproof (play --load|review) "


def moves(home: Path) -> list[str]:
    """Of all games that are kept; a file has its name before its content."""
    texts = [path.read_text() for path in (home / "games").glob("*.game")]
    return [str(move) for text in texts if text for move in Replay.from_text(text).moves]


def test_keys_and_mouse_of_a_real_terminal(home: Path) -> None:
    with Terminal("play", *BOARD) as terminal:
        terminal.expect(FULL_SCREEN)
        terminal.expect("Quit")
        terminal.press("\r")
        wait_for(lambda: moves(home) == ["open A1"])
        x, y = 5 + 3 * 2, 3  # C1: after the margin, below the heading and the names of columns; from 1
        terminal.press(f"\x1b[<2;{x};{y}M\x1b[<2;{x};{y}m")
        wait_for(lambda: moves(home) == ["open A1", "flag C1"])
        terminal.press(f"\x1b[<0;{x + 3};{y}M\x1b[<0;{x + 3};{y}m")
        wait_for(lambda: moves(home) == ["open A1", "flag C1", "open D1"])
        terminal.press("q")
        assert terminal.expect(KEPT)[1] == "review"
        terminal.end()
    assert terminal.process.returncode == 0


@pytest.mark.parametrize(
    ("leave", "status"), [("\x03", 0), (signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)]
)
def test_every_way_to_leave_keeps_the_game_and_restores_the_terminal(
    home: Path, leave: str | signal.Signals, status: int
) -> None:
    with Terminal("play", *BOARD) as terminal:
        terminal.expect("Quit")
        terminal.press("\r")
        wait_for(lambda: moves(home) == ["open A1"])
        if isinstance(leave, str):
            terminal.press(leave)
        else:
            os.kill(terminal.process.pid, leave)
        terminal.expect(r"\x1b\[\?1049l")  # the screen from before
        assert terminal.expect(KEPT)[1] == "play --load"
        terminal.end()
    assert terminal.process.returncode == status


def test_a_killed_app_loses_nothing(home: Path) -> None:
    with Terminal("play", "--level", "beginner", "--seed", 1) as terminal:
        terminal.expect("Quit")
        terminal.press("\r")
        wait_for(lambda: len(moves(home)) == 1)
        terminal.process.kill()
        terminal.process.wait()
    with Terminal("play") as terminal:
        terminal.expect("Your last game continues")
        terminal.press("q")
        terminal.expect(KEPT)
        terminal.end()
    assert len(moves(home)) == 1


def test_a_second_window_begins_a_game_of_its_own(home: Path) -> None:
    with Terminal("play", "--level", "beginner") as first:
        first.expect("Quit")
        first.press("\r")
        wait_for(lambda: len(moves(home)) == 1)
        with Terminal("play") as second:
            second.expect("is open in another window")
            second.press("q")
            second.end()
        path = next((home / "games").glob("*.game"))
        with Terminal("play", "--load", path) as third:
            third.expect("is open in another window")
            third.end()
        assert third.process.returncode == 2
        first.process.kill()
        first.process.wait()
    with Terminal("play") as second:
        second.expect("Your last game continues")


def test_line_mode_where_it_is_asked_for_or_nothing_else_works() -> None:
    with Terminal("play", "--plain", *BOARD) as terminal:
        terminal.expect("Type a cell, such as C4, to open it")
        assert "\x1b[?1049h" not in terminal.text
    done = subprocess.run([*MINEPROOF, "play", *BOARD], input="quit\n", capture_output=True, text=True, check=False)
    assert "Type a cell" in done.stdout


def test_without_textual_there_is_line_mode_and_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "blocked"
    blocked.mkdir()
    (blocked / "sitecustomize.py").write_text("import sys; sys.modules['textual'] = None\n")
    monkeypatch.setenv("PYTHONPATH", f"{blocked}{os.pathsep}{os.pathsep.join(filter(None, sys.path))}")
    with Terminal("play", *BOARD, "--ascii") as terminal:
        terminal.expect(r"this is line mode; the full-screen app needs textual; install it with: pip install")
        terminal.expect("Type a cell")
        terminal.press("quit\n")
        terminal.end()
    assert terminal.process.returncode == 0
