"""Games and boards, judged: what each move was worth, how difficult the board was."""

from typing import Any

from fastapi import APIRouter, Request

from mineproof.apps.contents import started
from mineproof.apps.web import answers
from mineproof.apps.web.problems import InvalidInput
from mineproof.apps.web.routes import models
from mineproof.apps.web.services import Player, Services, Use
from mineproof.board.formats import Content
from mineproof.limit import Limit

router = APIRouter(prefix="/api", tags=["judging"], responses=models.REFUSALS)
Answer = dict[str, Any]


def _content(
    services: Services,
    player: str | None,
    game: str | None,
    text: str | None,
    data: str | None,
    format_name: str | None,
) -> Content:
    """A finished game of this server, or one supplied in the request."""
    if sum(source is not None for source in (game, text, data)) != 1:
        raise InvalidInput("send a game of this server, a text, or the data of a file")
    if game is not None:
        services.games.check(game, player, plays=False)
        return services.games.replay(game)
    return answers.read_data(text, data, format_name, services.settings.most_cells)


@router.post("/review")
async def review(request: Request, services: Use, player: Player, body: models.Review) -> Answer:
    """What each move of a game was worth."""

    def ask(limit: Limit) -> Answer:
        content = _content(services, player, body.game, body.text, body.data, body.format)
        return answers.reviewed(content, body.playouts, limit)

    return await services.work.answer(request, ask, body.seconds or services.settings.most_seconds)


@router.post("/rate")
async def rate(request: Request, services: Use, player: Player, body: models.Rate) -> Answer:
    """3BV, openings, islands, ZiNi; the steps that a board needs, and how difficult it is."""

    def ask(limit: Limit) -> Answer:
        content = _content(services, player, body.game, body.board, body.data, None)
        return answers.rated(started(content, body.start, InvalidInput), body.start, limit)

    return await services.work.answer(request, ask, body.seconds)
