"""Single keys from a terminal, without Enter. Without such a terminal, lines are read instead."""

from __future__ import annotations

import os
import select
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

LOOK_SECONDS = 0.02
"""Seconds between two looks for a key, on systems where one cannot wait for it."""


class Keys:
    """Reads keys while it is open, and restores the terminal afterwards."""

    def __init__(self) -> None:
        self.single = sys.stdin.isatty() and sys.stdout.isatty() and _in_foreground()
        """Whether single keys can be read, without Enter."""
        self._terminal: AbstractContextManager[None] | None = None

    def __enter__(self) -> Keys:
        if self.single:
            self._terminal = _without_enter()
            self._terminal.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        if self._terminal is not None:
            self._terminal.__exit__(None, None, None)

    def wait(self, seconds: float | None) -> str:
        """Return the next key, or an empty string after this many seconds; None waits for ever. The end of input is
        q."""
        if self.single:
            return _key(seconds)
        if seconds is None:
            line = sys.stdin.readline()
            return line[:1] if line else "q"
        time.sleep(seconds)
        return ""


if sys.platform == "win32":
    import msvcrt

    def _in_foreground() -> bool:
        return True

    @contextmanager
    def _without_enter() -> Iterator[None]:
        yield  # a console gives keys one by one to whoever asks for them

    def _key(seconds: float | None) -> str:
        deadline = time.monotonic() + (float("inf") if seconds is None else seconds)
        while True:
            while msvcrt.kbhit():
                key = msvcrt.getwch()
                if key == "\x03":  # Ctrl-C, when it comes as a key
                    raise KeyboardInterrupt
                if key not in "\x00\xe0":
                    return key
                msvcrt.getwch()  # an arrow or the like, in two parts
            left = deadline - time.monotonic()
            if left <= 0:
                return ""
            time.sleep(min(left, LOOK_SECONDS))

else:

    def _in_foreground() -> bool:
        """Return whether this process may read keys: the system stops a background job that tries to."""
        return os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp()

    @contextmanager
    def _without_enter() -> Iterator[None]:
        import termios
        import tty

        before = termios.tcgetattr(sys.stdin)
        tty.setcbreak(sys.stdin)
        try:
            yield
        finally:
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)

    def _key(seconds: float | None) -> str:
        ready, _, _ = select.select([sys.stdin], [], [], seconds)
        if not ready:
            return ""
        return os.read(sys.stdin.fileno(), 1).decode("ascii", "replace") or "q"
