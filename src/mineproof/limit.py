"""How much time and memory an answer may take, and the clock that measures it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mineproof.errors import Cancelled, InvalidArgument, OutOfTime, shorten

if TYPE_CHECKING:
    from threading import Event

now = time.monotonic
"""The clock of every limit; tests replace it with one that they control."""

LEAST_SECONDS = 1e-3
"""Seconds that a used-up limit still allows: enough to report that it is used up."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit in seconds and bytes, with sensible defaults. Another thread may set ``cancel`` to end the work.

    >>> Limit(seconds=2)
    Limit(seconds=2, memory=2147483648)
    """

    seconds: float = 10.0
    memory: int = 2**31
    cancel: Event | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name, value, most in (("seconds", self.seconds, 1e9), ("memory", self.memory, 2**62)):
            if not isinstance(value, (int, float)) or not 0 < value <= most:
                raise InvalidArgument(f"a limit of {name} must be a positive number, not {shorten(value)}")
        if self.cancel is not None and not hasattr(self.cancel, "is_set"):
            raise InvalidArgument(f"cancel must be a threading.Event, not {shorten(self.cancel)}")
        object.__setattr__(self, "memory", int(self.memory))

    def __copy__(self) -> Limit:
        return self

    def __deepcopy__(self, memo: object) -> Limit:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        if self.cancel is not None:
            raise InvalidArgument("a limit with an event to cancel it cannot leave its process")
        return Limit, (self.seconds, self.memory)

    def start(self) -> Clock:
        """Start a clock with this limit."""
        return Clock(self)


class Clock:
    """A limit with a running clock. Long work checks it regularly."""

    __slots__ = ("ends", "limit")

    def __init__(self, limit: Limit, seconds: float | None = None) -> None:
        check_limit(limit)
        self.limit = limit
        self.ends = now() + (limit.seconds if seconds is None else seconds)

    @property
    def controlled(self) -> bool:
        """Whether a test controls the clock, and wants to be asked at every check."""
        return now is not time.monotonic

    @property
    def left(self) -> float:
        """The seconds left; negative after the limit."""
        return self.ends - now()

    @property
    def over(self) -> bool:
        """Whether time has run out. Raises `Cancelled` if the work was cancelled."""
        self.check_cancelled()
        return self.left <= 0

    def check(self) -> None:
        """Raise `Cancelled` if the work was cancelled, or `OutOfTime` if time has run out."""
        if self.over:
            raise OutOfTime("the limit was reached before there was an answer")

    def check_cancelled(self) -> None:
        """Raise `Cancelled` if the work was cancelled."""
        if self.limit.cancel is not None and self.limit.cancel.is_set():
            raise Cancelled("the work was cancelled")

    def part(self, share: float) -> Clock:
        """Return a clock for this share of the remaining time."""
        return Clock(self.limit, self.left * share)

    def rest(self, share: float = 1.0) -> Limit:
        """Return the remaining time, or a share of it, as a limit for a part of the work."""
        return Limit(max(LEAST_SECONDS, self.left * share), self.limit.memory, self.limit.cancel)


DEFAULT = Limit()


def check_limit(limit: object) -> None:
    """Check that this is a limit."""
    if not isinstance(limit, Limit):
        raise InvalidArgument(f"a limit must be a Limit, as in Limit(seconds=2), not {shorten(limit)}")
