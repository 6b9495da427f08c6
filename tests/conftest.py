"""Settings of all tests."""

import atexit
import os
import secrets
import shutil
import signal
import tempfile

import pytest
from hypothesis import settings

import mineproof

# The same examples in every run: a red check is always about the change at hand. Explore with HYPOTHESIS_PROFILE=wild.
settings.register_profile("steady", deadline=None, max_examples=100, derandomize=True)
settings.register_profile("brief", deadline=None, max_examples=40, derandomize=True)  # where each takes longer
settings.register_profile("wild", deadline=None, max_examples=5000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))


# Only the web API is asked something new in every run. All processes of a run have the same seed.
os.environ.setdefault("MINEPROOF_FUZZ_SEED", str(secrets.randbelow(2**32)))

os.environ["XDG_DATA_HOME"] = tempfile.mkdtemp(prefix="mineproof-data-")  # games that tests leave are not the user's
atexit.register(shutil.rmtree, os.environ["XDG_DATA_HOME"], ignore_errors=True)


def pytest_configure() -> None:
    """Whoever starts the tests in the background may have told them to ignore Ctrl-C and hang-ups, and programs that
    tests start would ignore them too. With MINEPROOF_EXPECT_DEBUG, make sure that the checked build is what runs."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
    if os.environ.get("MINEPROOF_EXPECT_DEBUG") and "debug" not in mineproof.__file__:
        raise pytest.UsageError(f"the checked build is wanted, but {mineproof.__file__} would be tested")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how to repeat what was random."""
    terminalreporter.write_line(f"MINEPROOF_FUZZ_SEED={os.environ['MINEPROOF_FUZZ_SEED']}")
