"""The compiled player makes the moves of the Python agents, and looks ahead as a plain count of boards does."""

from __future__ import annotations

import math
import random

import pytest

from mineproof import Game, Layout, Level, Limit, Position, analyse
from mineproof._native.playing import Player
from mineproof.agents.chooser import Why, survey
from mineproof.agents.registry import find_agent
from mineproof.arena.chunks import Chunk, run
from mineproof.arena.match import finish
from mineproof.board.rules import Rules
from support import awkward
from support.sizes import size

SLOW = Limit(seconds=600)


@pytest.mark.parametrize("agent", ["best", "lowest-risk", "deep:boards=16"])
@pytest.mark.parametrize(
    ("level", "rules", "games"),
    [
        ("5x5x5", "any", size(100, 300)),
        ("6x3x16", "any", 200),
        ("3x2x0", "any", 3),
        ("3x2x6", "any", 3),
        ("9x9x10", "safe", size(150, 300)),
        ("9x9x10", "opening", size(150, 300)),
        ("30x16x99", "safe", 40),
        ("16x12x35", "opening", 60),
    ],
)
def test_compiled_games_are_the_same(agent: str, level: str, rules: str, games: int) -> None:
    chosen = Level.parse(level)
    games = max(size(1, 3), games // 60) if agent.startswith("deep") else games
    compiled = run(Chunk(agent, find_agent(agent).version, chosen, Rules.parse(rules), 11, 0, games, limit=SLOW))
    for index, result in enumerate(compiled):
        game = Game(chosen, rules, seed=11, index=index)
        plain = finish(agent, game, SLOW)
        assert (plain.won, plain.guesses, plain.hits) == (result.won, result.guesses, result.hits), (level, index)
        assert plain.risk == pytest.approx(result.risk, abs=1e-9)


def test_the_same_boards_in_thousands() -> None:
    """Results of the compiled player on explicit layouts equal those on the seed that drew them."""
    player = Player()
    seeded = player.play_seeded(9, 9, 10, 0, 0, 5, 0, 3000, SLOW)
    for index, result in enumerate(seeded):
        layout = Layout.draw("beginner", "safe", "A1", seed=5, index=index)
        again = player.play(9, 9, layout.mask, 0, SLOW)
        assert again is not None
        assert result is not None
        assert again[:3] == result[:3]


def worth(position: Position, cell: tuple[int, int]) -> float:
    """What a cell leaves, one step ahead, by counting each position that could follow: the rule without its
    refinements, which ``tests/property/test_guessing.py`` compares one by one."""
    total = analyse(position).solutions
    score = 0.0
    for number in range(9):
        after = position.with_symbol(cell, str(number))
        found = analyse(after)
        if not found.consistent:
            continue
        risks = sorted(float(found.probabilities[c]) for c in after.where("HFQ") if c not in found.safe | found.mined)
        certain = len(found.safe)
        first, second = [*risks, 1.0, 1.0][:2]
        value = 0.8 * (1 - first) + 0.2 * (1 - second)
        if not risks and not certain:
            value = 1.15  # won
        if certain:
            value = 1 + 0.05 * math.log2(min(certain, 8))
        score += found.solutions / total * value
    return score


@pytest.mark.parametrize("level", ["beginner", "intermediate"])
def test_looking_ahead(level: str) -> None:
    rng = random.Random(level)
    player = Player(boards=1, dead=False, living=False, tossups=False, dominance=False, isolated=False)
    looked = 0
    while looked < 15:
        position = awkward.middle(rng, level)
        analysis = analyse(position)
        if analysis.safe or len(analysis.mined) == len(position.where("H")):
            continue
        seen = survey(position, player, SLOW)
        assert seen.choice is not None
        cell, risk, score, why = seen.choice
        assert why == Why.LOOKED
        assert score == pytest.approx(worth(position, position.grid.cell(cell)), abs=1e-9), position
        assert risk == pytest.approx(float(analyse(position).probabilities.flat[cell]), abs=1e-12)
        assert score == pytest.approx(max(one[2] for one in seen.considered), abs=1e-8)
        looked += 1
