"""Awkward positions: all compiled code that reads positions must agree with the reference on each, and never crash.

``make fuzz`` runs it as it is, ``make sanitize`` under the sanitizers.

Positions are of several kinds, mostly small and odd ones. Each is counted; some are followed as they change, stopped at
any time and resumed, sampled as if they were hard, played, and so on: cheap checks often, expensive ones rarely.
Position number *n* of a seed is the same in every run.
"""

from __future__ import annotations

import random
import sys
import traceback
from collections import Counter
from functools import cache
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mineproof import (
    Analysis,
    Analyst,
    Cell,
    Game,
    Grid,
    Layout,
    Level,
    Limit,
    Position,
    Rules,
    analyse,
    measure,
    no_guess,
    why,
)
from mineproof._native import counting, playing, reasoning
from mineproof.errors import IllegalMove, MineproofError, OutOfTime
from mineproof.explain.checker import find_fault
from mineproof.odds import hard
from mineproof.reference import analyse_exactly

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from support import awkward, campaign
from support.clocks import Countdown

if TYPE_CHECKING:
    from collections.abc import Callable

PATIENT = Limit(seconds=600)
"""A limit so generous that no result depends on the speed of the machine."""
NOTES = "HHHFQS"
CERTAIN = counting.MARK_SAFE, counting.MARK_MINED


# -- positions ---------------------------------------------------------------------------------------------------------


def odd(rng: random.Random) -> Position:
    """At the edge of what a position is: one row, one symbol, nothing closed, more mines shown than there are, a cell
    among eight clues."""
    rows, cols = rng.choice([(1, 1), (1, 2), (1, rng.randint(3, 60)), (rng.randint(2, 60), 1), (2, 2), (3, 3), (5, 5)])
    size = rows * cols
    if (rows, cols) == (5, 5):
        around = "".join(rng.choice("12345678") for _ in range(8))
        closed = [rng.choice("HFQS*") for _ in range(17)]
        ring = iter(around)
        rest = iter(closed)
        inner = {6, 7, 8, 11, 13, 16, 17, 18}
        text = "".join(next(ring) if i in inner else next(rest) for i in range(size))
    elif rng.random() < 0.5:
        text = rng.choice("HFQS*?012345678") * size
    else:
        text = "".join(rng.choice(rng.choice(["HS", "H12", "H*?", "01", "S0", "HFQS012*"])) for _ in range(size))
    return Position(Grid(rows, cols), rng.choice([0, 1, size, rng.randint(0, size)]), text.encode())


def large(rng: random.Random) -> Position:
    """Of a size that people play."""
    rows, cols = rng.randint(8, 16), rng.randint(8, 30)
    mines = rng.randint(0, rows * cols) if rng.random() < 0.2 else round(rows * cols * rng.uniform(0.02, 0.25))
    return awkward.torn(rng, Level(rows, cols, mines), rng.choice([0.05, 0.2, 0.5, 0.9]))


def wide(rng: random.Random) -> Position:
    """Clues that are all connected."""
    side, seed, density = rng.randint(7, 14), rng.randrange(2**32), rng.uniform(0.05, 0.5)
    if rng.random() < 0.5:
        return awkward.lattice(side, seed, density)
    return awkward.sparse(side, rng.uniform(0.05, 0.5), seed, density)


def late(rng: random.Random) -> Position:
    """The middle or the end of a game."""
    make = rng.choice([awkward.middle, awkward.nearly_over])
    return make(rng, rng.choice(awkward.LEVELS))


