"""What several apps do with the content of a file: set a start, cut a game short, measure and rate a board."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mineproof.board.game import Replay
from mineproof.board.layout import Layout
from mineproof.board.metrics import measure
from mineproof.board.move import Move
from mineproof.errors import IllegalMove, InvalidBoard, OutOfTime
from mineproof.generate.rating import rate

if TYPE_CHECKING:
    from collections.abc import Callable

    from mineproof.board.formats import Content
    from mineproof.generate.rating import Rating
    from mineproof.limit import Limit


def started(content: Content, start: str | None, refusal: Callable[[str], Exception]) -> Content:
    """Set the start: a new game opens it; a layout records it. A ``refusal`` is the app's error for other contents."""
    if start is None:
        return content
    if isinstance(content, Replay):
        if content.moves:
            raise refusal("start applies to boards; this game already has its first move")
        return Replay(content.id, (Move("open", content.id.board.grid.at(start)),))
    layouts = [content] if isinstance(content, Layout) else content
    if not isinstance(layouts, list):
        raise refusal("start applies to boards, not to positions")
    return [replace(layout, starts=(layout.grid.at(start),)) for layout in layouts]


def cut(replay: Replay, step: int) -> Replay:
    """Return a game up to this step."""
    replay.game(step)  # raises an error if there is no such step
    return replace(replay, moves=replay.moves[:step], times=replay.times and replay.times[:step])


def rated(layout: Layout, start: str | None, limit: Limit) -> tuple[Rating | None, dict[str, Any]]:
    """Measure and rate a board. Return its rating, or None, and the fields for JSON, which say why if there is none. A
    start that the user named must be valid."""
    fields = {"rows": layout.grid.rows, "cols": layout.grid.cols, "mines": layout.mines, **measure(layout).fields()}
    try:
        rating = rate(layout, start, limit=limit)
    except (OutOfTime, IllegalMove, InvalidBoard) as failure:
        if start is not None and not isinstance(failure, OutOfTime):
            raise
        return None, fields | {"difficulty": None, "not_rated": str(failure)}
    return rating, fields | rating.fields()
