"""A command on a terminal of 24 lines and 80 columns: what it shows, and keys for it."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time
from typing import TYPE_CHECKING

from support.processes import MINEPROOF

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


class Terminal:
    """A command that runs on a terminal of its own."""

    def __init__(self, *args: object, cwd: Path | None = None, program: Sequence[str] = MINEPROOF) -> None:
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        environment = {**os.environ, "TERM": "xterm", "NO_COLOR": "1"}
        environment.pop("COLUMNS", None)
        environment.pop("LINES", None)
        self.process = subprocess.Popen(
            [*program, *map(str, args)], stdin=slave, stdout=slave, stderr=slave, cwd=cwd, env=environment,
            start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )  # fmt: skip
        os.close(slave)
        self.text = ""

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.master)

    def _read(self, seconds: float) -> bool:
        """Whatever is shown next; whether the terminal is still open."""
        if select.select([self.master], [], [], seconds)[0]:
            try:
                found = os.read(self.master, 2**16)
            except OSError:  # nobody has it open any more
                found = b""
            self.text += found.decode(errors="replace").replace("\r\n", "\n")
            return bool(found)
        return True

    def expect(self, pattern: str, seconds: float = 120) -> re.Match[str]:
        """Wait until this is shown; what came before it is forgotten."""
        deadline = time.monotonic() + seconds
        while not (found := re.search(pattern, self.text)):
            assert self._read(0.1) or re.search(pattern, self.text), f"it has ended: {self.text}"
            assert time.monotonic() < deadline, f"it takes too long: {self.text}"
        self.text = self.text[found.end() :]
        return found

    def press_until(self, keys: str, pattern: str) -> None:
        """Type these keys again and again until this is shown: Python misses a Ctrl-C that comes while it is about to
        wait for a line, as everybody knows who has pressed it twice."""
        while self.process.poll() is None and not re.search(pattern, self.text):
            self.press(keys)
            deadline = time.monotonic() + 5
            while time.monotonic() < deadline and not re.search(pattern, self.text):
                if not self._read(0.1):
                    break
        self.expect(pattern)

    def press(self, keys: str) -> None:
        """Type these keys."""
        os.write(self.master, keys.encode())

    def end(self, seconds: float = 120) -> str:
        """All that is shown until it ends."""
        deadline = time.monotonic() + seconds
        while self._read(0.1):
            assert time.monotonic() < deadline, f"it takes too long: {self.text}"
            if self.process.poll() is not None and not select.select([self.master], [], [], 0)[0]:
                break
        self.process.wait(timeout=seconds)
        return self.text


def frames(text: str) -> list[list[str]]:
    """The pictures that were drawn, each over the one before, as lines."""
    pictures = re.split(r"\x1b\[H", text)[1:]
    return [
        re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", picture).splitlines() for picture in pictures if picture.strip("\x1b[2J")
    ]
