from collections import Counter
from itertools import combinations, islice
from math import comb, sqrt

import pytest
from hypothesis import given

from mineproof import (
    Cell,
    Grid,
    InvalidArgument,
    InvalidBoard,
    InvalidText,
    Layout,
    Level,
    MineproofError,
    Rules,
    layouts,
)
from support import strategies


@given(strategies.layouts(most_starts=3))
def test_a_layout_survives_its_text(layout: Layout) -> None:
    assert Layout.parse(str(layout)) == layout
    assert eval(repr(layout)) == layout
    assert Layout.of(layout.grid, layout.mine_cells, layout.starts) == layout


@given(strategies.layouts())
def test_numbers_count_mines_around(layout: Layout) -> None:
    for cell in layout.grid:
        around = [layout.has_mine(next_to) for next_to in layout.grid.neighbours(cell)]
        assert layout.number(cell) == sum(around)


@pytest.mark.parametrize(
    "text",
    ["", "4x3x3", "4x3x3=", "4x3x3=41", "4x3x3=4180", "4x3x2=418", "3x3x1=001", "4x3x3=41g", "4x3x3=418@",
     "4x3x3=418@E1", "4x3x3=418@A1,A1", "4x3xp0.5=418", "999999999x999999999x3=418"],
)  # fmt: skip
def test_bad_text(text: str) -> None:
    with pytest.raises(MineproofError):
        Layout.parse(text)


def test_masks_are_checked() -> None:
    with pytest.raises(InvalidBoard):
        Layout(Grid(2, 2), b"\0\1\0")
    with pytest.raises(InvalidBoard):
        Layout(Grid(2, 2), b"\0\1\0\2")
    with pytest.raises(InvalidBoard, match="twice"):
        Layout.of(Grid(2, 2), ["A1", (0, 0)])


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "7", True])
def test_bad_seeds(seed: int) -> None:
    with pytest.raises(InvalidArgument, match="seed"):
        Layout.draw("expert", "any", seed=seed)


def test_the_start_must_fit_the_rule() -> None:
    with pytest.raises(InvalidBoard, match="name one"):
        Layout.draw("expert", "safe", seed=1)
    with pytest.raises(InvalidBoard, match="cannot be chosen"):
        Layout.draw("expert", "any", "A1", seed=1)
    with pytest.raises(MineproofError, match="nearer to a corner"):
        Layout.draw("3x3x5", "opening", "B2", seed=1)
    with pytest.raises(InvalidText):
        Layout.draw("3x3x5", "opening", "nowhere", seed=1)


# -- Uniformity: every board that the rule allows comes equally often. The seed is fixed, so the figures are too. -----


def chi_square_is_usual(counts: Counter[object], kinds: int, draws: int) -> bool:
    """Whether the statistic is within five deviations of its mean."""
    expected = draws / kinds
    statistic = sum((counts[kind] - expected) ** 2 / expected for kind in counts)
    statistic += (kinds - len(counts)) * expected
    return abs(statistic - (kinds - 1)) < 5 * sqrt(2 * (kinds - 1))


@pytest.mark.parametrize(
    ("rule", "start", "mines", "kept_free"),
    [
        ("any", None, 2, 0),
        ("any", None, 6, 0),
        ("safe", "B2", 2, 1),
        ("safe", "D1", 5, 1),
        ("opening", "A1", 3, 4),
        ("opening", "C2", 1, 6),
        ("given", None, 3, 0),
        ("given:3", None, 3, 0),
    ],
)
def test_boards_are_uniform(rule: str, start: str | None, mines: int, kept_free: int) -> None:
    """On 2 rows of 4."""
    grid = Grid(2, 4)
    draws = 20_000
    counts: Counter[object] = Counter()
    for layout in islice(layouts(Level(2, 4, mines), rule, start, seed=5), draws):
        counts[layout.mask] += 1
    assert all(mask.count(1) == mines for mask in counts)  # type: ignore[attr-defined]
    zone: set[Cell] = set()
    if start is not None:
        zone = {grid.at(start)} | (set(grid.neighbours(start)) if rule == "opening" else set())
    assert len(zone) == kept_free
    assert all(not mask[grid.index(cell)] for mask in counts for cell in zone)  # type: ignore[index]
    assert chi_square_is_usual(counts, comb(8 - kept_free, mines), draws)


def test_given_cells_are_uniform() -> None:
    draws = 20_000
    counts: Counter[object] = Counter()
    for layout in islice(layouts("4x2x3", "given:2", seed=8), draws):
        assert not any(map(layout.has_mine, layout.starts))
        counts[layout.mask, layout.starts] += 1
    assert chi_square_is_usual(counts, comb(8, 3) * comb(5, 2), draws)


def test_cells_are_mines_with_the_probability_asked_for() -> None:
    """On 2 rows of 3 with p = 0.3: each set of mines comes with its own probability."""
    draws = 20_000
    counts = Counter(layout.mask for layout in islice(layouts("3x2xp0.3", "any", seed=3), draws))
    for size in range(7):
        for mined in combinations(range(6), size):
            expected = draws * 0.3**size * 0.7 ** (6 - size)
            assert abs(counts[bytes(i in mined for i in range(6))] - expected) < 5 * sqrt(expected) + 1


@pytest.mark.parametrize(("rule", "start"), [("safe", "A1"), ("opening", "A1"), ("opening", "C3"), ("given", None)])
def test_with_a_probability_only_the_rule_moves_mines_about(rule: str, start: str | None) -> None:
    """The number of mines is that of the whole board, whatever the start."""
    draws = 2000
    drawn = list(islice(layouts("6x5xp0.3", rule, start, seed=3), draws))
    mines = sum(layout.mines for layout in drawn)
    assert abs(mines - draws * 9) < 5 * sqrt(draws * 30 * 0.3 * 0.7)
    if start is not None:
        grid = drawn[0].grid
        zone = [grid.at(start), *(grid.neighbours(start) if rule == "opening" else [])]
        assert not any(layout.has_mine(cell) for layout in drawn for cell in zone)


def test_board_numbers_go_round() -> None:
    last, first = islice(layouts("beginner", "any", seed=1, first=2**64 - 1), 2)
    assert last == Layout.draw("beginner", "any", seed=1, index=2**64 - 1)
    assert first == Layout.draw("beginner", "any", seed=1, index=0)


def test_boards_of_one_seed_are_independent_streams() -> None:
    """Board i is the same, whichever boards were made before; neighbours in seed or number share nothing."""
    many = list(islice(layouts("expert", "safe", "A1", seed=7), 50))
    assert many[31] == Layout.draw("expert", "safe", "A1", seed=7, index=31)
    assert len({layout.mask for layout in many}) == 50
    assert Layout.draw("expert", "any", seed=7, index=1) != Layout.draw("expert", "any", seed=8, index=0)
    pairs = [[Layout.draw("expert", "any", seed=seed, index=i).mask for i in (0, 1)] for seed in range(300)]
    mined_in_both = sum(first[cell] and second[cell] for first, second in pairs for cell in (0, 479))
    expected = 600 * (99 / 480) ** 2
    assert abs(mined_in_both - expected) < 5 * sqrt(expected)


def test_the_largest_boards() -> None:
    layout = Layout.draw("4000x2500x2000000", "opening", "C3", seed=1)
    assert layout.mines == 2_000_000
    assert not layout.has_mine("B2")
    full = Layout.draw(Level(4096, 4096, 2**24 - 1), "safe", "A1", seed=1)
    assert full.mines == 2**24 - 1
    assert Rules("safe").most_mines(full.grid) == full.mines
