"""A program that runs beside us: what goes in and comes out, and its end. Who plays through it does not matter here.

`start` is the way of this system. On POSIX that is `KeptProgram`: a keeper ends the program, also when we are killed.
On Windows it is `TreeProgram`: nobody stands between, and psutil finds and ends what the program has started.
"""

from __future__ import annotations

import os
import selectors
import socket
import subprocess
import sys
import threading
import time
from abc import ABC, abstractmethod
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol

from mineproof.errors import AgentFault, NeverAnswers, shorten

if TYPE_CHECKING:
    from collections.abc import Callable
    from io import FileIO

STOP_SECONDS = 10.0
"""For a keeper to end its program, or for a thread to see that a pipe is closed."""
LAST_SECONDS = 2  # for the last words of a program that has ended
LOOK_SECONDS = 0.1
"""Windows hears Ctrl-C only between two waits of a thread: they are no longer than this."""
LAST_WORDS = 2000
"""Bytes that are kept of what a program writes to standard error."""
PIECE = 2**16
"""Bytes that are read at a time."""


class Pipe(Protocol):
    """An end of a pipe that never blocks: None says that it would. Nothing that was read is the end."""

    def read(self, most: int, /) -> bytes | None: ...
    def write(self, data: bytes, /) -> int | None: ...
    def close(self) -> None: ...


class Program(ABC):
    """A running program. Nobody waits for it longer than they want to, and it can write as much as it likes: what is
    kept is little."""

    questions: Pipe
    answers: Pipe
    complaints: Pipe
    last_words = b""
    """What it has complained of since its last answer, as far as it is kept."""
    _complains = True  # until it closes standard error

    @abstractmethod
    def watch(self, pipe: Pipe) -> None:
        """From now on it matters whether this pipe is ready."""

    @abstractmethod
    def unwatch(self, pipe: Pipe) -> None:
        """No longer."""

    @abstractmethod
    def ready(self, seconds: float) -> set[object]:
        """Those of the watched pipes that are ready, after at most so long."""

    @abstractmethod
    def stop(self) -> None:
        """End it, and whatever it has started, at once."""

    def has_more(self) -> bool:
        """Whether it has said something that nobody asked for, or has ended."""
        return self.answers in self.ready(0)

    def ask(self, line: str, seconds: float, longest: int) -> str:
        """One line for another."""
        deadline = time.monotonic() + seconds
        asked, answered = (line + "\n").encode(), bytearray()
        self.watch(self.questions)
        while b"\n" not in answered:
            left = deadline - time.monotonic()
            ready = self.ready(left)
            if not ready or (left <= 0 and self.answers not in ready):
                raise AgentFault("it did not answer in time")
            if self.complaints in ready:
                self._hear()
            if self.questions in ready:
                try:
                    asked = asked[self.questions.write(asked) or 0 :]
                except OSError:
                    raise AgentFault(f"it exited{self._complaint()}") from None
                if not asked:
                    self.unwatch(self.questions)
            if self.answers in ready:
                more = self.answers.read(PIECE)
                answered += more or b""
                if more == b"":
                    raise AgentFault(f"it exited{self._complaint()}")
                if len(answered) > longest:
                    raise AgentFault("its answer is too long")
        answer, _, rest = bytes(answered).partition(b"\n")
        if rest or asked:
            raise AgentFault("it wrote more than one line")
        self._hear()
        self.last_words = b""
        try:
            return answer.decode()
        except UnicodeDecodeError:
            raise AgentFault("its answer is not UTF-8") from None

    def _hear(self) -> bool:
        """Some of what it complains of; whether there was any."""
        more = self.complaints.read(PIECE)
        if more == b"" and self._complains:
            self._complains = False
            self.unwatch(self.complaints)
        self.last_words = (self.last_words + (more or b""))[-LAST_WORDS:]
        return bool(more)

    def _complaint(self) -> str:
        """Its last line on standard error."""
        for _ in range(64):  # somebody may still be writing
            if not self._hear():
                break
        said = [line.strip() for line in self.last_words.decode(errors="replace").split("\n") if line.strip()]
        return f", saying: {shorten(said[-1], 200)}" if said else ""


