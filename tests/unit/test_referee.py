"""The referee on positions whose answers are known by hand, and against every choice of cells."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest

from mineproof import Cell, CellSet, Conflict, Position, why
from support import awkward
from support.referee import Referee, TooLarge, boards, conflict_faults, step_faults

WALL = Position.from_text("3x2x2\nHHH\n121")
A1, B1, C1, A2, B2, C2 = map(Cell.parse, ("A1", "B1", "C1", "A2", "B2", "C2"))


@pytest.mark.parametrize(
    ("text", "number", "risks"),
    [
        ("3x2x2\nHHH\n121", 1, "1 0 1"),
        ("2x1x1\nHH", 2, "1/2 1/2"),
        ("4x1x1\n1HHH", 1, "1 0 0"),
        ("4x1x2\n1HHH", 2, "1 1/2 1/2"),
        ("5x1x2\nH1HHH", 4, "1/2 1/2 1/2 1/2"),
        ("3x1x1\nHSH", 2, "1/2 0 1/2"),
        ("3x1x2\nF*Q", 2, "1/2 1/2"),
        ("3x1x1\n?2H", 0, ""),
        ("3x1x2\n?2H", 1, "1"),
        ("5x1x1\n1H0H1", 0, ""),
        ("3x1x2\n1HS", 0, ""),
        ("1x1x0\n0", 1, ""),
    ],
)
def test_known_by_hand(text: str, number: int, risks: str) -> None:
    referee = Referee(Position.from_text(text))
    assert referee.boards == number
    assert [*referee.risks.values()] == [*map(Fraction, risks.split())]


def test_numbers_known_by_hand() -> None:
    referee = Referee(Position.from_text("3x1x1\nHHH"))
    assert referee.numbers(B1) == {1: 1}
    assert referee.numbers(A1) == {0: Fraction(1, 2), 1: Fraction(1, 2)}
    assert Referee(WALL).numbers(A1) == {}
    assert Referee(Position.from_text("4x1x2\n?HSH")).numbers(C1) == {1: 1}


def test_every_choice_of_cells_says_the_same() -> None:
    rng = random.Random(1)
    some = 0
    for _ in range(300):
        position = awkward.small(rng, 3, 4)
        unknown, shown = position.where("HFQ"), frozenset(position.where("*?"))
        left = position.mines - len(shown)
        laid = {shown.union(cells) for cells in combinations(unknown, left)} if left >= 0 else set()
        for clue in position.where("012345678"):
            around = position.grid.neighbours(clue)
            laid = {board for board in laid if len(board.intersection(around)) == int(position[clue])}
        assert sorted(map(sorted, boards(position))) == sorted(map(sorted, laid)), position
        referee = Referee(position)
        assert referee.boards == len(laid), position
        for cell, risk in referee.risks.items():
            some += 1
            assert risk == Fraction(sum(cell in board for board in laid), len(laid)), (position, cell)
    assert some > 300


def test_perfect_play_known_by_hand() -> None:
    wins = Referee(Position.from_text("3x1x1\nHHH")).wins()
    assert wins == {A1: Fraction(2, 3), B1: Fraction(1, 3), C1: Fraction(2, 3)}
    two_toss_ups = Referee(Position.from_text("6x2x2\nH1001H\nH1001H")).wins()
    assert set(two_toss_ups.values()) == {Fraction(1, 4)}


def test_some_clues_and_known_cells() -> None:
    assert Referee(WALL, [A2, B2], counted=False).certain == {C1: True}
    assert Referee(WALL, [A2], {A1: True}).verdict(B1) is False
    assert Referee(WALL, [], counted=False).verdict(B1) is None
    assert Referee(WALL, [B2], {B1: False}, counted=False).certain == {A1: True, B1: False, C1: True}


def test_reasons_that_are_wrong() -> None:
    referee = Referee(WALL)
    assert list(referee.reason_faults(B1, False, [A2, B2, C2], False)) == []
    assert list(referee.reason_faults(B1, False, [A2, B2], False)) == ["B1 does not follow from A2, B2"]
    assert "A1 follows without A2" in referee.reason_faults(A1, True, [A2, B2, C2], False)
    assert list(referee.fewer_faults(A1, True, [B2, C2], False)) == []
    assert list(referee.fewer_faults(A1, True, [A2, B2, C2], False)) == ["A1 follows from fewer clues: B2, C2"]
    assert "A1 follows without the number of mines" in referee.reason_faults(A1, True, [B2, C2], True)


def test_steps_that_are_wrong() -> None:
    first, last = why(WALL, "B1").steps
    assert list(step_faults(WALL, [first, last])) == []
    assert list(step_faults(WALL, [last])) == ["step 1 uses A1, not settled before", "step 1 does not settle B1"]
    assert list(step_faults(WALL, [replace(first, mine=False)])) == ["step 1 does not settle A1"]
    assert list(step_faults(WALL, [replace(first, clues=(A1,))])) == ["step 1 names A1, not a clue"]
    assert list(step_faults(WALL, [replace(first, mine_count=True)])) == [
        "step 1 settles A1 without the number of mines"
    ]


def test_conflicts_that_are_wrong() -> None:
    position = Position.from_text("5x1x1\n1H0H1")
    c1, e1 = Cell.parse("C1"), Cell.parse("E1")
    assert list(conflict_faults(position, Conflict(CellSet([A1, c1]), mine_count=False))) == []
    assert list(conflict_faults(position, Conflict(CellSet([A1, e1]), mine_count=False))) == ["A1, E1 can all be right"]
    too_many = Conflict(CellSet([A1, c1, e1]), mine_count=False)
    assert list(conflict_faults(position, too_many)) == [
        "A1 is not needed for the conflict",
        "E1 is not needed for the conflict",
    ]
    counted = list(conflict_faults(position, Conflict(CellSet(), mine_count=True)))
    assert counted == ["the clues contradict each other without the number of mines"]
    assert list(conflict_faults(Position.from_text("3x1x2\n1HS"), Conflict(CellSet(), mine_count=True))) == []
    assert "there is a board" in "".join(conflict_faults(WALL, Conflict(CellSet(), mine_count=True)))


def test_too_many_ways_are_refused() -> None:
    with pytest.raises(TooLarge):
        Referee(awkward.lattice(15))
