"""Positions too hard to count: nothing is reported that was not estimated, and what was proved stays proved."""

from __future__ import annotations

import random
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest

from mineproof import Analysis, Cell, Limit, Position, analyse
from mineproof._native import counting
from mineproof.odds import hard
from support import awkward
from support.clocks import Ticking
from support.sizes import size

if TYPE_CHECKING:
    from numpy.typing import NDArray

SLOW = Limit(seconds=600)
TIGHT = Limit(seconds=600, memory=2**13)
"""Hardly any memory for counting: only small components are counted."""


def sampled(position: Position, sweeps: int) -> hard.Estimate:
    """The estimate of a position that could be counted, had it more memory."""
    counter = counting.Counter()
    counter.start(position.grid.rows, position.grid.cols, position.cells, position.mines)
    assert counter.count(TIGHT.start()) == counting.HARD
    found = hard.estimate(position, counter, SLOW.start(), settled=False, sweeps=sweeps)
    assert found is not None
    assert found.consistent
    return found


def marks(found: Analysis | hard.Estimate) -> NDArray[np.uint8]:
    return np.frombuffer(found.marks, np.uint8).reshape(found.probabilities.shape)


def check_honest(found: Analysis | hard.Estimate) -> None:
    """Certain cells stand at 0 and 1; unsure ones strictly between, with an error; or there is nothing."""
    assert found.errors is not None
    known, odds = marks(found), found.probabilities
    assert (odds[known == counting.MARK_SAFE] == 0).all()
    assert (odds[known == counting.MARK_MINED] == 1).all()
    unsure = known == counting.MARK_UNSURE
    rated = unsure & ~np.isnan(odds)
    assert ((odds[rated] > 0) & (odds[rated] < 1)).all()
    assert (found.errors[rated] > 0).all()
    assert np.isnan(found.errors[unsure & ~rated]).all()


POSITIONS = [
    *(awkward.lattice(side, seed, density) for side, seed, density in
      ((14, 1, 0.2), (15, 1, 0.3), (18, 2, 0.25), (20, 3, 0.3), (22, 1, 0.2), (22, 5, 0.25), (24, 2, 0.2))),
    *(awkward.sparse(30, 0.25, seed, 0.25) for seed in range(4)),
    *(awkward.sparse(26, 0.12, seed, 0.15) for seed in (1, 2)),
]  # fmt: skip


MANY = 300
"""Sweeps that take long: some of the positions do."""


