"""Settings of all tests."""

import os

import pytest
from hypothesis import settings

import mineproof

# The same examples in every run: a red check is always about the change at hand. Explore with HYPOTHESIS_PROFILE=wild.
settings.register_profile("steady", deadline=None, max_examples=200, derandomize=True)
settings.register_profile("wild", deadline=None, max_examples=5000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))


def pytest_configure() -> None:
    """With MINEPROOF_EXPECT_DEBUG, make sure that the checked build is what runs."""
    if os.environ.get("MINEPROOF_EXPECT_DEBUG") and "debug" not in mineproof.__file__:
        raise pytest.UsageError(f"the checked build is wanted, but {mineproof.__file__} would be tested")
