"""What differs between operating systems and Python does not hide: signals, errors and command lines.

Programs that are started, and how they end, are in `mineproof.agents.program`; keys of a terminal in
`mineproof.apps.cli.keys`.
"""

from __future__ import annotations

import errno
import shlex
import signal
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

WINDOWS = sys.platform == "win32"
ENDINGS: tuple[signal.Signals, ...] = tuple(
    getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name)
)
"""The signals that ask a process to end, besides Ctrl-C: from other programs, and from a terminal that is closed."""


def broken_pipe(failure: Exception, windows: bool = WINDOWS) -> bool:
    """Return whether an error means that nobody reads our output any more. Windows reports an invalid argument, of no
    file.

    >>> [broken_pipe(error, windows=True) for error in (BrokenPipeError(), OSError(22, ""), OSError(22, "", "name"))]
    [True, True, False]
    """
    unread = windows and isinstance(failure, OSError) and (failure.errno, failure.filename) == (errno.EINVAL, None)
    return unread or isinstance(failure, BrokenPipeError)


def split_command(command: str, windows: bool = WINDOWS) -> list[str]:
    r"""Return the words of a command line, with quotes as in a shell. On Windows a backslash separates folders.

    >>> split_command(r"play\ er 'a b'", windows=False), split_command(r'C:\play\er.exe "a b"', windows=True)
    (['play er', 'a b'], ['C:\\play\\er.exe', 'a b'])
    """
    words = shlex.shlex(command, posix=True)
    words.whitespace_split = True
    words.commenters = ""
    if windows:
        words.escape = ""
    return list(words)


def join_command(words: Iterable[str], windows: bool = WINDOWS) -> str:
    """Return a command line of these words, to show and to type.

    >>> join_command(["play", "a b"], windows=False), join_command(["play", "a b"], windows=True)
    ("play 'a b'", 'play "a b"')
    """
    if not windows:
        return shlex.join(words)
    from subprocess import list2cmdline

    return list2cmdline(list(words))
