"""Positions that games show, and positions that no sane game shows: sparse, torn, contradictory, nearly over."""

from __future__ import annotations

import random
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from mineproof import Game, Grid, Layout, Level, Position, Rules

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from mineproof.board.grid import CellLike

LEVELS = ("beginner", "intermediate", "expert")


def small(rng: random.Random, rows: int = 5, cols: int = 5) -> Position:
    """At most so many rows and columns: any symbols, or a game played at random with mines shown."""
    grid = Grid(rng.randint(1, rows), rng.randint(1, cols))
    if rng.random() < 0.35:
        symbols = "".join(rng.choice("HHHHHHHHH011123FQS*?") for _ in range(len(grid)))
        return Position(grid, rng.randint(0, len(grid)), symbols.encode())
    mines = rng.randint(0, len(grid)) if rng.random() < 0.5 else round(len(grid) * rng.uniform(0.05, 0.4))
    return torn(rng, Level(grid.rows, grid.cols, mines), rng.choice([0.02, 0.1, 0.3, 0.5, 0.9, 1.0]))


def torn(rng: random.Random, level: Level, share: float) -> Position:
    """A game that goes on after mines, in which a random share of all cells was opened."""
    game = Game(level, Rules("any", continues=True, flood=rng.random() < 0.5), seed=rng.randrange(2**32))
    cells = list(game.grid)
    rng.shuffle(cells)
    for cell in cells[: round(len(cells) * share)]:
        if not game.over and game[cell] == "H":
            game.open(cell)
    return game.position


def spoiled(rng: random.Random) -> Position:
    """A position of a game, in which a few cells show something else."""
    rows, cols = rng.randint(2, 7), rng.randint(2, 9)
    position = torn(rng, Level(rows, cols, rng.randint(0, min(10, rows * cols))), rng.random())
    cells = bytearray(position.cells)
    for _ in range(rng.randint(1, 3)):
        cells[rng.randrange(len(cells))] = rng.choice(b"012345678HSF*?")
    return Position(position.grid, rng.choice([position.mines, 0, len(cells)]), bytes(cells))


def middle(rng: random.Random, level: str) -> Position:
    """The middle of a game: safe cells opened in a row."""
    game = Game(level, "opening", seed=rng.randrange(2**32))
    game.open("C3")
    assert game.layout is not None
    safe = [cell for cell in game.grid if not game.layout.has_mine(cell)]
    rng.shuffle(safe)
    for cell in safe[: rng.choice([0, 1, 3, 10, 30])]:
        if game[cell] == "H" and not game.over:
            game.open(cell)
    return game.position


def uncovered(layout: Layout, cells: Iterable[CellLike]) -> Position:
    """The numbers of these cells shown, except of mines."""
    symbols = bytearray(b"H" * len(layout.grid))
    for cell in cells:
        if not layout.has_mine(cell):
            symbols[layout.grid.index(cell)] = ord("0") + layout.number(cell)
    return Position(layout.grid, layout.mines, bytes(symbols))


def lattice(side: int, seed: int = 1, density: float = 0.2) -> Position:
    """Numbers shown on every second row and column: each hidden cell is seen by up to four of them."""
    layout = Layout.draw(Level(side, side, round(side * side * density)), "any", seed=seed)
    return uncovered(layout, product(range(1, side, 2), range(1, side, 2)))


def sparse(side: int, share: float = 0.2, seed: int = 1, density: float = 0.2) -> Position:
    """A random share of the safe cells shown."""
    rng = random.Random(seed)
    layout = Layout.draw(Level(side, side, round(side * side * density)), "any", seed=seed)
    return uncovered(layout, (cell for cell in layout.grid if not layout.has_mine(cell) and rng.random() < share))


def honeycomb(side: int, seed: int, density: float = 0.2) -> tuple[Position, NDArray[np.bool_]]:
    """Numbers shown in rows that are shifted against each other, and the mines."""
    layout = Layout.draw(Level(side, side, round(side * side * density)), "any", seed=seed)
    shifted = ((row, col) for row in range(1, side, 2) for col in range(1 + row // 2 % 2, side, 3))
    mines = np.frombuffer(layout.mask, np.uint8).reshape(side, side).astype(np.bool_)
    return uncovered(layout, shifted), mines


def nearly_certain(links: int, free: int, mines: int) -> Position:
    """A chain of cells that are all mines, or all safe; if safe, two more mines a link lie elsewhere.

    With few mines and many free cells the second way is possible, but as unlikely as one likes.
    """
    cols = 4 * links
    rows = [["S"] * cols for _ in range(5)]
    for link in range(links):
        at = 4 * link
        rows[2][at] = "H"  # the chain
        rows[0][at] = rows[4][at] = "H"  # the leaves: mines where the chain is safe
        rows[1][at] = rows[3][at] = "1"
        if link + 1 < links:
            rows[2][at + 1 : at + 4] = ["1", "H", "1"]
    rows.append(["S"] * cols)
    for _ in range(-(-free // cols)):
        here = min(free, cols)
        rows.append(["H"] * here + ["S"] * (cols - here))
        free -= here
    return Position(Grid(len(rows), cols), mines, "".join(map("".join, rows)).encode())


def nearly_over(rng: random.Random, level: str) -> Position:
    """The end of a game: few safe cells are closed, all in one area, and the number of mines can decide."""
    layout = Layout.draw(level, "any", seed=rng.randrange(2**32))
    grid = layout.grid
    row, col = rng.randrange(grid.rows), rng.randrange(grid.cols)
    safe = [cell for cell in grid if not layout.has_mine(cell)]
    safe.sort(key=lambda cell: abs(cell.row - row) + abs(cell.col - col) + rng.random() * 4)
    return uncovered(layout, safe[rng.randint(1, 14) :])
