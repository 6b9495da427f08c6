"""The player's own data: statistics, export and deletion."""

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from mineproof.apps.web import history
from mineproof.apps.web.routes import models
from mineproof.apps.web.services import COOKIE, Json, Player, Use, know_player
from mineproof.limit import Limit

router = APIRouter(prefix="/api", tags=["my data"], responses=models.REFUSALS)


@router.get("/me")
def me(request: Request, response: Response, use: Use, player: Player) -> dict[str, Any]:
    """The player; a new one gets a cookie."""
    know_player(request, response)
    return {"games": history.count(use.store, player) if player is not None else 0}


@router.get("/statistics")
async def statistics(request: Request, use: Use, player: Player) -> dict[str, Any]:
    """Games, wins, streaks and times by level; skill against luck."""

    def ask(limit: Limit) -> dict[str, Any]:
        history.count_guesses(use.games, player, limit)
        return history.statistics(use.store, player)

    return await use.work.answer(request, ask, 2.0)


@router.get("/me/export", response_class=Json)
def export(use: Use, player: Player) -> Json:
    """Everything, as a file."""
    name = 'attachment; filename="mineproof.json"'
    return Json(history.export(use.store, player), headers={"Content-Disposition": name})


@router.delete("/me", status_code=204)
def forget(response: Response, use: Use, player: Player) -> None:
    """Delete everything."""
    history.forget(use.store, player)
    response.delete_cookie(COOKIE, httponly=True, samesite="strict")
