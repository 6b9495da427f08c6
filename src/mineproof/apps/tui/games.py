"""The games that are kept, newest first: to continue one, or to review it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mineproof.apps.kept import folder
from mineproof.apps.tui.session import clock_text
from mineproof.board.game import Replay
from mineproof.errors import InvalidText
from mineproof.plural import plural

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MOST = 50
"""The most games that are listed."""


@dataclass(frozen=True)
class KeptGame:
    """A game that is kept."""

    path: Path
    replay: Replay

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return self.replay.game().over

    @property
    def about(self) -> str:
        """The level, the state, the number of moves and the time, for a list."""
        game = self.replay.game()
        time = "" if not self.replay.times else f", {clock_text(self.replay.times[-1])}"
        state = "unfinished" if not game.over else str(game.state)
        return f"{game.level}, {state}, {plural(game.step, 'move')}{time}"


def kept_games() -> Iterator[KeptGame]:
    """Yield the games, newest first; files that are no games are passed over."""
    paths = [path for path in folder().glob("*.game") if not path.name.startswith(".")]
    for path in sorted(paths, key=lambda file: (file.stat().st_mtime, file.name), reverse=True)[:MOST]:
        try:
            replay = Replay.from_text(path.read_text())
        except (InvalidText, OSError, UnicodeDecodeError):
            continue  # not written by this app, or damaged: leave it alone
        if replay.moves:
            yield KeptGame(path, replay)


def unfinished() -> KeptGame | None:
    """Return the last game, if it has not ended."""
    last = next(kept_games(), None)
    return None if last is None or last.over else last
