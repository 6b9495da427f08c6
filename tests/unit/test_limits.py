"""Every limit is kept, by work counted and not by the clock on the wall; and whatever works can be stopped."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from mineproof import (
    AGENTS,
    Analyst,
    Cancelled,
    Cell,
    Game,
    Grid,
    Layout,
    Level,
    Limit,
    OutOfTime,
    Position,
    analyse,
    hint,
)
from mineproof._native import counting
from mineproof._native.playing import Player
from mineproof.agents.counting import Counting
from mineproof.agents.optimal import optimum
from mineproof.agents.registry import find_agent
from mineproof.arena.chunks import Chunk, run
from mineproof.arena.match import finish
from mineproof.board import grid
from mineproof.board.rules import Rules
from mineproof.limit import Clock
from mineproof.reference import analyse_exactly
from support import awkward
from support.clocks import CancelledAt, Countdown, Ticking

if TYPE_CHECKING:
    from collections.abc import Callable

HARD = awkward.lattice(40, density=0.3)
WIDE = awkward.lattice(24)  # can be counted, in hundreds of looks at the clock


def calls() -> dict[str, Callable[[Limit], object]]:
    """Public calls that reason about odds, each on something that takes a while."""
    counted, other = analyse(WIDE), analyse(awkward.sparse(60, 0.2))
    return {
        "analyse": lambda limit: analyse(HARD, limit),
        "solutions": lambda limit: counted.count_solutions(limit),
        "many solutions": lambda limit: other.count_solutions(limit),
        "numbers": lambda limit: counted.numbers("A1", limit),
        "samples": lambda limit: counted.samples(100_000, seed=1, limit=limit),
        "analyst": lambda limit: Analyst(HARD, limit),
        "best": lambda limit: Counting("best").choose(HARD, limit),
        "optimum": lambda limit: optimum(Level(6, 6, 3), limit=limit),
    }


@pytest.mark.parametrize("name", calls())
@pytest.mark.parametrize("looks", [10, 100, 1000])
def test_a_limit_is_kept(monkeypatch: pytest.MonkeyPatch, name: str, looks: int) -> None:
    """The clock is looked at hardly more often than the limit allows: after that, the work ends."""
    call = calls()[name]
    with monkeypatch.context() as patched:
        clock = Ticking(patched)
        with suppress(OutOfTime):
            call(Limit(seconds=looks))
        assert clock.looks <= 1.3 * looks + 60


@pytest.mark.parametrize("name", calls())
@pytest.mark.parametrize("times", [0, 1, 5, 50])
def test_everything_can_be_cancelled(monkeypatch: pytest.MonkeyPatch, name: str, times: int) -> None:
    call = calls()[name]
    cancel: Any = CancelledAt(times)
    with monkeypatch.context() as patched:
        Ticking(patched)  # so that compiled code asks at every look
        try:
            call(Limit(seconds=10**6, cancel=cancel))
        except Cancelled:
            assert cancel.left < 0
        else:
            assert cancel.left >= 0, "it was cancelled, and went on to its end"


def test_another_thread_may_cancel() -> None:
    cancel = threading.Event()
    threading.Timer(0.05, cancel.set).start()
    with pytest.raises(Cancelled):
        analyse(awkward.lattice(150), Limit(seconds=600, memory=2**33), cancel=cancel)


def test_a_million_cells_that_are_stopped_keep_what_was_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    mines = rng.random((1000, 1000)) < 0.2
    padded = np.pad(mines, 1).astype(np.uint8)
    numbers = sum(padded[1 + r : 1001 + r, 1 + c : 1001 + c] for r in (-1, 0, 1) for c in (-1, 0, 1)) - mines
    shown = ~mines & (rng.random((1000, 1000)) < 0.5)
    cells = np.where(shown, numbers + ord("0"), ord("H")).astype(np.uint8)
    position = Position(Grid(1000, 1000), int(mines.sum()), cells.tobytes())
    found = 0
    for looks in (30, 300, 3000):
        with monkeypatch.context() as patched:
            clock = Ticking(patched)
            analysis = analyse(position, Limit(looks))
            assert clock.looks <= 1.3 * looks + 60
        marks = np.frombuffer(analysis.marks, np.uint8).reshape(1000, 1000)
        assert not mines[marks == counting.MARK_SAFE].any()
        assert mines[marks == counting.MARK_MINED].all()
        certain = int((marks >= counting.MARK_SAFE).sum())
        assert certain >= found
        found = certain
    assert found > 100_000


@pytest.mark.parametrize("name", ["best", "deep", "lowest-risk", "random", "csp"])
def test_a_choice_among_a_million_cells_builds_few_of_them(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """A cell of Python takes as long as counting dozens of them; what is not looked at is not built."""
    built = 0
    make = grid._cell_at

    def counted(index: int, cols: int) -> Cell:
        nonlocal built
        built += 1
        return make(index, cols)

    blank, ones = Position.blank(Grid(1000, 1000), 200_000), Position(Grid(1, 10**6), 250_000, b"H1" * 500_000)
    agent = AGENTS[name].make() if name in AGENTS else find_agent(f"single+{name}").make()
    with monkeypatch.context() as patched:
        patched.setattr(grid, "_cell_at", counted)
        assert not agent.choose(blank, Limit(600)).stuck
        assert built < 100
    if name in ("best", "deep", "lowest-risk"):
        work = Countdown(10**9)
        monkeypatch.setattr(Limit, "start", lambda _: work)
        every = agent.choose(ones, Limit(600)).moves
        assert len(every) == 500_000
        work.looks = work.done // 2
        assert 0 < len(agent.choose(ones, Limit(600)).moves) < 250_000


def test_a_hint_for_a_wire_builds_few_of_its_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the number of mines settles a cell here, and time runs out while the easiest is looked for."""
    built: list[int] = []
    make = grid._cell_at

    def counted(index: int, cols: int) -> Cell:
        built.append(index)
        return make(index, cols)

    monkeypatch.setattr(grid, "_cell_at", counted)
    Ticking(monkeypatch)
    with pytest.raises(OutOfTime):
        hint(Position(Grid(1, 4_000), 1_000, b"H1HH" * 1_000), Limit(seconds=300))
    assert len(built) < 100


