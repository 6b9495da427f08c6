"""Runs that are killed, stopped and moved to a cluster: the data stay the same."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import psutil
import pytest
from distributed import Client

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MINEPROOF = [sys.executable, "-m", "mineproof"]
RUN = ["arena", "--agent", "best", "--agent", "lowest-risk", "--level", "expert", "--games", "1500", "--seed", "8"]


def arena(*args: object) -> Any:
    done = subprocess.run([*MINEPROOF, *map(str, args), "--json"], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def fingerprint() -> str:
    found = arena(*RUN, "--workers", "1")["fingerprint"]
    assert isinstance(found, str)
    return found


def files(folder: Path) -> list[Path]:
    return sorted((folder / "games").rglob("*.parquet")) if folder.exists() else []


def wait_for(what: Any, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < deadline, "it takes too long"
        time.sleep(0.02)


def children(process: int) -> list[int]:
    return [child.pid for child in psutil.Process(process).children()]


@pytest.mark.parametrize(
    ("sent", "status"),
    [(signal.SIGKILL, -9), (signal.SIGINT, 130), (signal.SIGTERM, 143)],
    ids=lambda value: str(value),
)
def test_a_run_that_was_ended_goes_on(tmp_path: Path, fingerprint: str, sent: signal.Signals, status: int) -> None:
    folder = tmp_path / "run"
    process = subprocess.Popen(
        [*MINEPROOF, *RUN, "--out", str(folder), "--workers", "2"], stderr=subprocess.PIPE, text=True
    )
    wait_for(lambda: len(files(folder)) >= 5)
    workers = children(process.pid)
    process.send_signal(sent)
    _, said = process.communicate(timeout=60)
    assert process.returncode == status
    assert "Traceback" not in said
    assert workers
    wait_for(lambda: not any(map(psutil.pid_exists, workers)))  # nobody works on for nobody
    before = {path: path.read_bytes() for path in files(folder)}
    assert 5 <= len(before) < 30
    resumed = arena("arena", "--out", folder, "--resume")
    assert resumed["fingerprint"] == fingerprint
    assert {path: path.read_bytes() for path in before} == before
    assert json.loads((folder / "summary.json").read_text())["fingerprint"] == fingerprint


def test_a_worker_that_dies_ends_the_run_with_a_sentence(tmp_path: Path, fingerprint: str) -> None:
    folder = tmp_path / "run"
    process = subprocess.Popen(
        [*MINEPROOF, *RUN, "--out", str(folder), "--workers", "2"], stderr=subprocess.PIPE, text=True
    )
    wait_for(lambda: len(files(folder)) >= 3)
    os.kill(children(process.pid)[-1], signal.SIGKILL)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 2
    assert said.startswith("mineproof: a worker process died")
    assert arena("arena", "--out", folder, "--resume")["fingerprint"] == fingerprint


@contextmanager
def dask(*args: str) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "distributed.cli." + args[0], *args[1:]]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@contextmanager
def scheduler() -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """A real scheduler on a free port of this machine."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with dask("dask_scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard") as process:
        wait_for(lambda: listens(port))
        yield f"tcp://127.0.0.1:{port}", process


def listens(port: int) -> bool:
    with socket.socket() as trial:
        return trial.connect_ex(("127.0.0.1", port)) == 0


def worker(address: str, folder: Path) -> Any:
    return dask(
        "dask_worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1",
        "--local-directory", str(folder),
    )  # fmt: skip


