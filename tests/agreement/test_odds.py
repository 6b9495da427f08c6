"""Brute force, the reference and the compiled engine say the same of every position."""

from __future__ import annotations

import math
import random
from collections import Counter
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest

from mineproof import Analysis, Position, analyse
from mineproof.reference import analyse_exactly, count_solutions
from support import awkward, referee

if TYPE_CHECKING:
    from mineproof.reference import ExactAnalysis


@pytest.mark.parametrize("part", range(8))
def test_brute_force(part: int) -> None:
    rng = random.Random(part)
    for _ in range(400):
        position = awkward.small(rng)
        if len(position.where("HFQ")) > 17:
            continue
        found = list(referee.boards(position))
        reference = analyse_exactly(position)
        assert reference.solutions == count_solutions(position) == len(found), position
        if found:
            mined = Counter(cell for board in found for cell in board)
            for cell in position.where("HFQ"):
                assert reference.probabilities[cell] == Fraction(mined[cell], len(found)), (position, cell)
        same(position, analyse(position), reference)


@pytest.mark.parametrize("part", range(4))
def test_awkward_positions(part: int) -> None:
    rng = random.Random(100 + part)
    for _ in range(150):
        position = awkward.small(rng, 8, 9)
        same(position, analyse(position), analyse_exactly(position))


@pytest.mark.parametrize("level", awkward.LEVELS)
def test_positions_of_every_level(level: str) -> None:
    rng = random.Random(level)
    for _ in range(40):
        position = awkward.middle(rng, level)
        same(position, analyse(position), analyse_exactly(position))


def same(position: Position, analysis: Analysis, reference: ExactAnalysis) -> None:
    assert analysis.exact
    assert analysis.complete
    assert analysis.consistent == (reference.solutions > 0), position
    assert analysis.solutions == reference.solutions
    if not analysis.consistent:
        assert np.isnan(analysis.probabilities).all()
        assert not analysis.safe | analysis.mined
        return
    assert analysis.safe == reference.safe, position
    assert analysis.mined == reference.mined, position
    assert analysis.log_solutions == pytest.approx(math.log(reference.solutions), rel=1e-12, abs=1e-12)
    assert np.isnan(analysis.probabilities).sum() == len(position.cells) - len(reference.probabilities)
    for cell, risk in reference.probabilities.items():
        assert analysis.probabilities[cell] == pytest.approx(float(risk), rel=1e-12, abs=0), (position, cell)
    assert np.nansum(analysis.probabilities) + position.known_mines == pytest.approx(position.mines, rel=1e-9)


def test_events_too_rare_for_floats_are_still_possible() -> None:
    """The chain is safe on fewer than one board in 10^300, and yet it is not certainly mined."""
    position = awkward.nearly_certain(links=110, free=3000, mines=340)
    reference = analyse_exactly(position)
    chain = position.grid.at((2, 0))
    assert 0 < 1 - reference.probabilities[chain] < Fraction(1, 10**300)
    analysis = analyse(position)
    assert analysis.safe == reference.safe
    assert analysis.mined == reference.mined
    assert chain not in analysis.mined
    assert analysis.probabilities[chain] == 1.0


def test_weights_beyond_the_range_of_floats() -> None:
    """Exactly the mines of the rare way: what was one in 10^300 is all there is."""
    common = awkward.nearly_certain(links=160, free=0, mines=160)
    rare = Position(common.grid, 160 * 3 - 1, common.cells)
    for position in (common, rare):
        same(position, analyse(position), analyse_exactly(position))
        assert analyse(position).solutions == 1


@pytest.mark.parametrize("side", [8, 12])
def test_lattices(side: int) -> None:
    position = awkward.lattice(side)
    same(position, analyse(position), analyse_exactly(position))


def test_wide_components_with_many_clues_open_at_once() -> None:
    """A sparse board whose largest component keeps more than sixteen clues open."""
    position = awkward.sparse(26, share=0.12, density=0.12)
    same(position, analyse(position), analyse_exactly(position))
