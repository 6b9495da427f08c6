"""Settings of the server, and limits for each client."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

DATABASE, HOST = "MINEPROOF_WEB_DATABASE", "MINEPROOF_WEB_HOST"
"""The environment variable that passes settings to worker processes."""
LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of a server; the defaults are those of ``mineproof web``."""

    database: str
    """An SQLAlchemy URL."""
    host: str = "127.0.0.1"
    """What the server listens on: decides which names it answers to."""

    most_cells: int = 40_000
    """Of a board."""
    most_bytes: int = 2**20
    """Of a request."""
    most_message: int = 2**16
    """Bytes of a message on a socket."""
    seconds: float = 5.0
    """Default time limit of an analysis, in seconds."""
    most_seconds: float = 20.0
    most_games: int = 1_000
    """Unfinished games of a player."""
    most_moves: int = 200_000
    """Of a game."""
    most_sockets: int = 250
    """Open at once, per address."""
    most_analyses: int = 16
    """Running or waiting at once, per address."""
    games_a_minute: int = 600
    """New games per minute and address."""

    @classmethod
    def from_environment(cls) -> Settings:
        """As the command line has left them for its workers."""
        return cls(os.environ.get(DATABASE) or default_database(), os.environ.get(HOST, "127.0.0.1"))

    def to_environment(self) -> None:
        """Leave them for workers."""
        os.environ[DATABASE], os.environ[HOST] = self.database, self.host

    @property
    def loopback(self) -> bool:
        """Whether only this machine can reach the server."""
        return self.host in LOOPBACK or self.host.startswith("127.")


def default_database() -> str:
    """One file in the user's data folder, which is made where it is missing."""
    from platformdirs import user_data_path

    folder = user_data_path("mineproof", appauthor=False)
    folder.mkdir(parents=True, exist_ok=True)
    return f"sqlite:///{Path(folder) / 'web.db'}"
