"""Shared by the routes: settings, the database, games, threads, and the player."""

import hashlib
import re
from dataclasses import dataclass, field
from secrets import token_urlsafe
from typing import Annotated, Any

from fastapi import Depends, Request
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, Response

from mineproof.apps.web.followers import Followers
from mineproof.apps.web.games import Games
from mineproof.apps.web.routes.models import GameName
from mineproof.apps.web.settings import Settings
from mineproof.apps.web.store import Store
from mineproof.apps.web.work import Work

COOKIE = "mineproof"
_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Services:
    """The services of an application."""

    settings: Settings
    store: Store
    games: Games
    followers: Followers
    work: Work
    pages: dict[str, set[Any]] = field(default_factory=dict)
    """The conversations about each game, by its id, in this process."""


class Json(JSONResponse):
    """A JSON response in plain ASCII, so that text of any kind can be sent back."""

    def render(self, content: Any) -> bytes:
        """Return the bytes of the response."""
        import json

        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode()


def _services(request: HTTPConnection) -> Services:
    services: Services = request.app.state.services
    return services


def player_of(connection: HTTPConnection) -> str | None:
    """Return the player of a cookie, as a hash: reading the database does not let anyone impersonate them."""
    token = connection.cookies.get(COOKIE, "")
    return hashlib.sha256(token.encode()).hexdigest() if _TOKEN.fullmatch(token) else None


def know_player(request: Request, response: Response) -> None:
    """Set the cookie if the client has none."""
    if player_of(request) is None:
        response.set_cookie(
            COOKIE, token_urlsafe(32), max_age=400 * 24 * 3600, httponly=True, samesite="lax",
            secure=request.url.scheme == "https",
        )  # fmt: skip


Use = Annotated[Services, Depends(_services)]
Player = Annotated[str | None, Depends(player_of)]


def _game_seen(services: Use, player: Player, game_id: GameName) -> str:
    """Return the id of a game at which the player may look."""
    services.games.check(game_id, player, plays=False)
    return game_id


def _game_played(services: Use, player: Player, game_id: GameName) -> str:
    """Return the id of a game that the player may play."""
    services.games.check(game_id, player, plays=True)
    return game_id


SeenGame = Annotated[str, Depends(_game_seen)]
OwnGame = Annotated[str, Depends(_game_played)]
