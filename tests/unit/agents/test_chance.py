"""Winning chances: exact ones against trying everything, estimates against exact ones."""

from __future__ import annotations

import random
import threading
from functools import cache
from itertools import combinations
from math import inf
from typing import TYPE_CHECKING

import pytest

from mineproof import (
    Cancelled,
    Game,
    InconsistentPosition,
    InvalidArgument,
    Level,
    Limit,
    OutOfTime,
    Position,
    analyse,
    winning_chance,
)
from mineproof._native.playing import Player
from mineproof.agents.chance import Chance, Playouts, mean, search, seed_of
from mineproof.agents.optimal import optimum
from mineproof.arena.match import turns
from support import awkward
from support.perfect import number

if TYPE_CHECKING:
    from mineproof.board.grid import Grid

SLOW = Limit(seconds=600)


def some_position(seed: int, *, named: bool = False) -> Position:
    """A game on a small board, some moves old; now and then a mine is shown, or a cell named safe."""
    rng = random.Random(seed)
    rows, cols = rng.choice([(2, 5), (3, 3), (3, 4), (1, 9), (4, 3)])
    game = Game(f"{cols}x{rows}x{rng.randint(2, rows * cols // 2)}", "any+continue", seed=seed)
    assert game.layout is not None
    for _ in range(rng.randint(1, 3)):
        closed = [cell for cell in game.position.where("H") if rng.random() < 0.3 or not game.layout.has_mine(cell)]
        if closed and not game.over:
            game.open(rng.choice(closed))
    position = game.position
    safe = [cell for cell in position.where("H") if not game.layout.has_mine(cell)]
    return position.with_symbol(rng.choice(safe), "S") if named and safe else position


def boards_of(position: Position) -> list[frozenset[int]]:
    """All boards that look like a position."""
    grid = position.grid
    shown = {i: chr(symbol) for i, symbol in enumerate(position.cells)}
    found = []
    for mined in combinations(range(len(grid)), position.mines):
        board = frozenset(mined)
        fits = all(
            (i in board) is (symbol in "*?") if symbol not in "012345678H" else
            symbol == "H" or (i not in board and number(grid, board, i) == int(symbol))
            for i, symbol in shown.items()
        )  # fmt: skip
        if fits:
            found.append(board)
    return found


def most_wins(grid: Grid, boards: list[frozenset[int]], open_now: frozenset[int]) -> int:
    """Of these boards, those that can be won: by trying everything."""

    @cache
    def wins(some: frozenset[frozenset[int]], opened: frozenset[int]) -> int:
        if all(len(board | opened) == len(grid) for board in some):
            return len(some)
        best = 0
        for cell in range(len(grid)):
            if cell in opened:
                continue
            shown: dict[int, set[frozenset[int]]] = {}
            for board in some:
                if cell not in board:
                    shown.setdefault(number(grid, board, cell), set()).add(board)
            best = max(best, sum(wins(frozenset(part), opened | {cell}) for part in shown.values()))
        return best

    return wins(frozenset(boards), open_now)


@pytest.mark.parametrize("seed", range(150))
def test_exact_chances_are_those_of_trying_everything(seed: int) -> None:
    position = some_position(seed, named=seed % 3 == 0)
    boards = boards_of(position)
    opened = frozenset(i for i, symbol in enumerate(position.cells) if chr(symbol) in "012345678*")
    found = winning_chance(position, SLOW)
    assert found.exact
    assert analyse(position).solutions == len(boards)
    if len(boards) <= 40:  # more would take too long to try
        assert found.value == pytest.approx(most_wins(position.grid, boards, opened) / len(boards))


@pytest.mark.parametrize(("size", "mines"), [("4x4", 3), ("4x4", 4), ("5x3", 4)])
def test_the_best_first_cell_is_that_of_the_whole_game(size: str, mines: int) -> None:
    level = Level.parse(f"{size}x{mines}")
    best = optimum(level, "any", limit=SLOW)
    blank = Position.blank(level.grid, mines)
    found = Player(boards=2000, nodes=10**6).chance(level.rows, level.cols, blank.cells, mines, SLOW.start())
    assert found == (best.wins, best.boards)


@pytest.mark.parametrize("seed", range(60))
def test_what_comes_first(seed: int) -> None:
    """Opening a cell is winning on each board where it is safe, whatever it then shows; no plan beats the best."""
    position = some_position(seed)
    analysis = analyse(position)
    best = winning_chance(position, SLOW)
    plans = {cell: winning_chance(position, SLOW, first=[cell]) for cell in position.where("H")}
    assert all(plan.exact for plan in plans.values())
    done = set(plans) <= analysis.mined
    assert (1.0 if done else max(plan.value for plan in plans.values())) == pytest.approx(best.value)
    for cell, plan in plans.items():
        if cell in analysis.mined:
            assert plan.value == 0
        total = 0.0
        for shown in range(9):
            after = position.with_symbol(cell, str(shown))
            found = analyse(after)
            if found.consistent:
                total += winning_chance(after, SLOW).value * found.solutions / analysis.solutions
        assert plan.value == pytest.approx(total)


