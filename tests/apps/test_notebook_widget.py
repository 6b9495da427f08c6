"""The board in a notebook, from Python's side: what it answers, and that it keeps the mines to itself."""

from __future__ import annotations

import json
import re
import runpy
import sys
from typing import TYPE_CHECKING, Any

import pytest

from mineproof import Game, Grid, Layout, Limit, MissingExtra, analyse, why
from mineproof.apps.notebook import BoardWidget, page
from mineproof.seat.seat import Seat
from support.widget import ask, wired

if TYPE_CHECKING:
    from support.widget import Wire

KEYS = {
    "rows", "cols", "mines", "symbols", "step", "state", "mines_left", "unlaid", "questions", "open_flags", "wrong",
    "id",
}  # fmt: skip
TALK = [
    {"do": "move", "move": "open A1"}, {"do": "odds"}, {"do": "why", "cell": "D1"}, {"do": "why", "cell": "F1"},
    {"do": "move", "move": "flag F2"}, {"do": "move", "move": "flag F1"}, {"do": "odds"},
    {"do": "move", "move": "chord C2"}, {"do": "move", "move": "undo"}, {"do": "new"},
    {"do": "move", "move": "open A1"},
]  # fmt: skip


def answer(wire: Wire, **message: Any) -> dict[str, Any]:
    """The answer to a message that changes nothing."""
    (sent,) = ask(wire, id="7", **message)
    assert sent["method"] == "custom"
    assert sent["content"]["id"] == "7"
    found: dict[str, Any] = sent["content"]
    return found


def test_a_move_changes_the_board_and_is_answered() -> None:
    with wired("beginner", "opening", seed=1) as (widget, wire):
        changed, told = ask(wire, id="1", do="move", move="open E5")
        assert changed["method"] == "update"
        assert told == {"method": "custom", "content": {"id": "1", "ok": {}}}
        game = Game("beginner", "opening", seed=1)
        game.open("E5")
        assert changed["state"]["board"]["symbols"].encode() == game.position.cells == widget.game.position.cells
        assert widget.board == changed["state"]["board"]
        for move in ("flag A1", "unflag A1", "undo"):
            ask(wire, id="2", do="move", move=move)
        assert [str(move) for move in widget.game.moves] == ["open E5", "flag A1", "unflag A1", "undo"]
        assert widget.board["step"] == 4


def test_python_can_move_too() -> None:
    with wired("beginner", "opening", seed=1) as (widget, wire):
        wire.take()
        widget.play("open E5")
        (changed,) = wire.take()
        assert changed["state"]["board"]["step"] == 1


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ({"do": "move", "move": "open Z99"}, "Z99"),
        ({"do": "move", "move": "chord A1"}, "only an open number can be chorded"),
        ({"do": "move", "move": "jump"}, "jump"),
        ({"do": "move"}, "not a message of the board"),
        ({"do": "mines"}, "not a message of the board"),
        ({}, "not a message of the board"),
        ({"do": "why", "cell": "E5"}, "E5 is open: there is nothing to explain"),
        ({"do": "why", "cell": "?"}, "'?'"),
    ],
)
def test_what_cannot_be_done_is_said_and_changes_nothing(message: dict[str, Any], said: str) -> None:
    with wired("beginner", "opening", seed=1) as (widget, wire):
        widget.play("open E5")
        before = widget.game.moves
        assert said in answer(wire, **message)["error"]
        assert widget.game.moves == before


def test_odds_and_reasons_are_those_of_the_library() -> None:
    with wired("beginner", "opening", seed=1) as (widget, wire):
        widget.play("open E5")
        position = widget.game.position
        odds = answer(wire, do="odds")["ok"]
        found = analyse(position)
        assert odds["safe"] == [list(cell) for cell in sorted(found.safe)]
        assert odds["solutions"] == str(found.solutions)
        reason = answer(wire, do="why", cell="B3")["ok"]
        right = why(position, "B3")
        assert reason == {**right.fields(), "claim": "B3 is safe.", "note": right.note}


