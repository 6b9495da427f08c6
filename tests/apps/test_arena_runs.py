"""Runs that are killed, stopped and moved to a cluster: the data stay the same."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import psutil
import pytest
from distributed import Client

from mineproof.arena.experiments import EXPERIMENTS
from mineproof.files import UNFINISHED
from support.processes import MINEPROOF, gone, said, wait_for

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

RUN = ["arena", "--agent", "best", "--agent", "lowest-risk", "--level", "beginner", "--games", "3000", "--seed", "8"]


def arena(*args: object) -> Any:
    status, text, complaints = said(*args, "--json")
    assert (status, complaints) == (0, "")
    return json.loads(text)


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
CHUNKS = 3
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
    ("sent", "status", "workers"),
    [(signal.SIGKILL, -9, "2"), (signal.SIGINT, 130, "2"), (signal.SIGTERM, 143, "2"), (signal.SIGHUP, 129, "2"),
     (signal.SIGINT, 130, "1"), (signal.SIGTERM, 143, "1")],
    ids=lambda value: str(value),
)  # fmt: skip
def test_a_run_that_was_ended_continues(
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


def test_ctrl_c_prints_the_table_so_far_and_how_to_go_on(tmp_path: Path) -> None:
    folder = tmp_path / "my run"
    with stopped(folder, tmp_path, "--workers", "1") as process:
        process.send_signal(signal.SIGINT)
        text, complaints = process.communicate(timeout=300)
    assert (process.returncode, complaints) == (130, "interrupted\n")
    lines = text.splitlines()
    assert lines[0] == "1000 of 3000 games on beginner/safe#8"  # the last chunk is kept, and not yet in the table
    assert [line.split()[0] for line in lines[1:4]] == ["agent", "best", "lowest-risk"]
    assert lines[-1] == f"resume with: mineproof arena --out '{folder}' --resume"


def test_ctrl_c_without_records_says_so(tmp_path: Path) -> None:
    command = [sys.executable, "-c", WITHOUT, str(tmp_path), *RUN, "--workers", "1"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_for((tmp_path / "reached").exists)
    process.send_signal(signal.SIGINT)
    text, _ = process.communicate(timeout=300)
    assert process.returncode == 130
    assert text == "nothing was saved; a run with --out DIR can be resumed\n"


WITHOUT = """
import sys, time
from pathlib import Path
from mineproof.arena import tournament
from mineproof.apps.cli import main

gate = Path(sys.argv.pop(1))

def never(chunk):
    (gate / "reached").touch()
    time.sleep(600)

tournament.play_chunk = never
main()
"""
"""The command line, which never ends its first chunk."""


def test_a_run_is_extended(tmp_path: Path) -> None:
    begin = ("arena", "--agent", "best", "--level", "beginner", "--seed", 8)
    short = arena(*begin, "--games", 100, "--out", tmp_path / "run")
    long = arena("arena", "--out", tmp_path / "run", "--resume", "--games", 200)
    assert [found["agents"][0]["games"] for found in (short, long)] == [100, 200]
    assert long["fingerprint"] == arena(*begin, "--games", 200)["fingerprint"]


def test_programs_are_called_by_their_names(tmp_path: Path) -> None:
    program = f"mine={shlex.join([*MINEPROOF, 'agent', 'careful'])}"
    begin = ("arena", "--agent", "best", "--agent-command", program, "--level", "6x6x5", "--games", 4)
    status, text, complaints = said(*begin, "--out", tmp_path / "run")
    assert (status, complaints) == (0, "")
    assert [line.split()[0] for line in text.splitlines()[2:4]] == ["best", "mine"]
    found = json.loads((tmp_path / "run" / "summary.json").read_text())
    assert [row["agent"] for row in found["agents"]] == ["best", "mine"]
    assert found["pairs"][0]["agents"] == ["best", "mine"]
    assert "best and mine" in said("arena", "compare", tmp_path / "run", "best", "mine")[1]
    assert said("arena", "plot", tmp_path / "run")[0] == 0


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
def test_a_run_that_was_ended_before_its_first_chunk_continues(
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
        less = SOON.replace("= 3", "= 10")  # of which the scheduler must be reached
        command = [sys.executable, "-c", less, "arena", "--games", "1", "--cluster", address, "--out", str(tmp_path)]
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
    old = [{name: row[name] for name in row if name != "seconds_per_game"} for row in found["agents"]]
    (folder / "summary.json").write_text(json.dumps({**found, "agents": old}))
    assert said("arena", "plot", folder)[0] == said("arena", "--out", folder, "--resume")[0] == 0
    (folder / "summary.json").write_text(json.dumps({**found, "agents": [1]}))
    assert said("arena", "plot", folder)[0] == 2


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("--resume",), "--resume needs --out"),
        (("--workers", "2", "--cluster", "tcp://127.0.0.1:1"), "workers and a cluster cannot be combined"),
        (("--out", "RUN"), "RUN is not empty; use --resume to continue it"),
        (("--out", "RUN", "--resume", "--seed", "5"), "RUN holds another run: seed there: 0, requested: 5"),
        (("--out", "RUN", "--resume", "--games", "3", "--level", "6x6x5"),
         "RUN holds another run: levels there: ['beginner'], requested: ['6x6x5']"),
        (("--out", "NOWHERE", "--resume"), "NOWHERE has no records: it has no manifest.json"),
        (("--agent", "best", "--agent", "best"), "the agent best is named twice"),
        (("--agent-command", "no-such-program"), "no-such-program: No such file or directory"),
        (("compare", "RUN", "best", "sat"), "there is no agent 'sat'; choose from best"),
        (("compare", "RUN", "best", "best"), "best cannot be compared with itself: name two different agents"),
        (("--out", "RUN", "--resume", "--games", "2"),
         ("the run in RUN has 3 games, and --games 2 would shorten it: "
         "name more games to extend it, or leave --games out")),
        (("--games", "3", "compare", "RUN", "best", "sat"), "put compare first, and its options after it"),
        (("plot", "NOWHERE"), "NOWHERE has no records: it has no manifest.json"),
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
    assert re.search(r"[\d,]+ of 6,000 games, [\d.,]+ per second, \d\d:\d\d elapsed, \d\d:\d\d left", script.stdout)
    assert "95 % interval" in script.stdout


def test_experiments_are_listed() -> None:
    assert said("experiment")[1].startswith("ladder ")
    assert [one["name"] for one in json.loads(said("experiment", "--json")[1])] == list(EXPERIMENTS)
    assert said("experiment", "lader")[2] == "mineproof: there is no experiment 'lader'; did you mean 'ladder'?\n"
    assert said("experiment", "ladder", "--all")[0] == 2
    assert said("experiment", "--quick")[2] == "mineproof: name an experiment or use --all\n"
