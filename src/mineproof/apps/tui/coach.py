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


class Coach(VerticalScroll, can_focus=False):
    """A panel of text: a heading and paragraphs."""

    text = ""
    """The text that is shown, without its styles."""

    def compose(self) -> ComposeResult:
        """Make the widget of the text."""
        yield Static(id="said")

    def tell(self, title: str, paragraphs: Iterable[Text | str], foot: str = "", newest: int | None = None) -> None:
        """Show these paragraphs. A small panel shows them from the start, or scrolls to the paragraph number
        ``newest``."""
        parts = [Text(title, "bold")]
        parts += [part if isinstance(part, Text) else Text(part) for part in paragraphs]
        if foot:
            parts.append(Text(foot, "dim italic"))
        text = Text("\n").join(parts)
        self.text = text.plain
        self.query_one("#said", Static).update(text)
        self.scroll_home(animate=False)
        if newest is not None:
            self.call_after_refresh(self._reach, parts[: newest + 1], parts[newest + 1])

    def _reach(self, before: Sequence[Text], newest: Text) -> None:
        """Scroll as far as needed to see the end of this part, but not beyond its start."""
        width = max(1, self.query_one("#said").size.width)
        top, lines = (sum(len(part.wrap(self.app.console, width)) for part in parts) for parts in (before, (newest,)))
        self.scroll_to(y=min(top, max(0, top + lines - self.size.height)), animate=False)


def of_explanation(explanation: Explanation, step: int) -> tuple[str, list[Text | str], str, int | None]:
    """Return an explanation with one step highlighted, for `Coach.tell`."""
    title = explanation.claim.removesuffix(".")
    if not explanation.steps:
        return title, [explanation.text], "", None
    level = Text(f"level {explanation.level}: {explanation.technique}", "italic")
    if len(explanation.steps) > 1:
        title += f"   < > {step + 1} of {len(explanation.steps)}"
    return title, [level, *numbered([part.text for part in explanation.steps], step)], "", step + 1


def numbered(texts: Sequence[str], current: int) -> list[Text | str]:
    """Return numbered paragraphs: the current one bold, those after it dim."""
    paragraphs: list[Text | str] = []
    for number, text in enumerate(texts):
        lead = f"{number + 1}. " if len(texts) > 1 else ""
        paragraphs.append(
            Text(lead + text, "bold" if number == current and len(texts) > 1 else "dim" if number > current else "")
        )
    return paragraphs
