"""What the guesses of ``best`` rest on, against all boards of small positions: joint shares, what a click leaves, dead
cells, dominance, isolated components; and games played out on boards drawn from a position."""

from __future__ import annotations

import random
from collections import Counter as Counts
from itertools import combinations
from math import exp
from typing import TYPE_CHECKING

import numpy as np
import pytest

from mineproof import Game, Limit, Position, analyse
from mineproof._native.counting import Counter
from mineproof._native.playing import Player
from mineproof.agents.chooser import Why
from mineproof.arena.match import turns
from mineproof.odds.analysis import Outlook
from support import awkward, referee

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mineproof import Analysis, Cell
    from mineproof._native.playing import Choice

SLOW = Limit(seconds=600)
Board = frozenset["Cell"]


def positions(seed: str, count: int, most_boards: int = 3000) -> Iterator[tuple[Position, list[Board], list[Cell]]]:
    """Positions without a certainly safe cell, their boards, and the cells that are mines on some of these and safe on
    others."""
    rng = random.Random(seed)
    found = 0
    while found < count:
        position = awkward.small(rng, 5, 6)
        if position.cells.count(b"H") > 18:
            continue
        boards = list(referee.boards(position))
        if not 1 < len(boards) <= most_boards:
            continue
        closed = position.where("HFQS")
        unsure = [cell for cell in closed if 0 < sum(cell in board for board in boards) < len(boards)]
        if unsure and all(any(cell in board for board in boards) for cell in closed):
            found += 1
            yield position, boards, unsure


def shown(position: Position, board: Board, cell: Cell) -> int:
    return sum(near in board for near in position.grid.neighbours(cell))


def asked(position: Position) -> tuple[int, int, bytes, int]:
    return position.grid.rows, position.grid.cols, position.cells, position.mines


def test_joint_shares_are_those_of_all_boards() -> None:
    rng, player, held = random.Random("joint"), Player(), 0
    for position, boards, unsure in positions("joint", 60):
        index = position.grid.index
        for _ in range(6):
            some = rng.sample(unsure, min(len(unsure), rng.randint(1, 5)))
            cut = rng.randint(0, len(some))
            mined, safe = some[:cut], some[cut:]
            share = sum(board.issuperset(mined) and board.isdisjoint(safe) for board in boards) / len(boards)
            found = player.joint(*asked(position), [*map(index, mined)], [*map(index, safe)], SLOW.start())
            assert found == pytest.approx(share, abs=1e-9), (position, mined, safe)
            held += 0 < share < 1
    assert held > 100


def joined(position: Position) -> Counter:
    """A counter that has counted a position exactly."""
    counter, (rows, cols, cells, mines) = Counter(), asked(position)
    counter.start(rows, cols, cells, mines)
    counter.count(SLOW.start())
    counter.odds(np.empty((rows, cols)), np.empty((rows, cols)), np.inf, SLOW.start())
    return counter


def slow_outlooks(analysis: Analysis, cell: Cell) -> dict[int, Outlook]:
    """What a cell could show, by analysing the position again with each number."""
    boards, found = {}, {}
    for number in range(9):
        opened = analyse(analysis.position.with_symbol(cell, str(number)), SLOW)
        if opened.consistent:
            boards[number] = exp(opened.log_solutions - analysis.log_solutions)
            found[number] = bool(opened.safe) or opened.finished
    safe = sum(boards.values())
    return {number: Outlook(share / safe, found[number]) for number, share in boards.items()}


def test_outlooks_are_those_of_positions_that_are_analysed_again() -> None:
    """Of every closed cell: certain or not, named safe, flagged, or out of sight."""
    rng, tried = random.Random("outlooks"), Counts[str]()
    small = [awkward.small(rng) for _ in range(150)]
    for position in [*small, *(awkward.middle(rng, "9x9x12") for _ in range(20)), *guesses("16x16x45", 3)]:
        analysis = analyse(position, SLOW)
        if not analysis.exact or not analysis.consistent:
            continue
        for cell in position.where("HFQS")[:12]:
            slow, fast = slow_outlooks(analysis, cell), analysis.outlooks(cell, SLOW)
            assert {n: o.leads_on for n, o in fast.items()} == {n: o.leads_on for n, o in slow.items()}, (
                position,
                cell,
            )
            assert analysis.numbers(cell) == pytest.approx({n: o.share for n, o in slow.items()}, abs=1e-9)
            verdict = "safe" if cell in analysis.safe else "mined" if cell in analysis.mined else "unsure"
            tried[verdict] += 1
    assert min(tried["safe"], tried["mined"], tried["unsure"]) > 50


@pytest.mark.parametrize("living", [False, True])
def test_what_a_click_leaves(living: bool) -> None:
    """Shares, certain cells and the safest two, with dead cells left out if asked; and what is called dead is dead."""
    dead_found, certain_found = 0, 0
    for position, boards, unsure in positions(f"views {living}", 40):
        grid, counter = position.grid, joined(position)
        for cell in unsure[:4]:
            views = counter.views(grid.index(cell), SLOW.start(), living)
            assert views is not None
            left = [board for board in boards if cell not in board]
            assert set(views) == {shown(position, board, cell) for board in left}
            for number, (share, won, certain, best, second, sure, dead) in views.items():
                same = [board for board in left if shown(position, board, cell) == number]
                assert share == pytest.approx(len(same) / len(boards), abs=1e-9)
                others = [one for one in position.where("HFQ") if one != cell]
                safety = {one: sum(one not in board for board in same) / len(same) for one in others}
                for one in map(grid.cell, dead):
                    assert len({shown(position, board, one) for board in same if one not in board}) <= 1, (
                        position,
                        one,
                    )
                    dead_found += 1
                for one in map(grid.cell, sure):
                    assert safety[one] == 1
                    certain_found += 1
                closed = {one: p for one, p in safety.items() if p > 0}
                assert won == (not closed)
                alive = {one: p for one, p in closed.items() if grid.index(one) not in dead}
                counted = alive if living and alive else closed
                first = sorted(counted.values(), reverse=True)[:2]
                assert best == pytest.approx(first[0] if first else 0, abs=1e-9), (position, cell, number)
                if certain < 2 and len(first) > 1:
                    assert second == pytest.approx(first[1], abs=1e-9), (position, cell, number)
                everything = sum(p == 1 for p in counted.values())
                assert certain == (min(8, everything) if living and alive else everything), (position, cell, number)
    assert dead_found > 50
    assert certain_found > 50