@pytest.mark.parametrize("endgame", [2, 100])
@pytest.mark.parametrize("seed", [6, 10, 20, 27])
def test_what_playouts_remember_changes_nothing(seed: int, endgame: int) -> None:
    """Games of one position come to the same positions; each is the same whether it is played alone or after others."""
    game = Game("9x9x18", "opening", seed=seed)
    for _ in turns("careful", game, SLOW):
        pass
    at = game.position
    used, seeds = Player(boards=endgame), (1, 2)
    for cell in at.where("H")[:4]:
        if cell in analyse(at).mined:
            continue
        asked = (at.rows, at.cols, at.cells, at.mines)
        first = (at.grid.index(cell),)
        for one in seeds:
            together = used.play_out(*asked, one, 20, inf, SLOW.start(), first)
            players = [Player(boards=endgame) for _ in range(20)]
            alone = [player.play_out(*asked, one, 1, inf, SLOW.start(), first, n) for n, player in enumerate(players)]
            assert [[chance] for chance in together or ()] == [pytest.approx(chances, abs=1e-12) for chances in alone]


def played_out(position: Position, games: int, work: float = inf) -> Chance:
    some = Playouts(position)
    some.play(games, SLOW.start(), work)
    return some.chance(SLOW.start())


def test_estimates_are_within_their_errors() -> None:
    """Of perfect play on small positions; and of each other, when the player has its exact endgames taken away."""
    worst, squares, count = 0.0, 0.0, 0
    for seed in range(50):
        position = some_position(seed, named=seed % 4 == 0)
        exact = winning_chance(position, SLOW)
        found = played_out(position, 100)
        assert abs(found.value - exact.value) < 4 * found.error  # its endgames are exact, and the position is small
        grid = position.grid
        blunt = Player(boards=2)
        games = blunt.play_out(grid.rows, grid.cols, position.cells, position.mines, seed, 400, inf, SLOW.start())
        whole = [
            blunt.play_out(grid.rows, grid.cols, position.cells, position.mines, 10_000 + i, 400, inf, SLOW.start())
            for i in range(4)
        ]
        assert games is not None
        mean = sum(games) / len(games)
        spread = (sum((game - mean) ** 2 for game in games) / (len(games) - 1) / len(games)) ** 0.5
        others = [game for some in whole for game in some or []]
        truth = sum(others) / len(others)
        assert truth <= exact.value + 4 * spread + 1e-9  # nobody beats perfect play
        error = (spread**2 * 1.25) ** 0.5  # of both
        if error > 1e-6:
            worst = max(worst, abs(mean - truth) / error)
            squares += ((mean - truth) / error) ** 2
            count += 1
        else:
            assert mean == pytest.approx(truth)
    assert worst < 4
    assert count > 15
    assert 0.4 < squares / count < 2


def test_estimates_agree_with_games_that_are_played_to_their_end() -> None:
    """All boards of 4x4 with 4 mines after a corner that shows a number: won games, counted, against playouts."""
    for shown in "123":
        position = Position.blank(Level.parse("4x4x4").grid, 4).with_symbol("A1", shown)
        blunt = Player(boards=2)
        wins = 0
        boards = boards_of(position)
        for board in boards:
            mask = bytes(i in board for i in range(16))
            course = blunt.play(4, 4, mask, 0, SLOW)
            assert course is not None
            wins += course[0]
        games = blunt.play_out(4, 4, position.cells, 4, 1, 1000, inf, SLOW.start())
        assert games is not None
        mean = sum(games) / len(games)
        error = (sum((game - mean) ** 2 for game in games) / len(games) / len(games)) ** 0.5
        assert mean == pytest.approx(wins / len(boards), abs=4 * error + 1e-9), shown


def expert() -> Position:
    game = Game("expert", "opening", seed=3)
    game.open("D4")
    return game.position


def test_an_estimate_says_so_and_is_the_same_again() -> None:
    found = winning_chance(expert(), SLOW, playouts=20)
    assert (found.how, found.playouts, found.exact) == ("playouts", 20, False)
    assert 0 < found.error < 0.2
    assert winning_chance(expert(), SLOW, playouts=20) == found
    assert found.fields()["how"] == "playouts"
    assert "±" in str(found)


def test_much_work_means_fewer_playouts() -> None:
    few, many = played_out(expert(), 30, work=1), played_out(expert(), 30)
    assert (few.playouts, many.playouts) == (8, 30)
    assert few.error > 0
    assert played_out(expert(), 8) == few


