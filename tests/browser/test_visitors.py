"""Two people and one game: one plays, the other watches, until the game is handed over."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from support.browser import PHONE, person

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

    from support.browser import Person
    from support.web import Server

WATCHING = "You are watching somebody's game."


@pytest.fixture
def visitor(browser: Browser, server: Server) -> Iterator[Person]:
    """Somebody else, with a browser of their own."""
    with person(browser, server.address) as somebody:
        yield somebody


def choose(who: Person, item: str, told: str) -> str:
    """Choose in the menu of the game, and return what was copied."""
    who.context.grant_permissions(["clipboard-read", "clipboard-write"])
    who.button("New game", exact=True).click()
    who.page.get_by_role("menuitem", name=item).click()
    expect(who.page.get_by_text(told)).to_be_visible()
    text: str = who.page.evaluate("navigator.clipboard.readText()")
    return text


def test_one_plays_and_the_other_watches_until_the_game_is_handed_over(desk: Person, visitor: Person) -> None:
    desk.game(board="4x3x3/any=418")
    desk.shows("A1", "closed")
    link = choose(desk, "Copy a link to watch it", "Link copied")
    visitor.go(link.removeprefix(visitor.address))
    expect(visitor.page.get_by_text(WATCHING).first).to_be_visible()
    for name in ("Hint", "Undo", "Odds", "Pause"):
        expect(visitor.button(name)).to_have_count(0)
    visitor.cell("A1").click()
    for key in ("w", "o", "u", "p", "Enter", "f", "y"):
        visitor.page.keyboard.press(key)
    desk.cell("A1").click()
    visitor.shows("A1", "1")  # live, and the first cell that was opened
    assert desk.page.request.get(f"{desk.address}/api/games/{link.rsplit('/', 1)[1]}").json()["moves"] == ["open A1"]

    gift = choose(desk, "Hand it over …", "Whoever opens it first")
    visitor.go(gift.removeprefix(visitor.address))
    expect(visitor.button("Hint", exact=False).first).to_be_visible()
    expect(desk.page.get_by_text(WATCHING).first).to_be_visible()
    visitor.cell("A2").click(button="right")
    desk.shows("A2", "flag")
    assert "take" not in visitor.page.url


def test_a_hidden_game_is_gone_for_others(desk: Person, browser: Browser, server: Server) -> None:
    desk.game(level="beginner", seed=1)
    desk.shows("A1", "closed")
    with person(browser, server.address, **PHONE) as visitor:
        visitor.go(desk.page.url.removeprefix(desk.address))
        expect(visitor.page.get_by_text(WATCHING).last).to_be_visible()
        desk.button("New game", exact=True).click()
        desk.page.get_by_role("menuitem", name="Others can watch: yes").click()
        expect(visitor.page.get_by_text("There is no such game")).to_be_visible()
        desk.cell("A1").click()
        desk.shows("A1", "empty")
