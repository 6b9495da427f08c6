"""Whatever was acknowledged is kept: restarts, kill -9, many at once, and changes of the tables."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from websockets.exceptions import ConnectionClosed

from mineproof import Game
from mineproof.apps.web.schema import Base
from mineproof.apps.web.store import Store
from mineproof.errors import InvalidText
from support.web import Server, client, move, new_game

if TYPE_CHECKING:
    from pathlib import Path


def test_a_killed_server_loses_no_acknowledged_move(tmp_path: Path) -> None:
    """Play, kill -9, start again, go on; commands that were sent again are not played again."""
    database = f"sqlite:///{tmp_path / 'games.db'}"
    twin = Game("expert", "opening", seed=5)
    with Server(database) as server:
        game = new_game(server.http, level="expert", first_click="opening", seed=5)
        page = server.socket(game["id"])
        for number, text in enumerate(["open P8", "flag A1", "flag B1", "unflag A1"]):
            twin.play(text)
            assert page.ok("move", move=text, name=f"n{number}")["seq"] == number + 1
        server.kill()
        with pytest.raises(ConnectionClosed), page:
            page.hear()
    with Server(database) as server, server.socket(game["id"]) as page:
        assert page.game["position"] == twin.position.to_text()
        assert page.game["seq"] == 4
        assert page.ok("move", move="unflag A1", name="n3")["repeated"] is True
        twin.play("flag A1")
        assert page.ok("move", move="flag A1", name="n4")["seq"] == 5
        assert page.ok("sync")["moves"] == [str(one) for one in twin.moves]


def test_a_server_that_is_killed_among_many_moves_keeps_all_that_it_said(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'games.db'}"
    acknowledged: dict[str, int] = {}

    def play(server: Server, game: str) -> None:
        try:
            with server.socket(game) as page:
                while True:
                    for text in ("flag A1", "unflag A1"):
                        acknowledged[game] = page.ok("move", move=text)["seq"]
        except ConnectionClosed:
            return

    with Server(database) as server, ThreadPoolExecutor(6) as pool:
        games = [new_game(server.http, level="beginner")["id"] for _ in range(6)]
        playing = [pool.submit(play, server, game) for game in games]
        while len(acknowledged) < 6 or min(acknowledged.values()) < 20:
            assert not any(one.done() for one in playing)
        server.kill()
        for one in playing:
            one.result()
    with Server(database) as server:
        for game in games:
            found = server.http.get(f"/api/games/{game}").json()
            assert found["seq"] == len(found["moves"]) >= acknowledged[game]


def test_moves_from_many_sides_are_made_one_after_the_other(tmp_path: Path) -> None:
    """Eight threads send the same commands to one game: each is played once."""
    with client(tmp_path) as web, ThreadPoolExecutor(8) as pool:
        game = new_game(web, level="expert")["id"]
        commands = [f"flag {column}{row}" for row in range(1, 6) for column in "ABCDEFGH"]

        def send(_: int) -> list[bool]:
            return ["repeated" in move(web, game, text, command=text.replace(" ", "-")) for text in commands]

        answers = list(pool.map(send, range(8)))
        found = web.get(f"/api/games/{game}").json()
    assert sorted(found["moves"]) == sorted(commands)
    assert sum(not repeated for answer in answers for repeated in answer) == len(commands)


def test_migrations_make_the_tables_of_the_schema(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'new.db'}")
    store.migrate()
    store.migrate()  # nothing to do
    with store.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
    store.close()
    with closing(sqlite3.connect(tmp_path / "new.db")) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [("0003",)]


def test_a_database_of_the_first_version_keeps_its_games(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'old.db'}")
    store.migrate("0001")
    columns = "id, created, origin, board, level, rules, no_guess, laid, known, helped, seen, chance, state, seq"
    with closing(sqlite3.connect(tmp_path / "old.db")) as connection:
        connection.execute(
            f"INSERT INTO games ({columns}, undone, elapsed, paused, counts) VALUES ('{'A' * 22}', 1, 'x', "
            "'beginner/safe#7', 'beginner', 'safe', 0, 1, 0, '', 0, 1, 'playing', 1, 0, 5, 0, 0)"
        )
        connection.execute(f"INSERT INTO moves (game, seq, move, at) VALUES ('{'A' * 22}', 1, 'open A1', 5)")
        connection.commit()
    store.close()
    (tmp_path / "old.db").rename(tmp_path / "web.db")
    with client(tmp_path) as web:
        assert web.get(f"/api/games/{'A' * 22}").json()["moves"] == ["open A1"]
        move(web, "A" * 22, "flag I9")


@pytest.mark.parametrize("url", ["nonsense", "sqlite:////nowhere/at/all/web.db", "mysql+nothing://x/y"])
def test_a_database_that_cannot_be_is_told_in_a_sentence(url: str) -> None:
    with pytest.raises(InvalidText, match="database"):
        Store(url).migrate()


def test_a_file_that_is_no_database_stays_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "letter.db"
    file.write_text("Dear Sir or Madam,\n" * 100)
    with pytest.raises(InvalidText, match="the database cannot be used"):
        Store(f"sqlite:///{file}").migrate()
    assert file.read_text().startswith("Dear Sir")
