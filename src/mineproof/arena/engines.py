"""The engines that run chunks: this process, a pool of processes, or a cluster. All are standard executors."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import threading
import time
import warnings
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, ProcessPoolExecutor
from concurrent.futures import wait as wait_for
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from itertools import islice
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Any, TypeVar

from mineproof.agents.registry import PluginWarning
from mineproof.errors import MineproofError, MissingExtra
from mineproof.system import ENDINGS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

AHEAD = 3
"""The number of chunks queued per worker: enough that no worker waits, few enough to limit memory."""
GRACE_SECONDS = 2.0
"""Seconds that workers have to end by themselves before they are killed."""
CLUSTER_SECONDS = 30
"""Seconds to reach a scheduler, and for its first worker to appear."""


@dataclass(frozen=True, slots=True)
class Engine:
    """An executor, and how many chunks to queue."""

    executor: Executor
    window: Callable[[], int]
    """The number of chunks to queue; called repeatedly, as workers come and go."""


class InlineExecutor(Executor):
    """Runs each call at once, in this process."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run the call, and return its finished future."""
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


T = TypeVar("T")
R = TypeVar("R")


def work(engine: Engine, function: Callable[[T], R], items: Iterable[T]) -> Iterator[tuple[T, R]]:
    """Yield each item with its result as soon as that is known. Items are taken only as fast as they are queued."""
    pending: dict[Future[R], T] = {}
    upcoming = iter(items)
    while True:
        for item in islice(upcoming, max(0, max(1, engine.window()) - len(pending))):
            pending[engine.executor.submit(function, item)] = item
        if not pending:
            return
        done = wait_for(pending, return_when=FIRST_COMPLETED).done
        for future in sorted(done, key=lambda future: future.exception() is not None):  # no good result is lost
            yield pending.pop(future), future.result()


def in_process() -> Engine:
    """Return the engine that uses only this process."""
    return Engine(InlineExecutor(), lambda: 1)


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def processes(workers: int) -> Iterator[Engine]:
    """Run a pool of processes on this machine. If the block fails, unfinished work is given up."""
    if workers == 1:
        yield in_process()
        return
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _begin_work)
    try:
        yield Engine(pool, lambda: AHEAD * workers)
    except BaseException as failure:
        # Before Python 3.14 a pool cannot end its processes, nor wait for its thread for a limited time.
        children = list((pool._processes or {}).values())
        thread: Any = pool._executor_manager_thread
        pool.shutdown(wait=False, cancel_futures=True)
        for child in children:
            child.terminate()
        deadline = time.monotonic() + GRACE_SECONDS
        for child in children:
            child.join(max(0.0, deadline - time.monotonic()))
            child.kill()
        if thread is not None:  # otherwise Python, as it exits, may wake it through a pipe that it is just closing
            thread.join(GRACE_SECONDS)
        if isinstance(failure, BrokenProcessPool):
            raise MineproofError("a worker process died: it was killed, or there was not enough memory") from None
        raise
    finally:
        pool.shutdown()


def _begin_work() -> None:
    """Set up a worker. The parent handles Ctrl-C, and the worker ends when the parent is gone; the keepers of programs
    that play then end these."""
    warnings.simplefilter("ignore", PluginWarning)  # the parent has already warned
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for ending in ENDINGS:
        if signal.getsignal(ending) is not signal.SIG_IGN:
            signal.signal(ending, lambda *_: os._exit(1))
    parent = multiprocessing.parent_process()
    assert parent is not None

    def end_with_parent() -> None:
        wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=end_with_parent, daemon=True).start()


@contextmanager
def cluster(address: str) -> Iterator[Engine]:
    """Use the workers of a dask scheduler. When one of them dies, the others do its work."""
    try:
        from distributed import Client, KilledWorker
        from distributed.comm.core import CommClosedError
    except ImportError:
        raise MissingExtra("--cluster", "dask.distributed", "cluster") from None
    with _quiet("distributed", "tornado", "asyncio"):  # errors are reported in a sentence
        try:
            client = Client(address, timeout=CLUSTER_SECONDS)
        except (OSError, ValueError, TypeError) as failure:
            reason = str(failure).splitlines()[0] if str(failure) else type(failure).__name__
            raise MineproofError(f"there is no scheduler at {address}: {reason}") from None
        with client:
            try:
                client.wait_for_workers(1, timeout=CLUSTER_SECONDS)
            except TimeoutError:
                raise MineproofError(f"the scheduler at {address} has no workers") from None
            try:
                executor = client.get_executor(pure=False, retries=3)
                yield Engine(executor, lambda: AHEAD * max(1, sum(client.nthreads().values())))
                executor.shutdown(wait=False)
            except MineproofError:  # some of these are OSErrors too
                raise
            except (CancelledError, CommClosedError, KilledWorker, OSError) as failure:
                if isinstance(failure, OSError) and failure.errno is not None:  # the error of a file, not of dask
                    raise
                died = "workers died repeatedly on the same games"
                reason = died if isinstance(failure, KilledWorker) else "it is gone"
                raise MineproofError(f"the scheduler at {address}: {reason}") from None


@contextmanager
def _quiet(*packages: str) -> Iterator[None]:
    """Silence the loggers of these packages, except for critical messages."""

    def passes(record: logging.LogRecord) -> bool:
        return record.levelno >= logging.CRITICAL

    names = [name for name in list(logging.root.manager.loggerDict) if name.partition(".")[0] in packages]
    loggers = [logging.getLogger(name) for name in names]
    for logger in loggers:
        logger.addFilter(passes)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeFilter(passes)


def chosen_engine(workers: int | None, address: str | None, most: int | None = None) -> AbstractContextManager[Engine]:
    """Return the cluster at an address, or this many processes: by default one per core, and at most ``most``."""
    if address is not None:
        if workers is not None:
            raise MineproofError("workers and a cluster cannot be combined")
        return cluster(address)
    return processes(min(workers or cores(), most or 4096))