def test_thousands_of_small_components_stay_in_compiled_code() -> None:
    """The mines are far from what the density lets expect, so that weights meet only after the tilt is mended."""
    for count in (30, 2000):
        position = Position(Grid(2, 4 * count), 2 * count - 1, b"1HHS" * count + b"HHHS" * count)
        analysis = analyse(position, Limit(seconds=600))
        assert analysis.exact
        if count == 30:
            exact = analyse_exactly(position)
            assert analysis.solutions == exact.solutions
            for cell, risk in exact.probabilities.items():
                assert analysis.probabilities[cell] == pytest.approx(float(risk), rel=1e-12)
    script = "import sys, mineproof; mineproof.analyse(mineproof.Position.from_text('3x1x1\\nH1H')).solutions; "
    script += "sys.exit('mineproof.reference' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0, (
        "the reference is for tests only"
    )


def test_extreme_numbers_of_mines_are_counted_exactly() -> None:
    for mines in (100, 101, 130, 199, 200):
        position = Position(Grid(2, 300), mines, b"1HS" * 100 + b"HHS" * 100)
        exact, analysis = analyse_exactly(position), analyse(position)
        assert analysis.consistent is (exact.solutions > 0)
        assert analysis.solutions == exact.solutions
        for cell, risk in exact.probabilities.items():
            assert analysis.probabilities[cell] == pytest.approx(float(risk), rel=1e-12)


