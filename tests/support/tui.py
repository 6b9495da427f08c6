"""The terminal app, driven by real key presses and clicks, without a terminal."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

from textual.widgets import Footer
from textual.worker import WorkerCancelled

from mineproof import Game
from mineproof.apps.tui.app import MineproofApp
from mineproof.apps.tui.board import HEAD, BoardView
from mineproof.apps.tui.session import Session

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from textual.pilot import Pilot

    from mineproof.apps.tui.screens.base import BoardScreen
    from mineproof.board.grid import CellLike

S = TypeVar("S")
SNAPSHOTS = Path(__file__).parent.parent / "apps" / "tui" / "snapshots"
SMALL = "4x3x1/any=200"
"""One mine, at C1."""


class Player:
    """Somebody at the keyboard."""

    def __init__(self, app: MineproofApp, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def session(self) -> Session:
        return self.app.session

    @property
    def game(self) -> Game:
        return self.app.session.game

    @property
    def screen(self) -> BoardScreen:
        return cast("BoardScreen", self.app.screen)

    def on(self, kind: type[S]) -> S:
        """The screen, which must be of this kind."""
        assert isinstance(self.app.screen, kind)
        return self.app.screen

    @property
    def board(self) -> BoardView:
        return self.screen.board

    @property
    def message(self) -> str:
        return self.screen.message

    @property
    def told(self) -> str:
        """What the coach says."""
        return self.screen.coach.text

    async def press(self, *keys: str) -> None:
        """Press keys, one after the other, and wait for every answer."""
        for key in keys:
            await self.pilot.press(key)
            await self.settle()

    async def go(self, cell: CellLike) -> None:
        """Walk to a cell with the arrows."""
        row, col = self.board.grid.at(cell)
        here = self.board.cursor
        down, across = row - here.row, col - here.col
        await self.pilot.press(*["down" if down > 0 else "up"] * abs(down))
        await self.pilot.press(*["right" if across > 0 else "left"] * abs(across))
        await self.settle()
        assert self.board.cursor == (row, col)

    async def at(self, cell: CellLike, *keys: str) -> None:
        """Walk to a cell and press keys there."""
        await self.go(cell)
        await self.press(*keys)

    async def type(self, text: str) -> None:
        """Type a text."""
        await self.pilot.press(*text)
        await self.settle()

    def place(self, cell: CellLike) -> tuple[int, int]:
        """Where a cell is drawn in its widget."""
        board = self.board
        row, col = board.grid.at(cell)
        across, down = board.scroll_offset
        return board.margin + col * board.width_of_cell - across, row + HEAD - down

    async def click(self, cell: CellLike, button: int = 1) -> None:
        """Click on a cell."""
        await self.pilot.click(BoardView, offset=self.place(cell), button=button)
        await self.settle()

    async def settle(self) -> None:
        """Wait until nothing is being found and nothing is to be drawn."""
        await self.pilot.pause()
        while working := [worker for worker in self.app.workers if not worker.is_finished]:
            with suppress(WorkerCancelled):
                await self.app.workers.wait_for_complete(working)
            await self.pilot.pause()
        while self.app.is_running and any(not one.children for one in self.app.screen.query(Footer)):
            await self.pilot.pause()  # it lists its keys some time after the rest is there

    def lines(self) -> list[str]:
        """The screen as text."""
        strips = self.app.screen._compositor.render_strips()
        return ["".join(segment.text for segment in strip).rstrip() for strip in strips]

    def matches(self, name: str) -> None:
        """Compare the screen with the snapshot of this name; MINEPROOF_SNAPSHOTS=write makes it again."""
        path = SNAPSHOTS / f"{name}.txt"
        found = "\n".join(self.lines()) + "\n"
        if os.environ.get("MINEPROOF_SNAPSHOTS") == "write":
            path.write_text(found)
        assert found == path.read_text(), f"{name} looks different:\n{found}"


def playing(
    scene: Callable[[Player], Awaitable[None]],
    game: str | Session | None = SMALL,
    size: tuple[int, int] = (80, 24),
    theme: str = "dark",
) -> MineproofApp:
    """Start the app on a terminal of this size, and let a player play."""

    async def show() -> MineproofApp:
        session = Session.of(Game.from_id(game)) if isinstance(game, str) else game
        app = MineproofApp(session, theme=theme)
        app.pace = 0
        async with app.run_test(size=size) as pilot:
            player = Player(app, pilot)
            await player.settle()
            await scene(player)
        if app.session.path is not None:
            app.session.leave()  # as the end of the process would
        return app

    return asyncio.run(show())