def _begin(command: list[str], **others: Any) -> tuple[subprocess.Popen[bytes], FileIO, FileIO, FileIO]:
    """A process, apart from our terminal, for Ctrl-C is for us; and its three pipes."""
    if sys.platform == "win32":
        others["creationflags"] = subprocess.CREATE_NEW_PROCESS_GROUP
    else:
        others["start_new_session"] = True
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, bufsize=0, stdin=pipe, stdout=pipe, stderr=pipe, **others)
    return process, process.stdin, process.stdout, process.stderr  # type: ignore[return-value]


# -- threads and psutil ------------------------------------------------------------------------------------------------


class TreeProgram(Program):
    """A program that is started as it is, and ended with the tree of processes below it.

    What has lost its parent is no longer in the tree, and when we are killed the program has to see that its input has
    ended. Windows cannot wait for one of several pipes, so that each has a thread.
    """

    def __init__(self, command: list[str]) -> None:
        try:
            self.process, *pipes = _begin(command)
        except OSError as failure:  # on Windows it does not say which
            raise OSError(failure.errno, failure.strerror, command[0]) from None
        changed = threading.Condition()
        self._changed = changed
        self._pipes = [_Outlet(pipes[0], changed), _Inlet(pipes[1], changed), _Inlet(pipes[2], changed)]
        self.questions, self.answers, self.complaints = self._pipes
        self._watched = self._pipes[1:]

    def watch(self, pipe: Pipe) -> None:
        self._watched += [one for one in self._pipes if one is pipe]

    def unwatch(self, pipe: Pipe) -> None:
        self._watched = [one for one in self._watched if one is not pipe]

    def ready(self, seconds: float) -> set[object]:
        deadline = time.monotonic() + seconds
        with self._changed:
            while not any(pipe.ready for pipe in self._watched) and (left := deadline - time.monotonic()) > 0:
                self._changed.wait(min(left, LOOK_SECONDS))
            return {pipe for pipe in self._watched if pipe.ready}

    def _complaint(self) -> str:
        """The thread that reads standard error may be behind: wait for its end, unless somebody else holds it open."""
        self._watched = [self._pipes[2]]
        for _ in range(64):
            if not (self._complains and self.ready(LAST_SECONDS)):
                break
            self._hear()
        return super()._complaint()

    def stop(self) -> None:
        if self.process.returncode is None:  # nobody else has its number: it was not waited for
            end_tree(self.process.pid)
            self.process.wait()
        for pipe in self._pipes:
            pipe.close()

    def __del__(self) -> None:
        if hasattr(self, "_watched"):
            self.stop()


def end_tree(root: int) -> None:
    """Kill a process and all below it. Each is suspended before its children are asked for, so that none is missed."""
    import psutil  # comes with the package on Windows only: no other system needs it

    family: list[Any] = []
    with suppress(psutil.Error):
        family.append(psutil.Process(root))
    for one in family:
        with suppress(psutil.Error):  # it has ended, or belongs to somebody else
            one.suspend()
            family += one.children()
    for one in family:
        with suppress(psutil.Error):
            one.kill()
    psutil.wait_procs(family[1:], STOP_SECONDS)


