"""Commands in processes of their own, and waiting until something is so: tests wait for states, and not for a while."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil

from support.warm import PATIENCE, fits, warm

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


MINEPROOF = [sys.executable, "-m", "mineproof"]


def run(
    *args: object, given: str | bytes = b"", cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """A command, when it has ended."""
    command = [*map(str, args)]
    given = given.encode() if isinstance(given, str) else given
    env = dict(os.environ if env is None else env)
    if fits(env):
        return subprocess.CompletedProcess(command, *warm().run(command, given, str(cwd or Path.cwd()), env))
    return subprocess.run([*MINEPROOF, *command], input=given, capture_output=True, cwd=cwd, env=env, timeout=PATIENCE)


def output(*args: str, given: str | bytes = b"", cwd: Path | None = None) -> str:
    """What a command prints, if it succeeds."""
    done = run(*args, given=given, cwd=cwd)
    assert done.returncode == 0, done.stderr
    return done.stdout.decode()


def said(*args: object, **others: Any) -> tuple[int, str, str]:
    """The exit status of a command, and what it wrote."""
    done = run(*args, **others)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def wait_for(what: Callable[[], object], seconds: float = 120) -> None:
    """Until something is so; the seconds are for what never will."""
    deadline = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < deadline, "it takes too long"
        time.sleep(0.01)


def gone(process: int) -> bool:
    """Whether a process has ended, be it that nobody has noticed yet."""
    try:
        return bool(psutil.Process(process).status() == psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return True


def number_in(path: Path) -> int | None:
    """The number in a file, when it is there."""
    text = path.read_text() if path.exists() else ""
    return int(text) if text.endswith("\n") else None
