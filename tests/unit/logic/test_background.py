"""Long work in a thread: its results and faults come back, it is stopped in time, and nobody touches a tool at work."""

from __future__ import annotations

from threading import Event

import pytest

from mineproof import Cancelled, Limit, OutOfTime
from mineproof.logic.background import Lent
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
