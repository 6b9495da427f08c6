"""Settings of the server, and limits for each client."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

DATABASE, HOST = "MINEPROOF_WEB_DATABASE", "MINEPROOF_WEB_HOST"
"""The environment variables that pass settings to worker processes."""
LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of a server; the defaults are those of ``mineproof web``."""

    database: str
    """The SQLAlchemy URL of the database."""
    host: str = "127.0.0.1"
    """The address that the server listens on; it decides which host names are accepted."""

    most_cells: int = 40_000
    """The most cells of a board."""
    most_bytes: int = 2**20
    """The most bytes of a request."""
    most_message: int = 2**16
    """The most bytes of a message on a socket."""
    seconds: float = 5.0
    """Default time limit of an analysis, in seconds."""
    most_seconds: float = 20.0
    """Greatest time limit of an analysis, in seconds."""
    most_games: int = 1_000
    """The most unfinished games of a player."""
    most_moves: int = 200_000
    """The most moves of a game."""
    most_sockets: int = 250
    """The most sockets that an address has open at once."""
    most_analyses: int = 16
    """The most analyses of an address that run or wait at once."""
    games_a_minute: int = 600
    """The most new games of an address per minute."""

    @classmethod
    def from_environment(cls) -> Settings:
        """Read the settings that the command line has left for its workers."""
        return cls(os.environ.get(DATABASE) or default_database(), os.environ.get(HOST, "127.0.0.1"))

    def to_environment(self) -> None:
        """Leave the settings for worker processes."""
        os.environ[DATABASE], os.environ[HOST] = self.database, self.host

    @property
    def loopback(self) -> bool:
        """Whether only this machine can reach the server."""
        return self.host in LOOPBACK or self.host.startswith("127.")


def default_database() -> str:
    """Return the URL of a file in the user's data folder, which is made if it is missing."""
    from platformdirs import user_data_path

    folder = user_data_path("mineproof", appauthor=False)
    folder.mkdir(parents=True, exist_ok=True)
    return f"sqlite:///{Path(folder) / 'web.db'}"
