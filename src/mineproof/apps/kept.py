"""Unsaved games. They are kept in the user's data folder, named by the time at which they were left."""

from __future__ import annotations

import time
from itertools import count
from typing import TYPE_CHECKING

from platformdirs import user_data_path

from mineproof.files import write_file

if TYPE_CHECKING:
    from pathlib import Path

    from mineproof.board.game import Replay


def folder() -> Path:
    """Return the folder of the kept games."""
    return user_data_path("mineproof") / "games"


def keep(replay: Replay) -> Path:
    """Write a game to a new file, and return its path."""
    home = folder()
    home.mkdir(parents=True, exist_ok=True)
    stem = time.strftime("%Y-%m-%d-%H%M%S")
    for number in count():
        path = home / f"{stem}{f'-{number}' if number else ''}.game"
        try:
            path.touch(exist_ok=False)
        except FileExistsError:
            continue
        write_file(path, replay.to_text().encode(), durable=True)
        return path
    raise AssertionError
