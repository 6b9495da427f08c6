"""Settings of all tests."""

import os
import signal

import pytest
from hypothesis import settings

import mineproof

# The same examples in every run: a red check is always about the change at hand. Explore with HYPOTHESIS_PROFILE=wild.
settings.register_profile("steady", deadline=None, max_examples=200, derandomize=True)
settings.register_profile("wild", deadline=None, max_examples=5000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))


def pytest_configure() -> None:
    """Whoever starts the tests in the background may have told them to ignore Ctrl-C and hang-ups, and programs that
    tests start would ignore them too. With MINEPROOF_EXPECT_DEBUG, make sure that the checked build is what runs."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
    if os.environ.get("MINEPROOF_EXPECT_DEBUG") and "debug" not in mineproof.__file__:
        raise pytest.UsageError(f"the checked build is wanted, but {mineproof.__file__} would be tested")
