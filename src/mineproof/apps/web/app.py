"""The application: services, routes and error handlers."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

import mineproof
from mineproof.apps.web.followers import Followers
from mineproof.apps.web.games import Games
from mineproof.apps.web.problems import (
    FAULT,
    BadRequest,
    InvalidInput,
    NotAllowed,
    NotFound,
    Refused,
    TooMany,
    described,
    status_of,
)
from mineproof.apps.web.routes import games, judging, me, pages, reasoning, socket
from mineproof.apps.web.safety import Door
from mineproof.apps.web.services import Json, Services
from mineproof.apps.web.settings import Settings
from mineproof.apps.web.store import Store
from mineproof.apps.web.work import Work
from mineproof.errors import MineproofError, shorten


def make(settings: Settings) -> FastAPI:
    """Return an application with these settings. At startup its database is migrated to the newest version."""
    store = Store(settings.database)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        store.migrate()
        yield
        app.state.services.work.close()
        store.close()

    app = FastAPI(
        title="Mineproof",
        version=mineproof.__version__,
        summary="Minesweeper where every move has a proof, and every guess its exact odds.",
        openapi_url="/api/openapi.json",
        docs_url=None,  # the pages of these docs load scripts from another host
        redoc_url=None,
        default_response_class=Json,
        lifespan=lifespan,
    )
    all_games = Games(store, settings)
    app.state.services = Services(settings, store, all_games, Followers(all_games), Work(settings))
    for routes in (reasoning, judging, games, me, socket):
        app.include_router(routes.router)
    if pages.STATIC.is_dir():
        app.mount("/static", pages.Files(directory=pages.STATIC), name="static")
    app.include_router(pages.router)
    app.add_exception_handler(MineproofError, _refused)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _fault)
    app.add_middleware(Door, settings=settings)
    return app


def _answer(refused: MineproofError) -> Json:
    headers = {"Retry-After": "10"} if isinstance(refused, TooMany) else None
    return Json({"error": described(refused)}, status_of(refused), headers)


async def _refused(_: Request, failure: Exception) -> Response:
    assert isinstance(failure, MineproofError)
    return _answer(failure)


async def _invalid(_: Request, failure: Exception) -> Response:
    """Return the first error in a request, as a sentence."""
    assert isinstance(failure, RequestValidationError)
    first = failure.errors()[0]
    if first["type"] == "json_invalid":
        return _answer(BadRequest("the body is not JSON"))
    where = ".".join(str(part) for part in first["loc"] if part not in ("body", "query", "path", "RuleOptions"))
    problem = first["msg"][:1].lower() + first["msg"][1:]
    return _answer(InvalidInput(f"{shorten(where) if where else 'the body'}: {problem}"))


async def _http(request: Request, failure: Exception) -> Response:
    assert isinstance(failure, HTTPException)
    if failure.status_code == 404 and pages.is_for_people(request):
        return pages.no_page(request)
    kinds: dict[int, Refused] = {
        404: NotFound("there is nothing at this address"),
        405: NotAllowed("this address does not support this method"),
    }
    answer = _answer(kinds.get(failure.status_code, BadRequest(str(failure.detail))))
    answer.headers.update(failure.headers or {})
    return answer


async def _fault(_: Request, __: Exception) -> Response:
    """Return an internal error, which is logged."""
    return Json({"error": FAULT}, 500)
