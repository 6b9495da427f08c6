"""The printed rules of the reports: what ``literal`` does, why it is wrong, and that ours are not."""

from __future__ import annotations

import random

import pytest

from mineproof import InvalidArgument, Position, analyse
from mineproof.logic import chaining, normal_form, resolution, sat
from mineproof.logic.clauses import exactly, multiplied_out, multiply_out, size_multiplied_out
from mineproof.logic.clue_table import clue_table
from mineproof.logic.constraints import Constraint
from mineproof.logic.matching import KnowledgeBase
from mineproof.odds.scenarios import Scenario, decided, newly_decided, scenario_of, table
from support import awkward

PAIR = Position.from_text("3x1x1\nH1H")
"""One mine in two cells: nothing is certain."""


def test_resolve_as_printed_is_unsound() -> None:
    """{A, B} and {¬A, ¬B} give {B, ¬B}, and that with {A, B} gives {A}."""
    assert not analyse(PAIR).safe
    assert not analyse(PAIR).mined
    assert chaining.infer(PAIR) == []
    assert resolution.infer(PAIR) == []
    for method in (chaining, resolution):
        found = method.infer(PAIR, literal=True)
        assert found.safe | found.mined


def test_no_contradiction_means_safe_is_unsound() -> None:
    """Two clues that see the same two cells and one mine: neither cell is certain, and the first is said to be safe."""
    position = Position.from_text("2x2x1\n1H\n1H")
    assert normal_form.infer(position) == []
    found = normal_form.infer(position, literal=True)
    assert {str(cell) for cell in found.safe} == {"B1"}
    assert not found.mined


def test_the_printed_rule_of_normal_forms_tells_mines_rightly_and_safe_cells_often_not() -> None:
    rng = random.Random(11)
    safe = wrong = mines = 0
    for _ in range(400):
        position = awkward.small(rng, 6, 6)
        truth = analyse(position)
        if not truth.consistent:
            continue
        for one in normal_form.infer(position, literal=True):
            if one.mine:
                assert one.cells <= truth.mined
                mines += one.method == "normal-form"
            elif one.method == "normal-form":
                safe += 1
                wrong += not one.cells <= truth.safe
    assert mines
    assert wrong > safe / 4


def test_the_cell_that_occurs_least() -> None:
    """A form names each of its cells in each of its arrangements, mined or not."""
    one, other = Constraint(0, (1, 2, 3), 1), Constraint(9, (3, 4, 5), 2)
    assert normal_form.least_occurring(one, other) == [1, 2, 4, 5]
    assert normal_form.least_occurring(one, Constraint(9, (3, 4), 1)) == [4]


def test_pairs_are_a_clue_and_its_opened_neighbours() -> None:
    """Clues two cells apart that share cells are no pair; ours of subset are."""
    position = Position.from_text("5x2x3\nHHHHH\n1H2H1".replace("1H2H1", "S1S2S"))
    assert normal_form.infer(position).mined == frozenset()


@pytest.mark.parametrize("size", range(1, 7))
def test_multiplied_out_is_what_multiplying_gives(size: int) -> None:
    for mines in range(size + 1):
        clauses = multiplied_out(mines, size)
        assert set(map(frozenset, clauses)) == multiply_out(mines, size)
        assert len(clauses) == size_multiplied_out(mines, size) == len(set(clauses))
    assert size_multiplied_out(1, size) == 3**size - 2**size - size * 2 ** (size - 1) + 1


def test_the_numbers_of_the_sat_report() -> None:
    assert [size_multiplied_out(*clue) for clue in ((1, 2), (1, 3), (2, 3), (1, 8), (1, 15))] == [
        2, 8, 8, 5282, 14_070_380,
    ]  # fmt: skip
    assert len(list(exactly(1, range(1, 9)))) == 29


@pytest.mark.parametrize("mine_count", [False, True, 12])
def test_encodings_change_nothing(mine_count: bool | int) -> None:
    rng = random.Random(5)
    for _ in range(60):
        position = awkward.small(rng, 5, 5)
        if analyse(position).consistent:
            found = [
                sat.infer(position, mine_count=mine_count, encoding=encoding)
                for encoding in ("cardinality", "direct", "multiplied-out")
            ]
            assert len({(one.safe, one.mined) for one in found}) == 1
    with pytest.raises(InvalidArgument, match="an encoding must be one of"):
        sat.infer(Position.from_text("3x2x2\nHHH\n121"), encoding="short")


