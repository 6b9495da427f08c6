"""The page: one shell for all views, and its files."""

from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles

from mineproof.apps.web.problems import NotFound
from mineproof.apps.web.services import know_player

STATIC = Path(__file__).parent.parent / "static"
VIEWS = (
    "/", "/play", "/play/{name}", "/watch", "/watch/{name}", "/analyse", "/review", "/review/{name}", "/learn",
    "/learn/{name}", "/systems", "/stats", "/about",
)  # fmt: skip
ROOT_FILES = {
    "sw.js": "text/javascript",
    "manifest.webmanifest": "application/manifest+json",
    "favicon.ico": "image/x-icon",
}

router = APIRouter(include_in_schema=False)


class Files(StaticFiles):
    """Static files that browsers revalidate on each use, and download only if they have changed."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        """A file."""
        response = super().file_response(*args, **kwargs)
        response.headers["Cache-Control"] = "no-cache"
        return response


def _file(name: str, media_type: str) -> FileResponse:
    if not (STATIC / name).is_file():
        raise NotFound(f"there is no {name}")
    return FileResponse(STATIC / name, media_type=media_type, headers={"Cache-Control": "no-cache"})


def shell(request: Request) -> Response:
    """The page, and a cookie if the client has none."""
    response = _file("index.html", "text/html")
    know_player(request, response)
    return response


def is_for_people(request: Request) -> bool:
    """Whether a browser asks for a page, not a program for data or a page for one of its files."""
    asks_for_page = request.method in ("GET", "HEAD") and "text/html" in request.headers.get("accept", "")
    return asks_for_page and not request.url.path.startswith(("/api/", "/static/"))


def no_page(request: Request) -> Response:
    """The page at an unknown address: it says so itself."""
    response = shell(request)
    response.status_code = 404
    return response


for view in VIEWS:
    router.add_api_route(view, shell, methods=["GET", "HEAD"])


@router.api_route("/{name}", methods=["GET", "HEAD"])
def root_file(name: str) -> Response:
    """Files that must be at the root."""
    if name not in ROOT_FILES:
        raise HTTPException(404)
    return _file(name, ROOT_FILES[name])
