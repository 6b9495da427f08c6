"""Ten explanations per level, from expert games: prints docs/explanations.md.

The boards are those of seed 1, in order; each gives at most one explanation per level, the first that its solution
needs, alternating between mines and safe cells. So nothing is chosen by hand.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from mineproof import Game, Layout, solve, why
from mineproof.board.render import to_unicode
from mineproof.explain.step import MINE_COUNT, ONE_CLUE

if TYPE_CHECKING:
    from collections.abc import Container

    from mineproof import Explanation, Position

EACH = 10
HEAD = """# Sixty explanations

Ten explanations per level, from expert games (30 columns, A to AD; 16 rows; 99 mines).
[Techniques](techniques.md) explains the levels.

Each board shows the part that the explanation is about: `■` is closed, `·` is open and has no mine
around it. The cell in question is `?`; mines found by earlier steps are `⚑`. Columns after Z have
two letters, written one below the other: `A` above `B` is column AB.
"""
TAIL = """## How this page was made

`python benchmarks/explanations.py` prints it. The boards of one seed are solved by the easiest
steps. Each board gives at most one explanation per level: the first, alternating between mines and
safe cells, or of the other kind if a board has only that. So nothing is chosen by hand.
"""
NAMES = "one clue", "two clues", "three or four clues", "longer chains", "several cases", "the mine count"


def candidates(layout: Layout, wanted: Container[int]) -> dict[int, dict[bool, Explanation]]:
    """The first explanation of a mine and of a safe cell that the solution of a board needs, by level."""
    found: dict[int, dict[bool, Explanation]] = {}
    game = Game(layout)
    game.open("D4")
    for link in solve(layout).links:
        cells = list(map(layout.grid.cell, link.cells))
        some = found.setdefault(link.level, {})
        if link.level in wanted and link.mine not in some:
            explanation = why(game.position, cells[0])
            if explanation.level == link.level:  # it starts from scratch, and may need harder steps to find mines
                some[link.mine] = explanation
        for cell in cells if not link.mine else ():
            if game[cell] == "H":
                game.open(cell)
    return found


def explanations() -> dict[int, list[Explanation]]:
    """Ten explanations per level."""
    found: dict[int, list[Explanation]] = {level: [] for level in range(ONE_CLUE, MINE_COUNT + 1)}
    for number in count():
        wanted = [level for level, some in found.items() if len(some) < EACH]
        if not wanted:
            break
        offered = candidates(Layout.draw("expert", "opening", "D4", seed=1, index=number), wanted)
        for level in wanted:
            some = offered.get(level, {})
            turn = len(found[level]) % 2 == 0
            if some:
                found[level].append(some.get(turn) or some[not turn])
    return found


def board(found: Explanation) -> Position:
    """The board as shown, with the cell in question and the mines found on the way marked."""
    position = found.position
    for cell in (cell for step in found.steps[:-1] if step.mine for cell in step.cells):
        position = position.with_symbol(cell, "F")
    return position.with_symbol(found.cell, "Q")


def part(position: Position, found: Explanation) -> str:
    """The part of the board that an explanation is about."""
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
    told = [HEAD]
    for (level, some), name in zip(explanations().items(), NAMES, strict=True):
        told.append(f"## Level {level}: {name}\n")
        for number, explanation in enumerate(some, start=1):
            told.append(f"Board {number}: why is {explanation.cell} {'a mine' if explanation.mine else 'safe'}?\n")
            told.append(f"```text\n{part(board(explanation), explanation)}\n```\n")
            told += [f"{i}. {step.text}" for i, step in enumerate(explanation.steps, start=1)]
            told.append("")
    return "\n".join([*told, TAIL])


if __name__ == "__main__":
    print(page(), end="")