@contextmanager
def cluster(folder: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler and two workers; and these three processes."""
    with (
        scheduler() as (address, process),
        worker(address, folder) as first,
        worker(address, folder) as second,
    ):
        with Client(address) as client:
            client.wait_for_workers(2, timeout=60)
        yield address, [process, first, second]


def on_cluster(address: str, folder: Path) -> subprocess.Popen[str]:
    """A run that has begun."""
    process = subprocess.Popen(
        [sys.executable, "-c", SOON, *RUN, "--cluster", address, "--out", str(folder), "--json"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    wait_for(lambda: len(files(folder)) >= 5)
    return process


def test_a_cluster_that_loses_a_worker_plays_the_same_games(tmp_path: Path, fingerprint: str) -> None:
    folder = tmp_path / "run"
    with cluster(tmp_path) as (address, (_, first, _)):
        process = on_cluster(address, folder)
        first.kill()
        assert len(files(folder)) < 30  # of 30: there was work left
        said, complaints = process.communicate(timeout=240)
    assert process.returncode == 0, complaints
    assert json.loads(said)["fingerprint"] == fingerprint


def test_a_cluster_that_loses_its_scheduler_is_one_sentence(tmp_path: Path, fingerprint: str) -> None:
    folder = tmp_path / "run"
    with cluster(tmp_path) as (address, (boss, _, _)):
        process = on_cluster(address, folder)
        boss.kill()
        _, complaints = process.communicate(timeout=240)
    assert (process.returncode, complaints) == (2, f"mineproof: the scheduler at {address}: it is gone\n")
    assert arena("arena", "--out", folder, "--resume")["fingerprint"] == fingerprint


def test_no_cluster_is_one_sentence() -> None:
    for address in ("tcp://127.0.0.1:9", "nonsense", "tcp://"):
        command = [sys.executable, "-c", SOON, "arena", "--games", "1", "--cluster", address]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert done.returncode == 2
        assert done.stderr.startswith(f"mineproof: there is no scheduler at {address}")
        assert done.stderr.count("\n") == 1


def test_a_cluster_without_workers_is_one_sentence(tmp_path: Path) -> None:
    with scheduler() as (address, _):
        command = [sys.executable, "-c", SOON, "arena", "--games", "1", "--cluster", address, "--out", str(tmp_path)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (2, f"mineproof: the scheduler at {address} has no workers\n")
    assert not list(tmp_path.iterdir())


SOON = "from mineproof.arena import engines; engines.CLUSTER_SECONDS = 3; from mineproof.apps.cli import main; main()"
"""The command line, with less patience."""


def said(*args: object) -> tuple[int, str, str]:
    done = subprocess.run([*MINEPROOF, *map(str, args)], capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout, done.stderr


def test_records_from_start_to_picture(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    played = ("arena", "--agent", "best", "--agent", "single+stop", "--level", "beginner", "--level", "6x6x5")
    found = arena(*played, "--games", 40, "--out", folder)
    assert {(row["level"], row["agent"]) for row in found["agents"]} == {
        (level, agent) for level in ("beginner", "6x6x5") for agent in ("best", "single+stop")
    }
    assert json.loads((folder / "summary.json").read_text()) == found
    status, text, _ = said("arena", "compare", folder, "best", "single+stop")
    assert status == 0
    assert len(re.findall(r"^best is better than single\+stop: on the same 40 boards of ", text, re.MULTILINE)) == 2
    compared = json.loads(said("arena", "compare", folder, "best", "single+stop", "--json")[1])
    assert [row["games"] for row in compared["levels"]] == [40, 40]
    status, text, _ = said("arena", "plot", folder)
    assert (status, text) == (0, f"{folder / 'figure.png'}, {folder / 'figure.svg'}\n")
    assert (folder / "figure.png").read_bytes().startswith(b"\x89PNG")
    assert arena("arena", "--out", folder, "--resume", "--first-click", "safe", "--seed", 0) == found
    (folder / "summary.json").write_text(json.dumps({**found, "fingerprint": "another"}))
    assert arena("arena", "--out", folder, "--resume")["fingerprint"] == found["fingerprint"]
    (folder / "summary.json").write_text(json.dumps({**found, "agents": [1]}))
    assert said("arena", "plot", folder)[0] == 2


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("--resume",), "--resume goes with --out"),
        (("--workers", "2", "--cluster", "tcp://127.0.0.1:1"), "give workers or a cluster, not both"),
        (("--out", "RUN"), "RUN is not empty; give --resume to go on with it"),
        (("--out", "RUN", "--resume", "--seed", "5"), "RUN holds another run: seed there: 0, asked for: 5"),
        (("--out", "RUN", "--resume", "--games", "3", "--level", "6x6x5"),
         "RUN holds another run: levels there: ['beginner'], asked for: ['6x6x5']"),
        (("--out", "NOWHERE", "--resume"), "NOWHERE has no records: there is no manifest.json in it"),
        (("--agent", "best", "--agent", "best"), "the agent best is named twice"),
        (("--agent-command", "no-such-program"), "no-such-program: No such file or directory"),
        (("compare", "RUN", "best", "sat"), "there is no agent 'sat'; known are best"),
        (("compare", "RUN", "best", "best"), "name two agents"),
        (("--games", "3", "compare", "RUN", "best", "sat"), "compare comes first, and its options after it"),
        (("plot", "NOWHERE"), "NOWHERE has no records: there is no manifest.json in it"),
    ],
)  # fmt: skip
def test_bad_runs_are_one_sentence(tmp_path: Path, args: tuple[str, ...], sentence: str) -> None:
    run, nowhere = tmp_path / "run", tmp_path / "nowhere"
    assert said("arena", "--level", "beginner", "--games", 3, "--out", run)[0] == 0
    places = {"RUN": str(run), "NOWHERE": str(nowhere)}
    status, _, complaint = said("arena", *(places.get(arg, arg) for arg in args))
    for name, path in places.items():
        sentence = sentence.replace(name, path)
    assert (status, complaint) == (2, f"mineproof: {sentence}\n")


def test_a_live_table_on_a_terminal(tmp_path: Path) -> None:
    command = f"{sys.executable} -m mineproof {' '.join(RUN)} --workers 2"
    terminal = {**os.environ, "TERM": "xterm", "COLUMNS": "120"}
    script = subprocess.run(
        ["script", "-qec", command, "/dev/null"],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=tmp_path,
        env=terminal,
    )
    assert script.returncode == 0
    assert re.search(r"[\d,]+ of 3,000 games, [\d.,]+ a second, \d\d:\d\d gone, \d\d:\d\d left", script.stdout)
    assert "95 % interval" in script.stdout


def test_experiments_are_listed() -> None:
    assert said("experiment")[1].startswith("ladder ")
    assert len(json.loads(said("experiment", "--json")[1])) == 9
    assert said("experiment", "lader")[2] == "mineproof: there is no experiment 'lader'; did you mean 'ladder'?\n"
    assert said("experiment", "ladder", "--all")[0] == 2
    assert said("experiment", "--quick")[2] == "mineproof: name an experiment, or give --all\n"


def test_programs_that_play_end_with_the_run(tmp_path: Path) -> None:
    """Also those that think when the run is ended."""
    program = tmp_path / "thinker.py"
    program.write_text(
        "import json, os, sys, time\n"
        "for line in sys.stdin:\n"
        "    open(os.path.join(os.path.dirname(__file__), f'{os.getpid()}.pid'), 'w').close()\n"
        "    time.sleep(600)\n"
    )
    process = subprocess.Popen(
        [
            *MINEPROOF,
            "arena",
            "--agent-command",
            f"{sys.executable} {program}",
            "--level",
            "beginner",
            "--workers",
            "2",
        ],
        stderr=subprocess.PIPE,
    )
    wait_for(lambda: len(list(tmp_path.glob("*.pid"))) == 2)
    thinkers = [int(path.stem) for path in tmp_path.glob("*.pid")]
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 130
    wait_for(lambda: not any(map(psutil.pid_exists, thinkers)))
