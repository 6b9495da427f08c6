"""What may be asked of ``solve``, what it says when it cannot, and that it can be stopped."""

from __future__ import annotations

from typing import Any

import pytest

from mineproof import (
    Cancelled,
    IllegalMove,
    InvalidArgument,
    Layout,
    Limit,
    MineproofError,
    NoneFound,
    OutOfTime,
    Position,
    no_guess,
    solve,
)
from mineproof._native.solving import CLEARED, GUESS, STOPPED, STUCK, Course
from mineproof.explain.derivation import Deriver
from mineproof.explain.step import CASES
from support.clocks import CancelledAt, Countdown, Ticking

BOARD = Layout.draw("expert", "opening", "O8", seed=1, index=5)
LARGE = Layout.draw("400x400x33000", "opening", "A1", seed=1)


def test_the_same_board_has_the_same_solution() -> None:
    assert solve(BOARD) == solve(BOARD)
    assert solve(BOARD, "O8") == solve(BOARD)
    assert next(no_guess("expert", method="uniform", seed=1)).solution() == solve(BOARD)


def test_boards_that_the_first_click_opens() -> None:
    solution = solve(Layout.parse("3x3x0=000@B2"))
    assert (solution.level, solution.levels, solution.steps(), solution.luck) == (0, {}, (), 1.0)
    assert solve(Layout.parse("2x1x1=4@A1")).steps() == ()


def test_mines_that_nothing_follows_from_are_left_out() -> None:
    solution = solve(
        Layout.parse("5x1x1=20@A1")
    )  # A1 opens B1, which shows that C1 is a mine; D1 and E1 need the count
    assert solution.levels == {1: 1, 6: 1}
    first, last = (step.text for step in solution.steps())
    assert first == "The 1 at B1 touches only one closed cell, C1, so C1 is a mine."
    assert last == "The only mine is found, so D1 and E1 are safe."
    assert solve(Layout.parse("5x1x2=28@A1")).levels == {GUESS: 1}


def test_a_guess_is_told() -> None:
    (_, step), *others = solve(Layout.parse("5x1x2=60@A1")).walk()
    assert step.text == "Nothing is certain. D1 is a guess, with a 33.3 % risk of a mine."
    assert [other.level for _, other in others] == [GUESS]


def test_each_step_has_a_picture() -> None:
    for position, step in next(no_guess("beginner", min_level=2, seed=3)).solution().walk():
        assert position.to_svg(why=[step]).startswith("<svg")
        assert all(position[cell] == "H" for cell in step.cells)
        assert all(position.clue(clue) is not None for clue in step.clues)


def test_as_json() -> None:
    fields = solve(BOARD).fields()
    assert (fields["level"], fields["levels"], fields["guesses"]) == (2, {"1": 179, "2": 12}, 0)
    assert len(fields["steps"]) == 191
    assert fields["steps"][0].keys() == {"clues", "cells", "verdict", "technique", "level", "scenario", "text"}


def test_bad_questions_are_one_sentence() -> None:
    layout = Layout.parse("4x1x1=4")
    with pytest.raises(InvalidArgument, match="name one"):
        solve(layout)
    with pytest.raises(IllegalMove, match="it cannot be the start"):
        solve(layout, "B1")
    with pytest.raises(MineproofError):
        solve(layout, "Z9")
    with pytest.raises(OutOfTime, match="takes more memory"):
        solve(layout, "A1", limit=Limit(memory=100))


@pytest.mark.parametrize("looks", [3, 30])
def test_a_limit_is_kept(monkeypatch: pytest.MonkeyPatch, looks: int) -> None:
    with monkeypatch.context() as patched:
        clock = Ticking(patched)
        with pytest.raises(OutOfTime, match="before the board was solved"):
            solve(LARGE, limit=Limit(seconds=looks))
        assert clock.looks <= looks + 20


def test_words_keep_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    solution = solve(BOARD)
    with monkeypatch.context() as patched:
        Ticking(patched)
        with pytest.raises(OutOfTime):
            solution.steps(Limit(seconds=20))


def test_words_do_not_read_the_whole_board_for_each_step(monkeypatch: pytest.MonkeyPatch) -> None:
    solution = solve(Layout.draw("60x60x500", "opening", "D4", seed=1))
    assert len(solution.links) > 500
    hard = sum(link.level >= CASES for link in solution.links)
    read: list[int] = []
    for kind, name in ((Position, "__post_init__"), (Deriver, "__init__")):
        whole = getattr(kind, name)

        def counted(*given: Any, whole: Any = whole) -> None:
            read.append(1)
            whole(*given)

        monkeypatch.setattr(kind, name, counted)
    solution.steps()
    assert len(read) < 10 + 200 * hard


