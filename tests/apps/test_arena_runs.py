"""Runs that are killed, stopped and moved to a cluster: the data stay the same."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import psutil
import pytest
from distributed import Client

from mineproof.files import UNFINISHED
from support.processes import MINEPROOF, gone, said, wait_for

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

RUN = ["arena", "--agent", "best", "--agent", "lowest-risk", "--level", "beginner", "--games", "1500", "--seed", "8"]


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


def children(process: int) -> list[int]:
    return [child.pid for child in psutil.Process(process).children()]


GATED = """
import sys, time
from pathlib import Path
from mineproof.arena import engines, records
from mineproof.apps.cli import main

gate, after = Path(sys.argv.pop(1)), int(sys.argv.pop(1))
engines.CLUSTER_SECONDS = 10
save = records.Records.save

def gated(self, chunk, played):
    save(self, chunk, played)
    if len(list(self.folder.rglob("*.parquet"))) == after:
        (gate / "reached").touch()
        while not (gate / "open").exists():
            time.sleep(0.01)

records.Records.save = gated
main()
"""
"""The command line, which stops and waits when so many chunks are kept, until somebody opens the gate."""
CHUNKS = 5
"""That are kept when a run stops at the gate."""


@contextmanager
def stopped(folder: Path, gate: Path, *args: str) -> Iterator[subprocess.Popen[str]]:
    """A run that has kept so many chunks, and no more before the gate is opened."""
    command = [sys.executable, "-c", GATED, str(gate), str(CHUNKS), *RUN, "--out", str(folder), *args]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        wait_for((gate / "reached").exists)
        assert len(files(folder)) == CHUNKS
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize(
    ("sent", "status"),
    [(signal.SIGKILL, -9), (signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)],
    ids=lambda value: str(value),
)
@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_run_that_was_ended_goes_on(
    tmp_path: Path, fingerprint: str, sent: signal.Signals, status: int, workers: str
) -> None:
    folder = tmp_path / "run"
    with stopped(folder, tmp_path, "--workers", workers) as process:
        helpers = children(process.pid)
        assert bool(helpers) == (workers == "2")
        process.send_signal(sent)
        _, complaints = process.communicate(timeout=300)
    assert process.returncode == status
    if sent is not signal.SIGKILL:  # after which Python tidies up, and says so
        assert complaints == ("interrupted\n" if sent is signal.SIGINT else "")
    wait_for(lambda: all(map(gone, helpers)))  # nobody works on for nobody
    assert not list(folder.rglob(f"*{UNFINISHED}"))
    before = {path: path.read_bytes() for path in files(folder)}
    assert len(before) == CHUNKS
    resumed = arena("arena", "--out", folder, "--resume")
    assert resumed["fingerprint"] == fingerprint
    assert {path: path.read_bytes() for path in before} == before
    assert json.loads((folder / "summary.json").read_text())["fingerprint"] == fingerprint


BEFORE = """
import sys, time
from pathlib import Path
from mineproof.arena import records
from mineproof.apps.cli import main

gate = Path(sys.argv.pop(1))

def never(*_):
    (gate / "reached").touch()
    time.sleep(600)

records.Records.save = never
main()
"""
"""The command line, which waits when it has its first chunk, and never keeps it."""


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGINT], ids=lambda value: str(value))
def test_a_run_that_was_ended_before_its_first_chunk_goes_on(
    tmp_path: Path, fingerprint: str, sent: signal.Signals
) -> None:
    folder = tmp_path / "run"
    command = [sys.executable, "-c", BEFORE, str(tmp_path), *RUN, "--out", str(folder), "--workers", "1"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE)
    wait_for((tmp_path / "reached").exists)
    process.send_signal(sent)
    process.communicate(timeout=300)
    assert not files(folder)
    (folder / f".manifest.json.x{UNFINISHED}").touch()  # as a kill in the middle of a file would leave it
    assert arena("arena", "--out", folder, "--resume")["fingerprint"] == fingerprint
    assert not list(folder.rglob(f"*{UNFINISHED}"))


def test_a_run_that_cannot_begin_leaves_its_folder_to_another(tmp_path: Path) -> None:
    begin = ("arena", "--level", "beginner", "--games", 1, "--out", tmp_path, "--workers", 1)
    assert said(*begin, "--agent-command", "no-such-program")[0] == 2
    assert said(*begin, "--agent", "best")[0] == 0


def test_a_worker_that_dies_ends_the_run_with_a_sentence(tmp_path: Path, fingerprint: str) -> None:
    folder = tmp_path / "run"
    with stopped(folder, tmp_path, "--workers", "2") as process:
        os.kill(children(process.pid)[-1], signal.SIGKILL)
        (tmp_path / "open").touch()
        _, complaints = process.communicate(timeout=300)
    assert process.returncode == 2
    assert complaints.startswith("mineproof: a worker process died")
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
            client.wait_for_workers(2, timeout=300)
        yield address, [process, first, second]


def test_a_cluster_that_loses_a_worker_plays_the_same_games(tmp_path: Path, fingerprint: str) -> None:
    folder = tmp_path / "run"
    with (
        cluster(tmp_path) as (address, (_, first, _)),
        stopped(folder, tmp_path, "--cluster", address, "--json") as process,
    ):
        first.kill()
        (tmp_path / "open").touch()
        found, complaints = process.communicate(timeout=240)
    assert process.returncode == 0, complaints
    assert json.loads(found)["fingerprint"] == fingerprint


def test_a_cluster_that_loses_its_scheduler_is_one_sentence(tmp_path: Path, fingerprint: str) -> None:
    folder = tmp_path / "run"
    with (
        cluster(tmp_path) as (address, (boss, _, _)),
        stopped(folder, tmp_path, "--cluster", address) as process,
    ):
        boss.kill()
        (tmp_path / "open").touch()
        _, complaints = process.communicate(timeout=240)
    assert (process.returncode, complaints) == (2, f"mineproof: the scheduler at {address}: it is gone\n")
    assert arena("arena", "--out", folder, "--resume")["fingerprint"] == fingerprint


def test_no_cluster_is_one_sentence() -> None:
    for address in ("tcp://127.0.0.1:9", "nonsense", "tcp://"):
        command = [sys.executable, "-c", SOON, "arena", "--games", "1", "--cluster", address]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        assert done.returncode == 2
        assert done.stderr.startswith(f"mineproof: there is no scheduler at {address}")
        assert done.stderr.count("\n") == 1


def test_a_cluster_without_workers_is_one_sentence(tmp_path: Path) -> None:
    with scheduler() as (address, _):
        command = [sys.executable, "-c", SOON, "arena", "--games", "1", "--cluster", address, "--out", str(tmp_path)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stderr) == (2, f"mineproof: the scheduler at {address} has no workers\n")
    assert not list(tmp_path.iterdir())


SOON = "from mineproof.arena import engines; engines.CLUSTER_SECONDS = 3; from mineproof.apps.cli import main; main()"
"""The command line, with less patience."""


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
        timeout=300,
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
