"""The five systems on the web: set as in the one table of systems, shown as their agents reason, followed in games."""

from __future__ import annotations

import json
from threading import Barrier, Thread
from typing import TYPE_CHECKING, Any

import pytest

from mineproof import Cell, Game, Limit, Move, Position, analyse
from mineproof.agents.reasoner import Reasoner
from mineproof.agents.registry import find_agent
from mineproof.agents.systems import SYSTEMS, System
from mineproof.apps.web.services import Services
from mineproof.board.level import Level
from mineproof.board.rules import Rules
from mineproof.limit import Clock
from mineproof.logic.knowledge import written
from mineproof.logic.reasoning import noted
from mineproof.seat.seat import Seat
from support.web import client, move, new_game

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from starlette.testclient import TestClient

AGENTS = [agent for system in SYSTEMS.values() for agent in system.agents]
TEN = "5x4x6\n1HHHH\n1HH2H\nH2H2H\nH2HH1"
END = "5x4x5\nH101H\nH101H\n22111\nHH1HH"
PAIR = "5x4x5\n00000\n01232\n02HHH\n02HHH"
WALL = "3x2x2\nHHH\n121"
ROW = "5x2x2\nHHHHH\nH121H"
POSITIONS = [TEN, END, PAIR, WALL, ROW, "5x4x4\n001HH\n112HH\n1F2HH\n112HH"]


@pytest.fixture
def web(tmp_path: Path) -> Iterator[TestClient]:
    with client(tmp_path) as made:
        yield made


def ask(web: TestClient, system: str, position: str) -> dict[str, Any]:
    answer = web.post(f"/api/systems/{system}", json={"position": position})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def reasoner(name: str) -> Reasoner:
    agent = find_agent(name).make()
    assert isinstance(agent, Reasoner)
    return agent


def cells(found: dict[str, Any]) -> tuple[set[Cell], set[Cell]]:
    safe, mined = ({Cell(*cell) for cell in found[name]} for name in ("safe", "mined"))
    return safe, mined


# -- one table of settings ---------------------------------------------------------------------------------------


def test_the_web_has_no_settings_of_its_own(web: TestClient) -> None:
    described = web.get("/api/agents").json()["systems"]
    assert web.get("/api/levels").json()["presets"] == described
    for system, told in zip(SYSTEMS.values(), described, strict=True):
        assert told["rules"] == system.rules == find_agent(system.agent).rules
        for field in ("name", "authors", "title", "game", "agent"):
            assert told[field] == getattr(system, field)
        assert (told["levels"], told["agents"]) == (list(system.levels), list(system.agents))
        options = {option.name: option.write(option.default) for option in system.players[0].options}
        assert told["options"] == options
        assert "{" not in told["idea"] + told["limit"]
        assert told["idea"]
        assert told["limit"]


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=list(SYSTEMS))
def test_each_system_has_its_game_under_all_its_names(web: TestClient, system: System) -> None:
    rules, level = Rules.parse(system.rules), Level.parse(system.levels[0])
    for name in (system.name, *system.agents, *system.other_names):
        made = new_game(web, preset=name)
        assert (made["rules"], made["rows"], made["cols"]) == (system.rules, level.rows, level.cols)
        assert len(made["given"]) == made["position"].count("S") == rules.given(level.grid)
    answer = web.post(f"/api/games/{made['id']}/agent", json={"agent": system.agent, "guess": True})
    assert answer.json()["moves"], answer.text


# -- a position --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", POSITIONS)
@pytest.mark.parametrize("name", [*SYSTEMS, *AGENTS])
def test_an_answer_is_what_the_agent_concludes(web: TestClient, name: str, text: str) -> None:
    agent = SYSTEMS[name].agent if name in SYSTEMS else name
    with noted() as reasonings:
        deductions = reasoner(agent).conclude(Position.from_text(text))
    found = ask(web, name, text)
    assert (found["agent"], found["system"]) == (agent, next(s.name for s in SYSTEMS.values() if agent in s.agents))
    assert cells(found) == (set(deductions.safe), set(deductions.mined))
    assert [step["text"] for step in found["steps"]] == [str(one) for one in deductions]
    own = written(reasonings, Limit())
    own.pop("cut")
    assert found["knowledge"] == json.loads(json.dumps(own))
    certain = analyse(Position.from_text(text))
    missed = cells(found["misses"])
    assert (deductions.safe | missed[0], deductions.mined | missed[1]) == (certain.safe, certain.mined)


