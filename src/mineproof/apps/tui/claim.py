"""Claims to kept games. A file beside a game is locked while a window plays it, and says how the game was left.

The lock ends with its process, even if that crashes.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any, BinaryIO

import portalocker

from mineproof.errors import IllegalMove

if TYPE_CHECKING:
    from pathlib import Path


class Claim:
    """The right of this process to play a kept game, until `release`."""

    def __init__(self, path: Path, file: BinaryIO) -> None:
        self._path = path
        self._file = file

    @classmethod
    def take(cls, game: Path) -> Claim:
        """Claim the game in this file. Raises `IllegalMove` if another window plays it."""
        path = game.with_suffix(".state")
        while True:
            file = path.open("a+b")
            try:
                portalocker.lock(file, portalocker.LockFlags.EXCLUSIVE | portalocker.LockFlags.NON_BLOCKING)
            except portalocker.AlreadyLocked:
                file.close()
                raise IllegalMove("this game is open in another window") from None
            except portalocker.LockException:
                pass  # a file system without locks: the player must take care
            if os.fstat(file.fileno()).st_nlink:
                return cls(path, file)
            file.close()  # another window has just removed the file

    def read(self) -> dict[str, Any]:
        """Return how the game was left; nothing if that is not known."""
        self._file.seek(0)
        try:
            state = json.loads(self._file.read())
        except (ValueError, RecursionError):  # new, or not written to its end, or damaged
            return {}
        return state if isinstance(state, dict) else {}

    def write(self, left: dict[str, Any]) -> None:
        """Write down how the game is left."""
        self._file.seek(0)
        self._file.truncate()
        self._file.write(json.dumps(left).encode() + b"\n")
        self._file.flush()

    def release(self, *, over: bool) -> None:
        """Let another window have the game. If it is over, remove the file: there is nothing to continue."""
        if over and os.name != "nt":  # while it is locked: afterwards it may be another window's
            self._path.unlink(missing_ok=True)
        self._file.close()
        if over and os.name == "nt":  # Windows removes no open file, neither ours nor another window's
            with suppress(PermissionError):
                self._path.unlink(missing_ok=True)
