"""What may be asked of ``no_guess``, what it says when it cannot, and that it can be stopped."""

from __future__ import annotations

import threading
from itertools import islice
from typing import Any

import pytest

from mineproof import (
    Cancelled,
    Cell,
    IllegalMove,
    InvalidArgument,
    Layout,
    Level,
    Limit,
    MineproofError,
    NoneFound,
    OutOfTime,
    UnknownName,
    needs_guess,
    no_guess,
)
from mineproof._native.generating import CLEARED, STOPPED, STUCK, Generator
from mineproof.generate.no_guess import TRIES
from support.clocks import CancelledAt, Countdown, Ticking

METHODS = list(TRIES)
CROWDED = Level(16, 30, 300)
"""No such board is ever found."""
GOLDEN = {
    "fast": ("9x9x10=800a00482000044001008@E5", 1, 0),
    "uniform": ("9x9x10=800a00482000044001008@E5", 1, 0),
    "crowded": ("9x9x25=e00201c0323c047a24038@E5", 4, 0),
}


@pytest.mark.parametrize("method", METHODS)
def test_the_same_seed_gives_the_same_boards(method: str) -> None:
    def boards(**options: Any) -> list[Layout]:
        return [board.layout for board in no_guess("expert", method=method, **options)]

    ten = boards(seed=5, count=10)
    assert ten == boards(seed=5, count=10)
    assert len(set(ten)) == 10
    assert ten[:3] == boards(seed=5, count=3)
    assert not set(ten) & set(boards(seed=6, count=10))
    fourth = list(no_guess("expert", method=method, seed=5, count=4))[3]
    assert fourth.layout == boards(seed=5, first=fourth.number)[0]
    assert list(islice(no_guess("expert", method=method, seed=5, count=None), 4))[3] == fourth


def test_boards_never_change() -> None:
    """The same on every machine and in every version; seen once, written down."""
    fast, uniform = (next(no_guess("beginner", method=method, seed=4)) for method in METHODS)
    assert (str(fast.layout), fast.tried, fast.number) == GOLDEN["fast"]
    assert (str(uniform.layout), uniform.tried, uniform.number) == GOLDEN["uniform"]
    crowded = next(no_guess("9x9x25", seed=4))
    assert (str(crowded.layout), crowded.tried, crowded.number) == GOLDEN["crowded"]


def test_what_was_tried_is_counted() -> None:
    boards = list(no_guess("expert", method="uniform", seed=1, count=20))
    assert sum(board.tried for board in boards) == boards[-1].number + 1
    assert {board.method for board in boards} == {"uniform"}


@pytest.mark.parametrize(
    ("level", "start"),
    [
        ("expert", "O8"), ("beginner", "E5"), ("4x4x8", "A1"), ("4x4x7", "B2"), ("3x3x5", "A1"), ("1x1x0", "A1"),
        ("7x1x2", "D1"), ("1x7x2", "A4"),
    ],
)  # fmt: skip
def test_the_start_is_in_the_middle_where_it_can_be_an_opening(level: str, start: str) -> None:
    assert str(next(no_guess(level)).start) == start


@pytest.mark.parametrize("method", METHODS)
def test_boards_without_mines_or_with_one_safe_cell(method: str) -> None:
    assert next(no_guess("5x4x0", method=method)).layout.mines == 0
    full = next(no_guess("5x4x19", start="C2", method=method))
    assert (full.layout.mines, full.layout.number("C2")) == (19, 8)


@pytest.mark.parametrize("method", METHODS)
def test_boards_can_be_turned_down(method: str) -> None:
    def accept(layout: Layout, start: Cell) -> bool:
        assert start == layout.start
        return layout.has_mine("A1")

    some = list(no_guess("beginner", method=method, seed=1, count=5, accept=accept))
    every = [board for board in no_guess("beginner", method=method, seed=1, count=200) if board.layout.has_mine("A1")]
    assert [board.layout for board in some] == [board.layout for board in every[:5]]
    assert sum(board.tried for board in some) > some[-1].number
    with pytest.raises(NoneFound, match="and accepted"):
        next(no_guess("beginner", method=method, accept=lambda *_: False, tries=100))


@pytest.mark.parametrize("method", METHODS)
def test_no_such_board(method: str) -> None:
    """After as many tries as were named, and says so; how far it is can be watched."""
    seen: list[int] = []
    tries = 3000 if method == "uniform" else 300
    with pytest.raises(NoneFound, match=r"none of the [\d,]+ boards of 30x16x300") as failure:
        next(no_guess(CROWDED, method=method, tries=tries, progress=seen.append))
    assert "from O8 is solvable without a guess" in str(failure.value)
    assert seen == sorted(set(seen))
    assert tries <= seen[-1] < tries + 50


