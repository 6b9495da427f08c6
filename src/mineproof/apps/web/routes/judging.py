"""Games and boards, judged: what each move was worth, how difficult the board was."""

from typing import Any

from fastapi import APIRouter, Request

from mineproof.apps.contents import started
from mineproof.apps.web import answers
from mineproof.apps.web.problems import InvalidInput
from mineproof.apps.web.routes import models
from mineproof.apps.web.services import Services, Use
from mineproof.board.formats import Content
from mineproof.limit import Limit

router = APIRouter(prefix="/api", tags=["judging"], responses=models.REFUSALS)
Answer = dict[str, Any]


def _content(use: Services, game: str | None, text: str | None, data: str | None, format_name: str | None) -> Content:
    """A finished game of this server, or one supplied in the request."""
    if sum(source is not None for source in (game, text, data)) != 1:
        raise InvalidInput("send a game of this server, a text, or the data of a file")
    if game is not None:
        return use.games.replay(game)
    return answers.read_data(text, data, format_name, use.settings.most_cells)


@router.post("/review")
async def review(request: Request, use: Use, asked: models.Review) -> Answer:
    """What each move of a game was worth."""

    def ask(limit: Limit) -> Answer:
        content = _content(use, asked.game, asked.text, asked.data, asked.format)
        return answers.reviewed(content, asked.playouts, limit)

    return await use.work.answer(request, ask, asked.seconds or use.settings.most_seconds)


@router.post("/rate")
async def rate(request: Request, use: Use, asked: models.Rate) -> Answer:
    """3BV, openings, islands, ZiNi; the steps that a board needs, and how difficult it is."""

    def ask(limit: Limit) -> Answer:
        content = _content(use, asked.game, asked.board, asked.data, None)
        return answers.rated(started(content, asked.start, InvalidInput), asked.start, limit)

    return await use.work.answer(request, ask, asked.seconds)
