"""The documentation site: it builds without a warning, every link leads somewhere, and no other host is asked."""

from __future__ import annotations

import functools
import http.server
import os
import re
import subprocess
import sys
import threading
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import expect

import mineproof
import mineproof.apps.gym
import mineproof.apps.notebook
from support.browser import PHONE, person

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).parent.parent.parent


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files, and says nothing."""

    def log_message(self, *_: Any) -> None: ...


class Read(HTMLParser):
    """The ids of a page, where it leads, and what a browser loads for it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: set[str] = set()
        self.loaded: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value for name, value in attrs if value is not None}
        self.ids |= {found[name] for name in ("id", "name") if name in found}
        if tag == "a" and "href" in found:
            self.links.add(found["href"])
        elif tag != "link" or found.get("rel") not in ("canonical", "next", "prev"):
            self.loaded |= {found[name] for name in ("src", "href", "data") if name in found}


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole site, built as `make docs` does."""
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT, capture_output=True, text=True, check=False, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    return folder


@pytest.fixture(scope="session")
def pages(site: Path) -> dict[Path, Read]:
    """Every page of the site."""
    return {path: Read(path.read_text("utf-8")) for path in site.rglob("*.html") if path.name != "404.html"}


def test_every_page_of_the_docs_is_on_the_site(pages: dict[Path, Read], site: Path) -> None:
    sources = [path.relative_to(ROOT / "docs").with_suffix(".html") for path in ROOT.glob("docs/**/*.md")]
    assert {*sources, Path("contributing.html"), Path("changelog.html")} <= {path.relative_to(site) for path in pages}


def test_every_link_and_picture_is_there(pages: dict[Path, Read]) -> None:
    for path, page in pages.items():
        for address in page.links | page.loaded:
            to = urlsplit(address)
            if to.scheme or address.startswith("data:"):
                continue
            target = (path.parent / unquote(to.path)).resolve() if to.path else path
            target = target / "index.html" if target.is_dir() else target
            assert target.exists(), f"{path.name}: {address}"
            if to.fragment and target in pages and not to.fragment.startswith("__"):
                assert unquote(to.fragment) in pages[target].ids, f"{path.name}: {address}"


def test_nothing_is_loaded_from_another_host(pages: dict[Path, Read], site: Path) -> None:
    for path, page in pages.items():
        assert not [address for address in page.loaded if urlsplit(address).netloc], path.name
    for sheet in site.rglob("*.css"):
        assert not re.search(r"@import|url\(\s*[\"']?(https?:)?//", sheet.read_text("utf-8")), sheet.name


def test_every_public_name_is_in_the_reference(pages: dict[Path, Read]) -> None:
    ids = set().union(*(page.ids for page in pages.values()))
    for name in mineproof.__all__:
        assert f"{mineproof._LATER[name]}.{name}" in ids, name
    for app in (mineproof.apps.gym, mineproof.apps.notebook):
        listed = {anchor.rpartition(".")[2] for anchor in ids if anchor.startswith(f"{app.__name__}.")}
        assert set(app.__all__) <= listed


@pytest.mark.parametrize(("scheme", "look"), [("light", {}), ("dark", PHONE)])
def test_a_reader_asks_no_other_host(browser: Browser, site: Path, scheme: str, look: dict[str, Any]) -> None:
    serve = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(site)))
    threading.Thread(target=serve.serve_forever, daemon=True).start()
    with person(browser, f"http://127.0.0.1:{serve.server_port}/", color_scheme=scheme, **look) as reader:
        for path in ("index.html", "reference/board.html", "web.html"):
            page = reader.go(path)
            expect(page.locator("h1")).to_be_visible()
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert ground == {"light": "rgb(255, 255, 255)", "dark": "rgb(23, 27, 31)"}[scheme]
        page.keyboard.press("f")  # the search
        page.keyboard.type("mcnemar")
        expect(page.locator(".md-search-result__link").first).to_be_visible()
    serve.shutdown()
    serve.server_close()