class _Threaded:
    """A pipe with a thread that uses and closes it: nobody else may, as long as it waits there."""

    ready = False

    def __init__(self, pipe: FileIO, changed: threading.Condition) -> None:
        self._changed = changed
        self._data = b""
        self._closed = False
        follow: Callable[[FileIO], None] = self._follow
        self._thread = threading.Thread(target=follow, args=(pipe,), daemon=True)
        self._thread.start()

    def _follow(self, pipe: FileIO) -> None:
        raise NotImplementedError

    def read(self, most: int, /) -> bytes | None:
        raise NotImplementedError

    def write(self, data: bytes, /) -> int | None:
        raise NotImplementedError

    def close(self) -> None:
        """The thread ends, unless somebody who is out of our reach holds the other end."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._thread.join(LOOK_SECONDS)


class _Inlet(_Threaded):
    """It is read one piece ahead, and no more before somebody takes that."""

    def _follow(self, pipe: FileIO) -> None:
        with pipe:
            while True:
                try:
                    more = pipe.read(PIECE) or b""
                except OSError:
                    more = b""
                with self._changed:
                    self._changed.wait_for(lambda: self._closed or not self._data)
                    self._data, self.ready = more, True
                    self._changed.notify_all()
                    if self._closed or not more:
                        return

    def read(self, most: int, /) -> bytes | None:
        with self._changed:
            if not self.ready:
                return None
            taken, self._data = self._data[:most], self._data[most:]
            self.ready = bool(self._data) or not taken  # its end stays
            self._changed.notify_all()
            return taken


class _Outlet(_Threaded):
    """One piece at a time is on its way."""

    ready = True
    _broken = False

    def _follow(self, pipe: FileIO) -> None:
        with pipe:
            while True:
                with self._changed:
                    self._changed.wait_for(lambda: self._closed or self._data)
                    if self._closed:
                        return
                    data = self._data
                try:
                    while data:
                        data = data[pipe.write(data) or 0 :]
                except OSError:
                    self._broken = True
                with self._changed:
                    self._data, self.ready = b"", True
                    self._changed.notify_all()

    def write(self, data: bytes, /) -> int | None:
        with self._changed:
            if self._broken:
                raise BrokenPipeError
            if not self.ready:
                return None
            self._data, self.ready = data[:PIECE], False
            self._changed.notify_all()
            return len(self._data)


# -- a selector and a keeper -------------------------------------------------------------------------------------------

if sys.platform != "win32":
    from mineproof.agents import keeper

    class KeptProgram(Program):
        """A program, and the keeper that ends it with all that it has started, also when we are killed."""

        def __init__(self, command: list[str]) -> None:
            self.keeper, theirs = socket.socketpair()
            with theirs:
                keep = [sys.executable, "-I", "-S", keeper.__file__, str(theirs.fileno()), *command]
                try:
                    self.process, *self._pipes = _begin(keep, pass_fds=[theirs.fileno()])
                except BaseException:
                    self.keeper.close()
                    raise
            self.questions, self.answers, self.complaints = self._pipes
            self.selector = selectors.DefaultSelector()
            try:
                self._hear_of_it(command[0])
            except BaseException:
                self.stop()
                raise

        def _hear_of_it(self, name: str) -> None:
            for pipe in self._pipes:
                os.set_blocking(pipe.fileno(), False)
            for pipe in self._pipes[1:]:
                self.selector.register(pipe, selectors.EVENT_READ)
            said = self.keeper.recv(32).decode()
            if not said:
                raise NeverAnswers(f"{name} could not be started{self._complaint()}")
            if said.startswith("-"):
                raise OSError(-int(said), os.strerror(-int(said)), name)

        def __del__(self) -> None:
            if hasattr(self, "selector"):
                self.stop()

        def watch(self, pipe: Pipe) -> None:
            writes = pipe is self.questions
            self.selector.register(pipe, selectors.EVENT_WRITE if writes else selectors.EVENT_READ)  # type: ignore[arg-type]

        def unwatch(self, pipe: Pipe) -> None:
            self.selector.unregister(pipe)  # type: ignore[arg-type]

        def ready(self, seconds: float) -> set[object]:
            return {key.fileobj for key, _ in self.selector.select(max(0.0, seconds))}

        def stop(self) -> None:
            self.keeper.close()
            try:
                self.process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:  # somebody holds up the keeper
                self.process.kill()
                self.process.wait()
            self.selector.close()
            for pipe in self._pipes:
                pipe.close()

    start: type[KeptProgram | TreeProgram] = KeptProgram
else:
    start = TreeProgram
