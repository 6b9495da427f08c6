"""Puzzles to print: an HTML sheet of boards with their start open, followed by their solutions."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from mineproof.board.formats import as_position
from mineproof.errors import InvalidBoard
from mineproof.generate.solution import solve, started_game
from mineproof.limit import DEFAULT, Limit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mineproof.board.layout import Layout

_HEAD = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Minesweeper puzzles</title>
<style>
body{font:16px/1.4 system-ui,"DejaVu Sans",sans-serif;margin:2em;color:#16191d;background:#fff}
main{display:flex;flex-wrap:wrap;gap:2em}
figure{margin:0;break-inside:avoid}
section{margin-top:2em;break-inside:avoid-page}
main+section{break-before:page}
svg{max-width:100%;height:auto;print-color-adjust:exact;-webkit-print-color-adjust:exact}
</style>
"""


def sheet(boards: Iterable[Layout], *, solutions: bool = False, limit: Limit = DEFAULT) -> Iterator[str]:
    """Yield the page, piece by piece; every board must name its start. ``limit`` applies to each solution.

    >>> from mineproof import Layout
    >>> page = "".join(sheet([Layout.parse("4x3x1=200@A1")], solutions=True))
    >>> page.count("<svg"), page.count("<section>"), "Start at A1" in page
    (2, 1, True)
    """
    to_solve = []
    yield f"{_HEAD}<main>\n"
    for number, layout in enumerate(boards, start=1):
        if layout.start is None:
            raise InvalidBoard("a puzzle needs a start, and this board names none")
        picture = started_game(layout, layout.start).position.to_svg()
        caption = f"<b>{number}.</b> Start at {layout.start}, which is open. Mines: {layout.mines}."
        yield f"<figure><figcaption>{caption}</figcaption>\n{picture}</figure>\n"
        to_solve += [layout] if solutions else []
    yield "</main>\n"
    for number, layout in enumerate(to_solve, start=1):
        solution = solve(layout, limit=limit)
        yield f"<section><h2>Solution {number}: level {solution.level}</h2>\n{as_position(layout).to_svg()}<ol>\n"
        for step in solution.steps(limit):
            yield f"<li>Level {step.level}. {escape(step.text)}</li>\n"
        yield "</ol></section>\n"
    yield "</html>\n"
