"""Questions to the rooms that reason: asked in threads, with a limit, and cancelled when they are out of date."""

from __future__ import annotations

import asyncio
from threading import Event
from typing import TYPE_CHECKING, TypeVar

from mineproof.errors import Cancelled, MineproofError
from mineproof.limit import Limit

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from textual.widget import Widget

T = TypeVar("T")
SECONDS = 10.0
"""Time limit of an answer, in seconds."""


async def asked(question: Callable[[Limit], T], seconds: float = SECONDS) -> T:
    """Return the answer to a question, found in a thread. When the task that waits for it is cancelled, so is the
    thread."""
    cancel = Event()
    try:
        return await asyncio.to_thread(question, Limit(seconds, cancel=cancel))
    except asyncio.CancelledError:
        cancel.set()
        raise


def ask(
    asker: Widget,
    kind: str,
    question: Callable[[Limit], T],
    then: Callable[[T], object],
    refused: Callable[[MineproofError], object],
    seconds: float = SECONDS,
) -> None:
    """Ask a question and do something with its answer, or with the error. A newer question of the same kind, or
    `forget`, cancels it."""

    async def answer() -> None:
        try:
            result = await asked(question, seconds)
        except Cancelled:
            return
        except MineproofError as failure:
            refused(failure)
        else:
            then(result)

    begin(asker, kind, answer())


def begin(asker: Widget, kind: str, work: Awaitable[None]) -> None:
    """Start a task of this kind, and cancel the previous one."""
    asker.run_worker(work, group=kind, exclusive=True)


def forget(asker: Widget, *kinds: str) -> None:
    """Cancel the questions of these kinds."""
    for kind in kinds:
        asker.workers.cancel_group(asker, kind)