def test_each_stops_at_its_own_limit(web: TestClient) -> None:
    """Ten cells are certain, four only by the number of mines, which sat does not use with thirteen closed cells."""
    counts = {agent: sum(map(len, cells(ask(web, agent, TEN)))) for agent in AGENTS}
    assert counts == {"chaining": 1, "sat": 6, "normal-form": 4, "basic": 0, "matching": 5, "csp": 6, "asp": 6}
    assert ask(web, "sat", TEN)["knowledge"]["mine_count"] is False
    few = ask(web, "sat", END)
    assert few["knowledge"]["mine_count"] is True
    assert few["misses"] == {"safe": [], "mined": []}
    assert sum(map(len, cells(few))) == 8
    assert sum(map(len, cells(ask(web, "csp", END)))) == 0
    pair = ask(web, "harnjan", PAIR)
    assert (pair["safe"], len(pair["mined"]), pair["misses"]) == ([], 4, {"safe": [], "mined": []})


def test_what_is_not_consistent_is_said(web: TestClient) -> None:
    for agent in AGENTS:
        assert not ask(web, agent, "2x1x1\n2H")["consistent"]
    too_few = ask(web, "csp", "3x2x1\nHHH\n121")  # by the clues alone it has two mines
    assert (too_few["consistent"], too_few["steps"]) == (False, [])


def test_clauses_models_forms_and_sums_are_right(web: TestClient) -> None:
    """On a wall whose solutions everybody can see: 1 2 1 under three closed cells, and one more at each end."""
    unknown = {(0, col) for col in range(5)} | {(1, 0), (1, 4)}
    sat = ask(web, "sat", ROW)["knowledge"]
    boards = {frozenset(map(tuple, model)) for model in sat["models"]}
    assert len(boards) == len(sat["models"]) > 0
    for mines in boards:
        for clause in sat["clauses"]:
            assert any(((row, col) in mines) is mine for row, col, mine in clause["literals"])
    csp = ask(web, "csp", ROW)["knowledge"]
    assert {tuple(cell) for cell in csp["variables"]} == unknown
    for mines in boards:
        for one in csp["constraints"]:
            assert sum(tuple(cell) in mines for cell in one["cells"]) == one["mines"]
    forms = ask(web, "normal-form", ROW)["knowledge"]
    assert {one["status"] for one in forms["clues"]} == {"unsure"}
    assert all(len(mines) == 2 for one in forms["forms"] for mines in one["arrangements"] if one["clue"] == [1, 2])
    matching = ask(web, "matching", WALL)["knowledge"]
    assert sorted(map(tuple, matching["kb0"])) == [(0, 0, True), (0, 1, False), (0, 2, True)]
    area, *_ = ask(web, "chaining", WALL)["knowledge"]["areas"]
    assert "A1 ∨ B1" in [clause["text"] for clause in area["clauses"] if not clause["resolved"]]
    assert "¬B1" in [clause["text"] for clause in area["clauses"] if clause["resolved"]]


# -- a game ------------------------------------------------------------------------------------------------------


def services(web: TestClient) -> Services:
    found = web.app.state.services  # type: ignore[attr-defined]
    assert isinstance(found, Services)
    return found


def shown(web: TestClient, game: str, agent: str) -> dict[str, Any]:
    """The answer of the socket."""
    with web.websocket_connect(f"ws://127.0.0.1/api/games/{game}/socket") as socket:
        socket.receive_json()
        socket.send_json({"id": "k", "do": "knowledge", "system": agent})
        found: dict[str, Any] = socket.receive_json()["ok"]["knowledge"]
    return found


def step(web: TestClient, game: str, agent: str) -> dict[str, Any]:
    answer = web.post(f"/api/games/{game}/agent", json={"agent": agent, "guess": True})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


