"""Games: made, played, handed over, shared."""

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from mineproof.agents.systems import find_system
from mineproof.apps.web import boards, handover, history
from mineproof.apps.web.boards import Board
from mineproof.apps.web.games import Planned, check_day, iso
from mineproof.apps.web.problems import InvalidInput
from mineproof.apps.web.routes import models
from mineproof.apps.web.services import OwnGame, Player, SeenGame, Services, Use
from mineproof.apps.web.work import address_of
from mineproof.board.level import Level
from mineproof.board.move import Move
from mineproof.limit import Limit

router = APIRouter(prefix="/api", tags=["games"], responses=models.REFUSALS)
Answer = dict[str, Any]


@router.post("/games", status_code=201)
async def create(request: Request, services: Use, player: Player, body: models.NewGame) -> Answer:
    """A new game."""
    services.work.count_game(address_of(request))
    return await services.work.answer(
        request,
        lambda limit: services.games.create(player, _board(services, player, body, limit)),
        services.settings.most_seconds,
    )


def _board(services: Services, player: str | None, body: models.NewGame, limit: Limit) -> Board:
    """The board that the fields name."""
    sources = {name: getattr(body, name) for name in ("seed", "board", "share", "again", "daily")}
    named = [name for name, value in sources.items() if value is not None]
    if len(named) > 1:
        raise InvalidInput(f"{' and '.join(named)} each name a board; send only one of them")
    says_rules = body.rules is not None or body.first_click is not None or body.preset is not None
    if named and named[0] in ("share", "again", "daily") and (says_rules or body.no_guess or body.difficulty):
        raise InvalidInput(f"{named[0]} names a board with its rules: it cannot be combined with other rules")
    if named and named[0] in ("share", "again", "board") and body.level is not None:
        raise InvalidInput(f"{named[0]} names a board with its size: it cannot be combined with a level")
    if body.share is not None:
        return services.games.shared(body.share)
    if body.again is not None:
        return services.games.again(body.again, player)
    if body.daily is not None:
        return services.games.daily(body.daily, body.level or "expert", limit)
    text, options = (body.rules, None) if isinstance(body.rules, str) else (None, body.rules)
    chosen = {} if options is None else options.model_dump(exclude_none=True)
    rules = boards.chosen_rules(body.preset, text, body.first_click, chosen)
    if body.board is not None:
        return boards.named(body.board, rules if says_rules else None, services.settings.most_cells)
    default = "expert" if body.preset is None else find_system(body.preset).levels[0]
    level = Level.parse(default if body.level is None else body.level)
    boards.check_size(level.grid, services.settings.most_cells)
    board = boards.fresh(level, rules, body.seed, body.no_guess, body.difficulty)
    return boards.laid_at_once(board, limit)


@router.get("/games")
def mine(
    services: Use,
    player: Player,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    before: Annotated[str | None, Query(max_length=40)] = None,
) -> Answer:
    """The player's own games, newest first."""
    return {"games": history.games_of(services.store, player, limit, before)}


@router.get("/daily")
def daily(services: Use, player: Player, day: Annotated[str, Query(max_length=20)] = "today") -> Answer:
    """The boards of a day, and how this player did on them."""
    date = check_day(day)
    return {"day": date, "levels": history.day_of(services.store, player, date)}


@router.get("/games/{game_id}")
def look(services: Use, player: Player, game_id: models.GameName) -> Answer:
    """A game as a player may see it."""
    return services.games.get(game_id, player)


@router.delete("/games/{game_id}", status_code=204)
def remove(services: Use, game_id: OwnGame) -> None:
    """Forget a game."""
    services.games.remove(game_id)


@router.post("/games/{game_id}/moves")
def move(services: Use, game_id: OwnGame, body: models.NewMove) -> Answer:
    """Make a move."""
    return services.games.move(game_id, [Planned(Move.parse(body.move), command=body.command)])


@router.post("/games/{game_id}/agent")
async def take_over(request: Request, services: Use, game_id: OwnGame, body: models.TakeOver) -> Answer:
    """An agent plays one move, or all that is certain now."""

    def ask(limit: Limit) -> Answer:
        single = body.mode == "step"
        answer, _ = handover.turn(services, game_id, body.agent, single=single, guess=body.guess, limit=limit)
        return answer

    return await services.work.answer(request, ask, body.seconds)


@router.post("/games/{game_id}/pause")
def pause(services: Use, player: Player, game_id: OwnGame) -> Answer:
    """Stop the clock."""
    services.games.pause(game_id, True)
    return services.games.get(game_id, player)


@router.post("/games/{game_id}/resume")
def resume(services: Use, player: Player, game_id: OwnGame) -> Answer:
    """Let the clock run again."""
    services.games.pause(game_id, False)
    return services.games.get(game_id, player)


@router.post("/games/{game_id}/hide")
async def hide(services: Use, player: Player, game_id: OwnGame) -> Answer:
    """Hide a game from all but its owner."""
    return await _changed_hands(services, game_id, player, lambda: services.games.hide(game_id, True))


@router.post("/games/{game_id}/show")
async def show(services: Use, player: Player, game_id: OwnGame) -> Answer:
    """Let others look at a game again."""
    return await _changed_hands(services, game_id, player, lambda: services.games.hide(game_id, False))


@router.post("/games/{game_id}/offer", status_code=201)
def offer(services: Use, game_id: OwnGame) -> Answer:
    """A code that makes the first who takes it the owner."""
    code, until = services.games.offer(game_id)
    return {"code": code, "path": f"/play/{game_id}?take={code}", "until": iso(until)}


@router.post("/games/{game_id}/take")
async def take(services: Use, player: Player, game_id: models.GameName, body: models.Take) -> Answer:
    """Become the owner, by an offered code."""
    return await _changed_hands(services, game_id, player, lambda: services.games.take(game_id, body.code, player))


async def _changed_hands(services: Services, game_id: str, player: str | None, change: Callable[[], None]) -> Answer:
    """Change who may look or play, and tell every page of the game."""
    await run_in_threadpool(change)
    for page in services.pages.get(game_id, set()):
        page.soon(page.look("owner"))
    return await run_in_threadpool(services.games.get, game_id, player)


@router.post("/games/{game_id}/share", status_code=201)
def share(services: Use, game_id: SeenGame) -> Answer:
    """A code with which others can play the same board."""
    code = services.games.share(game_id)
    return {"code": code, "path": f"/play?board={code}"}


@router.get("/games/{game_id}/replay", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
def replay(services: Use, game_id: SeenGame) -> Response:
    """A finished game as a file."""
    text = services.games.replay(game_id).to_text()
    name = f'attachment; filename="{game_id[:8]}.game"'
    return Response(text, media_type="text/plain", headers={"Content-Disposition": name})
