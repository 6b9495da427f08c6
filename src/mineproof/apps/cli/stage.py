"""A changing board on a terminal: the title and the board stay in place, with the text below."""

from __future__ import annotations

import textwrap
from shutil import get_terminal_size
from typing import TYPE_CHECKING

import click

from mineproof.errors import visible

if TYPE_CHECKING:
    from collections.abc import Iterable

HOME, REST_OF_LINE, REST_OF_SCREEN = "\x1b[H", "\x1b[K", "\x1b[J"


def frame(title: str, board: str, said: Iterable[str], foot: str, *, columns: int, rows: int) -> list[str]:
    """The lines of one frame. If the board fits, so does the frame: the text below it is shortened.

    >>> frame("a title", "A\\nB", ["one two three four five", "six"], "q quits", columns=12, rows=7)
    ['a title', 'A', 'B', 'one two', 'three four …', 'q quits']
    """
    drawn = board.splitlines()
    room = max(1, rows - 1 - len(drawn) - 2)  # the cursor is below the last line
    told = [line for one in said for line in textwrap.wrap(visible(one), columns)]
    if len(told) > room:
        told = [*told[: room - 1], _cut(told[room - 1] + " …", columns)]
    return [_cut(visible(title), columns), *drawn, *told, _cut(foot, columns)]


def _cut(line: str, columns: int) -> str:
    return line if len(line) <= columns else line[: columns - 2].rstrip() + " …"


def show(title: str, board: str, said: list[str], foot: str, *, first: bool) -> None:
    """Draw a frame over the previous one."""
    size = get_terminal_size()
    lines = frame(title, board, said, foot, columns=size.columns, rows=size.lines)
    if first:
        click.clear()
    click.echo(HOME + "".join(f"{line}{REST_OF_LINE}\n" for line in lines) + REST_OF_SCREEN, nl=False, color=True)
