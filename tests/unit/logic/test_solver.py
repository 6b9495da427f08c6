"""The SAT façade against a brute force: models, cores, what is certain; and that it can always be stopped."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
from itertools import combinations, product
from typing import TYPE_CHECKING

import pytest

from mineproof import Cancelled, Limit, OutOfTime
from mineproof.logic.constraints import Constraint
from mineproof.logic.hitting import cheapest_hit
from mineproof.logic.solver import Solver, minimal
from support.clocks import Ticking

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

CLOCK = Limit(seconds=1e9).start()


def some_clues(rng: random.Random, cells: int = 7, most: int = 6) -> list[Constraint]:
    """Clues that may contradict each other, and may be impossible by themselves."""
    found = []
    for clue in range(rng.randint(1, most)):
        around = tuple(sorted(rng.sample(range(0, 3 * cells, 3), rng.randint(1, cells))))
        found.append(Constraint(100 + clue, around, rng.randint(0, len(around))))
    if rng.random() < 0.1:
        found.append(Constraint(99, (0, 3), rng.choice([-1, 3])))
    return found


def cells_of(clues: Iterable[Constraint]) -> list[int]:
    return sorted({cell for clue in clues for cell in clue.cells})


def boards(clues: Sequence[Constraint], cells: Sequence[int]) -> Iterator[frozenset[int]]:
    """All sets of mines with which all clues are right."""
    for values in product((False, True), repeat=len(cells)):
        mined = frozenset(cell for cell, mine in zip(cells, values, strict=True) if mine)
        if all(len(mined.intersection(clue.cells)) == clue.mines for clue in clues):
            yield mined


def refuted(clues: Sequence[Constraint], cells: Sequence[int], cell: int, mine: bool) -> bool:
    return not any((cell in mined) is mine for mined in boards(clues, cells))


@pytest.mark.parametrize("selectors", [False, True])
def test_solutions_are_boards(selectors: bool) -> None:
    rng = random.Random(1)
    for _ in range(150):
        clues = some_clues(rng)
        possible = set(boards(clues, cells_of(clues)))
        with Solver(clues, CLOCK, selectors=selectors) as solver:
            assert solver.solve() is bool(possible)
            if possible:
                assert frozenset(solver.mined()) in possible
            certain = set(solver.backbone())
            for cell, variable in solver.variable.items():
                seen = {cell in mined for mined in possible}
                assert (variable in certain) is (seen == {True})
                assert (-variable in certain) is (seen == {False})


def test_bounds_on_the_number_of_mines() -> None:
    rng = random.Random(2)
    for _ in range(200):
        clues = some_clues(rng, most=3)
        cells = [*cells_of(clues), 500]  # one that no clue sees
        some = rng.sample(cells, rng.randint(1, len(cells)))
        least, most = rng.randint(-1, len(some) + 1), rng.randint(-1, len(some) + 1)
        possible = [mined for mined in boards(clues, cells) if least <= len(mined.intersection(some)) <= most]
        with Solver(clues, CLOCK, cells=[500]) as solver:
            solver.bound(least, most, some)
            assert solver.solve() is bool(possible)
            if possible:
                assert solver.mined() in possible
                solver.bound(len(possible[0]), len(possible[0]))
                assert solver.solve()
                assert len(solver.mined()) == len(possible[0])


def test_the_numbers_of_mines_that_there_can_be() -> None:
    rng = random.Random(3)
    for _ in range(100):
        clues = some_clues(rng, most=3)
        cells = cells_of(clues)
        with Solver(clues, CLOCK, selectors=True) as solver:
            cases = solver.totals(0, len(cells))
            assert set(cases) == {len(mined) for mined in boards(clues, cells)}
            for mines, case in cases.items():
                assert solver.solve(case)
                assert len(solver.mined()) == mines


def test_cores_are_minimal_and_smallest() -> None:
    """Of the clues that decide a cell, or that contradict each other."""
    rng = random.Random(4)
    found = larger = 0
    while found < 120:
        clues = some_clues(rng)
        cells = cells_of(clues)
        cell, mine = rng.choice(cells), rng.random() < 0.5
        with Solver(clues, CLOCK, selectors=True) as solver:
            supposed = [solver.variable[cell] if mine else -solver.variable[cell]]
            if not refuted(clues, cells, cell, mine):
                assert solver.minimal_core(supposed) is None
                assert solver.smallest_core(supposed) is None
                continue
            found += 1
            assert not solver.solve(supposed)
            assert refuted(solver.core(), cells, cell, mine)
            few = solver.minimal_core(supposed)
            fewest = solver.smallest_core(supposed)
            weight = {clue: rng.randint(1, 9) for clue in clues}
            lightest = solver.smallest_core(supposed, weight.__getitem__)
            assert few is not None
            assert fewest is not None
            assert lightest is not None
        assert all(refuted(some, cells, cell, mine) for some in (few, fewest, lightest))
        assert not any(refuted([c for c in few if c is not clue], cells, cell, mine) for clue in few)
        enough = [
            some
            for size in range(len(clues) + 1)
            for some in combinations(clues, size)
            if refuted(some, cells, cell, mine)
        ]
        assert len(fewest) == min(map(len, enough)) <= len(few)
        assert sum(map(weight.__getitem__, lightest)) == min(sum(map(weight.__getitem__, some)) for some in enough)
        larger += len(few) > len(fewest)
    assert larger  # a minimal set is not always a smallest one


def test_models_lean_as_they_are_told() -> None:
    clues = [Constraint(0, (1, 2, 3, 4), 2), Constraint(9, (5, 6, 7), 1)]
    with Solver(clues, CLOCK) as solver:
        for wanted in ({1, 2, 5}, {3, 4, 7}, {1, 4, 6}):
            solver.prefer([v if cell in wanted else -v for cell, v in solver.variable.items()])
            assert solver.solve()
            assert solver.mined() == wanted


def test_hitting_sets_are_cheapest() -> None:
    rng = random.Random(5)
    for _ in range(200):
        sets = [frozenset(rng.sample(range(7), rng.randint(1, 4))) for _ in range(rng.randint(0, 7))]
        cost = {element: rng.randint(1, 5) for element in range(7)}
        found = cheapest_hit(sets, cost, lambda: None)
        assert all(found & some for some in sets)
        every = [set(some) for size in range(8) for some in combinations(range(7), size)]
        least = min(sum(map(cost.__getitem__, some)) for some in every if all(some & one for one in sets))
        assert sum(map(cost.__getitem__, found)) == least


@pytest.mark.parametrize("count", [1, 5, 40, 400])
def test_what_is_minimal_is_found_by_few_questions(count: int) -> None:
    wanted = set(random.Random(count).sample(range(count), min(4, count)))
    asked = []

    def enough(some: Sequence[int]) -> Sequence[int] | None:
        asked.append(len(some))
        return some if wanted <= set(some) else None

    assert minimal(range(count), enough, at_once=count) == sorted(wanted)
    assert len(asked) <= 16 * 4 + 10


# -- stopping ----------------------------------------------------------------------------------------------------


def pigeons(holes: int, cancel: threading.Event | None = None, seconds: float = 600) -> Solver:
    """One pigeon more than holes: no solver that resolves finds out in a lifetime that this cannot be."""
    rows = [tuple(range(holes * pigeon, holes * (pigeon + 1))) for pigeon in range(holes + 1)]
    clues = [Constraint(1000 + i, row, 1) for i, row in enumerate(rows)]
    solver = Solver(clues, Limit(seconds, cancel=cancel).start(), selectors=True)
    for hole in range(holes):
        solver.bound(0, 1, [row[hole] for row in rows])
    return solver


def test_a_small_riddle_is_solved() -> None:
    with pigeons(4) as solver:
        assert not solver.solve()
        assert len(solver.core()) == 5


def test_it_can_be_cancelled_and_asked_again() -> None:
    cancel = threading.Event()
    with pigeons(30, cancel) as solver:
        threading.Timer(0.05, cancel.set).start()
        with pytest.raises(Cancelled):
            solver.solve()
        cancel.clear()
        assert not solver.solve([1, -1])
        assert solver.core() == []


def test_it_is_out_of_time(monkeypatch: pytest.MonkeyPatch) -> None:
    Ticking(monkeypatch)
    with pigeons(30, seconds=20) as solver:
        with pytest.raises(OutOfTime):
            solver.solve()
        solver.clock = Limit(seconds=100).start()
        assert not solver.solve([1, -1])
        with pytest.raises(OutOfTime):
            solver.smallest_core()


CTRL_C = """
import os, signal, sys, threading
sys.path[:0] = {path!r}
from unit.logic.test_solver import pigeons
solver = pigeons(30)
heard = threading.Event()
def press():
    pause = 0.2
    while not heard.wait(pause):  # again, because Python may drop one that comes while it cleans up
        os.kill(os.getpid(), signal.SIGINT)
        pause = 10
try:
    threading.Thread(target=press, daemon=True).start()
    solver.solve()
except KeyboardInterrupt:
    heard.set()
    print("heard", solver.solve([1, -1]))
"""


def test_ctrl_c_is_heard() -> None:
    """As what Python makes of it, and the solver can go on."""
    script = CTRL_C.format(path=[entry for entry in sys.path if entry])
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False)
    assert (done.stdout, done.stderr, done.returncode) == ("heard False\n", "", 0)
