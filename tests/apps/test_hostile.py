"""Files, programs and packages from others: they do not command the terminal, cost the earth or crash us."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mineproof.apps.cli import experiment
from support.processes import MINEPROOF, said, wait_for

ESCAPE = "\x1b]0;mine\x07\u202e\n\x9b2J"
"""Sets the title of a terminal, turns the direction of writing, ends the line, and clears the screen."""


def assert_harmless(done: tuple[int, str, str], *, status: int | None = 2, lines: int | None = 1) -> None:
    """Nothing that a terminal obeys is in it."""
    found, text, complaint = done
    assert status is None or found == status, done
    shown = text + complaint
    assert all(one.isprintable() or one == "\n" for one in shown), repr(shown)
    assert "Traceback" not in shown
    assert lines is None or complaint.count("\n") == lines


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that is done."""
    folder = tmp_path_factory.mktemp("hostile") / "run"
    begin = ("arena", "--agent", "careful", "--agent", "single+stop", "--level", "beginner", "--games", 2)
    assert said(*begin, "--out", folder)[0] == 0
    return folder


def changed(folder: Path, target: Path, name: str, change: dict[str, Any]) -> Path:
    """A copy of a run in which a file says something else."""
    target.mkdir()
    for path in folder.rglob("*"):
        if path.is_file():
            (target / path.relative_to(folder)).parent.mkdir(parents=True, exist_ok=True)
            (target / path.relative_to(folder)).write_bytes(path.read_bytes())
    path = target / name
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    return target


@pytest.mark.parametrize(
    "change",
    [
        {"rules": ESCAPE}, {"levels": [ESCAPE]}, {"agents": [[ESCAPE, 1], ["careful", 1]]}, {"mineproof": ESCAPE},
        {"boards": ESCAPE}, {"agents": [["command:ls " + ESCAPE, 1], ["careful", 1]]}, {"format": ESCAPE},
        {"agents": [["careful", 1], ["command:ls \x1b", 1]]}, {"levels": [ESCAPE, "beginner"]},
    ],
    ids=lambda change: ",".join(change),
)  # fmt: skip
def test_a_manifest_does_not_command_the_terminal(tmp_path: Path, finished: Path, change: dict[str, Any]) -> None:
    folder = changed(finished, tmp_path / "run", "manifest.json", change)
    assert_harmless(said("arena", "--out", folder, "--resume"))
    assert_harmless(said("arena", "--out", folder, "--resume", "--level", "beginner", "--agent", "careful"))
    assert_harmless(said("arena", "compare", folder, "careful", "single+stop"), status=None, lines=None)
    assert_harmless(said("arena", "compare", folder, ESCAPE, "careful"), status=None, lines=None)
    assert_harmless(said("arena", "plot", folder), status=None, lines=None)


def test_a_summary_does_not_command_the_terminal(tmp_path: Path, finished: Path) -> None:
    summary = json.loads((finished / "summary.json").read_text())
    told = {"level": "beginner", "agent": ESCAPE, "faults": 1, "first_fault": ESCAPE}
    rows = [{**row, **told} for row in summary["agents"]]
    folder = changed(finished, tmp_path / "run", "summary.json", {"agents": rows})
    status, text, complaint = said("arena", "--out", folder, "--resume")
    assert_harmless((status, text, complaint), status=0, lines=0)
    assert r"\x1b]0;mine\x07\u202e\n" in text
    assert_harmless(said("arena", "plot", folder), status=0, lines=0)


@pytest.mark.parametrize(
    "change",
    [{"win_rate": ["a", 0, 1]}, {"win_rate": 1}, {"calibration": [1]}, {"stuck": []}, {"guesses": float("nan")},
     {"calibration": [{"guesses": 30, "struck": 40, "predicted": 0.5}]}, {"faults": 1}, {"games_per_second": "fast"},
     {"seconds_per_game": [1]}, {"seconds_per_game": [1, "a"]}],
    ids=str,
)  # fmt: skip
def test_a_summary_that_makes_no_sense_is_one_sentence(tmp_path: Path, finished: Path, change: dict[str, Any]) -> None:
    summary = json.loads((finished / "summary.json").read_text())
    rows = [{**row, **change} for row in summary["agents"]]
    folder = changed(finished, tmp_path / "run", "summary.json", {"agents": rows})
    for args in (("plot", folder), ("--out", folder, "--resume")):
        status, _, complaint = said("arena", *args)
        assert (status, complaint) == (
            2, f"mineproof: {folder}/summary.json is damaged; delete it, and --resume writes it again\n"
        )  # fmt: skip


