"""Long computations off the event loop: in threads, with a limit, and cancelled when the client is gone."""

from __future__ import annotations

import asyncio
import os
from collections import Counter, deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from threading import Event, Lock
from typing import TYPE_CHECKING, TypeVar

from mineproof.apps.web.problems import TooMany
from mineproof.errors import Cancelled
from mineproof.limit import Limit, now

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from starlette.requests import HTTPConnection, Request

    from mineproof.apps.web.settings import Settings

T = TypeVar("T")
MEMORY = 2**28
"""Memory limit of one analysis, in bytes."""


class Work:
    """Threads for questions, and how much each address has asked for."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._pool: ThreadPoolExecutor | None = None
        self._held: Counter[tuple[str, str]] = Counter()
        self._game_times: dict[str, deque[float]] = {}
        self._lock = Lock()

    @contextmanager
    def slot(self, kind: str, client: str, most: int) -> Iterator[None]:
        """Hold one of at most this many slots of a client, for this kind of work."""
        with self._lock:
            if self._held[kind, client] >= most:
                raise TooMany(f"you already have {most} {kind}; wait until one of them ends")
            self._held[kind, client] += 1
        try:
            yield
        finally:
            with self._lock:
                self._held[kind, client] -= 1
                self._held += Counter()  # removes counts of 0

    def count_game(self, client: str) -> None:
        """Count a new game of an address, or refuse it if there were too many within a minute."""
        most, time = self.settings.games_a_minute, now()
        with self._lock:
            game_times = self._game_times.setdefault(client, deque())
            while game_times and game_times[0] < time - 60:
                game_times.popleft()
            if len(game_times) >= most:
                raise TooMany(f"you created {most} games within a minute; wait a little")
            game_times.append(time)
            if len(self._game_times) > 10_000:
                self._game_times = {
                    address: times for address, times in self._game_times.items() if times[-1] > time - 60
                }

    async def run(self, client: str, ask: Callable[[Limit], T], seconds: float | None, cancel: Event) -> T:
        """Return the answer to a question. If the caller is cancelled, so is the question."""
        limit = Limit(min(seconds or self.settings.seconds, self.settings.most_seconds), MEMORY, cancel)
        with self.slot("analyses", client, self.settings.most_analyses):
            future = asyncio.get_running_loop().run_in_executor(self._threads(), ask, limit)
            try:
                return await asyncio.shield(future)
            except asyncio.CancelledError:
                cancel.set()
                with suppress(Exception):
                    await future
                raise

    async def answer(self, request: Request, ask: Callable[[Limit], T], seconds: float | None = None) -> T:
        """Return the answer to a request; cancelled if the client disconnects first."""
        cancel = Event()
        answering = asyncio.ensure_future(self.run(address_of(request), ask, seconds, cancel))
        disconnected = asyncio.ensure_future(_gone(request))
        try:
            await asyncio.wait({answering, disconnected}, return_when=asyncio.FIRST_COMPLETED)
            if not answering.done():
                cancel.set()
                with suppress(Cancelled):
                    await answering
                raise Cancelled("the client has disconnected")
            return answering.result()
        finally:
            disconnected.cancel()
            if not answering.done():
                cancel.set()

    def _threads(self) -> ThreadPoolExecutor:
        if self._pool is None:
            self._pool = ThreadPoolExecutor(max(4, os.cpu_count() or 1), "reason")
        return self._pool

    def close(self) -> None:
        """Drop waiting questions. Later questions start new threads."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = None


async def _gone(request: Request) -> None:
    """Wait until the client has disconnected."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def address_of(connection: HTTPConnection) -> str:
    """Return the address whose limits apply."""
    return connection.client.host if connection.client else "unknown"