def extreme(rng: random.Random) -> Position:
    """Ways that differ in weight by more than floats can tell."""
    if rng.random() < 0.2:
        blocks = rng.randint(100, 1000)
        mines = rng.choice(
            [blocks + rng.randint(0, 9), 2 * blocks - rng.randint(0, 9), rng.randint(blocks, 2 * blocks)]
        )
        return Position(Grid(1, 6 * blocks), mines, b"H1H1HS" * blocks)
    free = rng.choice([0, 10, 300, 3000])
    links = rng.randint(1, 60)
    return awkward.nearly_certain(links, free, rng.randint(0, 24 * links + free // 2))


POSITIONS: dict[str, tuple[float, Callable[[random.Random], Position]]] = {
    "small": (0.757, lambda rng: awkward.small(rng, 6, 8)),
    "spoiled": (0.10, awkward.spoiled),
    "odd": (0.10, odd),
    "large": (0.02, large),
    "wide": (0.015, wide),
    "late": (0.005, late),
    "extreme": (0.003, extreme),
}


# -- what is done with them --------------------------------------------------------------------------------------------


class Fuzzer:
    """Everything that can be done with a position. Its compiled objects are used again and again, as long as they live:
    what one position leaves behind must not reach the next."""

    def __init__(self) -> None:
        self.counter = counting.Counter()
        self.follower = counting.Counter()
        self.players = [playing.Player(False), playing.Player(True), playing.Player(True, nodes=50, boards=30)]
        self.techniques = reasoning.Techniques()
        self.fields: Counter[str] = Counter()

    def count(self, rng: random.Random, position: Position) -> None:
        """Every method of a counter, in the order that it asks for."""
        counter, rows, cols = self.counter, position.grid.rows, position.grid.cols
        counter.start(rows, cols, position.cells, position.mines, rng.random() < 0.2)
        counter.marks()
        outcome = counter.count(PATIENT.start())
        counter.take_proved()
        counter.marks()
        assert counter.free_cells >= 0
        assert counter.hard_cells == counter.hard_clue_count == 0
        if outcome == counting.INCONSISTENT:
            return
        assert outcome == counting.COUNTED
        clues = [cell for part, _ in counter.components() for cell in part]
        assert len(clues) == len(set(clues))
        counter.quick_best()
        odds, errors = np.empty((2, rows, cols))
        outcome, marks = counter.odds(odds, errors, rng.choice([np.inf, np.inf, 0]), PATIENT.start())
        if outcome == counting.COUNTED:
            known = np.frombuffer(marks, np.uint8)
            assert (np.isnan(odds).ravel() == (known == counting.MARK_OPEN)).all()
            assert counter.log_solutions > -1e-6 or not counter.joined_exactly

    def compare(self, _rng: random.Random, position: Position) -> None:
        """The same odds as the reference."""
        found, reference = analyse(position, PATIENT), analyse_exactly(position)
        assert found.consistent == (reference.solutions > 0)
        if not found.consistent:
            return
        assert found.exact
        assert found.solutions == reference.solutions
        assert (found.safe, found.mined) == (reference.safe, reference.mined)
        for cell, risk in reference.probabilities.items():
            assert abs(found.probabilities[cell] - float(risk)) <= 1e-12 * float(risk)

    def sample(self, rng: random.Random, position: Position) -> None:
        """Sampled boards are consistent with the position."""
        found = analyse(position, PATIENT)
        if found.consistent:
            for board in found.samples(3, seed=rng.randrange(2**64)):
                assert board.sum() == position.mines
            assert len(found.components) <= len(position.cells)

    def follow(self, rng: random.Random, position: Position) -> None:
        """Open and close cells as no game would; the result must equal a fresh count."""
        analyst = Analyst(position, PATIENT)
        cells = list(position.grid)
        before: list[tuple[list[Cell], str]] = []
        for _ in range(rng.randint(1, 6)):
            if before and rng.random() < 0.3:
                changed, symbols = before.pop()
            else:
                changed = rng.sample(cells, min(len(cells), rng.choice([1, 1, 2, 5])))
                before.append((changed, "".join(analyst.position[cell] for cell in changed)))
                symbols = "".join(rng.choice("00112345678*?" + NOTES) for _ in changed)
                if rng.random() < 0.5:  # something that can be
                    symbols = "".join(str(min(8, rng.randint(0, 2))) for _ in changed)
            analyst.see(changed, symbols)
            analyst.least_risk()
            if rng.random() < 0.3:
                same(analyst.analysis(), analyse(analyst.position, PATIENT))
        while before:
            analyst.see(*before.pop())
        assert analyst.position == position
        same(analyst.analysis(), analyse(position, PATIENT))

    def stop(self, rng: random.Random, position: Position) -> None:
        """Stop the work anywhere by the clock; when continued, it must reach the same result."""
        counter = self.follower
        rows, cols = position.grid.rows, position.grid.cols
        counter.start(rows, cols, position.cells, position.mines, rng.random() < 0.5)
        outcome, looks = counting.STOPPED, 1
        while outcome == counting.STOPPED:
            outcome = counter.count(Countdown(looks))
            counter.marks()
            counter.take_proved()
            looks += rng.randint(0, 2)
        odds, errors = np.empty((2, rows, cols))
        marks, joined, looks = b"", counting.STOPPED, 1
        while outcome == counting.COUNTED and joined == counting.STOPPED:
            joined, marks = counter.odds(odds, errors, np.inf, Countdown(looks))
            looks += rng.randint(0, 2) + looks // rng.randint(2, 9)
            if joined == counting.STOPPED and rng.random() < 0.5:
                outcome = counting.STOPPED
                while outcome == counting.STOPPED:
                    outcome = counter.count(Countdown(looks))
                    looks += 1
        found = analyse(position, PATIENT)
        assert found.consistent == (outcome == joined == counting.COUNTED), (outcome, joined)
        if found.consistent:
            assert marks == found.marks
            assert np.allclose(odds, found.probabilities, rtol=1e-9, atol=0, equal_nan=True)

    def sample_hard(self, rng: random.Random, position: Position) -> None:
        """As if it were hard: hardly any memory to count with, so that it is sampled."""
        counter, grid = counting.Counter(), position.grid
        tight = Limit(600, rng.choice([1, 2**9, 2**11, 2**13]))
        counter.start(grid.rows, grid.cols, position.cells, position.mines)
        outcome = counter.count(tight.start())
        if outcome != counting.HARD:
            assert analyse(position, PATIENT).consistent or outcome == counting.INCONSISTENT
            return
        exact = analyse(position, PATIENT)
        self.fields["hard"] += 1
        if rng.random() < 0.2:
            outcome, settled = hard.count(counter, Limit(0.05, 2**12).start())  # it may well take all of the time
            if outcome != counting.HARD:
                assert outcome == counting.INCONSISTENT or exact.exact
                return
        else:
            settled = False
        found = hard.estimate(position, counter, PATIENT.start(), settled=settled, sweeps=rng.randint(1, 3))
        assert (found is None) == (exact.consistent is False)
        if found is None:
            return
        known, right = np.frombuffer(found.marks, np.uint8), np.frombuffer(exact.marks, np.uint8)
        certain = (known == counting.MARK_SAFE) | (known == counting.MARK_MINED)
        assert (known[certain] == right[certain]).all()
        assert not found.complete or found.marks == exact.marks

    def choose(self, rng: random.Random, position: Position) -> None:
        """A guess by each player, whether one is due or not."""
        grid = position.grid
        for player in self.players:
            clock = Countdown(rng.randint(1, 5), memory=2**14) if rng.random() < 0.1 else PATIENT.start()
            risks = np.empty((grid.rows, grid.cols))
            try:
                _, marks, choice, considered = player.choose(
                    grid.rows, grid.cols, position.cells, position.mines, risks, clock
                )
            except ValueError as refusal:
                check_refusal(refusal)
                continue
            if choice is not None:
                cell, risk, _, _ = choice
                assert marks[cell] == counting.MARK_UNSURE
                assert -1e-9 <= risk <= 1 + 1e-9
                assert all(position.cells[other] in b"HFQS" for other, _, _, _ in considered)

    def play(self, rng: random.Random, position: Position) -> None:
        """A board of this size, played by each player, and from a seed."""
        grid, start = position.grid, rng.randrange(len(position.cells))
        if len(grid) > 500:
            return
        for player in self.players:
            mines = bytes(rng.random() < 0.2 for _ in range(len(grid)))
            player.play(grid.rows, grid.cols, mines, start, PATIENT)
            try:
                player.play_seeded(
                    grid.rows, grid.cols, len(grid) // 6, start, rng.randint(-1, 1), rng.randrange(2**64), 0, 2, PATIENT
                )
            except ValueError as refusal:
                check_refusal(refusal)

    def solve(self, rng: random.Random, _position: Position) -> None:
        """The whole game tree of a board on which there are few."""
        rows, cols = rng.randint(1, 4), rng.randint(1, 5)
        mines = rng.randint(0, rows * cols)
        if comb(rows * cols, mines) <= 600:
            tree = playing.Tree(rows, cols, mines, 10_000)
            for cell in range(rows * cols):
                found = tree.start(cell, rng.random() < 0.5, PATIENT.start())
                assert found is None or 0 <= found[0] <= found[1]
            tree.start(0, False, Countdown(1))

    def move(self, rng: random.Random, position: Position) -> None:
        """A game of this size, with every kind of move and many that are illegal; and the measures of its board."""
        grid = position.grid
        rules = Rules("any", continues=rng.random() < 0.5, flood=rng.random() < 0.8, questions=rng.random() < 0.5)
        game = Game(Level(grid.rows, grid.cols, rng.randint(0, len(grid))), rules, seed=rng.randrange(2**32))
        for _ in range(20):
            cell = grid.cell(rng.randrange(len(grid)))
            kind = rng.choice(["open", "open", "flag", "unflag", "question", "chord", "undo"])
            try:
                changed = game.undo(rng.randint(1, 3)) if kind == "undo" else game.play(f"{kind} {cell}")
                assert len(game.shows(changed)) == len(changed)
            except IllegalMove:
                pass
        assert len(game.position.cells) == len(grid)
        assert 0 <= game.score <= 1
        layout = Layout.draw(game.level, "any", seed=rng.randrange(2**32))
        found = measure(layout)
        assert found.zini <= found.bbbv

    def step(self, rng: random.Random, position: Position) -> None:
        """Steps to all certain cells, while clues open and close, with a clock that stops anywhere."""
        found = analyse(position, PATIENT)
        if not found.consistent:
            return
        techniques, grid = self.techniques, position.grid
        closed = [cell for cell, symbol in enumerate(position.cells) if symbol in b"HFQ"]
        certain = {cell: found.marks[cell] == counting.MARK_MINED for cell in closed if found.marks[cell] in CERTAIN}
        hidden = [cell for cell, symbol in enumerate(position.cells) if symbol in b"012345678" and rng.random() < 0.3]
        before = bytearray(position.cells)
        for cell in hidden:
            before[cell] = ord("S")
        techniques.start(grid.rows, grid.cols, bytes(before))
        most = rng.randint(1, reasoning.CHAIN)
        settled = self._settled(rng, certain, most)
        techniques.see(hidden, bytes(position.cells[cell] for cell in hidden))
        settled |= self._settled(rng, certain, most)
        if rng.random() < 0.2:
            techniques.forget()
            techniques.look_around(rng.randrange(len(position.cells)), rng.randint(0, 3))
            assert self._settled(rng, certain, most) <= settled
            techniques.look_around(0, -1)
        techniques.forget()
        assert self._settled(rng, certain, most) == settled

    def _settled(self, rng: random.Random, certain: dict[int, bool], most: int) -> set[int]:
        settled: set[int] = set()
        for mine in (False, True):
            self.techniques.want([cell for cell, known in certain.items() if known is mine], mine)
        while True:
            clock = Countdown(rng.randint(1, 9)) if rng.random() < 0.3 else None
            step = self.techniques.step(most, clock)
            if step is not None:
                size, mine, _, cells, _ = step
                assert size <= most
                assert settled.isdisjoint(cells)
                assert all(certain[cell] is mine for cell in cells)
                settled.update(cells)
            elif clock is None:
                return settled

    def explain(self, rng: random.Random, position: Position) -> None:
        """Why cells are certain, in steps that an independent checker replays."""
        found = analyse(position, PATIENT)
        cells = sorted(found.safe | found.mined)
        for cell in rng.sample(cells, min(2, len(cells))):
            told = why(position, cell, PATIENT)
            assert told.mine is (cell in found.mined)
            assert find_fault(position, told.steps) is None

    def generate(self, rng: random.Random, position: Position) -> None:
        """A board of this size that needs no guess, if there is one soon."""
        grid = position.grid
        if not 12 <= len(grid) <= 500:
            return
        level = Level(grid.rows, grid.cols, rng.randint(1, len(grid) // 4))
        try:
            made = next(no_guess(level, seed=rng.randrange(2**32), method=rng.choice(["fast", "uniform"]), tries=50))
        except MineproofError:
            return
        assert made.layout.mines == level.mines


def same(found: Analysis, wanted: Analysis) -> None:
    """Whether two analyses say the same."""
    assert found.consistent == wanted.consistent
    assert found.marks == wanted.marks
    assert np.allclose(found.probabilities, wanted.probabilities, rtol=1e-9, atol=0, equal_nan=True)


def check_refusal(refusal: ValueError) -> None:
    """Whether a player may say this."""
    if str(refusal) != "that many mines leave no room for the first click":
        raise refusal


WORK: dict[str, tuple[float, frozenset[str]]] = {
    "count": (1.0, frozenset(POSITIONS)),
    "compare": (0.25, frozenset({"small", "spoiled", "odd"})),
    "sample": (0.2, frozenset(POSITIONS)),
    "follow": (0.15, frozenset({"small", "spoiled", "odd", "large"})),
    "stop": (0.15, frozenset(POSITIONS)),
    "sample_hard": (0.1, frozenset({"small", "spoiled", "odd", "wide"})),
    "choose": (0.2, frozenset({"small", "spoiled", "odd", "large", "late"})),
    "play": (0.05, frozenset({"small", "odd"})),
    "solve": (0.02, frozenset({"small"})),
    "move": (0.1, frozenset(POSITIONS)),
    "step": (0.2, frozenset(POSITIONS) - {"extreme"}),
    "explain": (0.02, frozenset({"small", "odd"})),
    "generate": (0.02, frozenset({"small", "large"})),
}
"""How often each method of `Fuzzer` is called, and with which kinds of positions."""
OFTEN = {("sample_hard", "wide"): 0.3, ("stop", "extreme"): 1.0}
"""Where more is to be found."""


# -- the campaign ------------------------------------------------------------------------------------------------------


@cache
def fuzzer() -> Fuzzer:
    """The one of this process."""
    return Fuzzer()


def start(seed: int, number: int) -> tuple[str, Position, random.Random]:
    """The kind of a number, its position, and the generator that drew them."""
    rng = random.Random(f"{seed}/{number}")
    kind = rng.choices(list(POSITIONS), [share for share, _ in POSITIONS.values()])[0]
    return kind, POSITIONS[kind][1](rng), rng


def examine(seed: int, number: int) -> campaign.Report:
    """Everything that this position is drawn for, up to the first fault."""
    kind, position, rng = start(seed, number)
    done: dict[str, int] = {}
    faults = []
    hard_before = fuzzer().fields["hard"]
    for name, (share, suited) in WORK.items():
        if kind not in suited or rng.random() >= OFTEN.get((name, kind), share):
            continue
        try:
            getattr(fuzzer(), name)(random.Random(f"{seed}/{number}/{name}"), position)
        except (AssertionError, MineproofError, RuntimeError, ValueError, IndexError, OutOfTime):
            faults = [traceback.format_exc().strip()]
            break
        done[name] = 1
    done["hard"] = fuzzer().fields["hard"] - hard_before
    return campaign.Report(kind, repr(position), done, faults)


if __name__ == "__main__":
    sys.exit(campaign.main("Try awkward positions on everything compiled.", start, examine, positions=100_000, seed=1))
