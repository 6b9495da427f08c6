"""A program that runs beside this process: it is started, asked a line at a time, and ended. Nothing here knows agents.

`start` is the class for this system. On POSIX that is `KeptProgram`: a keeper ends the program even if this process is
killed. On Windows it is `TreeProgram`: no keeper; psutil finds and ends what the program has started.
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
"""Seconds for a keeper, or for killed processes, to end."""
LAST_SECONDS = 2
"""Seconds to wait for the standard error of a program that has ended."""
WAIT_SECONDS = 0.1
"""The longest wait of a thread, in seconds: Windows handles Ctrl-C only between two waits."""
LAST_WORDS = 2000
"""Bytes of a program's standard error that are kept."""
PIECE = 2**16
"""The most bytes read or written at a time."""


class Pipe(Protocol):
    """An end of a pipe that never blocks: it returns None instead. Reading no bytes means that the pipe was closed."""

    def read(self, most: int, /) -> bytes | None: ...
    def write(self, data: bytes, /) -> int | None: ...
    def close(self) -> None: ...


class Program(ABC):
    """A running program. Every wait for it is limited, and so is what is kept of its output."""

    questions: Pipe
    """Its standard input."""
    answers: Pipe
    """Its standard output."""
    complaints: Pipe
    """Its standard error."""
    last_words = b""
    """The end of what it has written to standard error since its last answer."""
    _complains = True  # until it closes standard error

    @abstractmethod
    def watch(self, pipe: Pipe) -> None:
        """Include this pipe in `ready`."""

    @abstractmethod
    def unwatch(self, pipe: Pipe) -> None:
        """Leave this pipe out of `ready`."""

    @abstractmethod
    def ready(self, seconds: float) -> set[object]:
        """Return the watched pipes that are ready, after waiting at most this long."""

    @abstractmethod
    def stop(self) -> None:
        """End the program, and whatever it has started, at once."""

    def has_more(self) -> bool:
        """Whether the program has written something unasked, or has ended."""
        return self.answers in self.ready(0)

    def ask(self, line: str, seconds: float, longest: int) -> str:
        """Write a line to the program, and return the line that it answers."""
        deadline = time.monotonic() + seconds
        unsent, received = (line + "\n").encode(), bytearray()
        self.watch(self.questions)
        while b"\n" not in received:
            left = deadline - time.monotonic()
            ready = self.ready(left)
            if not ready or (left <= 0 and self.answers not in ready):
                raise AgentFault("it did not answer in time")
            if self.complaints in ready:
                self._read_complaints()
            if self.questions in ready:
                try:
                    unsent = unsent[self.questions.write(unsent) or 0 :]
                except OSError:
                    raise AgentFault(f"it exited{self._complaint()}") from None
                if not unsent:
                    self.unwatch(self.questions)
            if self.answers in ready:
                more = self.answers.read(PIECE)
                received += more or b""
                if more == b"":
                    raise AgentFault(f"it exited{self._complaint()}")
                if len(received) > longest:
                    raise AgentFault("its answer is too long")
        answer, _, surplus = bytes(received).partition(b"\n")
        if surplus or unsent:
            raise AgentFault("it wrote more than one line")
        self._read_complaints()
        self.last_words = b""
        try:
            return answer.decode()
        except UnicodeDecodeError:
            raise AgentFault("its answer is not UTF-8") from None

    def _read_complaints(self) -> bool:
        """Read a piece of standard error. Return whether there was any."""
        more = self.complaints.read(PIECE)
        if more == b"" and self._complains:
            self._complains = False
            self.unwatch(self.complaints)
        self.last_words = (self.last_words + (more or b""))[-LAST_WORDS:]
        return bool(more)

    def _complaint(self) -> str:
        """Return the program's last line on standard error, as the end of a sentence."""
        for _ in range(64):  # limited, because a process that it started may write for ever
            if not self._read_complaints():
                break
        lines = [line.strip() for line in self.last_words.decode(errors="replace").split("\n") if line.strip()]
        return f", saying: {shorten(lines[-1], 200)}" if lines else ""


def _start_process(command: list[str], **options: Any) -> tuple[subprocess.Popen[bytes], FileIO, FileIO, FileIO]:
    """Start a process away from the terminal, so that Ctrl-C does not reach it. Return it with its three pipes."""
    if sys.platform == "win32":
        options["creationflags"] = subprocess.CREATE_NEW_PROCESS_GROUP
    else:
        options["start_new_session"] = True
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, bufsize=0, stdin=pipe, stdout=pipe, stderr=pipe, **options)
    return process, process.stdin, process.stdout, process.stderr  # type: ignore[return-value]


# -- threads and psutil ------------------------------------------------------------------------------------------------


