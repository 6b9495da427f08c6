"""3BV, openings, islands and greedy ZiNi by their definitions."""

from __future__ import annotations

from mineproof import Cell, Layout, Metrics


def groups(cells: set[Cell], layout: Layout) -> list[set[Cell]]:
    """Connected parts, with eight neighbours."""
    found = []
    left = set(cells)
    while left:
        group = {left.pop()}
        while True:
            more = {n for cell in group for n in layout.grid.neighbours(cell)} & left
            if not more:
                break
            group |= more
            left -= more
        found.append(group)
    return found


def measure(layout: Layout) -> Metrics:
    grid = layout.grid
    safe = {cell for cell in grid if not layout.has_mine(cell)}
    zeros = {cell for cell in safe if layout.number(cell) == 0}
    openings = groups(zeros, layout)
    reached = zeros | {n for cell in zeros for n in grid.neighbours(cell)}
    lone = safe - reached
    return Metrics(
        bbbv=len(openings) + len(lone),
        openings=len(openings),
        islands=len(groups(lone, layout)),
        zini=zini(layout, safe, openings, lone),
    )


def zini(layout: Layout, safe: set[Cell], openings: list[set[Cell]], lone: set[Cell]) -> int:
    """Take the chord with the highest premium while one has at least 0, then click the rest."""
    grid = layout.grid
    opened: set[Cell] = set()
    flagged: set[Cell] = set()
    clicks = 0

    def uncover(cell: Cell) -> None:
        opened.add(cell)
        for opening in openings:
            if cell in opening:
                opened.update(opening, *(grid.neighbours(zero) for zero in opening))

    def units(cells: set[Cell]) -> int:
        """How many units not yet cleared these cells belong to."""
        closed = cells - opened
        return len(closed & lone) + sum(bool(closed & opening) for opening in openings)

    def premium(cell: Cell) -> int:
        around = set(grid.neighbours(cell))
        mines = around - safe - flagged
        own = int(cell in lone and cell not in opened)
        return units(around) + own - len(mines) - (cell not in opened) - 1

    by_column = sorted((cell for cell in safe if layout.number(cell)), key=lambda cell: (cell.col, cell.row))
    while by_column:
        best = max(by_column, key=premium)  # the first of equals
        if premium(best) < 0:
            break
        around = set(grid.neighbours(best))
        clicks += 1 + len(around - safe - flagged) + (best not in opened)
        flagged |= around - safe
        for cell in (around & safe) | {best}:
            uncover(cell)
    return clicks + units(safe)
