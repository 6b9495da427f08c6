"""The routes: what the contract promises, and that answers are those of the command line."""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

import pytest

from mineproof import AGENTS, Cell, Game, Layout, Position, Replay, analyse
from mineproof.apps.starting import DIFFICULTIES
from mineproof.generate.no_guess import needs_guess
from mineproof.generate.solution import solve
from support.processes import said
from support.web import client, move, new_game

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from starlette.testclient import TestClient

WALL = "3x2x2\nHHH\n121\n"
GUESS = "3x1x1\nHHH\n"
WRONG = "2x1x1\n2H\n"
PAIRED = "5x4x4\n001HH\n112HH\n1F2HH\n112HH\n"


@pytest.fixture
def web(tmp_path: Path) -> Iterator[TestClient]:
    with client(tmp_path) as made:
        yield made


def ask(web: TestClient, what: str, **fields: Any) -> dict[str, Any]:
    answer = web.post(f"/api/{what}", json=fields)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def printed(command: str, text: str, path: Path, *args: str) -> dict[str, Any]:
    """What the command line says of the same."""
    file = path / "some.mine"
    file.write_text(text)
    found: dict[str, Any] = json.loads(said(command, file, *args, "--json")[1])
    return found


# -- questions ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [WALL, GUESS, WRONG, PAIRED])
def test_answers_are_those_of_the_command_line(web: TestClient, tmp_path: Path, text: str) -> None:
    assert ask(web, "analyse", position=text) == printed("analyse", text, tmp_path)
    hint = ask(web, "hint", position=text)
    assert "\n".join(hint["portions"]) == hint["text"]
    assert hint == printed("hint", text, tmp_path)
    cell = str(Position.from_text(text).where("H")[0])
    assert ask(web, "explain", position=text, cell=cell) == printed("explain", text, tmp_path, cell)
    assert ask(web, "prove", position=text, cell=cell) == printed("prove", text, tmp_path, cell)
    found = ask(web, "deduce", position=text, method="subset")
    assert found == printed("deduce", text, tmp_path, "--method", "subset")


def test_positions_of_any_format_are_understood(web: TestClient) -> None:
    mine = ask(web, "analyse", position=PAIRED)
    assert ask(web, "analyse", position="?analysis=afaeaaaeclTclTb2lTclT") == mine


def test_boards_are_made_rated_and_converted(web: TestClient) -> None:
    made = ask(web, "generate", level="beginner", no_guess=True, count=2, seed=1)
    assert [needs_guess(Layout.parse(text)) for text in made["boards"]] == [False, False]
    plain = ask(web, "generate", level="beginner", first_click="any", seed=1)
    assert plain["boards"] == [str(Layout.draw("beginner", "any", seed=1))]
    rated = ask(web, "rate", board="4x3x3=418")["boards"]
    assert [{"board": 1} | rated[0]] == [json.loads(said("rate", "4x3x3=418", "--json")[1])]
    written = ask(web, "convert", text="4x3x3=418", to="mbf")
    assert base64.b64decode(written["data"]).hex(" ") == "04 03 00 03 01 00 03 01 00 02"
    again = ask(web, "convert", data=written["data"], to="id", **{"from": "mbf"})
    assert again == {"from": "mbf", "format": "id", "text": "4x3x3=418\n"}
    seen = ask(web, "convert", text="mineproof game 1\nbeginner/safe#7\nopen A1\nundo\n")
    assert (seen["kind"], seen["moves"], seen["rows"]) == ("game", ["open A1", "undo"], 9)
    assert ask(web, "convert", text=PAIRED)["kind"] == "position"


def test_what_there_is_to_choose_from(web: TestClient) -> None:
    levels = web.get("/api/levels").json()
    assert {"name": "expert", "rows": 16, "cols": 30, "mines": 99} in levels["levels"]
    assert [agent["name"] for agent in web.get("/api/agents").json()["agents"]][: len(AGENTS)] == list(AGENTS)
    assert {"mine", "rawvf", "avf"} <= {one["name"] for one in web.get("/api/formats").json()["formats"]}
    assert web.get("/api/health").json()["ok"] is True


