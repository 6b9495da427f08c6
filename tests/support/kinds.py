"""The kinds of positions that matter, each small enough for the referee: by number and seed, the same in every run."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from mineproof import Grid, Layout, Level, Position
from support import awkward
from support.referee import MOST_BOARDS, NUMBERS, UNKNOWN, Referee, TooLarge

if TYPE_CHECKING:
    from collections.abc import Callable

    from mineproof import Cell

LINKS = ("H1", "HH1", "1HH", "H1S", "H1H1HS", "HH2", "HS1", "H2HS")


def drawn(rng: random.Random, rows: int, cols: int, density: float) -> Layout:
    """A board with about so many mines."""
    mines = min(rows * cols, round(rows * cols * density + rng.random()))
    return Layout.draw(Level(rows, cols, mines), "any", seed=rng.randrange(2**32))


def game(rng: random.Random, rows: int = 7, cols: int = 9, density: float | None = None) -> Position:
    """A torn game of at most this size."""
    rows, cols = rng.randint(1, rows), rng.randint(1, cols)
    mines = round(rows * cols * (rng.uniform(0.05, 0.4) if density is None else density))
    return awkward.torn(rng, Level(rows, cols, mines), rng.choice([0.02, 0.1, 0.3, 0.5, 0.9]))


def turned(position: Position) -> Position:
    """The same with rows for columns."""
    grid = position.grid
    cells = bytes(position.cells[row * grid.cols + col] for col in range(grid.cols) for row in range(grid.rows))
    return Position(Grid(grid.cols, grid.rows), position.mines, cells)


def marked(rng: random.Random, position: Position, share: float, symbols: str, among: str = "H") -> Position:
    """The same with other symbols on a share of the cells that show some."""
    cells = position.cells.decode()
    return Position(
        position.grid,
        position.mines,
        "".join(rng.choice(symbols) if cell in among and rng.random() < share else cell for cell in cells).encode(),
    )


def row(rng: random.Random) -> Position:
    """One row: safe cells of a board opened."""
    layout = drawn(rng, 1, rng.randint(1, 40), rng.uniform(0, 0.6))
    return awkward.uncovered(layout, rng.sample(list(layout.grid), round(len(layout.grid) * rng.random())))


def closed(rng: random.Random) -> Position:
    """Nothing open, at any size that people play."""
    grid = (
        Grid(rng.randint(1, 16), rng.randint(1, 30))
        if rng.random() < 0.2
        else Grid(rng.randint(1, 4), rng.randint(1, 5))
    )
    return Position.blank(grid, rng.choice([0, 1, len(grid) - 1, len(grid), rng.randint(0, len(grid))]))


def opened(rng: random.Random) -> Position:
    """Every safe cell open, with mines hidden, flagged or shown; or numbers everywhere."""
    layout = drawn(rng, rng.randint(1, 8), rng.randint(1, 9), rng.uniform(0, 0.5))
    position = marked(rng, awkward.uncovered(layout, layout.grid), rng.choice([0.0, 0.5, 1.0]), "F*?Q")
    if rng.random() < 0.2:
        position = marked(rng, position, 1, "0012345678", UNKNOWN)
    return position


def with_all(rng: random.Random, mines: bool) -> Position:
    """No mines, or nothing else; perhaps one number that lies."""
    position = game(rng, density=float(mines))
    return marked(rng, position, 0.05, "0123") if rng.random() < 0.3 else position


def shown(rng: random.Random) -> Position:
    """Mines that are shown, before or after the end."""
    return marked(rng, game(rng, density=rng.uniform(0.2, 0.6)), 0.5, "*?", among="*")


def named(rng: random.Random) -> Position:
    """Safe cells named by the game, open or not."""
    layout = drawn(rng, rng.randint(1, 7), rng.randint(1, 9), rng.uniform(0.05, 0.4))
    safe = [cell for cell in layout.grid if not layout.has_mine(cell)]
    rng.shuffle(safe)
    cut = rng.randint(0, len(safe))
    return naming(awkward.uncovered(layout, safe[:cut]), safe[cut : cut + rng.randint(1, 6)])


def naming(position: Position, cells: list[Cell]) -> Position:
    """The same with these cells named safe."""
    for cell in cells:
        position = position.with_symbol(cell, "S")
    return position


def flagged(rng: random.Random) -> Position:
    """Notes, right and wrong."""
    return marked(rng, game(rng), rng.uniform(0.1, 1), "FFQ")


def contradiction(rng: random.Random) -> Position:
    """A game in which one number, or the number of mines, is a little wrong, so that there is no board."""
    while True:
        position = game(rng) if rng.random() < 0.5 else wire(rng)
        clues = position.where(NUMBERS)
        if clues and rng.random() < 0.7:
            cell = rng.choice(clues)
            position = position.with_symbol(cell, str(min(8, abs(int(position[cell]) + rng.choice([-1, 1])))))
        else:
            mines = min(len(position.grid), max(0, position.mines + rng.choice([-2, -1, 1, 2])))
            position = Position(position.grid, mines, position.cells)
        if not Referee(position).boards:
            return position


def wire(rng: random.Random) -> Position:
    """A long chain of cells, each of which decides the next; with a number of mines that is possible, mostly."""
    text = rng.choice(LINKS) * rng.randint(1, 14)
    rows = [text + "H" * rng.randint(0, 2)]
    if rng.random() < 0.3:
        rows.append("S" * len(rows[0]))
        rows.append(rng.choice(["S", "H"]) * len(rows[0]))
    if rng.random() < 0.2:
        rows = [line[::-1] for line in rows]
    position = Position(Grid(len(rows), len(rows[0])), 0, "".join(rows).encode())
    free = Referee(position, counted=False)
    possible = sorted(free.tally(free.unknown)) or [1]
    mines = rng.choice([possible[0], possible[-1], rng.choice(possible), rng.randint(0, len(text))])
    position = Position(position.grid, mines, position.cells)
    return turned(position) if rng.random() < 0.5 else position


def lattice(rng: random.Random) -> Position:
    """Clues that are all connected, each alone among closed cells; some of these are named safe."""
    layout = drawn(rng, rng.randint(3, 8), rng.randint(3, 9), rng.uniform(0.05, 0.5))
    clues = [cell for cell in layout.grid if cell.row % 2 and cell.col % 2]
    safe = [cell for cell in layout.grid if not layout.has_mine(cell) and cell not in clues]
    return naming(awkward.uncovered(layout, clues), rng.sample(safe, round(len(safe) * rng.uniform(0.2, 1))))


def middle(rng: random.Random) -> Position:
    """The middle of a game."""
    return awkward.middle(rng, rng.choice(awkward.LEVELS))


def late(rng: random.Random) -> Position:
    """The end of a game."""
    return awkward.nearly_over(rng, rng.choice(awkward.LEVELS))


def extreme(rng: random.Random) -> Position:
    """Two ways, of which one is as unlikely as one likes; or mines that just fit, or just do not."""
    links, free = rng.randint(1, 5), rng.choice([0, 3, 10, 100])
    most = 3 * links - 1 + free
    return awkward.nearly_certain(links, free, rng.choice([links, links + 1, most, most + 1, rng.randint(links, most)]))


def toss_up(rng: random.Random) -> Position:
    """A guess near the end, with few boards left."""
    while True:
        layout = drawn(rng, rng.randint(2, 6), rng.randint(2, 7), rng.uniform(0.1, 0.5))
        safe = [cell for cell in layout.grid if not layout.has_mine(cell)]
        rng.shuffle(safe)
        position = awkward.uncovered(layout, safe[rng.randint(1, 4) :])
        referee = Referee(position)
        if 1 < referee.boards <= MOST_BOARDS and False not in referee.certain.values():
            return position


KINDS: dict[str, Callable[[random.Random], Position]] = {
    "row": row,
    "column": lambda rng: turned(row(rng)),
    "closed": closed,
    "open": opened,
    "no mines": lambda rng: with_all(rng, mines=False),
    "all mines": lambda rng: with_all(rng, mines=True),
    "shown mines": shown,
    "named safe": named,
    "flags": flagged,
    "spoiled": awkward.spoiled,
    "contradiction": contradiction,
    "wire": wire,
    "lattice": lattice,
    "torn": game,
    "middle": middle,
    "late": late,
    "extreme": extreme,
    "toss-up": toss_up,
}


def start(seed: int, number: int) -> tuple[str, Position, random.Random]:
    """The kind of a number, its position, and the generator that drew it. Kinds take turns; positions are drawn until
    the referee can judge one."""
    rng = random.Random(f"{seed}/{number}")
    kind = list(KINDS)[number % len(KINDS)]
    while True:
        try:
            position = KINDS[kind](rng)
            Referee(position)
        except TooLarge:
            continue
        return kind, position, rng
