"""Whether a board needs a guess: the compiled answer, the slow one, and an agent that plays it, all agree."""

from __future__ import annotations

import random
from itertools import combinations, islice

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mineproof import Cell, Grid, Layout, Level, Limit, layouts, needs_guess, no_guess
from mineproof._native.playing import Player
from mineproof.generate.no_guess import TRIES
from support import careful, strategies

SHAPES = [(1, 2), (1, 9), (9, 1), (2, 2), (2, 7), (7, 2), (3, 3), (3, 8), (4, 4), (5, 6), (6, 5), (8, 8), (9, 13)]
DENSITIES = [0.1, 0.2, 0.3, 0.5, 0.8]


@pytest.mark.parametrize("shape", SHAPES)
def test_random_boards_of_every_kind(shape: tuple[int, int]) -> None:
    """Thousands in all, from any safe start: most of them no opening, many full of pockets."""
    grid = Grid(*shape)
    chance = random.Random(repr(shape))
    answers = set()
    for number in range(200):
        mines = min(len(grid) - 1, round(len(grid) * DENSITIES[number % len(DENSITIES)]))
        start = grid.cell(chance.randrange(len(grid)))
        layout = Layout.draw(Level(grid.rows, grid.cols, mines), "safe", start, seed=7, index=number)
        answer = needs_guess(layout)
        assert answer == careful.needs_guess(layout, start), layout
        answers.add(answer)
    assert len(answers) == 2 or len(grid) == 2


@given(strategies.layouts(), st.data())
def test_any_board_and_start(layout: Layout, data: st.DataObject) -> None:
    safe = [cell for cell in map(layout.grid.cell, range(len(layout.grid))) if not layout.has_mine(cell)]
    assume(safe)
    start = data.draw(st.sampled_from(safe))
    assert needs_guess(layout, start) == careful.needs_guess(layout, start)


@pytest.mark.parametrize("rows", ["1x8x3", "8x1x3", "4x3x4", "3x4x3", "4x4x4"])
def test_every_board_of_a_size(rows: str) -> None:
    level = Level.parse(rows)
    grid = level.grid
    assert level.mines is not None
    for mines in combinations(range(1, len(grid)), level.mines):
        layout = Layout.of(grid, map(grid.cell, mines), ["A1"])
        assert needs_guess(layout) == careful.needs_guess(layout, Cell(0, 0)), layout


@pytest.mark.parametrize(
    ("level", "count"), [("beginner", 500), ("intermediate", 200), ("expert", 100), ("30x16x130", 3), ("7x40x60", 20)]
)
def test_uniform_boards_are_those_of_the_seed_that_need_no_guess(level: str, count: int) -> None:
    """In their order, none left out: an agent that guesses only when it must has no guess on them, and on no other."""
    player, limit = Player(lookahead=False), Limit(seconds=600)
    found = list(no_guess(level, method="uniform", seed=3, count=count))
    numbers = {board.number for board in found}
    assert sorted(numbers) == [board.number for board in found]
    start = found[0].start
    for number, layout in enumerate(islice(layouts(level, "opening", start, seed=3), min(found[-1].number + 1, 2000))):
        at = layout.grid.index(start)
        course = player.play(layout.grid.rows, layout.grid.cols, layout.mask, at, limit)
        assert course is not None
        assert (course[0] and not course[2]) == (number in numbers)
    assert [board.layout for board in found[:20]] == [
        Layout.draw(level, "opening", start, seed=3, index=board.number) for board in found[:20]
    ]


@pytest.mark.parametrize("method", TRIES)
@pytest.mark.parametrize(
    ("level", "start", "count"),
    [
        ("beginner", None, 500), ("beginner", "A1", 300), ("intermediate", "C9", 200), ("expert", None, 200),
        ("expert", "AD16", 100), ("1x30x5", None, 100), ("3x20x9", "A1", 100), ("5x5x15", "A1", 30),
        ("4x4x12", None, 5), ("60x60x650", "Z9", 10), ("3x3x8", None, 2),
    ],
)  # fmt: skip
def test_found_boards_are_played_without_a_guess(method: str, level: str, start: str | None, count: int) -> None:
    player, limit = Player(lookahead=False), Limit(seconds=600)
    boards = list(no_guess(level, start=start, method=method, seed=11, count=count))
    for board in boards:
        grid = board.layout.grid
        assert board.layout.mines == Level.parse(level).mines
        assert board.layout.starts == (board.start,)
        assert start is None or board.start == grid.at(start)
        room = len(grid) - 1 - len(grid.neighbours(board.start)) >= board.layout.mines
        assert board.layout.number(board.start) == 0 or not room
        course = player.play(grid.rows, grid.cols, board.layout.mask, grid.index(board.start), limit)
        assert course is not None
        assert course[0]
        assert course[2] == ()
    for board in boards[:3]:
        assert not careful.needs_guess(board.layout, board.start)


@pytest.mark.parametrize("mines", [130, 150, 200])
def test_mended_boards_of_crowded_levels(mines: int) -> None:
    for board in no_guess(Level(16, 30, mines), seed=5, count=10):
        assert board.layout.mines == mines
        assert not needs_guess(board.layout)
        assert not careful.needs_guess(board.layout, board.start)


@pytest.mark.parametrize(("level", "start"), [("4x3x3", "A1"), ("5x3x4", "A2"), ("3x6x4", "B6"), ("5x4x8", "A1")])
def test_uniform_is_uniform(level: str, start: str) -> None:
    """Against all boards of that size, by the chi-square test, whose value is 4 standard deviations above its mean
    once in more than 10,000 samples; the seed is fixed."""
    grid, mines = Level.parse(level).grid, Level.parse(level).mines
    assert mines is not None
    at = grid.at(start)
    free = [cell for cell in map(grid.cell, range(len(grid))) if cell != at and cell not in grid.neighbours(at)]
    wanted = {
        layout
        for layout in (Layout.of(grid, chosen, [at]) for chosen in combinations(free, mines))
        if not careful.needs_guess(layout, at)
    }
    each = 200
    seen = dict.fromkeys(wanted, 0)
    for board in no_guess(level, start=start, method="uniform", seed=2, count=each * len(wanted)):
        seen[board.layout] += 1  # a KeyError would be a board that needs a guess
    square = sum((count - each) ** 2 / each for count in seen.values())
    freedom = len(wanted) - 1
    assert freedom > 5
    assert abs(square - freedom) < 4 * (2 * freedom) ** 0.5