def test_a_review_is_that_of_the_command_line(web: TestClient, tmp_path: Path) -> None:
    """Of a game here when it is over, and of any that was recorded."""
    game = new_game(web, board="4x2x2=50")
    move(web, game["id"], "open A1")
    assert web.post("/api/review", json={"game": game["id"]}).json()["error"]["kind"] == "not-over"
    for text in ("open B2", "open D2", "open D1"):
        last = move(web, game["id"], text)
    assert last["state"] == "lost"
    file = tmp_path / "lost.game"
    file.write_text(web.get(f"/api/games/{game['id']}/replay").text)
    printed = json.loads(said("review", file, "--playouts", "0", "--json")[1])
    assert printed["moves"][2]["mark"] == "needless guess"
    assert ask(web, "review", game=game["id"], playouts=0) == printed
    assert ask(web, "review", text=file.read_text(), playouts=0) == printed
    for fields in ({}, {"game": game["id"], "text": "x"}, {"text": "4x3x3=418"}):
        assert web.post("/api/review", json=fields).json()["error"]["kind"] == "invalid-input"


# -- games -------------------------------------------------------------------------------------------------------


def test_a_game_follows_the_rules_of_the_game(web: TestClient) -> None:
    """Every answer is what the game itself says: changed cells, state, counter."""
    made = new_game(web, level="beginner", first_click="opening", seed=1)
    twin = Game("beginner", "opening", seed=1)
    shown = dict.fromkeys(((row, col) for row in range(9) for col in range(9)), "H")
    for text in ("flag A1", "open E5", "undo", "open E5", "unflag A1", "flag H3", "undo"):
        twin.play(text)
        answer = move(web, made["id"], text)
        for row, col, symbol in answer["changed"]:
            assert shown[row, col] != symbol
            shown[row, col] = symbol
        assert shown == {(row, col): twin[row, col] for row, col in shown}
        assert (answer["state"], answer["mines_left"], answer["seq"]) == ("playing", twin.mines_left, twin.step)
    found = web.get(f"/api/games/{made['id']}").json()
    assert found["position"] == twin.position.to_text()
    assert found["moves"] == [str(one) for one in twin.moves]
    assert (found["undone"], found["known"], found["counts"]) == (2, True, False)


def test_a_won_game_tells_everything(web: TestClient) -> None:
    made = new_game(web, level="beginner", first_click="opening", no_guess=True)
    answer = move(web, made["id"], "open E5")
    while answer["state"] == "playing":
        position = Position.from_text(web.get(f"/api/games/{made['id']}").json()["position"])
        answer = move(web, made["id"], f"open {min(analyse(position).safe)}")
    assert answer["state"] == "won"
    over = answer["over"]
    layout = Layout.parse(over["layout"])
    assert not needs_guess(layout, "E5")
    assert (over["won"], over["result"], over["counts"]) == (True, "won", True)
    assert over["efficiency"] == over["3bv"] / over["clicks"]
    assert over["moves_by"] == {"you": answer["seq"]}
    replay = Replay.from_text(web.get(f"/api/games/{made['id']}/replay").text)
    assert str(replay.game().state) == "won"
    [level] = web.get("/api/statistics").json()["levels"]
    assert (level["games"], level["wins"], level["streak"], level["no_guess"]) == (1, 1, 1, True)


def lose(web: TestClient, game: dict[str, Any], board: str) -> dict[str, Any]:
    return move(web, game["id"], f"open {Layout.parse(board).mine_cells[0]}")


def test_the_first_end_of_a_game_counts(web: TestClient) -> None:
    """A loss can be undone, to learn; the mines were shown, and it stays a loss."""
    made = new_game(web, board="4x3x3=418")
    lost = lose(web, made, "4x3x3=418")
    assert lost["state"] == "lost"
    assert {symbol for _, _, symbol in lost["changed"]} >= {"?"}
    back = move(web, made["id"], "undo")
    assert (back["state"], back["seen"], back["deaths_undone"]) == ("playing", True, 1)
    for cell in Layout.parse("4x3x3=418").grid:
        if not Layout.parse("4x3x3=418").has_mine(cell):
            back = move(web, made["id"], f"open {cell}")
    assert back["state"] == "won"
    assert (back["over"]["result"], back["over"]["counts"]) == ("lost", False)


@pytest.mark.parametrize(
    ("fields", "rules"),
    [
        ({}, "safe"),
        ({"first_click": "given:3", "rules": "continue"}, "given:3+continue"),
        ({"rules": "any+no-flood"}, "any+no-flood"),
        ({"rules": {"flood": False, "questions": True}}, "safe+no-flood+questions"),
        ({"preset": "matching", "first_click": "any"}, "any+no-flood"),
        ({"first_click": "given:sqrt+no-flood"}, "given:sqrt+no-flood"),
        ({"preset": "lee", "first_click": "any+continue"}, "any+continue+no-flood"),
    ],
)
def test_rules_can_be_said_in_several_ways(web: TestClient, fields: dict[str, Any], rules: str) -> None:
    assert new_game(web, level="beginner", **fields)["rules"] == rules


