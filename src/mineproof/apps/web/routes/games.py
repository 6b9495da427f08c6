"""Games: made, played, handed over, shared."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from mineproof.agents.systems import find_system
from mineproof.apps.web import boards, handover, history
from mineproof.apps.web.boards import Board
from mineproof.apps.web.games import Planned, check_day
from mineproof.apps.web.problems import InvalidInput
from mineproof.apps.web.routes import models
from mineproof.apps.web.services import Player, Services, Use
from mineproof.apps.web.work import address_of
from mineproof.board.level import Level
from mineproof.board.move import Move
from mineproof.limit import Limit

router = APIRouter(prefix="/api", tags=["games"], responses=models.REFUSALS)
Answer = dict[str, Any]


@router.post("/games", status_code=201)
async def create(request: Request, use: Use, player: Player, wanted: models.NewGame) -> Answer:
    """A new game."""
    use.work.count_game(address_of(request))
    return await use.work.answer(
        request, lambda limit: use.games.create(player, _board(use, wanted, limit)), use.settings.most_seconds
    )


def _board(use: Services, wanted: models.NewGame, limit: Limit) -> Board:
    """The board that the fields name."""
    sources = {name: getattr(wanted, name) for name in ("seed", "board", "share", "again", "daily")}
    named = [name for name, value in sources.items() if value is not None]
    if len(named) > 1:
        raise InvalidInput(f"{' and '.join(named)} each name a board; send only one of them")
    says_rules = wanted.rules is not None or wanted.first_click is not None or wanted.preset is not None
    if named and named[0] in ("share", "again", "daily") and (says_rules or wanted.no_guess or wanted.difficulty):
        raise InvalidInput(f"{named[0]} names a board with its rules: it cannot be combined with other rules")
    if named and named[0] in ("share", "again", "board") and wanted.level is not None:
        raise InvalidInput(f"{named[0]} names a board with its size: it cannot be combined with a level")
    if wanted.share is not None:
        return use.games.shared(wanted.share)
    if wanted.again is not None:
        return use.games.again(wanted.again)
    if wanted.daily is not None:
        return use.games.daily(wanted.daily, wanted.level or "expert", limit)
    text, options = (wanted.rules, None) if isinstance(wanted.rules, str) else (None, wanted.rules)
    chosen = {} if options is None else options.model_dump(exclude_none=True)
    rules = boards.chosen_rules(wanted.preset, text, wanted.first_click, chosen)
    if wanted.board is not None:
        return boards.named(wanted.board, rules if says_rules else None, use.settings.most_cells)
    default = "expert" if wanted.preset is None else find_system(wanted.preset).levels[0]
    level = Level.parse(default if wanted.level is None else wanted.level)
    boards.check_size(level.grid, use.settings.most_cells)
    board = boards.fresh(level, rules, wanted.seed, wanted.no_guess, wanted.difficulty)
    return boards.laid_at_once(board, limit)


@router.get("/games")
def mine(
    use: Use,
    player: Player,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    before: Annotated[str | None, Query(max_length=40)] = None,
) -> Answer:
    """The player's own games, newest first."""
    return {"games": history.games_of(use.store, player, limit, before)}


@router.get("/daily")
def daily(use: Use, player: Player, day: Annotated[str, Query(max_length=20)] = "today") -> Answer:
    """The boards of a day, and how this player did on them."""
    date = check_day(day)
    return {"day": date, "levels": history.day_of(use.store, player, date)}


@router.get("/games/{game_id}")
def look(use: Use, game_id: models.GameName) -> Answer:
    """A game as its player may see it."""
    return use.games.get(game_id)


@router.delete("/games/{game_id}", status_code=204)
def remove(use: Use, game_id: models.GameName) -> None:
    """Forget a game."""
    use.games.remove(game_id)


@router.post("/games/{game_id}/moves")
def move(use: Use, game_id: models.GameName, wanted: models.NewMove) -> Answer:
    """Make a move."""
    return use.games.move(game_id, [Planned(Move.parse(wanted.move), command=wanted.command)])


@router.post("/games/{game_id}/agent")
async def take_over(request: Request, use: Use, game_id: models.GameName, wanted: models.TakeOver) -> Answer:
    """An agent plays one move, or all that is certain now."""

    def ask(limit: Limit) -> Answer:
        single = wanted.mode == "step"
        answer, _ = handover.turn(use, game_id, wanted.agent, single=single, guess=wanted.guess, limit=limit)
        return answer

    return await use.work.answer(request, ask, wanted.seconds)


@router.post("/games/{game_id}/pause")
def pause(use: Use, game_id: models.GameName) -> Answer:
    """Stop the clock."""
    return use.games.pause(game_id, True)


@router.post("/games/{game_id}/resume")
def resume(use: Use, game_id: models.GameName) -> Answer:
    """Let the clock run again."""
    return use.games.pause(game_id, False)


@router.post("/games/{game_id}/share", status_code=201)
def share(use: Use, game_id: models.GameName) -> Answer:
    """A code with which others can play the same board."""
    code = use.games.share(game_id)
    return {"code": code, "path": f"/play?board={code}"}


@router.get("/games/{game_id}/replay", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
def replay(use: Use, game_id: models.GameName) -> Response:
    """A finished game as a file."""
    text = use.games.replay(game_id).to_text()
    name = f'attachment; filename="{game_id[:8]}.game"'
    return Response(text, media_type="text/plain", headers={"Content-Disposition": name})
