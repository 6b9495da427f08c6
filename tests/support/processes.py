"""Commands in processes of their own, and waiting until something is so: tests wait for states, and not for a while."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import TYPE_CHECKING

import psutil

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

MINEPROOF = [sys.executable, "-m", "mineproof"]


def said(*args: object, **others: object) -> tuple[int, str, str]:
    """The exit status of a command, and what it wrote."""
    command = [*MINEPROOF, *map(str, args)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, **others)  # type: ignore[call-overload]
    return done.returncode, done.stdout, done.stderr


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
