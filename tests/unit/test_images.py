"""Pictures in pixels."""

from __future__ import annotations

import sys
from io import BytesIO
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from mineproof import CannotConvert, Game, Layout, MissingExtra, Position, save, write
from mineproof.board import images

if TYPE_CHECKING:
    from pathlib import Path

POSITION = Position.from_text("5x4x4\n001HH\n112HH\n1F2HH\n112Q*")


def picture(data: bytes) -> Image.Image:
    return Image.open(BytesIO(data))


def test_a_picture_is_the_svg_in_pixels() -> None:
    found = picture(POSITION.to_png())
    assert found.format == "PNG"
    assert found.size == (images.ZOOM * (22 + 5 * 24 + 2), images.ZOOM * (22 + 4 * 24 + 2))
    assert write(POSITION, "png") == POSITION.to_png()
    other = POSITION.with_symbol("C1", "2")
    assert other.to_png() != POSITION.to_png()  # the numbers are there
    assert POSITION.to_png([[0.5] * 5] * 4) != POSITION.to_png()


def test_a_film_has_a_frame_for_each_move(tmp_path: Path) -> None:
    game = Game(Layout.parse("4x3x3=418"))
    for move in ("open A1", "flag B1", "open D1"):
        game.play(move)
    save(game, tmp_path / "g.gif")
    film = picture((tmp_path / "g.gif").read_bytes())
    assert (film.format, getattr(film, "n_frames", 1)) == ("GIF", 4)
    assert film.size == (22 + 4 * 24 + 2, 22 + 3 * 24 + 2)
    shown = []
    for frame in range(4):
        film.seek(frame)
        shown.append(film.convert("RGB").tobytes())
    assert len(set(shown)) == 4


def test_how_long_frames_are_shown() -> None:
    assert images.durations(3, None) == [images.STEP] * 3 + [images.LAST]
    assert images.durations(3, (700, 701, 9000)) == [700, images.SHORTEST, images.LONGEST, images.LAST]
    assert images.durations(0, None) == [images.LAST]


def test_what_is_no_film() -> None:
    with pytest.raises(CannotConvert, match="there are no moves here"):
        write(POSITION, "gif")
    game = Game("700x700x9", "any", seed=1)
    for cell in ("A1", "B1"):
        game.flag(cell)
    with pytest.raises(CannotConvert, match="an animation can draw at most 1,000,000 cells"):
        game.replay().to_gif()


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    images._check_fonts.cache_clear()
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(MissingExtra, match=r"pip install 'mineproof\[images\]'"):
        POSITION.to_png()
    with pytest.raises(ImportError):
        write(POSITION, "png")


def test_without_a_font(monkeypatch: pytest.MonkeyPatch) -> None:
    images._check_fonts.cache_clear()
    monkeypatch.setattr(images, "_pixels", lambda _svg, _zoom: b"blank")
    with pytest.raises(CannotConvert, match="needs a font"):
        POSITION.to_png()
    images._check_fonts.cache_clear()
