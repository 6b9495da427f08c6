"""Games in a real browser, on the real server."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from support.browser import PHONE, Person, person
from support.web import Server

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page

SMALL = "4x3x3/any=418"
"""1?21 / 222? / ?111: mines at B1, D2, A3."""


def test_game_is_won_by_following_hints(desk: Person) -> None:
    page = desk.game(level="beginner", no_guess=True)
    desk.cell("E5").click()
    over = page.get_by_role("heading", name="Game over")
    for _ in range(80):
        ask = desk.button("Is there a certain move?")
        expect(ask.or_(over)).to_be_visible()
        if over.is_visible():
            break
        ask.click()
        expect(page.get_by_role("heading", name="There is a certain move.")).to_be_visible()
        page.get_by_role("button", name="Move", exact=True).click()
        move = page.get_by_role("button", name=re.compile("^Open [A-Z]+[0-9]+$"))
        name = (move.text_content() or "").split()[1]
        move.click()
        expect(desk.cell(name)).not_to_have_accessible_name(re.compile("closed"))
    expect(page.get_by_role("heading", name="Won", exact=True)).to_be_visible()
    expect(page.get_by_text("Not counted as your own: helped by hint")).to_be_visible()
    expect(page.get_by_text("3BV per second")).to_be_visible()


def test_lost_game_shows_the_mine_wrong_flags_and_undo(desk: Person) -> None:
    page = desk.game(board=SMALL)
    desk.cell("A1").click()
    desk.shows("A1", "1")
    desk.cell("C1").click(button="right")
    desk.shows("C1", "flag")
    desk.cell("B1").click()
    expect(page.get_by_role("heading", name="B1 was a mine")).to_be_visible()
    desk.shows("B1", "mine")
    desk.shows("D2", "mine")
    expect(desk.cell("C1")).to_have_accessible_name("C1 flag, wrong: it was safe")
    expect(page.get_by_text("You opened B1:")).to_be_visible()
    page.reload()  # the address restores all of it
    expect(page.get_by_text("You opened B1:")).to_be_visible()
    expect(page.get_by_text("had a flag. It was safe.")).to_be_visible()
    desk.button("Undo the click").click()
    desk.shows("B1", "closed")
    expect(desk.button("Undo", exact=False).first).to_contain_text("1")  # the count is honest


def test_after_undo_the_hint_does_not_name_the_mine_that_was_opened(desk: Person) -> None:
    """The mine was the best guess; now that it is known, the others are safe."""
    page = desk.game(board="3x1x1/any=8")
    assert page.request.post(f"{desk.address}/api/hint", data={"position": "3x1x1\nHHH"}).json()["cell"] == [0, 0]
    desk.cell("A1").click()
    expect(page.get_by_role("heading", name="A1 was a mine")).to_be_visible()
    desk.button("Undo the click").click()
    desk.shows("A1", "closed")
    desk.button("Is there a certain move?").or_(desk.button("Hint")).first.click()
    expect(page.get_by_role("heading", name="There is a certain move.")).to_be_visible()
    desk.cell("A1").click(button="right")
    page.get_by_role("tab", name="Why").or_(page.get_by_role("radio", name="Why")).first.click()
    desk.cell("A1").focus()
    page.keyboard.press("y")
    told = page.get_by_role("complementary", name="Coach").get_by_text("you opened it before you took the move back.")
    expect(told).to_be_visible()


PAINT = """() => {
    const probe = document.body.appendChild(document.createElement("div"));
    const tokens = ["safe-fill", "mine-fill", "unidentified-fill", "cell-closed",
        "safe-ink", "mine-ink", "unidentified-ink", "wrong-flag"];
    const colours = Object.fromEntries(tokens.map((token) => {
        probe.style.background = `var(--${token})`;
        return [token, getComputedStyle(probe).backgroundColor];
    }));
    probe.remove();
    const cells = [...document.querySelectorAll("[role=gridcell]")].map((cell) =>
        [cell.ariaLabel.split(" ")[0], getComputedStyle(cell).backgroundColor]);
    return { colours, cells };
}"""
"""The colours of the page's tokens, and of the cells of the board."""


def painted(page: Page) -> dict[str, set[str]]:
    """The cells that have the colours of the CSP report, and those that look like any closed cell."""
    page.mouse.move(0, 0)  # a cell that is pointed at is lighter
    seen = page.evaluate(PAINT)
    return {
        token.removesuffix("-fill"): {cell for cell, colour in seen["cells"] if colour == seen["colours"][token]}
        for token in ("safe-fill", "mine-fill", "unidentified-fill", "cell-closed")
    }


