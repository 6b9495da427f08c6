"""The database: connections, transactions, migrations. What the tables mean is in `schema` and `games`.

SQLite by default, with a write-ahead log: readers never wait, and commits survive a killed process (a power cut may
lose the last moves, because waiting for the disk would take ten times as long). One process writes at a time; its
threads queue here, because SQLite's own waiting is not fair. With other databases rows are locked, and any number of
processes may serve the same games.
"""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import sqlalchemy
from sqlalchemy import event
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, OperationalError, SQLAlchemyError
from sqlalchemy.orm import Session

from mineproof.errors import InvalidText, MissingExtra, shorten

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection

BUSY_SECONDS = 30
"""How long SQLite waits for another process to finish writing."""


class Store:
    """A database of games."""

    def __init__(self, url: str) -> None:
        try:
            parsed = sqlalchemy.make_url(url)
            if parsed.drivername == "postgresql":
                parsed = parsed.set(drivername="postgresql+psycopg")
            self.sqlite = parsed.get_backend_name() == "sqlite"
            options: dict[str, Any] = {"connect_args": {"timeout": BUSY_SECONDS}} if self.sqlite else {}
            self.engine = sqlalchemy.create_engine(parsed, pool_size=20, max_overflow=20, pool_pre_ping=True, **options)
        except (ArgumentError, NoSuchModuleError, TypeError):
            raise InvalidText(f"not the address of a database: {shorten(url)}") from None
        except ModuleNotFoundError as missing:
            raise MissingExtra("this database", str(missing.name), "postgres") from None
        self._lock = Lock() if self.sqlite else nullcontext()
        if self.sqlite:
            event.listen(self.engine, "connect", _sqlite_connection)
            event.listen(self.engine, "begin", _sqlite_begin)

    @contextmanager
    def read(self) -> Iterator[Session]:
        """Begin a read transaction."""
        with Session(self.engine) as session:
            yield session

    @contextmanager
    def write(self) -> Iterator[Session]:
        """Begin a write transaction, which is committed as a whole at the end of the block, or not at all."""
        with self._lock, Session(self.engine.execution_options(writes=True), expire_on_commit=False) as session:
            yield session
            session.commit()

    def migrate(self, version: str = "head") -> None:
        """Migrate the tables to a version, by default the newest; existing content is kept."""
        from alembic import command
        from alembic.config import Config

        config = Config()
        config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
        try:
            with self.engine.execution_options(writes=True).begin() as connection:
                if not self.sqlite:  # several processes may begin at once
                    connection.execute(sqlalchemy.text("SELECT pg_advisory_xact_lock(4242424242)"))
                config.attributes["connection"] = connection
                command.upgrade(config, version)
        except OperationalError as failure:
            raise InvalidText(f"the database cannot be used: {failure.orig}".split("\n")[0]) from None
        except SQLAlchemyError as failure:
            raise InvalidText(f"the database cannot be used: {failure}".split("\n")[0]) from None

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()


def _sqlite_connection(connection: Any, _: object) -> None:
    connection.isolation_level = None  # SQLAlchemy begins each transaction, see below
    cursor = connection.cursor()
    for setting in ("journal_mode = WAL", "synchronous = NORMAL", "foreign_keys = ON"):
        cursor.execute(f"PRAGMA {setting}")
    cursor.close()


def _sqlite_begin(connection: Connection) -> None:
    """Begin a transaction. A writer waits for its turn now: if it read first, its data might be outdated."""
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
