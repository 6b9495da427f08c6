"""How much the tests try that draw at random: enough to notice a mistake in every run, and more with
HYPOTHESIS_PROFILE=wild."""

from __future__ import annotations

import os

WILD = os.environ.get("HYPOTHESIS_PROFILE") == "wild"


def size(usual: int, wild: int) -> int:
    """How many to try."""
    return wild if WILD else usual