def contrast(one: str, other: str) -> float:
    """The contrast of two opaque colours, as WCAG 2 measures it."""

    def light(colour: str) -> float:
        parts = [int(part) / 255 for part in re.findall(r"\d+", colour)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] + 0.05

    low, high = sorted((light(one), light(other)))
    return high / low


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_of_the_csp_report(browser: Browser, server: Server, scheme: str) -> None:
    """Red needs the truth: only a mine that the end has shown, and that nobody flagged or could prove."""
    with person(browser, server.address, color_scheme=scheme, reduced_motion="reduce") as somebody:
        page = somebody.game(board="8x2x5/any=A700")  # mines at A1, C1, F1, G1, H1
        somebody.button("Settings").click()
        page.get_by_role("radio", name="CSP report").click()
        page.keyboard.press("Escape")
        for cell in ("A2", "B2", "C2"):
            somebody.cell(cell).click()
            expect(somebody.cell(cell)).to_have_accessible_name(re.compile(r" \d"))
        for cell in ("C1", "H1", "H2"):
            somebody.cell(cell).click(button="right")
            somebody.shows(cell, "flag")
        closed = {f"{column}1" for column in "ABCDEFGH"} | {"D2", "E2", "F2", "G2", "H2"}
        assert painted(page) == {"safe": set(), "mine": set(), "unidentified": set(), "cell-closed": closed}
        page.keyboard.press("s")
        expect(somebody.cell("B1")).to_have_accessible_name("B1 closed, certain safe")
        safe, mines = {"B1", "D1", "D2"}, {"A1", "C1"}
        assert painted(page) == {
            "safe": safe, "mine": mines, "unidentified": set(), "cell-closed": closed - safe - mines
        }  # fmt: skip
        somebody.cell("F1").click()
        expect(page.get_by_text("You opened F1:")).to_be_visible()
        over = {
            "safe": safe,
            "mine": mines | {"H1"},
            "unidentified": {"G1"},
            "cell-closed": {"E1", "E2", "F2", "G2", "H2"},
        }
        assert painted(page) == over
        expect(page.get_by_text("not identified")).to_be_visible()
        colours = page.evaluate(PAINT)["colours"]
        for ink in ("safe", "mine", "unidentified"):
            assert contrast(colours[f"{ink}-fill"], colours[f"{ink}-ink"]) >= 4.5
        assert contrast(colours["cell-closed"], colours["wrong-flag"]) >= 4.5
        somebody.go(page.url.removeprefix(somebody.address).replace("/play/", "/review/"))
        expect(somebody.cell("A1")).to_have_class(re.compile("cell--identified"))
        assert painted(page) == {**over, "safe": set(), "cell-closed": over["cell-closed"] | safe}


def test_loss_at_a_certain_mine_says_why_it_was_one(desk: Person) -> None:
    page = desk.game(board="3x1x1/any=4")
    desk.cell("A1").click()
    desk.shows("A1", "1")
    desk.cell("B1").click()
    told = page.locator("p").filter(has_text="B1 was certainly a mine.")
    expect(told).to_contain_text("The 1 at A1 touches only one closed cell, B1, so B1 is a mine.")


def test_own_size_and_seed_are_checked_as_they_were_typed(desk: Person) -> None:
    page = desk.game(level="beginner")
    address = page.url
    desk.button("New game").click()
    page.get_by_role("menuitem", name="Size, rules, seed …").click()
    page.get_by_role("radio", name="Own size").click()
    dialog = page.get_by_role("dialog")
    columns, seed = (dialog.get_by_role("textbox", name=name) for name in ("Columns", "Seed"))
    for text in ("", "-1", "2.5", "0", "many"):
        columns.fill("")
        columns.press_sequentially(text)
        expect(columns).to_have_value(text)
        desk.button("Play", exact=True).click()
        expect(dialog.get_by_role("alert")).to_have_text("The number of columns is a whole number, at least 1.")
    columns.fill("12")
    expect(dialog.get_by_role("alert")).to_have_count(0)
    seed.fill(str(2**64))
    desk.button("Play", exact=True).click()
    expect(dialog.get_by_role("alert")).to_have_text(f"The largest seed is {2**64 - 1} (2^64 − 1).")
    page.get_by_role("radio", name="Level", exact=True).click()
    expect(dialog.get_by_role("alert")).to_have_count(0)
    page.get_by_role("radio", name="Own size").click()
    seed.fill(str(2**64 - 1))
    desk.button("Play", exact=True).click()
    expect(page).not_to_have_url(address)
    expect(desk.button("Level: 12 × 20, 99 mines")).to_be_visible()


def test_overlays_do_not_widen_the_bar(desk: Person) -> None:
    page = desk.game(level="beginner")
    hint = desk.button("Hint", exact=True)
    before = hint.bounding_box()
    undo = desk.button("Undo").bounding_box()
    assert before is not None
    assert undo is not None
    assert before["y"] == undo["y"]  # one line
    for name in ("Odds", "Certain", "Best guess"):
        desk.button(name, exact=True).click()
    expect(page.get_by_role("button", pressed=True)).to_have_count(3)
    assert hint.bounding_box() == before


