"""Files that are written completely or not at all."""

from __future__ import annotations

import os
import secrets
from contextlib import contextmanager
from functools import partial
from glob import escape
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

UNFINISHED = ".part"
"""The suffix of a file that is being written. Its name starts with a dot, and readers of a folder skip it."""


@contextmanager
def whole_file(path: Path, *, durable: bool = False) -> Iterator[BinaryIO]:
    """Give a file to write, which gets its name only on success; with ``durable``, only when it is safely on the disk.

    Pipes and devices are written directly.
    """
    if path.exists() and not path.is_file():
        with path.open("wb") as file:
            yield file
        return
    target = path.resolve()  # a link stays a link
    old = target.stat().st_mode & 0o777 if target.exists() else None
    temporary: Path | None = None
    try:
        unfinished = target.with_name(f"{_prefix(target.name)}{secrets.token_hex(8)}{UNFINISHED}")
        with open(unfinished, "xb", opener=partial(os.open, mode=0o666 if old is None else old)) as file:
            temporary = unfinished
            yield file
            if durable:
                file.flush()
                os.fsync(file.fileno())
        if old is not None:
            temporary.chmod(old)
        temporary.replace(target)
    except BaseException as failure:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
        if (
            isinstance(failure, OSError)
            and failure.errno is not None  # errors of Mineproof have none
            and (temporary is None or failure.filename in (None, str(temporary)))
        ):
            raise OSError(failure.errno, failure.strerror, str(path)) from None  # not the temporary name
        raise


def write_file(path: Path, data: bytes, *, durable: bool = False) -> None:
    """Write a file as a whole."""
    with whole_file(path, durable=durable) as file:
        file.write(data)


def remove_unfinished(folder: Path, name: str) -> None:
    """Remove unfinished versions of this file, which a process left that was killed while it wrote."""
    for path in folder.glob(f"{escape(_prefix(name))}*{UNFINISHED}"):
        path.unlink(missing_ok=True)


def _prefix(name: str) -> str:
    """Return how the name of an unfinished file begins: with the name of the file, shortened, because a file system
    limits names (usually to 255 bytes)."""
    return f".{name.encode(errors='surrogateescape')[:100].decode(errors='ignore')}."
