"""The analysis board: painting, pasting, sharing, contradictions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from mineproof import Game, Layout, write

if TYPE_CHECKING:
    from support.browser import Person

LAYOUT = Layout.parse("4x3x3=418@C3")


def _played() -> Game:
    game = Game.from_id("4x3x3/any=418")
    game.open("A1")
    game.open("D3")
    return game


def _texts() -> dict[str, tuple[str, str, str]]:
    """Each text format: what is pasted, a cell, and what it shows."""
    replay = _played().replay()
    return {
        "mine": ("4x3x3\r\n1 H 2 1\r\n2 F 2 H\r\nH 1 1 1\r\n\r\n", "C2", "2"),
        "analysis": ("https://example.org/analyse?analysis=afaeaaaeclTclTb2lTclT", "C1", "1"),
        "ptta": (write(LAYOUT, "ptta").decode(), "C2", "2"),
        "tatham": (write(LAYOUT, "tatham").decode(), "C2", "2"),
        "jsonl": (write(LAYOUT, "jsonl").decode(), "C2", "2"),
        "id": ("4x3x3/any=418", "C2", "2"),
        "rawvf": (write(replay, "rawvf").decode(), "A1", "1"),
        "game": (replay.to_text(), "D3", "1"),
    }


@pytest.mark.parametrize("name", list(_texts()))
def test_paste(desk: Person, name: str) -> None:
    text, cell, shown = _texts()[name]
    page = desk.go("/analyse")
    expect(page.get_by_text("boards fit").first).to_be_visible()
    desk.paste(text)
    expect(page.get_by_text(f"Read as {name}")).to_be_visible()
    desk.shows(cell, shown)
    expect(page).to_have_url(re.compile("position="))


def test_files_are_read(desk: Person) -> None:
    page = desk.go("/analyse")
    desk.button("Paste").click()
    page.locator("dialog input[type=file]").set_input_files(
        {"name": "board.mbf", "mimeType": "application/octet-stream", "buffer": write(LAYOUT, "mbf")}
    )
    expect(page.get_by_text("Read as mbf")).to_be_visible()
    desk.shows("C2", "2")


def test_file_is_dropped(desk: Person) -> None:
    page = desk.go("/analyse")
    expect(page.get_by_text("boards fit").first).to_be_visible()
    desk.drop("board.mbf", write(LAYOUT, "mbf"))
    expect(page.get_by_text("Read as mbf")).to_be_visible()
    desk.shows("C2", "2")
    expect(page.locator(".dropzone")).to_have_count(0)


def test_text_that_is_no_position_is_refused_with_a_sentence(desk: Person) -> None:
    page = desk.go("/analyse")
    expect(page.get_by_text("boards fit").first).to_be_visible()
    address = page.url
    desk.paste("4x3x3\n1X21\n2F2H\nH111\n")
    expect(page.get_by_role("alert")).to_contain_text("X")
    assert page.url == address  # nothing is lost
    desk.complaints = [text for text in desk.complaints if "422" not in text]  # the browser notes the refusal


def test_text_of_no_format_gets_an_example(desk: Person) -> None:
    page = desk.go("/analyse")
    expect(page.get_by_text("boards fit").first).to_be_visible()
    desk.paste("hello")
    expect(page.get_by_role("alert")).to_contain_text("This is not a position. Example: 3x1x1 ⏎ 1HH")
    desk.complaints = [text for text in desk.complaints if "422" not in text]  # the browser notes the refusal


@pytest.mark.parametrize("text", ["0", "-1", "99999", ""])
def test_impossible_size_is_refused_at_its_field(desk: Person, text: str) -> None:
    page = desk.go("/analyse?position=3x1x1-1HH")
    for name, right in (("Columns", "3"), ("Rows", "1"), ("Mines", "1")):
        field = page.get_by_role("spinbutton", name=name)
        field.fill(text)
        field.press("Enter")
        if (name, text) == ("Mines", "0"):  # that can be
            continue
        expect(page.get_by_role("alert")).to_contain_text(re.compile("^A whole number from [01] to [0-9]+$"))
        field.blur()
        expect(field).to_have_value(right)
    expect(page.get_by_role("gridcell")).to_have_count(3)


def test_certain_cells_are_not_in_the_legend_of_odds(desk: Person) -> None:
    page = desk.go("/analyse?position=3x1x1-1HH")
    expect(page.get_by_text("1 board fits").first).to_be_visible()
    expect(page.get_by_text("certain safe").first).to_be_visible()
    expect(page.get_by_text("away from all numbers")).to_have_count(0)


def test_clue_that_cannot_be_right_is_called_impossible(desk: Person) -> None:
    page = desk.go("/analyse?position=3x1x1-3HH")
    page.get_by_role("tab", name="Why").click()
    desk.cell("A1").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("cell", name="impossible")).to_be_visible()


def test_paint_with_keys_wheel_and_undo(desk: Person) -> None:
    page = desk.go("/analyse?position=4x2x2-HHHH-HHHH")
    page.get_by_role("radio", name="Paint", exact=True).click()
    desk.cell("A2").click(button="right")
    desk.shows("A2", "flag")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("1")
    desk.shows("A2", "1")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("2")
    desk.shows("B2", "2")
    page.keyboard.press("h")
    desk.shows("B2", "closed")
    page.keyboard.press("f")
    desk.shows("B2", "flag")
    page.keyboard.press("Control+z")
    desk.shows("B2", "closed")
    desk.cell("C2").hover()
    page.mouse.wheel(0, -100)
    desk.shows("C2", "empty")
    desk.button("One column more").click()
    expect(page.get_by_role("grid")).to_have_attribute("aria-colcount", "5")
    desk.shows("A2", "1")
    page.reload()
    desk.shows("A2", "1")
    desk.shows("C2", "empty")


def test_click_asks_until_a_brush_is_chosen(desk: Person) -> None:
    page = desk.go("/analyse?position=3x2x2-HHH-121")
    desk.cell("B1").click()
    expect(page.get_by_role("heading", name="B1 is safe").first).to_be_visible()
    desk.shows("B1", "closed")
    expect(page.get_by_role("radio", name="Ask")).to_be_checked()
    page.keyboard.press("3")  # the mouse has chosen B1: the key chooses what the next click paints
    desk.shows("B1", "closed")
    expect(page.get_by_role("radio", name="Paint 3")).to_be_checked()
    expect(page.get_by_role("radio", name="Paint", exact=True)).to_be_checked()
    desk.cell("B2").click()
    desk.shows("B2", "3")
    for key, brush in (("h", "closed"), ("F", "flag"), ("?", "question mark"), ("0", "empty")):
        page.keyboard.press(key)
        expect(page.get_by_role("radio", name=f"Paint {brush}")).to_be_checked()
    page.get_by_role("radio", name="Ask").click()
    desk.cell("B2").click()
    desk.shows("B2", "3")


def test_contradiction_is_told_and_shown_beside_why(desk: Person) -> None:
    page = desk.go("/analyse?position=3x2x2-HHH-121&cell=B1")
    expect(page.get_by_role("heading", name="B1 is safe").first).to_be_visible()
    page.keyboard.press("3")
    desk.cell("B2").click()
    expect(page.get_by_role("heading", name="No board fits")).to_be_visible()
    told = page.get_by_role("status").filter(has_text="No board fits. The clues at A2 and B2 cannot all be right.")
    expect(told).to_have_count(1)


@pytest.mark.parametrize("text", ["1HH/2HH/1HH", "1HH-2HH-1HH", "1HH\n2HH\n1HH", "3x3x2/1HH/2HH/1HH"])
def test_rows_may_stand_in_one_line(desk: Person, text: str) -> None:
    page = desk.go("/analyse?position=4x2x2-HHHH-HHHH")
    page.get_by_role("tab", name="Text").click()
    page.get_by_role("textbox").fill(text)
    desk.button("Read the text").click()
    desk.shows("A2", "2")
    desk.shows("C3", "closed")
    expect(page.get_by_role("spinbutton", name="Mines")).to_have_value("2")
    assumed = page.get_by_text("The text does not say how many mines there are: 2 assumed.")
    expect(assumed).to_have_count(0 if text.startswith("3x3x2") else 1)


def test_move_is_recommended_and_certain_cells_are_folded(desk: Person) -> None:
    page = desk.go("/analyse")
    expect(page.get_by_role("heading", name="Open G1")).to_be_visible()
    expect(page.locator(".chip--button").first).to_be_hidden()
    page.get_by_text("Certain mines").click()
    expect(desk.button("A1", exact=True)).to_be_visible()
    desk.button("Why G1?").click()
    expect(page.get_by_role("heading", name="G1 is safe").first).to_be_visible()
    page = desk.go("/analyse?position=2x2x1-1H-HH")
    expect(page.get_by_role("heading", name=re.compile("^Guess "))).to_be_visible()


def test_names_of_cells_ring_them_on_the_board(desk: Person) -> None:
    page = desk.go("/analyse?position=3x2x2-HHH-131")
    names = page.locator(".coach .prose .ref--cell")
    expect(names).to_have_text(["A2", "B2"])
    ringed = page.locator(".cell.is-pointed")
    names.first.hover()
    expect(ringed).to_have_attribute("aria-label", re.compile("^A2 "))
    desk.cell("C1").hover()
    expect(ringed).to_have_count(0)
    names.first.focus()
    page.keyboard.press("ArrowRight")
    expect(names.last).to_be_focused()
    expect(ringed).to_have_attribute("aria-label", re.compile("^B2 "))
    page.keyboard.press("Tab")
    expect(page.locator(".ref--cell:focus")).to_have_count(0)
    rows = "-".join(["H" * 60] * 99 + ["1" + "H" * 59])
    page = desk.go(f"/analyse?position=60x100x900-{rows}")
    expect(desk.cell("A1")).to_be_visible()
    page.evaluate("""async () => {
        const { html, render } = await import("/static/js/lib.js");
        const { Sentence } = await import("/static/js/words.js");
        const place = document.querySelector(".view").appendChild(document.createElement("p"));
        render(html`<${Sentence} text="see BH100" />`, place);
    }""")
    desk.button("BH100").press("Enter")
    expect(desk.cell("BH100")).to_be_in_viewport()


def test_contradiction_is_shown_as_the_clues_in_conflict(desk: Person) -> None:
    page = desk.go("/analyse?position=3x2x2-HHH-131")
    expect(page.get_by_role("heading", name="No board fits")).to_be_visible()
    expect(page.locator(".cell--conflict").first).to_be_visible()
    expect(desk.cell("B2")).to_have_accessible_name("B2 3, in conflict")
    page.get_by_role("button", name=re.compile("^B2 3 2")).click()  # what would mend it
    desk.shows("B2", "2")
    expect(page.get_by_role("heading", name="No board fits")).to_have_count(0)
    expect(desk.cell("B1")).to_have_accessible_name(re.compile("certain safe"))


def test_why_with_steps_and_proof(desk: Person) -> None:
    page = desk.go("/analyse?position=3x2x2-HHH-121&cell=B1")
    expect(page.get_by_role("heading", name="B1 is safe").first).to_be_visible()
    expect(page.get_by_text("Step 2 of 2")).to_be_visible()
    expect(desk.cell("B1")).to_have_accessible_name(re.compile("safe by step 2"))
    desk.button("Step before").click()
    expect(page.get_by_text("Step 1 of 2")).to_be_visible()
    expect(desk.cell("C2")).to_have_accessible_name(re.compile("clue of step 1"))
    page.get_by_text("Proof that B1 is safe").click()
    expect(page.get_by_text("suppose the opposite")).to_be_visible()
    expect(page.get_by_text("lines, checked")).to_be_visible()


def test_link_restores_the_position(desk: Person) -> None:
    page = desk.go("/analyse?position=5x4x4-001HH-112HH-1F2HH-112HH")
    desk.context.grant_permissions(["clipboard-read", "clipboard-write"])
    expect(page.get_by_text("boards fit").first).to_be_visible()
    desk.button("Copy link").click()
    expect(page.get_by_text("Link to this position copied")).to_be_visible()
    link = str(page.evaluate("navigator.clipboard.readText()"))
    assert link == f"{desk.address}/analyse?analysis=afaeaaaeclTclTb2lTclT"
    page.goto(link)
    desk.shows("B3", "flag")
    desk.shows("C4", "2")