def test_flags_chords_and_undo_by_mouse(desk: Person) -> None:
    page = desk.game(board=SMALL)
    desk.cell("A1").click()
    desk.shows("A1", "1")
    desk.cell("A1").dblclick()  # no flag yet: refused by a shake, nothing opens
    expect(page.locator(".is-shaking")).to_be_visible()
    desk.shows("A2", "closed")
    assert page.locator(".toast--wrong").count() == 0
    desk.cell("B1").click(button="right")
    desk.shows("B1", "flag")
    expect(page.get_by_role("img", name="2 mines left")).to_be_visible()
    desk.cell("B1").click()  # a flag protects
    desk.cell("A1").dblclick()
    desk.shows("A2", "2")
    desk.shows("B2", "2")
    desk.cell("A3").click(button="right")
    desk.shows("A3", "flag")
    desk.cell("B2").click(button="middle")
    desk.shows("C1", "2")
    desk.shows("B3", "1")
    page.keyboard.press("u")
    desk.shows("C1", "closed")
    desk.cell("B2").hover()
    page.mouse.down(button="left")
    page.mouse.down(button="right")
    page.mouse.up(button="right")
    page.mouse.up(button="left")
    desk.shows("C1", "2")
    desk.cell("A3").click(button="right")
    desk.shows("A3", "closed")