def test_a_named_seed_is_the_same_board_everywhere(web: TestClient) -> None:
    made = new_game(web, level="expert", seed=42)
    move(web, made["id"], "open A1")
    twin = Game.from_id("expert/safe#42")
    twin.open("A1")
    assert web.get(f"/api/games/{made['id']}").json()["position"] == twin.position.to_text()


def play_to_the_end(web: TestClient, game: str, agent: str = "best") -> dict[str, Any]:
    answer: dict[str, Any] = {"stop": None}
    while answer["stop"] is None:
        fields = {"agent": agent, "mode": "certain", "guess": True}
        answer = web.post(f"/api/games/{game}/agent", json=fields).json()
    return answer


@pytest.mark.parametrize(
    "fields", [{"level": "beginner"}, {"level": "beginner", "no_guess": True}, {"preset": "matching"}]
)
def test_a_board_can_be_played_again_and_shared(web: TestClient, tmp_path: Path, fields: dict[str, Any]) -> None:
    """The same mines; what was opened first is named; and the copy spoils the original for the statistics."""
    first = new_game(web, **fields)
    row, col = first["given"][0] if first["given"] else (2, 2)
    move(web, first["id"], f"open {Cell(row, col)}")
    again = new_game(web, again=first["id"])
    code = web.post(f"/api/games/{first['id']}/share").json()
    shared = new_game(web, share=code["code"])
    assert again["known"]
    assert web.get(f"/api/games/{first['id']}").json()["known"]
    ends = [play_to_the_end(web, game["id"])["over"]["layout"] for game in (first, again, shared)]
    assert len({text.partition("@")[0] for text in ends}) == 1
    if fields.get("preset") is None:
        assert again["given"] == shared["given"] == [[2, 2]]
        with client(tmp_path) as other:  # a friend, who has not seen it
            assert not new_game(other, share=code["code"])["known"]


def test_everybody_has_the_same_board_of_a_day(web: TestClient, tmp_path: Path) -> None:
    mine = new_game(web, daily="today", level="beginner")
    with client(tmp_path) as other:
        theirs = new_game(other, daily=mine["daily"], level="beginner")
        ends = [play_to_the_end(one, game["id"]) for one, game in ((web, mine), (other, theirs))]
    assert ends[0]["state"] == "won"  # it needs no guess
    assert ends[0]["over"]["layout"] == ends[1]["over"]["layout"]
    [today] = [one for one in web.get("/api/daily").json()["levels"] if one["level"] == "beginner"]
    assert today == {"level": "beginner", "game": mine["id"], "state": "won"}
    assert new_game(web, daily="today", level="beginner")["known"]
    assert web.post("/api/games", json={"daily": "2999-01-01"}).status_code == 404


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_boards_without_guesses_have_a_difficulty(web: TestClient, difficulty: str) -> None:
    made = new_game(web, level="beginner", first_click="opening", no_guess=True, difficulty=difficulty)
    move(web, made["id"], "open E5")
    layout = Layout.parse(play_to_the_end(web, made["id"], "careful")["over"]["layout"])
    least, most, _ = DIFFICULTIES[difficulty]
    assert least <= solve(layout, "E5").level <= most
    assert made["difficulty"] == difficulty
    assert difficulty in [one["name"] for one in web.get("/api/levels").json()["difficulties"]]


def test_a_command_that_comes_twice_is_played_once(web: TestClient) -> None:
    made = new_game(web, level="beginner", seed=1)
    first = move(web, made["id"], "open A1", command="x")
    second = move(web, made["id"], "open A1", command="x")
    assert (first["seq"], second["seq"], second["repeated"], second["since"]) == (1, 1, True, 0)
    assert sorted(second["changed"]) == sorted(first["changed"])
    assert len(web.get(f"/api/games/{made['id']}").json()["moves"]) == 1


