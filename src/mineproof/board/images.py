"""Bitmap pictures: a position as PNG, a replay as an animated GIF. All are drawn as SVG first (see `svg`)."""

from __future__ import annotations

from functools import cache
from io import BytesIO
from itertools import pairwise
from typing import TYPE_CHECKING

from mineproof.board.position import position_of
from mineproof.errors import CannotConvert, MissingExtra

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PIL.Image import Image

    from mineproof.board.game import Game
    from mineproof.board.position import Position
    from mineproof.board.replay import Replay
    from mineproof.board.svg import Prover

ZOOM = 2
"""The scale of a PNG: sharp on modern screens and in print."""
MOST_DRAWN = 1_000_000
"""The most cells in all frames of an animation: minutes of work."""
STEP, LAST = 500, 3000
"""How long a frame is shown, and the last one, in milliseconds."""
SHORTEST, LONGEST = 50, 2000
"""The shortest and the longest time of a frame, for a replay with times."""


def to_png(svg: str, zoom: float = ZOOM) -> bytes:
    """Convert an SVG picture to PNG.

    >>> from mineproof import Position
    >>> to_png(Position.from_text("2x1x1\\n1H").to_svg())[:8]
    b'\\x89PNG\\r\\n\\x1a\\n'
    """
    _check_fonts()
    return _pixels(svg, zoom)


def to_gif(replay: Replay, *, known: Prover | None = None, theme: str = "plain") -> bytes:
    """A game as an animation with one frame per move, as long as the move took if the replay has times. ``known`` says
    what is proved in a position, for the colours of the ``theme``.

    >>> from mineproof import Replay
    >>> to_gif(Replay.from_text("mineproof game 1\\nbeginner/safe#7\\nopen A1\\nflag I9\\n"))[:6]
    b'GIF89a'
    """
    frames = (len(replay.moves) + 1) * len(replay.id.board.grid)
    if frames > MOST_DRAWN:
        raise CannotConvert(
            f"an animation can draw at most {MOST_DRAWN:,} cells in all its frames; this one needs {frames:,}"
        )
    first, *others = _frames(replay, known, theme)
    film = BytesIO()
    first.save(film, "GIF", save_all=True, append_images=others, duration=durations(replay), loop=0)
    return film.getvalue()


def durations(replay: Replay) -> list[int]:
    """The duration of each frame, in milliseconds."""
    if replay.times is None:
        return [STEP] * len(replay.moves) + [LAST]
    begins = [min(0, replay.times[0]), *replay.times]
    waits = [later - before for before, later in pairwise(begins)]
    return [min(max(wait, SHORTEST), LONGEST) for wait in waits] + [LAST]


def _frames(replay: Replay, known: Prover | None, theme: str) -> Iterator[Image]:
    try:
        from PIL import Image
    except ImportError:
        raise MissingExtra("an animated GIF", "Pillow", "images") from None
    shown: list[Position | Game] = [*replay.positions()]
    shown[-1] = replay.game()  # of a game that is over, the last frame shows more
    for seen in shown:
        svg = seen.to_svg(known=None if known is None else known(position_of(seen)), theme=theme)
        yield Image.open(BytesIO(to_png(svg, 1))).convert("RGB").quantize(64)


def _pixels(svg: str, zoom: float) -> bytes:
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise MissingExtra("a bitmap picture", "resvg", "images") from None
    return bytes(svg_to_bytes(svg_string=svg, zoom=zoom, background="#ffffff"))


@cache
def _check_fonts() -> None:
    """Check that a font is installed: without one a picture would silently lack its numbers."""
    blank, written = (
        _pixels(f'<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20">{text}</svg>', 1)
        for text in ("", "<text x='2' y='16' font-family='\"DejaVu Sans\",sans-serif'>8</text>")  # as in `svg`
    )
    if blank == written:
        raise CannotConvert("a bitmap picture needs a font, and none is installed (Debian: fonts-dejavu-core)")
