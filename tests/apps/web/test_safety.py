"""Strangers: other sites, other names, too much of everything, and clients that go away."""

from __future__ import annotations

import json
import socket as sockets
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
import uvicorn
from starlette.websockets import WebSocketDisconnect

from mineproof.apps.web import create_app
from mineproof.apps.web.safety import POLICY, Door
from mineproof.apps.web.settings import Settings
from mineproof.errors import Cancelled
from mineproof.seat.seat import Seat
from support.processes import said, wait_for
from support.web import Server, client, move, new_game

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from starlette.testclient import TestClient

    from mineproof import Limit

WALL = "3x2x2\nHHH\n121\n"


@pytest.fixture
def web(tmp_path: Path) -> Iterator[TestClient]:
    with client(tmp_path) as made:
        yield made


def socket_of(web: TestClient, game: str, **headers: str) -> Any:
    return web.websocket_connect(f"ws://127.0.0.1/api/games/{game}/socket", headers=headers)


# -- who is asked, and from where --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("host", "served"),
    [
        ("127.0.0.1", True),
        ("localhost:8300", True),
        ("[::1]:8300", True),
        ("evil.example", False),
        ("127.0.0.1.evil.example", False),
        ("192.168.1.7", False),
        ("", False),
        ("127.0.0.1:8300:1", False),
    ],
)
def test_only_our_own_names_are_answered(web: TestClient, host: str, served: bool) -> None:
    """Another site's name can be made to lead to this machine (DNS rebinding)."""
    answer = web.get("/api/health", headers={"host": host})
    assert answer.status_code == (200 if served else 400)
    if not served:
        assert answer.json()["error"]["kind"] == "bad-host"


def test_for_others_any_address_is_right_but_no_foreign_name() -> None:
    door = Door(lambda *_: None, Settings("sqlite://", host="0.0.0.0"))  # type: ignore[arg-type]
    door.check_host("192.168.1.7:8300")
    door.check_host("[fe80::1]")
    with pytest.raises(ValueError, match="does not answer"):
        door.check_host("evil.example")


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:9999"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_pages_of_other_sites_cannot_write(web: TestClient, headers: dict[str, str]) -> None:
    game = new_game(web, level="beginner")["id"]
    for method, path in (("POST", "/api/games"), ("POST", f"/api/games/{game}/moves"), ("DELETE", "/api/me")):
        answer = web.request(method, path, json={}, headers=headers)
        assert (answer.status_code, answer.json()["error"]["kind"]) == (403, "foreign-origin")
    with pytest.raises(WebSocketDisconnect), socket_of(web, game, **headers):
        pass


def test_our_own_page_can(web: TestClient) -> None:
    own = {"origin": "http://127.0.0.1", "sec-fetch-site": "same-origin"}
    assert web.post("/api/games", json={}, headers=own).status_code == 201
    with socket_of(web, new_game(web)["id"], **own) as talk:
        assert talk.receive_json()["event"] == "game"


def test_a_browser_is_told_to_trust_nothing_else(web: TestClient) -> None:
    for path in ("/api/health", "/api/nothing", "/nothing", "/api/openapi.json"):
        headers = web.get(path).headers
        assert headers["content-security-policy"] == POLICY
        assert headers["x-content-type-options"] == "nosniff"
        assert "access-control-allow-origin" not in headers
    assert "unsafe" not in POLICY
    assert web.get("/docs").status_code == web.get("/redoc").status_code == 404


def test_the_cookie_is_for_this_server_alone(web: TestClient) -> None:
    web.cookies.clear()
    cookie = web.get("/api/me").headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "samesite=lax" in cookie.lower()
    assert "set-cookie" not in web.get("/api/me").headers


@pytest.mark.parametrize(
    "path", ["/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/..%2f..%2fapp.py"]
)
def test_files_outside_the_page_are_not_served(web: TestClient, path: str) -> None:
    answer = web.get(path)
    assert answer.status_code == 404
    assert "create_app" not in answer.text


# -- how much ----------------------------------------------------------------------------------------------------


def test_requests_have_a_size(web: TestClient) -> None:
    for body in (b"x" * (2**20 + 1), (b"x" * 2**16 for _ in range(20))):
        answer = web.post("/api/analyse", content=body, headers={"content-type": "application/json"})
        assert (answer.status_code, answer.json()["error"]["kind"]) == (413, "too-large")


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[" * 100_000, b'"\\ud800"', b"\xff\xfe", b'{"position": "\\ud800"}', b"null"]
)
def test_bodies_that_are_no_request(web: TestClient, body: bytes) -> None:
    answer = web.post("/api/analyse", content=body, headers={"content-type": "application/json"})
    assert answer.status_code in (400, 422)
    assert answer.json()["error"]["message"]