def test_everything_by_keyboard(desk: Person) -> None:
    page = desk.game(board=SMALL)
    grid = page.get_by_role("grid")
    expect(grid).to_be_visible()
    for _ in range(40):
        if page.evaluate("document.activeElement.getAttribute('role')") == "gridcell":
            break
        page.keyboard.press("Tab")
    expect(desk.cell("A1")).to_be_focused()
    page.keyboard.press("Enter")
    desk.shows("A1", "1")
    page.keyboard.press("ArrowRight")
    expect(desk.cell("B1")).to_be_focused()
    page.keyboard.press("f")
    desk.shows("B1", "flag")
    page.keyboard.press("h")
    page.keyboard.press("c")
    desk.shows("B2", "2")
    page.keyboard.press("j")
    expect(desk.cell("A2")).to_be_focused()
    page.keyboard.press("End")
    expect(desk.cell("D2")).to_be_focused()
    page.keyboard.press("f")
    desk.shows("D2", "flag")
    page.keyboard.press("u")
    desk.shows("D2", "closed")
    page.keyboard.press("Control+Home")
    page.keyboard.press(".")
    expect(desk.cell("C1")).to_be_focused()
    page.keyboard.press("y")
    expect(page.get_by_role("heading", name="C1 is safe", exact=True)).to_be_visible()
    page.keyboard.press("Space")
    desk.shows("C1", "2")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    address = page.url
    page.keyboard.press("n")
    expect(page).not_to_have_url(re.compile(re.escape(address)))
    expect(desk.cell("A1")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(desk.cell("B1")).to_be_focused()
    page.get_by_role("link", name="Back to the last one").click()
    expect(page).to_have_url(address)
    desk.shows("C1", "2")
    expect(page.get_by_text("Back to the last one")).to_have_count(0)


def test_touch(phone: Person) -> None:
    page = phone.game(board="expert/safe#3")
    box = phone.cell("C3").bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 40
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    phone.hold("C3")
    phone.shows("C3", "flag")
    phone.hold("C3")
    phone.shows("C3", "closed")
    page.get_by_role("radio", name="Flag").tap()
    phone.cell("D4").tap()
    phone.shows("D4", "flag")
    page.get_by_role("radio", name="Open").tap()
    phone.cell("E5").tap()
    expect(phone.cell("E5")).not_to_have_accessible_name(re.compile("closed"))
    size = phone.cell("E5").bounding_box()
    assert size is not None
    wire = phone.context.new_cdp_session(page)
    for kind, apart in (("touchStart", 40), ("touchMove", 45), ("touchMove", 60), ("touchEnd", 0)):
        points = [{"x": 200 - apart, "y": 400, "id": 0}, {"x": 200 + apart, "y": 400, "id": 1}] if apart else []
        wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    page.wait_for_function(
        "([name, width]) => document.querySelector(`[aria-label^='${name} ']`).offsetWidth > width", arg=["E5", 41]
    )


def test_page_carries_on_after_the_server_was_killed(browser: Browser, tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'web.db'}"
    first = Server(database)
    context = browser.new_context()
    somebody = Person(context, first.address)
    page = somebody.game(board=SMALL)
    somebody.cell("A1").click()
    somebody.shows("A1", "1")
    first.kill()
    expect(page.get_by_text("No answer from the server. Your next move will be kept")).to_be_visible()
    somebody.cell("D3").click()
    expect(page.get_by_text("Your move, open D3, is kept and will be played once.")).to_be_visible()
    expect(somebody.cell("D3")).to_have_accessible_name("D3 closed, your move is kept")
    somebody.cell("C1").click()  # a second one is refused
    expect(page.locator(".is-shaking")).to_be_visible()
    expect(page.get_by_text("Your move, open D3, is kept and will be played once.")).to_be_visible()
    with Server(database, "--port", first.address.rpartition(":")[2]):
        somebody.shows("D3", "1")
        somebody.shows("A1", "1")
        expect(page.get_by_text("No answer from the server.")).to_have_count(0)
        somebody.shows("C1", "closed")
    context.close()


def test_pause_hides_the_board(desk: Person) -> None:
    page = desk.game(board=SMALL)
    desk.cell("A1").click()
    desk.shows("A1", "1")
    page.keyboard.press("p")
    expect(page.get_by_text("The board is hidden")).to_be_visible()
    desk.button("Continue").last.click()
    expect(page.get_by_text("The board is hidden")).to_have_count(0)


def test_overlays_are_off_until_asked_for(desk: Person) -> None:
    page = desk.game(level="beginner", first_click="opening", seed=4)
    desk.cell("E5").click()
    expect(desk.cell("E5")).not_to_have_accessible_name(re.compile("closed"))
    assert page.locator("[data-odds], .cell--safe, .cell--mined, .cell--best").count() == 0
    page.keyboard.press("o")
    expect(page.locator("[data-odds]").first).to_be_visible()
    expect(page.get_by_text(re.compile("boards? fit"))).to_be_visible()
    page.keyboard.press("o")
    expect(page.locator("[data-odds]")).to_have_count(0)
    page.keyboard.press("b")
    expect(page.get_by_text(re.compile("no guess is needed|best guess [0-9<]"))).to_be_visible()


def test_share_link_restores_the_board(browser: Browser, server: Server, desk: Person) -> None:
    page = desk.game(board=SMALL)
    desk.context.grant_permissions(["clipboard-read", "clipboard-write"])
    desk.cell("A1").click()
    desk.shows("A1", "1")
    desk.button("New game").click()
    page.get_by_role("menuitem", name="Copy a link to it").click()
    expect(page.get_by_text("Link to this board copied")).to_be_visible()
    link = str(page.evaluate("navigator.clipboard.readText()"))
    with person(browser, server.address) as other:
        other.go(link.removeprefix(server.address))
        expect(other.page.get_by_role("grid")).to_have_attribute("aria-colcount", "4")
        other.cell("A1").click()
        other.shows("A1", "1")
        other.cell("B2").click()
        other.shows("B2", "2")


def test_agent_takes_over_hands_back_and_takes_over_again(desk: Person) -> None:
    page = desk.game(board="4x4x4/any=8421")  # mines on the diagonal: guesses are needed
    desk.cell("B1").click()
    desk.shows("B1", "2")
    page.get_by_role("tab", name="Agent").click()
    page.get_by_label("Agent", exact=True).select_option("sat")
    page.get_by_role("slider").fill("1500")
    desk.button("All that is certain").click()
    expect(page.get_by_text("Your turn.")).to_be_visible()
    desk.cell("D1").click()
    desk.shows("D1", "empty")
    desk.button("All that is certain").click()
    expect(page.get_by_text("Its reasons")).to_be_visible()
    expect(page.locator(".reason").first).to_be_visible()
    page.get_by_text("What sat has written down").click()
    expect(page.get_by_text("Models")).to_be_visible()


def test_question_marks(desk: Person) -> None:
    desk.game(board=SMALL, rules="any+questions")
    desk.cell("B1").click(button="right")
    desk.shows("B1", "flag")
    desk.cell("B1").click(button="right")
    desk.shows("B1", "question mark")
    desk.cell("B1").click(button="right")
    desk.shows("B1", "closed")


def test_resting_on_a_cell_asks_why(desk: Person) -> None:
    page = desk.game(board="3x2x2/any=a0")
    for name in ("A2", "B2", "C2"):
        desk.cell(name).click()
        expect(desk.cell(name)).not_to_have_accessible_name(re.compile("closed"))
    desk.cell("B1").hover()
    expect(page.get_by_role("tab", name="Hint")).to_have_attribute(
        "aria-selected", "true"
    )  # not before it is asked for
    page.get_by_role("tab", name="Why").click()
    desk.cell("A1").hover()
    expect(page.get_by_role("heading", name="A1 is a mine", exact=True)).to_be_visible()
    desk.cell("B1").hover()
    expect(page.get_by_role("heading", name="B1 is safe", exact=True)).to_be_visible()
    expect(desk.cell("B1")).to_have_accessible_name(re.compile("safe by step"))
    desk.shows("B1", "closed")


def test_board_of_the_day_is_the_same_for_two_players(browser: Browser, server: Server, desk: Person) -> None:
    boards = []
    with person(browser, server.address) as other:
        for somebody in (desk, other):
            page = somebody.game(level="beginner", first_click="opening")
            address = page.url
            somebody.button("New game").click()
            page.get_by_role("menuitem", name=re.compile("Board of the day")).click()
            expect(page).not_to_have_url(address)
            expect(page.get_by_text("This board needs no guess.")).to_be_visible()
            start = page.get_by_role("gridcell", name=re.compile("safe to start at"))
            expect(start).to_have_count(1)
            boards.append(start.get_attribute("aria-label"))
            start.click()
            expect(page.get_by_role("gridcell", name=re.compile(" closed")).first).to_be_visible()
            expect(page.locator("[role=gridcell][aria-label$=empty]").first).to_be_visible()
            boards.append(
                page.evaluate("[...document.querySelectorAll('[role=gridcell]')].map(c => c.ariaLabel).join()")
            )
    assert boards[:2] == boards[2:]


def test_games_of_the_five_systems_are_chosen(desk: Person) -> None:
    page = desk.game(level="beginner")
    for system, level, told in (
        ("sharma", "16 × 16, naive", "A mine does not end the game; it is counted."),
        ("lee", "Easy", "An empty cell opens alone."),
        ("mcintyre", "Beginner", "The game names safe cells to start at"),
    ):
        address = page.url
        desk.button("New game").click()
        page.get_by_role("menuitem", name="Size, rules, seed …").click()
        page.get_by_role("radio", name="A published system").click()
        page.get_by_label("System", exact=True).select_option(system)
        desk.button(level, exact=True).click()
        desk.button("Play", exact=True).click()
        expect(page).not_to_have_url(address)
        expect(page.get_by_text(told)).to_be_visible()


def test_game_of_a_report_is_played_by_a_link(desk: Person) -> None:
    for name in ("lee", "matching"):  # also by an older link
        page = desk.go(f"/play?as={name}")
        expect(page.get_by_text("An empty cell opens alone.")).to_be_visible()
        expect(page.locator("[role=gridcell][aria-label*='safe to start at']")).to_have_count(9)
    page.get_by_role("tab", name="Agent").click()
    expect(desk.button("Let matching play")).to_be_visible()


def test_board_without_guess_of_a_difficulty_is_chosen_and_rated_at_the_end(desk: Person) -> None:
    page = desk.game(level="beginner")
    address = page.url
    desk.button("New game").click()
    page.get_by_role("menuitem", name="Size, rules, seed …").click()
    page.get_by_role("radio", name="Level", exact=True).click()
    desk.button("Beginner", exact=True).click()
    page.get_by_label("A board that needs no guess").check()
    offered = page.get_by_label("Difficulty").get_by_role("option").all_text_contents()
    assert [text.split(":")[0] for text in offered] == ["any difficulty", "easy", "medium", "hard", "master"]
    page.get_by_label("Difficulty").select_option("easy")
    desk.button("Play", exact=True).click()
    expect(page).not_to_have_url(address)
    expect(page.get_by_text("This board needs no guess.")).to_be_visible()
    expect(desk.button("Level: Beginner, no guess")).to_contain_text("no guess")
    page.get_by_role("tab", name="Agent").click()
    page.get_by_label("Agent", exact=True).select_option("best")
    page.get_by_role("slider").fill("1500")
    desk.button("Let best play").click()
    expect(page.get_by_role("heading", name="Won", exact=True)).to_be_visible()
    expect(page.get_by_text(re.compile("^Difficulty [0-9]+: harder than [0-9]+ % of beginner boards"))).to_be_visible()
    expect(page.get_by_text(re.compile("^Certain steps: [0-9]+ by one clue; no guess is needed.$"))).to_be_visible()


def test_first_click_is_known_to_be_safe(desk: Person) -> None:
    page = desk.game(board="beginner/opening#7")  # where C3 leaves cells uncertain
    desk.shows("A1", "closed")
    desk.button("Odds", exact=True).click()
    desk.button("Best guess", exact=True).click()
    expect(page.get_by_text("Any first click is safe: the mines are laid after it.")).to_be_visible()
    assert page.locator("[data-odds], .cell--best").count() == 0
    desk.cell("A1").focus()
    page.keyboard.press("y")
    expect(page.get_by_role("heading", name="A1 is safe", exact=True)).to_be_visible()
    page.keyboard.press("w")
    expect(
        page.get_by_role("heading", name="The first click is always safe in this game; C3 is a good one.")
    ).to_be_visible()
    desk.button("Open C3").click()
    desk.shows("C3", "empty")
    expect(page.locator("[data-odds]").first).to_be_visible()


DEAF = """
const { set } = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage");
Object.defineProperty(WebSocket.prototype, "onmessage", { set(hear) {
    set.call(this, (event) => window.deaf && event.data.includes('"event":"moved"') ? undefined : hear(event));
} });"""
"""The page can be made not to hear of moves of other pages."""


def test_two_pages_of_one_game(desk: Person, browser: Browser) -> None:
    desk.page.add_init_script(DEAF)
    page = desk.game(board=SMALL)
    desk.shows("A1", "closed")
    with person(browser, desk.address, storage_state=desk.context.storage_state()) as other:  # the same player
        other.go(page.url.removeprefix(desk.address))
        other.cell("A1").click()
        other.shows("A1", "1")
        desk.shows("A1", "1")
        page.evaluate("window.deaf = true")
        other.cell("B2").click()
        other.shows("B2", "2")
        desk.shows("B2", "closed")
        desk.cell("B2").click()
        desk.shows("B2", "2")
    assert page.locator(".toast--wrong").count() == 0


def test_clock_stands_still_while_the_page_is_hidden(desk: Person) -> None:
    page = desk.game(board=SMALL)
    desk.cell("A1").click()
    desk.shows("A1", "1")

    def running() -> bool:
        return bool(page.request.get(page.url.replace("/play/", "/api/games/")).json()["running"])

    assert running()
    for hidden in (True, False):
        page.evaluate(
            """hidden => {
                Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
                document.dispatchEvent(new Event("visibilitychange"));
            }""",
            hidden,
        )
        page.wait_for_function(
            "async ([path, wanted]) => (await (await fetch(path)).json()).running === wanted",
            arg=[page.url.replace("/play/", "/api/games/"), not hidden],
        )
    address = page.url.replace("/play/", "/api/games/")
    desk.go("/review")
    expect(page.get_by_role("link", name="Play on")).to_have_count(1)
    page.wait_for_function("async (path) => !(await (await fetch(path)).json()).running", arg=address)


def test_complaint_does_not_outlive_its_game(desk: Person) -> None:
    page = desk.game(board=SMALL)
    desk.cell("A1").click()
    desk.shows("A1", "1")
    page.keyboard.press("u")
    desk.shows("A1", "closed")
    page.keyboard.press("u")  # there is nothing more to take back
    expect(page.locator(".toast--wrong")).to_be_visible()
    page.keyboard.press("n")
    expect(page.get_by_text("Back to the last one")).to_be_visible()
    assert page.locator(".toast--wrong").count() == 0


LYING = {**PHONE, "viewport": {"width": 844, "height": 390}}
DOUBLED = {"viewport": {"width": 640, "height": 400}, "device_scale_factor": 2}
"""1280 × 800 at 200 %."""

CONTRAST_OF_DOT = """cell => {
    const { width } = cell.getBoundingClientRect();
    const dot = getComputedStyle(cell, "::after");
    const ring = dot.boxShadow.match(/rgb[^)]*\\)/)[0];
    return [getComputedStyle(cell).backgroundColor, dot.backgroundColor, ring, parseFloat(dot.width) / width];
}"""


def test_laid_board_names_its_start(desk: Person) -> None:
    page = desk.game(board="beginner/safe#7")
    expect(page.get_by_role("heading", name="Open any cell")).to_be_visible()
    desk.cell("E5").click()
    expect(desk.cell("E5")).not_to_have_accessible_name(re.compile("closed"))
    page.keyboard.press("r")
    expect(page.get_by_role("heading", name="Start at the dot")).to_be_visible()
    expect(page.get_by_text("Any other cell may be a mine.")).to_be_visible()
    expect(desk.cell("E5")).to_have_accessible_name("E5 closed, safe to start at")
    desk.game(board=SMALL)
    expect(page.get_by_role("heading", name="The mines are laid")).to_be_visible()
    expect(page.get_by_text("The first click may be a mine.")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_start_is_plainly_visible(browser: Browser, server: Server, scheme: str) -> None:
    with person(browser, server.address, color_scheme=scheme, reduced_motion="reduce", **PHONE) as somebody:
        page = somebody.game(daily="today", level="expert")
        start = page.get_by_role("gridcell", name="safe to start at")
        expect(start).to_be_in_viewport()
        for board in ("plain", "classic", "csp"):
            page.evaluate("board => document.documentElement.dataset.board = board", board)
            ground, dot, ring, share = start.evaluate(CONTRAST_OF_DOT)
            assert share > 0.4
            assert contrast(dot, ring) >= 4.5
            assert max(contrast(dot, ground), contrast(ring, ground)) >= 3


COVERED = """menu => {
    const { top, bottom } = menu.getBoundingClientRect();
    return [...menu.querySelectorAll("button")].filter((item) => {
        const box = item.getBoundingClientRect();
        const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
        return y > top && y < bottom && !item.contains(document.elementFromPoint(x, y));
    }).map((item) => item.textContent);
}"""
"""The choices of a menu that something else lies upon."""


@pytest.mark.parametrize("window", [PHONE, LYING, DOUBLED], ids=["phone", "lying", "doubled"])
def test_menu_is_above_the_coach(browser: Browser, server: Server, window: dict[str, object]) -> None:
    with person(browser, server.address, **window) as somebody:
        page = somebody.game(level="expert")
        if window is PHONE:
            somebody.button("Unfold Coach").click()
        page.get_by_role("tab", name="Agent").click()
        expect(page.get_by_label("Agent", exact=True)).to_be_visible()
        for menu in ("New game", "Level: Expert"):
            somebody.button(menu).click()
            expect(page.get_by_role("menu")).to_be_in_viewport(ratio=0.99)
            assert page.get_by_role("menu").evaluate(COVERED) == []
            page.keyboard.press("Escape")


@pytest.mark.parametrize("window", [LYING, DOUBLED], ids=["lying", "doubled"])
def test_hint_is_beside_the_board_in_a_low_window(browser: Browser, server: Server, window: dict[str, object]) -> None:
    with person(browser, server.address, **window) as somebody:
        page = somebody.game(board="expert/opening#3")
        somebody.cell("P8").click()
        expect(somebody.cell("P8")).not_to_have_accessible_name(re.compile("closed"))
        page.get_by_role("toolbar", name="Tools").get_by_role("button", name="Hint").click()
        page.get_by_role("button", name="Why", exact=True).click()
        expect(page.locator(".verdict")).to_be_in_viewport(ratio=0.99)
        panel = page.get_by_role("complementary", name="Coach").bounding_box()
        stage = page.locator(".viewport").bounding_box()
        spoken = page.locator(".cell--chosen").bounding_box()
        assert panel is not None
        assert stage is not None
        assert spoken is not None
        assert stage["x"] + stage["width"] <= panel["x"]
        assert stage["height"] >= 180
        assert stage["y"] <= spoken["y"]
        assert spoken["y"] + spoken["height"] <= stage["y"] + stage["height"]
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_sheet_begins_at_its_top_and_folds_after_a_move(phone: Person) -> None:
    page = phone.game(board="expert/opening#3")
    phone.cell("E5").tap()
    expect(phone.cell("E5")).not_to_have_accessible_name(re.compile("closed"))
    page.get_by_role("toolbar", name="Tools").get_by_role("button", name="Hint").tap()
    expect(phone.button("Where?").first).to_be_visible()
    page.get_by_role("region", name="What the coach says").evaluate("body => body.scrollTop = 500")
    page.get_by_role("button", name="Why", exact=True).tap()
    expect(page.locator(".steps")).to_be_visible()
    page.wait_for_function("document.querySelector('.coach__body').scrollTop === 0")
    page.get_by_role("button", name=re.compile("^Open [A-Z]+[0-9]+$")).tap()
    expect(phone.button("Unfold Coach")).to_be_visible()


ASKED = """
const { send } = WebSocket.prototype;
window.asked = [];
WebSocket.prototype.send = function (text) {
    const { do: what } = JSON.parse(text);
    window.asked.push(what);
    return what === "hint" ? undefined : send.call(this, text);
};"""
"""The page notes what it asks, and its hints are never answered."""


def test_hint_that_is_looked_for_is_not_begun_anew(desk: Person) -> None:
    desk.page.add_init_script(ASKED)
    page = desk.game(board=SMALL)
    desk.cell("A1").click()
    desk.shows("A1", "1")
    for _ in range(5):
        page.keyboard.press("w")
    expect(page.get_by_text("Looking …")).to_be_visible()
    assert page.evaluate("window.asked.filter(what => ['hint', 'cancel'].includes(what))") == ["hint"]


def test_clues_are_those_of_the_cell_that_is_explained(desk: Person) -> None:
    page = desk.game(board=SMALL)
    for name in ("A1", "D3"):
        desk.cell(name).click()
        desk.shows(name, "1")
    page.get_by_role("tab", name="Why").click()
    desk.cell("A2").hover()
    expect(page.get_by_role("heading", name="A2 is not certain")).to_be_visible()
    expect(page.get_by_role("heading", name="Clues here, around A2")).to_be_visible()
    expect(page.locator(".table .ref")).to_have_text(["A1"])


def test_won_game_is_finished_with_flags(desk: Person) -> None:
    page = desk.game(board="3x1x1/any=4")  # the mine is at B1
    for name in ("A1", "C1"):
        desk.cell(name).click()
    expect(page.get_by_role("heading", name="Won", exact=True)).to_be_visible()
    desk.shows("B1", "flag")
    expect(page.get_by_role("img", name="0 mines left")).to_be_visible()
    expect(page.locator(".board--party")).to_be_visible()
    moving = "document.getAnimations().some(motion => ['plant', 'cheer'].includes(motion.animationName))"
    page.wait_for_function(f"() => !({moving})")
    page.emulate_media(reduced_motion="reduce")
    page.reload()
    desk.shows("B1", "flag")
    desk.button("Same board again").click()
    for name in ("A1", "C1"):
        desk.cell(name).click()
    expect(page.get_by_role("heading", name="Won", exact=True)).to_be_visible()
    assert not page.evaluate(moving)


def test_flag_mode_and_dragging_by_mouse(desk: Person) -> None:
    page = desk.game(board=SMALL)
    desk.shows("A1", "closed")
    page.keyboard.press("m")
    expect(desk.button("Flag mode")).to_have_attribute("aria-pressed", "true")
    desk.cell("B1").click()
    desk.shows("B1", "flag")
    desk.cell("B1").click()
    desk.shows("B1", "closed")
    page.keyboard.press("m")
    desk.cell("A2").hover()
    page.mouse.down(button="right")
    for name in ("B2", "C2", "D2"):
        desk.cell(name).hover()
    page.mouse.up(button="right")
    for name in ("A2", "B2", "C2", "D2"):
        desk.shows(name, "flag")
    desk.cell("A1").click()
    desk.shows("A1", "1")
    desk.cell("D2").hover()
    page.mouse.down(button="right")
    for name in ("D1", "C1", "C2"):
        desk.cell(name).hover()
    page.mouse.up(button="right")
    for name, what in (("D2", "closed"), ("D1", "closed"), ("C1", "closed"), ("C2", "closed"), ("B2", "flag")):
        desk.shows(name, what)


def test_number_with_all_its_flags_is_paler(desk: Person) -> None:
    page = desk.game(board=SMALL)
    desk.cell("A1").click()
    desk.shows("A1", "1")
    desk.cell("B1").click(button="right")
    expect(desk.cell("A1")).to_have_class(re.compile("cell--done"))
    desk.cell("A2").click(button="right")
    expect(desk.cell("A1")).not_to_have_class(re.compile("cell--done"))  # one too many
    desk.cell("A2").click(button="right")
    expect(desk.cell("A1")).to_have_class(re.compile("cell--done"))
    desk.button("Settings").click()
    page.get_by_label("Numbers that have all their flags are paler").uncheck()
    expect(desk.cell("A1")).not_to_have_class(re.compile("cell--done"))


def test_tapped_cell_does_not_stay_lit_and_small_odds_have_no_text(phone: Person) -> None:
    page = phone.game(board="expert/opening#3")
    phone.cell("C3").tap()
    expect(phone.cell("C3")).not_to_have_accessible_name(re.compile("closed"))
    page.get_by_role("radio", name="Flag").tap()
    colour = "cell => getComputedStyle(cell).backgroundColor"
    phone.cell("A16").evaluate("cell => cell.scrollIntoView()")
    phone.cell("A16").tap()
    phone.shows("A16", "flag")
    assert phone.cell("A16").evaluate(colour) == phone.cell("B16").evaluate(colour)
    page.get_by_role("button", name="Odds").tap()
    text = page.locator(".cell:not(.cell--unseen) > .cell__odds").first
    expect(text).to_be_attached()
    size = "text => parseFloat(getComputedStyle(text).fontSize)"
    assert text.evaluate(size) >= 10
    for _ in range(8):
        page.keyboard.press("-")
    assert text.evaluate(size) == 0


def test_screen_readers_hear_each_part_of_a_hint_once(desk: Person) -> None:
    page = desk.game(board="3x2x2/any=a0")
    for name in ("A2", "B2", "C2"):
        desk.cell(name).click()
        expect(desk.cell(name)).not_to_have_accessible_name(re.compile("closed"))
    page.evaluate("""() => {
        window.heard = [];
        const region = document.querySelector(".view > [aria-live=polite]");
        new MutationObserver(() => region.textContent && window.heard.push(region.textContent))
            .observe(region, { childList: true, characterData: true, subtree: true });
    }""")
    for text in ("There is a certain move.", "Where?", "Clues?"):
        page.keyboard.press("w")
        shown = page.get_by_role("heading", name=text).or_(page.locator(".ladder [aria-current]", has_text=text))
        expect(shown).to_be_visible()
    page.keyboard.press("w")
    page.keyboard.press("w")
    expect(page.locator(".steps")).to_be_visible()
    page.wait_for_function("window.heard.at(-1).startsWith('Step ')")
    heard = page.evaluate("window.heard")
    assert heard[0] == "There is a certain move."
    assert len(heard) == len(set(heard)) == 5


SLOW = """
const { send } = WebSocket.prototype;
WebSocket.prototype.send = function (text) { setTimeout(() => send.call(this, text), 350); };
const { set } = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage");
Object.defineProperty(WebSocket.prototype, "onmessage", { set(hear) {
    set.call(this, (event) => setTimeout(() => hear(event), 350));
} });"""
"""The server is 700 ms away."""


def test_slow_connection_is_playable(desk: Person) -> None:
    desk.page.add_init_script(SLOW)
    page = desk.game(board=SMALL)
    desk.cell("A1").click()
    expect(desk.cell("A1")).to_have_class(re.compile("is-pressed"), timeout=300)  # long before the answer
    expect(desk.cell("A1")).to_have_accessible_name("A1 closed")
    flags = {"B1": "flag", "D2": "flag", "A3": "flag"}
    for name, what in flags.items():
        desk.cell(name).click(button="right")
        expect(desk.cell(name)).to_have_accessible_name(re.compile(what), timeout=300)
    expect(page.get_by_role("img", name="0 mines left")).to_be_visible(timeout=300)
    desk.cell("A3").click(button="right")  # taken back before the server has heard of it
    expect(desk.cell("A3")).to_have_accessible_name("A3 closed", timeout=300)
    desk.cell("A3").click(button="right")
    desk.shows("A1", "1")
    desk.cell("A1").dblclick()
    desk.shows("B2", "2")
    desk.cell("B2").dblclick()
    for name, what in {**flags, "C1": "2", "C2": "2", "B3": "1"}.items():
        desk.shows(name, what)
    for name in ("D1", "C3", "D3"):
        desk.cell(name).click()  # without waiting
    expect(page.get_by_role("heading", name="Won", exact=True)).to_be_visible()
    assert page.locator(".toast--wrong").count() == 0
