"""Render to SVG: a position with the odds of its hidden cells."""

from pathlib import Path

from mineproof import Position, analyse

position = Position.from_text("5x4x4\n001HH\n112HH\n1F2HH\n112HH")
Path("position.svg").write_text(position.to_svg(analyse(position).probabilities))
print("wrote position.svg")