@cache
def compared(sweeps: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Of all unsure cells of many positions: how far the sampled odds are off, and how far they say they may be."""
    off, errors = [], []
    for position in POSITIONS[:: size(6, 3)] if sweeps == MANY else POSITIONS[:: size(2, 1)]:
        exact, found = analyse(position, SLOW), sampled(position, sweeps)
        assert exact.exact
        check_honest(found)
        assert found.complete
        assert found.marks == exact.marks
        unsure = (marks(found) == counting.MARK_UNSURE) & ~np.isnan(found.probabilities)
        off.append(np.abs(found.probabilities - exact.probabilities)[unsure])
        errors.append(found.errors[unsure])
    return np.concatenate(off), np.concatenate(errors)


@pytest.mark.parametrize("sweeps", [3, 30, MANY])
def test_sampled_odds_are_as_good_as_they_say(sweeps: int) -> None:
    off, errors = compared(sweeps)
    assert len(off) > 800
    assert np.mean(off > 4 * errors) <= 0.01
    assert np.mean(off > 2 * errors) <= 0.05


def test_more_sweeps_bring_better_odds() -> None:
    few, many = compared(3), compared(MANY)
    assert np.mean(many[0]) < np.mean(few[0]) / 2
    assert np.mean(many[1]) < np.mean(few[1]) / 2


@pytest.mark.parametrize("looks", [10, 100, 300, 1000, 3000])
@pytest.mark.parametrize("side", [30, 60])
def test_whatever_the_limit_nothing_is_invented(monkeypatch: pytest.MonkeyPatch, side: int, looks: int) -> None:
    position = awkward.lattice(side, density=0.25)
    with monkeypatch.context() as patched:
        Ticking(patched)
        found = analyse(position, Limit(looks))
    assert not found.exact
    check_honest(found)
    if found.least_risk is not None and found.least_risk.cell not in found.safe:
        assert found.least_risk.risk > 0
        assert found.least_risk.cell not in found.unrated


@pytest.mark.parametrize(
    "position",
    [
        awkward.sparse(60, 0.5),
        awkward.sparse(80, 0.3, density=0.25),
        awkward.lattice(40),
        awkward.lattice(30, density=0.3),
    ],
)
def test_more_time_never_lists_less(monkeypatch: pytest.MonkeyPatch, position: Position) -> None:
    certain: set[tuple[bool, Cell]] = set()
    for looks in (10, 30, 100, 300, 1000, 3000):
        with monkeypatch.context() as patched:
            Ticking(patched)
            found = analyse(position, Limit(looks))
        now = {(True, cell) for cell in found.safe} | {(False, cell) for cell in found.mined}
        assert certain <= now, looks
        certain = now


def test_cells_said_to_be_nearly_safe_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Positions drawn with their layout: of unsure cells below 1 %, at most 2 % are mines."""
    low = mined = 0
    with monkeypatch.context() as patched:
        Ticking(patched)
        for seed in range(6):
            position, mines = awkward.honeycomb(60, seed)
            found = analyse(position, Limit(3000))
            unsure = (marks(found) == counting.MARK_UNSURE) & (found.probabilities < 0.01)
            low += int(unsure.sum())
            mined += int(mines[unsure].sum())
            assert not mines[marks(found) == counting.MARK_SAFE].any()
            assert mines[marks(found) == counting.MARK_MINED].all()
    assert mined <= 0.02 * low


def test_a_hard_position_can_be_inconsistent() -> None:
    position = awkward.lattice(30)
    wrong = position.with_symbol("B2", "0").with_symbol("D2", "8")
    analysis = analyse(wrong, SLOW)
    assert analysis.consistent is False
    assert analysis.conflict is not None


@pytest.mark.parametrize(("spare", "looks"), [(-1, 300), (0, 300), (1, 300), (4, 1000)])
def test_the_number_of_mines_can_decide_in_hard_positions(
    monkeypatch: pytest.MonkeyPatch, spare: int, looks: int
) -> None:
    """Hardly more mines than the clues want, or one too few: what is said is right."""
    blank = awkward.lattice(14, density=0.3)
    least = next(mines for mines in range(200) if analyse(Position(blank.grid, mines, blank.cells)).consistent)
    position = Position(blank.grid, least + spare, blank.cells)
    exact = analyse(position, SLOW)
    counter = counting.Counter()
    counter.start(14, 14, position.cells, position.mines)
    assert counter.count(TIGHT.start()) == counting.HARD
    with monkeypatch.context() as patched:
        Ticking(patched)
        found = hard.estimate(position, counter, Limit(looks).start(), settled=False, sweeps=10)
    assert exact.consistent is (spare >= 0)
    if found is None or found.consistent is not True:
        assert found is not None or not exact.consistent
        return
    assert exact.consistent
    check_honest(found)
    known = marks(found) != counting.MARK_UNSURE
    assert (marks(found)[known] == marks(exact)[known]).all()
    assert not found.complete or (marks(found) == marks(exact)).all()


def test_wide_components_fall_apart_when_what_a_few_clues_prove_is_taken_out() -> None:
    """A board half shown at random is one component of thousands of clues; all of it is counted."""
    position = awkward.sparse(100, 0.5)
    found = analyse(position, SLOW)
    assert found.exact
    assert found.complete
    assert len(found.safe) + len(found.mined) == 4884


def test_a_hard_position_leaves_nothing_behind() -> None:
    assert not analyse(awkward.lattice(40, density=0.3), Limit(seconds=0.2, memory=2**26)).exact
    rng = random.Random(1)
    assert all(analyse(awkward.middle(rng, "expert"), Limit(seconds=600, memory=2**26)).exact for _ in range(40))


def test_without_memory_for_any_window_sampling_ends() -> None:
    position = awkward.lattice(14)
    counter = counting.Counter()
    counter.start(14, 14, position.cells, position.mines)
    assert counter.count(TIGHT.start()) == counting.HARD
    found = hard.estimate(position, counter, Limit(seconds=600, memory=1).start(), settled=False, sweeps=30)
    assert found is not None
    check_honest(found)
    assert np.isnan(found.probabilities[marks(found) == counting.MARK_UNSURE]).any()
