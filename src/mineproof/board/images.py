"""Bitmap pictures: an SVG picture as PNG, several as an animated GIF. (`svg` draws them.)"""

from __future__ import annotations

from functools import cache
from io import BytesIO
from itertools import pairwise
from typing import TYPE_CHECKING

from mineproof.errors import CannotConvert, MissingExtra

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from PIL.Image import Image

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


def to_gif(pictures: Iterable[str], milliseconds: list[int]) -> bytes:
    """SVG pictures of one size as an animation; each is shown for its time.

    >>> from mineproof import Position
    >>> to_gif([Position.from_text("2x1x1\\n1H").to_svg()] * 2, [500, 3000])[:6]
    b'GIF89a'
    """
    first, *others = _frames(pictures)
    film = BytesIO()
    first.save(film, "GIF", save_all=True, append_images=others, duration=milliseconds, loop=0)
    return film.getvalue()


def durations(moves: int, times: Sequence[int] | None) -> list[int]:
    """The duration of the frame before each move and of the last, in milliseconds, from the times of the moves."""
    if times is None:
        return [STEP] * moves + [LAST]
    begins = [min(0, times[0]), *times]
    waits = [later - before for before, later in pairwise(begins)]
    return [min(max(wait, SHORTEST), LONGEST) for wait in waits] + [LAST]


def check_length(cells: int) -> None:
    """Check that an animation is short enough: ``cells`` in all its frames."""
    if cells > MOST_DRAWN:
        raise CannotConvert(
            f"an animation can draw at most {MOST_DRAWN:,} cells in all its frames; this one needs {cells:,}"
        )


def _frames(pictures: Iterable[str]) -> Iterator[Image]:
    try:
        from PIL import Image
    except ImportError:
        raise MissingExtra("an animated GIF", "Pillow", "images") from None
    for svg in pictures:
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
