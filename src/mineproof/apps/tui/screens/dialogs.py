"""Small dialogs over a screen: a choice from a list, a line of text, a page to read."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType
    from textual.app import ComposeResult

CLOSE: list[BindingType] = [Binding("escape", "close", "Close", show=False)]


class Choose(ModalScreen[str | None]):
    """A choice from a list of names, each with a few words."""

    BINDINGS: ClassVar[list[BindingType]] = CLOSE

    def __init__(self, title: str, options: Sequence[tuple[str, str]], chosen: str = "") -> None:
        super().__init__()
        self._title = title
        self._options = options
        self._chosen = chosen

    def compose(self) -> ComposeResult:
        """Make the title and the list."""
        width = max((len(name) for name, _ in self._options), default=0)
        with Vertical(classes="dialog"):
            yield Static(self._title, classes="title")
            yield OptionList(
                *(Option(Text(f"{name:<{width}}  {about}", no_wrap=True), id=str(n))
                  for n, (name, about) in enumerate(self._options)),
                compact=True,
            )  # fmt: skip
            yield Static("Enter chooses, Escape closes", classes="foot")

    def on_mount(self) -> None:
        """Begin at the current choice."""
        names = [name for name, _ in self._options]
        self.query_one(OptionList).highlighted = names.index(self._chosen) if self._chosen in names else 0

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Return the name that was chosen."""
        self.dismiss(self._options[event.option_index][0])

    def action_close(self) -> None:
        """Close the dialog without a choice."""
        self.dismiss(None)


class Prompt(ModalScreen[str | None]):
    """A line of text to type."""

    BINDINGS: ClassVar[list[BindingType]] = CLOSE

    def __init__(self, title: str, text: str = "", hint: str = "") -> None:
        super().__init__()
        self._title = title
        self._text = text
        self._hint = hint

    def compose(self) -> ComposeResult:
        """Make the title and the line."""
        with Vertical(classes="dialog"):
            yield Static(self._title, classes="title")
            yield Input(self._text, placeholder=self._hint, compact=True)
            yield Static("Enter accepts, Escape closes", classes="foot")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Return the text that was typed."""
        self.dismiss(event.value.strip() or None)

    def action_close(self) -> None:
        """Close the dialog without a text."""
        self.dismiss(None)


class Page(ModalScreen[None]):
    """Something to read."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,q,enter,space", "close", show=False),
        Binding("down,j", "scroll(1)", show=False),
        Binding("up,k", "scroll(-1)", show=False),
        Binding("pagedown", "scroll(15)", show=False),
        Binding("pageup", "scroll(-15)", show=False),
    ]

    def __init__(self, title: str, content: RenderableType) -> None:
        super().__init__()
        self._title = title
        self._content = content

    def compose(self) -> ComposeResult:
        """Make the title and the text."""
        with Vertical(classes="dialog page"):
            yield Static(self._title, classes="title")
            with VerticalScroll(can_focus=False):
                yield Static(self._content)
            yield Static("↑ ↓ scroll, Escape closes", classes="foot")

    def action_scroll(self, lines: int) -> None:
        """Scroll down, or up."""
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)

    def action_close(self) -> None:
        """Close the page."""
        self.dismiss(None)