def guesses(level: str, games: int) -> Iterator[Position]:
    """The positions of games in which no cell is certainly safe."""
    for seed in range(games):
        game = Game(level, "safe", seed=seed)
        for _ in turns("lowest-risk", game, SLOW):
            position = game.position
            if not game.over and not analyse(position).safe:
                yield position


def chosen(player: Player, position: Position) -> Choice | None:
    risks = np.empty((position.grid.rows, position.grid.cols))
    return player.choose(*asked(position), risks, SLOW.start())[2]


def test_what_is_opened_first_is_safe_wherever_the_other_is() -> None:
    """Dominance: the cell that looked best is safe nowhere where the chosen one is a mine; and it is less safe."""
    plain, dominant, held = Player(dominance=False), Player(), 0
    for position in guesses("30x16x99", 60):
        looked, first = chosen(plain, position), chosen(dominant, position)
        assert looked is not None
        assert first is not None
        if first[3] != Why.IMPLIED:
            assert looked == first
            continue
        at = position.grid.cell
        assert at(first[0]) in analyse(position.with_symbol(at(looked[0]), "S")).safe, position
        assert first[1] < looked[1]
        held += 1
    assert held


def worth(position: Position, cell: Cell) -> int:
    """The boards that are won when this cell is opened first, with perfect play afterwards."""
    player, won = Player(boards=10**4, nodes=10**7), 0
    for number in range(9):
        found = player.chance(*asked(position.with_symbol(cell, str(number))), SLOW.start())
        won += 0 if found is None else found[0]
    return won


def test_isolated_components_are_played_as_perfect_play_would() -> None:
    """The best cell of a component that nothing else tells of is as good as any cell of the board."""
    perfect, held = Player(boards=10**4, nodes=10**7), 0
    for position in guesses("6x7x12", 120):
        first = chosen(Player(boards=6), position)
        if first is None or first[3] != Why.ISOLATED or analyse(position).solutions > 5000:
            continue
        found = perfect.chance(*asked(position), SLOW.start())
        assert found is not None
        assert worth(position, position.grid.cell(first[0])) == found[0], position
        held += 1
    assert held


def pairs(position: Position, boards: list[Board]) -> Iterator[tuple[Cell, Cell, list[Cell], float]]:
    """Neighbours that may end as a toss-up, the uncertain cells that must be mines for that, and the share of the
    boards on which they are and the first of the pair is a mine; by the definition."""
    grid = position.grid
    for one, other in combinations(position.where("HFQ"), 2):
        if abs(one.row - other.row) + abs(one.col - other.col) != 1:
            continue
        near, far = set(grid.neighbours(one)), set(grid.neighbours(other))
        ends = [cell for cell in (near ^ far) - {one, other} if not all(cell in board for board in boards)]
        if any(position[cell] not in "HFQ" for cell in ends) or len(ends) > 3:
            continue
        stays = [board for board in boards if board.issuperset(ends) and other not in board]
        yield one, other, ends, sum(one in board for board in stays) / len(boards)


def test_a_click_that_ends_a_toss_up_is_worth_more() -> None:
    """The score grows by 0.9 times the share of the boards on which the toss-up would stay, given that the click is
    safe."""
    off = {"dead": False, "living": False, "dominance": False, "isolated": False}
    plain, weighed, held = Player(boards=1, tossups=False, **off), Player(boards=1, **off), 0
    for position, boards, unsure in positions("toss-ups", 120):
        grid, risk = position.grid, {}
        for cell in position.where("HFQ"):
            risk[cell] = sum(cell in board for board in boards) / len(boards)
        harm = dict.fromkeys(risk, 0.0)
        seen = {near for clue in position.where("012345678") for near in grid.neighbours(clue)}
        for one, other, ends, share in pairs(position, boards):
            swapped = sum(board.issuperset([*ends, other]) and one not in board for board in boards) / len(boards)
            assert swapped == pytest.approx(share, abs=1e-12), (position, one, other)
            few = min(risk[one], 1 - risk[other], *(risk[end] for end in ends), 1.0) <= 0.002
            if few or one not in unsure or other not in unsure or not seen.intersection([one, other, *ends]):
                continue
            for cell in (one, other, *(ends if 2 * share > 0.025 else ())):
                harm[cell] += share
        risks = np.empty((grid.rows, grid.cols))
        before, after = (
            {cell: score for cell, _, score, _ in player.choose(*asked(position), risks, SLOW.start())[3]}
            for player in (plain, weighed)
        )
        for index in before.keys() & after.keys():
            cell = grid.cell(index)
            share = min(harm[cell], risk[cell], 1 - risk[cell]) / (1 - risk[cell])
            assert after[index] == pytest.approx(before[index] * (1 + 0.9 * share), abs=1e-8), (position, cell)
            held += share > 0
    assert held > 50
