"""``python -m mineproof`` without the wait: one process imports everything once, and forks for each command.

A command still has a process, a folder, an environment and streams of its own, and exits as it always does. What Python
reads from the environment before a command starts would be missed here; ``fits`` says whether there is any.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Mapping

STARTED = dict(os.environ)
PATIENCE = 300
"""For commands that never end."""
HEAVY = (
    "mineproof.arena.experiments", "mineproof.arena.experiments.page", "mineproof.arena.plots",
    "mineproof.arena.records", "mineproof.arena.summary", "matplotlib.backends.backend_agg",
    "matplotlib.backends.backend_svg", "mineproof.agents.registry",
    "mineproof.logic.methods", "pyarrow.parquet",
)  # fmt: skip
"""What commands import late."""


def fits(env: Mapping[str, str]) -> bool:
    """Whether nothing in an environment is for Python itself, but what was there before."""
    names = {name for name in {*env, *STARTED} if name.startswith(("PYTHON", "LC_", "LANG"))}
    return sys.platform == "linux" and all(env.get(name) == STARTED.get(name) for name in names)


class Warm:
    """The process that waits, and the line to it."""

    def __init__(self) -> None:
        self.line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.line.settimeout(PATIENCE)
        path = f"{Path(__file__).parent.parent}{os.pathsep}{STARTED.get('PYTHONPATH', '')}".strip(os.pathsep)
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-c", f"from support.warm import serve; serve({theirs.fileno()})"],
                pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, start_new_session=True,
                env={**STARTED, "PYTHONPATH": path},
            )  # fmt: skip
        atexit.register(self.end)

    def run(self, args: list[str], given: bytes, cwd: str, env: dict[str, str]) -> tuple[int, bytes, bytes]:
        """The exit status of a command, and what it wrote."""
        (out, to_out), (err, to_err) = os.pipe(), os.pipe()
        with tempfile.TemporaryFile() as stdin, os.fdopen(out, "rb") as said, os.fdopen(err, "rb") as complained:
            stdin.write(given)
            stdin.seek(0)
            asked = json.dumps({"args": args, "cwd": cwd, "env": env}).encode()
            socket.send_fds(self.line, [asked], [stdin.fileno(), to_out, to_err])
            os.close(to_out)
            os.close(to_err)
            with ThreadPoolExecutor(2) as readers:
                written = [readers.submit(stream.read) for stream in (said, complained)]
                try:
                    status = int(self.line.recv(100))
                except BaseException:
                    self.end()
                    raise
            return status, written[0].result(), written[1].result()

    def end(self) -> None:
        """End the process, and what it started."""
        warm.cache_clear()
        self.line.close()
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


@cache
def warm() -> Warm:
    """One for all tests of this process."""
    return Warm()


def serve(descriptor: int) -> None:
    """Import, and fork for each command until nobody asks any more."""
    from mineproof.apps.cli import COMMANDS

    for name in (*(f"mineproof.apps.cli.{name}" for name in COMMANDS), *HEAVY):
        import_module(name)
    gc.collect()
    gc.freeze()  # so that no child looks through it all again
    with socket.socket(fileno=descriptor) as line:
        while True:
            asked, streams, _, _ = socket.recv_fds(line, 2**20, 3)
            if not asked:
                return
            child = os.fork()
            if not child:
                line.close()
                become(streams=streams, **json.loads(asked))
            for stream in streams:
                os.close(stream)
            line.send(b"%d" % os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))


def become(args: list[str], cwd: str, env: dict[str, str], streams: list[int]) -> NoReturn:
    """Be the command."""
    from mineproof.__main__ import main

    for place, stream in enumerate(streams):
        os.dup2(stream, place)
        os.close(stream)
    sys.stdin, sys.stdout = os.fdopen(0, closefd=False), os.fdopen(1, "w", closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, errors="backslashreplace", closefd=False)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    sys.argv = ["mineproof", *args]
    main()
