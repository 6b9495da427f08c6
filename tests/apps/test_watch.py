"""``mineproof watch``: fits a terminal, obeys keys, and gives reasons that are near."""

from __future__ import annotations

import json
import re
import termios
from typing import TYPE_CHECKING

import pytest

from mineproof import Game, Position, Replay, why
from mineproof.apps.cli.stage import frame
from mineproof.arena.match import turns
from mineproof.seat.reasons import MoveReasons
from mineproof.seat.seat import Seat
from support.processes import said
from support.terminal import Terminal, frames

if TYPE_CHECKING:
    from pathlib import Path

REASON = re.compile(
    r"(open|flag) [A-Z]+\d+(, [A-Z]+\d+)*: (safe|a mine|mines), by "
    r"([A-Z]+\d+|\d+ more( near it)?|the mine count|, | and )+(, after \d+ other steps?)?"
)


def test_expert_fits_80_columns_and_24_lines() -> None:
    with Terminal("watch", "--seed", 163, "--delay", 0) as terminal:
        text = terminal.end()
    assert terminal.process.returncode == 0
    pictures = frames(text)
    assert len(pictures) > 20
    for picture in pictures:
        assert len(picture) <= 23  # and the cursor below
        assert max(map(len, picture)) <= 80
        assert picture[0].startswith("expert/opening#163: best plays; ")
        assert picture[3].startswith(" 1 ")
        assert picture[18].startswith("16 ")
    assert re.fullmatch(r"won: 381 of 381 safe cells open, \d+ guess(es)?", pictures[-1][-1])


def test_keys_pause_step_and_quit(tmp_path: Path) -> None:
    with Terminal("watch", "--seed", 163, "--delay", 60, "--save", tmp_path / "x.game") as terminal:
        terminal.expect(r"move 1\b")
        terminal.press(" ")
        terminal.expect("paused; space: continue")
        terminal.press("\n")
        turn = int(terminal.expect(r"move (\d+)\D")[1])
        assert turn > 1
        terminal.expect("paused; space: continue")
        terminal.press("xq")  # a key that means nothing, and one that does
        text = terminal.end()
    assert "stopped: " in text
    assert f"saved to {tmp_path}" in text.replace("\n", "")
    assert len(Replay.from_text((tmp_path / "x.game").read_text()).moves) == turn


def test_move_by_move(tmp_path: Path) -> None:
    with Terminal("watch", "--level", "beginner", "--seed", 5, "--step", "--save", tmp_path / "x.game") as terminal:
        for move in range(1, 6):
            terminal.expect(rf"move {move}\b")
            terminal.expect("space or Enter: next move")
            terminal.press(" " if move % 2 else "\n")
        terminal.expect(r"move 6\b")
        terminal.press("q")
        terminal.end()
    assert len(Replay.from_text((tmp_path / "x.game").read_text()).moves) == 6


def test_the_terminal_is_afterwards_as_it_was() -> None:
    with Terminal("watch", "--level", "beginner", "--seed", 5, "--step") as terminal:
        terminal.expect(r"move 1\b")
        before = termios.tcgetattr(terminal.master)[3]
        terminal.press("q")
        terminal.process.wait(timeout=120)
        after = termios.tcgetattr(terminal.master)[3]
    assert not before & termios.ICANON
    assert after & termios.ICANON
    assert after & termios.ECHO


@pytest.mark.parametrize("agent", ["best", "sat", "careful"])
def test_reasons_are_near(agent: str) -> None:
    text = said("watch", "--agent", agent, "--seed", 3)[1]
    reasons = [line for line in text.splitlines() if line.startswith(("open ", "flag "))][1:]
    assert len(reasons) > 50
    for line in reasons:
        assert REASON.fullmatch(line), line


def test_the_clues_of_a_reason_prove_it() -> None:
    """Where all clues are named: with these alone, and without the number of mines, the cell is certain."""
    game = Game("intermediate", "opening", seed=4)
    checked = 0
    before = game.position
    for turn in turns("best", game):
        if turn.decision.certain and before.cells.strip(b"H"):
            for line in MoveReasons(Seat(before)).lines(turn.played):
                found = re.fullmatch(
                    r"(open|flag) ([^:]+): (safe|a mine|mines), by ((?:[A-Z]+\d+(?:, | and )?)+)", line
                )
                if found is None:
                    continue
                named = {before.grid.at(name) for name in re.findall(r"[A-Z]+\d+", found[4])}
                symbols = "".join(
                    "S" if before.clue(cell) is not None and cell not in named else before[cell] for cell in before.grid
                )
                only = Position(before.grid, before.mines, symbols.replace("F", "H").encode())
                for name in found[2].split(", "):
                    assert why(only, name).verdict == ("safe" if found[3] == "safe" else "mine")
                    checked += 1
        before = game.position
    assert checked > 50


