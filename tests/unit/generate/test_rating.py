"""One number that orders boards, and what it is compared with."""

from __future__ import annotations

import json
import sys
from importlib.resources import files
from itertools import islice, pairwise

import pytest

from mineproof import InvalidBoard, Layout, UnknownName, layouts, no_guess, rate
from mineproof.generate.rating import calibration, default_start, difficulty_of


def test_what_makes_a_board_difficult() -> None:
    """More steps; a step of a higher level; and any guess beyond all of that."""
    ascending = [
        ({}, 0), ({1: 1}, 0), ({1: 5}, 0), ({1: 4, 2: 1}, 0), ({1: 4, 3: 1}, 0), ({1: 4, 4: 1}, 0), ({1: 4, 5: 1}, 0),
        ({1: 4, 6: 1}, 0), ({1: 10**8, 6: 10**4}, 0), ({}, 1), ({1: 10**6}, 1), ({}, 2),
    ]  # fmt: skip
    numbers = [difficulty_of(levels, guesses) for levels, guesses in ascending]
    assert all(one < other for one, other in pairwise(numbers))
    assert (numbers[0], numbers[-1]) == (0, 200)


@pytest.mark.parametrize("level", ["beginner", "intermediate", "expert"])
def test_guesses_are_rated_beyond(level: str) -> None:
    ratings = [rate(layout) for layout in islice(layouts(level, "opening", "E5", seed=3), 60)]
    assert all((rating.difficulty < 100) == (rating.guesses == 0) for rating in ratings)
    assert all(rating.compared_with == level for rating in ratings)
    assert {rating.guesses > 0 for rating in ratings} == {True, False}


def test_where_the_hardest_step_is() -> None:
    board = next(no_guess("intermediate", min_level=3, max_level=3, seed=1))
    rating = rate(board.layout)
    steps = [step for step in rating.solution.steps() if step.level == 3]
    assert (rating.level, rating.hardest) == (3, steps[0].cells[0])
    assert rating.levels == rating.solution.levels
    nothing = rate(Layout.parse("3x3x0=000@B2"))
    assert (nothing.level, nothing.hardest, nothing.difficulty, nothing.harder_than()) == (0, None, 0, 0)


def test_a_rating_looks_a_few_times_at_each_step() -> None:
    rating = rate(Layout.draw("60x60x500", "opening", "D4", seed=1))
    looks = 0

    def look(*_: object) -> None:
        nonlocal looks
        looks += 1

    before = sys.getprofile()
    sys.setprofile(look)
    try:
        assert rating.hardest is not None
        assert str(rating)
    finally:
        sys.setprofile(before)
    assert looks < 30 * len(rating.solution.links)


@pytest.mark.parametrize(
    ("board", "start"),
    [
        ("4x3x3=418@C3", "C3"),  # its own
        ("4x3x3=418", "B2"),  # no opening: the safe cell nearest the middle
        ("5x5x1=8000000", "C3"),
        ("5x5x1=0008000", "C1"),  # a mine in the middle: the nearest openings are two steps away
        ("5x1x2=60", "E1"),  # an opening, though D1 is nearer
    ],
)
def test_where_a_board_is_started(board: str, start: str) -> None:
    layout = Layout.parse(board)
    rating = rate(layout)
    if layout.start is None:
        assert rating.start == default_start(layout)
    assert not layout.has_mine(rating.start)
    assert str(rating.start) == start
    last_safe = layout.grid.cell(layout.mask.rindex(0))
    assert rate(layout, last_safe).start == last_safe


def test_a_board_of_mines_has_no_start() -> None:
    with pytest.raises(InvalidBoard, match="no safe cell"):
        rate(Layout.parse("2x2x4=f"))


def test_the_calibration() -> None:
    made = json.loads(files("mineproof.generate").joinpath("calibration.json").read_text("utf-8"))
    assert (made["made_by"], made["boards"]) == ("benchmarks/rating.py", 10_000)
    assert list(calibration()) == ["beginner", "intermediate", "expert"]
    for kinds in calibration().values():
        for quantiles in kinds.values():
            assert len(quantiles) == 101
            assert quantiles == sorted(quantiles)
        assert kinds["no-guess"][-1] < 100 < kinds["random"][-1]


@pytest.mark.parametrize(("level", "start"), [("beginner", "E5"), ("intermediate", "H8"), ("expert", "O8")])
@pytest.mark.parametrize("kind", ["random", "no-guess"])
def test_the_calibration_fits_other_boards(level: str, start: str, kind: str) -> None:
    """As many of other boards are below each quartile as there should be, within four standard errors."""
    size = 400
    if kind == "random":
        some = list(islice(layouts(level, "opening", start, seed=77), size))
    else:
        some = [board.layout for board in no_guess(level, method="uniform", seed=77, count=size)]
    numbers = [rate(layout).difficulty for layout in some]
    for percent in (25, 50, 75):
        quantile = calibration()[level][kind][percent]
        below = sum(number < quantile for number in numbers) / size
        at_most = sum(number <= quantile for number in numbers) / size
        error = 4 * (percent / 100 * (1 - percent / 100) / size) ** 0.5
        assert below - error < percent / 100 < at_most + error


def test_harder_than_how_many() -> None:
    easy, hard = (rate(next(no_guess("expert", seed=1, max_level=most, min_level=most)).layout) for most in (1, 6))
    assert easy.harder_than() <= easy.harder_than(no_guess=True) < hard.harder_than(no_guess=True) <= 100
    assert easy.harder_than("beginner") > 60
    small = rate(Layout.parse("4x3x3=418"))
    assert small.compared_with == "expert"
    assert small.harder_than(no_guess=True) == 100
    with pytest.raises(UnknownName, match="expert"):
        easy.harder_than("exprt")


def test_as_json() -> None:
    rating = rate(Layout.parse("5x1x2=60@A1"))
    fields = rating.fields()
    assert fields.pop("luck") == pytest.approx(1 / 3)
    assert fields == {
        "start": [0, 0], "level": 0, "levels": {}, "hardest": None, "guesses": 2, "difficulty": 200.0,
        "compared_with": "expert", "harder_than": rating.harder_than(), "harder_than_no_guess": 100,
    }  # fmt: skip


def test_a_chance_is_written_without_powers_of_ten() -> None:
    dense = Layout.draw("8x8x30", "safe", "A1", seed=1, index=1)
    assert str(rate(dense, "A1")).endswith("25 guesses, which all succeed with a chance of <0.1 %")
