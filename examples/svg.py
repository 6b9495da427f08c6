"""Render to SVG: a position with the odds of its hidden cells."""

from pathlib import Path

from mineproof import Position

position = Position.from_text("5x4x4\n001HH\n112HH\n1F2HH\n112HH")
odds = [[0.0, 0.0, 0.0, 1.0, 0.5], [0, 0, 0, 0.0, 0.5], [0, 1, 0, 1.0, 0.5], [0, 0, 0, 0.0, 0.5]]
Path("position.svg").write_text(position.to_svg(odds))
print("wrote position.svg")
