"""Every app says the same: each first-click rule, each question, at the start, in play and at the end."""

from __future__ import annotations

import json
import pickle
from contextlib import ExitStack
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from mineproof import AGENTS, Game, IllegalMove, Layout, Limit, MineproofError, analyse, hint
from mineproof.apps.cli.play import LineGame
from mineproof.apps.tui.screens.play import PlayScreen
from mineproof.seat.answers import explained, guessed, hinted, numbered, overview, proved
from mineproof.seat.seat import UNLAID, Seat
from mineproof.seat.turn import first_turn
from support.processes import said
from support.tui import playing
from support.web import client, new_game
from support.widget import wired

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from support.tui import Player

LIMIT = Limit(seconds=60)
BOARD = "9x9x10{}=0103081000200a0004008@E5"
"""Ten mines; E5 is an opening."""
RULES = {
    "any": "beginner/any#1",
    "safe": "beginner/safe#1",
    "opening": "beginner/opening#1",
    "given": BOARD.format("/given"),
    "a named start": BOARD.format(""),
    "a named start under a rule": BOARD.format("/opening"),
}
PLAYED: dict[str, tuple[str, ...]] = {
    "at the start": (),
    "flagged": ("flag E5",),
    "in play": ("open E5", "flag A1"),
    "after an undone loss": ("open E5", "open a mine", "undo"),
}
CELL = "I9"
QUESTIONS: dict[str, Callable[[Seat], dict[str, Any]]] = {
    "hint": partial(hinted, limit=LIMIT),
    "why": lambda seat: explained(seat, CELL, LIMIT),
    "guess": partial(guessed, limit=LIMIT),
    "odds": lambda seat: overview(seat, LIMIT).fields(),
    "prove": lambda seat: proved(seat, CELL, LIMIT),
    "numbers": lambda seat: numbered(seat, CELL, LIMIT),
}


def game_of(rule: str, when: str) -> Game:
    game = Game.from_id(RULES[rule])
    for move in PLAYED[when]:
        if move == "open a mine":
            assert game.layout is not None
            move = f"open {[cell for cell in game.position.where('H') if game.layout.has_mine(cell)][-1]}"
        if move != "flag E5" or game["E5"] == "H":  # a cell that the game names cannot be flagged
            game.play(move)
    return game


def expected(game: Game) -> dict[str, str]:
    """What the seat says to each question."""
    return {question: ask(Seat.at(game))["text"] for question, ask in QUESTIONS.items()}


CASES = [(rule, when) for rule in RULES for when in PLAYED]


@pytest.fixture(params=CASES, ids=" ".join)
def case(request: pytest.FixtureRequest) -> tuple[Game, dict[str, str]]:
    game = game_of(*request.param)
    return game, expected(game)


def one_line(text: str) -> str:
    return " ".join(text.split())


# -- the table ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", RULES)
def test_what_an_undone_move_has_shown_is_known(rule: str) -> None:
    """No answer recommends the mine that was opened, and safe cells that were opened are safe; clues come first."""
    game = game_of(rule, "in play")
    assert game.layout is not None
    for mine in (cell for cell in game.position.where("H") if game.layout.has_mine(cell)):
        by_clues = Seat(game.position).why(mine).mine is True
        game.open(mine)
        game.undo()
        seat = Seat.at(game)
        answers = {question: ask(seat) for question, ask in QUESTIONS.items()}
        assert answers["hint"]["cell"] != list(mine)
        assert seat.position[mine] == "*"
        assert answers["odds"]["odds"][mine.row][mine.col] == 1.0
        assert list(mine) in answers["odds"]["mined"]
        assert all(move.cell != mine for move in first_turn(seat, AGENTS["best"], 1, LIMIT).left)
        for answer in (explained(seat, mine, LIMIT), proved(seat, mine, LIMIT)):
            assert answer["verdict"] == "mine"
            assert (answer["text"] == f"{mine} is a mine: you opened it before you took the move back.") is not by_clues
        assert numbered(seat, mine, LIMIT)["text"] == f"{mine} is a mine."
    safe = next(cell for cell in game.position.where("H") if not game.layout.has_mine(cell))
    game.open(safe)
    game.undo()
    assert explained(Seat.at(game), safe, LIMIT)["verdict"] == "safe"
    assert Seat.at(game).without is not None
    game.open(safe)
    assert Seat.at(game).position[safe].isdigit()


