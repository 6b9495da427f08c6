"""Boards for the lessons of the web app: ``python benchmarks/lessons.py`` puts them into its lessons.json again.

Some begin with a bare wall. All others are moments of real games on small boards, in
which every easier step is done: what helps now is a step of the lesson's level, and of its kind. Of a dozen, those with
the shortest explanations are taken.
"""

from __future__ import annotations

import json
import sys
from itertools import count, islice
from pathlib import Path
from typing import TYPE_CHECKING

import mineproof.apps.web
from mineproof import Game, Layout, Position, hint
from mineproof.generate.solution import solve

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from support.walls import keeps_promise

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mineproof.explain.hint import Hint

FILE = Path(mineproof.apps.web.__file__).parent / "static" / "lessons.json"
BOARDS = 4
LEVELS = ("6x5x5", "7x5x7", "6x6x7", "8x5x9", "7x6x10")
WALLS = {
    "1-1": "4x2x2\nHHHH\n1111",
    "1-2-1": "3x2x2\nHHH\n121",
    "1-2-2-1": "4x2x2\nHHHH\n1221",
}
MOMENTS = 12
"""How many are compared."""


def moments(level: int) -> Iterator[Hint]:
    """Moments of games in which the easiest certain step is of this level."""
    for seed in count():
        layout = Layout.draw(LEVELS[seed % len(LEVELS)], "opening", "D3", seed=seed)
        game = Game(layout)
        game.open(layout.starts[0])
        for link in solve(layout).links:
            if link.level >= level:
                if link.level == level:
                    yield hint(game.position)
                break
            for cell in map(layout.grid.cell, () if link.mine else link.cells):
                if game[cell] == "H":
                    game.open(cell)


def shows(found: Hint, name: str) -> bool:
    """Whether the step is what the lesson is about: by its name, or by the clues in a row."""
    if found.explanation is None:
        return False
    if name in ("1-1", "1-2"):
        return found.explanation.technique == name
    if name in ("1-2-1", "1-2-2-1"):
        return keeps_promise(found.position, name) and found.explanation.technique == "1-2"
    return name != "two-clues" or found.explanation.technique in ("subset", "overlap")


def boards(name: str, level: int) -> list[str]:
    """The boards of a lesson."""
    wall = [WALLS[name]] if name in WALLS else []
    fitting = (one for one in moments(level) if one.explanation and one.explanation.level == level and shows(one, name))
    found = {one.position: len(one.explanation.steps) for one in islice(fitting, MOMENTS) if one.explanation}
    ranked = sorted(found, key=lambda position: (found[position], len(position.grid)))
    return wall + [position.to_text().strip() for position in ranked[: BOARDS - len(wall)]]


def main() -> None:
    """The texts stay as they are."""
    lessons = json.loads(FILE.read_text())
    for lesson in lessons:
        lesson["boards"] = boards(lesson["name"], lesson["level"])
        print(lesson["name"], *(Position.from_text(board) for board in lesson["boards"]), sep="\n")
    FILE.write_text(json.dumps(lessons, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
