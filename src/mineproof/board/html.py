"""Parts of the HTML that notebooks show: a picture, and words beside it. Fonts and colours are those of the page."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MOST_LINES = 200
"""The most lines of a list; the rest are only counted."""
_CELL = 'style="text-align:left;padding:1px 12px 1px 0"'


@dataclass(frozen=True, slots=True)
class Picture:
    """A board with words beside it. A notebook shows it as HTML, a console as text."""

    svg: str | None = field(repr=False)
    """The board; None if it is too large to be drawn."""
    html: str = field(repr=False)
    """The words as HTML."""
    text: str
    """The board and the words, for a console."""

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return beside(self.svg, self.html)

    def _repr_svg_(self) -> str | None:
        return self.svg

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: ARG002
        printer.text(self.text)


def beside(picture: str | None, *parts: str) -> str:
    """A picture with words beside it, or below it where there is little room."""
    words = f'<div style="flex:1 1 18em;max-width:44em">{"".join(parts)}</div>'
    return f'<div style="display:flex;flex-wrap:wrap;gap:1.5em;align-items:flex-start">{picture or ""}{words}</div>'


def heading(text: str, note: str = "") -> str:
    """What it is about, and a note.

    >>> heading("B1 is safe", "level < 2")
    '<p><b>B1 is safe</b><br><small>level &lt; 2</small></p>'
    """
    return f"<p><b>{escape(text)}</b>{f'<br><small>{escape(note)}</small>' if note else ''}</p>"


def told(lines: Sequence[str]) -> str:
    """The steps of an argument: a numbered list, or a paragraph if there is only one."""
    return listed(lines, numbered=True) if len(lines) > 1 else f"<p>{escape(''.join(lines))}</p>"


def listed(lines: Sequence[str], *, numbered: bool = False) -> str:
    """A list; the rest of a very long one is only counted."""
    kind = "ol" if numbered else "ul"
    return f"<{kind}>{''.join(f'<li>{escape(line)}</li>' for line in shortened(lines))}</{kind}>" if lines else ""


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table, to be read from the left."""
    parts = ["".join(f"<th {_CELL}>{escape(name)}</th>" for name in head)]
    parts += ["".join(f"<td {_CELL}>{escape(text)}</td>" for text in row) for row in rows]
    return f"<table>{''.join(f'<tr>{part}</tr>' for part in parts)}</table>"


def folded(name: str, content: str) -> str:
    """Content that a click unfolds."""
    return f"<details><summary>{escape(name)}</summary>{content}</details>"


def shortened(lines: Sequence[str]) -> list[str]:
    """The first lines, and how many more there are.

    >>> shortened(["a"] * 203)[-1]
    '… and 3 more'
    """
    more = len(lines) - MOST_LINES
    return list(lines) if more <= 0 else [*lines[:MOST_LINES], f"… and {more:,} more"]
