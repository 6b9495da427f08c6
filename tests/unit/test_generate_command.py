"""How far a long search is, on a terminal."""

from __future__ import annotations

import io
import sys
import time

import pytest
from click.testing import CliRunner

from mineproof.apps.cli.generate import Status, command


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def seconds(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    passed = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: passed[0])
    return passed


def test_a_long_search_shows_how_far_it_is(monkeypatch: pytest.MonkeyPatch, seconds: list[float]) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with Status(3) as status:
        status.show(1000)
        assert terminal.getvalue() == ""  # not yet
        seconds[0] = 1
        status.show(2000)
        status.show(3000)  # not so soon again
        assert terminal.getvalue() == "\r0 of 3 boards; 2,000 tried for the next\x1b[K"
        seconds[0] = 2
        status.one_more()
        assert "1 of 3 boards" in terminal.getvalue()
    assert terminal.getvalue().endswith("\r\x1b[K")


def test_nothing_is_shown_where_there_is_no_terminal(monkeypatch: pytest.MonkeyPatch, seconds: list[float]) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    with Status(3) as status:
        seconds[0] = 10
        status.show(1000)
        status.one_more()
    assert stream.getvalue() == ""


def test_the_line_goes_before_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that comes after the line was shown: the sentence stands alone."""
    shown = []
    monkeypatch.setattr(Status, "clear", lambda _: shown.append("cleared"))
    done = CliRunner().invoke(command, ["--no-guess", "--size", "3x3", "--mines", "7", "--seed", "1", "--tries", "5"])
    assert done.exit_code == 1
    assert "none of" in done.output
    assert shown
