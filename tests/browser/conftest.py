"""A browser for the tests of a file, one server for all; each test comes with an empty browser profile."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import sync_playwright

from support.browser import PHONE, chromium, person
from support.web import Server

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

    from support.browser import Person


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium. It is closed before other tests: its event loop runs as long as it is open."""
    with sync_playwright() as play:
        made = chromium(play)
        yield made
        made.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """``mineproof web``."""
    with Server(f"sqlite:///{tmp_path_factory.mktemp('web') / 'web.db'}") as made:
        yield made


@pytest.fixture
def desk(browser: Browser, server: Server) -> Iterator[Person]:
    """Somebody at a desk."""
    with person(browser, server.address) as somebody:
        yield somebody


@pytest.fixture
def phone(browser: Browser, server: Server) -> Iterator[Person]:
    """Somebody with a phone."""
    with person(browser, server.address, **PHONE) as somebody:
        yield somebody
