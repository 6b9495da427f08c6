"""The board with odds as characters: no risk looks like a clue, with and without colours, and it fits."""

from __future__ import annotations

import re

from mineproof import Cell, Grid, Position, analyse
from mineproof.board.render import odds_table

LINE = Position.from_text("6x1x2\n4HHHHH")
ODDS = [[None, 0.04, 0.041, 0.5, 0.999, 0.0]]


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def test_a_clue_and_a_risk_look_different() -> None:
    wide = odds_table(LINE, ODDS, {Cell(0, 5)}, ())
    assert wide.splitlines()[1] == " 1   4  4%  4% 50% 99%  ok"
    narrow = odds_table(LINE, ODDS, {Cell(0, 5)}, (), width=20)
    assert narrow.splitlines()[1] == " 1 4 a a b c +"
    assert narrow.splitlines()[2:] == ["+ safe", "risk of a mine: a 4%", "b 50%  c 99%"]


def test_colours_change_nothing_else() -> None:
    for width in (20, 80):
        assert plain(odds_table(LINE, ODDS, (), (), colour=True, width=width)) == odds_table(
            LINE, ODDS, (), (), width=width
        )


def test_expert_fits_80_columns_and_24_lines() -> None:
    position = Position.blank(Grid(16, 30), 99).with_symbol(Cell(0, 0), "1").with_symbol(Cell(8, 8), "3")
    found = analyse(position)
    lines = odds_table(position, found.probabilities, found.safe, found.mined).splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 22  # two more lines are below it


def test_more_risks_than_letters() -> None:
    """Neighbours share a letter then; letters go up with the risk, and the legend tells all of them."""
    odds = [[percent / 100 for percent in range(1, 100)]]
    board = odds_table(Position.blank(Grid(1, 99), 5), odds, (), ())
    row = next(line for line in board.splitlines() if line.startswith(" 1 ")).split()[1:]
    assert row == sorted(row)
    assert set(row) == set("abcdefghijklmnopqrstuvwxyz")
    legend = dict(re.findall(r"\b([a-z]) (\d+(?:-\d+)?%)", board.replace("\n", "  ")))
    assert len(legend) == 26
    for percent, letter in enumerate(row, start=1):
        low, _, high = legend[letter].rstrip("%").partition("-")
        assert int(low) <= percent <= int(high or low)


def test_cells_without_odds_are_named() -> None:
    board = odds_table(Position.from_text("3x1x1\nHF0"), [[None, None, None]], (), ())
    assert "# closed, no odds" in board
    assert "F flagged, no odds" in board