def test_a_pause_stops_the_clock_and_the_game(web: TestClient) -> None:
    made = new_game(web, level="beginner", seed=1)
    move(web, made["id"], "open A1")
    paused = web.post(f"/api/games/{made['id']}/pause").json()
    assert (paused["paused"], paused["running"]) == (True, False)
    refused = web.post(f"/api/games/{made['id']}/moves", json={"move": "flag I9"})
    assert (refused.status_code, refused.json()["error"]["kind"]) == (409, "paused")
    assert web.get(f"/api/games/{made['id']}").json()["elapsed_ms"] == paused["elapsed_ms"]
    assert web.post(f"/api/games/{made['id']}/resume").json()["running"] is True
    move(web, made["id"], "flag I9")


# -- agents ------------------------------------------------------------------------------------------------------


def test_an_agent_hands_back_when_it_would_have_to_guess(web: TestClient) -> None:
    """System B: the solver stops, the person probes a cell, the solver goes on."""
    made = new_game(web, board="4x1x1=2")  # the mine is at C1; nothing is certain at first
    for agent, stop in (("sat", "stuck"), ("best", "guess")):
        answer = web.post(f"/api/games/{made['id']}/agent", json={"agent": agent}).json()
        assert (answer["stop"], answer["moves"], answer["changed"], answer["seq"]) == (stop, [], [], 0)
    assert answer["risk"] == 0.25
    assert answer["alternatives"][0]["risk"] == 0.25
    move(web, made["id"], "open B1")
    answer = web.post(f"/api/games/{made['id']}/agent", json={"agent": "sat", "mode": "certain"}).json()
    assert answer["certain"] is True
    assert web.get(f"/api/games/{made['id']}").json()["helped"] == ["agent"]


def test_an_agent_says_why(web: TestClient) -> None:
    made = new_game(web, board="3x3x2=a00")
    for cell in ("A2", "B2", "C2"):
        move(web, made["id"], f"open {cell}")
    answer = web.post(f"/api/games/{made['id']}/agent", json={"agent": "sat", "mode": "certain"}).json()
    reasons = {tuple(why["cells"][0]): why for why in answer["why"]}
    assert set(answer["moves"]) == {str_move(why) for why in answer["why"]}
    assert all(why["text"] and why["clues"] for why in reasons.values())
    assert answer["stop"] in (None, "over")


def str_move(why: dict[str, Any]) -> str:
    row, col = why["cells"][0]
    return f"{'flag' if why['verdict'] == 'mine' else 'open'} {'ABC'[col]}{row + 1}"


@pytest.mark.parametrize("agent", [*AGENTS, "subset+best"])
def test_every_agent_can_take_over(web: TestClient, agent: str) -> None:
    made = new_game(web, level="beginner", first_click="opening", seed=3)
    move(web, made["id"], "open E5")
    before = web.get(f"/api/games/{made['id']}").json()
    answer = web.post(f"/api/games/{made['id']}/agent", json={"agent": agent, "mode": "certain"}).json()
    certain = analyse(Position.from_text(before["position"]))
    opened = {text.split()[1] for text in answer["moves"] if text.startswith("open")}
    assert opened <= set(map(str, certain.safe))
    assert answer["moves"]


# -- my data -----------------------------------------------------------------------------------------------------


def test_statistics_count_what_a_player_did_alone(web: TestClient) -> None:
    board = "4x3x3/any=418"
    lose(web, new_game(web, board=board), "4x3x3=418")  # known: does not count
    helped = new_game(web, level="beginner")
    move(web, helped["id"], "flag A1")
    web.post(f"/api/games/{helped['id']}/agent", json={"agent": "best"})
    play_to_the_end(web, helped["id"])
    begun = new_game(web, level="expert")
    move(web, begun["id"], "open A1")
    new_game(web, level="expert")  # nobody played it
    watched = new_game(web, level="beginner", seed=3)
    web.post(f"/api/games/{watched['id']}/agent", json={"agent": "best"})
    listed = [game["id"] for game in web.get("/api/games").json()["games"]]
    assert listed[:2] == [begun["id"], helped["id"]]
    assert (len(listed), web.get("/api/me").json()["games"]) == (3, 3)
    found = web.get("/api/statistics").json()
    assert (found["games"], found["counted"], found["levels"]) == (3, 0, [])
    assert found["not_counted"] == {"helped": 1, "known": 1, "unfinished": 1}


