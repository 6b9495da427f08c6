"""Whose game it is: who may play it, who may look, and how it is handed over."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from mineproof.apps.web import games
from support.web import ADDRESS, client, move, new_game

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from starlette.testclient import WebSocketTestSession

REFUSED = {"kind": "not-yours", "message": "this is another player's game: you can watch it, but not play it"}


@pytest.fixture
def web(tmp_path: Path) -> Iterator[TestClient]:
    with client(tmp_path) as made:
        yield made


def somebody(web: TestClient, *, known: bool = True) -> TestClient:
    """Another client of the same server."""
    other = TestClient(web.app, base_url=ADDRESS)
    other.portal = web.portal  # one event loop serves all
    if known:
        other.get("/api/me")
    return other


@pytest.fixture(params=["another player", "no player"])
def visitor(web: TestClient, request: pytest.FixtureRequest) -> TestClient:
    """Somebody else on the same server: with a cookie, or without one."""
    return somebody(web, known=request.param == "another player")


@contextmanager
def page(web: TestClient, game: str) -> Iterator[tuple[WebSocketTestSession, dict[str, Any]]]:
    with web.websocket_connect(f"ws://127.0.0.1/api/games/{game}/socket") as socket:
        yield socket, socket.receive_json()["game"]


def ask(socket: WebSocketTestSession, do: str, **fields: Any) -> dict[str, Any]:
    socket.send_text(json.dumps({"id": "x", "do": do, **fields}))
    found: dict[str, Any] = socket.receive_json()
    return found


def told(answer: Any) -> dict[str, Any]:
    error: dict[str, Any] = answer.json()["error"]
    return error


def test_others_can_watch_a_game_but_not_play_it(web: TestClient, visitor: TestClient) -> None:
    game = new_game(web, level="beginner", first_click="opening")
    path = f"/api/games/{game['id']}"
    move(web, game["id"], "open A1")
    before = web.get(path).json()
    assert (game["yours"], before["yours"]) == (True, True)
    for what, body in (
        ("moves", {"move": "flag I9"}), ("agent", {"agent": "best"}), ("pause", None), ("resume", None),
        ("hide", None), ("show", None), ("offer", None),
    ):  # fmt: skip
        answer = visitor.post(f"{path}/{what}", json=body)
        assert (answer.status_code, told(answer)) == (403, REFUSED), what
    assert told(visitor.delete(path)) == REFUSED
    assert told(visitor.post("/api/games", json={"again": game["id"]})) == REFUSED  # it would count as known
    seen = visitor.get(path).json()
    assert seen["yours"] is False
    timeless = {"yours": 0, "elapsed_ms": 0}
    assert {**seen, **timeless} == {**before, **timeless} == {**web.get(path).json(), **timeless}
    assert (before["helped"], before["known"]) == ([], False)


def test_a_visitors_page_sees_every_move_and_can_ask_nothing(web: TestClient, visitor: TestClient) -> None:
    game = new_game(web, level="beginner", first_click="opening")["id"]
    with page(visitor, game) as (watching, seen):
        assert seen["yours"] is False
        moved = move(web, game, "flag A1")
        assert moved["seq"] == 1
        with page(web, game) as (playing, own):
            assert own["yours"] is True
            opened = ask(playing, "move", move="open E5")["ok"]
            assert watching.receive_json() == {"event": "moved", "moved": opened}
            ask(playing, "pause")
            paused = watching.receive_json()
            assert (paused["event"], paused["game"]["paused"], paused["game"]["yours"]) == ("paused", True, False)
            ask(playing, "resume")
            watching.receive_json()
        for do in (
            "hint",
            "guess",
            "why",
            "numbers",
            "prove",
            "analyse",
            "knowledge",
            "agent",
            "move",
            "pause",
            "stop",
        ):
            assert ask(watching, do, cell="A1", move="flag B1", system="sat")["error"] == REFUSED, do
        assert ask(watching, "back")["ok"]["running"] is False  # only the owner's page lets the clock run
        assert ask(watching, "sync")["ok"]["helped"] == []


def test_a_finished_game_can_be_reviewed_and_replayed_by_others(web: TestClient, visitor: TestClient) -> None:
    game = new_game(web, board="4x3x3=418")["id"]
    assert move(web, game, "open B1")["state"] == "lost"
    ways = ("review", {"game": game, "playouts": 0}), ("rate", {"game": game}), ("games", {"again": game})
    for what, body in ways:
        assert visitor.post(f"/api/{what}", json=body).status_code in (200, 201), what
    assert visitor.get(f"/api/games/{game}/replay").status_code == 200
    web.post(f"/api/games/{game}/hide")
    for what, body in ways:
        assert visitor.post(f"/api/{what}", json=body).status_code == 404, what
    for answer in (visitor.get(f"/api/games/{game}/replay"), visitor.post(f"/api/games/{game}/share")):
        assert answer.status_code == 404


def test_a_hidden_game_does_not_seem_to_exist(web: TestClient, visitor: TestClient) -> None:
    game = new_game(web, level="beginner")["id"]
    missing = visitor.get(f"/api/games/{'A' * 22}")
    with page(visitor, game) as (watching, _):
        assert web.post(f"/api/games/{game}/hide").json()["private"] is True
        assert watching.receive_json()["error"]["kind"] == "not-found"
        with pytest.raises(WebSocketDisconnect) as closed:
            watching.receive_json()
        assert closed.value.code == 4404
    for answer in (visitor.get(f"/api/games/{game}"), visitor.post(f"/api/games/{game}/moves", json={"move": "undo"})):
        assert (answer.status_code, answer.json()) == (404, missing.json())
    with visitor.websocket_connect(f"ws://127.0.0.1/api/games/{game}/socket") as socket:
        assert socket.receive_json()["error"]["kind"] == "not-found"
    assert move(web, game, "flag A1")["seq"] == 1
    assert web.post(f"/api/games/{game}/show").json()["private"] is False
    assert visitor.get(f"/api/games/{game}").status_code == 200


def test_a_game_that_was_made_without_a_cookie_is_anybodys(web: TestClient, visitor: TestClient) -> None:
    bare = somebody(web, known=False)
    game = new_game(bare, level="beginner")
    assert game["yours"] is True
    for who in (bare, visitor, web):
        move(who, game["id"], "flag A1")
        move(who, game["id"], "undo")
        with page(who, game["id"]) as (socket, _):
            assert "hint" in ask(socket, "hint")["ok"]
    assert web.delete(f"/api/games/{game['id']}").status_code == 204


def test_a_game_is_handed_over_once(web: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    heir, late, bare = somebody(web), somebody(web), somebody(web, known=False)
    game = new_game(web, level="beginner", first_click="opening")["id"]
    path = f"/api/games/{game}"
    old = web.post(f"{path}/offer").json()
    offered = web.post(f"{path}/offer")
    offer = offered.json()
    assert (offered.status_code, offer["path"]) == (201, f"/play/{game}?take={offer['code']}")

    def take(who: TestClient, code: str) -> tuple[int, Any]:
        answer = who.post(f"{path}/take", json={"code": code})
        return answer.status_code, answer.json()

    with page(web, game) as (giving, _), page(heir, game) as (taking, _):
        assert take(web, offer["code"])[0] == 200  # the owner uses nothing up
        assert take(heir, old["code"])[0] == take(heir, "x")[0] == 403  # only the last code is valid
        assert take(bare, offer["code"])[1]["error"]["kind"] == "not-yours"  # the owner is known by a cookie
        status, taken = take(heir, offer["code"])
        assert (status, taken["yours"], taken["counts"], taken["helped"]) == (200, True, False, ["handover"])
        assert giving.receive_json()["game"]["yours"] is True  # when the owner took it
        for socket, yours in ((giving, False), (taking, True)):
            message = socket.receive_json()
            while message["game"]["yours"] is not yours:
                message = socket.receive_json()
            assert message["event"] == "owner"
        assert ask(giving, "move", move="flag A1")["error"] == REFUSED
        assert ask(taking, "move", move="flag A1")["ok"]["seq"] == 1
    assert take(late, offer["code"])[1]["error"]["kind"] == "not-yours"  # a link works once
    assert told(web.post(f"{path}/moves", json={"move": "undo"})) == REFUSED
    again = heir.post(f"{path}/offer").json()
    monkeypatch.setattr(games, "OFFERED_MS", -1)
    expired = heir.post(f"{path}/offer").json()
    assert take(late, again["code"])[0] == take(late, expired["code"])[0] == 403


def test_a_won_game_that_is_handed_over_counts_for_nobody(web: TestClient) -> None:
    heir = somebody(web)
    game = new_game(web, level="2x1x1", first_click="safe")["id"]
    assert move(web, game, "open A1")["over"]["counts"] is True
    code = web.post(f"/api/games/{game}/offer").json()["code"]
    assert heir.post(f"/api/games/{game}/take", json={"code": code}).json()["over"]["counts"] is False
    assert [who.get("/api/statistics").json()["counted"] for who in (web, heir)] == [0, 0]
