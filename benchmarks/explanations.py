"""Ten explanations of each level, from games at expert: prints docs/explanations.md.

The boards are those of seed 1, one after the other; each gives at most one explanation of a level, the first that its
solution needs. So nothing is chosen by hand.
"""

from __future__ import annotations

from itertools import count, takewhile
from typing import TYPE_CHECKING

from mineproof import Game, Layout, solve, why
from mineproof.board.render import to_unicode
from mineproof.explain.step import MINE_COUNT, ONE_CLUE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mineproof import Explanation, Position

EACH = 10
HEAD = """# Sixty explanations

Ten of each level, from games at expert. `python benchmarks/explanations.py` prints this page: it solves the boards of
one seed by the easiest steps, and takes the first explanation of each level that a board needs, until there are ten.
So nothing is chosen by hand. What the levels mean is in [techniques.md](techniques.md).

A board shows the part that the explanation speaks of: `■` closed, `·` opened without a number.
"""
NAMES = "one clue", "two clues", "three or four clues", "longer chains", "several cases", "the mine count"


def explanations(wanted: dict[int, int]) -> Iterator[tuple[int, Explanation]]:
    """Explanations of each level, so many as are wanted, each with the number of its board."""
    for number in takewhile(lambda _: any(wanted.values()), count()):
        layout = Layout.draw("expert", "opening", "D4", seed=1, index=number)
        game = Game(layout)
        game.open("D4")
        told: set[int] = set()
        for link in solve(layout).links:
            cell = layout.grid.cell(link.cells[0])
            if wanted.get(link.level) and link.level not in told and game[cell] == "H":
                told.add(link.level)
                wanted[link.level] -= 1
                yield number, why(game.position, cell)
            if not link.mine:
                for index in link.cells:
                    if game[layout.grid.cell(index)] == "H":
                        game.open(layout.grid.cell(index))


def part(position: Position, found: Explanation) -> str:
    """The part of the board that an explanation speaks of."""
    named = {found.cell, *(cell for step in found.steps for cell in (*step.clues, *step.cells, *step.used))}
    rows, cols = [cell.row for cell in named], [cell.col for cell in named]
    top, bottom = max(0, min(rows) - 1), min(position.grid.rows - 1, max(rows) + 1)
    left, right = max(0, min(cols) - 1), min(position.grid.cols - 1, max(cols) + 1)
    lines = to_unicode(position).splitlines()
    head, board = lines[: -position.grid.rows], lines[-position.grid.rows :]
    return "\n".join(
        (line[:2] + line[2 + 2 * left : 4 + 2 * right]).rstrip() for line in [*head, *board[top : bottom + 1]]
    ).lstrip("\n")


def page() -> str:
    """The whole page."""
    levels = range(ONE_CLUE, MINE_COUNT + 1)
    found: dict[int, list[tuple[int, Explanation]]] = {level: [] for level in levels}
    for number, explanation in explanations(dict.fromkeys(levels, EACH)):
        assert explanation.level is not None
        found[explanation.level].append((number, explanation))
    told = [HEAD]
    for (level, some), name in zip(found.items(), NAMES, strict=True):
        told.append(f"## Level {level}: {name}\n")
        for number, explanation in some:
            told.append(f"Board {number}: why is {explanation.cell} {'a mine' if explanation.mine else 'safe'}?\n")
            told.append(f"```text\n{part(explanation.position, explanation)}\n```\n")
            told += [f"{i}. {step.text}" for i, step in enumerate(explanation.steps, start=1)]
            told.append("")
    return "\n".join(told)


if __name__ == "__main__":
    print(page(), end="")