def test_a_riskier_guess_says_why() -> None:
    found = []
    for seed in range(1, 5):
        text = said("watch", "--seed", seed)[1]
        found += [line for line in text.splitlines() if line.startswith("guess ")]
    riskier = [line for line in found if " against " in line]
    assert riskier
    for line in riskier:
        told = re.match(r"guess [A-Z]+\d+: ([\d.]+) % risk of a mine against ([\d.]+) % for [A-Z]+\d+, but (.+)", line)
        assert told is not None, line
        assert float(told[1]) >= float(told[2])
        assert "won more often" in told[3] or "a certain move, or the win, follows more often" in told[3]


def test_a_replay_is_played_back(tmp_path: Path) -> None:
    (tmp_path / "x.game").write_text("mineproof game 1\n4x2x2/any=50\nopen A1\nopen B2\nundo\nopen B2\nflag B1\n")
    status, text, complaints = said("watch", "--load", tmp_path / "x.game", "--ascii")
    assert (status, complaints) == (0, "")
    assert text.splitlines()[1:6] == [
        "guess A1: 25.0 % risk of a mine",
        "guess B2: 33.3 % risk of a mine; the least is 25.0 % for C1",
        "undo: the last move is taken back",
        "open B2: safe, opened before",
        "flag B1: 50.0 % risk of a mine",
    ]
    assert text.splitlines()[-1] == "stopped: 2 of 6 safe cells open, 2 guesses"
    assert said("watch", "--load", tmp_path / "x.game", "--agent", "best")[0] == 2
    (tmp_path / "empty.game").write_text("mineproof game 1\n4x2x2/any=50\n")
    assert "there are no moves to play back" in said("watch", "--load", tmp_path / "empty.game")[2]


def test_a_needless_guess_is_named(tmp_path: Path) -> None:
    game = Game.from_id("expert/opening#42")
    game.open("D4")
    game.open("AD16")
    game.save(tmp_path / "x.game")
    text = said("watch", "--load", tmp_path / "x.game", "--delay", 0)[1]
    assert "guess AD16: 20.6 % risk of a mine, and F1 was certainly safe\n" in text


def test_a_program_that_fails_is_named() -> None:
    status, _, complaint = said("watch", "--agent", "command:false", "--level", "beginner", "--delay", 0)
    assert status == 2
    assert complaint.startswith("mineproof: command:false: it exited")


def test_an_id_and_a_board_of_a_run(tmp_path: Path) -> None:
    assert json.loads(said("watch", "--id", "beginner/safe#5", "--json")[1])["id"] == "beginner/safe#5"
    run = tmp_path / "run"
    begin = ("--agent", "lowest-risk", "--agent", "best", "--level", "beginner", "--level", "9x9x20", "--games", 9)
    assert said("arena", *begin, "--out", run, "--seed", 2)[0] == 0
    found = json.loads(said("watch", "--run", run, "--board", 7, "--json")[1])
    assert (found["id"], found["agent"]) == (Game("beginner", "safe", seed=2, index=7).id, "lowest-risk")
    found = json.loads(said("watch", "--run", run, "--board", 7, "--level", "9x9x20", "--agent", "best", "--json")[1])
    assert (found["id"], found["agent"]) == (Game("9x9x20", "safe", seed=2, index=7).id, "best")


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("--run", "RUN"), "--run and --board must be used together"),
        (("--run", "RUN", "--board", "3"), "board 3 is not in this run: it has boards 0 to 2"),
        (("--run", "RUN", "--board", "0", "--agent", "sat"), "there is no agent of this run 'sat'; choose from best"),
        (("--run", "RUN", "--board", "0", "--level", "expert"), "there is no level of this run 'expert'; choose from"),
        (
            ("--run", "RUN", "--board", "0", "--seed", "1"),
            "--run cannot be combined with --seed",
        ),
        (("--id", "expert/safe#1", "--load", "x"), "--id and --load cannot be combined"),
        (("--id", "expert/safe#1", "--level", "expert"), "--id cannot be combined with --level"),
    ],
)
def test_bad_games_are_one_sentence(tmp_path: Path, args: tuple[str, ...], sentence: str) -> None:
    run = tmp_path / "run"
    assert said("arena", "--level", "beginner", "--games", 3, "--out", run)[0] == 0
    status, _, complaint = said("watch", *(str(run) if arg == "RUN" else arg for arg in args))
    assert status == 2
    assert complaint.startswith(f"mineproof: {sentence}")
    assert complaint.count("\n") == 1


def test_a_picture_is_shortened_below_the_board() -> None:
    board = "\n".join("x" * 60 for _ in range(18))
    lines = frame("t" * 200, board, ["word " * 100, "more"], "q: quit", columns=80, rows=24)
    assert len(lines) == 23
    assert max(map(len, lines)) <= 80
    assert lines[-2].endswith(" …")
    assert lines[1:19] == board.splitlines()