def test_boards_have_a_size(web: TestClient) -> None:
    rows = "\n".join(["H" * 250] * 250)
    for path, fields in (
        ("analyse", {"position": f"250x250x9\n{rows}"}),
        ("games", {"level": "250x250x9"}),
        ("games", {"board": "4096x4096x9/any#1"}),
        ("convert", {"text": "4096x4096x9/any#1", "to": "mine"}),
        ("generate", {"level": "250x250x9"}),
        ("rate", {"board": "4096x4096x9/any#1"}),
    ):
        answer = web.post(f"/api/{path}", json=fields)
        assert answer.json()["error"]["kind"] == "too-large", path


def test_a_player_has_so_many_unfinished_games(tmp_path: Path) -> None:
    with client(tmp_path, most_games=2) as web:
        first = new_game(web, level="beginner")
        new_game(web, level="beginner")
        answer = web.post("/api/games", json={})
        assert (answer.status_code, answer.json()["error"]["kind"]) == (429, "too-many")
        assert answer.headers["retry-after"]
        web.delete(f"/api/games/{first['id']}")
        new_game(web, level="beginner")


def test_an_address_makes_so_many_games_a_minute(tmp_path: Path) -> None:
    with client(tmp_path, games_a_minute=3) as web:
        web.cookies.clear()
        assert [web.post("/api/games", json={}).status_code for _ in range(4)] == [201, 201, 201, 429]


def test_an_address_has_so_many_sockets(tmp_path: Path) -> None:
    with client(tmp_path, most_sockets=1) as web:
        game = new_game(web)["id"]
        with socket_of(web, game) as first:
            first.receive_json()
            with socket_of(web, game) as second:
                assert second.receive_json()["error"]["kind"] == "too-many"
                with pytest.raises(WebSocketDisconnect) as closed:
                    second.receive_json()
                assert closed.value.code == 4429
        with socket_of(web, game) as third:
            assert third.receive_json()["event"] == "game"


def test_a_game_has_so_many_moves(tmp_path: Path) -> None:
    with client(tmp_path, most_moves=2) as web:
        game = new_game(web)["id"]
        move(web, game, "flag A1")
        move(web, game, "unflag A1")
        assert web.post(f"/api/games/{game}/moves", json={"move": "flag A1"}).status_code == 429


def test_programs_from_outside_cannot_be_started(web: TestClient, tmp_path: Path) -> None:
    game = new_game(web, level="beginner")["id"]
    trap = tmp_path / "trap"
    for agent in (f"command:touch {trap}", f"command:/usr/bin/touch {trap}"):
        answer = web.post(f"/api/games/{game}/agent", json={"agent": agent})
        assert answer.json()["error"]["kind"] == "unknown-name"
    assert not trap.exists()


# -- the socket --------------------------------------------------------------------------------------------------


def test_what_is_no_command_is_refused_and_the_talk_continues(web: TestClient) -> None:
    game = new_game(web, level="beginner")["id"]
    with socket_of(web, game) as talk:
        talk.receive_json()
        for raw in (
            "{",
            "[]",
            "[" * 10_000,
            '{"do": "sync"}',
            '{"id": 7, "do": "sync"}',
            '{"id": "' + "x" * 70_000 + '"}',
        ):
            talk.send_text(raw)
            assert talk.receive_json()["error"]["kind"] == "bad-request", raw[:30]
        for fields, kind in (
            ({"do": "fly"}, "unknown-name"),
            ({"do": 7}, "invalid-input"),
            ({"do": "move", "move": "open ZZ99"}, "invalid-board"),
            ({"do": "why"}, "invalid-input"),
            ({"do": "why", "cell": "A1", "seconds": -1}, "invalid-input"),
            ({"do": "agent", "agent": "command:true"}, "unknown-name"),
            ({"do": "agent", "mode": "fast"}, "unknown-name"),
            ({"do": "knowledge", "system": "none"}, "unknown-name"),
        ):
            talk.send_text(json.dumps({"id": "a", **fields}))
            answer = talk.receive_json()
            assert (answer["id"], answer["error"]["kind"]) == ("a", kind), fields
        talk.send_text(json.dumps({"id": "b", "do": "sync"}))
        assert talk.receive_json()["ok"]["seq"] == 0


