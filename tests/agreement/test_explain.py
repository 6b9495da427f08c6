"""Explanations are right: each step replays, reasons are smallest, and no way has an easier hardest step."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest

from mineproof import Cell, Explanation, Game, Limit, Position, analyse, hint, why
from mineproof.explain.argument import Argument
from mineproof.explain.checker import find_fault, possible
from mineproof.explain.reasons import cut_down, uncounted
from mineproof.explain.step import COMBINATION, MINE_COUNT, ONE_CLUE, TWO_CLUES, ExplanationStep
from mineproof.odds.scenarios import decided, newly_decided, table
from support import awkward
from support.techniques import certain_cells, easiest_levels

PATIENT = Limit(seconds=600)


def played(level: str, seeds: range, rules: str = "opening") -> list[Position]:
    """Positions from games that continue with the least risk."""
    found = []
    for seed in seeds:
        game = Game(level, rules, seed=seed)
        game.open(game.grid.cell(len(game.grid) // 2))
        while not game.over:
            position = game.position
            found.append(position)
            analysis = analyse(position, PATIENT)
            if analysis.safe:
                for cell in sorted(analysis.safe)[:6]:
                    if game[cell] in "HS":
                        game.open(cell)
            else:
                assert analysis.least_risk is not None
                game.open(analysis.least_risk.cell)
    return found


def small(seed: int) -> Position:
    """A board of a few cells, some of them open."""
    rng = random.Random(seed)
    rows, cols = rng.choice([(1, 7), (2, 6), (3, 4), (3, 5), (4, 4), (4, 5)])
    game = Game(f"{cols}x{rows}x{rng.randint(1, rows * cols // 3)}", "any", seed=seed)
    assert game.layout is not None
    cells = bytearray(game.position.cells)
    for i, mine in enumerate(game.layout.mask):
        if not mine and rng.random() < 0.55:
            around = game.grid.neighbours(game.grid.cell(i))
            cells[i] = ord("0") + sum(game.layout.mask[game.grid.index(cell)] for cell in around)
    return Position(game.grid, game.mines, bytes(cells))


def forced(position: Position, cell: Cell, mine: bool, clues: frozenset[Cell], *, counted: bool) -> bool:
    """By the counting engine, on the position cut down to these clues."""
    cut = cut_down(position, {}, [position.grid.index(clue) for clue in clues])
    found = analyse(cut if counted else uncounted(cut), PATIENT)
    return cell in (found.mined if mine else found.safe)


POSITIONS = {
    "beginner": lambda: played("beginner", range(6)),
    "expert": lambda: played("expert", range(2), "safe"),
    "thin": lambda: played("40x2x14", range(40)),
    "given cells": lambda: played("8x8x12", range(30), "given:6"),
    "continues": lambda: played("9x9x16", range(6), "any+continue"),
    "small": lambda: [small(seed) for seed in range(300)],
}


@pytest.mark.parametrize("kind", POSITIONS)
def test_every_certain_cell_is_explained(kind: str) -> None:
    explained = 0
    for position in POSITIONS[kind]():
        for number, (cell, mine) in enumerate(certain_cells(position).items()):
            if number % 4 and len(position.grid) > 30:
                continue
            found = why(position, cell, PATIENT)
            assert found.mine is mine
            assert find_fault(position, found.steps) is None, (position, cell)
            assert cell in found.steps[-1].cells
            assert found.text
            assert position[cell] == "S" or found.because or found.mine_count
            explained += 1
    assert explained > 100


def test_steps_of_few_clues_are_in_the_table_of_scenarios() -> None:
    """The table is made by trying all ways to lay the mines, the steps are found by compiled code: both agree on what
    such clues prove, and that fewer of them do not."""
    known = {2: dict(table(2, 8)), 3: dict(table(3, 6))}
    seen: Counter[int] = Counter()
    for kind in ("beginner", "expert"):
        for position in POSITIONS[kind]():
            for cell in certain_cells(position):
                for step in why(position, cell, PATIENT).steps:
                    if step.level not in (TWO_CLUES, COMBINATION) or len(step.clues) > 3:
                        assert step.scenario is None
                        continue
                    assert step.scenario is not None
                    proved = newly_decided(step.scenario)
                    assert step.mine in proved.values(), (position, step)
                    clues = len(step.clues)
                    alone = any(decided(step.scenario.part((clue,))) for clue in range(clues))
                    if not alone and step.scenario.cells <= (8 if clues == 2 else 6):
                        assert known[clues][step.scenario] == proved
                        seen[clues] += 1
    assert seen[2] > 100


@pytest.mark.parametrize("kind", ["beginner", "thin", "small", "continues"])
def test_the_smallest_reason_is_sufficient_and_minimal(kind: str) -> None:
    checked = 0
    for position in POSITIONS[kind]():
        for number, (cell, mine) in enumerate(certain_cells(position).items()):
            if position[cell] == "S" or (number % 5 and len(position.grid) > 30):
                continue
            found = why(position, cell, PATIENT)
            clues = frozenset(found.because)
            assert forced(position, cell, mine, clues, counted=found.mine_count), (position, cell)
            for clue in clues:
                assert not forced(position, cell, mine, clues - {clue}, counted=found.mine_count), (position, cell)
            if found.mine_count:
                every = frozenset(position.where("012345678"))
                assert not forced(position, cell, mine, every, counted=False), (position, cell)
            checked += 1
    assert checked > 100


def test_no_reason_has_fewer_clues() -> None:
    """By brute force."""
    checked = 0
    for seed in range(160):
        position = small(seed)
        clues = list(position.where("012345678"))
        for cell, mine in certain_cells(position).items():
            found = why(position, cell, PATIENT)
            for size in range(len(found.because)):
                for some in combinations(clues, size):
                    assert possible(position, some, {cell: not mine}, counted=found.mine_count), (position, cell, some)
            checked += 1
    assert checked > 150


def test_no_way_has_an_easier_hardest_step() -> None:
    seen = set()
    for seed in range(140):
        position = small(seed)
        for cell, level in easiest_levels(position).items():
            assert why(position, cell, PATIENT).level == level, (position, cell)
            seen.add(level)
    assert {ONE_CLUE, TWO_CLUES, COMBINATION, MINE_COUNT} <= seen


def test_a_hint_is_the_easiest_move() -> None:
    seen = set()
    for position in [*played("beginner", range(20, 26)), *(small(seed) for seed in range(300, 340))]:
        safe = analyse(position, PATIENT).safe
        if safe:
            found = hint(position, PATIENT)
            assert found.explanation is not None
            assert found.explanation.level == min(why(position, cell, PATIENT).level or 0 for cell in safe)
            seen.add(found.explanation.level)
    assert {ONE_CLUE, TWO_CLUES} <= seen


def test_the_checker_finds_what_is_wrong() -> None:
    position = Position.from_text("3x2x2\nHHH\n121")
    first, last = why(position, "B1").steps
    assert "not settled" in (find_fault(position, [last, first]) or "")
    assert "need not be" in (find_fault(position, [replace(first, mine=False)]) or "")
    assert "need not be" in (find_fault(position, [replace(first, clues=first.clues[:1])]) or "")
    assert "some of its clues" in (find_fault(position, [replace(first, clues=(Cell(0, 0),))]) or "")


def test_the_checker_follows_arguments() -> None:
    position = Position.from_text("6x3x5\nHHHHHH\n122H2H\n1F1HHH")
    found = [why(position, cell) for cell in certain_cells(position)]
    argued = [step for one in found for step in one.steps if step.argument is not None]
    for step in argued:
        wrong = replace(step, argument=Argument((), (position.grid.index(step.clues[0]),)))
        assert find_fault(position, [*_before(found, step), wrong]) is not None


def _before(found: list[Explanation], step: ExplanationStep) -> list[ExplanationStep]:
    return next(list(one.steps[: one.steps.index(step)]) for one in found if step in one.steps)


@pytest.mark.parametrize("position", [awkward.lattice(8), awkward.sparse(20), awkward.lattice(5)])
def test_awkward_positions(position: Position) -> None:
    for cell in list(certain_cells(position))[:20]:
        found = why(position, cell, PATIENT)
        assert find_fault(position, found.steps) is None
