"""Programs that play in real runs: they end with the run, whatever ends it, and are run only when somebody says so."""

from __future__ import annotations

import json
import os
import pty
import shlex
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from support.processes import MINEPROOF, gone, number_in, said, wait_for

if TYPE_CHECKING:
    from pathlib import Path

BUSY = """
import os, sys, time

def note(name):
    with open(os.path.join(os.path.dirname(__file__), f"{name}-{os.getpid()}.pid"), "w") as file:
        file.write(f"{os.getpid()}\\n")

line = sys.stdin.readline()
if os.fork() == 0:
    os.setsid()  # it leaves the session and the group
    if os.fork() == 0:  # and its parent
        note("daemon")
        while True:
            time.sleep(0.01)
    os._exit(0)
note("program")
while True:  # busy, and deaf
    pass
"""


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGHUP, signal.SIGTERM, signal.SIGINT], ids=str)
@pytest.mark.parametrize("workers", [1, 2])
def test_programs_end_with_the_run_and_so_does_all_that_they_start(
    tmp_path: Path, sent: signal.Signals, workers: int
) -> None:
    program = tmp_path / "busy.py"
    program.write_text(BUSY)
    run = [*MINEPROOF, "arena", "--agent-command", f"{sys.executable} {program}", "--level", "beginner"]
    process = subprocess.Popen([*run, "--workers", str(workers)], stderr=subprocess.PIPE, text=True)

    def started() -> list[int]:
        return [number for path in tmp_path.glob("*.pid") if (number := number_in(path)) is not None]

    try:
        wait_for(lambda: len(started()) == 2 * workers)
        process.send_signal(sent)
        _, complaints = process.communicate(timeout=120)
    finally:
        process.kill()
    assert process.returncode == (-9 if sent is signal.SIGKILL else 128 + sent if sent is not signal.SIGINT else 130)
    assert "Traceback" not in complaints
    wait_for(lambda: all(map(gone, started())))


STUCK = """
import json, sys
from pathlib import Path

Path(__file__).with_name("started").touch()
for line in sys.stdin:
    print(json.dumps({"moves": []}), flush=True)
"""


@pytest.fixture
def run(tmp_path: Path) -> tuple[Path, str]:
    """The folder of a run that was sent by somebody, and the command in it; nobody has run that here."""
    program = tmp_path / "program.py"
    program.write_text(STUCK)
    command = shlex.join([sys.executable, str(program)])
    folder = tmp_path / "run"
    begin = ("arena", "--agent", "careful", "--agent-command", command, "--level", "beginner", "--games", 2)
    assert said(*begin, "--out", folder)[0] == 0
    for path in (folder / "games").rglob("*.parquet"):
        path.unlink()
    (folder / "summary.json").unlink()
    (tmp_path / "started").unlink()
    return folder, command


def test_a_program_that_only_the_folder_names_is_not_run(run: tuple[Path, str]) -> None:
    folder, command = run
    status, _, complaint = said("arena", "--out", folder, "--resume")
    again = shlex.join(["--agent", "careful", "--agent", f"command:{command}"])
    assert complaint == (f"mineproof: the run in {folder} starts programs, so name its agents again: {again}\n")
    assert status == 2
    assert not (folder.parent / "started").exists()
    assert not list(folder.rglob("*.parquet"))
    status, text, complaint = said("arena", "--out", folder, "--resume", "--json", *shlex.split(again))
    assert (status, complaint) == (0, "")
    assert [row["games"] for row in json.loads(text)["agents"]] == [2, 2]
    assert (folder.parent / "started").exists()


def test_another_program_than_the_folder_names_is_another_run(run: tuple[Path, str]) -> None:
    folder, _ = run
    named = ("--agent", "careful", "--agent-command", "ls")
    status, _, complaint = said("arena", "--out", folder, "--resume", *named)
    assert status == 2
    assert "holds another run: agents there: " in complaint
    assert not (folder.parent / "started").exists()


@pytest.mark.parametrize(("typed", "status"), [(b"y\n", 0), (b"n\n", 2), (b"\n", 2)])
def test_on_a_terminal_there_is_a_question(run: tuple[Path, str], typed: bytes, status: int) -> None:
    folder, command = run
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*MINEPROOF, "arena", "--out", str(folder), "--resume", "--json"], stdin=theirs, stderr=theirs, stdout=theirs
    )
    os.close(theirs)
    shown = b""
    while b"Run it?" not in shown:
        shown += os.read(ours, 1000)
    assert command.encode() in shown
    assert not (folder.parent / "started").exists()
    os.write(ours, typed)
    while True:
        try:
            shown += os.read(ours, 1000)
        except OSError:  # the other end is closed
            break
    assert process.wait(120) == status
    os.close(ours)
    assert (folder.parent / "started").exists() == (status == 0)
    if status:
        assert shown.endswith(f"mineproof: {command} was not run\r\n".encode())
