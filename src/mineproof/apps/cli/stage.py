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


def frame(title: str, board: str, text: Iterable[str], footer: str, *, columns: int, rows: int) -> list[str]:
    """Return the lines of one frame. If the board fits, so does the frame: the text below it is shortened.

    >>> frame("a title", "A\\nB", ["one two three four five", "six"], "q quits", columns=12, rows=7)
    ['a title', 'A', 'B', 'one two', 'three four …', 'q quits']
    """
    board_lines = board.splitlines()
    room = max(1, rows - 1 - len(board_lines) - 2)  # the cursor is below the last line
    lines = [line for paragraph in text for line in textwrap.wrap(visible(paragraph), columns)]
    if len(lines) > room:
        lines = [*lines[: room - 1], _cut(lines[room - 1] + " …", columns)]
    return [_cut(visible(title), columns), *board_lines, *lines, _cut(footer, columns)]


def _cut(line: str, columns: int) -> str:
    return line if len(line) <= columns else line[: columns - 2].rstrip() + " …"


def show(title: str, board: str, text: list[str], footer: str, *, first: bool) -> None:
    """Draw a frame over the previous one."""
    size = get_terminal_size()
    lines = frame(title, board, text, footer, columns=size.columns, rows=size.lines)
    if first:
        click.clear()
    click.echo(HOME + "".join(f"{line}{REST_OF_LINE}\n" for line in lines) + REST_OF_SCREEN, nl=False, color=True)