@pytest.mark.parametrize("level", ["expert", "30x30x20%"])
def test_solutions_are_the_same_as_those_of_the_reference(level: str) -> None:
    rng = random.Random(level)
    for _ in range(10):
        position = awkward.middle(rng, level) if level == "expert" else awkward.torn(rng, Level.parse(level), 0.1)
        assert analyse(position).solutions == analyse_exactly(position).solutions
    assert analyse(Position.blank(Grid(100, 100), 2000)).solutions == comb(10_000, 2000)


def test_a_number_of_a_million_digits_is_not_begun_without_time() -> None:
    with pytest.raises(OutOfTime, match="too many solutions to count"):
        analyse(Position.blank(Grid(4000, 1000), 600_000)).count_solutions(Limit(seconds=1))


# -- signals ---------------------------------------------------------------------------------------------------------


def test_a_signal_handler_may_analyse(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the middle of an analysis the handler analyses something else, again and again."""
    small = Position.from_text("4x3x4\nHHHH\n2H2H\nHHHH")
    expected = analyse(small).solutions
    during: list[object] = []
    sent = 0
    before = signal.signal(signal.SIGUSR1, lambda *_: during.append(analyse(small).solutions))
    alone = analyse(WIDE)
    try:
        with monkeypatch.context() as patched:
            clock = Ticking(patched)
            look = clock.look

            def signalled() -> float:
                nonlocal sent
                if clock.looks % 50 == 20 and sent < 20:
                    sent += 1
                    os.kill(os.getpid(), signal.SIGUSR1)
                return look()

            patched.setattr("mineproof.limit.now", signalled)
            interrupted = analyse(WIDE, Limit(seconds=10**6))
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert during
    assert all(found == expected for found in during)
    np.testing.assert_array_equal(interrupted.probabilities, alone.probabilities)


def test_what_is_at_work_refuses_to_be_used_again(monkeypatch: pytest.MonkeyPatch) -> None:
    counter = counting.Counter()
    counter.start(24, 24, WIDE.cells, WIDE.mines)
    refused: list[bool] = []
    with monkeypatch.context() as patched:
        looks = Ticking(patched)

        def now() -> float:
            if looks.look() > 10:  # now it is under way
                with pytest.raises(RuntimeError, match="at work"):
                    counter.start(1, 2, b"1H", 1)
                refused.append(True)
            return 0.0

        patched.setattr("mineproof.limit.now", now)
        assert counter.count(Clock(Limit(100))) == counting.COUNTED
    assert refused


def test_an_exception_of_a_handler_ends_the_work_and_comes_out(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stop(Exception):
        pass

    mines = bytes(cell % 7 == 3 for cell in range(480))
    for call in (lambda limit: analyse(WIDE, limit), lambda limit: Player().play(16, 30, mines, 0, limit)):
        with monkeypatch.context() as patched:
            looks = Ticking(patched)
            look = looks.look

            def now(look: Callable[[], float] = look, looks: Ticking = looks) -> float:
                if looks.looks > 3:
                    raise Stop
                return look()

            patched.setattr("mineproof.limit.now", now)
            with pytest.raises(Stop):
                call(Limit(seconds=10**6))
    assert analyse(WIDE).exact


# -- games -----------------------------------------------------------------------------------------------------------


def test_a_game_too_hard_for_compiled_play_is_played_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """With hardly any time for a choice no game is lost, and none ends the tournament."""
    chunk = Chunk(
        "best", AGENTS["best"].version, Level.parse("16x16x60"), Rules.parse("opening"), 3, 0, 4, limit=Limit(seconds=3)
    )
    with monkeypatch.context() as patched:
        Ticking(patched)
        results = run(chunk)
    assert len(results) == 4
    assert all(result.moves > 0 and not result.stuck for result in results)


def test_compiled_play_keeps_the_limit_of_a_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    layout = Layout.draw("100x100x2000", "opening", "D4", seed=5)
    start = layout.grid.index("D4")
    assert Player().play(100, 100, layout.mask, start, Limit(seconds=600)) is not None
    with monkeypatch.context() as patched:
        Ticking(patched)
        assert Player().play(100, 100, layout.mask, start, Limit(seconds=2)) is None


# -- the end of a game -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("cells", "mines"), [(18, 16), (18, 2), (40, 38), (12, 6)])
def test_dense_and_sparse_endgames_are_searched_exactly(cells: int, mines: int) -> None:
    """Cells that no clue sees, with hardly any room, or hardly any mine; below them a row of mines that are shown."""
    width = cells // 2
    position = Position(Grid(3, width), mines + width, b"H" * cells + b"*" * width)
    assert analyse(position).solutions == comb(cells, mines) <= 1000
    decision = Counting("best").choose(position)
    assert decision.chance is not None
    assert 0 < decision.chance <= 1 - mines / cells


def test_a_choice_that_is_stopped_is_a_cell_of_its_own_board() -> None:
    """Time runs out before the first look at a cell, by a player that has just played on a larger board."""
    player = Player(True)
    player.play_seeded(4, 7, 4, 24, -1, 2969720419508028924, 0, 2, Limit(600))
    position = Position.from_text("3x5x6\nHH2\nHHH\nHHH\n2HH\nHHH")
    clock: Any = Countdown(2, memory=2**14)
    choice = player.choose(5, 3, position.cells, position.mines, np.empty((5, 3)), clock)[2]
    assert choice is None or choice[0] < 15


# -- memory ----------------------------------------------------------------------------------------------------------

GREW = """
import sys
from mineproof import METHODS, Limit, analyse
from support import awkward

def peak():
    lines = open("/proc/self/status").read().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) * 1024

