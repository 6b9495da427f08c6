"""Who does the work: this process, a pool of processes, or a cluster. All are standard executors."""

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

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

AHEAD = 3
"""Chunks in hand for each worker: enough that none waits, few enough that memory stays flat."""
GRACE_SECONDS = 2.0
"""For workers to end by themselves."""
CLUSTER_SECONDS = 30
"""To reach a scheduler, and for its first worker to be there."""


@dataclass(frozen=True, slots=True)
class Engine:
    """An executor, and how many chunks to hand it at a time."""

    executor: Executor
    window: Callable[[], int]
    """Chunks in hand: asked again and again, for workers come and go."""


class Here(Executor):
    """Does what it is given at once, in this process."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Call it."""
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


T = TypeVar("T")
R = TypeVar("R")


def work(engine: Engine, function: Callable[[T], R], items: Iterable[T]) -> Iterator[tuple[T, R]]:
    """Each item with what the function makes of it, as they are done. No more items are taken than are in hand."""
    pending: dict[Future[R], T] = {}
    waiting = iter(items)
    while True:
        for item in islice(waiting, max(0, max(1, engine.window()) - len(pending))):
            pending[engine.executor.submit(function, item)] = item
        if not pending:
            return
        done = wait_for(pending, return_when=FIRST_COMPLETED).done
        for future in sorted(done, key=lambda future: future.exception() is not None):  # what is good is not lost
            yield pending.pop(future), future.result()


def in_process() -> Engine:
    """The engine that needs nothing."""
    return Engine(Here(), lambda: 1)


def cores() -> int:
    """That this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def processes(workers: int) -> Iterator[Engine]:
    """A pool of processes on this machine. On the way out nobody waits for work that is not wanted any more."""
    if workers == 1:
        yield in_process()
        return
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _begin_work)
    try:
        yield Engine(pool, lambda: AHEAD * workers)
    except BaseException as failure:
        children = list((pool._processes or {}).values())  # the pool has no other way to end them before Python 3.14
        pool.shutdown(wait=False, cancel_futures=True)
        for child in children:
            child.terminate()
        deadline = time.monotonic() + GRACE_SECONDS
        for child in children:
            child.join(max(0.0, deadline - time.monotonic()))
            child.kill()
        if isinstance(failure, BrokenProcessPool):
            raise MineproofError("a worker process died: it was killed, or there was not enough memory") from None
        raise
    finally:
        pool.shutdown()


def _begin_work() -> None:
    """In a worker: Ctrl-C is the parent's to handle; when the parent is gone, so is the worker. The programs that play
    see to it themselves that they go with it."""
    warnings.simplefilter("ignore", PluginWarning)  # the parent has said so
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for sent in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(sent) is not signal.SIG_IGN:
            signal.signal(sent, lambda *_: os._exit(1))
    parent = multiprocessing.parent_process()
    assert parent is not None

    def follow() -> None:
        wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()


@contextmanager
def cluster(address: str) -> Iterator[Engine]:
    """The workers of a dask scheduler. When one of them dies, the others do its work."""
    try:
        from distributed import Client, KilledWorker
        from distributed.comm.core import CommClosedError
    except ImportError:
        raise MissingExtra("--cluster", "dask.distributed", "cluster") from None
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] in ("distributed", "tornado", "asyncio"):
            logging.getLogger(name).setLevel(logging.CRITICAL)  # what matters is said in a sentence
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
        except (CancelledError, CommClosedError, KilledWorker, OSError) as failure:
            if isinstance(failure, OSError) and failure.errno is not None:  # of a file, and not of dask
                raise
            told = (
                "workers died on the same games again and again" if isinstance(failure, KilledWorker) else "it is gone"
            )
            raise MineproofError(f"the scheduler at {address}: {told}") from None


def chosen_engine(workers: int | None, address: str | None, most: int | None = None) -> AbstractContextManager[Engine]:
    """The cluster at an address, or so many processes: as many as there are cores, and no more than there is work."""
    if address is not None:
        if workers is not None:
            raise MineproofError("give workers or a cluster, not both")
        return cluster(address)
    return processes(min(workers or cores(), most or 4096))
