"""How hard certain cells are to find in a changing position: the level of the easiest way, without words.

The level is the same as that of `why`, at a fraction of its cost: the clues are kept between questions, and most cells
are settled by nearby clues.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mineproof._native.reasoning import Techniques
from mineproof.explain import step as levels
from mineproof.explain.derivation import FAR, closure, leading_to

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from mineproof.board.position import Position
    from mineproof.limit import Clock

NEAR = (1, 3)
"""The distances within which clues are tried before all are used."""


class Levels:
    """Follows a position, and rates its certain cells.

    >>> from mineproof import Limit, Position
    >>> followed = Levels(Position.from_text("3x2x2\\nHHH\\n121"))
    >>> followed.level(1, {0: True, 1: False, 2: True}, Limit().start())
    2
    """

    def __init__(self, position: Position) -> None:
        self.grid = position.grid
        self._techniques = Techniques()
        self._techniques.start(self.grid.rows, self.grid.cols, position.cells)

    def see(self, cells: Sequence[int], symbols: bytes) -> None:
        """Update cells with the symbols they show now."""
        self._techniques.see(cells, symbols)

    def level(self, cell: int, proved: Mapping[int, bool], clock: Clock) -> int:
        """The level of a certain cell. ``proved`` has all closed cells that the clues alone settle: whether each is a
        mine."""
        if cell not in proved:
            return levels.MINE_COUNT
        level = levels.CASES
        for radius in (*NEAR, FAR):  # near clues are often enough, but more clues may allow easier steps
            level = min(level, self._within(radius, level - 1, cell, proved, clock) or level)
            if level == levels.ONE_CLUE:
                break
        return level

    def _within(self, radius: int, most: int, cell: int, proved: Mapping[int, bool], clock: Clock) -> int | None:
        """The level with the clues within this distance; None if it is more than ``most``."""
        techniques = self._techniques
        techniques.forget()
        techniques.look_around(cell, radius)
        techniques.want([cell], proved[cell])
        near = [other for other in self._around(cell, radius + 1, proved) if other != cell]
        for mine in (False, True):
            techniques.want([other for other in near if proved[other] is mine], mine)
        links = []
        for link in closure(techniques, most, clock):
            links.append(link)
            if cell in link.cells:
                return max(needed.level for needed in leading_to({cell}, links))
        return None

    def _around(self, cell: int, radius: int, proved: Mapping[int, bool]) -> Iterable[int]:
        rows, cols = self.grid.rows, self.grid.cols
        row, col = divmod(cell, cols)
        top, bottom = max(0, row - radius), min(rows, row + radius + 1)
        left, right = max(0, col - radius), min(cols, col + radius + 1)
        if (bottom - top) * (right - left) < len(proved):
            return [i for r in range(top, bottom) for i in range(r * cols + left, r * cols + right) if i in proved]
        return [i for i in proved if top <= i // cols < bottom and left <= i % cols < right]