def test_a_mistake_of_ours_is_told_and_logged(
    web: TestClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> dict[str, Any]:
        raise ZeroDivisionError

    monkeypatch.setattr(Seat, "hint", broken)
    with socket_of(web, new_game(web)["id"]) as talk:
        talk.receive_json()
        talk.send_bytes(b"{}")
        assert talk.receive_json()["error"]["kind"] == "bad-request"
        talk.send_text(json.dumps({"id": "a", "do": "hint"}))
        assert talk.receive_json()["error"]["kind"] == "fault"
    assert "ZeroDivisionError" in caplog.text


def test_a_socket_to_no_game_says_so(web: TestClient) -> None:
    with socket_of(web, "A" * 22) as talk:
        assert talk.receive_json()["error"]["kind"] == "not-found"
        with pytest.raises(WebSocketDisconnect) as closed:
            talk.receive_json()
        assert closed.value.code == 4404


def test_an_agent_plays_on_and_can_be_stopped(web: TestClient) -> None:
    game = new_game(web, level="expert", first_click="opening", seed=4)["id"]
    with socket_of(web, game) as talk:
        talk.receive_json()
        talk.send_text(json.dumps({"id": "run", "do": "agent", "agent": "best", "mode": "run", "delay_ms": 10_000}))
        first = talk.receive_json()
        assert (first["event"], len(first["turn"]["moves"])) == ("turn", 1)
        talk.send_text(json.dumps({"id": "mine", "do": "move", "move": "flag A1"}))
        assert talk.receive_json()["error"]["kind"] == "busy"
        talk.send_text(json.dumps({"id": "stop", "do": "stop"}))
        answers_by_id = {message["id"]: message for message in (talk.receive_json(), talk.receive_json())}
        assert answers_by_id["run"]["ok"]["stop"] == "asked"
        talk.send_text(json.dumps({"id": "rest", "do": "agent", "agent": "best", "mode": "certain"}))
        seq = first["turn"]["seq"]
        while "event" in (message := talk.receive_json()):
            assert message["turn"]["since"] == seq
            seq = message["turn"]["seq"]
        assert message["ok"]["stop"] in ("guess", "over")


# -- clients that go away ----------------------------------------------------------------------------------------


@contextmanager
def serving(folder: Path) -> Iterator[tuple[str, int]]:
    """A real server in this process."""
    config = uvicorn.Config(create_app(Settings(f"sqlite:///{folder / 'web.db'}")), port=0, log_level="error")
    server = uvicorn.Server(config)
    listening = sockets.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    wait_for(lambda: server.started)
    try:
        yield listening.getsockname()
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


def test_an_analysis_ends_when_nobody_waits_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, ended = threading.Event(), threading.Event()

    def endless(_: Seat, limit: Limit) -> dict[str, Any]:
        assert limit.cancel is not None
        begun.set()
        if limit.cancel.wait(120):
            ended.set()
        raise Cancelled("the work was cancelled")

    monkeypatch.setattr(Seat, "analysis", endless)
    with serving(tmp_path) as address, sockets.create_connection(address) as connection:
        body = json.dumps({"position": WALL}).encode()
        head = f"POST /api/analyse HTTP/1.1\r\nHost: 127.0.0.1:{address[1]}\r\nContent-Type: application/json\r\n"
        connection.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        assert begun.wait(60)
        assert not ended.is_set()
        connection.close()
        assert ended.wait(60)


def test_an_analysis_on_a_socket_can_be_cancelled_and_ends_with_it(
    web: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, ended = threading.Semaphore(0), threading.Semaphore(0)

    def endless(_: Seat, limit: Limit) -> dict[str, Any]:
        assert limit.cancel is not None
        begun.release()
        if limit.cancel.wait(120):
            ended.release()
        raise Cancelled("the work was cancelled")

    monkeypatch.setattr(Seat, "analysis", endless)
    game = new_game(web, level="beginner")["id"]
    with socket_of(web, game) as talk:
        talk.receive_json()
        talk.send_text(json.dumps({"id": "long", "do": "analyse"}))
        assert begun.acquire(timeout=60)
        talk.send_text(json.dumps({"id": "stop", "do": "cancel", "of": "long"}))
        heard = {message["id"]: message for message in (talk.receive_json(), talk.receive_json())}
        assert heard["long"]["error"]["kind"] == "cancelled"
        assert ended.acquire(timeout=60)
        talk.send_text(json.dumps({"id": "longer", "do": "analyse"}))
        assert begun.acquire(timeout=60)
        talk.send_text(json.dumps({"id": "x", "do": "sync"}))
        assert talk.receive_json()["id"] == "x"
    assert ended.acquire(timeout=60)


# -- the command -------------------------------------------------------------------------------------------------


def test_the_command_says_where_it_is_and_what_is_wrong(tmp_path: Path) -> None:
    with Server(f"sqlite:///{tmp_path / 'web.db'}") as server:
        assert server.http.get("/api/health").json()["ok"]
        port = server.address.rpartition(":")[2]
        status, out, err = said("web", "--port", port, "--no-browser", "--database", f"sqlite:///{tmp_path / 'b.db'}")
        assert (status, out) == (2, "")
        assert err == f"mineproof: 127.0.0.1:{port}: Address already in use\n"
    status, out, err = said(
        "web", "--no-browser", "--host", "203.0.113.7", "--database", f"sqlite:///{tmp_path / 'c.db'}"
    )
    assert status == 2
    assert "anyone who can reach it can play" in err


@pytest.mark.parametrize("path", ["/nothing", "/nothing/at/all", "/learn/a/b"])
def test_people_get_a_page_at_an_unknown_address_and_programs_json(web: TestClient, path: str) -> None:
    page = web.get(path, headers={"Accept": "text/html,*/*"})
    assert page.status_code == 404
    assert page.headers["content-type"].startswith("text/html")
    assert web.get(path, headers={"Accept": "*/*"}).json()["error"]["kind"] == "not-found"
    assert web.get(f"/api{path}", headers={"Accept": "text/html"}).json()["error"]["kind"] == "not-found"
