"""The pages of one game: its clock runs while one of them is on screen, and each learns what another one does."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

from support.web import client, new_game

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from starlette.testclient import TestClient, WebSocketTestSession

SMALL = "4x3x3/any=418"


@pytest.fixture
def web(tmp_path: Path) -> Iterator[TestClient]:
    with client(tmp_path) as made:
        yield made


@contextmanager
def page(web: TestClient, game: str) -> Iterator[WebSocketTestSession]:
    """A page that has heard of its game."""
    with web.websocket_connect(f"ws://127.0.0.1/api/games/{game}/socket") as socket:
        assert socket.receive_json()["event"] == "game"
        yield socket


def ask(socket: WebSocketTestSession, do: str, **fields: Any) -> dict[str, Any]:
    """The next message after a command."""
    socket.send_text(json.dumps({"id": uuid4().hex, "do": do, **fields}))
    answer: dict[str, Any] = socket.receive_json()
    return answer


def clock(web: TestClient, game: str) -> tuple[bool, int]:
    found = web.get(f"/api/games/{game}").json()
    return found["running"], found["elapsed_ms"]


def test_clock_stands_still_while_no_page_shows_the_game(web: TestClient) -> None:
    game = new_game(web, board=SMALL)["id"]
    with page(web, game) as first:
        assert clock(web, game) == (False, 0)  # before the first click
        assert "ok" in ask(first, "move", move="open A1")
        assert clock(web, game)[0]
        assert ask(first, "away")["ok"]["running"] is False
        assert clock(web, game) == clock(web, game)
        assert ask(first, "away")["ok"]["running"] is False  # said twice
        assert ask(first, "back")["ok"]["running"] is True
        with page(web, game) as second:
            assert ask(first, "away")["ok"]["running"] is True  # the other page shows it
            assert ask(second, "away")["ok"]["running"] is False
            assert "ok" in ask(second, "move", move="open B2")  # whoever plays is there
            assert clock(web, game)[0]
        assert clock(web, game)[0] is False
        first.receive_json()  # that the other page moved
        assert ask(first, "back")["ok"]["running"] is True
    stopped = clock(web, game)
    assert stopped[0] is False
    assert web.get("/api/games").json()["games"][0]["elapsed_ms"] == stopped[1]
    with page(web, game) as again:
        assert clock(web, game)[0]
        assert ask(again, "pause")["ok"]["paused"] is True
        ask(again, "away")
        assert ask(again, "back")["ok"]["running"] is False  # a pause is ended by the player alone


def test_pages_learn_what_another_one_does(web: TestClient) -> None:
    game = new_game(web, board=SMALL)["id"]
    with page(web, game) as first, page(web, game) as second:
        moved = ask(first, "move", move="open A1")["ok"]
        assert second.receive_json() == {"event": "moved", "moved": moved}
        ask(second, "pause")
        told = first.receive_json()
        assert (told["event"], told["game"]["paused"]) == ("paused", True)
        ask(first, "resume")
        second.receive_json()
        turn = ask(second, "agent", agent="best", mode="step", guess=True)["turn"]
        assert turn["moves"]
        assert first.receive_json() == {"event": "moved", "moved": turn}


def test_before_the_first_click_any_cell_is_safe(web: TestClient) -> None:
    """If the mines are laid after it; on other boards the odds hold from the start."""
    safe = new_game(web, level="beginner", first_click="opening")
    assert safe["unlaid"] is True
    with page(web, safe["id"]) as socket:
        hint = ask(socket, "hint")["ok"]["hint"]
        assert (hint["certain"], hint["cell"]) == (True, [2, 2])
        assert hint["portions"] == ["The first click is always safe in this game; C3 is a good one."]
        why = ask(socket, "why", cell="A1")["ok"]["why"]
        assert (why["verdict"], why["steps"]) == ("safe", [])
        assert "laid after the first click" in why["text"]
        ask(socket, "move", move="open C3")
        ask(socket, "move", move="undo")
        assert ask(socket, "sync")["ok"]["unlaid"] is False
        assert ask(socket, "hint")["ok"]["hint"]["text"] == "Start at C3, which is safe."
        assert ask(socket, "why", cell="C3")["ok"]["why"]["verdict"] == "safe"
        assert ask(socket, "why", cell="I9")["ok"]["why"]["verdict"] == "unknown"
    risky = new_game(web, level="beginner", first_click="any")
    assert risky["unlaid"] is False
    with page(web, risky["id"]) as socket:
        assert ask(socket, "hint")["ok"]["hint"]["certain"] is False
        assert ask(socket, "why", cell="A1")["ok"]["why"]["verdict"] == "unknown"


def test_moves_are_refused_while_an_agent_plays(web: TestClient) -> None:
    game = new_game(web, level="beginner", first_click="opening")["id"]
    with page(web, game) as socket:
        assert ask(socket, "agent", agent="sat", mode="run", delay_ms=10_000)["event"] == "turn"
        error = ask(socket, "move", move="flag A1")["error"]
        assert error == {"kind": "busy", "message": "sat is playing. Take over first."}
