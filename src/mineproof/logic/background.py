"""Long work of a library, without deafness: the caller hears the clock, who cancels, and Ctrl-C.

A solver written in C++ hears nothing while it works, and Python handles Ctrl-C only between two steps of its own. So
long work runs in a thread of its own, without the lock of the interpreter, while the calling thread waits in short
steps. When it must not go on, the tool is told to stop.

A tool that does not stop soon is left alone with its thread: nobody touches it any more, and when it is
done it is freed.
"""

from __future__ import annotations

from threading import Event, Thread
from typing import TYPE_CHECKING, Generic, TypeVar

from mineproof.errors import OutOfTime

if TYPE_CHECKING:
    from collections.abc import Callable

    from mineproof.limit import Clock

T = TypeVar("T")
R = TypeVar("R")

STEP = 0.02
"""Seconds between two looks at the clock."""
GRACE = 0.1
"""Seconds that a tool has to stop."""
TIMES = 10
"""That it is told: it may not have begun when it is told first."""


class Lent(Generic[T]):
    """A tool that one thread uses at a time: the caller, or a thread that works for it.

    >>> from mineproof import Limit
    >>> Lent([3, 1, 2]).run(sorted, stop=list.clear, clock=Limit().start())
    [1, 2, 3]
    """

    def __init__(self, tool: T) -> None:
        self._tool: T | None = tool

    @property
    def tool(self) -> T:
        """For short work."""
        if self._tool is None:
            raise OutOfTime("the solver was stopped in its work, and cannot be asked again")
        return self._tool

    def run(self, work: Callable[[T], R], stop: Callable[[T], object], clock: Clock) -> R:
        """Do long work with the tool; `OutOfTime`, `Cancelled` and ``KeyboardInterrupt`` are raised while it lasts."""
        tool, self._tool = self.tool, None
        done, given_up = Event(), Event()
        results: list[R] = []
        faults: list[BaseException] = []

        def do() -> None:
            try:
                if not given_up.is_set():
                    results.append(work(tool))
            except BaseException as fault:  # raised again where the caller waits
                faults.append(fault)
            finally:
                done.set()

        Thread(target=do).start()  # no daemon: Python must not end while a library is at work
        try:
            while not done.wait(max(0.0, min(STEP, clock.left))):
                clock.check()
        finally:
            for _ in range(TIMES):
                if done.is_set():
                    self._tool = tool
                    break
                given_up.set()
                stop(tool)
                done.wait(GRACE / TIMES)
        if faults:
            raise faults[0]
        return results[0]

    def close(self, free: Callable[[T], object]) -> None:
        """Nobody needs the tool any more; one that is left alone frees itself."""
        if self._tool is not None:
            free(self._tool)
            self._tool = None

    def drop(self) -> None:
        """The same, for a tool that is free when nobody holds it. That may take long, and nobody has to wait for it."""
        held, self._tool = [self._tool], None
        Thread(target=held.clear).start()