def test_the_hint_after_an_undone_guess_names_what_was_seen() -> None:
    game = Game.from_id("3x1x1/any=4")
    game.open("A1")
    game.undo()
    seat = Seat.at(game)
    text = "A1 is safe: you opened it before you took the move back."
    assert (hinted(seat, LIMIT)["text"], explained(seat, "A1", LIMIT)["text"]) == (text, text)
    turn = first_turn(seat, AGENTS["best"], 1, LIMIT)
    assert [reason.text for reason in turn.reasons(turn.left, LIMIT)] == [text]
    assert [seat.without, pickle.loads(pickle.dumps(seat))] == [Seat(game.position), seat]


def test_the_answers_agree_with_one_another() -> None:
    """What one answer calls safe, no other calls a risk."""
    for rule in RULES:
        for when in PLAYED:
            seat = Seat.at(game_of(rule, when))
            answers = {question: ask(seat) for question, ask in QUESTIONS.items()}
            certain = answers["hint"]["certain"]
            assert answers["guess"]["may_guess"] is not certain, (rule, when)
            assert certain == (answers["odds"]["best"]["risk"] == 0.0), (rule, when)
            if not certain:
                assert answers["odds"]["best"]["cell"] == answers["hint"]["cell"] == answers["guess"]["best"]["cell"]
                assert answers["odds"]["least_risk"] == answers["hint"]["least_risk"]
            assert (answers["why"]["text"] == UNLAID) == (answers["prove"]["text"] == UNLAID) == seat.unlaid
            if answers["prove"]["verdict"] != "unknown" or answers["why"]["verdict"] != "unknown":
                assert answers["prove"]["verdict"] == answers["why"]["verdict"]


def test_the_line_game(case: tuple[Game, dict[str, str]]) -> None:
    game, texts = case
    heard: list[str] = []
    lines = LineGame(game, lambda text: heard.append(str(text)))

    def ask(line: str) -> str:
        heard.clear()
        lines.do(line)
        return "\n".join(heard)

    portions = []
    while (portion := ask("hint")) != "That was the whole hint.":
        portions.append(portion)
    assert "\n".join(portions) == texts["hint"]
    assert ask(f"why {CELL}") == texts["why"]
    assert ask("best") == texts["guess"]
    assert ask("odds").endswith(texts["odds"])


def test_the_commands(tmp_path: Path) -> None:
    """Each command starts a process, so not every case is asked."""
    for rule, when in (("opening", "at the start"), ("a named start", "at the start"), ("any", "in play")):
        game = game_of(rule, when)
        file, texts = tmp_path / "some.game", expected(game)
        game.save(file)
        for question, command in (("hint", "hint"), ("why", "explain"), ("odds", "analyse"), ("prove", "prove")):
            cell = [CELL] if question in ("why", "prove") else []
            answer = json.loads(said(command, file, *cell, "--json")[1])
            assert answer["text"] == texts[question], (rule, question)
            words = said(command, file, *cell)[1]
            assert one_line(texts[question]) in one_line(words) or len(answer.get("steps", [])) > 1, (rule, question)


@pytest.fixture
def ask_socket(tmp_path: Path) -> Iterator[Callable[[Game], Callable[[str], dict[str, Any]]]]:
    with client(tmp_path) as web, ExitStack() as open_sockets:

        def on(game: Game) -> Callable[[str], dict[str, Any]]:
            made = new_game(web, board=game.id)
            connection = web.websocket_connect(f"ws://127.0.0.1/api/games/{made['id']}/socket")
            socket = open_sockets.enter_context(connection)
            socket.receive_text()
            numbers = count()  # a move with the id of an earlier one is not played

            def ask(do: str, **fields: Any) -> dict[str, Any]:
                socket.send_text(json.dumps({"id": f"c{next(numbers)}", "do": do, **fields}))
                while "event" in (message := json.loads(socket.receive_text())):
                    pass
                found: dict[str, Any] = message
                return found

            for move in game.moves:
                assert "ok" in ask("move", move=str(move))
            return lambda question: ask(question, **({"cell": CELL} if question in ("why", "prove", "numbers") else {}))

        yield on


@pytest.mark.parametrize(("rule", "when"), [one for one in CASES if not one[0].startswith("a named start")])
def test_the_socket(rule: str, when: str, ask_socket: Callable[[Game], Callable[[str], dict[str, Any]]]) -> None:
    """On the web, a named start is always a given cell."""
    game = game_of(rule, when)
    ask, texts = ask_socket(game), expected(game)
    names = {"hint": "hint", "why": "why", "guess": "guess", "analyse": "analysis", "prove": "proof"}
    for question, name in {**names, "numbers": "numbers"}.items():
        answer = ask(question)["ok"][name]
        assert answer["text"] == texts["odds" if question == "analyse" else question], question


