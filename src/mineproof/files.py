"""Files that are written completely or not at all."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Iterator

UNFINISHED = ".part"
"""Suffix of a file that is being written. Its name starts with a dot, and readers of a folder skip it."""


@contextmanager
def whole_file(path: Path, *, durable: bool = False) -> Iterator[BinaryIO]:
    """A file to write, which gets its name only on success; with ``durable``, only when it is safely on the disk.

    Pipes and devices are written directly.
    """
    if path.exists() and not path.is_file():
        with path.open("wb") as file:
            yield file
        return
    target = path.resolve()  # a link stays a link
    temporary: Path | None = None
    try:
        handle, name = tempfile.mkstemp(UNFINISHED, f".{target.name}.", target.parent)
        temporary = Path(name)
        with os.fdopen(handle, "wb") as file:
            yield file
            if durable:
                file.flush()
                os.fsync(handle)
        temporary.chmod(_mode(target))
        temporary.replace(target)
    except BaseException as failure:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
        if (
            isinstance(failure, OSError)
            and failure.errno is not None  # ours have none
            and (temporary is None or failure.filename in (None, str(temporary)))
        ):
            raise OSError(failure.errno, failure.strerror, str(path)) from None  # not the temporary name
        raise


def _mode(path: Path) -> int:
    """The permissions of a file, or those it would get."""
    if path.exists():
        return path.stat().st_mode & 0o777
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask


def write_file(path: Path, data: bytes, *, durable: bool = False) -> None:
    """Write a file with this content."""
    with whole_file(path, durable=durable) as file:
        file.write(data)


def remove_unfinished(folder: Path, name: str) -> None:
    """Leftovers of this file from a process that was killed while writing it."""
    for path in folder.glob(f".{name}.*{UNFINISHED}"):
        path.unlink(missing_ok=True)
