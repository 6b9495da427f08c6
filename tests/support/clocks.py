"""A clock that a test turns: time passes only when somebody looks, so that a limit is an amount of work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mineproof import limit

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest


class Ticking:
    """Each look takes one second; so ``Limit(seconds=n)`` is reached at the n-th look."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.looks = 0
        monkeypatch.setattr(limit, "now", self.look)

    def look(self) -> float:
        self.looks += 1
        return float(self.looks)


class CancelledAt:
    """An event that sets itself when somebody has asked so often."""

    def __init__(self, times: int) -> None:
        self.left = times

    def is_set(self) -> bool:
        self.left -= 1
        return self.left < 0


class Countdown(limit.Clock):
    """Its time is over when it has been looked at so often; at each look something may be done."""

    __slots__ = ("done", "looks", "work")

    def __init__(self, looks: int, work: Callable[[], object] = lambda: None, memory: int = 2**30) -> None:
        super().__init__(limit.Limit(600, memory))
        self.looks, self.work, self.done = looks, work, 0

    @property
    def controlled(self) -> bool:
        return True

    @property
    def left(self) -> float:
        self.looks -= 1
        self.done += 1
        self.work()
        return float(self.looks)
