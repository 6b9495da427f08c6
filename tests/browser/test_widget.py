"""The board in a notebook, from the browser's side: the module that anywidget loads, and a model that asks Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from mineproof import Game, Layout, analyse
from support.browser import PHONE, person, violations
from support.widget import mount, wired

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

    from mineproof.apps.notebook import BoardWidget
    from support.browser import Person

NOWHERE = "about:blank"


@pytest.fixture
def desk(browser: Browser) -> Iterator[Person]:
    """Somebody at a notebook; there is no server."""
    with person(browser, NOWHERE) as somebody:
        yield somebody


@pytest.fixture
def played(desk: Person) -> Iterator[BoardWidget]:
    """A game that has begun."""
    with wired("beginner", "opening", seed=1) as (widget, wire):
        mount(desk.page, widget, wire)
        desk.cell("E5").click()
        desk.shows("E5", "empty")
        yield widget


def test_a_click_opens_and_the_game_is_in_python(desk: Person, played: BoardWidget) -> None:
    desk.shows("F3", "2")
    desk.cell("F1").click()
    desk.shows("F1", played.game["F1"])
    assert [str(move) for move in played.game.moves] == ["open E5", "open F1"]
    desk.button("Undo").click()
    desk.shows("F1", "closed")
    desk.button("New game").click()
    desk.shows("E5", "closed")
    assert played.game.step == 0


def test_a_right_click_flags_and_the_flag_protects(desk: Person, played: BoardWidget) -> None:
    desk.page.evaluate("document.addEventListener('contextmenu', (event) => (window.menu = event.type))")
    desk.cell("D2").click(button="right")
    desk.shows("D2", "flag")
    assert desk.page.evaluate("window.menu") is None, "the notebook's own menu would cover the board"
    expect(desk.page.locator(".counter")).to_have_text("9mines left")
    desk.cell("D2").click()
    desk.page.get_by_role("radio", name="Flag").click()
    desk.cell("D2").click()
    desk.shows("D2", "closed")
    assert [str(move) for move in played.game.moves] == ["open E5", "flag D2", "unflag D2"]


def test_a_double_click_chords(desk: Person, played: BoardWidget) -> None:
    desk.cell("F7").click(button="right")
    desk.shows("F7", "flag")
    desk.cell("E6").dblclick()
    desk.cell("F6").dblclick()
    desk.shows("G5", played.game["G5"])
    assert "chord F6" in map(str, played.game.moves)
    desk.cell("F3").dblclick()
    expect(desk.page.get_by_text("chord F3: it shows 2, but")).to_be_visible()


def test_odds_are_on_the_board_and_follow_the_game(desk: Person, played: BoardWidget) -> None:
    desk.button("Odds").click()
    found = analyse(played.game)
    for cell in [*found.safe, *found.mined]:
        verdict = "safe" if cell in found.safe else "mine"
        expect(desk.cell(str(cell))).to_have_accessible_name(f"{cell} closed, certain {verdict}")
    expect(desk.cell("I9")).to_have_accessible_name(f"I9 closed, mine {100 * found.probability('I9'):.0f} %")
    expect(desk.page.get_by_text("4,060 boards fit. Certain: 12 safe, 7 mines.")).to_be_visible()
    safe = sorted(found.safe)[0]
    desk.cell(str(safe)).click()
    desk.shows(str(safe), played.game[safe])
    then = analyse(played.game)
    expect(desk.page.get_by_text(f"Certain: {len(then.safe)} safe, {len(then.mined)} mines.")).to_be_visible()
    desk.button("Odds").click()
    desk.shows("I9", "closed")


def test_why_marks_the_steps(desk: Person, played: BoardWidget) -> None:
    desk.page.get_by_role("radio", name="Why?").click()
    desk.cell("B3").click()
    expect(desk.page.get_by_role("heading", name="B3 is safe.")).to_be_visible()
    expect(desk.cell("B3")).to_have_accessible_name("B3 closed, safe by step 2")
    expect(desk.cell("C4")).to_have_accessible_name("C4 1, clue of step 2")
    desk.page.get_by_text("The 1 at C6 touches only one closed cell").click()
    desk.shows("B3", "closed")
    expect(desk.cell("B5")).to_have_accessible_name("B5 closed, mine by step 1")
    desk.cell("I9").click()
    expect(desk.page.get_by_text("I9 is not certain: some consistent boards")).to_be_visible()
    assert played.game.step == 1, "asking is not playing"


def test_by_keyboard_alone(desk: Person, played: BoardWidget) -> None:
    keys = desk.page.keyboard
    desk.page.evaluate("document.addEventListener('keydown', (event) => (window.stray = event.key))")
    desk.cell("E5").focus()
    for key in [*["ArrowUp"] * 3, "ArrowLeft", "f"]:
        keys.press(key)
    desk.shows("D2", "flag")
    keys.press("ArrowLeft")
    keys.press("y")
    expect(desk.page.get_by_role("heading", name="C2 is")).to_be_visible()
    keys.press("Enter")
    desk.shows("C2", played.game["C2"])
    keys.press("o")
    expect(desk.button("Odds")).to_have_attribute("aria-pressed", "true")
    keys.press("u")
    desk.shows("C2", "closed")
    assert desk.page.evaluate("window.stray") is None, "the notebook's own shortcuts would have heard it"


def test_before_the_first_click_and_the_end(desk: Person) -> None:
    with wired("beginner", "safe", seed=1) as (widget, wire):
        mount(desk.page, widget, wire)
        desk.button("Odds").click()
        expect(desk.page.get_by_text("there are no odds yet")).to_be_visible()
        assert desk.button("Undo").is_disabled()
    with wired(Layout.parse("4x3x3=418")) as (widget, _):
        desk.page.evaluate("(board) => { model.get = () => board; end(); again() }", widget.board)
        expect(desk.page.get_by_text("4 × 3, 3 mines")).to_be_visible()
        widget.play("flag A1")
        widget.play("open B1")
        desk.page.evaluate("(board) => { model.get = () => board; again() }", widget.board)
        expect(desk.page.get_by_text("Lost: 4x3x3/any=418")).to_be_visible()
        expect(desk.cell("A1").last).to_have_accessible_name("A1 flag, wrong: it was safe")
        expect(desk.cell("B1").last).to_have_accessible_name("B1 mine, opened")


def test_a_view_that_is_closed_leaves_nothing_behind(desk: Person, played: BoardWidget) -> None:
    assert played.game.step == 1
    assert desk.page.evaluate("model.listeners()") == 2
    desk.page.evaluate("end()")
    assert desk.page.evaluate("[model.listeners(), document.querySelector('#here').children.length]") == [0, 0]


def test_the_notebook_s_style_stays_outside_and_the_widget_s_inside(desk: Person) -> None:
    """A notebook has cells too, and its own idea of light and dark."""
    with wired("beginner", "opening", seed=1) as (widget, wire):
        mount(desk.page, widget, wire, style="data-jp-theme-light='false'")
        outside = desk.page.evaluate(
            """() => {
                const style = document.createElement("style");
                style.textContent = ".cell { width: 999px !important } html { font-size: 10px }";
                const cell = Object.assign(document.createElement("div"), { className: "cell btn grid" });
                document.body.append(style, cell);
                return [getComputedStyle(document.documentElement).colorScheme, getComputedStyle(cell).cursor];
            }"""
        )
        assert outside == ["normal", "auto"]
        box = desk.cell("A1").bounding_box()
        assert box is not None
        assert box["width"] == box["height"] == 30
        dark = desk.page.locator(".widget")
        expect(dark).to_have_css("background-color", "rgb(15, 18, 21)")
        desk.page.evaluate("document.body.dataset.jpThemeLight = 'true'")
        expect(dark).to_have_css("background-color", "rgb(242, 244, 246)")


def test_a_wide_board_fits_and_is_accessible(browser: Browser) -> None:
    with (
        person(browser, NOWHERE, viewport={"width": 760, "height": 700}) as somebody,
        wired("expert", "opening", seed=2) as (widget, wire),
    ):
        widget.play("open P8")
        mount(somebody.page, widget, wire)
        somebody.button("Odds").click()
        expect(somebody.page.get_by_text("Certain:")).to_be_visible()
        assert somebody.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        somebody.page.get_by_role("radio", name="Why?").click()
        somebody.cell(str(sorted(analyse(widget.game).safe)[0])).click()
        expect(somebody.page.get_by_role("heading", name="is safe.")).to_be_visible()
        assert violations(somebody.page) == []


def test_by_touch(browser: Browser) -> None:
    with person(browser, NOWHERE, **PHONE) as somebody, wired("beginner", "opening", seed=1) as (widget, wire):
        mount(somebody.page, widget, wire)
        somebody.cell("E5").tap()
        somebody.shows("E5", "empty")
        somebody.hold("D2")
        somebody.shows("D2", "flag")
        assert str(widget.game) == str(begun())


def begun() -> Game:
    """The same moves."""
    game = Game("beginner", "opening", seed=1)
    game.open("E5")
    game.flag("D2")
    return game