@pytest.mark.parametrize(
    "args",
    [
        ("rate", "NAME"), ("analyse", "NAME"), ("deduce", "NAME"), ("prove", "NAME", "A1"),
        ("convert", "NAME", "x.mbf"),
        ("convert", "4x3x3=418", "NAME/x.mbf"), ("play", "--load", "NAME"), ("generate", "--out", "NAME/x/y.mbf"),
        ("arena", "--boards", "NAME"), ("arena", "--out", "NAME", "--resume"), ("arena", "compare", "NAME", "a", "b"),
        ("arena", "plot", "NAME"), ("arena", "--agent", "NAME"), ("watch", "--agent", "NAME"), ("agent", "NAME"),
        ("experiment", "NAME"), ("arena", "--level", "NAME"), ("watch", "--first-click", "NAME"), ("NAME",),
        ("arena", "--agent", "command:NAME"), ("arena", "--agent-command", "NAME"), ("rate", "--NAME"),
        ("rate", "FILE"), ("analyse", "FILE"), ("play", "--load", "FILE"), ("arena", "--boards", "FILE"),
        ("arena", "--games", "1", "--out", "FILE"), ("arena", "--cluster", "NAME"),
        ("experiment", "ladder", "--out", "FILE"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_names_and_files_do_not_command_the_terminal(tmp_path: Path, args: tuple[str, ...]) -> None:
    (tmp_path / ESCAPE).write_text(ESCAPE)  # a file of that name, which holds the same
    filled = [arg.replace("NAME", f"no{ESCAPE}").replace("FILE", str(tmp_path / ESCAPE)) for arg in args]
    assert_harmless(said(*filled, cwd=tmp_path), lines=None)


def test_playing_with_odd_names_does_not_command_the_terminal(tmp_path: Path) -> None:
    name = ESCAPE.replace("\n", "")
    lines = f"load {name}\nsave {name}\nsave {name}/{name}\n{name}\nopen {name}\n"
    done = said("play", "--level", "beginner", "--seed", 1, "--ascii", given=lines, cwd=tmp_path)
    assert_harmless(done, lines=4)
    assert (tmp_path / name).exists()


@pytest.mark.parametrize(
    "body",
    ["print(json.dumps({'error': E}))", "print(E)", "sys.exit(E)", "print(json.dumps({'moves': [E]}))",
     "print(json.dumps({'moves': ['open ' + E]}))", "print(json.dumps({'moves': [], 'risk': E}))"],
)  # fmt: skip
def test_a_program_does_not_command_the_terminal(tmp_path: Path, body: str) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        f"import json, sys\nE = {ESCAPE!r}\n"
        "for line in sys.stdin:\n"
        "    if json.loads(line)['seed'] % 2:\n"
        "        print(json.dumps({'moves': []}))\n"
        "    else:\n"
        f"        {body}\n"
        "    sys.stdout.flush()\n"
    )
    command = shlex.join([sys.executable, str(program)])
    arena = ("arena", "--agent-command", command, "--level", "beginner", "--games", 4, "--workers", 1)
    assert_harmless(said(*arena, "--seed", 1), status=None, lines=None)
    assert_harmless(said("watch", "--agent", f"command:{command}", "--level", "beginner", "--ascii", "--seed", 2))


def test_readings_do_not_command_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(experiment, "_perform", lambda *_: {"ladder": f"one\ntwo {ESCAPE}"})
    experiment.command(["ladder", "--out", str(tmp_path)], standalone_mode=False)
    text = capsys.readouterr().out
    assert text.startswith("ladder: one\ntwo \\x1b]0;mine\\x07\\u202e\n")
    assert_harmless((2, text, ""), lines=0)


def packaged(folder: Path, **modules: str) -> dict[str, str]:
    """The environment in which a package is installed whose agents are in these modules."""
    about = folder / "theirs-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
    entries = "".join(f"{name} = {name}:agent\n" for name in modules)
    (about / "entry_points.txt").write_text(f"[mineproof.agents]\n{entries}")
    for name, code in modules.items():
        (folder / f"{name}.py").write_text(code)
    return {**os.environ, "PYTHONPATH": str(folder)}


@pytest.mark.parametrize(
    "args",
    [
        ("agents",), ("watch", "--level", "beginner", "--seed", 5, "--json"), ("agent", "best"),
        ("arena", "--agent", "best", "--agent", "sat", "--level", "beginner", "--games", 3, "--workers", 2),
    ],
    ids=lambda args: args[0],
)  # fmt: skip
def test_a_broken_package_is_a_sentence_and_breaks_nothing(tmp_path: Path, args: tuple[object, ...]) -> None:
    env = packaged(
        tmp_path,
        broken="import nothing_of_that_name",
        wrong="agent = 7",
        ours="import dataclasses, mineproof\nagent = dataclasses.replace(mineproof.AGENTS['sat'], name='best')",
        escaping=f"raise ZeroDivisionError({ESCAPE!r})",
    )
    status, text, complaints = said(*args, env=env)
    assert_harmless((status, text, complaints), status=0, lines=4)
    assert sorted(complaints.splitlines()) == [
        (
            "mineproof: the agent broken of the package theirs is left out: "
            "ModuleNotFoundError: No module named 'nothing_of_that_name'"
        ),
        (
            "mineproof: the agent escaping of the package theirs is left out: "
            r"ZeroDivisionError: \x1b]0;mine\x07\u202e\n\x9b2J"
        ),
        "mineproof: the agent ours of the package theirs is left out: there is already an agent best",
        "mineproof: the agent wrong of the package theirs is left out: it is of type int, not an AgentSpec",
    ]


@pytest.mark.parametrize("games", [10**11, 10**14])
def test_a_manifest_that_claims_a_lot_costs_nothing(tmp_path: Path, finished: Path, games: int) -> None:
    folder = changed(finished, tmp_path / "run", "manifest.json", {"games": games, "chunk": 7})
    status, text, complaint = said("arena", "compare", folder, "careful", "single+stop")
    if games == 10**14:
        assert (status, complaint) == (
            2, f"mineproof: {folder}/manifest.json is damaged, or not the manifest of a tournament\n"
        )  # fmt: skip
    else:  # the records are those of another run, now
        assert_harmless((status, text, complaint))
        assert "belongs to another run" in complaint
    for path in (folder / "games").rglob("*.parquet"):
        path.unlink()
    assert_harmless(said("arena", "compare", folder, "careful", "single+stop"), status=None, lines=None)
    assert_harmless(said("arena", "plot", folder), status=None, lines=None)


LITTLE_MEMORY = """
import resource
from pathlib import Path
import mineproof.apps.cli.generate
from mineproof.apps.cli import main

used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 2**22, used + 2**22))
main()
"""
"""The command line, with four megabytes more than it has."""


def test_too_little_memory_is_one_sentence(tmp_path: Path) -> None:
    command = [sys.executable, "-c", LITTLE_MEMORY, "generate", "--size", "4096x4096", "--mines", "9", "--seed", "1"]
    done = subprocess.run([*command, "--out", str(tmp_path / "x.jsonl")], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (2, "mineproof: there is not enough memory\n")
    assert not list(tmp_path.iterdir())


BLOCKED = """
import time
from pathlib import Path
Path(__file__).with_name("importing").touch()
time.sleep(600)
"""
SCRIPT = str(Path(sys.executable).with_name("mineproof"))


@pytest.mark.parametrize("module", ["click", "rich"])
@pytest.mark.parametrize("start", [MINEPROOF, [SCRIPT]], ids=["module", "script"])
def test_ctrl_c_while_it_is_still_importing(tmp_path: Path, start: list[str], module: str) -> None:
    """A module that never ends being imported: the first that the command line needs, and one that a command needs."""
    (tmp_path / f"{module}.py").write_text(BLOCKED)
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    process = subprocess.Popen([*start, "arena"], env=env, stderr=subprocess.PIPE, text=True)
    wait_for((tmp_path / "importing").exists)
    process.send_signal(signal.SIGINT)
    _, complaint = process.communicate(timeout=120)
    assert (process.returncode, complaint) == (130, "interrupted\n")
