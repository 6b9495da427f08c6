"""Several processes serve the same games from a real PostgreSQL."""

from __future__ import annotations

import os
import signal
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import httpx2
import psutil
import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from mineproof.apps.web.schema import Base
from mineproof.apps.web.store import Store
from support.postgres import cluster
from support.processes import gone, wait_for
from support.web import Server, move, new_game

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    with cluster() as url:
        yield url


def workers(server: Server) -> list[psutil.Process]:
    """The processes that serve."""
    return [one for one in psutil.Process(server.process.pid).children() if serves(one)]


def serves(process: psutil.Process) -> bool:
    """Whether it is one of those; not when it has just ended."""
    with suppress(psutil.NoSuchProcess):
        return not gone(process.pid) and "spawn_main" in " ".join(process.cmdline())
    return False


def test_migrations_make_the_tables_of_the_schema(database: str) -> None:
    store = Store(database)
    store.migrate()
    with store.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
    store.close()


def test_workers_share_every_game(database: str) -> None:
    """Each move comes by a connection of its own, so that any worker may get it; the same commands from all sides are
    played once; and a worker that is killed takes nothing with it."""
    with Server(database, "--workers", "2") as server:
        assert len(workers(server)) == 2

        def fresh() -> httpx2.Client:
            return httpx2.Client(base_url=server.address, timeout=60, trust_env=False)

        def play(number: int) -> dict[str, Any]:
            with fresh() as web:
                game = new_game(web, level="beginner", seed=number)["id"]
            for text in ("flag A1", "flag B1", "unflag A1", "undo", "unflag B1"):
                with fresh() as web:
                    seq = move(web, game, text)["seq"]
            with fresh() as web:
                found: dict[str, Any] = web.get(f"/api/games/{game}").json()
            assert seq == len(found["moves"]) == 5
            return found

        with ThreadPoolExecutor(8) as pool:
            games = list(pool.map(play, range(24)))
        assert len({game["id"] for game in games}) == 24

        game = new_game(server.http, level="expert")["id"]
        commands = [f"flag {column}{row}" for row in range(1, 4) for column in "ABCDEFGH"]

        def send(_: int) -> int:
            with fresh() as web:
                return sum("repeated" not in move(web, game, text, command=text[5:]) for text in commands)

        with ThreadPoolExecutor(6) as pool:
            assert sum(pool.map(send, range(6))) == len(commands)
        assert sorted(server.http.get(f"/api/games/{game}").json()["moves"]) == sorted(commands)

        killed = workers(server)[0]
        os.kill(killed.pid, signal.SIGKILL)
        wait_for(lambda: len(workers(server)) == 2 and killed.pid not in {one.pid for one in workers(server)})
        for _ in range(8):
            with fresh() as web:
                assert len(web.get(f"/api/games/{game}").json()["moves"]) == len(commands)
        with server.socket(game) as page:
            assert page.ok("move", move="undo")["seq"] == len(commands) + 1


def test_the_day_has_one_board_whoever_asks_first(database: str) -> None:
    with Server(database, "--workers", "2") as server:

        def ask(_: int) -> str:
            with httpx2.Client(base_url=server.address, timeout=60, trust_env=False) as web:
                game = new_game(web, daily="2026-01-02", level="beginner")
                return str(game["given"])

        with ThreadPoolExecutor(6) as pool:
            assert len(set(pool.map(ask, range(6)))) == 1
        server.process.send_signal(signal.SIGINT)  # Ctrl-C ends all of them, and says so
        assert server.process.wait(60) == 130
