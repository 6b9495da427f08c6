"""No method ever says what the counting engine denies; the complete ones say all that it says."""

from __future__ import annotations

import random
from functools import cache

import pytest

from mineproof import METHODS, Analysis, Deductions, InconsistentPosition, Limit, Position, analyse
from support import awkward
from support.sizes import size

LONG = Limit(seconds=120)
COMPLETE = [name for name, method in METHODS.items() if method.complete]
WEAK = [name for name, method in METHODS.items() if not method.complete and name != "resolution"]


def some_position(rng: random.Random) -> Position:
    """Small and torn more often than not; of all levels and densities."""
    kind = rng.random()
    if kind < 0.55:
        return awkward.small(rng)
    if kind < 0.8:
        return awkward.small(rng, 8, 9)
    return (awkward.middle if kind < 0.9 else awkward.nearly_over)(rng, rng.choice(awkward.LEVELS))


def infer(name: str, position: Position, analysis: Analysis, **options: object) -> Deductions | None:
    """What a method says, None when it finds that there is no board; it is right about that."""
    if analysis.consistent:
        return METHODS[name].infer(position, LONG, **options)
    try:
        found = METHODS[name].infer(position, LONG, **options)
    except InconsistentPosition:
        return None
    assert not found.complete, (name, position)
    return found


def check_reasons(position: Position, found: Deductions) -> None:
    for deduction in found:
        assert deduction.cells
        assert all(position.clue(clue) is not None for clue in deduction.because)


def test_what_cannot_be_added_up_is_asked_of_the_whole_board(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mineproof.logic.solver.MOST_SUMS", 0)
    rng = random.Random(1)
    by_count = 0
    for _ in range(size(200, 400)):
        position = some_position(rng)
        analysis = analyse(position)
        found = infer("sat", position, analysis)
        if analysis.consistent:
            assert found is not None
            assert found.complete
            assert (found.safe, found.mined) == (analysis.safe, analysis.mined), position
            by_count += any(deduction.mine_count for deduction in found)
    assert by_count > 10


@pytest.mark.parametrize("part", range(8))
def test_nothing_is_wrong(part: int) -> None:
    rng = random.Random(part)
    for _ in range(size(80, 250)):
        position = some_position(rng)
        analysis = analyse(position)
        for name in WEAK:
            found = infer(name, position, analysis)
            if found is not None and analysis.consistent:
                assert found.safe <= analysis.safe, (name, position)
                assert found.mined <= analysis.mined, (name, position)
                assert not found.complete
                check_reasons(position, found)


@pytest.mark.parametrize("part", range(8))
def test_complete_methods_find_everything(part: int) -> None:
    rng = random.Random(100 + part)
    counted = 0
    for _ in range(size(50, 120)):
        position = some_position(rng)
        analysis = analyse(position)
        for name in COMPLETE:
            found = infer(name, position, analysis)
            if found is not None:
                assert found.complete
                assert (found.safe, found.mined) == (analysis.safe, analysis.mined), (name, position)
                check_reasons(position, found)
                counted += any(deduction.mine_count for deduction in found)
    assert counted > 8  # the number of mines decided something


@pytest.mark.parametrize("part", range(4))
def test_complete_methods_agree_without_the_number_of_mines(part: int) -> None:
    rng = random.Random(200 + part)
    for _ in range(60):
        position = some_position(rng)
        analysis = analyse(position)
        if analysis.consistent:
            by_sat, by_csp, by_asp = (infer(name, position, analysis, mine_count=False) for name in COMPLETE)
            assert by_sat is not None
            assert by_csp is not None
            assert by_asp is not None
            assert not by_sat.complete
            assert (by_sat.safe, by_sat.mined) == (by_csp.safe, by_csp.mined) == (by_asp.safe, by_asp.mined), position
            assert not any(deduction.mine_count for found in (by_sat, by_csp, by_asp) for deduction in found)


@pytest.mark.parametrize("part", range(4))
def test_resolution_without_limits_is_complete(part: int) -> None:
    rng = random.Random(300 + part)
    done = 0
    while done < 60:
        position = awkward.small(rng)
        if not 1 <= len(position.where("HFQ")) <= 9:
            continue
        done += 1
        analysis = analyse(position)
        found = infer("resolution", position, analysis, clauses=None, subsumption=True, mine_count=True)
        assert (found is None) == (not analysis.consistent)
        if found is not None:
            assert found.complete
            assert (found.safe, found.mined) == (analysis.safe, analysis.mined), position


def test_resolution_is_never_wrong() -> None:
    rng = random.Random(400)
    for _ in range(25):
        position = awkward.middle(rng, "beginner")
        analysis = analyse(position)
        found = infer("resolution", position, analysis)
        assert found is not None
        assert found.safe <= analysis.safe
        assert found.mined <= analysis.mined


@cache
def sample() -> list[tuple[Position, dict[str, Deductions]]]:
    """The same positions of every level for all methods."""
    rng = random.Random(500)
    positions = [awkward.middle(rng, level) for level in awkward.LEVELS for _ in range(25)]
    return [(position, {name: METHODS[name].infer(position) for name in (*WEAK, "sat")}) for position in positions]


@pytest.mark.parametrize(
    ("weaker", "stronger"),
    [
        ("single", "subset"),
        ("single", "normal-form"),
        ("single", "matching"),
        ("single", "chaining"),
        ("subset", "sat"),
        ("normal-form", "sat"),
        ("matching", "sat"),
        ("chaining", "sat"),
    ],
)
def test_order_of_strength(weaker: str, stronger: str) -> None:
    more = 0
    for position, found in sample():
        few, many = found[weaker], found[stronger]
        assert few.safe <= many.safe, position
        assert few.mined <= many.mined, position
        more += few.safe != many.safe or few.mined != many.mined
    assert more  # strictly stronger, on some position
