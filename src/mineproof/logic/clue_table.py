"""What is known about each clue: four numbers and a status, as in Nguyen and Kafafian, "S.M.I.L.E." (2021)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mineproof.board.position import MINES, UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Set

    from mineproof.board.grid import Cell
    from mineproof.board.position import Position

SAFE, MINED, UNSURE, IMPOSSIBLE = "all are safe", "all are mines", "unsure", "impossible"


class Known(NamedTuple):
    """A clue with hidden neighbours: its number, how many of its neighbours are safe, mines and hidden, and what that
    says about the hidden ones."""

    clue: Cell
    number: int
    safe: int
    mines: int
    hidden: int
    status: str


def clue_table(position: Position, safe: Set[Cell] = frozenset(), mined: Set[Cell] = frozenset()) -> list[Known]:
    """Every clue that still has hidden neighbours. ``safe`` and ``mined`` are closed cells that have been proved.

    >>> from mineproof import Position
    >>> for known in clue_table(Position.from_text("4x2x2\\nHHHH\\n1211")):
    ...     print(*known)
    A2 1 1 0 2 unsure
    B2 2 2 0 3 unsure
    C2 1 2 0 3 unsure
    D2 1 1 0 2 unsure
    """
    table = []
    for clue in position.where("012345678"):
        around = position.grid.neighbours(clue)
        mines = sum(position[cell] in MINES or cell in mined for cell in around)
        hidden = sum(position[cell] in UNKNOWN and cell not in mined and cell not in safe for cell in around)
        if hidden:
            number = int(position[clue])
            status = _status(number - mines, hidden)
            table.append(Known(clue, number, len(around) - mines - hidden, mines, hidden, status))
    return table


def lines(clues: Iterable[Known]) -> Iterator[str]:
    """The table as text, one clue per line below a header."""
    yield f"{'clue':6} {'number':>6} {'safe':>5} {'mines':>5} {'hidden':>6}  status of hidden cells"
    for clue, number, safe, mines, hidden, status in clues:
        yield f"{clue!s:6} {number:6} {safe:5} {mines:5} {hidden:6}  {status}"


def _status(left: int, hidden: int) -> str:
    """The status of a clue with this many mines left for its hidden neighbours."""
    if not 0 <= left <= hidden:
        return IMPOSSIBLE
    return SAFE if left == 0 else MINED if left == hidden else UNSURE
