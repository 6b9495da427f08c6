"""Long work in a thread: its results and faults come back, it is stopped in time, and nobody touches a tool at work."""

from __future__ import annotations

import gc
import weakref
from collections import deque
from threading import Event
from typing import NoReturn
from unittest.mock import Mock

import pytest

from mineproof import Cancelled, Limit, OutOfTime
from mineproof.logic import background
from mineproof.logic.background import LOT, Lent, stoppable
from support.clocks import CancelledAt, Ticking


class Tool:
    """Works until it is told to stop; a deaf one until it is freed."""

    def __init__(self, deaf: bool = False) -> None:
        self.deaf = deaf
        self.end = Event()
        self.freed = 0

    def work(self) -> str:
        self.end.wait()
        return "done"

    def stop(self) -> None:
        if not self.deaf:
            self.end.set()

    def free(self) -> None:
        self.freed += 1


def test_results_and_faults_come_back() -> None:
    lent = Lent([3, 1])
    clock = Limit().start()
    assert lent.run(sorted, list.clear, clock) == [1, 3]
    with pytest.raises(ZeroDivisionError):
        lent.run(lambda _: 1 // 0, list.clear, clock)
    assert lent.tool == [3, 1]


def test_a_tool_that_stops_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    Ticking(monkeypatch)
    lent = Lent(Tool())
    with pytest.raises(OutOfTime):
        lent.run(Tool.work, Tool.stop, Limit(seconds=4).start())
    assert lent.run(Tool.work, Tool.stop, Limit(seconds=99).start()) == "done"
    lent.close(Tool.free)
    with pytest.raises(OutOfTime):
        lent.tool  # noqa: B018


def test_a_deaf_tool_is_left_alone() -> None:
    tool = Tool(deaf=True)
    lent = Lent(tool)
    with pytest.raises(Cancelled):
        lent.run(Tool.work, Tool.stop, Limit(cancel=CancelledAt(2)).start())  # type: ignore[arg-type]
    with pytest.raises(OutOfTime, match="cannot be used again"):
        lent.run(Tool.work, Tool.stop, Limit().start())
    lent.close(Tool.free)
    assert not tool.freed
    tool.end.set()


class Built:
    """Something that a call has made."""

    def __init__(self, parts: object) -> None:
        self.parts = parts


@pytest.mark.parametrize("kind", [Cancelled, KeyboardInterrupt])
def test_what_a_stopped_call_has_built_is_freed_later_and_only_that(
    kind: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    timers = Mock()
    monkeypatch.setattr(background, "Timer", timers)
    kept = [Built(i) for i in range(3 * LOT)]
    shared = Built({"kept": kept})
    built: list[weakref.ref[Built]] = []

    def make(parts: object) -> Built:
        made = Built(parts)
        built.append(weakref.ref(made))
        return made

    @stoppable
    def call(given: Built) -> NoReturn:
        many = tuple(make(number) for number in range(2 * LOT))
        by_name = {"shared": shared, "given": given, "deep": [deque([make({1, 2}), make(kept)])]}
        inner(make(many), by_name)

    def inner(*what: object) -> NoReturn:
        assert what
        raise kind("enough")

    gc.disable()  # nothing waits for the collector
    try:
        with pytest.raises(kind, match="enough") as caught:
            call(shared)
        assert all(ref() is not None for ref in built), "the caller has waited"
        timers.return_value.start.assert_called_once()
        _, free, things = timers.call_args.args
        free(*things)
        assert not any(ref() for ref in built)
    finally:
        gc.enable()
    assert caught.value.__context__ is None
    assert [frame.name for frame in caught.traceback][-1] == "answering"
    assert len(kept) == 3 * LOT
    assert shared.parts == {"kept": kept}


def test_other_exceptions_pass_as_they_are() -> None:
    @stoppable
    def call() -> NoReturn:
        raise OutOfTime("no time")

    with pytest.raises(OutOfTime) as caught:
        call()
    assert [frame.name for frame in caught.traceback][-1] == "call"
