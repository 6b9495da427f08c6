"""Runs that are killed, stopped and moved to a cluster: the data stay the same."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

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
    done = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process)], capture_output=True, text=True)
    return [int(pid) for pid in done.stdout.split()]


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


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
    wait_for(lambda: not any(map(alive, workers)))  # nobody works on for nobody
    before = {path: path.read_bytes() for path in files(folder)}
    assert 5 <= len(before) < 130
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
def dask(*args: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "distributed.cli." + args[0], *args[1:]], stderr=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.fixture
def scheduler() -> Iterator[str]:
    """A real scheduler on a free port of this machine."""
    with dask("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard") as process:
        assert process.stderr is not None
        for line in process.stderr:
            found = re.search(r"Scheduler at:\s+(tcp://\S+)", line)
            if found:
                yield found[1]
                return


def worker(scheduler: str, folder: Path) -> Any:
    return dask(
        "dask_worker", scheduler, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1",
        "--local-directory", str(folder),
    )  # fmt: skip


def test_a_cluster_that_loses_a_worker_plays_the_same_games(tmp_path: Path, scheduler: str, fingerprint: str) -> None:
    folder = tmp_path / "run"
    with worker(scheduler, tmp_path) as first, worker(scheduler, tmp_path) as second:
        assert second.poll() is None
        process = subprocess.Popen(
            [*MINEPROOF, *RUN, "--cluster", scheduler, "--out", str(folder), "--json"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        wait_for(lambda: len(files(folder)) >= 5)
        first.send_signal(signal.SIGKILL)
        said, complaints = process.communicate(timeout=240)
    assert process.returncode == 0, complaints
    assert json.loads(said)["fingerprint"] == fingerprint
    assert len(files(folder)) < 1000


def test_no_cluster_is_one_sentence() -> None:
    for address in ("tcp://127.0.0.1:9", "nonsense", "tcp://"):
        command = [sys.executable, "-c", SOON, "arena", "--games", "1", "--cluster", address]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert done.returncode == 2
        assert done.stderr.startswith(f"mineproof: there is no scheduler at {address}")
        assert done.stderr.count("\n") == 1


def test_a_cluster_without_workers_is_one_sentence(scheduler: str) -> None:
    command = [sys.executable, "-c", SOON, "arena", "--games", "1", "--cluster", scheduler]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (2, f"mineproof: the scheduler at {scheduler} has no workers\n")


SOON = "from mineproof.arena import engines; engines.CLUSTER_SECONDS = 2; from mineproof.apps.cli import main; main()"
"""The command line, with less patience."""
