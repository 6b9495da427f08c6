"""The exact endgame against trying everything."""

from __future__ import annotations

import random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mineproof import Grid, Layout, Limit, Position
from mineproof._native.playing import Player
from support import perfect, referee

PATIENT = Limit(seconds=600)


def wins(position: Position) -> tuple[int, int]:
    """Boards that are won, and how many there are; both by trying everything."""
    grid = position.grid
    boards = frozenset(frozenset(map(grid.index, mines)) for mines in referee.boards(position))
    opened = frozenset(map(grid.index, position.where("012345678")))
    return perfect.most_wins_of(grid, boards, opened), len(boards)


def searched(position: Position) -> tuple[int, int] | None:
    return Player(boards=10_000).chance(position.rows, position.cols, position.cells, position.mines, PATIENT.start())


@settings(deadline=None, max_examples=60)
@given(st.integers(2, 5), st.integers(2, 6), st.integers(0, 2**32))
def test_the_search_agrees_with_trying_everything(rows: int, cols: int, seed: int) -> None:
    """Positions with most safe cells open, so that trying everything ends."""
    drawn = random.Random(seed)
    grid = Grid(rows, cols)
    mines = set(drawn.sample(range(len(grid)), drawn.randint(1, min(5, len(grid) - 1))))
    safe = [cell for cell in range(len(grid)) if cell not in mines]
    left = set(drawn.sample(safe, min(len(safe), drawn.randint(1, 4))))
    layout = Layout.of(grid, map(grid.cell, mines))
    cells = "".join(
        "H" if cell in mines or cell in left else str(layout.number(grid.cell(cell))) for cell in range(len(grid))
    )
    position = Position(grid, len(mines), cells.encode())
    expected = wins(position)
    assume(expected[1] > 1)
    assert searched(position) == expected


@pytest.mark.parametrize(
    "text",
    [
        "6x2x2\nH1001H\nH1001H",  # two toss-ups: their values are multiplied
        "9x2x3\nH1001H1HH\nH1001H1HH",
        "6x6x4\nH10000\nH10000\n110000\n000011\n00001H\n00001H",  # more mines than the clues allow
        "9x2x4\nHH1001HHH\nHH1001HHH",  # only the number of mines connects the rooms
    ],
)
def test_rooms_that_do_not_see_each_other(text: str) -> None:
    position = Position.from_text(text)
    expected = wins(position) if any(referee.boards(position)) else None
    assert searched(position) == expected
