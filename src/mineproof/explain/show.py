"""A position with its odds and reasons, as a picture with words: what notebooks and consoles show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mineproof.board.html import Picture, listed
from mineproof.board.position import SHOWN_CELLS, position_of
from mineproof.explain.explanation import why as explain
from mineproof.limit import DEFAULT, Clock, Limit
from mineproof.odds.analysis import analyse

if TYPE_CHECKING:
    from mineproof.board.grid import CellLike
    from mineproof.board.position import Position, Seen
    from mineproof.board.render import Certain


def show(
    position: Position | Seen,
    *,
    odds: bool = False,
    why: CellLike | None = None,
    known: Certain | None = None,
    theme: str = "plain",
    limit: Limit = DEFAULT,
) -> Picture:
    """A picture of a position, or of what the player of a game sees now.

    With ``odds``, every closed cell has its risk of a mine. With ``why``, the steps that settle this cell are marked
    and put into words; if the cell can be either, its risk is. With ``known`` (an analysis, or the deductions of a
    method), proved cells have the colours of the ``theme``.

    >>> from mineproof import Position, show
    >>> print(show(Position.from_text("4x1x1\\n1HHH"), odds=True, why="C1"))
         A   B   C   D
     1   1  **  ok  ok
    ok safe  ** a mine
    solutions: 1
    certain: 2 safe, 1 mine
    C1 is safe. Level 6: mine count. The fewest clues that prove it: A1, and the mine count.
    The 1 at A1 touches only one closed cell, B1, so B1 is a mine.
    The only mine is found, so C1 is safe.
    """
    clock = Clock(limit)
    position = position_of(position)
    analysis = analyse(position, clock.rest()) if odds else None
    explanation = None if why is None else explain(position, why, clock.rest())
    drawn = len(position.grid) <= SHOWN_CELLS
    svg = None
    if drawn:
        svg = position.to_svg(
            None if analysis is None else analysis.probabilities, why=explanation or (), known=known, theme=theme
        )
    board = "" if not drawn else str(position) if analysis is None else analysis.table()
    words = "" if analysis is None else analysis.words(clock.rest())
    html = listed(words.split("\n")) if words else ""
    if explanation is not None:
        html += explanation.to_html()
        words += f"\n{explanation.full_text()}"
    return Picture(svg, html, "\n".join(part for part in (board, words.strip("\n")) if part))
