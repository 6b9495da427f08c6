"""All boards that look like a small position, by trying them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mineproof import Cell, Position


def boards(position: Position) -> Iterator[frozenset[Cell]]:
    """The mined cells of each board, cells that the game has shown included."""
    grid = position.grid
    unknown = list(position.where("HFQ"))
    shown = frozenset(position.where("*?"))
    clues = [(int(position[clue]), grid.neighbours(clue)) for clue in position.where("012345678")]

    def possible(mines: frozenset[Cell], undecided: set[Cell]) -> bool:
        for number, around in clues:
            found = sum(cell in mines for cell in around)
            if not found <= number <= found + sum(cell in undecided for cell in around):
                return False
        return len(mines) <= position.mines <= len(mines) + len(undecided)

    def search(i: int, mines: frozenset[Cell]) -> Iterator[frozenset[Cell]]:
        if not possible(mines, set(unknown[i:])):
            return
        if i == len(unknown):
            yield mines
            return
        yield from search(i + 1, mines)
        yield from search(i + 1, mines | {unknown[i]})

    return search(0, shown)
