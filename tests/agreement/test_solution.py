"""Solutions of whole boards are right: each step holds, none is easier, and boards of a level need that level."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations, islice
from typing import TYPE_CHECKING

import pytest

from mineproof import Game, Grid, Layout, Level, Limit, analyse, hint, layouts, needs_guess, no_guess, solve
from mineproof._native.playing import Player
from mineproof.explain.checker import step_fault
from mineproof.explain.step import MINE_COUNT
from mineproof.generate.checker import find_fault
from mineproof.generate.solution import GUESS
from support import careful, techniques

if TYPE_CHECKING:
    from mineproof import Cell, Solution
    from mineproof.generate.no_guess import NoGuess

PATIENT = Limit(seconds=600)
SHAPES = [(1, 9), (9, 1), (2, 7), (7, 2), (3, 8), (4, 4), (5, 6), (6, 5), (8, 8), (9, 13)]


def checked(board: NoGuess) -> Solution:
    """The solution of a board, replayed by the checker."""
    solution = board.solution(PATIENT)
    steps = solution.steps(PATIENT)
    assert find_fault(board.layout, board.start, steps) is None, board
    assert not solution.needs_guess
    assert max((step.level for step in steps), default=0) == solution.level
    assert all(step.text for step in steps)
    return solution


@pytest.mark.parametrize("method", ["fast", "uniform"])
@pytest.mark.parametrize(
    ("level", "start", "count"),
    [
        ("beginner", None, 500), ("beginner", "A1", 300), ("intermediate", "C9", 100), ("expert", None, 50),
        ("1x30x5", None, 50), ("3x20x9", "A1", 100), ("5x5x15", "A1", 30), ("4x4x12", None, 5), ("6x4x7", None, 200),
    ],
)  # fmt: skip
def test_every_step_of_a_solution_holds(method: str, level: str, start: str | None, count: int) -> None:
    for board in no_guess(level, start=start, method=method, seed=21, count=count):
        checked(board)


@pytest.mark.parametrize("mines", [130, 180])
def test_solutions_of_crowded_boards(mines: int) -> None:
    for board in no_guess(Level(16, 30, mines), seed=5, count=15):
        checked(board)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_guess_is_needed_where_it_is_needed(shape: tuple[int, int]) -> None:
    """Thousands of random boards in all: the compiled answer of the generator is the solution's."""
    grid = Grid(*shape)
    chance = random.Random(repr(shape))
    answers = set()
    for number in range(300):
        mines = min(len(grid) - 1, round(len(grid) * chance.choice([0.1, 0.2, 0.3, 0.5])))
        start = grid.cell(chance.randrange(len(grid)))
        layout = Layout.draw(Level(grid.rows, grid.cols, mines), "safe", start, seed=7, index=number)
        solution = solve(layout)
        assert solution.needs_guess == needs_guess(layout), layout
        answers.add(solution.needs_guess)
    assert answers == {True, False}


@pytest.mark.parametrize("level", ["beginner", "5x5x8", "expert"])
def test_a_guess_is_made_where_nothing_is_certain(level: str) -> None:
    """And what follows it holds again."""
    guesses = 0
    for layout in islice(layouts(level, "safe", "A1", seed=9), 5 if level == "expert" else 60):
        solution = solve(layout)
        risks = iter(solution.guesses)
        for number, (position, step) in enumerate(solution.walk(PATIENT)):
            if step.level < GUESS:
                assert number % 9 or step_fault(position, step, dict.fromkeys(step.used, True)) is None
                continue
            found = analyse(position, PATIENT)
            guess = next(risks)
            assert not found.safe
            assert step.cells == (guess.cell,)
            closed = [cell for cell in position.where("H") if not layout.has_mine(cell)]
            assert guess.cell in closed
            assert min(found.probabilities[cell] for cell in closed) == pytest.approx(guess.risk, abs=1e-9)
            guesses += 1
        assert next(risks, None) is None
    assert guesses > 10