def test_statistics_tell_skill_from_luck(web: TestClient) -> None:
    """A game that was lost by opening random cells, as its review has it."""
    made = new_game(web, level="beginner", first_click="opening")
    answer = move(web, made["id"], "open E5")
    while answer["state"] == "playing":
        position = Position.from_text(web.get(f"/api/games/{made['id']}").json()["position"])
        unsure = [cell for cell in position.where("H") if cell not in analyse(position).safe]
        answer = move(web, made["id"], f"open {(unsure or position.where('H'))[0]}")
    summary = ask(web, "review", game=made["id"], playouts=0)["summary"]
    for _ in range(2):  # the second time it is known already
        found = web.get("/api/statistics").json()["guesses"]
        assert found["games"] == 1
        assert found["needless"] == summary["marks"].get("needless guess", 0)
        assert found["mistakes"] == summary["marks"].get("mistake", 0)
        assert (found["mines"], found["expected_mines"]) == (summary["mines"], summary["expected_mines"])


def test_a_player_can_take_everything_and_leave(web: TestClient, tmp_path: Path) -> None:
    over = new_game(web, board="4x3x3=418")
    lose(web, over, "4x3x3=418")
    running = new_game(web, level="beginner")
    move(web, running["id"], "open A1")
    games = {game["id"]: game for game in web.get("/api/me/export").json()["games"]}
    assert games[over["id"]]["board"] == "4x3x3/any=418"
    assert games[running["id"]]["board"] is None
    assert [one["move"] for one in games[running["id"]]["moves"]] == ["open A1"]
    assert [game["id"] for game in web.get("/api/games").json()["games"]] == [running["id"], over["id"]]
    with client(tmp_path) as other:
        assert other.get("/api/games").json() == {"games": []}
        other.delete("/api/me")
    assert web.get(f"/api/games/{over['id']}").status_code == 200
    assert web.delete("/api/me").status_code == 204
    assert web.get(f"/api/games/{over['id']}").status_code == 404
    assert "mineproof" not in web.cookies


def test_games_can_be_deleted_one_by_one(web: TestClient) -> None:
    made = new_game(web, level="beginner")
    assert web.delete(f"/api/games/{made['id']}").status_code == 204
    assert web.delete(f"/api/games/{made['id']}").status_code == 404


# -- refusals ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "fields", "status", "kind", "sentence"),
    [
        (
            "analyse",
            {"position": "2x2x1\nHH\nHx"},
            422,
            "invalid-text",
            "line 3, column 2: not a cell symbol: 'x'",
        ),
        ("analyse", {}, 422, "invalid-input", "'position': field required"),
        ("explain", {"position": WALL, "cell": "D9"}, 422, "invalid-board", "D9 is outside"),
        (
            "explain",
            {"position": WALL, "cell": "A2"},
            422,
            "invalid-argument",
            "A2 is open: there is nothing",
        ),
        ("games", {"level": "exprt"}, 422, "unknown-name", "did you mean 'expert'?"),
        ("games", {"level": "1000x1000x9"}, 413, "too-large", "up to 40,000 cells"),
        ("games", {"level": "3x3x9", "no_guess": True}, 422, "invalid-board", "no safe cell"),
        ("games", {"seed": 1, "daily": "today"}, 422, "invalid-input", "seed and daily each name a board"),
        ("games", {"seed": -1}, 422, "invalid-input", "greater than or equal to 0"),
        ("games", {"share": "nothing"}, 404, "not-found", "no shared board"),
        ("games", {"board": WALL}, 422, "invalid-input", "this is a position"),
        ("games/none/moves", {"move": "open A1"}, 404, "not-found", "no such game"),
        ("deduce", {"position": WALL, "method": "magic"}, 422, "unknown-name", "there is no method 'magic'"),
        ("convert", {"data": "!"}, 422, "invalid-input", "base64"),
        ("nothing", {}, 404, "not-found", "nothing at this address"),
    ],
)
def test_refusals_are_sentences(
    web: TestClient, path: str, fields: dict[str, Any], status: int, kind: str, sentence: str
) -> None:
    answer = web.post(f"/api/{path}", json=fields)
    assert answer.status_code == status, answer.text
    error = answer.json()["error"]
    assert error["kind"] == kind
    assert sentence in error["message"]


def test_an_illegal_move_changes_nothing(web: TestClient) -> None:
    made = new_game(web, level="beginner", seed=1)
    move(web, made["id"], "open A1")
    for text, kind in (("open A1", "illegal-move"), ("chord I9", "illegal-move"), ("dance", "unknown-name")):
        answer = web.post(f"/api/games/{made['id']}/moves", json={"move": text})
        assert (answer.status_code // 100, answer.json()["error"]["kind"]) == (4, kind)
    assert web.get(f"/api/games/{made['id']}").json()["seq"] == 1
    assert web.get(f"/api/games/{made['id']}/replay").status_code == 409