def test_more_playouts_go_on_where_the_others_ended() -> None:
    some, once = Playouts(expert()), Playouts(expert())
    some.play(5, SLOW.start())
    assert some.play(7, SLOW.start()) > 0
    once.play(12, SLOW.start())
    assert some.chances == once.chances
    assert len(some.chances) == 12


@pytest.mark.parametrize("seed", range(0, 60, 3))
def test_what_comes_first_is_played_out_fairly(seed: int) -> None:
    """Against exact chances; and on the boards of the other plans."""
    position = some_position(seed)
    analysis = analyse(position)
    for cell in position.where("H")[:4]:
        exact = winning_chance(position, SLOW, first=[cell])
        if cell in analysis.mined:
            continue
        games = Playouts(position, [position.grid.index(cell)])
        games.play(100, SLOW.start())
        found = games.chance(SLOW.start()).times(1 - float(analysis.probabilities[cell]))
        assert abs(found.value - exact.value) < 4.5 * found.error


def test_common_boards_make_the_error_of_a_difference_smaller() -> None:
    position = expert()
    cells = sorted(position.where("H"), key=lambda cell: float(analyse(position).probabilities[cell]))[:2]
    sides = [Playouts(position, [position.grid.index(cell)]) for cell in cells]
    for side in sides:
        side.play(60, SLOW.start())
    _, error = mean([one - other for one, other in zip(*(side.chances for side in sides), strict=True)])
    alone = [side.chance(SLOW.start()).error for side in sides]
    assert error < 0.8 * (alone[0] ** 2 + alone[1] ** 2) ** 0.5


def test_estimates_show_their_error() -> None:
    assert str(Chance(0.99, 0.005, 200)) == "99.0 ± 0.5 %"
    assert str(Chance(0.431, 0.03, 200)) == "43 ± 3 %"
    assert str(Chance(0.5, 0.0004, 200)) == "50.00 ± 0.04 %"
    assert str(Chance(1 / 3)) == "33.3 %"


def test_notes_change_nothing() -> None:
    position = expert()
    flagged = position.with_symbol(position.where("H")[0], "F")
    assert seed_of(flagged) == seed_of(position)
    assert winning_chance(flagged, SLOW, playouts=5) == winning_chance(position, SLOW, playouts=5)


def test_games_that_are_over() -> None:
    assert winning_chance(Position.from_text("2x1x1\n1H")) == Chance(1.0)
    assert winning_chance(Position.from_text("2x1x1\n1*")) == Chance(1.0)
    assert winning_chance(Position.from_text("2x1x1\nHH")) == Chance(0.5)
    assert winning_chance(Position.from_text("2x1x2\nHH")).value == 1


def test_bad_questions() -> None:
    with pytest.raises(InvalidArgument, match="is open"):
        winning_chance(Position.from_text("2x1x1\n1H"), first=["A1"])
    with pytest.raises(InvalidArgument, match="2 to"):
        winning_chance(Position.from_text("2x1x1\nHH"), playouts=1)
    for first in ([], ["B1"]):
        with pytest.raises(InconsistentPosition, match="A1, C1"):
            winning_chance(Position.from_text("5x1x1\n1H0H1"), first=first)


def test_limits_are_kept() -> None:
    with pytest.raises(OutOfTime):
        winning_chance(awkward.lattice(60), Limit(seconds=0.01))
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(Cancelled):
        winning_chance(expert(), Limit(cancel=cancel))
    assert search(expert(), SLOW.start()) is None


def test_the_border_of_the_compiled_player() -> None:
    player = Player()
    for call in (
        lambda: player.chance(1, 2, b"HHH", 1, SLOW.start()),
        lambda: player.chance(1, 2, b"HX", 1, SLOW.start()),
        lambda: player.play_out(1, 2, b"HH", 3, 0, 1, inf, SLOW.start()),
        lambda: player.play_out(1, 2, b"H", 1, 0, 1, inf, SLOW.start()),
        lambda: player.play_out(1, 2, b"HH", 1, 0, 1, inf, SLOW.start(), (2,)),
        lambda: player.play_out(1, 2, b"1H", 1, 0, 1, inf, SLOW.start(), (0,)),
        lambda: player.play_out(1, 2, b"HH", 1, 0, 1, inf, SLOW.start(), (), -1),
    ):
        with pytest.raises(ValueError, match=r"board|symbol|open already|numbered"):
            call()
    assert player.play_out(1, 5, b"1H0H1", 1, 0, 3, inf, SLOW.start()) is None
    assert player.play_out(1, 2, b"HH", 1, 0, 0, inf, SLOW.start()) == []
