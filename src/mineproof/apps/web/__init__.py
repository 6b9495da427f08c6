"""The web app: a server that holds the games, and a page that sees only what a player may see.

`create_app` makes the application (ASGI) from `Settings`; ``mineproof web`` serves it. The extra ``web`` is needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fastapi import FastAPI

    from mineproof.apps.web.settings import Settings


def create_app(settings: Settings | None = None) -> FastAPI:
    """Return the application; by default its settings come from the environment."""
    from mineproof.apps.web.app import make
    from mineproof.apps.web.settings import Settings

    return make(settings or Settings.from_environment())
