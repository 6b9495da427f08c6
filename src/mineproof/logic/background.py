"""Long work in a library that can still be stopped: by the clock, by cancellation, and by Ctrl-C.

A C++ solver cannot be interrupted from outside while it works, and Python handles Ctrl-C only between two of its own
steps. So long work runs in a separate thread, without the interpreter lock, while the calling thread waits in short
steps. When it must stop, the tool is told to.

A tool that does not stop soon is left alone with its thread; it is not used again, and is freed when it is done.

Freeing what was built for a board of a million cells takes a third of a second. A stopped call does not wait for that:
see `stoppable`.
"""

from __future__ import annotations

from collections import deque
from functools import wraps
from sys import getrefcount
from threading import Event, Thread, Timer
from time import sleep
from traceback import walk_tb
from typing import TYPE_CHECKING, Generic, ParamSpec, TypeVar

from mineproof.errors import Cancelled, OutOfTime

if TYPE_CHECKING:
    from collections.abc import Callable

    from mineproof.limit import Clock

P = ParamSpec("P")
T = TypeVar("T")
R = TypeVar("R")

STOPPED = Cancelled, KeyboardInterrupt
"""The exceptions that stop a call."""

STEP = 0.02
"""Seconds between two checks of the clock."""
GRACE = 0.1
"""Seconds that a tool has to stop."""
TIMES = 10
"""Times that a tool is told to stop: the first time it may not have started."""
LATER = 0.05
"""Seconds before the objects of a stopped call are freed: by then the caller has its answer."""
LOT = 2_048
"""Objects freed before other threads may run: some milliseconds at most."""


def stoppable(call: Callable[P, R]) -> Callable[P, R]:
    """A call that returns at once when it is stopped. Everything it has built is held by the frames of the exception;
    they are passed to a thread, and the caller gets an exception of the same kind without them."""

    @wraps(call)
    def answering(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return call(*args, **kwargs)
        except STOPPED as stop:
            again, built = type(stop)(*stop.args), _built(stop)
        Timer(LATER, _dismantle, [built]).start()
        raise again

    return answering


def _built(stop: BaseException) -> list[object]:
    """What the frames hold that an exception has passed, except the first, whose caller waits. They let go of it."""
    frames = [frame for frame, _ in walk_tb(stop.__traceback__)][1:]
    stop.__traceback__ = None
    built: list[object] = []
    for frame in frames:
        built += frame.f_locals.values()
        frame.clear()
    return built


def _dismantle(built: list[object]) -> None:
    """Free things bit by bit: one that is freed whole, with all that it holds, keeps the lock of the interpreter all
    the while. Objects that are also held elsewhere are only released."""
    while built:
        for _ in range(min(LOT, len(built))):
            thing, holders = _take(built)
            if holders == ALONE:
                if isinstance(thing, (dict, list, set, deque)) or (isinstance(thing, tuple) and len(thing) > LOT):
                    built += thing
                if isinstance(thing, dict):
                    built += thing.values()
                elif hasattr(thing, "__dict__"):
                    built += vars(thing).values()
            del thing
        sleep(0)  # others may have the lock


def _take(things: list[object]) -> tuple[object, int]:
    """The last of the things, and how many hold it besides the list."""
    thing = things.pop()
    return thing, getrefcount(thing)


ALONE = _take([object()])[1]


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
