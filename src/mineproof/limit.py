"""How much a caller is willing to spend on an answer."""

from __future__ import annotations

from dataclasses import dataclass

from mineproof.errors import InvalidBoard, shorten


@dataclass(frozen=True, slots=True)
class Limit:
    """Seconds and bytes; what is not named has a sensible default.

    >>> Limit(seconds=2)
    Limit(seconds=2, memory=1073741824)
    """

    seconds: float = 10.0
    memory: int = 2**30

    def __post_init__(self) -> None:
        for name, value, most in (("seconds", self.seconds, 1e9), ("memory", self.memory, 2**62)):
            if not isinstance(value, (int, float)) or not 0 < value <= most:
                raise InvalidBoard(f"a limit of {name} is a positive number, not {shorten(value)}")
        object.__setattr__(self, "memory", int(self.memory))


DEFAULT = Limit()


def check_limit(limit: object) -> None:
    """Whether a caller gave a limit."""
    if not isinstance(limit, Limit):
        raise InvalidBoard(f"a limit is a Limit, as in Limit(seconds=2), not {shorten(limit)}")
