"""The command line begins here: ``mineproof`` and ``python -m mineproof``.

Nothing is imported before Ctrl-C is looked after, for imports take a while.
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
    """While things are imported there is nothing to tidy up; some modules make another error of an exception."""
    if sys.stderr is not None:
        os.write(sys.stderr.fileno(), b"interrupted\n")
    os._exit(130)


if __name__ == "__main__":
    main()
