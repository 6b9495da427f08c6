"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Iterator

UNFINISHED = ".part"
"""The end of the name of a file that is being written; it begins with a dot, and no reader of a folder takes it."""


@contextmanager
def whole_file(path: Path, *, durable: bool = False) -> Iterator[BinaryIO]:
    """A file to write that gets its name only when all went well; ``durable``: when all of it is on the disk.

    Pipes and devices are written as they are.
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
        if isinstance(failure, OSError) and (temporary is None or failure.filename in (None, str(temporary))):
            raise OSError(failure.errno, failure.strerror, str(path)) from None  # not the name that is gone
        raise


def _mode(path: Path) -> int:
    """The permissions that a file has, or would get."""
    if path.exists():
        return path.stat().st_mode & 0o777
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask


def write_file(path: Path, data: bytes, *, durable: bool = False) -> None:
    """A file with this in it."""
    with whole_file(path, durable=durable) as file:
        file.write(data)


def remove_unfinished(folder: Path, name: str) -> None:
    """What is left of a file of this name when whoever wrote it was killed."""
    for path in folder.glob(f".{name}.*{UNFINISHED}"):
        path.unlink(missing_ok=True)
