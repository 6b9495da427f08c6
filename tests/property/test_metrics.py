"""Metrics against their definitions."""

from hypothesis import given

from mineproof import Layout, bbbv, measure
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
