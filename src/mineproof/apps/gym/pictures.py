"""Boards as pixels."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any

import numpy as np

from mineproof.board.images import to_png
from mineproof.errors import MissingExtra, UnknownName

if TYPE_CHECKING:
    from numpy.typing import NDArray


def check_mode(mode: str | None, metadata: dict[str, Any]) -> str | None:
    """Return a render mode of an environment with these metadata."""
    if mode is not None and mode not in metadata["render_modes"]:
        raise UnknownName("render mode", mode, metadata["render_modes"])
    return mode


def pixels(svg: str) -> NDArray[np.uint8]:
    """Return a picture as rows × columns × colours."""
    try:
        from PIL import Image
    except ImportError:
        raise MissingExtra("a picture of an environment", "Pillow", "images") from None
    return np.array(Image.open(BytesIO(to_png(svg, 1))).convert("RGB"))
