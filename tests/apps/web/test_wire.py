"""The server never says where a mine lies before it is earned: every frame of whole games is looked at.

Two kinds of tests. One reads all that is said and looks for anything that gives the board away. The other is stronger:
it puts another board under a running game, one that looks the same so far; whatever is asked then, the server must say
the same, word for word. What does not depend on the mines cannot give them away.
"""

from __future__ import annotations

import json
import random
import re
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select, update

from mineproof import Game, GameId, Layout, Position, Rules, analyse
from mineproof.agents.systems import SYSTEMS
from mineproof.apps.web.schema import BoardRow, GameRow
from mineproof.apps.web.services import Services
from support.web import client, move, new_game

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from starlette.testclient import TestClient, WebSocketTestSession

TOLD_AT_THE_END = ("layout", "game_id", "3bv", "zini", "openings", "islands", "score", "efficiency", "board")
GAMES: list[dict[str, Any]] = [
    {"level": "beginner"},
    {"level": "beginner", "first_click": "opening", "no_guess": True},
    {"level": "beginner", "first_click": "given", "no_guess": True},
    {"level": "beginner", "first_click": "any"},
    {"preset": "mcintyre"},
    {"preset": "harnjan", "level": "beginner"},
    {"preset": "smile"},
    {"preset": "lee"},
    {"preset": "sharma", "level": "9x9x15%"},
    {"daily": "today", "level": "beginner"},
]


@pytest.fixture
def web(tmp_path: Path) -> Iterator[TestClient]:
    with client(tmp_path) as made:
        yield made


def services(web: TestClient) -> Services:
    found = web.app.state.services  # type: ignore[attr-defined]
    assert isinstance(found, Services)
    return found


class Page:
    """A page that keeps every frame."""

    def __init__(self, web: TestClient, socket: WebSocketTestSession, game: str) -> None:
        self.web, self.socket, self.game = web, socket, game
        self.heard: list[str] = [socket.receive_text()]
        self._number = 0

    def ask(self, do: str, **fields: Any) -> dict[str, Any]:
        """A command, and its answer."""
        self._number += 1
        self.socket.send_text(json.dumps({"id": f"c{self._number}", "do": do, **fields}))
        while True:
            self.heard.append(self.socket.receive_text())
            message: dict[str, Any] = json.loads(self.heard[-1])
            if "event" not in message:
                return message

    def look(self, path: str) -> None:
        """A request, and its answer."""
        self.heard.append(self.web.get(path).text)

    def ask_everything(self, cell: str) -> None:
        """All that can be asked about a game that runs, and changes nothing."""
        for do in ("analyse", "hint", "sync", "pause", "resume"):
            self.ask(do)
        self.ask("why", cell=cell)
        self.ask("prove", cell=cell)
        for system in SYSTEMS.values():
            for agent in system.agents:
                self.ask("knowledge", system=agent)
        for path in (f"games/{self.game}", "games", "statistics", "me/export", "daily", "levels"):
            self.look(f"/api/{path}")


def running(message: str) -> bool:
    """Whether a frame is of a game that runs."""
    return '"over":{' not in message


@pytest.mark.parametrize("fields", GAMES, ids=str)
def test_no_frame_of_a_whole_game_gives_the_board_away(web: TestClient, fields: dict[str, Any]) -> None:
    made = new_game(web, **fields)
    dice = random.Random(7)
    store = services(web).store
    with web.websocket_connect(f"ws://127.0.0.1/api/games/{made['id']}/socket") as socket:
        page = Page(web, socket, made["id"])
        page.heard.append(json.dumps(made))
        page.heard.append(web.post(f"/api/games/{made['id']}/share").text)
        state = "playing"
        while state == "playing":
            game = page.ask("sync")["ok"]
            position = Position.from_text(game["position"])
            cell = str(dice.choice(position.where("HS")))
            if len(page.heard) % 5 == 0 and any(symbol in "012345678" for symbol in game["position"][6:]):
                page.ask_everything(cell)
            safe = sorted(analyse(position).safe)
            choice = dice.random()
            if choice < 0.2:
                page.ask("move", move=f"flag {cell}")
                page.ask("move", move="undo")
            if choice < 0.1:
                answer = page.ask("agent", agent="best", mode="certain")
            else:
                answer = page.ask("move", move=f"open {safe[0] if safe else cell}")
            state = answer.get("ok", {"state": state})["state"]
    with store.read() as session:
        row = session.scalars(select(GameRow).where(GameRow.id == made["id"])).one()
    truth = GameId.parse(row.board)
    seeds = {str(truth.seed)} - {"0"}
    layout = Layout.parse(json.loads(page.heard[-1])["ok"]["over"]["layout"])
    secrets = {layout.bitmap, row.board, str(row.chance), *seeds}
    before = [heard for heard in page.heard if running(heard)]
    assert len(before) >= 4
    for heard in before:
        assert not any(secret in heard for secret in secrets)
        assert not re.search("|".join(f'"{name}":(?!null)' for name in TOLD_AT_THE_END), heard), heard
        assert '"?"' not in heard
        assert "?" not in "".join(re.findall(r'"position":"([^"]*)"', heard))


