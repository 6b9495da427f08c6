"""The obvious way to ask whether a board needs a guess: open every cell that `analyse` calls safe, and look."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mineproof import Game, analyse

if TYPE_CHECKING:
    from mineproof import Cell, Layout


def needs_guess(layout: Layout, start: Cell) -> bool:
    """Plays a game on this board from this start, one analysis from scratch after another."""
    game = Game(layout)
    game.open(start)
    while not game.over:
        safe = analyse(game.position).safe
        if not safe:
            return True
        for cell in safe:
            if game[cell] == "H":
                game.open(cell)
    assert str(game.state) == "won"
    return False
