"""Speed of the board room, in one run on one thread: against ms-toollib, and large boards against small ones.

Prints a table, and fails if a claim of the docs does not hold. Figures are the best of several rounds, so that a busy
machine slows down both sides alike.
"""

from __future__ import annotations

import sys
import time
from itertools import islice
from typing import TYPE_CHECKING

import ms_toollib

from mineproof import Game, Layout, bbbv, layouts, measure

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 5


def rate(work: Callable[[], object], units: int) -> float:
    """Units per second, best of some rounds."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return units / best


def numbers(layout: Layout) -> list[list[int]]:
    """A board in the form of ms-toollib."""
    cols = layout.grid.cols
    rows = [[-mine for mine in layout.mask[i : i + cols]] for i in range(0, len(layout.mask), cols)]
    found: list[list[int]] = ms_toollib.cal_board_numbers(rows)
    return found


def open_cell_by_cell(side: int) -> float:
    """Cells opened per second, flood fill included, when a board at 10 % mines is opened cell by cell."""
    game = Game(f"{side}x{side}x10%", "any", seed=1)
    assert game.layout is not None
    safe = [game.grid.cell(i) for i, mine in enumerate(game.layout.mask) if not mine]

    def work() -> None:
        game = Game(f"{side}x{side}x10%", "any", seed=1)
        for cell in safe:
            if game[cell] == "H":
                game.open(cell)
        assert str(game.state) == "won"

    return rate(work, len(safe))


def main() -> int:
    boards = list(islice(layouts("expert", "opening", "D4", seed=1), 500))
    theirs = [numbers(board) for board in boards]
    differ = 0
    for board, their in zip(boards, theirs, strict=True):
        mine, peer = measure(board), ms_toollib.Board(their)
        differ += (mine.bbbv, mine.openings, mine.islands, mine.zini) != (peer.bbbv, peer.op, peer.isl, peer.zini)

    n = 5000
    make = (
        rate(lambda: list(islice(layouts("expert", "opening", "D4", seed=1), n)), n),
        rate(lambda: [ms_toollib.laymine_op(16, 30, 99, 3, 3) for _ in range(n)], n),
    )
    three = (
        rate(lambda: list(map(bbbv, boards)), len(boards)),
        rate(lambda: list(map(ms_toollib.cal_bbbv, theirs)), len(boards)),
    )
    all_four = (
        rate(lambda: list(map(measure, boards)), len(boards)),
        rate(lambda: [_all_four(their) for their in theirs], len(boards)),
    )
    small, large = open_cell_by_cell(100), open_cell_by_cell(1000)

    claims = [
        ("metrics that differ from ms-toollib's, of 500 boards", f"{differ}", differ == 0, "0"),
        _compare("expert layouts with an opening, per second", make, 5),
        _compare("3BV of expert boards, per second", three, 5),
        _compare("3BV, openings, islands and ZiNi, per second", all_four, 4),
        (
            "opening cell by cell, cells per second: 100×100, 1000×1000",
            f"{small:,.0f}, {large:,.0f}: time per cell × {small / large:.2f}",
            small / large <= 1.5,
            "at most × 1.5",
        ),
    ]
    for what, figures, holds, claim in claims:
        print(f"{'ok  ' if holds else 'MISS'} {what:58} {figures}  ({claim})")
    return 0 if all(holds for _, _, holds, _ in claims) else 1


def _all_four(their: list[list[int]]) -> tuple[int, ...]:
    board = ms_toollib.Board(their)
    return board.bbbv, board.op, board.isl, board.zini


def _compare(what: str, rates: tuple[float, float], least: float) -> tuple[str, str, bool, str]:
    ours, theirs = rates
    figures = f"ours {ours:,.0f}, ms-toollib {theirs:,.0f}: × {ours / theirs:.1f}"
    return what, figures, ours / theirs >= least, f"at least × {least}"


if __name__ == "__main__":
    sys.exit(main())
