"""Clocks that a test turns: time passes by looking at them, so a limit ends after a fixed amount of work."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from mineproof import limit


class TurnedClock:
    """Each look takes so many seconds."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.looks = 0

    def __call__(self) -> float:
        self.looks += 1
        return self.looks * self.seconds


def turn(monkeypatch: pytest.MonkeyPatch, seconds: float) -> TurnedClock:
    """From now on every limit runs by such a clock."""
    clock = TurnedClock(seconds)
    monkeypatch.setattr(limit, "now", clock)
    return clock


def counted(work: Callable[[], object], monkeypatch: pytest.MonkeyPatch, seconds: float) -> int:
    """Looks at the clock that some work takes."""
    clock = turn(monkeypatch, seconds)
    work()
    return clock.looks
