"""What notebooks and IPython show: pictures, words and tables, of every value that a student meets."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest
from IPython.core.formatters import DisplayFormatter
from IPython.lib.pretty import pretty

from mineproof import (
    METHODS,
    Deductions,
    Game,
    Grid,
    InconsistentPosition,
    Layout,
    MineproofError,
    Position,
    analyse,
    hint,
    prove,
    show,
    why,
)
from mineproof.board.html import MOST_LINES, Picture

if TYPE_CHECKING:
    from collections.abc import Callable

WALL = Position.from_text("3x2x2\nHHH\n121")
WRONG = Position.from_text("5x1x1\n1H0H1")
LARGE = Position.blank(Grid(101, 100), 900)


def shown(value: object) -> dict[str, str]:
    """What IPython sends to a notebook; an error of a display method is an error here."""
    formatter = DisplayFormatter()
    for one in formatter.formatters.values():
        one.catch_format_error = lambda _, failure: (_ for _ in ()).throw(failure)
    found: dict[str, str] = formatter.format(value)[0]
    return found


def well_formed(html: str) -> ElementTree.Element:
    return ElementTree.fromstring(f"<page>{html.replace('<br>', '<br/>')}</page>")


def a_replay() -> Any:
    game = Game("beginner", "opening", seed=1)
    game.open("E5")
    game.flag("A1")
    return game.replay()


VALUES: dict[str, tuple[Callable[[], object], str]] = {
    "position": (lambda: WALL, "svg"),
    "game": (lambda: Game("beginner", seed=1), "svg"),
    "layout": (lambda: Layout.parse("4x3x3=418@C3"), "svg"),
    "replay": (a_replay, "html"),
    "analysis": (lambda: analyse(WALL), "html"),
    "inconsistent": (lambda: analyse(WRONG), "html"),
    "deductions": (lambda: METHODS["sat"].infer(WALL), "markdown"),
    "proof": (lambda: prove(WALL, "B1"), "html"),
    "explanation": (lambda: why(WALL, "B1"), "html"),
    "guess": (lambda: why(Position.from_text("3x1x1\nH1H"), "A1"), "html"),
    "hint": (lambda: hint(WALL), "html"),
    "picture": (lambda: WALL.show(odds=True, why="B1"), "html"),
}


@pytest.mark.parametrize("name", VALUES)
def test_notebooks_get_a_rich_form_and_text(name: str) -> None:
    make, kind = VALUES[name]
    found = shown(make())
    rich = found[{"svg": "image/svg+xml", "html": "text/html", "markdown": "text/markdown"}[kind]]
    if kind != "markdown":
        well_formed(rich)
        assert "<svg" in rich
    assert found["text/plain"].strip()
    assert "object at 0x" not in found["text/plain"]
    assert "array(" not in found["text/plain"]


def test_a_layout_shows_its_mines_and_numbers() -> None:
    layout = Layout.parse("4x3x3=418@C3")
    assert pretty(layout).splitlines() == ["   A B C D", " 1 1 ✱ 2 1", " 2 2 2 2 ✱", " 3 ✱ 1 1 1"]
    assert shown(layout)["image/svg+xml"].count('href="#mp-mine"') == 3
    assert repr(layout) == "Layout.parse('4x3x3=418@C3')"


def test_a_replay_shows_its_end_and_its_moves() -> None:
    replay = a_replay()
    words = "".join(well_formed(shown(replay)["text/html"]).itertext())
    assert "beginner/opening#1" in words
    assert "playing after 2 moves" in words
    items = [item.text for item in well_formed(shown(replay)["text/html"]).iter("li")]
    assert items == ["open E5", "flag A1"]
    assert pretty(replay).splitlines()[0] == "beginner/opening#1: playing after 2 moves"
    assert pretty(replay).endswith(str(replay.game()))


def test_an_analysis_shows_odds_and_what_is_certain() -> None:
    position = Position.from_text("4x2x2\n1HHH\n1HHH")
    page = well_formed(shown(analyse(position))["text/html"])
    assert [item.text for item in page.iter("li")] == analyse(position).words().splitlines()
    assert shown(analyse(position))["text/html"].count('class="odds"') == 6
    assert pretty(analyse(position)) == f"{analyse(position).table()}\n{analyse(position).words()}"


def test_an_inconsistent_position_shows_the_clues_that_contradict_each_other() -> None:
    found = shown(analyse(WRONG))
    assert "inconsistent: the clues A1, C1 cannot both be right" in found["text/html"]
    assert found["text/html"].count('class="lit"') == 2
    assert found["text/plain"].endswith("inconsistent: the clues A1, C1 cannot both be right")
    with pytest.raises(InconsistentPosition):
        WRONG.show(why="B1")


def test_deductions_are_a_table() -> None:
    found = METHODS["sat"].infer(WALL)
    rows = found._repr_markdown_().splitlines()
    assert rows[2:5] == [f"| {cell} | {verdict} | {one.reason} |" for cell, verdict, one in zip(
        ("A1", "B1", "C1"), ("mine", "safe", "mine"), found, strict=True)]  # fmt: skip
    assert rows[-1] == "Every certain cell is listed."
    assert pretty(found).splitlines()[:-1] == [str(one) for one in found] == [pretty(one) for one in found]
    assert pretty(METHODS["single"].infer(WALL)) == "No certain cell was found; there may be some."
    assert pretty(Deductions(complete=True)) == "No cell is certain."
    many = Deductions([found[0]] * (MOST_LINES + 5))
    assert many._repr_markdown_().count("| A1 |") == MOST_LINES
    assert many._repr_markdown_().endswith("… and 5 more; There may be more certain cells.")
    assert str(many).splitlines()[-2] == "… and 5 more"


def test_a_proof_and_an_explanation_mark_their_clues() -> None:
    proof, reason = prove(WALL, "B1"), why(WALL, "B1")
    assert proof is not None
    for value in (proof, reason):
        html = shown(value)["text/html"]
        assert html.count('class="lit"') == len(proof.because) == 3
        assert "B1 is safe" in html
        assert "A2, B2, C2" in html
    steps = [[cell.text for cell in row.iter("td")] for row in well_formed(shown(proof)["text/html"]).iter("tr")][1:]
    assert steps == [[f"{i}.", str(step), step.reason] for i, step in enumerate(proof.steps, start=1)]
    told = [item.text for item in well_formed(shown(reason)["text/html"]).iter("li")]
    assert told == [step.text for step in reason.steps]
    assert "Level 2: 1-2. The fewest clues that prove it: A2, B2, C2." in shown(reason)["text/html"]
    assert why(Position.from_text("2x1x1\nSH"), "A1").note == "Level 1: named by the game."
    assert why(Position.from_text("2x1x2\nHH"), "A1").note.endswith(": the mine count.")


def test_show_has_odds_and_reasons_in_one_picture() -> None:
    position = Position.from_text("4x2x2\nHHHH\n12HH")
    plain, odds, both = (position.show(**how) for how in ({}, {"odds": True}, {"odds": True, "why": "A1"}))
    assert (plain.svg, plain.html, plain.text) == (position.to_svg(), "", str(position))
    assert odds.svg == position.to_svg(analyse(position).probabilities)
    reason = why(position, "A1")
    assert both.svg == position.to_svg(analyse(position).probabilities, why=reason)
    assert both.html == odds.html + reason.to_html()
    assert str(both).startswith(analyse(position).table())
    assert str(both).endswith(reason.text)
    assert shown(both)["image/svg+xml"] == both.svg


def test_show_takes_what_a_method_has_proved() -> None:
    picture = WALL.show(known=METHODS["csp"].infer(WALL), theme="csp")
    assert picture.svg == WALL.to_svg(known=METHODS["csp"].infer(WALL), theme="csp")


def test_a_game_shows_what_its_player_sees() -> None:
    game = Game("beginner", "opening", seed=1)
    game.open("E5")
    assert game.show(odds=True) == show(game, odds=True) == show(game.position, odds=True)
    assert isinstance(game.show(why="B2"), Picture)


@pytest.mark.parametrize("cell", ["B2", "Z9", "nonsense"])
def test_there_must_be_something_to_explain(cell: str) -> None:
    with pytest.raises(MineproofError):
        WALL.show(why=cell)


def test_large_boards_are_told_but_not_drawn() -> None:
    found = analyse(LARGE)
    for value in (LARGE, found, LARGE.show(odds=True), Layout(LARGE.grid, bytes(len(LARGE.grid)))):
        rich = shown(value)
        assert "<svg" not in "".join(rich.values())
        assert re.search(r"solutions|<Position|<Layout", rich["text/plain"])
        assert len(rich["text/plain"]) < 200