@pytest.mark.parametrize("times", [0, 1, 20])
def test_it_can_be_cancelled(monkeypatch: pytest.MonkeyPatch, times: int) -> None:
    cancel: Any = CancelledAt(times)
    with monkeypatch.context() as patched:
        Ticking(patched)
        with pytest.raises(Cancelled):
            solve(LARGE, limit=Limit(seconds=10**6, cancel=cancel))


@pytest.mark.parametrize("method", ["fast", "uniform"])
def test_levels_that_no_board_has(method: str) -> None:
    """After as many tries as were named, and says so; how far it is can be watched."""
    seen: list[int] = []
    wish: dict[str, Any] = {"level": "3x3x2", "min_level": 4, "max_level": 5, "method": method}
    with pytest.raises(
        NoneFound, match="is solvable without a guess and of level 4 to 5; try other levels, fewer mines"
    ):
        next(no_guess(**wish, tries=200, progress=seen.append))
    assert seen == sorted(set(seen))
    assert 200 <= seen[-1] < 250
    with pytest.raises(NoneFound, match="and of level 5; try"):
        next(no_guess(**wish | {"min_level": 5}, tries=20))


@pytest.mark.parametrize("looks", [10, 100])
def test_a_limit_is_kept_while_levels_are_looked_for(monkeypatch: pytest.MonkeyPatch, looks: int) -> None:
    with monkeypatch.context() as patched:
        clock = Ticking(patched)
        with pytest.raises(OutOfTime, match="the limit was reached: none of"):
            next(no_guess("8x8x10", min_level=5, max_level=5, tries=10**9, limit=Limit(seconds=looks)))
        assert clock.looks <= looks + 20


@pytest.mark.parametrize("levels", [(0, 6), (1, 7), (3, 2), (-1, -1), (1.5, 6), ("1", 6), (None, 6)])
def test_levels_that_there_are_not(levels: tuple[Any, Any]) -> None:
    with pytest.raises(InvalidArgument, match="level") as failure:
        no_guess("beginner", min_level=levels[0], max_level=levels[1])
    assert "\n" not in str(failure.value)


@pytest.mark.parametrize(
    "given",
    [
        (0, 3, bytes(3), 0, 7), (3, 0, bytes(3), 0, 7), (3, 3, bytes(8), 0, 7), (3, 3, b"\2" + bytes(8), 1, 7),
        (3, 3, bytes(9), 9, 7), (3, 3, bytes(9), -1, 7), (3, 3, b"\1" + bytes(8), 0, 7), (3, 3, bytes(9), 0, 0),
        (3, 3, bytes(9), 0, 8), (2**16, 2**16, bytes(9), 0, 7), (3, 3, "x", 0, 7),
    ],
)  # fmt: skip
def test_the_border_of_the_compiled_room(given: tuple[Any, ...]) -> None:
    run: Any = Course().run
    with pytest.raises((ValueError, TypeError, OverflowError)):
        run(*given, Limit().start())


def test_a_course_that_was_stopped_is_as_good_as_new() -> None:
    course, wanted = Course(), Course()
    assert course.steps() == []
    board = (16, 30, BOARD.mask, BOARD.grid.index("O8"))
    assert wanted.run(*board, 6, Limit().start()) == CLEARED
    for looks in range(1, 9):
        assert course.run(*board, 6, Countdown(looks)) in (STOPPED, CLEARED)
    assert course.run(*board, 1, Limit().start()) == STUCK
    assert course.run(*board, 6, Limit().start()) == CLEARED
    assert course.steps() == wanted.steps()
    assert sum(course.counts()) == len(course.steps())


def test_it_is_busy_while_it_works() -> None:
    course = Course()
    refused = []

    def again() -> None:
        for call in (course.steps, course.counts):
            with pytest.raises(RuntimeError, match="at work"):
                call()
        with pytest.raises(RuntimeError, match="at work"):
            course.run(3, 3, bytes(9), 0, 7, Limit().start())
        refused.append(True)

    course.run(400, 400, LARGE.mask, 0, 7, Countdown(20, again))
    assert refused
