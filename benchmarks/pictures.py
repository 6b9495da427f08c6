"""Pictures of the web app: ``python benchmarks/pictures.py`` remakes those of the docs. Needs Chromium.

With a folder: every view, in light and dark, at every size; with a word too, only those with the word in their names.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from support.browser import PHONE, Person, chromium
from support.web import Server

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

SIZES = {
    "desk": (1280, 800),
    "phone": (390, 844),
    "narrow": (360, 740),
    "tablet": (820, 1180),
    "large": (2560, 1440),
    "4k": (3840, 2160),
}
IMAGES = Path(__file__).parent.parent / "docs" / "images"
CONFLICT = (
    "16x10x28-H11121HHHHHHHHHH-221H3HHHHHHHHHHH-H1113H312HHHHHHH-110011101H1HHHHH-11100111123HHHHH-"
    "2H2001H101HH1HHH-2H20022201122HHH-233101H100012HHH-3HH211110001HHHH-HH4H100000012HHH"
)
EXPERT = "expert/opening#68"


def _game(who: Person, turns: int, **fields: object) -> Page:
    """A game in which an agent has made all certain moves this many times."""
    page = who.game(**fields)
    name = page.url.rpartition("/")[2]
    for turn in range(turns):
        body = {"agent": "best", "mode": "certain", "guess": turn % 4 == 3}
        who.page.request.post(f"{who.address}/api/games/{name}/agent", data=body)
    page.reload()
    page.get_by_role("grid").wait_for()
    return page


def _play(who: Person) -> None:
    page = _game(who, 3, board=EXPERT)
    page.keyboard.press("o")
    for rung in range(5):
        page.keyboard.press("w")
        page.locator(f".ladder__rung.is-taken:nth-child({rung + 1})").wait_for()
    page.locator(".step").first.wait_for()


def _lost(who: Person, turns: int = 2, board: str = "intermediate/opening#11") -> None:
    page = _game(who, turns, board=board)
    name = page.url.rpartition("/")[2]
    while (game := page.request.get(f"{who.address}/api/games/{name}").json())["state"] == "playing":
        lines = game["position"].split("\n")[1:]
        row, col = next((r, c) for r, line in enumerate(lines) for c, symbol in enumerate(line) if symbol == "H")
        page.request.post(f"{who.address}/api/games/{name}/moves", data={"move": f"open {chr(65 + col)}{row + 1}"})
    page.reload()
    page.locator(".rating .prose").first.wait_for()


def _review(who: Person) -> None:
    _lost(who, 14, EXPERT)
    page = who.go(who.page.url.removeprefix(who.address).replace("/play/", "/review/"))
    page.get_by_text("risk", exact=True).wait_for()
    page.get_by_text("Playing out the guesses").wait_for(state="detached")
    page.keyboard.press("Home")
    page.keyboard.press("g")
    page.locator(".move__why").wait_for()


def _why(who: Person) -> None:
    page = who.go("/analyse?cell=A1&position=5x4x6-H2HHH-HHH4H-24H2H-HHH1H")
    page.locator(".step").first.wait_for()


def _stats(who: Person) -> None:
    for _ in range(4):
        page = who.game(level="6x5x5", first_click="opening")
        name = page.url.rpartition("/")[2]
        for cell in ("C3", "A1", "F5", "A5", "F1"):
            page.request.post(f"{who.address}/api/games/{name}/moves", data={"move": f"open {cell}"})
    who.go("/stats").get_by_text("Skill and luck").wait_for()


def _dialog(who: Person) -> None:
    page = who.game(level="beginner")
    page.get_by_role("button", name="New game").click()
    page.get_by_role("menuitem", name="Size, rules, seed …").click()
    page.get_by_label("A board that needs no guess").check()


def _watch(who: Person) -> None:
    page = who.go("/watch?level=intermediate&rules=opening&seed=12&left=best&right=matching")
    page.get_by_role("slider").fill("1500")
    page.get_by_role("button", name="Run both").click()
    page.get_by_text(re.compile("has finished|opened a mine|Your turn")).nth(1).wait_for()


def _there(path: str, told: str) -> Callable[[Person], None]:
    return lambda who: who.go(path).get_by_text(told).locator("visible=true").first.wait_for()


VIEWS: dict[str, Callable[[Person], None]] = {
    "play": _play,
    "start": lambda who: who.game(level="intermediate", no_guess=True).get_by_role("grid").wait_for(),
    "lost": _lost,
    "dialog": _dialog,
    "watch": _watch,
    "analyse": _there("/analyse", "boards fit"),
    "conflict": _there(f"/analyse?position={CONFLICT}", "Possible corrections"),
    "why": _why,
    "review": _review,
    "learn": _there("/learn", "Techniques"),
    "lesson": _there("/learn/1-2-1?board=2", "Find a safe cell"),
    "systems": _there("/learn/systems", "KB0, proved"),
    "hard": _there("/learn/hard", "A1 is safe"),
    "stats": _stats,
}
DOCS = {
    "web-play": ("play", "desk", "light"),
    "web-play-dark": ("play", "desk", "dark"),
    "web-watch": ("watch", "desk", "light"),
    "web-analyse": ("conflict", "desk", "light"),
    "web-review": ("review", "desk", "light"),
    "web-systems": ("systems", "desk", "light"),
    "web-stats": ("stats", "desk", "light"),
    "web-phone": ("play", "phone", "light"),
}


def main() -> None:
    """Start a separate server; each picture is taken with a fresh profile."""
    every = {
        f"{view}-{size}-{scheme}": (view, size, scheme)
        for view in VIEWS
        for size in SIZES
        for scheme in ("light", "dark")
    }
    folder, wanted = (Path(sys.argv[1]), every) if len(sys.argv) > 1 else (IMAGES, DOCS)
    only = sys.argv[2] if len(sys.argv) > 2 else ""
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as place,
        Server(f"sqlite:///{place}/web.db") as server,
        sync_playwright() as play,
    ):
        browser = chromium(play)
        for name, (view, size, scheme) in wanted.items():
            if not re.search(only, name):
                continue
            width, height = SIZES[size]
            touch = PHONE if width < 900 else {}
            options: dict[str, Any] = {**touch, "color_scheme": scheme, "viewport": {"width": width, "height": height}}
            context = browser.new_context(reduced_motion="reduce", **options)
            who = Person(context, server.address)
            VIEWS[view](who)
            who.page.wait_for_load_state("networkidle")
            who.page.screenshot(path=folder / f"{name}.png")
            print(name, flush=True)
            context.close()
        browser.close()


if __name__ == "__main__":
    main()
