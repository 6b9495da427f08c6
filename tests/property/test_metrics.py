"""Metrics against their definitions."""

from __future__ import annotations

import signal
from itertools import repeat

import pytest
from hypothesis import given

from mineproof import Layout, bbbv, measure
from mineproof._native import metrics
from support import plain_metrics, strategies


@given(strategies.layouts())
def test_metrics_by_definition(layout: Layout) -> None:
    found = measure(layout)
    assert found == plain_metrics.measure(layout)
    assert bbbv(layout) == found.bbbv
    assert found.zini <= found.bbbv


def test_metrics_of_expert_boards() -> None:
    for index in range(25):
        layout = Layout.draw("expert", "opening", "D4", seed=11, index=index)
        assert measure(layout) == plain_metrics.measure(layout)


def test_metrics_of_extreme_boards() -> None:
    assert measure(Layout.parse("3x2x6=fc")).bbbv == 0
    empty = measure(Layout.parse("3x2x0=00"))
    assert (empty.bbbv, empty.openings, empty.islands, empty.zini) == (1, 1, 0, 1)


def test_a_signal_is_heard_in_the_middle_of_a_large_board() -> None:
    """Between these calls Python itself hears no signal; so it is one of them that does."""

    def stop(*_: object) -> None:
        raise TimeoutError

    layout = Layout.draw("1000x1000x180000", "any", seed=1)
    found: list[object] = []
    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    try:
        with pytest.raises(TimeoutError):
            found.extend(map(metrics.measure, repeat(layout.mask, 30), repeat(1000), repeat(1000)))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert len(found) < 30
