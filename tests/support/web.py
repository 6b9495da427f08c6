"""The web app in tests: an application in this process, or a server in a process of its own."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import httpx2
from starlette.testclient import TestClient
from websockets.sync.client import connect

from mineproof.apps.web import create_app
from mineproof.apps.web.settings import Settings
from support.processes import MINEPROOF

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ADDRESS = "http://127.0.0.1"


@contextmanager
def client(folder: Path, **changed: Any) -> Iterator[TestClient]:
    """A browser that has been here before, on an application of its own."""
    settings = replace(Settings(f"sqlite:///{folder / 'web.db'}"), **changed)
    with TestClient(create_app(settings), base_url=ADDRESS) as made:
        made.get("/api/me")
        yield made


def new_game(web: TestClient | httpx2.Client, **fields: Any) -> dict[str, Any]:
    """A game that was made."""
    answer = web.post("/api/games", json=fields)
    assert answer.status_code == 201, answer.text
    game: dict[str, Any] = answer.json()
    return game


def move(web: TestClient | httpx2.Client, game: str, text: str, **fields: Any) -> dict[str, Any]:
    """A move that was made."""
    answer = web.post(f"/api/games/{game}/moves", json={"move": text, **fields})
    assert answer.status_code == 200, answer.text
    moved: dict[str, Any] = answer.json()
    return moved


class Server:
    """``mineproof web``, as a user starts it."""

    def __init__(self, database: str, *args: str) -> None:
        self.database = database
        command = [*MINEPROOF, "web", "--port", "0", "--no-browser", "--database", database, *args]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.fullmatch(r"Mineproof is at (http://127\.0\.0\.1:([0-9]+))/\n", line)
        assert found is not None, line + self.kill()
        self.address = found[1]
        self.http = httpx2.Client(base_url=self.address, timeout=60, trust_env=False)

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        self.http.close()

    def kill(self) -> str:
        """kill -9, and what it had to say."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        _, errors = self.process.communicate()
        return str(errors)

    def socket(self, game: str) -> Socket:
        """Talk about a game."""
        return Socket(f"{self.address.replace('http', 'ws')}/api/games/{game}/socket")


class Socket:
    """A page that talks to the server, and remembers every word."""

    def __init__(self, address: str) -> None:
        self._open = ExitStack()
        self.connection = self._open.enter_context(connect(address, proxy=None))
        self.heard: list[str] = []
        self.game = self.hear()["game"]
        self._number = 0

    def __enter__(self) -> Socket:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def hear(self) -> dict[str, Any]:
        """The next message."""
        raw = self.connection.recv(timeout=60)
        assert isinstance(raw, str)
        self.heard.append(raw)
        message: dict[str, Any] = json.loads(raw)
        return message

    def ask(self, do: str, **fields: Any) -> dict[str, Any]:
        """Send a command, and wait for its answer; turns of an agent pass by."""
        self._number += 1
        name = fields.pop("name", f"c{self._number}")
        self.connection.send(json.dumps({"id": name, "do": do, **fields}))
        while (message := self.hear()).get("id") != name or "event" in message:
            pass
        return message

    def ok(self, do: str, **fields: Any) -> dict[str, Any]:
        """The answer, which is no refusal."""
        answer = self.ask(do, **fields)
        assert "ok" in answer, answer
        found: dict[str, Any] = answer["ok"]
        return found
