"""Perfect play: the published table, a slow twin, and the agent ``best`` where it can be perfect."""

from __future__ import annotations

from itertools import combinations

import pytest

from mineproof import (
    AGENTS,
    Grid,
    InvalidArgument,
    InvalidBoard,
    Layout,
    Level,
    Limit,
    OutOfTime,
    Position,
    TooHard,
    play,
    winning_chance,
)
from mineproof._native.playing import Player, Tree
from mineproof.agents.optimal import optimum
from support import perfect

SLOW = Limit(seconds=600)


@pytest.mark.parametrize(
    ("rows", "cols", "mines", "any_wins", "any_boards", "safe", "opening_wins", "opening_boards"),
    [
        (4, 4, 3, 400, 560, 0.8791, 35, 35),
        (4, 4, 4, 961, 1820, 0.7040, 34, 35),
        (4, 4, 5, 1461, 4368, 0.4865, 20, 21),  # computed by the plain search that came before this one
        (5, 5, 3, 1798, 2300, 0.8883, 512, 560),
        (6, 6, 3, 6427, 7140, 0.9820, 2921, 2925),
    ],
)
def test_the_published_table(
    rows: int,
    cols: int,
    mines: int,
    any_wins: int,
    any_boards: int,
    safe: float,
    opening_wins: int,
    opening_boards: int,
) -> None:
    level = Level(rows, cols, mines)
    found = optimum(level, "any")
    assert (found.wins, found.boards) == (any_wins, any_boards)
    assert float(optimum(level, "safe").chance) == pytest.approx(safe, abs=5e-5)
    found = optimum(level, "opening")
    assert (found.wins, found.boards) == (opening_wins, opening_boards)


@pytest.mark.parametrize(("rows", "cols", "mines"), [(1, 5, 2), (2, 3, 2), (2, 4, 3), (3, 3, 2), (3, 3, 3)])
def test_trying_everything_says_the_same(rows: int, cols: int, mines: int) -> None:
    grid = Grid(rows, cols)
    tree = Tree(rows, cols, mines, 10**6)
    for cell in range(len(grid)):
        found = tree.start(cell, opening=False, clock=SLOW.start())
        assert found is not None
        assert found[0] == perfect.most_wins(grid, mines, cell), cell


@pytest.mark.parametrize(("rows", "cols", "mines", "starts"), [(4, 4, 3, (0, 5)), (3, 5, 4, (6,))])
def test_best_is_perfect_where_few_boards_are_left(rows: int, cols: int, mines: int, starts: tuple[int, ...]) -> None:
    """Fewer boards than the exact endgame takes, so from a given first cell it wins as many as can be won."""
    player = Player()
    for start in starts:
        wins = 0
        for mined in combinations([cell for cell in range(rows * cols) if cell != start], mines):
            mask = bytes(cell in mined for cell in range(rows * cols))
            found = player.play(rows, cols, mask, start, SLOW)
            assert found is not None
            wins += found[0]
        best = Tree(rows, cols, mines, 10**7).start(start, opening=False, clock=SLOW.start())
        assert best is not None
        assert wins == best[0]


@pytest.mark.parametrize("size", ["1x1x0", "3x2x2", "1x7x3", "6x3x16", "3x3x4", "5x2x3", "4x4x3", "16x16x1"])
def test_best_is_perfect_from_an_untouched_board(size: str) -> None:
    level = Level.parse(size)
    assert level.mines is not None
    position = Position.blank(level.grid, level.mines)
    chance = optimum(level, "any").chance
    decision = AGENTS["best"].make().choose(position)
    assert decision.certain or decision.chance == pytest.approx(float(chance))
    assert winning_chance(position).value == pytest.approx(float(chance))
    boards = frozenset(map(frozenset, combinations(range(len(level.grid)), level.mines)))
    if len(boards) <= 40:
        assert perfect.most_wins_of(level.grid, boards, frozenset()) == chance * len(boards)
    if len(boards) <= 153:
        wins = sum(play("best", Layout.of(level.grid, map(level.grid.cell, board))).won for board in boards)
        assert wins == chance * len(boards)


def test_best_comes_close_where_it_looks_ahead() -> None:
    """2,024 boards after a safe corner: more than an exact endgame takes at once."""
    player = Player(boards=50)
    wins = 0
    for mined in combinations(range(1, 25), 3):
        found = player.play(5, 5, bytes(cell in mined for cell in range(25)), 0, SLOW)
        assert found is not None
        wins += found[0]
    best = optimum(Level(5, 5, 3), "safe").wins
    assert 0.97 * best <= wins <= best


def test_bad_questions() -> None:
    with pytest.raises(TooHard, match="too many to play perfectly"):
        optimum(Level(9, 9, 10))
    with pytest.raises(InvalidBoard, match="fixed number of mines"):
        optimum(Level(3, 3, probability=0.2))
    with pytest.raises(InvalidArgument, match="not given"):
        optimum(Level(3, 3, 1), "given")
    with pytest.raises(InvalidBoard, match="no first click on this board can be an opening"):
        optimum(Level(2, 2, 1), "opening")
    with pytest.raises(InvalidBoard, match="no first click on this board can be safe"):
        optimum(Level(2, 2, 4), "any")
    with pytest.raises(TooHard, match="cells are too many"):
        optimum(Level(17, 17, 1))
    with pytest.raises(OutOfTime):
        optimum(Level(5, 5, 3), nodes=10)


@pytest.mark.parametrize("hashed", [0x7, 0xFF])
@pytest.mark.parametrize(("rows", "cols", "mines"), [(4, 4, 3), (3, 5, 4), (2, 7, 5)])
def test_states_are_told_apart_even_if_their_hashes_are_equal(rows: int, cols: int, mines: int, hashed: int) -> None:
    tree, colliding = Tree(rows, cols, mines, 10**7), Tree(rows, cols, mines, 10**7, hashed)
    for cell in range(rows * cols // 2):
        assert colliding.start(cell, False, SLOW.start()) == tree.start(cell, False, SLOW.start())