def test_the_notebook(case: tuple[Game, dict[str, str]]) -> None:
    game, texts = case
    with wired(game) as (widget, _):
        assert widget._answer({"do": "odds"})["text"] == texts["odds"]
        assert widget._answer({"do": "why", "cell": CELL})["text"] == texts["why"]
        assert widget._answer({"do": "hint"})["text"] == texts["hint"]
        assert widget._answer({"do": "guess"})["text"] == texts["guess"]


def test_the_terminal_app(case: tuple[Game, dict[str, str]]) -> None:
    game, texts = case

    async def scene(player: Player) -> None:
        for move in game.moves:
            player.on(PlayScreen).move(move)
            await player.settle()
        portions = Seat.at(game).hint().portions
        for portion in portions[:4]:
            await player.press("w")
            assert portion in player.told
        await player.at(CELL, "y")
        assert all(sentence in one_line(player.told) for sentence in texts["why"].split("\n"))
        await player.press("b")
        guess = Seat.at(game).best_guess()
        if guess is not None:
            assert str(guess) in one_line(player.told)
            assert player.on(PlayScreen).overlay.best == game.grid.index(guess.cell)
        elif Seat.at(game).unlaid:
            assert player.message == UNLAID

    playing(scene, game.id)


def test_after_the_end_nobody_advises_a_move(
    ask_socket: Callable[[Game], Callable[[str], dict[str, Any]]],
) -> None:
    game = Game.from_id("2x1x1/any=8")
    game.open("A1")
    sentence = "the game is lost, so there is no next move"
    for question in ("hint", "guess"):
        with pytest.raises(IllegalMove, match=sentence):
            QUESTIONS[question](Seat.at(game))
        assert ask_socket(game)(question)["error"]["message"].startswith(sentence)
    lines = LineGame(game, lambda _: None)
    for line in ("hint", "best"):
        with pytest.raises(IllegalMove, match=sentence):
            lines.do(line)
    with wired(game) as (widget, _), pytest.raises(MineproofError, match=sentence):
        widget._answer({"do": "hint"})


# -- what a seat knows -------------------------------------------------------------------------------------------


def test_what_lies_below_changes_no_answer() -> None:
    """Two boards that look the same so far get the same answers, word for word: so every app keeps the secret."""
    first = Game("beginner", "opening", seed=11)
    first.open("E5")
    samples = analyse(first.position).samples(60, seed=1)
    layouts = {Layout(first.grid, sample.astype("u1").tobytes()) for sample in samples}
    assert len(layouts) > 5
    heard = []
    for layout in sorted(layouts, key=str):
        game = Game(layout)
        game.open("E5")
        seat = Seat.at(game)
        assert seat.position == first.position
        heard.append([ask(seat) for ask in QUESTIONS.values()])
    assert all(answers == heard[0] for answers in heard)


def test_one_analysis_serves_all_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def counted(*given: Any, **options: Any) -> object:
        asked.append(given)
        return analyse(*given, **options)

    monkeypatch.setattr("mineproof.seat.seat.analyse", counted)
    seat = Seat.at(game_of("a named start", "in play"))
    for ask in QUESTIONS.values():
        ask(seat)
    assert len(asked) == 1


def test_a_seat_is_kept_while_nothing_changes() -> None:
    game = game_of("opening", "in play")
    seat = Seat.at(game)
    assert Seat.at(game, seat) is seat
    game.flag("I9" if game["I9"] == "H" else "A2")
    assert Seat.at(game, seat) is not seat


@pytest.mark.parametrize("seed", range(12))
def test_the_best_guess_is_one_everywhere(seed: int) -> None:
    """What ``best`` opens, ``hint`` names and ``analyse`` recommends."""
    from mineproof import finish

    game = Game("expert", "opening", seed=seed)
    game.open("D4")
    finish("careful", game)
    if game.over:
        return
    seat = Seat.at(game)
    chosen = AGENTS["best"].make().choose(game.position, LIMIT).moves[-1].cell
    assert chosen == hint(game.position).cell == seat.hint().cell
    view = overview(seat, LIMIT)
    assert view.guess is not None
    assert view.guess.cell == chosen
    assert view.fields()["best"]["cell"] == list(chosen or ())
    least = view.analysis.least_risk
    assert least is not None
    assert view.fields()["least_risk"] == {"cell": list(least.cell), "risk": least.risk}
    assert view.guess.is_least or str(least.cell) in view.text
