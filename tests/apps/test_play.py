"""``mineproof play`` in lines: it greets, helps, hands over, loses no game, and keeps the time."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
from typing import TYPE_CHECKING

import pytest

from mineproof import Game, Replay, read
from mineproof.apps.cli.play import HELP, SHORT, WORDS, LineGame
from mineproof.board.formats import rawvf
from support.processes import MINEPROOF, said
from support.terminal import Terminal

if TYPE_CHECKING:
    from pathlib import Path

KEPT = re.compile(r"The game is kept: mineproof (play --load|review) (\S+\.game)")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where games are kept."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data" / "mineproof" / "games"


def kept(home: Path) -> list[Replay]:
    return [Replay.from_text(path.read_text()) for path in sorted(home.glob("*"))] if home.exists() else []


def played(lines: str, *args: object) -> tuple[int, str, str]:
    return said("play", *args, "--ascii", given=lines)


def test_it_greets_with_the_goal_the_level_and_help() -> None:
    text = played("quit\n", "--level", "beginner", "--seed", 1)[1]
    assert text.splitlines()[:2] == [
        "Open every cell that has no mine. beginner: 9 columns, 9 rows, 10 mines; the first click is an opening.",
        "Type a cell, such as C4, to open it; help for all commands; quit to leave.",
    ]
    assert "beginner/opening#1: playing" in text


def test_help_tells_of_every_word_and_short_form() -> None:
    assert max(map(len, HELP.splitlines())) <= 80
    for word in WORDS:
        assert re.search(rf"^{re.escape(word)}(?=[ ,])", HELP, re.MULTILINE), word
    for short, word in SHORT.items():
        if short != "exit":
            assert re.search(rf"^{re.escape(word)}[^\n]*? {re.escape(short)}  ", HELP, re.MULTILINE), short


def test_short_forms_and_undo(home: Path) -> None:
    status, text, _ = played("o C4\nf A1\nuf A1\nf B1\nu\nu 2\nundo\nmoves\n", "--level", "beginner", "--seed", 1)
    assert status == 0
    assert "open C4\nflag A1\nunflag A1\nflag B1\nundo\nundo\nundo\nundo\n" in text
    assert [str(move) for move in kept(home)[0].moves[:2]] == ["open C4", "flag A1"]


def test_the_solver_takes_over_and_hands_back(home: Path) -> None:
    """As often as asked; it never guesses, and what it does is part of the game."""
    done = "The solver opened "
    status, text, _ = played("solve\nsolve\nhint\nA1\ns\n", "--level", "expert", "--seed", 5)
    assert status in (0, 2)  # A1 may be open
    told = [line for line in text.splitlines() if line.startswith(("The solver", "Nothing"))]
    assert told[0].startswith(done)
    assert told[0].endswith("Nothing more is certain: it is your move.")
    assert told[1] == "Nothing is certain: it is your move."
    replay = kept(home)[0]
    game = replay.game()
    assert len(replay.moves) > 50
    assert game.hits == 0 or str(replay.moves[-1]) == "open A1"


def test_the_solver_after_the_end_is_refused() -> None:
    status, _, complaint = played("C1\nsolve\n", "--id", "4x3x1/any=200")
    assert (status, complaint) == (2, "the game is lost, so there is no next move\n")


def test_of_several_cells_those_that_are_open_are_skipped() -> None:
    status, text, complaint = played("A1 B1 A2 D1\n", "--id", "4x3x1/any=200")
    assert (status, complaint) == (0, "")
    assert "won after 2 moves" in text
    assert played("A1\nA1\n", "--id", "4x3x1/any=200")[2] == "open A1: it is already open\n"
    assert played("A1\nA1 A2\n", "--id", "4x3x1/any=200")[2] == "open A1 A2: they are already open\n"
    assert "lost after 1 move" in played("C1 A1 B1\n", "--id", "4x3x1/any=200")[1]


def test_a_flagged_cell_is_opened_with_a_mark_of_exclamation() -> None:
    status, _, complaint = played("flag A1\nopen A1\n", "--id", "4x3x1/any=200")
    assert (status, complaint) == (2, "open A1: it is flagged; unflag it first, or use open! A1\n")
    status, text, complaint = played("flag A1\nopen! A1\no! D1\n", "--id", "4x3x1/any=200")
    assert (status, complaint) == (0, "")
    assert "won after 4 moves" in text


def test_after_the_end_it_says_what_can_be_done() -> None:
    text = played("A1\nD1\n", "--id", "4x3x1/any=200")[1]
    assert "won after 2 moves; 3BV 2\nWhat next? undo takes back the last move, save F " in text


def test_no_game_is_lost(home: Path, tmp_path: Path) -> None:
    """At the end of the input, with new, load and quit; saved games and games without a move are not kept."""
    board = ("--id", "4x3x1/any=200")
    for lines, games in (
        ("", 0), ("quit\n", 0), ("A1\n", 1), ("A1\nquit\n", 1), ("A1\nnew\n", 1), ("A1\nnew\nA1\n", 2),
        (f"A1\nsave {tmp_path}/x.game\n", 0), (f"A1\nsave {tmp_path}/x.game\nD1\n", 1),
        (f"A1\nload {tmp_path}/x.game\n", 1), ("C1\n", 1), ("A1\nnew nonsense\n", 1),
    ):  # fmt: skip
        before = len(kept(home))
        text = played(lines, *board)[1]
        assert len(kept(home)) - before == games, lines
        assert len(KEPT.findall(text)) == games
    found = KEPT.search(played("A1\nflag C1\n", *board)[1])
    assert found is not None
    again = json.loads(said("play", "--load", found[2], "--json", given="D1\n")[1])
    assert (again["state"], again["moves"]) == ("won", 3)
    assert again["kept"] is not None
    found = KEPT.search(played("C1\n", *board)[1])
    assert found is not None
    assert found[1] == "review"


def test_a_terminal_is_asked(home: Path) -> None:
    with Terminal("play", "--plain", "--id", "4x3x1/any=200", "--ascii") as terminal:
        terminal.expect("> ")
        terminal.press("A1\n")
        terminal.expect("move 1\n")
        terminal.press("new 4x3x1/any=200\n")
        terminal.expect(r"This game is not over and not saved\. Keep it\? \[Y/n\]: ")
        terminal.press("n\n")
        terminal.expect("move 0\n")
        assert not kept(home)
        terminal.press("A1\n")
        terminal.expect("move 1\n")
        terminal.press("quit\n")
        terminal.expect(r"Keep it\? \[Y/n\]: ")
        terminal.press("\n")
        terminal.expect("The game is kept: mineproof play --load ")
        terminal.end()
    assert terminal.process.returncode == 0
    assert len(kept(home)) == 1


@pytest.mark.parametrize("keys", ["\x03", "\x04", "new\n\x03"])
def test_ctrl_c_and_ctrl_d_lose_nothing(home: Path, keys: str) -> None:
    with Terminal("play", "--plain", "--id", "4x3x1/any=200", "--ascii") as terminal:
        terminal.expect("> ")
        terminal.press("A1\n")
        terminal.expect("move 1\n")
        terminal.expect("> ")
        if "\n" in keys:
            terminal.press("new\n")
            terminal.expect("Keep it")
        terminal.press_until(keys[-1], "The game is kept: mineproof play --load ")
        terminal.end()
    assert terminal.process.returncode == (0 if keys == "\x04" else 130)
    assert [str(move) for move in kept(home)[0].moves] == ["open A1"]


def test_a_closed_terminal_loses_nothing(home: Path) -> None:
    process = subprocess.Popen(
        [*MINEPROOF, "play", "--id", "4x3x1/any=200", "--ascii"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("A1\n")
    process.stdin.flush()
    while "move 1" not in process.stdout.readline():
        pass
    os.kill(process.pid, signal.SIGTERM)
    process.communicate(timeout=120)
    assert process.returncode == 143
    assert len(kept(home)) == 1


def test_where_games_cannot_be_kept_that_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    status, _, complaint = played("A1\n", "--id", "4x3x1/any=200")
    assert status == 2
    assert complaint.startswith(f"mineproof: {tmp_path}/file/mineproof")
    status, text, complaint = played("A1\nnew\nmoves\n", "--id", "4x3x1/any=200")  # then the game is not left
    assert status == 2
    assert text.endswith("open A1\n")


def test_moves_are_timed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr("mineproof.apps.cli.play.time.monotonic", lambda: now)
    session = LineGame(Game.from_id("4x3x1/any=200"), lambda _: None)
    for moment, line in ((107.0, "flag C1"), (108.25, "A1"), (109.5, "undo"), (110.0, "hint"), (111.0, "A1")):
        now = moment
        session.do(line)
    assert session.replay().times == (0, 1250, 2500, 4000)
    now = 112.0
    session.do(f"save {tmp_path}/x.game")
    again = LineGame(Game.from_id("4x3x1/any=200"), lambda _: None)
    now = 500.0
    again.do(f"load {tmp_path}/x.game")
    now = 501.5
    again.do("D1")
    assert again.replay().times == (0, 1250, 2500, 4000, 5500)
    moves = LineGame(Game.from_id("4x3x1/any=200"), lambda _: None)
    for moment, line in ((1.0, "A1"), (3.5, "D1")):
        now = moment
        moves.do(line)
    found = read(rawvf.write(moves.replay()), "rawvf")
    assert isinstance(found, Replay)
    assert found.times == (0, 2500)
    (tmp_path / "old.game").write_text("mineproof game 1\n4x3x1/any=200\nopen A1\n")
    again.do(f"load {tmp_path}/old.game")
    again.do("D1")
    assert again.replay().times is None  # either every move has a time, or none
