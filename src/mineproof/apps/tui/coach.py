"""The panel beside or below the board: what is said about the game, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text
from textual.containers import VerticalScroll
from textual.widgets import Static

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from textual.app import ComposeResult

    from mineproof.explain.explanation import Explanation

NAMES = {"safe": "is safe", "mine": "is a mine", "unknown": "is not certain"}


class Coach(VerticalScroll, can_focus=False):
    """A heading, and some paragraphs."""

    def compose(self) -> ComposeResult:
        """One text."""
        yield Static(id="said")

    def tell(self, title: str, paragraphs: Iterable[Text | str], foot: str = "", newest: int | None = None) -> None:
        """Show this instead of what was shown before; in a small panel, from its start, or so that the paragraph with
        the number ``newest`` is seen."""
        parts = [Text(title, "bold")]
        parts += [part if isinstance(part, Text) else Text(part) for part in paragraphs]
        if foot:
            parts.append(Text(foot, "dim italic"))
        told = Text("\n").join(parts)
        self.text = told.plain
        self.query_one("#said", Static).update(told)
        self.scroll_home(animate=False)
        if newest is not None:
            self.call_after_refresh(self._reach, parts[: newest + 1], parts[newest + 1])

    def _reach(self, before: Sequence[Text], newest: Text) -> None:
        """Scroll as far as needed to see the end of this part, but not beyond its start."""
        width = max(1, self.query_one("#said").size.width)
        top, lines = (sum(len(one.wrap(self.app.console, width)) for one in some) for some in (before, (newest,)))
        self.scroll_to(y=min(top, max(0, top + lines - self.size.height)), animate=False)

    text = ""
    """What is shown, without its looks."""


def of_explanation(found: Explanation, step: int) -> tuple[str, list[Text | str], str, int | None]:
    """An explanation with one step highlighted, for `Coach.tell`."""
    title = f"{found.cell} {NAMES[found.verdict]}"
    if not found.steps:
        return title, [found.text], "", None
    level = Text(f"level {found.level}: {found.technique}", "italic")
    if len(found.steps) > 1:
        title += f"   < > {step + 1} of {len(found.steps)}"
    return title, [level, *numbered([one.text for one in found.steps], step)], "", step + 1


def numbered(texts: Sequence[str], current: int) -> list[Text | str]:
    """Numbered paragraphs: the current one bold, those after it dim."""
    found: list[Text | str] = []
    for number, text in enumerate(texts):
        here = number == current
        lead = f"{number + 1}. " if len(texts) > 1 else ""
        found.append(Text(lead + text, "bold" if here and len(texts) > 1 else "dim" if number > current else ""))
    return found
