"""A game as a folder of pictures: each turn with what the agent had written down, and why it moved."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from mineproof.apps.cli.common import proved
from mineproof.board.grid import CellSet
from mineproof.board.svg import Highlight, check_size
from mineproof.errors import OutOfTime
from mineproof.files import write_file
from mineproof.limit import Limit
from mineproof.logic.knowledge import in_full, in_short

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from mineproof.board.game import Game
    from mineproof.board.grid import Grid
    from mineproof.board.move import Move
    from mineproof.board.position import Position
    from mineproof.logic.reasoning import Reasoning

PATIENCE = Limit(seconds=5)
"""Time limit for putting the notes of one turn into words."""


class Concluded(NamedTuple):
    """The cells of a turn, as a picture shows them."""

    safe: CellSet
    mined: CellSet


class Album:
    """Pictures of a game, and a page that shows them in order. An agent of a report gives its own reasons."""

    def __init__(self, folder: Path, grid: Grid, title: str, theme: str | None) -> None:
        check_size(grid)
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob("turn-*.svg"):
            old.unlink()
        self._folder = folder
        self._theme = theme
        self._page = [f"# {title}"]
        self._turns = 0

    def add(
        self,
        position: Position,
        moves: Sequence[Move],
        reasons: Sequence[str],
        notes: Sequence[Reasoning],
        *,
        guess: bool,
    ) -> None:
        """Add a turn: the position before it, the cells of its moves, its reasons, and the notes of the agent. A guess
        has a dashed outline."""
        self._turns += 1
        opened, flagged = (CellSet(m.cell for m in moves if m.kind == kind and m.cell) for kind in ("open", "flag"))
        safe = CellSet() if guess else opened
        known = Concluded(safe, flagged) if self._theme is None else proved(position)
        outlined = tuple(position.grid.index(cell) for cell in opened - safe)
        picture = position.to_svg(known=known, theme=self._theme or "plain", why=[Highlight((), (), False, outlined)])
        name = f"turn-{self._turns:03}.svg"
        write_file(self._folder / name, picture.encode())
        self._page += [f"## Turn {self._turns}", f"![The board before turn {self._turns}]({name})"]
        moved = {move.cell for move in moves}
        own = [
            f"{deduction} ({deduction.method})"
            for note in notes
            for deduction in note.deductions
            if not moved.isdisjoint(deduction.cells)
        ]
        lines = [line for line in reasons if line.startswith("guess ")] + own if own else reasons
        self._page += ["\n".join(f"- {line}" for line in lines)]
        if notes:
            written = [in_short(notes)]
            with suppress(OutOfTime):  # then the page shows only how much was written down
                written += in_full(notes, PATIENCE)
            self._page.append("\n".join(["```text", *written, "```"]))

    def close(self, game: Game, result: str) -> None:
        """Draw the end of the game, and write the page."""
        known = None if self._theme is None else proved(game.position)
        picture = game.to_svg(known=known, theme=self._theme or "plain", reveal=game.over)
        write_file(self._folder / "end.svg", picture.encode())
        self._page += [f"## The end: {result}", "![The board at the end](end.svg)"]
        write_file(self._folder / "index.md", ("\n\n".join(self._page) + "\n").encode())