@pytest.mark.parametrize(
    ("error", "options"),
    [
        (InvalidArgument, {"level": "9x9xp0.2"}), (UnknownName, {"level": "exprt"}), (UnknownName, {"method": "fats"}),
        (InvalidArgument, {"level": "3x3x9"}), (MineproofError, {"start": "Z99"}), (InvalidArgument, {"seed": -1}),
        (InvalidArgument, {"first": 2**64}), (InvalidArgument, {"count": 0}), (InvalidArgument, {"count": 1.5}),
        (InvalidArgument, {"min_level": 4, "max_level": 3}), (InvalidArgument, {"min_level": 0}),
        (InvalidArgument, {"tries": 0}), (InvalidArgument, {"tries": 2**64}), (InvalidArgument, {"limit": 3}),
    ],
)  # fmt: skip
def test_bad_wishes_are_one_sentence(error: type[MineproofError], options: dict[str, Any]) -> None:
    """At once, not when the first board is asked for."""
    with pytest.raises(error) as failure:
        no_guess(**{"level": "beginner", **options})
    assert "\n" not in str(failure.value)


def test_bad_questions_are_one_sentence() -> None:
    layout = Layout.parse("4x1x1=4")
    with pytest.raises(InvalidArgument, match="name one"):
        needs_guess(layout)
    with pytest.raises(IllegalMove, match="it cannot be the start"):
        needs_guess(layout, "B1")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("looks", [10, 100, 1000])
def test_a_limit_is_kept(monkeypatch: pytest.MonkeyPatch, method: str, looks: int) -> None:
    with monkeypatch.context() as patched:
        clock = Ticking(patched)
        with pytest.raises(OutOfTime, match="the limit was reached: none of"):
            next(no_guess(CROWDED, method=method, tries=10**9, limit=Limit(seconds=looks)))
        assert clock.looks <= looks + 20


@pytest.mark.parametrize("method", METHODS)
def test_a_limit_is_kept_on_a_large_board(monkeypatch: pytest.MonkeyPatch, method: str) -> None:
    with monkeypatch.context() as patched:
        clock = Ticking(patched)
        with pytest.raises(OutOfTime):
            next(no_guess("700x500x70000", method=method, limit=Limit(seconds=100)))
        assert clock.looks <= 120


def test_a_board_that_is_too_large_for_its_limit() -> None:
    with pytest.raises(OutOfTime, match="takes more memory"):
        no_guess("4000x4000x9")
    with pytest.raises(OutOfTime, match="takes more memory"):
        needs_guess(Layout.parse("4x1x1=4"), "A1", limit=Limit(memory=100))


def test_how_long_a_question_may_take(monkeypatch: pytest.MonkeyPatch) -> None:
    layout = Layout.draw("300x300x900", "opening", "A1", seed=1)
    with monkeypatch.context() as patched:
        Ticking(patched)
        with pytest.raises(OutOfTime, match="before it was known"):
            needs_guess(layout, limit=Limit(seconds=3))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("times", [0, 1, 50])
def test_it_can_be_cancelled(monkeypatch: pytest.MonkeyPatch, method: str, times: int) -> None:
    cancel: Any = CancelledAt(times)
    with monkeypatch.context() as patched:
        Ticking(patched)
        with pytest.raises(Cancelled):
            next(no_guess(CROWDED, method=method, tries=10**9, limit=Limit(seconds=10**6, cancel=cancel)))


def test_another_thread_can_cancel() -> None:
    cancel = threading.Event()
    threading.Timer(0.05, cancel.set).start()
    with pytest.raises(Cancelled):
        next(no_guess(CROWDED, tries=10**12, limit=Limit(seconds=10**6, cancel=cancel)))


def test_after_a_limit_it_continues() -> None:
    """A generator that was stopped is as good as new."""
    generator = Generator(16, 30, 99, 224, True)
    wanted = generator.find(1, 0, 100, False, Limit().start())
    for looks in (1, 2, 3):
        assert generator.find(1, 0, 10**9, False, Countdown(looks))[0] in (CLEARED, STOPPED)
    assert generator.find(1, 0, 100, False, Limit().start()) == wanted
    assert generator.find(1, 0, 0, False, Limit().start()) == (STUCK, 0, 0, None)


def test_it_is_busy_while_it_works() -> None:
    generator = Generator(16, 30, 300, 0, True)
    refused = []

    def again() -> None:
        with pytest.raises(RuntimeError, match="at work"):
            generator.find(1, 0, 1, True, Limit().start())
        refused.append(True)

    assert generator.find(1, 0, 10**9, True, Countdown(20, again))[0] == STOPPED
    assert refused


@pytest.mark.parametrize(
    "given",
    [
        (0, 3, 1, 0, True), (3, 0, 1, 0, True), (-1, -1, 0, 0, True), (2**16, 2**16, 0, 0, True), (3, 3, 6, 0, True),
        (3, 3, 9, 0, False), (3, 3, -1, 0, False), (3, 3, 1, 9, False), (3, 3, 1, -1, True), (3, 3, 1, "A1", True),
    ],
)  # fmt: skip
def test_the_border_of_the_compiled_room(given: tuple[Any, ...]) -> None:
    with pytest.raises((ValueError, TypeError, OverflowError)):
        Generator(*given)


@pytest.mark.parametrize("mines", [b"", bytes(8), bytes(9), b"\2" + bytes(8), b"\1" + bytes(8), b"\0\1\1" + bytes(6)])
def test_boards_at_the_border(mines: bytes) -> None:
    generator = Generator(3, 3, 1, 0, True)
    with pytest.raises(ValueError, match="board"):
        generator.clear_board(mines, Limit().start())
    assert generator.clear_board(bytes(8) + b"\1", Limit().start()) == CLEARED