def test_the_mine_count_up_to_a_number_of_cells() -> None:
    """Sound; it says what all of it says, or what the clues say."""
    rng = random.Random(6)
    used = 0
    for _ in range(150):
        position = awkward.small(rng)
        truth = analyse(position)
        if not truth.consistent:
            continue
        found, bare = sat.infer(position, mine_count=12), sat.infer(position, mine_count=False)
        assert found.safe <= truth.safe
        assert found.mined <= truth.mined
        assert found.safe >= bare.safe
        assert not found.complete
        if any(one.mine_count for one in found):
            used += 1
            assert (found.safe, found.mined) == (truth.safe, truth.mined)
            assert not bare.safe
    assert used > 5


def test_a_resolvent_replaces_its_parents_until_they_meet_another_clause() -> None:
    """The first two clauses give {1, 3} and are gone; both come back when they are matched with the third, which
    resolves with neither."""
    parents, third = (frozenset({1, 2}), frozenset({-2, 3})), frozenset({4, 5})
    for others, left in (((), ()), ((third,), (third, *parents))):
        replaced, kept = KnowledgeBase(), KnowledgeBase(keep_parents=True)
        for base in (replaced, kept):
            for clause in (*parents, *others):
                base.insert(clause, frozenset())
            assert base.match_pairs()
        assert set(replaced.clauses) == {frozenset({1, 3}), *left}
        assert set(kept.clauses) == {frozenset({1, 3}), *parents, *others}


def test_rounds_end() -> None:
    """A chain of implications: each round makes more, and a limit of rounds ends it."""
    bases = [KnowledgeBase(rounds=rounds) for rounds in (1, None)]
    for base in bases:
        for literal in range(1, 20):
            base.insert(frozenset({-literal, literal + 1}), frozenset())
        assert list(base.proved()) == []
    assert bases[0].rounds == 1
    assert bases[1].rounds > 1
    bases[0].insert(frozenset({1}), frozenset())
    assert len(list(bases[0].proved())) == 20
    with pytest.raises(InvalidArgument, match="rounds must be at least 1"):
        KnowledgeBase(rounds=0)
    with pytest.raises(InvalidArgument, match="a store must be one of index, list"):
        KnowledgeBase(store="heap")


def test_the_clue_table() -> None:
    position = Position.from_text("4x3x4\n2HH*\nHH2S\n1HFH")
    rows = {str(known.clue): known[1:] for known in clue_table(position)}
    assert rows == {
        "A1": (2, 0, 0, 3, "unsure"),
        "C2": (2, 1, 1, 6, "unsure"),
        "A3": (1, 0, 0, 3, "unsure"),
    }
    known = {position.grid.at(name) for name in ("B1", "A2")}
    assert clue_table(position, mined=known)[0][1:] == (2, 0, 2, 1, "all are safe")
    assert clue_table(position, safe={position.grid.at("B2")})[0][1:] == (2, 1, 0, 2, "all are mines")
    assert clue_table(Position.from_text("3x1x1\n3HH"))[0][1:] == (3, 0, 0, 1, "impossible")
    assert clue_table(Position.from_text("3x1x1\n*0H"))[0][1:] == (0, 0, 1, 1, "impossible")


def test_scenarios_say_what_the_counting_engine_says() -> None:
    """Two clues in a row under a wall of closed cells, with every pair of numbers."""
    for left in range(1, 4):
        for right in range(1, 4):
            position = Position.from_text(f"4x2x4\nHHHH\nS{left}{right}S")
            clues = [Constraint(5, (0, 1, 2), left), Constraint(6, (1, 2, 3), right)]
            found = decided(Scenario(((1, 1), (2, 1), (3, 2)), (left, right)))
            truth = sat.infer(position, mine_count=False) if found is not None else None
            if truth is None or found is None:
                continue
            groups = {1: [0], 2: [3], 3: [1, 2]}
            for seen, cells in groups.items():
                names = {position.grid.cell(cell) for cell in cells}
                assert (names <= truth.mined) is (found.get(seen) is True)
                assert (names <= truth.safe) is (found.get(seen) is False)
            assert scenario_of(clues) == scenario_of(clues[::-1])


def test_a_scenario_tells_news_only() -> None:
    for one, found in table(3, 5):
        assert found == newly_decided(one)
        for pair in ((0, 1), (0, 2), (1, 2)):
            known = decided(one.part(pair)) or {}
            for seen in found:
                assert sum(1 << new for new, old in enumerate(pair) if seen >> old & 1) not in known
