"""The picture of docs/terminal.md: ``python benchmarks/terminal_picture.py`` makes it again. Needs ``images``."""

from __future__ import annotations

import asyncio
import io
import os
import tempfile
from pathlib import Path

import resvg_py
from PIL import Image

from mineproof import Game
from mineproof.apps.tui.app import MineproofApp
from mineproof.apps.tui.session import Session

TARGET = Path(__file__).parent.parent / "docs" / "images" / "tui.png"
KEYS = ("enter", "g", "a", "o", "w", "w", "w", "w", "w")
"""Open, let the agent go on, let it guess, show the odds, and ask for a whole hint."""
FONT = "DejaVu Sans Mono"


async def picture() -> str:
    """The screen as SVG."""
    app = MineproofApp(Session.of(Game.from_id("expert/opening#3")), theme="dark")
    app.pace = 0
    async with app.run_test(size=(128, 20)) as pilot:
        for key in KEYS:
            await pilot.press(key)
            await pilot.pause()
            await app.workers.wait_for_complete()
            await pilot.pause()
        return app.export_screenshot(title="mineproof play")


def main() -> None:
    """Make the picture."""
    os.environ["XDG_DATA_HOME"] = tempfile.mkdtemp()  # the game is not one of the user's
    svg = asyncio.run(picture())
    png = resvg_py.svg_to_bytes(svg_string=svg, font_family=FONT, monospace_family=FONT)
    found = Image.open(io.BytesIO(bytes(png))).convert("RGB")
    found.quantize(128, dither=Image.Dither.NONE).save(TARGET, optimize=True)
    print(f"{TARGET.name}: {found.width}×{found.height}, {TARGET.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