def test_before_the_first_click_every_cell_is_safe_if_the_rules_say_so() -> None:
    with wired("beginner", "safe", seed=1) as (widget, wire):
        assert widget.board["unlaid"]
        told = answer(wire, do="why", cell="C3")["ok"]
        assert (told["verdict"], told["steps"]) == ("safe", [])
    with wired("beginner", "any", seed=1) as (widget, wire):
        assert not widget.board["unlaid"]
        assert answer(wire, do="why", cell="C3")["ok"]["verdict"] == "unknown"


def test_an_answer_keeps_to_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Limit] = []

    def watched(seat: Seat, cell: str, limit: Limit) -> Any:
        given.append(limit)
        return why(seat, cell, limit)

    monkeypatch.setattr(Seat, "why", watched)
    with wired("beginner", "opening", seed=1, limit=Limit(seconds=3)) as (widget, wire):
        widget.play("open E5")
        answer(wire, do="why", cell="B3")
    assert given == [Limit(seconds=3)]


def test_new_games() -> None:
    with wired("beginner", "opening", seed=1) as (widget, wire):
        widget.play("open E5")
        (changed, _) = ask(wire, id="1", do="new")
        assert set(changed["state"]["board"]["symbols"]) == {"H"}
        assert str(widget.game.level) == "beginner"
        widget.new(seed=5)
        assert widget.game.id == "beginner/opening#5"
    with wired(Layout.parse("4x3x3=418@C3")) as (widget, wire):
        widget.play("open C3")
        ask(wire, id="1", do="new")
        assert (widget.game.id, widget.game.step) == ("4x3x3/any=418@C3", 0)


def test_a_game_that_was_begun_is_continued() -> None:
    game = Game("beginner", "opening", seed=1)
    game.open("E5")
    with wired(game) as (widget, _):
        assert widget.game is game
        assert widget.board["step"] == 1


def test_the_end_is_shown_when_it_has_come() -> None:
    with wired(Layout.parse("4x3x3=418")) as (widget, wire):
        (opened,) = wire.take()
        assert opened["state"]["board"]["id"] is None
        ask(wire, id="1", do="move", move="flag A1")
        assert widget.board["wrong"] == []
        ask(wire, id="2", do="move", move="open B1")
        assert (widget.board["state"], widget.board["wrong"]) == ("lost", [0])
        assert widget.board["symbols"].count("*") + widget.board["symbols"].count("?") == 3
        assert widget.board["id"] == widget.game.id
        assert "the game is lost" in ask(wire, id="3", do="move", move="open C1")[0]["content"]["error"]
        ask(wire, id="4", do="move", move="undo")
        assert (widget.board["state"], widget.board["wrong"], widget.board["id"]) == ("playing", [], None)
        assert not set(widget.board["symbols"]) & set("*?")


def test_the_wire_is_the_same_for_every_board_under_the_same_position() -> None:
    """Two boards that differ only where nothing was opened: nobody can tell them apart by what is sent."""
    boards = [Layout.of(Grid(rows=4, cols=6), mines) for mines in (["D1", "D4", "F2"], ["D1", "D4", "F3"])]
    talks = []
    for layout in boards:
        with wired(layout) as (widget, wire):
            talk = [wire.take()[0]["state"]["board"]]
            for number, message in enumerate(TALK):
                talk += ask(wire, id=str(number), **message)
            assert widget.board.keys() == KEYS
            assert widget.game.state == "playing"
        talks.append(json.dumps(talk))
    assert boards[0] != boards[1]
    assert talks[0] == talks[1]


def test_the_module_is_the_page_s_own_board() -> None:
    text = str(BoardWidget._esm)
    assert text == page.module()
    assert re.findall(r"^(?:import|export) .*", text, re.MULTILINE) == ["export default {"]
    for name in ("board", "cells", "looks", "gestures", "overlay"):
        assert text.count(f"const {name}_js = ") == 1
        source = (page.STATIC / f"js/{name}.js").read_text()
        longest = max(source.splitlines(), key=len)
        assert longest.removeprefix("export ") in text
    assert not re.search(r"@import|url\(|https?://(?!www\.w3\.org/2000/svg)", text)
    with wired() as (_, wire):
        (opened,) = wire.take()
        assert opened["state"]["_esm"] == text


def test_without_the_library_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.raises(MissingExtra, match=r"pip install 'mineproof\[notebook\]'"):
        runpy.run_path(str(page.HERE / "widget.py"))
