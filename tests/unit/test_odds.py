"""The analysis as a user meets it: samples, numbers, conflicts, bad arguments, threads."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from math import comb, sqrt
from threading import Event

import numpy as np
import pytest

from mineproof import Analyst, Grid, InconsistentPosition, InvalidArgument, Limit, Position, analyse
from mineproof.logic.sat import find_conflict
from support import awkward, referee


def test_samples_are_solutions_and_uniform() -> None:
    for text in ("4x3x4\nHHHH\n2H2H\nHHHH", "5x2x2\nHHHHH\nH1H1H", "3x3x2\nH*H\nHH1\nSHH", "3x2x2\nHHH\nHHH"):
        position = Position.from_text(text)
        found = {tuple(position.grid.index(cell) for cell in sorted(board)) for board in referee.boards(position)}
        draws = 200 * len(found)
        counts = dict.fromkeys(found, 0)
        for board in analyse(position).samples(draws, seed=4):
            counts[tuple(np.flatnonzero(board))] += 1
        expected = draws / len(found)
        statistic = sum((count - expected) ** 2 / expected for count in counts.values())
        assert abs(statistic - (len(found) - 1)) < 5 * sqrt(2 * len(found))


def test_samples_of_large_positions_satisfy_every_clue() -> None:
    rng = random.Random(3)
    for _ in range(20):
        position = awkward.middle(rng, "expert")
        for board in analyse(position).samples(3, seed=rng.randrange(100)):
            assert board.sum() == position.mines
            for clue in position.where("012345678"):
                assert sum(board[cell] for cell in position.grid.neighbours(clue)) == position.clue(clue)


def test_the_number_that_a_cell_would_show() -> None:
    rng = random.Random(5)
    for _ in range(60):
        position = awkward.small(rng, 4, 4)
        boards = list(referee.boards(position))
        analysis = analyse(position)
        assert analysis.consistent == bool(boards)
        for cell in position.where("HS") if boards else ():
            safe = [board for board in boards if cell not in board]
            numbers = [sum(n in board for n in position.grid.neighbours(cell)) for board in safe]
            expected = {n: numbers.count(n) / len(safe) for n in sorted(set(numbers))} if safe else {}
            assert analysis.numbers(cell) == pytest.approx(expected)
    with pytest.raises(InvalidArgument, match="A1 is open"):
        analyse(Position.from_text("2x1x1\n1H")).numbers("A1")


def test_flags_are_notes_and_given_cells_are_knowledge() -> None:
    flagged = analyse(Position.from_text("3x1x1\nF1H"))
    assert flagged.probabilities[0, 0] == 0.5
    assert sorted(map(str, analyse(Position.from_text("3x1x1\nS1H")).mined)) == ["C1"]


def test_best() -> None:
    best = analyse(Position.from_text("4x1x1\n1HHH")).least_risk
    assert best is not None
    assert (str(best.cell), best.risk) == ("C1", 0.0)
    assert analyse(Position.from_text("1x1x0\n0")).least_risk is None


def test_what_is_certain_is_better_than_what_is_nearly_certain() -> None:
    analysis = analyse(awkward.nearly_certain(6, 100, 17))
    assert analysis.least_risk is not None
    assert min(analysis.probability(cell) for cell in analysis.position.where("H") if cell not in analysis.safe) < 1e-9
    assert analysis.least_risk.cell in analysis.safe


def test_an_inconsistent_position_has_nothing_to_draw_or_to_cut() -> None:
    wrong = analyse(Position.from_text("5x1x1\n1H0H1"))
    assert (wrong.solutions, wrong.least_risk, wrong.safe, wrong.unrated) == (0, None, frozenset(), frozenset())
    for ask in (lambda: wrong.components, lambda: wrong.samples(1, seed=1)):
        with pytest.raises(InconsistentPosition, match="the clues A1, C1 cannot both be right"):
            ask()


def test_components() -> None:
    parts = analyse(Position.from_text("5x2x2\n1HSH1\nHHSHH")).components
    assert [([str(c) for c in clues], [str(c) for c in cells]) for clues, cells in parts] == [
        (["A1"], ["B1", "A2", "B2"]),
        (["E1"], ["D1", "D2", "E2"]),
    ]


def test_conflicts_are_minimal() -> None:
    rng = random.Random(9)
    seen = 0
    while seen < 60:
        position = awkward.small(rng, 5, 6)
        analysis = analyse(position)
        if analysis.consistent:
            assert analysis.conflict is None
            continue
        seen += 1
        conflict = analysis.conflict
        assert conflict is not None
        if conflict.mine_count:
            others = (Position(position.grid, mines, position.cells) for mines in range(len(position.grid) + 1))
            assert any(analyse(other).consistent for other in others)
            continue
        assert conflict.clues
        for left_out in conflict.clues:
            symbols = bytearray(position.cells.translate(bytes.maketrans(b"012345678", b"S" * 9)))
            for clue in conflict.clues - {left_out}:
                symbols[position.grid.index(clue)] = position.cells[position.grid.index(clue)]
            fewer = Position(position.grid, position.mines, bytes(symbols))
            again = find_conflict(fewer)
            assert again is None or again.mine_count
    with pytest.raises(InconsistentPosition, match="A1, C1 cannot both be right"):
        analyse(Position.from_text("5x1x1\n1H0H1"), strict=True)
    with pytest.raises(InconsistentPosition, match="the clue A1 cannot be right"):
        analyse(Position.from_text("2x1x1\n2H"), strict=True)
    with pytest.raises(InconsistentPosition, match="not with this number of mines"):
        analyse(Position.from_text("3x1x2\n1HS"), strict=True)


def test_the_solutions_of_an_empty_board() -> None:
    assert analyse(Position.blank(Grid(100, 100), 2000)).solutions == comb(10_000, 2000)


def test_bad_arguments_get_a_sentence() -> None:
    position = Position.from_text("3x1x1\nH1H")
    for seed, count in ((-1, 1), (2**64, 1), (1, -1), (1, 10**9)):
        with pytest.raises(InvalidArgument, match="samples can be drawn"):
            analyse(position).samples(count, seed=seed)
    with pytest.raises(InvalidArgument, match="a limit must be a Limit"):
        analyse(position, 2)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="read-only"):
        analyse(position).probabilities[0, 0] = 1


@pytest.mark.parametrize(
    "bad",
    [{"seconds": 0}, {"seconds": -1}, {"memory": 0}, {"seconds": "2"}, {"memory": 2**70}, {"seconds": float("inf")}],
)
def test_bad_limits(bad: dict[str, float]) -> None:
    with pytest.raises(InvalidArgument):
        Limit(**bad)  # type: ignore[arg-type]


def test_threads_have_their_own_counters() -> None:
    rng = random.Random(1)
    positions = [awkward.middle(rng, "expert") for _ in range(40)]
    alone = [analyse(position).probabilities for position in positions]
    with ThreadPoolExecutor(4) as pool:
        together = [found.probabilities for found in pool.map(analyse, positions)]
    for first, second in zip(alone, together, strict=True):
        np.testing.assert_array_equal(first, second)


def test_other_threads_see_the_position_of_an_analyst_between_two_moves() -> None:
    analyst = Analyst(Position.blank(Grid(200, 200), 1))
    cells, done = list(analyst.grid), Event()

    def look() -> set[int]:
        flags = set()
        while not done.is_set():
            flags.add(analyst.position.cells.count(b"F"))
        return flags

    with ThreadPoolExecutor() as pool:
        watching = pool.submit(look)
        for symbol in "FH" * 10:
            analyst.see(cells, symbol * len(cells))
        done.set()
        assert watching.result() <= {0, len(cells)}
