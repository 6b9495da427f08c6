"""Every test has a data folder of its own, and a clock that stands still unless it is told to go on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mineproof.apps.tui import session

if TYPE_CHECKING:
    from pathlib import Path


class StillClock:
    """A clock that a test moves."""

    time = 1000.0

    def __call__(self) -> float:
        return self.time


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the app keeps its files."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data" / "mineproof"


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> StillClock:
    """The clock of the player."""
    found = StillClock()
    monkeypatch.setattr(session, "now", found)
    return found
