"""Every view: reachable by its address, without complaints, accessible, in light and dark, small and large."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

import mineproof.apps.web
from mineproof.percent import a_percent, percent
from support.browser import PHONE, Person, person, violations

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from support.web import Server

STATIC = Path(mineproof.apps.web.__file__).parent / "static"

VIEWS = {
    "play": ("/play", "Open any cell"),
    "watch": ("/watch?level=beginner&seed=1&left=best&right=csp", "waiting"),
    "analyse": ("/analyse", "boards fit"),
    "conflict": ("/analyse?position=3x2x2-HHH-131", "No board fits"),
    "why": ("/analyse?position=3x2x2-HHH-121&cell=B1", "Step 2 of 2"),
    "review": ("/review", "Your games"),
    "stats": ("/stats", "Your data"),
    "learn": ("/learn", "Techniques"),
    "lesson": ("/learn/1-2-1", "Find a safe cell"),
    "systems": ("/learn/systems", "KB0, proved"),
    "hard": ("/learn/hard", "A1 is safe"),
    "nowhere": ("/learn/no-such-lesson", "There is no such page"),
}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", list(VIEWS))
def test_view_is_accessible(browser: Browser, server: Server, name: str, scheme: str) -> None:
    path, told = VIEWS[name]
    with person(browser, server.address, color_scheme=scheme, reduced_motion="reduce") as somebody:
        page = somebody.go(path)
        expect(page.get_by_text(told).first).to_be_visible()
        assert violations(page) == []


def test_game_with_odds_and_its_end_are_accessible(desk: Person) -> None:
    page = desk.game(board="expert/opening#7")
    desk.cell("H8").click()
    expect(desk.cell("H8")).not_to_have_accessible_name(re.compile("closed"))
    page.keyboard.press("o")
    expect(page.get_by_text("% on cells away from all numbers")).to_be_visible()
    page.keyboard.press("w")
    expect(page.get_by_role("heading", name="No certain move")).to_be_visible()
    assert violations(page) == []
    desk.go("/stats")
    page = desk.game(board="4x3x3/any=418")
    desk.cell("B1").click()
    expect(page.get_by_role("heading", name="Game over")).to_be_visible()
    assert violations(page) == []


@pytest.mark.parametrize(
    "name", ["play", "analyse", "why", "review", "stats", "learn", "lesson", "systems", "hard", "watch"]
)
@pytest.mark.parametrize("width", [360, 390])
def test_nothing_sticks_out_on_a_phone(browser: Browser, server: Server, name: str, width: int) -> None:
    path, told = VIEWS[name]
    with person(browser, server.address, **{**PHONE, "viewport": {"width": width, "height": 740}}) as somebody:
        page = somebody.go(path)
        if name != "play":
            expect(page.get_by_text(told).first).to_be_attached()
        else:
            expect(page.get_by_role("grid")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nine_columns_fit_on_the_narrowest_phone(browser: Browser, server: Server, scheme: str) -> None:
    size = {"width": 360, "height": 740}
    with person(browser, server.address, **{**PHONE, "viewport": size, "color_scheme": scheme}) as somebody:
        page = somebody.game(level="beginner", no_guess=True)
        expect(page.get_by_text("A long press sets a flag")).to_be_visible()  # said once
        expect(page.get_by_role("timer")).to_be_in_viewport(ratio=1)
        box = somebody.cell("I9").bounding_box()
        assert box is not None
        assert box["width"] >= 34
        assert box["x"] + box["width"] <= 360
        somebody.cell("E5").tap()
        expect(page.get_by_text("A long press sets a flag")).to_have_count(0)
        page = somebody.game(level="12x12x20")
        expect(page.get_by_text("12", exact=True)).to_be_in_viewport(ratio=1)
        expect(page.get_by_text("A long press sets a flag")).to_have_count(0)
        somebody.button("Views").tap()
        page.get_by_role("menuitem", name="Fingers, mouse and keys").tap()
        expect(page.get_by_text("a long press flags")).to_be_visible()


@pytest.mark.parametrize("width", [360, 390])
def test_menus_stay_inside_the_window(browser: Browser, server: Server, width: int) -> None:
    with person(browser, server.address, **{**PHONE, "viewport": {"width": width, "height": 844}}) as somebody:
        page = somebody.game(level="expert")
        for name in ("Level: Expert", "New game", "Views"):
            somebody.button(name).tap()
            box = page.get_by_role("menu").bounding_box()
            assert box is not None
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width
            expect(page.get_by_role("menu").locator(":focus")).to_have_count(1)
            page.keyboard.press("Escape")
            expect(page.get_by_role("menu")).to_have_count(0)


def test_page_of_text_opens_at_its_top(phone: Person) -> None:
    page = phone.go("/learn/hard")
    expect(page.get_by_role("heading", name="A1 is safe", exact=True)).to_be_attached()
    assert page.locator("#main").evaluate("one => one.scrollTop") == 0


def test_unknown_address_shows_a_page(desk: Person) -> None:
    page = desk.go("/nothing/at/all")
    expect(page.get_by_role("heading", name="There is no such page")).to_be_visible()
    desk.complaints = [text for text in desk.complaints if "404" not in text]  # the browser notes the status
    page.get_by_role("main").get_by_role("link", name="Learn").click()
    page.get_by_role("link", name="Side by side").click()
    page.get_by_role("main").get_by_role("link", name="Learn").click()
    expect(page.get_by_role("heading", name="Techniques")).to_be_visible()


def test_labels_of_a_classic_board_are_dark_in_the_dark(browser: Browser, server: Server) -> None:
    with person(browser, server.address, color_scheme="dark") as somebody:
        page = somebody.go("/analyse?position=3x2x2-HHH-121")
        somebody.button("Settings").click()
        page.get_by_role("radio", name="Classic").click()
        ground = "one => getComputedStyle(one).backgroundColor"
        assert page.locator(".board__rows").evaluate(ground) == page.locator("body").evaluate(ground)


LIGHTNESS = """one => {
    const [r, g, b] = getComputedStyle(one).backgroundColor.match(/[0-9.]+/g).map(Number)
        .map(value => value / 255).map(value => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}"""


def test_dark_boards_are_dark_and_their_odds_differ_from_closed_cells(browser: Browser, server: Server) -> None:
    with person(browser, server.address, color_scheme="dark") as somebody:
        page = somebody.go("/analyse?position=3x2x1-HHH-HHH")
        expect(somebody.cell("A1")).to_have_attribute("data-odds", "3")  # 17 %
        odds = page.locator(".grid [data-odds='3']").first.evaluate(LIGHTNESS)
        closed = page.locator(".brush .cell--closed").first.evaluate(LIGHTNESS)
        assert (odds + 0.05) / (closed + 0.05) > 1.9
        page = somebody.go("/analyse?position=3x2x2-HHH-121")
        somebody.button("Settings").click()
        page.get_by_role("radio", name="Classic").click()
        for look in (".grid .cell[data-n]", ".brush .cell--closed"):
            assert page.locator(look).first.evaluate(LIGHTNESS) < 0.1


CUT = """() => [...document.querySelectorAll("button, a, select, label, h1, h2, h3, p, th, td")].filter(one => {
    const box = one.getBoundingClientRect();
    if (!box.width || one.closest(".visually-hidden, .skip, .board, [role=grid]")) return false;
    const scrolls = one.closest(".table-wrap, .viewport, .proof");
    const style = getComputedStyle(one);
    const clipped = style.overflow !== "visible" && one.scrollWidth > one.clientWidth + 1;
    const beside = !scrolls && (box.right > innerWidth + 1 || box.left < -1);
    return beside || (clipped && style.textOverflow !== "ellipsis");
}).map(one => one.outerHTML.slice(0, 120))"""
SHIFTS = """() => {
    window.shifts = 0;
    new PerformanceObserver(list => {
        for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts += entry.value;
    }).observe({ type: "layout-shift", buffered: true });
}"""


@pytest.mark.parametrize("name", list(VIEWS))
def test_nothing_moves_once_it_is_there(browser: Browser, server: Server, name: str) -> None:
    """Content may come; what is already there stays where it is. (0.1 is what the field calls good.)"""
    path, told = VIEWS[name]
    with person(browser, server.address) as somebody:
        somebody.page.add_init_script(f"({SHIFTS})()")
        page = somebody.go(path)
        expect(page.get_by_text(told).first).to_be_visible()
        page.wait_for_load_state("networkidle")
        page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert page.evaluate("window.shifts") <= 0.01


@pytest.mark.parametrize("name", list(VIEWS))
def test_text_of_double_size_is_all_there(browser: Browser, server: Server, name: str) -> None:
    """With a font twice as large nothing is cut off beside the window, nor in a control."""
    path, told = VIEWS[name]
    with person(browser, server.address) as somebody:
        somebody.page.add_init_script(
            "addEventListener('DOMContentLoaded', () => { document.documentElement.style.fontSize = '200%'; })"
        )
        page = somebody.go(path)
        expect(page.get_by_text(told).first).to_be_visible()
        assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"
        assert page.evaluate("document.documentElement.scrollWidth") <= 1280
        cut = page.evaluate(CUT)
        assert cut == []


def test_dark_mode_follows_the_system_and_can_be_chosen(browser: Browser, server: Server) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    with person(browser, server.address, color_scheme="dark") as somebody:
        page = somebody.go("/learn")
        expect(page.get_by_text("Techniques")).to_be_visible()
        assert page.evaluate(ground) == "rgb(15, 18, 21)"
        page.get_by_role("radio", name="Light").click()
        assert page.evaluate(ground) == "rgb(242, 244, 246)"
        page.reload()
        expect(page.get_by_text("Techniques")).to_be_visible()
        assert page.evaluate(ground) == "rgb(242, 244, 246)"


def test_themes_and_palettes(desk: Person) -> None:
    page = desk.go("/analyse?position=3x2x2-HHH-121")
    root = page.locator("html")
    desk.button("Settings").click()
    for group, choice, attribute, value in (
        ("Board", "Classic", "data-board", "classic"),
        ("Board", "CSP report", "data-board", "csp"),
        ("Numbers", "Colour-blind safe", "data-numbers", "safe"),
        ("Contrast", "High", "data-contrast", "more"),
    ):
        page.get_by_role("radiogroup", name=group).get_by_role("radio", name=choice).click()
        expect(root).to_have_attribute(attribute, value)
    assert violations(page) == []


def test_back_and_forward(desk: Person) -> None:
    page = desk.go("/learn")
    page.get_by_role("link", name=re.compile("One clue")).click()
    expect(page.get_by_role("heading", name="One clue")).to_be_visible()
    page.get_by_role("link", name="Stats").click()
    expect(page.get_by_role("heading", name="Statistics")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="One clue")).to_be_visible()
    page.go_forward()
    expect(page.get_by_role("heading", name="Statistics")).to_be_visible()


def test_large_board_draws_what_is_seen_and_every_cell_is_reached(desk: Person) -> None:
    page = desk.game(level="200x200x4000", first_click="opening", seed=1)
    grid = page.get_by_role("grid")
    expect(grid).to_have_attribute("aria-rowcount", "200")
    assert page.get_by_role("gridcell").count() < 6000
    desk.cell("J10").focus()
    page.keyboard.press("Control+End")
    expect(desk.cell("GR200")).to_be_focused()
    expect(desk.cell("GR200")).to_be_in_viewport()
    assert page.get_by_role("gridcell").count() < 6000
    page.keyboard.press("Enter")
    desk.shows("GR200", "empty")
    assert desk.cell("J10").count() == 0
    before = desk.cell("GR200").bounding_box()
    page.keyboard.press("+")
    page.wait_for_function(
        "width => document.querySelector(`[aria-label^='GR200 ']`).offsetWidth > width", arg=before and before["width"]
    )
    page.keyboard.press("Control+Home")
    expect(desk.cell("A1")).to_be_focused()


def test_agents_are_watched_to_the_end(desk: Person) -> None:
    page = desk.go("/watch?level=beginner&rules=opening&seed=3&left=best&right=sat")
    page.get_by_role("slider").fill("1500")
    desk.button("Run both").click()
    best = page.get_by_role("region", name="best", exact=True)
    expect(best.get_by_text(re.compile("best has finished the game|best opened a mine"))).to_be_visible()
    expect(best.locator(".watch__state strong")).to_have_text(re.compile("won|lost"))
    sat = page.get_by_role("region", name="sat", exact=True)
    expect(sat.get_by_text(re.compile("has finished|never guesses"))).to_be_visible()
    expect(best.locator(".reason").first).to_be_visible()


def test_two_agents_are_compared(desk: Person) -> None:
    page = desk.go("/watch?level=beginner&rules=opening&seed=3&left=best&right=csp")
    page.get_by_role("slider").fill("1500")
    newest = page.get_by_role("region", name="Newest reason of best")
    expect(newest).to_contain_text("The reason of each move will be here.")
    desk.button("Run both").click()
    result = page.locator(".watch__result")
    parted = r"They part at move \d+: best plays \w+ [A-I]\d, csp plays \w+ [A-I]\d\."  # csp guesses at random
    expect(result).to_contain_text(re.compile(parted))
    expect(result).to_contain_text("best has won")
    expect(result).to_contain_text(re.compile("csp has (won|lost)"))
    expect(newest.locator(".reason").first).to_be_in_viewport(ratio=1)


def test_tour_shows_its_boards_and_explains_its_levels(desk: Person) -> None:
    page = desk.go("/learn")
    expect(page.locator(".tour__picture")).to_have_count(10)
    expect(page.get_by_role("listitem").filter(has_text="Level 4: a longer chain").first).to_be_visible()
    page.get_by_role("main").get_by_role("link").first.click()
    expect(page.get_by_role("heading", name="One clue")).to_be_visible()
    expect(page.get_by_text("Level 1: one clue")).to_be_visible()
    page = desk.go("/learn/1-2-1")
    desk.button("Show me").click()
    expect(page.get_by_text("the mines lie beside the ones")).to_be_visible()


def test_agent_plays_on_when_the_other_one_is_stuck(desk: Person) -> None:
    page = desk.go("/watch?level=expert&rules=opening&seed=3&left=sat&right=best")
    page.get_by_role("slider").fill("1500")
    desk.button("Run both").click()
    sat = page.get_by_role("region", name="sat", exact=True)
    expect(sat.get_by_text("sat finds no certain move, and never guesses.")).to_be_visible()
    best = page.get_by_role("region", name="best", exact=True)
    expect(best.locator(".watch__state strong")).to_have_text(re.compile("won|lost"))
    expect(desk.button("Run both")).to_be_visible()
    desk.go("/review")
    expect(page.get_by_text("No games yet")).to_be_visible()


def test_lesson_is_solved_and_remembered(desk: Person) -> None:
    page = desk.go("/learn/1-1")
    desk.cell("A1").click()
    expect(page.get_by_role("heading", name="A1 is a mine", exact=True)).to_be_visible()
    desk.cell("C1").click()
    expect(page.get_by_role("heading", name="The idea")).to_be_visible()
    expect(page.get_by_text("solved")).to_be_visible()
    desk.button("Next board").click()
    expect(page).to_have_url(re.compile("board=2"))
    desk.go("/learn")
    expect(page.locator("a[href='/learn/1-1']")).to_contain_text("1 of 4")


def test_five_systems_differ(desk: Person) -> None:
    page = desk.go("/learn/systems")
    for system, said in (
        ("Harnjan · sat", "6 of 10"),
        ("Harnjan · sat", "at most 12 closed cells are not proved mines: here it was not used."),
        ("Lee · matching", "5 of 10"),
        ("Lee · matching", "KB0, proved"),
        ("Lee · matching", "# in KB: 47 (single: 0), # in KB0: 5"),
        ("McIntyre · chaining", "1 of 10"),
        ("McIntyre · chaining", "until 300 are reached"),
        ("McIntyre · chaining", "The limit of 600 clauses was reached"),
        ("Nguyen and Kafafian · normal-form", "4 of 10"),
        ("Nguyen and Kafafian · normal-form", "Normal forms"),
        ("Sharma et al. · csp", "6 of 10"),
        ("Sharma et al. · csp", "variables in {0, 1}"),
        ("Sharma et al. · csp", "Misses 4 cells"),
    ):
        expect(page.get_by_role("region", name=system, exact=True)).to_contain_text(said)
    sat = page.get_by_role("region", name="sat")
    page.get_by_role("slider", name="Conclusions shown").fill("1")
    expect(sat.locator(".cell--safe, .cell--mined")).to_have_count(1)
    desk.button("Harnjan: an end that needs the mine count").click()
    expect(sat).to_contain_text("8 of 8")
    expect(sat).to_contain_text("here it was used.")
    expect(page.get_by_role("region", name="csp")).to_contain_text("0 of 8")
    desk.button("Harnjan: a pair that cannot be decided").click()
    expect(sat).to_contain_text("Misses nothing.")
    sat.get_by_role("link", name="Play the game of Harnjan").click()
    expect(page.get_by_text("A flag is only a note: a click opens a flagged cell.")).to_be_visible()


def test_game_of_a_report_is_watched_by_a_link(desk: Person) -> None:
    page = desk.go("/watch?as=lee&seed=5")
    player = page.get_by_role("region", name="matching", exact=True)
    page.get_by_text("What matching has written down").click()
    expect(page.get_by_text("as many safe cells as the square root")).to_be_visible()
    expect(page.get_by_label("Level", exact=True)).to_have_value("easy")
    expect(page.get_by_label("A published system")).to_have_value("lee")
    expect(player.get_by_text(re.compile(r"# in KB: \d+ \(single: \d+\), # in KB0: \d+"))).to_be_visible()
    desk.button("Stop", exact=True).first.click()
    expect(player.get_by_text("matching has stopped.")).to_be_visible()
    zeros = player.locator("[role=gridcell][aria-label$=' empty']").all()
    named = player.locator("[role=gridcell][aria-label*='safe to start at']").count()
    moves = int(player.get_by_text(re.compile(r"^\d+ moves?$")).inner_text().split()[0])
    assert named + moves >= 9
    assert len(zeros) <= moves  # without flood a cell is opened by each move
    page.get_by_label("A published system").select_option("sharma")
    expect(page.get_by_role("region", name="csp", exact=True)).to_be_visible()
    expect(page.get_by_label("Level", exact=True)).to_have_value("16x16xnaive")
    page.get_by_label("A published system").select_option("")
    expect(page.get_by_label("Rules", exact=True)).to_have_value("opening")


def test_shell_works_offline(browser: Browser, server: Server) -> None:
    context = browser.new_context()
    somebody = Person(context, server.address)  # offline the browser complains, and it should
    page = somebody.go("/learn")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.wait_for_function("() => caches.keys().then(names => names.length > 0)")
    page.reload()
    expect(page.get_by_text("Techniques")).to_be_visible()
    context.set_offline(True)
    page.reload()
    expect(page.get_by_text("Techniques")).to_be_visible()
    page.goto(server.address + "/play")
    expect(page.get_by_role("heading", name="No answer from the server")).to_be_visible()
    context.close()


def test_shell_names_every_file() -> None:
    named = set(re.findall(r'"(/static/[^"]+)"', (STATIC / "sw.js").read_text()))
    kinds = {".js", ".css", ".json", ".svg"}
    there = {f"/static/{path.relative_to(STATIC).as_posix()}" for path in STATIC.rglob("*") if path.suffix in kinds}
    assert named == there - {"/static/sw.js"}
    page = (STATIC / "index.html").read_text()
    linked = set(re.findall(r'"(/static/[^"]+\.(?:js|css))"', page))
    assert linked < named  # what is needed first; other views are fetched when they are wanted
    assert {name for name in named if name.endswith(".css")} < linked
    assert "style=" not in page
    assert not re.search(r"<script(?![^>]*\bsrc=)", page)


def test_shares_are_written_as_by_python(desk: Person) -> None:
    shares = [0, 1e-9, 0.00049, 0.004, 0.006, 0.081, 0.1101, 0.18, 1 / 3, 0.994, 0.996, 0.9994, 0.9996, 1]
    script = """async (shares) => {
        const { aPercent, percentOf } = await import("/static/js/percent.js");
        return shares.map((share) => [percentOf(share), percentOf(share, 0), aPercent(share)]);
    }"""
    wanted = [[percent(share), percent(share, digits=0), a_percent(share)] for share in shares]
    assert desk.go("/play").evaluate(script, shares) == wanted
