"""A PostgreSQL server for a test: made, started, and thrown away. It listens on a socket in its folder alone."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


def program(name: str) -> str:
    """Debian does not put the server's programs on the path."""
    found = [*sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), reverse=True), shutil.which(name)]
    assert found[0], "PostgreSQL is not installed (Debian: apt-get install postgresql; `make test` does it)"
    return str(found[0])


@contextmanager
def cluster() -> Iterator[str]:
    """The URL of an empty database. The server refuses to run as root, so then it is the user postgres."""
    folder = Path(tempfile.mkdtemp(prefix="pg"))
    user = "postgres" if os.getuid() == 0 else None
    if user is not None:
        shutil.chown(folder, user)

    def run(name: str, *args: str) -> None:
        command = [program(name), *args]
        subprocess.run(command, check=True, capture_output=True, user=user, cwd=folder, timeout=120)

    try:
        run("initdb", "-D", f"{folder}/data", "-U", "mines", "-A", "trust", "--no-sync")
        options = f"-k {folder} -c listen_addresses='' -c fsync=off"
        run("pg_ctl", "-D", f"{folder}/data", "-o", options, "-l", f"{folder}/log", "-w", "start")
        try:
            yield f"postgresql://mines@/postgres?host={folder}"
        finally:
            run("pg_ctl", "-D", f"{folder}/data", "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(folder)
