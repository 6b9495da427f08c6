"""A person at the page, in a real browser: Debian's Chromium, driven by playwright."""

from __future__ import annotations

import base64
import re
import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from support.processes import wait_for

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, BrowserContext, Locator, Page, Playwright

ARGS = ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
DESK = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}

DROP = """([name, data]) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([Uint8Array.from(atob(data), one => one.charCodeAt(0))], name));
    const send = type => document.body.dispatchEvent(
        new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    const refused = send("dragover");
    if (!refused) send("drop");
    return !refused;
}"""
"""Drops a file; whether the page takes it."""

expect.set_options(timeout=30_000)


def chromium(play: Playwright) -> Browser:
    """The system's browser; `make test` installs it where it is missing."""
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    assert found is not None, "the tests need a browser (Debian: apt-get install chromium)"
    return play.chromium.launch(executable_path=found, args=ARGS)


class Person:
    """A browser of one's own, at the server. Whatever the page complains about, or asks other hosts for, is kept."""

    def __init__(self, context: BrowserContext, address: str) -> None:
        self.address = address
        self.context = context
        self.page = context.new_page()
        self.complaints: list[str] = []
        self.hosts: set[str] = set()
        self.page.on("console", lambda told: self._complain(told.type, told.text))
        self.page.on("pageerror", lambda error: self._complain("error", str(error)))
        self.page.on("request", lambda asked: self.hosts.add(urlsplit(asked.url).netloc))

    def _complain(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.complaints.append(text)

    def check(self) -> None:
        """Nothing in the console, and nobody else was asked."""
        assert self.complaints == []
        assert self.hosts <= {urlsplit(self.address).netloc, ""}

    def go(self, path: str) -> Page:
        """To a view."""
        self.page.goto(self.address + path)
        return self.page

    def game(self, **fields: Any) -> Page:
        """At a game of this kind."""
        self.page.goto(self.address + "/stats")  # a cookie first: the game is to be this player's
        made = self.page.request.post(f"{self.address}/api/games", data=fields)
        assert made.status == 201, made.text()
        return self.go(f"/play/{made.json()['id']}")

    def cell(self, name: str) -> Locator:
        """A cell of the board, whatever it shows."""
        return self.page.locator(f'[role="gridcell"][aria-label^="{name} "]')

    def shows(self, name: str, what: str) -> None:
        """The accessible name of a cell begins with its name and what it shows."""
        expect(self.cell(name)).to_have_accessible_name(re.compile(rf"^{name} {re.escape(what)}($|,)"))

    def button(self, name: str, **more: Any) -> Locator:
        """A button, by its name."""
        return self.page.get_by_role("button", name=name, **more)

    def hold(self, name: str) -> None:
        """A finger goes down on a cell, and stays until there is a flag on it, or none any more."""
        box = self.cell(name).bounding_box()
        assert box is not None
        before = self.cell(name).get_attribute("aria-label")
        wire = self.context.new_cdp_session(self.page)
        point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        wire.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
        expect(self.cell(name)).not_to_have_attribute("aria-label", before or "")
        wire.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def paste(self, text: str) -> None:
        """Ctrl-V with this text in the clipboard."""
        self.page.evaluate(
            """text => {
                const clipboardData = new DataTransfer();
                clipboardData.setData("text/plain", text);
                document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
            }""",
            text,
        )

    def drop(self, name: str, data: bytes) -> None:
        """A file is dragged over the page, and let go: as soon as it takes files, a moment after it is drawn."""
        what = [name, base64.b64encode(data).decode()]
        wait_for(lambda: self.page.evaluate(DROP, what), seconds=30)


@contextmanager
def person(browser: Browser, address: str, **options: Any) -> Iterator[Person]:
    """Somebody who comes with an empty browser; in the end there must be nothing to complain about."""
    context = browser.new_context(**{**DESK, **options})
    try:
        somebody = Person(context, address)
        yield somebody
        somebody.check()
    finally:
        context.close()


def violations(page: Page) -> list[str]:
    """What axe-core calls serious or critical, with the place."""
    said = Axe().run(page).response
    assert said["passes"], "axe has looked at nothing"
    found = said["violations"]
    return [
        f"{one['id']}: {node['html'][:120]}"
        for one in found
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"][:3]
    ]
