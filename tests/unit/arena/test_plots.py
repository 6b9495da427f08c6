"""Figures: whatever a title says, all of it can be read."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest

from mineproof.arena import plots

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.figure import Figure


def boxes(made: Figure) -> list[tuple[float, float]]:
    """From where to where each title goes, as shares of the width."""
    made.draw_without_rendering()
    found = [axes.set_title(axes.get_title("left"), loc="left").get_window_extent() for axes in made.axes]
    return [(box.x0 / made.bbox.width, box.x1 / made.bbox.width) for box in found]


@pytest.mark.parametrize(
    "title", ["Won, %", "Guesses: risk and outcome, where there are 20 or more", "long title " * 15]
)
@pytest.mark.parametrize("panels", [1, 2, 3])
def test_no_title_is_cut_off(tmp_path: Path, title: str, panels: int) -> None:
    with plots.figure(panels) as (made, axes):
        for one in axes:
            one.set_title(title.strip())
            one.set_yticks([0, 1], ["an agent with a long name", "another"])
        plots.save(made, tmp_path / "figure")
        ends = boxes(made)
        assert [" ".join(one.get_title("left").split()) for one in axes] == [title.strip()] * panels
    assert all(0 <= left < right <= 1 for left, right in ends)
    assert all(right <= following for (_, right), (following, _) in itertools.pairwise(ends))