class TreeProgram(Program):
    """A program that is started without a keeper, and ended with the tree of processes below it.

    A process whose parent has ended is no longer in that tree, and is missed. If this process is killed, the program
    must notice that its input has ended. Windows cannot wait for several pipes at once, so each pipe has a thread.
    """

    def __init__(self, command: list[str]) -> None:
        try:
            self.process, *pipes = _start_process(command)
        except OSError as failure:  # on Windows the error does not name the program
            raise OSError(failure.errno, failure.strerror, command[0]) from None
        changed = threading.Condition()
        self._changed = changed
        self._pipes = [_Writer(pipes[0], changed), _Reader(pipes[1], changed), _Reader(pipes[2], changed)]
        self.questions, self.answers, self.complaints = self._pipes
        self._watched = self._pipes[1:]

    def watch(self, pipe: Pipe) -> None:
        self._watched += [own for own in self._pipes if own is pipe]

    def unwatch(self, pipe: Pipe) -> None:
        self._watched = [watched for watched in self._watched if watched is not pipe]

    def ready(self, seconds: float) -> set[object]:
        deadline = time.monotonic() + seconds
        with self._changed:
            while not any(pipe.ready for pipe in self._watched) and (left := deadline - time.monotonic()) > 0:
                self._changed.wait(min(left, WAIT_SECONDS))
            return {pipe for pipe in self._watched if pipe.ready}

    def _complaint(self) -> str:
        """Wait for the end of standard error first: its thread may be behind, or another process may hold it open."""
        self._watched = [self._pipes[2]]
        for _ in range(64):
            if not (self._complains and self.ready(LAST_SECONDS)):
                break
            self._read_complaints()
        return super()._complaint()

    def stop(self) -> None:
        if self.process.returncode is None:  # it was not waited for, so no other process has its id
            end_tree(self.process.pid)
            self.process.wait()
        for pipe in self._pipes:
            pipe.close()

    def __del__(self) -> None:
        if hasattr(self, "_watched"):
            self.stop()


def end_tree(root: int) -> None:
    """Kill a process and all below it. Each is suspended before its children are listed, so that none is missed."""
    import psutil  # a dependency on Windows only: no other system needs it

    family: list[Any] = []
    with suppress(psutil.Error):
        family.append(psutil.Process(root))
    for process in family:
        with suppress(psutil.Error):  # it has ended, or belongs to another user
            process.suspend()
            family += process.children()
    for process in family:
        with suppress(psutil.Error):
            process.kill()
    psutil.wait_procs(family[1:], STOP_SECONDS)


class _Threaded:
    """A pipe with a thread of its own, and only this thread reads, writes or closes it: each of these may block."""

    ready = False

    def __init__(self, pipe: FileIO, changed: threading.Condition) -> None:
        self._changed = changed
        self._data = b""
        self._closed = False
        transfer: Callable[[FileIO], None] = self._transfer
        self._thread = threading.Thread(target=transfer, args=(pipe,), daemon=True)
        self._thread.start()

    def _transfer(self, pipe: FileIO) -> None:
        """Move data between the pipe and this object until one of them is closed: the work of the thread."""
        raise NotImplementedError

    def read(self, most: int, /) -> bytes | None:
        raise NotImplementedError

    def write(self, data: bytes, /) -> int | None:
        raise NotImplementedError

    def close(self) -> None:
        """Let the thread end. It cannot while another process holds the other end open."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._thread.join(WAIT_SECONDS)


class _Reader(_Threaded):
    """A pipe to read. Its thread reads one piece ahead, and the next only when that was taken."""

    def _transfer(self, pipe: FileIO) -> None:
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
            piece, self._data = self._data[:most], self._data[most:]
            self.ready = bool(self._data) or not piece  # the end of the pipe can be read again
            self._changed.notify_all()
            return piece


class _Writer(_Threaded):
    """A pipe to write. It takes the next piece when its thread has written the one before."""

    ready = True
    _broken = False

    def _transfer(self, pipe: FileIO) -> None:
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
        """A program, and the keeper that ends it with all that it has started, even if this process is killed."""

        def __init__(self, command: list[str]) -> None:
            self.keeper, theirs = socket.socketpair()
            with theirs:
                keep = [sys.executable, "-I", "-S", keeper.__file__, str(theirs.fileno()), *command]
                try:
                    self.process, *self._pipes = _start_process(keep, pass_fds=[theirs.fileno()])
                except BaseException:
                    self.keeper.close()
                    raise
            self.questions, self.answers, self.complaints = self._pipes
            self.selector = selectors.DefaultSelector()
            try:
                self._await_start(command[0])
            except BaseException:
                self.stop()
                raise

        def _await_start(self, name: str) -> None:
            """Wait until the keeper says that the program runs. Raises `OSError` if it could not be started."""
            for pipe in self._pipes:
                os.set_blocking(pipe.fileno(), False)
            for pipe in self._pipes[1:]:
                self.selector.register(pipe, selectors.EVENT_READ)
            number = self.keeper.recv(32).decode()  # the process id, or the negative number of an error
            if not number:
                raise NeverAnswers(f"{name} could not be started{self._complaint()}")
            if number.startswith("-"):
                raise OSError(-int(number), os.strerror(-int(number)), name)

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
            except subprocess.TimeoutExpired:  # the keeper cannot end the program
                self.process.kill()
                self.process.wait()
            self.selector.close()
            for pipe in self._pipes:
                pipe.close()

    start: type[KeptProgram | TreeProgram] = KeptProgram
else:
    start = TreeProgram