calls = {"analyse": analyse, "csp": METHODS["csp"].infer}
call, kind, memory = calls[sys.argv[1]], sys.argv[2], int(sys.argv[3])
call(awkward.lattice(12), Limit(seconds=1))  # libraries are not counted
position = getattr(awkward, kind)(300)
open("/proc/self/clear_refs", "w").write("5")  # the peak begins anew
before = peak()
answer = call(position, Limit(seconds=3, memory=memory))
assert not answer.complete
print(peak() - before)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the peak of memory is read from /proc")
@pytest.mark.parametrize("kind", ["lattice", "sparse"])
@pytest.mark.parametrize("name", ["analyse", "csp"])
def test_a_limit_of_memory_is_kept(name: str, kind: str) -> None:
    """Also where a solver in a library needs most of it; but for a few megabytes, which are not counted."""
    memory = 2**24
    command = [sys.executable, "-c", GREW, name, kind, str(memory)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, sys.path))}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert int(done.stdout) < memory + 2**24


def test_a_board_that_memory_cannot_hold_is_not_begun() -> None:
    blank, tight = Position.blank(Grid(1000, 1000), 200_000), Limit(seconds=600, memory=2**25)
    analysis = analyse(blank, tight)
    assert (analysis.consistent, analysis.complete, analysis.exact) == (None, False, False)
    assert len(analysis.unrated) == 10**6
    for call in (lambda: Analyst(blank, tight), lambda: analyse(blank).count_solutions(tight)):
        with pytest.raises(OutOfTime, match="more memory than"):
            call()
    assert not Counting("best").choose(blank, tight).stuck


@pytest.mark.parametrize("looks", [1, 3, 10, 30])
def test_a_proved_mine_is_no_guess_when_time_runs_out(monkeypatch: pytest.MonkeyPatch, looks: int) -> None:
    """The only risks that are known may be those of proved mines."""
    game = Game(Level(60, 60, 720), "opening", seed=3)
    game.open("P8")
    finish("careful", game)
    whole = analyse(game.position)
    assert whole.mined
    assert not whole.safe
    with monkeypatch.context() as patched:
        Ticking(patched)
        best = analyse(game.position, Limit(looks)).least_risk
        decision = Counting("best").choose(game.position, Limit(looks))
    assert best is None or best.cell not in whole.mined
    assert decision.moves[-1].cell not in whole.mined
