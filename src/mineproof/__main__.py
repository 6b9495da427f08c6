"""Entry point of the command line: ``mineproof`` and ``python -m mineproof``.

Ctrl-C is handled before anything is imported, because imports take a while.
"""

import os
import signal
import sys
from typing import NoReturn


def main() -> NoReturn:
    """Run a command and exit."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # and not ignored, as in the background
        signal.signal(signal.SIGINT, _interrupted)
    from mineproof.apps.cli import main as command_line

    command_line()


def _interrupted(*_: object) -> NoReturn:
    """Exit at once: during imports there is nothing to clean up, and some modules replace an exception by another."""
    if sys.stderr is not None:
        os.write(sys.stderr.fileno(), b"interrupted\n")
    os._exit(130)


if __name__ == "__main__":
    main()
