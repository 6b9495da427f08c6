"""A process that starts a program, and ends it and everything it started when the owner is gone.

It runs as a script, ``python keeper.py FD PROGRAM ARGUMENT…``, and imports nothing from this package. FD is a socket to
the owner. The keeper sends the process id of the program, or why it could not be started, and nothing after that. When
the other end is closed, for example because the owner was killed, everything ends.

On Linux, processes that the program leaves behind become children of the keeper; and if the keeper is killed, the
program ends too. On other systems only the program and its process group end.
"""

import ctypes
import os
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

if sys.platform == "win32":
    raise ImportError("a keeper is for systems that fork")

LINUX = sys.platform == "linux"
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36  # <linux/prctl.h>


def keep(owner: int, command: list[str]) -> None:
    """Start the program, wait until the owner is gone, and end all processes."""
    os.set_inheritable(owner, False)
    if LINUX:
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    failure, report = os.pipe()
    program = os.fork()
    if not program:
        begin(command, report)
    os.close(report)
    error_number = os.read(failure, 32)  # empty if the program runs
    nowhere = os.open(os.devnull, os.O_RDWR)
    for pipe in (0, 1, 2):  # they belong to the program
        os.dup2(nowhere, pipe)
    with suppress(OSError):  # the owner may be gone already
        os.write(owner, b"-" + error_number if error_number else b"%d" % program)
        os.read(owner, 1)
    end(program)


def begin(command: list[str], report: int) -> None:
    """Become the program, in a session of its own; write the number of the error to ``report`` if that fails."""
    keeper = os.getppid()
    try:
        os.setsid()
        if LINUX:
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
            if os.getppid() != keeper:
                os._exit(1)
        for ignored in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores them, and the program would too
            signal.signal(ignored, signal.SIG_DFL)
        os.execvp(command[0], command)
    except OSError as error:
        os.write(report, b"%d" % (error.errno or 0))
    finally:
        os._exit(1)


def end(program: int) -> None:
    """Kill the program and everything it left behind, until no process is left."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(program, signal.SIGKILL)  # its id cannot be reused yet: it is waited for below
    pause = 0.001
    while True:
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        killed = [kill(process) for process in descendants()]
        if killed and not any(killed):  # they belong to another user now
            return
        time.sleep(pause)
        pause = min(0.05, 1.5 * pause)


def kill(process: int) -> bool:
    """Kill a process. Return whether it could be killed, or has ended."""
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        pass
    except PermissionError:
        return False
    return True


def descendants() -> list[int]:
    """Return all descendants of this process; on systems other than Linux none."""
    children: dict[int, list[int]] = {}
    for entry in os.scandir("/proc") if LINUX else ():
        if entry.name.isdigit():
            with suppress(OSError):  # it may have ended
                status = Path(entry.path, "stat").read_bytes()
                children.setdefault(int(status.rpartition(b")")[2].split()[1]), []).append(int(entry.name))
    family = [os.getpid()]
    for process in family:
        family += children.get(process, [])
    return family[1:]


if __name__ == "__main__":
    keep(int(sys.argv[1]), sys.argv[2:])
