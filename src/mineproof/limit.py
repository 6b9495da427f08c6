"""How much a caller is willing to spend on an answer, and the clock that runs meanwhile."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mineproof.errors import Cancelled, InvalidBoard, OutOfTime, shorten

if TYPE_CHECKING:
    from threading import Event

now = time.monotonic
"""The clock of every limit; tests put one in its place that they turn themselves."""

LEAST_SECONDS = 1e-3
"""What a limit that is used up still allows: enough to say so."""


@dataclass(frozen=True, slots=True)
class Limit:
    """Seconds and bytes; what is not named has a sensible default. Another thread may set ``cancel`` to end the work.

    >>> Limit(seconds=2)
    Limit(seconds=2, memory=1073741824)
    """

    seconds: float = 10.0
    memory: int = 2**30
    cancel: Event | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name, value, most in (("seconds", self.seconds, 1e9), ("memory", self.memory, 2**62)):
            if not isinstance(value, (int, float)) or not 0 < value <= most:
                raise InvalidBoard(f"a limit of {name} is a positive number, not {shorten(value)}")
        if self.cancel is not None and not hasattr(self.cancel, "is_set"):
            raise InvalidBoard(f"what cancels is a threading.Event, not {shorten(self.cancel)}")
        object.__setattr__(self, "memory", int(self.memory))

    def start(self) -> Clock:
        """The time runs from now on."""
        return Clock(self)


class Clock:
    """A limit whose time runs. Whatever works for long looks at it often enough."""

    __slots__ = ("ends", "limit")

    def __init__(self, limit: Limit, seconds: float | None = None) -> None:
        check_limit(limit)
        self.limit = limit
        self.ends = now() + (limit.seconds if seconds is None else seconds)

    @property
    def controlled(self) -> bool:
        """Whether the time is a test's, which is asked for it at every look."""
        return now is not time.monotonic

    @property
    def left(self) -> float:
        """Seconds; negative when they are over."""
        return self.ends - now()

    @property
    def over(self) -> bool:
        """Whether the time is over; raises `Cancelled` when nobody wants the answer any more."""
        self.check_cancelled()
        return self.left <= 0

    def check(self) -> None:
        """Raise `Cancelled`, or `OutOfTime` when the time is over."""
        if self.over:
            raise OutOfTime("the limit was reached before the answer was there")

    def check_cancelled(self) -> None:
        """Raise `Cancelled` when nobody wants the answer any more."""
        if self.limit.cancel is not None and self.limit.cancel.is_set():
            raise Cancelled("the work was cancelled")

    def part(self, share: float) -> Clock:
        """A clock that ends when this share of what is left is over."""
        return Clock(self.limit, self.left * share)

    def rest(self, share: float = 1.0) -> Limit:
        """What is left, or a share of it, as a limit for a part of the work."""
        return Limit(max(LEAST_SECONDS, self.left * share), self.limit.memory, self.limit.cancel)


DEFAULT = Limit()


def check_limit(limit: object) -> None:
    """Whether a caller gave a limit."""
    if not isinstance(limit, Limit):
        raise InvalidBoard(f"a limit is a Limit, as in Limit(seconds=2), not {shorten(limit)}")