class Twin:
    """The same game and the same agent, here."""

    def __init__(self, web: TestClient, made: dict[str, Any], agent: str) -> None:
        self.game = Game(Level.parse(made["level"]), made["rules"], seed=SEED)
        assert self.game.position.to_text() == made["position"]
        self.web, self.id, self.name = web, made["id"], agent
        self.agent = reasoner(agent)
        self.agent.follow([Seat.at(self.game).position])

    def play(self, moves: list[str]) -> None:
        for text in moves:
            self.game.play(Move.parse(text))
            self.agent.follow([Seat.at(self.game).position])

    def check(self) -> None:
        """The page shows what the agent has written down here."""
        with noted() as reasonings:
            self.agent.certain(Seat.at(self.game).position)
        own = written(reasonings, Limit())
        found = shown(self.web, self.id, self.name)["knowledge"]
        assert {one["text"] for one in found["kb"]} == {one["text"] for one in own["kb"]}
        assert {tuple(one) for one in found["kb0"]} == set(own["kb0"])
        assert (found["rounds"], found["count"]) == (own["rounds"], own["count"])


SEED = 3


def lee(web: TestClient) -> dict[str, Any]:
    return new_game(web, preset="lee", seed=SEED)


@pytest.mark.parametrize("forgets", [False, True])
def test_one_knowledge_base_for_the_whole_game(web: TestClient, tmp_path: Path, forgets: bool) -> None:
    """Also when the kept agent is gone in the middle, and for another process; an undo begins again, here as there."""
    made = lee(web)
    twin = Twin(web, made, "matching")
    with client(tmp_path) as other:
        other.cookies = web.cookies
        for turn in range(60):
            answer = step(other if turn % 7 == 6 else web, made["id"], "matching")
            twin.play(answer["moves"])
            if answer["stop"] is not None:
                break
            if turn in (3, 10, 30):
                if forgets:
                    services(web).followers._kept.clear()
                twin.check()
            if turn == 20:
                move(web, made["id"], "undo")
                twin.play(["undo"])
                twin.check()
    twin.check()
    assert twin.game.step > 30
    assert len(services(web).followers._kept) == 1


def test_a_kept_agent_is_used_by_one_request_at_a_time(web: TestClient) -> None:
    made = lee(web)
    for _ in range(5):
        step(web, made["id"], "matching")
    use = services(web)
    standing = use.games.helped(made["id"], "knowledge")
    spec, together = find_agent("matching"), Barrier(3)
    agents: list[object] = []

    def hold() -> None:
        with use.followers.agent(spec, standing, Clock(Limit())) as agent:
            agents.append(agent)
            together.wait(timeout=30)

    threads = [Thread(target=hold) for _ in range(2)]
    for thread in threads:
        thread.start()
    together.wait(timeout=30)
    for thread in threads:
        thread.join()
    assert len(set(map(id, agents))) == 2
    [kept] = use.followers._kept.values()
    assert kept.agent in agents
    assert kept.seen == standing.seq + 1


def test_a_question_about_an_earlier_move_leaves_the_kept_agent_alone(web: TestClient) -> None:
    made = lee(web)
    use, spec = services(web), find_agent("matching")
    step(web, made["id"], "matching")
    standing = use.games.helped(made["id"], "knowledge")
    for _ in range(4):
        step(web, made["id"], "matching")
    [kept] = use.followers._kept.values()
    with use.followers.agent(spec, standing, Clock(Limit())) as agent:
        assert agent is not kept.agent
    assert list(use.followers._kept.values()) == [kept]


@pytest.mark.parametrize("agent", ["asp", "basic:waiting-list", "basic", "csp", "chaining"])
def test_other_agents_are_asked_in_a_game_too(web: TestClient, agent: str) -> None:
    made = new_game(web, preset="sharma", level="9x9x10", seed=SEED)
    for _ in range(6):
        step(web, made["id"], agent)
    found = shown(web, made["id"], agent)
    position = Position.from_text(web.get(f"/api/games/{made['id']}").json()["position"])
    certain = analyse(position)
    safe, mined = cells(found)
    assert safe <= certain.safe
    assert mined <= certain.mined
    assert found["agent"] == agent
    assert found["short"]


def test_mines_that_a_loss_shows_are_no_knowledge(web: TestClient) -> None:
    made = new_game(web, board="4x3x3=418", rules="any+no-flood")
    for text in ("open A1", "flag D3"):
        move(web, made["id"], text)
    before = shown(web, made["id"], "matching")
    assert move(web, made["id"], "open B1")["state"] == "lost"
    assert shown(web, made["id"], "matching")["knowledge"] == before["knowledge"]
    move(web, made["id"], "undo")
    known = shown(web, made["id"], "matching")["knowledge"]["kb0"]
    assert [literal for literal in known if literal[2]] == [[0, 1, True]]  # what the move opened, and no other mine
