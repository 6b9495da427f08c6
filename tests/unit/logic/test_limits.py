"""Limits are kept by everything that reasons. Time is counted in looks at the clock, so no machine is too slow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from mineproof import METHODS, Cancelled, Grid, InconsistentPosition, Limit, OutOfTime, Position, prove
from mineproof.logic import asp, matching
from mineproof.logic.constraints import components, problem_of
from mineproof.logic.sat import find_conflict
from support import awkward
from support.clocks import CancelledAt, Ticking

if TYPE_CHECKING:
    from collections.abc import Callable

NAMES = list(METHODS)
LONG = Limit(seconds=1e6)
AFTER = 12
"""Looks at the clock after it is over, until the caller has its answer."""


def large(side: int, cols: int | None = None) -> Position:
    """Every third row shows nothing but ones."""
    cells = np.full((side, cols or side), ord("H"), np.uint8)
    cells[::3, :] = ord("1")
    return Position(Grid(side, cols or side), side, cells.tobytes())


def ask(position: Position, limit: Limit) -> object:
    boards = asp.AnswerSets(position.grid, position.mines)
    for cell in position.where("012345678"):
        boards.tell(cell, int(position[cell]))
    return boards.ask(limit)


CALLS: dict[str, Callable[[Position, Limit], object]] = {
    **{name: METHODS[name].infer for name in NAMES},
    "prove": lambda position, limit: prove(position, next(iter(position.where("H"))), limit),
    "find_conflict": find_conflict,
    "ask": ask,
}


@pytest.mark.parametrize("name", NAMES)
def test_what_was_found_until_then_is_returned(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """At whatever look the time is over: what is there is right, and it is not said to be all."""
    position = awkward.sparse(12, share=0.4)
    whole = METHODS[name].infer(position, LONG)
    clock = Ticking(monkeypatch)
    METHODS[name].infer(position, LONG)
    needed = clock.looks
    sizes = set()
    for looks in sorted({*range(1, 12), *(needed * share // 8 for share in range(1, 8))}):
        clock.looks = 0
        found = METHODS[name].infer(position, Limit(seconds=looks))
        assert clock.looks <= looks + AFTER
        assert found.safe <= whole.safe
        assert found.mined <= whole.mined
        sizes.add(len(found.safe | found.mined))
        if found.complete:
            assert (found.safe, found.mined) == (whole.safe, whole.mined)
    assert min(sizes) == 0
    assert len(sizes) > 1


@pytest.mark.parametrize("name", ["prove", "find_conflict", "ask"])
def test_half_an_answer_is_none(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    position = awkward.sparse(12, share=0.4)
    if name == "find_conflict":
        position = Position(position.grid, 0, position.cells)
    clock = Ticking(monkeypatch)
    for looks in (1, 2, 3, 5):
        clock.looks = 0
        with pytest.raises(OutOfTime):
            CALLS[name](position, Limit(seconds=looks))
        assert clock.looks <= looks + AFTER


@pytest.mark.parametrize("name", CALLS)
def test_everything_can_be_cancelled(name: str) -> None:
    position = awkward.sparse(12, share=0.4)
    for times in (0, 1, 2):
        cancel = CancelledAt(times)
        with pytest.raises(Cancelled):
            CALLS[name](position, Limit(seconds=1e6, cancel=cancel))  # type: ignore[arg-type]
        assert cancel.left >= -2  # it was not asked again and again


@pytest.mark.parametrize("shape", [(300, 300), (3, 30_000), (30_000, 3)])
def test_no_long_work_without_a_look(shape: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading, and joining clues, look at the clock after a fixed amount of work, whatever the shape of the board."""
    position = large(*shape)
    clock = Ticking(monkeypatch)
    problem = problem_of(position, LONG.start())
    clues = len(problem.constraints)
    assert clues >= 30_000
    read = clock.looks
    assert read >= clues // 2_048
    components(problem.constraints, LONG.start())
    assert clock.looks - read >= 2 * (clues // 256)


@pytest.mark.parametrize("name", CALLS)
def test_large_boards_end_at_once(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit is reached while the board is read, or soon after."""
    position = large(200)
    clock = Ticking(monkeypatch)
    for looks in (2, 20):
        clock.looks = 0
        try:
            CALLS[name](position, Limit(seconds=looks))
        except OutOfTime:
            assert name not in METHODS
        assert clock.looks <= looks + AFTER


@pytest.mark.parametrize("name", NAMES)
def test_a_contradiction_is_one_even_without_time(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A method that has found out says so, however little time is left to say it well."""
    position = Position.from_text("9x3x3\n1H1H1H1H3\n000000000\nHHHHHHHHH")
    with pytest.raises(InconsistentPosition, match=r"cannot (all )?be right$"):
        METHODS[name].infer(position, LONG)
    clock = Ticking(monkeypatch)
    said = set()
    for looks in range(1, 60):
        clock.looks = 0
        try:
            assert not METHODS[name].infer(position, Limit(seconds=looks)).complete
        except InconsistentPosition as wrong:
            said.add(str(wrong))
    assert any(text.endswith(("cannot all be right", "cannot both be right", "cannot be right")) for text in said)
    for text in said:
        assert text.endswith(("be right", "contradict each other; time ran out before it was known which"))


def test_reasons_keep_the_limit_of_memory() -> None:
    """A corridor in which each cell follows from all clues before it: the reasons grow with its square."""
    length = 4_001
    position = Position(Grid(1, length), length // 4, b"1" + b"H1" * (length // 2))
    found = METHODS["single"].infer(position, Limit(seconds=600, memory=2**20))
    assert 50 < len(found) < 400
    assert not found.complete


@pytest.mark.parametrize("module", [asp, matching])
def test_what_a_follower_has_no_time_for_is_told_the_next_time(monkeypatch: pytest.MonkeyPatch, module: Any) -> None:
    position = awkward.lattice(30)
    expected = module.Follower().infer(position, LONG)
    player = module.Follower()
    left = []
    with monkeypatch.context() as patched:
        clock = Ticking(patched)
        for _ in range(20):
            clock.looks = 0
            player.infer(position, Limit(seconds=6))
            left.append(len(player._pending_clues))
    assert left[0] > left[1]
    assert 0 in left
    found = player.infer(position, LONG)
    assert (found.safe, found.mined) == (expected.safe, expected.mined)
