"""The command line as a user meets it: in a process of its own."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from mineproof import Game, Layout, Replay, measure, no_guess, rate, read
from mineproof.apps.cli.play import WORDS
from mineproof.board.formats import as_layouts
from support import recorded
from support.processes import output, run, wait_for

if TYPE_CHECKING:
    from pathlib import Path

POSITION = "5x4x4\n001HH\n112HH\n1F2HH\n112HH\n"


BAD = [
    ["nonsense"],
    ["play", "--nonsense"],
    ["play", "--level", "exprt"],
    ["play", "--size", "9"],
    ["play", "--size", "9x9"],
    ["play", "--size", "9x9", "--mines", "100"],
    ["play", "--size", "9x9", "--mines", "5", "--density", "0.1"],
    ["play", "--level", "expert", "--size", "9x9", "--mines", "5"],
    ["play", "--mines", "5"],
    ["play", "--first-click", "sometimes"],
    ["play", "--seed", "-1"],
    ["play", "--seed", "many"],
    ["play", "--id", "expert/safe"],
    ["play", "--load", "missing.game"],
    ["watch", "--size", "3x3", "--mines", "6"],
    ["generate", "--size", "3x3", "--mines", "9"],
    ["generate", "--count", "0"],
    ["generate", "--count", "3", "--format", "mbf"],
    ["generate", "--format", "mfb"],
    ["generate", "--first-click", "any", "--start", "A1"],
    ["generate", "--start", "Z99"],
    ["generate", "--out", "missing/folder/x.mbf", "--seed", "1"],
    ["generate", "--method", "uniform"],
    ["generate", "--tries", "5"],
    ["generate", "--seconds", "5"],
    ["generate", "--no-guess", "--method", "unifrom"],
    ["generate", "--no-guess", "--first-click", "safe"],
    ["generate", "--no-guess", "--tries", "0"],
    ["generate", "--no-guess", "--start", "Z99"],
    ["generate", "--no-guess", "--size", "3x3", "--mines", "9"],
    ["generate", "--no-guess", "--max-level", "7"],
    ["generate", "--no-guess", "--min-level", "0"],
    ["generate", "--no-guess", "--min-level", "4", "--max-level", "2"],
    ["generate", "--min-level", "2"],
    ["generate", "--max-level", "2"],
    ["generate", "--solution"],
    ["generate", "--no-guess", "--solution", "--format", "mbf"],
    ["generate", "--no-guess", "--solution", "--out", "x.svg"],
    ["rate", "4x3x3=418", "--start", "B1"],
    ["rate", "4x3x3=418", "--seconds", "0"],
    ["generate", "--no-guess", "--size", "9x9", "--probability", "0.1"],
    ["generate", "--no-guess", "--size", "30x16", "--mines", "300", "--seconds", "0.001"],
    ["rate", "missing.mbf"],
    ["analyse", "missing.mine"],
    ["analyse", "-"],
    ["analyse", "?analysis=afaeaaaeclTclTb2lTclT", "--seconds", "0"],
    ["analyse", "?analysis=afaeaaaeclTclTb2lTclT", "--seconds", "inf"],
    ["analyse", "?analysis=afaeaaaeclTclTb2lTclT", "--svg", "--json"],
    ["rate", "."],
    ["rate", "expert/safe#1"],
    ["rate", "missing=1.mbf"],
    ["play", "--id", "expert/safe#1", "--seed", "3"],
    ["play", "--id", "expert/safe#1", "--load", "x.game"],
    ["play", "--id", "expert/safe#1", "--continue"],
    ["play", "--first-click", "safe+contine"],
    ["generate", "--first-click", "safe+contine"],
    ["watch", "--as", "nobody"],
    ["watch", "--as", "lee", "--first-click", "safe"],
    ["watch", "--as", "lee", "--id", "expert/safe#1"],
    ["play", "--as", "lee", "--continue"],
    ["arena", "--as", "lee", "--no-flood", "--games", "1"],
    ["arena", "--as", "lee", "--boards", "x.jsonl"],
    ["watch", "--as", "lee", "--seed", "1", "--pictures", "/dev/null"],
    ["generate", "--json", "--format", "mbf"],
    ["generate", "--out", ".", "--seed", "1"],
    ["convert", "4x3x3=418", "-", "--to", "mbf", "--json"],
    ["convert", "", "x.mbf"],
    ["rate", "-"],
    ["convert", "-", "-"],
    ["convert", "-", "x.unknown"],
    ["convert", "4x3x3=418", "missing/folder/x.mbf"],
    ["convert", "4x3x3=418", "x.rawvf"],
    ["convert", "4x3x3=418", "x.mbf", "--step", "1"],
    ["convert", "4x3x3=418", "x.tatham"],
    ["convert", "4x3x3=418", "x.avf"],
    ["convert", "/dev/null", "x.game", "--from", "avf"],
    ["convert", "/dev/zero", "x.game", "--from", "evf"],
    ["convert", "4x3x3=418", "x.tatham", "--start", "Q9"],
]


@pytest.mark.parametrize("args", BAD, ids=" ".join)
def test_bad_input_is_one_sentence_and_status_2(args: list[str], tmp_path: Path) -> None:
    done = run(*args, cwd=tmp_path)
    assert done.returncode == 2
    lines = done.stderr.decode().splitlines()
    assert len([line for line in lines if not line.startswith("seed ")]) == 1
    assert "Traceback" not in done.stderr.decode()
    assert not list(tmp_path.iterdir())  # nothing half-written is left behind


def test_help_is_there_for_everything() -> None:
    assert "watch" in output()
    for name in ("watch", "play", "generate", "rate", "convert"):
        assert name in output("--help")
        assert "--json" in output(name, "--help")
    assert output("--version").startswith("mineproof, version ")


def test_play_in_a_pipe(tmp_path: Path) -> None:
    moves = "open E5\nF1\nflag i9\nundo\nmoves\nsave my.game\nshow\nhelp\nquit\nnever read\n"
    text = output(
        "play", "--plain", "--level", "beginner", "--first-click", "opening", "--seed", "1", given=moves, cwd=tmp_path
    )
    assert "beginner/opening#1: playing" in text
    assert "open E5\nopen F1\nflag I9\nundo\n" in text
    saved = Replay.from_text((tmp_path / "my.game").read_text())
    assert [str(move) for move in saved.moves] == ["open E5", "open F1", "flag I9", "undo"]
    again = output("play", "--load", "my.game", "--json", given="flag I9\n", cwd=tmp_path)
    assert json.loads(again)["moves"] == 5
    assert "saved to my.game" in text


def test_play_answers_bad_lines_and_continues(tmp_path: Path) -> None:
    good, *bad = (
        "flag A1", "dig A1", "open", "open Z9", "undo x", "open A1", "save", "save no/folder/x", "load missing",
        "new x#1", "load .", "question A1", "undo 2",
    )  # fmt: skip
    done = run(
        "play",
        "--plain",
        "--level",
        "beginner",
        "--seed",
        "1",
        given="\n".join([good, *bad, "flag B1", ""]),
        cwd=tmp_path,
    )
    assert done.returncode == 2
    complaints = done.stderr.decode().splitlines()
    assert len(complaints) == len(bad)
    assert complaints[0] == "there is no command 'dig'; choose from " + ", ".join(sorted(WORDS))
    assert "Traceback" not in done.stderr.decode()
    assert "8 of 10 mines left" in done.stdout.decode()


def test_play_to_the_end_and_on() -> None:
    moves = "open C1\nundo\nA1\nD1\nshow\nnew\nnew 4x3x1/any=200\n"
    text = output("play", "--id", "4x3x1/any=200", "--ascii", given=moves)
    assert "lost after 1 move; 3BV 2" in text
    assert "won after 4 moves; deaths undone: 1; 3BV 2" in text
    assert "!" in text
    assert text.isascii()


def test_play_with_every_rule() -> None:
    result = json.loads(
        output(
            "play", "--size", "5x4", "--density", "0.2", "--first-click", "given:2", "--continue", "--no-flood",
            "--questions", "--seed", "3", "--json", given="question A1\n",
        )
    )  # fmt: skip
    assert result["id"] == "5x4x4/given:2+continue+no-flood+questions#3"
    assert result["state"] == "playing"
    probable = json.loads(output("play", "--size", "5x4", "--probability", "0.2", "--seed", "3", "--json"))
    assert probable["id"] == "5x4xp0.2/opening#3"


def test_watch_explains_itself() -> None:
    text = output("watch", "--level", "beginner", "--seed", "5")
    assert "open C3: the first click" in text
    assert re.search(r"^open [A-Z]\d: safe, by [A-Z]\d and [A-Z]\d$", text, re.MULTILINE)
    guesses = [line for line in output("watch", "--seed", "3").splitlines() if line.startswith("guess ")]
    assert re.fullmatch(r"guess U10: 8\.6 % risk of a mine; next best [A-Z]+[0-9]+: 8\.6 %", guesses[1])
    result = json.loads(output("watch", "--level", "beginner", "--seed", "5", "--json"))
    assert result["state"] in ("won", "stuck")
    assert result["hits"] == 0


def test_one_agent_is_listed() -> None:
    text = output("agents", "deep")
    assert text.startswith("deep ")
    assert "endgame=20000" in text
    assert "careful" not in text
    assert [one["name"] for one in json.loads(output("agents", "csp:mine-count", "--json"))] == ["csp:mine-count"]
    done = run("agents", "deap")
    assert (done.returncode, done.stderr) == (2, b"mineproof: there is no agent 'deap'; did you mean 'deep'?\n")


def test_analyse_says_that_a_first_click_is_safe() -> None:
    assert "The first click is always safe in this game; D4 is a good one." in output("analyse", "expert/opening#42")
    for other in ("expert/any#42", "3x1x1\n1HH"):
        assert "first click" not in output("analyse", "-", given=other)


def test_analyse() -> None:
    fields = json.loads(output("analyse", "-", "--json", given=POSITION))
    assert {key: fields[key] for key in ("rows", "cols", "mines", "consistent", "exact", "solutions")} == {
        "rows": 4, "cols": 5, "mines": 4, "consistent": True, "exact": True, "solutions": "4",
    }  # fmt: skip
    assert fields["safe"] == [[1, 3], [2, 3]]
    assert fields["mined"] == [[0, 3], [2, 1], [3, 3]]
    assert fields["odds"][0] == [None, None, None, 1.0, 0.25]
    assert fields["best"] == {"cell": [1, 3], "risk": 0.0, "chance": None, "text": "No guess is needed: D2 is safe."}
    assert fields["least_risk"] == {"cell": [1, 3], "risk": 0.0}
    assert output("analyse", "-", "--svg", given=POSITION).startswith("<svg")
    for option in ([], ["--json"], ["--svg"]):
        assert run("analyse", "-", *option, given="5x1x1\n1H0H1").returncode == 1
    assert json.loads(output("analyse", "-", "--json", given="100x100x2000\n" + ("H" * 100 + "\n") * 100))["exact"]


@pytest.mark.parametrize(
    ("text", "clues", "mine_count"), [("5x1x1\n1H0H1", [[0, 0], [0, 2]], False), ("3x2x3\nHHH\n121", [], True)]
)
def test_every_command_names_the_conflict_alike(text: str, clues: list[list[int]], mine_count: bool) -> None:
    for command in ("analyse", "deduce", "hint", "explain", "prove"):
        cell = ["B1"] if command in ("explain", "prove") else []
        as_json, plain = (run(command, "-", *cell, *option, given=text) for option in (["--json"], []))
        said = json.loads(as_json.stdout)
        assert said["conflict"] == {"clues": clues, "mine_count": mine_count}
        assert (as_json.returncode, plain.returncode) == (1, 1)
        assert plain.stdout.decode() == said.get("text", plain.stdout.decode().strip()) + "\n"
        assert plain.stdout.startswith(b"inconsistent: ")
        if cell:
            assert (said["because"], said["mine_count"]) == (clues, mine_count)


@pytest.mark.parametrize("rule", ["any", "safe", "opening", "given", "given:sqrt"])
def test_watch_under_every_first_click(rule: str) -> None:
    result = json.loads(output("watch", "--level", "beginner", "--first-click", rule, "--seed", "6", "--json"))
    assert result["state"] in ("won", "stuck", "lost")


def test_generate_is_reproducible(tmp_path: Path) -> None:
    three = [
        "generate",
        "--level",
        "beginner",
        "--first-click",
        "opening",
        "--start",
        "C3",
        "--seed",
        "9",
        "--count",
        "3",
    ]
    expected = [Layout.draw("beginner", "opening", "C3", seed=9, index=i) for i in range(3)]
    assert read(output(*three), "jsonl") == expected
    output(*three, "--format", "mbf", "--out", "boards", cwd=tmp_path)
    files = sorted((tmp_path / "boards").iterdir())
    assert [path.name for path in files] == ["board-000000.mbf", "board-000001.mbf", "board-000002.mbf"]
    assert [read(path.read_bytes(), "mbf") for path in files] == [Layout(board.grid, board.mask) for board in expected]
    output("generate", "--seed", "9", "--out", "one.tatham", cwd=tmp_path)
    assert read((tmp_path / "one.tatham").read_bytes()) == Layout.draw("expert", "safe", "A1", seed=9)
    assert b"seed " in run("generate", "--level", "beginner").stderr


def test_generate_replaces_nothing_unless_it_is_told_to(tmp_path: Path) -> None:
    for args in (("--out", "class.html"), ("--format", "mine", "--count", "2", "--out", "boards")):
        command = ("generate", "--level", "beginner", "--seed", "1", *args)
        output(*command, cwd=tmp_path)
        before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
        refused = run(*command, "--first", "5", cwd=tmp_path)
        assert refused.returncode == 2
        assert b"exists: use --force to replace it" in refused.stderr
        assert {path: path.read_bytes() for path in before} == before
        output(*command, "--first", "5", "--force", cwd=tmp_path)
        assert {path: path.read_bytes() for path in before} != before
    assert sorted(path.name for path in (tmp_path / "boards").iterdir()) == ["board-000000.mine", "board-000001.mine"]
    done = run("generate", "--count", "2", "--out", "more", cwd=tmp_path)
    assert (done.returncode, (tmp_path / "more").exists()) == (2, False)
    assert b"use more.jsonl for one file, or --format mine for a folder" in done.stderr


def test_input_without_a_format_is_refused_once() -> None:
    done = run("analyse", "-", given="nonsense")
    assert done.stderr.count(b"standard input") == 1
    assert b"svg" not in done.stderr  # which can only be written
    assert run("analyse", "-").stderr == b"mineproof: standard input is empty\n"


@pytest.mark.parametrize("method", ["fast", "uniform"])
def test_generate_boards_that_need_no_guess(method: str, tmp_path: Path) -> None:
    args = ["generate", "--no-guess", "--size", "30x16", "--density", "0.2", "--seed", "9", "--method", method]
    expected = [board.layout for board in no_guess("30x16x96", method=method, seed=9, start="D4", count=3)]
    assert read(output(*args, "--start", "D4", "--count", "3"), "jsonl") == expected
    assert read(output(*args, "--start", "D4", "--json"), "jsonl") == expected[:1]
    output(*args, "--start", "D4", "--count", "3", "--format", "tatham", "--out", "boards", cwd=tmp_path)
    files = sorted((tmp_path / "boards").iterdir())
    assert [read(path.read_bytes()) for path in files] == expected
    output(*args, "--out", "one.jsonl", cwd=tmp_path)
    (one,) = as_layouts(read(tmp_path / "one.jsonl"))
    assert str(one.start) == "O8"


def test_no_such_board_is_an_answer(tmp_path: Path) -> None:
    done = run("generate", "--no-guess", "--size", "3x3", "--mines", "7", "--seed", "1", "--tries", "50", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.startswith(b"mineproof: none of ")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("method", ["fast", "uniform"])
def test_generate_boards_of_a_level(method: str) -> None:
    args = ["generate", "--no-guess", "--level", "beginner", "--seed", "9", "--method", method, "--count", "3"]
    boards = no_guess("beginner", method=method, seed=9, min_level=2, max_level=3, count=3)
    expected = [board.layout for board in boards]
    assert read(output(*args, "--min-level", "2", "--max-level", "3"), "jsonl") == expected
    done = run(*args, "--min-level", "5", "--max-level", "5", "--tries", "20")
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"is solvable without a guess and of level 5; try other levels" in done.stderr


def test_generate_prints_solutions(tmp_path: Path) -> None:
    args = [
        "generate",
        "--no-guess",
        "--level",
        "beginner",
        "--seed",
        "9",
        "--min-level",
        "2",
        "--count",
        "2",
        "--solution",
    ]
    boards = list(no_guess("beginner", seed=9, min_level=2, count=2))
    lines = output(*args).splitlines()
    assert "\n".join(lines) == f"{boards[0].solution()}\n{boards[1].solution()}"
    steps = boards[0].solution().steps()
    numbered = [line for line in lines if re.match(r" *\d+\. ", line)]
    assert [line.split("] ", 1)[1] for line in numbered[: len(steps)]] == [step.text for step in steps]
    assert f"Level {boards[0].solution().level}: " in lines[lines.index(numbered[len(steps) - 1]) + 1]
    output(*args, "--out", "boards.jsonl", cwd=tmp_path)
    written = (tmp_path / "boards.jsonl").read_text()
    assert written == output(*args, "--json")
    assert [json.loads(line)["solution"] for line in written.splitlines()] == [b.solution().fields() for b in boards]
    assert read(written, "jsonl") == [board.layout for board in boards]
    assert output("rate", "boards.jsonl", cwd=tmp_path).count("; no guess\n") == 2


def test_rate() -> None:
    layout = Layout.draw("expert", "opening", "D4", seed=1)
    fields = json.loads(output("rate", "-", "--json", given=str(layout)))
    found = measure(layout)
    assert fields == {
        "board": 1, "rows": 16, "cols": 30, "mines": 99,
        "3bv": found.bbbv, "openings": found.openings, "islands": found.islands, "zini": found.zini,
        **rate(layout).fields(),
    }  # fmt: skip
    first, second, third, fourth = output("rate", "4x3x3=418").splitlines()
    assert first.startswith("4x3x3: 3BV 9, openings 0, islands 1, ZiNi ")
    assert re.fullmatch(r"  difficulty 40\d\.\d from B2: harder than \d+ % of expert boards", second)
    assert (third[:11], fourth[:11]) == ("  4 steps o", "  4 guesses")
    assert " from C3: " in output("rate", "4x3x3=418", "--start", "C3")


def test_rate_says_what_it_could_not_do() -> None:
    """The measures are there all the same."""
    first, second = output("rate", "-", given='{"w":3,"h":1,"start":0,"mines":[0]}').splitlines()
    assert (first[:6], second) == ("3x1x1:", "  not rated: A1 is a mine: it cannot be the start")
    assert "no safe cell" in output("rate", "2x2x4=f")
    large = json.loads(output("rate", "900x900x170000/any#1", "--seconds", "0.01", "--json"))
    assert (large["mines"], large["difficulty"]) == (170000, None)
    assert large["not_rated"] == "the limit was reached before the board was solved"


@pytest.mark.parametrize("name", ["mine", "mbf", "analysis", "ptta", "tatham", "jsonl", "id"])
def test_convert_there_and_back(name: str, tmp_path: Path) -> None:
    layout = Layout.draw("expert", "opening", "D4", seed=1)
    target = tmp_path / "board"
    output("convert", str(layout), str(target), "--to", name)
    back = output("convert", str(target), "-", "--from", name, "--to", "id").strip()
    assert Layout.parse(back).mask == layout.mask


def test_convert_replays(tmp_path: Path) -> None:
    game = Game("beginner", "opening", seed=1)
    game.open("E5")
    game.flag("I9") if game["I9"] == "H" else game.flag("A1")
    (tmp_path / "x.game").write_text(game.replay().to_text())
    said = json.loads(output("convert", "x.game", "x.rawvf", "--json", cwd=tmp_path))
    assert said["format"] == "rawvf"
    again = read((tmp_path / "x.rawvf").read_bytes(), "rawvf")
    assert isinstance(again, Replay)
    assert again.game().position == game.position
    output("convert", "x.rawvf", "x.svg", "--step", "1", cwd=tmp_path)
    assert (tmp_path / "x.svg").read_text().startswith("<svg")
    assert output("convert", "x.rawvf", "-", "--to", "mine", cwd=tmp_path) == game.position.to_text()
    assert output("convert", "-", "-", "--to", "analysis", given=POSITION).strip() == "?analysis=afaeaaaeclTclTb2lTclT"
    assert output("convert", "?analysis=afaeaaaeclTclTb2lTclT", "-", "--to", "mine") == POSITION
    seeded = output("convert", "expert/safe#42", "-", "--to", "jsonl", "--start", "A1")
    assert read(seeded, "jsonl") == [Layout.draw("expert", "safe", "A1", seed=42)]


@pytest.mark.parametrize("name", recorded.WRITERS)
def test_convert_recorded_games(name: str, tmp_path: Path) -> None:
    game = Game(Layout.parse("5x3x2=1010"))
    for move in ("open A1", "flag D1", "chord C1"):
        game.play(move)
    file = tmp_path / f"x.{name}"
    file.write_bytes(recorded.WRITERS[name](recorded.Recording.of(game.replay())))
    assert output("convert", str(file), "-", "--to", "mine") == game.position.to_text()
    file.write_bytes(file.read_bytes()[:-30])
    done = run("convert", str(file), "x.game", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.decode() == (
        f"mineproof: {file}: this {name.upper()} file cannot be read: it is damaged, or not an {name.upper()} file\n"
    )
    assert list(tmp_path.iterdir()) == [file]


def test_files_are_written_whole_and_stay_what_they_are(tmp_path: Path) -> None:
    real = tmp_path / "real.id"
    real.write_text("old")
    real.chmod(0o600)
    link = tmp_path / "link.id"
    link.symlink_to(real)
    output("convert", "4x3x3=418", str(link))
    assert link.is_symlink()
    assert real.read_text() == "4x3x3=418\n"
    assert real.stat().st_mode & 0o777 == 0o600
    (tmp_path / "new.id").write_text(output("convert", "4x3x3=418", "/dev/stdout", "--to", "id"))
    assert (tmp_path / "new.id").read_text() == "4x3x3=418\n"
    output("convert", "4x3x3=418", str(tmp_path / "fresh.id"))
    umask = os.umask(0)
    os.umask(umask)
    assert (tmp_path / "fresh.id").stat().st_mode & 0o777 == 0o666 & ~umask
    assert "missing/x.mbf: No such file" in run("convert", "4x3x3=418", "missing/x.mbf", cwd=tmp_path).stderr.decode()


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT], ids=str)
def test_whoever_is_ended_leaves_no_half_written_file(tmp_path: Path, sent: signal.Signals) -> None:
    command = [sys.executable, "-m", "mineproof", "generate", "--seed", "1", "--count", str(10**9), "--out", "x.jsonl"]
    process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE)
    wait_for(lambda: any(path.stat().st_size for path in tmp_path.iterdir()))
    process.send_signal(sent)
    _, complaint = process.communicate(timeout=120)
    assert (process.returncode, complaint) == (128 + sent, b"interrupted\n" if sent is signal.SIGINT else b"")
    assert not list(tmp_path.iterdir())


def test_what_the_caller_wants_ignored_is_ignored(tmp_path: Path) -> None:
    """As under nohup."""
    command = f"trap '' HUP; exec {sys.executable} -m mineproof play --level beginner --seed 1 --json"
    process = subprocess.Popen(["sh", "-c", command], cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    process.stdin.write(b"save reached\n")
    process.stdin.flush()
    wait_for((tmp_path / "reached").exists)
    process.send_signal(signal.SIGHUP)
    assert json.loads(process.communicate(b"A1\n", timeout=120)[0])["moves"] == 1
    assert process.returncode == 0


def test_long_and_odd_arguments_are_boards_too() -> None:
    layout = Layout.draw("60x60x600", "any", seed=1)
    assert json.loads(output("rate", str(layout), "--json"))["mines"] == 600
    assert output("rate", "4x3:2,2,u418").startswith("4x3x3: 3BV 9")
    assert output("rate", "expert/safe#42", "--start", "A1").startswith("expert: 3BV ")


def test_many_boards_go_through_files(tmp_path: Path) -> None:
    for name in ("b.jsonl", "b.id"):
        output(
            "generate",
            "--level",
            "beginner",
            "--seed",
            "1",
            "--count",
            "50",
            "--first",
            "7",
            "--out",
            name,
            cwd=tmp_path,
        )
        assert output("rate", name, cwd=tmp_path).count("beginner: ") == 50
    large = ["generate", "--level", "1000x1000x9", "--seed", "1", "--count", "30", "--out", "large.jsonl"]
    output(*large, cwd=tmp_path)
    assert output("rate", "large.jsonl", cwd=tmp_path).count("3BV") == 30
    given = output("generate", "--level", "beginner", "--first-click", "given:3", "--seed", "1")
    assert len(json.loads(given)["start"]) == 3


def test_board_files_can_be_played(tmp_path: Path) -> None:
    output("convert", "4x3x1=200", "x.mbf", cwd=tmp_path)
    assert json.loads(output("play", "--load", "x.mbf", "--json", given="A1\nD1\n", cwd=tmp_path))["state"] == "won"


def test_watch_starts_where_an_opening_fits() -> None:
    assert json.loads(output("watch", "--level", "5x5x21", "--seed", "1", "--json"))["state"] in ("won", "stuck")


def test_odd_bytes_are_answered_not_crashed_on(tmp_path: Path) -> None:
    done = run(
        "play", "--level", "beginner", "--seed", "1", given=b"load a\0b\n\xff\xfe\nsave a\0b\nA1\n", cwd=tmp_path
    )
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 3
    assert b"move 1" in done.stdout


def test_a_closed_pipe_is_no_error() -> None:
    done = subprocess.run(
        f"set -o pipefail; {sys.executable} -m mineproof generate --count 20000 --seed 1 --level beginner | head -n 1",
        shell=True, executable="/bin/bash", capture_output=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.stdout.count(b"\n") == 1
    assert (done.stderr, done.returncode) == (b"", 0)


WALL = "3x2x2\nHHH\n121\n"


def test_prove_and_check() -> None:
    done = run("prove", "-", "b1", "--check", given=WALL)
    assert done.returncode == 0
    assert done.stdout.decode().splitlines()[0] == "B1 is safe, by clues A2, B2, C2."
    assert done.stdout.decode().splitlines()[-1] == "checked: each of the 7 steps follows"


def test_prove_as_json() -> None:
    found = json.loads(run("prove", "-", "A1", "--json", given=WALL).stdout)
    assert list(found) == ["cell", "verdict", "because", "mine_count", "steps", "valid", "text"]
    assert (found["cell"], found["verdict"], found["mine_count"], found["valid"]) == ([0, 0], "mine", False, True)
    assert found["because"] == [[1, 1], [1, 2]]
    assert found["steps"][-1]["clause"] == []


@pytest.mark.parametrize(
    ("position", "cell", "verdict"), [("3x1x1\nHHH\n", "A1", "unknown"), ("2x1x1\n2H\n", "B1", "inconsistent")]
)
def test_nothing_to_prove_is_a_no(position: str, cell: str, verdict: str) -> None:
    plain = run("prove", "-", cell, given=position)
    assert plain.returncode == 1
    assert plain.stdout.count(b"\n") == 1
    as_json = run("prove", "-", cell, "--json", given=position)
    assert as_json.returncode == 1
    assert json.loads(as_json.stdout)["verdict"] == verdict


def test_deduce() -> None:
    done = run("deduce", "-", "--method", "single", given=WALL)
    assert done.stdout == b"0 safe, 0 mines; there may be others that this method cannot find\n"
    found = json.loads(run("deduce", "-", "--json", given=WALL).stdout)
    assert (found["method"], found["complete"], found["safe"]) == ("sat", True, [[0, 1]])
    assert found["deductions"][0] == {
        "cells": [[0, 0]],
        "verdict": "mine",
        "because": [[1, 0], [1, 1], [1, 2]],
        "mine_count": False,
        "method": "sat",
        "text": "A1 is a mine, by clues A2, B2, C2",
    }
    assert run("deduce", "-", given="2x1x1\n2H\n").returncode == 1


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("prove", "-", "B2"), "B2 is open: there is nothing to prove"),
        (("prove", "-", "D9"), "D9 is outside this board of 3 columns and 2 rows"),
        (("prove", "-", "99"), "a cell must be column letters and a row, as in C4, not '99'"),
        (("deduce", "-", "--method", "satt"), "there is no method 'satt'; did you mean 'sat'?"),
        (
            ("deduce", "-", "--method", "chaining:clauses=x"),
            "the option clauses must be a whole number of at least 1, or unlimited, not 'x'",
        ),
        (("watch", "--agent", "csp:start=edge"), "the option start must be corner or random, not 'edge'"),
        (("arena", "--agent", "csp:strat=edge"), "csp has no option 'strat'; did you mean 'start'?"),
        (("agent", "careful:x"), "careful has no options; this asks for 'x'"),
        (("analyse", "-", "--svg", "--theme", "cps"), "there is no theme 'cps'; did you mean 'csp'?"),
        (("convert", "4x3x3=418", "x.png", "--theme", "cps"), "there is no theme 'cps'; did you mean 'csp'?"),
        (
            ("convert", "4x3x3=418", "x.mbf", "--theme", "csp"),
            "--theme applies to pictures (svg, png, gif), not to mbf",
        ),
    ],
)
def test_bad_questions_are_one_sentence(args: tuple[str, ...], sentence: str) -> None:
    done = run(*args, given=WALL)
    assert (done.returncode, done.stderr.decode()) == (2, f"mineproof: {sentence}\n")


def test_what_is_known_of_each_clue() -> None:
    text = output("deduce", "-", "--method", "basic", "--table", given=WALL)
    assert text.splitlines()[1] == "A2          1     1     0      2  unsure"
    found = json.loads(output("deduce", "-", "--method", "basic", "--table", "--json", given=WALL))
    wanted = {"clue": [1, 1], "number": 2, "safe": 2, "mines": 0, "hidden": 3, "status": "unsure"}
    assert found["clues"][1] == wanted


def test_the_colours_of_the_csp_report() -> None:
    assert output("analyse", "-", "--svg", "--theme", "csp", given=WALL).count("#6cc57a") == 2


def test_pictures_show_what_the_agent_of_the_csp_report_has_proved(tmp_path: Path) -> None:
    game = Game(Layout.parse("8x2x5=A700"))
    for move in ("open A2", "open B2", "open C2", "open F1"):
        game.play(move)
    (tmp_path / "x.game").write_text(game.replay().to_text())
    for theme, safe, mined, other in (
        ("csp", "#7fb2ff", "#6cc57a", "#ff8a80"),
        ("plain", "#cfe3f7", "#f9d9c0", "#f6b68f"),
    ):
        played = output("convert", "x.game", "-", "--to", "svg", "--step", "3", "--theme", theme, cwd=tmp_path)
        assert [played.count(f'style="fill:{colour}"') for colour in (safe, mined, other)] == [3, 2, 0]
        over = output("convert", "x.game", "-", "--to", "svg", "--theme", theme, cwd=tmp_path)
        assert [over.count(f'style="fill:{colour}"') for colour in (safe, mined, other)] == [3, 2, 2]
    without = output("convert", "x.game", "-", "--to", "svg", cwd=tmp_path)
    assert 'style="fill:' not in without
    for name in ("x.png", "x.gif"):
        output("convert", "x.game", name, cwd=tmp_path)
        plain = (tmp_path / name).read_bytes()
        output("convert", "x.game", name, "--theme", "csp", cwd=tmp_path)
        assert (tmp_path / name).read_bytes() != plain
    counted = output("convert", "-", "-", "--to", "svg", "--theme", "csp", given="3x1x2\n1HH\n")
    assert counted.count("#6cc57a") == 1  # the agent does not know the number of mines


def test_options_are_part_of_an_agents_name_everywhere() -> None:
    seen = output("watch", "--agent", "csp:mine-count,start=corner", "--level", "5x5x3", "--seed", "1", "--continue")
    assert "csp:mine-count,start=corner plays" in seen
    agents = ("matching", "matching:keep-parents,rounds=3")
    args = [part for agent in agents for part in ("--agent", agent)]
    found = json.loads(
        output("arena", *args, "--level", "easy", "--games", "4", "--first-click", "given:sqrt", "--json")
    )
    assert [row["agent"] for row in found["agents"]] == list(agents)


def test_solver_and_person_in_turn() -> None:
    """The solver opens what is certain and hands back; what is no agent is refused, and the game goes on."""
    lines = "open C3\nsolve\nsolve csp:mine-count=x\nsolve matching\nquit\n"
    done = run("play", "--plain", "--level", "intermediate", "--first-click", "opening", "--seed", "3", given=lines)
    assert done.returncode == 2
    assert done.stderr.decode() == "the option mine-count must be yes or no, not 'x'\n"
    said = done.stdout.decode()
    assert "The solver opened 198 cells and flagged 37. Nothing more is certain: it is your move." in said
    assert "matching finds nothing: it is your move." in said


def test_agents_are_listed() -> None:
    found = json.loads(output("agents", "--json"))
    assert {"name", "version", "idea", "complete", "source", "rules", "options"} == set(found[0])
    matching = next(spec for spec in found if spec["name"] == "matching")
    assert {option["name"]: option["default"] for option in matching["options"]}["rounds"] == "11"
    assert "keep-parents=no" in output("agents")
    assert {spec["name"] for spec in found} >= {"best", "chaining", "asp"}
    assert "policies: stop, random, density, lowest-risk, best" in output("agents")


def test_arena() -> None:
    args = ("arena", "--agent", "best", "--agent", "sat", "--level", "beginner", "--games", "30", "--seed", "4")
    found = json.loads(output(*args, "--json"))
    assert (found["games"], [row["agent"] for row in found["agents"]]) == (30, ["best", "sat"])
    again = json.loads(output(*args, "--json", "--workers", "2"))
    for one, two in zip(found["agents"], again["agents"], strict=True):
        assert {k: one[k] for k in ("wins", "stuck", "guesses", "hits", "win_rate")} == {
            k: two[k] for k in ("wins", "stuck", "guesses", "hits", "win_rate")
        }
    assert output(*args).splitlines()[0] == "30 games on beginner/safe#4"


def test_arena_on_given_boards(tmp_path: Path) -> None:
    boards = tmp_path / "boards.jsonl"
    boards.write_text('{"w":4,"h":3,"start":0,"mines":[2]}\n{"w":4,"h":3,"start":0,"mines":[11]}\n')
    found = json.loads(output("arena", "--boards", str(boards), "--json"))
    assert (found["games"], found["agents"][0]["wins"]) == (2, 2)
    assert json.loads(output("arena", "--boards", str(boards), "--games", "1", "--json"))["games"] == 1


@pytest.mark.parametrize(
    "args",
    [
        ("arena", "--agent", "bets"),
        ("arena", "--games", "0"),
        ("arena", "--boards", "missing.jsonl"),
        ("watch", "--agent", "sat+hope"),
        ("watch", "--delay", "-1"),
    ],
)
def test_bad_tournaments_are_one_sentence(args: tuple[str, ...]) -> None:
    done = run(*args)
    assert done.returncode == 2
    assert done.stderr.decode().startswith("mineproof: ")
    assert done.stderr.count(b"\n") == 1


def test_watch_any_agent() -> None:
    found = json.loads(
        output("watch", "--agent", "basic", "--level", "beginner", "--continue", "--seed", "2", "--json")
    )
    assert found["agent"] == "basic"
    assert found["state"] in ("won", "cleared")
    text = output("watch", "--agent", "matching", "--level", "beginner", "--first-click", "given:sqrt", "--seed", "1")
    assert "safe" in text
