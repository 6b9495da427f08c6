"""Reviews against a slow twin: `analyse` and `why` before each move, and perfect play for the accounts."""

from __future__ import annotations

import random

import pytest

from mineproof import Game, Limit, Position, Review, analyse, review, why, winning_chance
from mineproof.hindsight.report import MoveMark, Reviewed

SLOW = Limit(seconds=600)


def careless(level: str, rules: str, seed: int) -> Game:
    """A game of somebody who mostly does what is certain, flags, chords, guesses now and then, and takes moves back."""
    rng = random.Random(seed)
    game = Game(level, rules, seed=seed)
    game.open(game.grid.cell(len(game.grid) // 2))
    while not game.over and game.step < 400:
        one_move(game, rng)
        if str(game.state) == "lost" and rng.random() < 0.4:
            game.undo()
    return game


def one_move(game: Game, rng: random.Random) -> None:
    position = game.position
    found = analyse(position, SLOW)
    closed, hidden = list(position.where("HS")), list(position.where("H"))
    chords = [
        cell
        for cell in position.where("12345")
        if sum(position[near] in "F*" for near in game.grid.neighbours(cell)) == position.clue(cell)
        and any(position[near] in "HS" for near in game.grid.neighbours(cell))
    ]
    draw = rng.random()
    if chords and draw < 0.3:
        game.chord(rng.choice(chords))
    elif hidden and draw < 0.55:
        mined = sorted(cell for cell in hidden if cell in found.mined)
        game.flag(rng.choice(mined) if mined and rng.random() < 0.9 else rng.choice(hidden))
    elif position.flags and (draw < 0.6 or not closed):
        game.unflag(rng.choice(position.where("F")))
    elif draw < 0.65 and position.where("012345678"):
        game.undo()
    elif closed:
        safe = sorted(cell for cell in closed if cell in found.safe)
        risky = sorted(closed, key=lambda cell: float(found.probabilities[cell]))[:5]
        game.open(rng.choice(safe) if safe and rng.random() < 0.85 else rng.choice(risky))


def known_before(found: Review) -> list[Position]:
    """All that the player had ever seen before each move, by playing the game again."""
    game = Game.from_id(found.replay.id)
    known = bytearray(game.position.cells)
    positions = []
    for told in found.moves:
        positions.append(Position(game.grid, game.mines, bytes(known)))
        game.play(told.move)
        for cell in game.grid:
            if game[cell] in "012345678*":
                known[game.grid.index(cell)] = ord(game[cell])
    return positions


@pytest.mark.parametrize(
    ("level", "rules", "seeds"),
    [
        ("beginner", "safe", range(12)),
        ("9x6x12", "given:3", range(12)),
        ("7x7x9", "any+continue", range(12)),
        ("8x5x8", "safe+no-flood", range(6)),
        ("intermediate", "opening", range(3)),
    ],
)
def test_marks_are_those_of_the_slow_twin(level: str, rules: str, seeds: range) -> None:
    seen = set()
    for seed in seeds:
        game = careless(level, rules, seed)
        found = review(game, SLOW, playouts=0)
        assert len(found.moves) == game.step
        twin = Game.from_id(game.id)
        for told, known in zip(found.moves, known_before(found), strict=True):
            seen.add(told.mark)
            check(told, known, twin)
            hits = twin.hits
            twin.play(told.move)
            assert told.mines == (max(0, twin.hits - hits) if told.move.kind != "undo" else 0)
    assert {MoveMark.CERTAIN, MoveMark.UNDO, MoveMark.NOTE, MoveMark.UNPROVED, MoveMark.MISTAKE} <= seen
    assert level == "intermediate" or {MoveMark.NEEDLESS, MoveMark.GOOD} <= seen


def check(told: Reviewed, known: Position, game: Game) -> None:
    kind, cell = told.move
    if cell is None or kind in ("unflag", "question"):
        assert told.mark is (MoveMark.UNDO if kind == "undo" else MoveMark.NOTE)
        return
    analysis = analyse(known, SLOW)
    if kind == "flag":
        if known[cell] not in "HS":
            assert told.mark is (MoveMark.CERTAIN if known[cell] == "*" else MoveMark.MISTAKE)
        elif cell in analysis.mined:
            assert (told.mark, told.level) == (MoveMark.CERTAIN, why(known, cell, SLOW).level)
        elif cell in analysis.safe:
            assert told.mark is MoveMark.MISTAKE
        else:
            assert told.mark is MoveMark.UNPROVED
            assert told.risk == pytest.approx(1 - analysis.probabilities[cell])
        return
    cells = [cell]
    if kind == "chord":
        cells = [near for near in game.grid.neighbours(cell) if game[near] in "HQS"]
    if set(known.cells) == {ord("H")}:
        assert told.mark is MoveMark.START
        return
    closed = [one for one in cells if known[one] in "HS"]
    if any(known[one] == "*" or one in analysis.mined for one in cells):
        assert told.mark is MoveMark.MISTAKE
    elif all(one in analysis.safe for one in closed):
        assert told.mark is MoveMark.CERTAIN
        assert told.level == max((why(known, one, SLOW).level or 0 for one in closed), default=None)
    else:
        assert told.mark is MoveMark.NEEDLESS if analysis.safe else told.mark in (MoveMark.GOOD, MoveMark.POOR)
        both = known
        for one in closed:
            both = both.with_symbol(one, "S")
        share = analyse(both, SLOW).solutions / analysis.solutions
        assert told.risk == pytest.approx(1 - share)
        if analysis.safe:
            assert told.better is not None
            assert told.better in analysis.safe
            assert told.better_level == why(known, told.better, SLOW).level


@pytest.mark.parametrize("seed", range(60))
def test_accounts_of_small_games_are_exact_and_add_up(seed: int) -> None:
    """Start + luck - cost = end, each guess by perfect play; after a mine the account begins again."""
    game = careless(["4x4x4", "5x3x4", "6x2x3"][seed % 3], ["safe", "any"][seed % 2], seed)
    found = review(game, SLOW)
    guesses = [told for told in found.moves if told.before is not None]
    for told, known in zip(found.moves, known_before(found), strict=True):
        if told.before is None:
            continue
        assert told.before.value == pytest.approx(winning_chance(known, SLOW).value)
        assert told.before.exact
        assert told.cost is not None
        assert told.cost.value >= -1e-9  # nobody beats perfect play
        assert told.cost.value <= (told.risk or 0.0) + 1e-9
        assert told.mark is not MoveMark.UNCLEAR
        if told.mark is MoveMark.GOOD:
            assert told.cost.value <= 0.01 + 1e-9
        if told.mark is MoveMark.POOR:
            assert told.cost.value > 0.01
    summary = found.summary
    if guesses and not any(told.mines for told in guesses[:-1]):
        assert summary.cost is not None
        assert summary.luck is not None
        assert summary.start is not None
        assert summary.end is not None
        assert summary.start.value - summary.cost.value + summary.luck.value == pytest.approx(summary.end.value)
    assert summary.unlucky + summary.lucky == sum(told.guess for told in found.moves)


def test_expert_games_are_estimated_honestly() -> None:
    """What is estimated is within its error of many more playouts; so is what a guess cost, which is never more than
    its risk."""
    game = careless("expert", "opening", 4)
    rough, fine = review(game, SLOW), review(game, SLOW, playouts=2000)
    for few, many in zip(rough.moves, fine.moves, strict=True):
        if few.cost is not None and many.cost is not None:
            assert few.cost.value <= (few.risk or 0.0) + 1e-9
            error = (few.cost.error**2 + many.cost.error**2) ** 0.5
            assert few.cost.value == pytest.approx(many.cost.value, abs=4 * error + 1e-9)
            assert {few.mark, many.mark} != {MoveMark.GOOD, MoveMark.POOR}
    pairs = [
        (one.before, other.before)
        for one, other in zip(rough.moves, fine.moves, strict=True)
        if one.before is not None and other.before is not None
    ]
    assert any(not one.exact for one, _ in pairs)
    for one, other in pairs:
        error = (one.error**2 + other.error**2) ** 0.5
        assert one.value == pytest.approx(other.value, abs=4 * error + 1e-9)