@pytest.mark.parametrize("agent", ["best", "sat", "chaining", "matching", "normal-form", "basic", "lowest-risk"])
def test_the_same_position_gets_the_same_answers_whatever_lies_below(web: TestClient, agent: str) -> None:
    """Two games on different boards that look the same so far: nobody can tell which is which."""
    first = Game("beginner", "opening", seed=11)
    first.open("E5")
    samples = analyse(first.position).samples(40, seed=1)
    boards = {Layout(first.grid, sample.astype("u1").tobytes()) for sample in samples}
    one, other, *_ = sorted(boards, key=str)
    heard = [transcript(web, board, agent, str(first.position.where("H")[0])) for board in (one, other)]
    assert one != other
    assert len(heard[0]) > 15
    for here, there in zip(*heard, strict=True):
        assert here == there


def transcript(web: TestClient, board: Layout, agent: str, cell: str) -> list[str]:
    """What is said of a game on this board, without clocks and names, until the first number that was earned."""
    game = new_game(web, level="beginner", first_click="opening")["id"]
    with services(web).store.write() as session:
        values = {"board": str(GameId(board, Rules("any"))), "chance": 1}
        session.execute(update(GameRow).where(GameRow.id == game).values(values))
    for text in ("flag A1", "open E5", "undo", "open E5", "unflag A1"):
        move(web, game, text)
    with web.websocket_connect(f"ws://127.0.0.1/api/games/{game}/socket") as socket:
        page = Page(web, socket, game)
        page.ask_everything(cell)
        answer = page.ask("agent", agent=agent)["ok"]  # one certain move, or the guess that it would make
    del page.heard[-2:]
    page.heard.append(json.dumps({name: answer[name] for name in ("moves", "why", "risk", "alternatives", "stop")}))
    clocks = r'"(elapsed_ms|at_ms|created)":("[^"]*"|[0-9]+)'
    return [re.sub(clocks, "", heard).replace(game, "GAME") for heard in page.heard if '"games":' not in heard]


def test_ids_and_codes_cannot_be_guessed(web: TestClient) -> None:
    games = [new_game(web, level="beginner") for _ in range(20)]
    codes = [web.post(f"/api/games/{game['id']}/share").json()["code"] for game in games]
    for names, least in (([game["id"] for game in games], 22), (codes, 16)):
        assert len(set(names)) == len(names)
        assert all(len(name) >= least for name in names)
    with services(web).store.read() as session:
        seeds = [GameId.parse(row.board).seed for row in session.scalars(select(GameRow))]
        chances = [row.chance for row in session.scalars(select(GameRow))]
        assert session.scalars(select(BoardRow)).first() is not None
    assert len({*seeds, *chances}) == 40
    assert max(seeds) > 2**55


def test_a_copy_that_is_lost_spoils_the_original(web: TestClient) -> None:
    """Whoever loses a second game on the same board has seen the mines of the first: it does not count any more."""
    first = new_game(web, level="beginner")
    move(web, first["id"], "open E5")
    code = web.post(f"/api/games/{first['id']}/share").json()["code"]
    assert not web.get(f"/api/games/{first['id']}").json()["known"]
    assert new_game(web, share=code)["known"]
    assert web.get(f"/api/games/{first['id']}").json()["known"]
