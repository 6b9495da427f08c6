"""The easiest way to certain cells, by brute force: all sets of clues are tried, level by level."""

from __future__ import annotations

from itertools import chain, combinations
from typing import TYPE_CHECKING

from mineproof import Game, Limit, analyse
from mineproof.explain.checker import possible
from mineproof.explain.step import CASES, CHAIN, COMBINATION, MINE_COUNT, ONE_CLUE, TWO_CLUES

if TYPE_CHECKING:
    from mineproof import Cell, Layout, Position

PATIENT = Limit(seconds=600)


def certain_cells(position: Position) -> dict[Cell, bool]:
    found = analyse(position, PATIENT)
    return dict.fromkeys(found.safe, False) | dict.fromkeys(found.mined, True)


def settles(position: Position, clues: tuple[Cell, ...], known: dict[Cell, bool], cell: Cell, mine: bool) -> bool:
    return not possible(position, clues, {**known, cell: not mine}, counted=False)


def follows_by_chain(position: Position, known: dict[Cell, bool], cell: Cell, mine: bool) -> bool:
    """Suppose the opposite, and follow single clues."""
    known = {**known, cell: not mine}
    grown = True
    while grown:
        grown = False
        for clue in position.where("012345678"):
            around = [c for c in position.grid.neighbours(clue) if position[c] in "HFQ"]
            shown = sum(position[c] in "*?" for c in position.grid.neighbours(clue))
            need = (position.clue(clue) or 0) - shown - sum(known.get(c, False) for c in around)
            left = [c for c in around if c not in known]
            if not 0 <= need <= len(left):
                return True
            if left and need in (0, len(left)):
                known.update(dict.fromkeys(left, need > 0))
                grown = True
    return False


def easiest_levels(position: Position) -> dict[Cell, int]:
    """By brute force: what sets of clues settle, level by level, each time until nothing more follows."""
    certain = certain_cells(position)
    clues = list(position.where("012345678"))
    levels: dict[Cell, int] = {}
    known: dict[Cell, bool] = {}
    for level, sizes in ((ONE_CLUE, (1,)), (TWO_CLUES, (1, 2)), (COMBINATION, (1, 2, 3, 4)), (CHAIN, (1, 2, 3, 4))):
        grown = True
        while grown:
            grown = False
            for cell, mine in certain.items():
                if cell in known:
                    continue
                sets = chain(*(combinations(clues, size) for size in sizes))
                if any(settles(position, some, known, cell, mine) for some in sets) or (
                    level == CHAIN and follows_by_chain(position, known, cell, mine)
                ):
                    known[cell], levels[cell], grown = mine, level, True
    for cell, mine in certain.items():
        if cell not in known:
            levels[cell] = CASES if settles(position, tuple(clues), {}, cell, mine) else MINE_COUNT
    return levels


def level_of(layout: Layout, start: Cell) -> int | None:
    """Of the hardest step that a board needs; None when it needs a guess."""
    game = Game(layout)
    game.open(start)
    hardest = 0
    while not game.over:
        levels = easiest_levels(game.position)
        safe = {cell: level for cell, level in levels.items() if not layout.has_mine(cell)}
        if not safe:
            return None
        easiest = min(safe.values())
        hardest = max(hardest, easiest)
        for cell, level in safe.items():
            if level == easiest and game[cell] == "H":
                game.open(cell)
    return hardest
