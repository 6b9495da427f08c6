"""Long work in a library that can still be stopped: by the clock, by cancellation, and by Ctrl-C.

A C++ solver cannot be interrupted from outside while it works, and Python handles Ctrl-C only between two of its own
steps. So long work runs in a separate thread, without the interpreter lock, while the calling thread waits in short
steps. When it must stop, the tool is told to.

A tool that does not stop soon is left alone with its thread; it is not used again, and is freed when it is done.
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
"""Seconds between two checks of the clock."""
GRACE = 0.1
"""Seconds that a tool has to stop."""
TIMES = 10
"""Times that a tool is told to stop: the first time it may not have started."""


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
        """The tool itself, for short work."""
        if self._tool is None:
            raise OutOfTime("the solver was stopped and cannot be used again")
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
        """Release the tool; one that was left alone frees itself."""
        if self._tool is not None:
            free(self._tool)
            self._tool = None

    def drop(self) -> None:
        """The same, for a tool that is freed with its last reference, which may take long: the caller does not wait."""
        held, self._tool = [self._tool], None
        Thread(target=held.clear).start()
