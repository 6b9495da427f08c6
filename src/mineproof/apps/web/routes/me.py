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
def me(request: Request, response: Response, services: Use, player: Player) -> dict[str, Any]:
    """The player; a new one gets a cookie."""
    know_player(request, response)
    return {"games": history.count(services.store, player) if player is not None else 0}


@router.get("/statistics")
async def statistics(request: Request, services: Use, player: Player) -> dict[str, Any]:
    """Games, wins, streaks and times by level; skill against luck."""

    def ask(limit: Limit) -> dict[str, Any]:
        history.count_guesses(services.games, player, limit)
        return history.statistics(services.store, player)

    return await services.work.answer(request, ask, 2.0)


@router.get("/me/export", response_class=Json)
def export(services: Use, player: Player) -> Json:
    """Everything, as a file."""
    name = 'attachment; filename="mineproof.json"'
    return Json(history.export(services.store, player), headers={"Content-Disposition": name})


@router.delete("/me", status_code=204)
def forget(response: Response, services: Use, player: Player) -> None:
    """Delete everything."""
    history.forget(services.store, player)
    response.delete_cookie(COOKIE, httponly=True, samesite="lax")