@pytest.mark.parametrize(("level", "start"), [("4x3x3", "A1"), ("5x3x4", "A2"), ("6x3x4", "B3"), ("4x4x4", "A1")])
def test_no_solution_has_an_easier_hardest_step(level: str, start: str) -> None:
    """By brute force, on every board that needs no guess."""
    grid, mines = Level.parse(level).grid, Level.parse(level).mines
    assert mines is not None
    at = grid.at(start)
    cells = [cell for cell in map(grid.cell, range(len(grid))) if cell != at]
    chosen = list(combinations(cells, mines))
    seen = set()
    for some in random.Random(level).sample(chosen, min(len(chosen), 300)):
        layout = Layout.of(grid, some, [at])
        solution = solve(layout)
        wanted = techniques.level_of(layout, at)
        assert (None if solution.needs_guess else solution.level) == wanted, layout
        seen.add(wanted)
    assert {None, 2, MINE_COUNT} <= seen


def level_by_hints(layout: Layout, start: Cell) -> int:
    """Of a board that needs no guess: play by hints, and remember the hardest."""
    game = Game(layout)
    game.open(start)
    hardest = 0
    while not game.over:
        found = hint(game.position, PATIENT)
        assert found.cell is not None
        assert found.explanation is not None
        hardest = max(hardest, found.explanation.level or 0)
        game.open(found.cell)
    return hardest


@pytest.mark.parametrize(("level", "count"), [("beginner", 40), ("6x4x7", 60), ("intermediate", 4), ("expert", 1)])
def test_levels_are_those_of_hints(level: str, count: int) -> None:
    for board in no_guess(level, method="uniform", seed=31, count=count):
        assert board.solution().level == level_by_hints(board.layout, board.start), board


@pytest.mark.parametrize("wanted", [3, 4, 5])
def test_hard_boards_are_as_hard_by_hints(wanted: int) -> None:
    (board,) = no_guess("15x15x50", min_level=wanted, max_level=wanted, seed=2, tries=100_000)
    assert level_by_hints(board.layout, board.start) == wanted


@pytest.mark.parametrize(
    ("level", "least", "count"), [("beginner", 1, 8), ("beginner", 3, 8), ("6x4x7", 1, 8), ("16x16x45", 3, 6)]
)
def test_each_step_is_as_easy_as_the_position_allows(level: str, least: int, count: int) -> None:
    """A hint starts from nothing: it may have to find mines again that the solution has found before."""
    compared = 0
    for board in no_guess(level, min_level=least, seed=41, count=count):
        solution = board.solution()
        hardest: dict[Cell, int] = {}  # of the steps that lead to a mine
        for (position, step), link in zip(solution.walk(PATIENT), solution.links, strict=True):
            assert (step.level, step.mine) == (link.level, link.mine)
            before = [hardest[cell] for cell in step.used] + ([6] if step.level >= 5 else [])
            level_so_far = max([step.level, *before])
            if step.mine:
                hardest |= dict.fromkeys(step.cells, level_so_far)
            if (compared % 3 == 0 and not step.mine) or step.level > 1:
                easiest = hint(position, PATIENT).explanation
                assert easiest is not None
                assert step.level <= (easiest.level or 0), (board, step)
                assert step.mine or (easiest.level or 0) <= level_so_far, (board, step)
            compared += not step.mine
    assert compared > 30


@pytest.mark.parametrize(
    ("level", "least", "count"), [("beginner", 3, 10), ("intermediate", 1, 10), ("expert", 1, 10), ("16x16x50", 4, 3)]
)
def test_nothing_is_said_twice(level: str, least: int, count: int) -> None:
    """Neither a sentence nor a cell; and a clue that settles all around it does so in one step."""
    for board in no_guess(level, min_level=least, seed=1, count=count):
        steps = board.solution().steps(PATIENT)
        assert len({step.text for step in steps}) == len(steps), board
        cells = [cell for step in steps for cell in step.cells]
        assert len(set(cells)) == len(cells), board
        single = [step.clues for step in steps if step.level == 1]
        assert len(set(single)) == len(single), board


