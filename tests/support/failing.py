"""Functions that fail in another process, which must be able to import them."""

from __future__ import annotations

from mineproof import OutOfTime


def run_out(_: int) -> None:
    """Run out of time."""
    raise OutOfTime("the limit was reached")