@pytest.mark.parametrize("method", ["fast", "uniform"])
@pytest.mark.parametrize("most", [1, 2, 3, 4, 5])
@pytest.mark.parametrize(("level", "count"), [("beginner", 100), ("intermediate", 30), ("16x16x50", 6), ("6x4x7", 50)])
def test_boards_of_a_level_need_no_more(method: str, most: int, level: str, count: int) -> None:
    """Played without a guess by the agent that finds all that is certain; with steps of these levels only."""
    player = Player(lookahead=False)
    for board in no_guess(level, method=method, max_level=most, seed=51, count=count):
        grid = board.layout.grid
        course = player.play(grid.rows, grid.cols, board.layout.mask, grid.index(board.start), PATIENT)
        assert course is not None
        assert (course[0], course[2]) == (True, ())
        assert checked(board).level <= most


@pytest.mark.parametrize("method", ["fast", "uniform"])
@pytest.mark.parametrize(
    ("level", "least", "count"), [("beginner", 2, 60), ("intermediate", 3, 30), ("16x16x50", 4, 5)]
)
def test_boards_of_a_level_need_it(method: str, level: str, least: int, count: int) -> None:
    boards = list(no_guess(level, method=method, min_level=least, seed=61, count=count))
    for board in boards:
        assert checked(board).level >= least
        assert not careful.needs_guess(board.layout, board.start)
    every = no_guess(level, method=method, seed=61, count=None)
    easier = [board.layout for board in islice(every, 5 * count) if solve(board.layout).level < least]
    assert easier
    assert not set(easier) & {board.layout for board in boards}


@pytest.mark.parametrize(
    ("level", "start", "least", "most"), [("4x3x3", "A1", 2, 6), ("5x3x4", "A2", 1, 2), ("5x3x4", "A2", 6, 6)]
)
def test_uniform_with_levels_is_uniform(level: str, start: str, least: int, most: int) -> None:
    """Against all boards of that size and level, found by brute force; by the chi-square test."""
    grid, mines = Level.parse(level).grid, Level.parse(level).mines
    assert mines is not None
    at = grid.at(start)
    free = [cell for cell in map(grid.cell, range(len(grid))) if cell != at and cell not in grid.neighbours(at)]
    wanted = {
        layout
        for layout in (Layout.of(grid, chosen, [at]) for chosen in combinations(free, mines))
        if (found := techniques.level_of(layout, at)) is not None and (least == 1 or least <= found) and found <= most
    }
    each = 100
    seen = dict.fromkeys(wanted, 0)
    boards = no_guess(
        level, start=start, method="uniform", min_level=least, max_level=most, seed=2, count=each * len(wanted)
    )
    for board in boards:
        seen[board.layout] += 1  # a KeyError would be a board of another level
    square = sum((count - each) ** 2 / each for count in seen.values())
    freedom = len(wanted) - 1
    assert freedom > 5
    assert abs(square - freedom) < 4 * (2 * freedom) ** 0.5


def test_the_checker_finds_what_is_wrong() -> None:
    board = next(no_guess("beginner", min_level=2, max_level=2, seed=1))

    def fault(number: int, **changes: object) -> str:
        steps = list(board.solution().steps())
        steps[number] = replace(steps[number], **changes)  # type: ignore[arg-type]
        return find_fault(board.layout, board.start, steps) or "none"

    steps = board.solution().steps()
    assert find_fault(board.layout, board.start, steps) is None
    users = [number for number, step in enumerate(steps) if step.used]
    finder = next(number for number, step in enumerate(steps) if set(steps[users[0]].used) & set(step.cells))
    without = [step for number, step in enumerate(steps) if number != finder]
    assert "was not found to be a mine" in (find_fault(board.layout, board.start, without) or "")
    assert "need not be" in fault(0, mine=not steps[0].mine)
    assert "need not be" in fault(users[0], used=())
    assert "make no step of level" in fault(0, level=2)
    assert "make no step of level" in fault(0, level=GUESS)
    assert "number of mines" in fault(0, mine_count=True)
    assert "some of its clues" in fault(0, clues=(steps[0].cells[0],))
    assert fault(len(steps) - 1, cells=steps[-1].cells[:0]) == "after the last step the game is playing"
