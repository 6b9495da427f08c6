"""The dialog for a new game."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.containers import Grid, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Checkbox, Input, Label, OptionList, Select, Static
from textual.widgets.option_list import Option

from mineproof.apps.starting import DIFFICULTIES
from mineproof.apps.tui.session import Wanted, check_size
from mineproof.board.ids import GameId
from mineproof.board.level import LEVELS, Level
from mineproof.board.rules import Rules
from mineproof.errors import InvalidText, MineproofError

if TYPE_CHECKING:
    from textual.app import ComposeResult

NAMED = ("beginner", "intermediate", "expert")
CUSTOM = "another size"
FIRST_CLICKS = {
    "opening": "opens an area", "safe": "is safe", "any": "may be a mine", "given": "the game names a safe cell",
}  # fmt: skip


def about(name: str) -> str:
    """Return a line about a level.

    >>> about("expert")
    'expert        30×16, 99 mines'
    """
    if name == CUSTOM:
        return name
    level = LEVELS[name]
    return f"{name:<14}{level.cols}×{level.rows}, {level.mines} mines"


class Tick(Checkbox):
    """A box that is empty unless it is ticked, so that no colour is needed to see it."""

    @property
    def BUTTON_INNER(self) -> str:  # type: ignore[override]  # noqa: N802  its name in Textual
        """The sign in the box."""
        return "X" if self.value else " "


class NewGame(ModalScreen["Wanted | str | None"]):
    """What to play: a kind of game, or the id of one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", show=False),
        Binding("ctrl+s", "start", show=False),
    ]

    def __init__(self, wanted: Wanted) -> None:
        super().__init__()
        self.wanted = wanted

    def compose(self) -> ComposeResult:
        """Make the list of levels, then the other fields."""
        wanted = self.wanted
        name = str(wanted.level)
        with Vertical(classes="dialog form"):
            yield Static("New game", classes="title")
            yield OptionList(*(Option(about(level), id=level) for level in (*NAMED, CUSTOM)), id="levels", compact=True)
            with Grid():
                yield Label("Size")
                yield Input(
                    "" if name in NAMED else wanted.level.size, placeholder="20x12x40, or 20x12x15%", id="size",
                    compact=True,
                )  # fmt: skip
                yield Label("First click")
                clicks = [(about, click) for click, about in FIRST_CLICKS.items()]
                chosen = wanted.rules.first_click
                yield Select(
                    clicks if chosen in FIRST_CLICKS else [*clicks, (chosen, chosen)], value=chosen, allow_blank=False,
                    id="first", compact=True,
                )  # fmt: skip
                yield Label("Difficulty")
                difficulties = [
                    ("any", ""),
                    *((f"{name}: {about}", name) for name, (_, _, about) in DIFFICULTIES.items()),
                ]
                yield Select(
                    difficulties, value=wanted.difficulty or "", allow_blank=False, id="difficulty", compact=True
                )
                yield Label("Seed or id")
                yield Input(placeholder="empty: a new board", id="seed", compact=True)
            yield Tick("No guess is needed", wanted.no_guess, id="no_guess", compact=True)
            yield Tick("Play continues after a mine", wanted.rules.continues, id="continues", compact=True)
            yield Tick("Question marks", wanted.rules.questions, id="questions", compact=True)
            yield Tick("Flagged cells can be opened", wanted.rules.open_flags, id="open_flags", compact=True)
            yield Static("", id="wrong")
            yield Button("Start", variant="primary", id="start", compact=True)
            yield Static("↑ ↓ level, Enter starts, Tab the rest, Escape closes", classes="foot")

    def on_mount(self) -> None:
        """Begin at the level of the last game."""
        levels = self.query_one(OptionList)
        name = str(self.wanted.level)
        levels.highlighted = NAMED.index(name) if name in NAMED else len(NAMED)
        levels.focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Start with the level that was chosen, or let the player type a size."""
        if event.option_id == CUSTOM and not self.query_one("#size", Input).value:
            self.query_one("#size", Input).focus()
        else:
            self.action_start()

    def on_select_changed(self, event: Select.Changed) -> None:
        """Tick the box for no guess, because only such a board has a difficulty."""
        if event.select.id == "difficulty" and event.value:
            self.query_one("#no_guess", Checkbox).value = True

    def on_input_changed(self, event: Input.Changed) -> None:
        """Choose the size that is typed instead of a named level."""
        if event.input.id == "size" and event.value:
            self.query_one(OptionList).highlighted = len(NAMED)

    def on_input_submitted(self) -> None:
        """Start the game on Enter."""
        self.action_start()

    def on_button_pressed(self) -> None:
        """Start the game."""
        self.action_start()

    def action_start(self) -> None:
        """Play what was chosen, or say what is wrong with it."""
        try:
            choice = self._chosen()
        except MineproofError as failure:
            self.query_one("#wrong", Static).update(f"{failure}")
            return
        self.dismiss(choice)

    def _chosen(self) -> Wanted | str:
        seed = self.query_one("#seed", Input).value.strip()
        if seed and not seed.isdecimal():
            check_size(GameId.parse(seed).board.grid)
            return seed
        if len(seed) > 19:
            raise InvalidText("a seed has at most 19 digits")
        place = self.query_one(OptionList).highlighted or 0
        text = NAMED[place] if place < len(NAMED) else self.query_one("#size", Input).value.strip()
        if not text:
            raise InvalidText("a size is WIDTHxHEIGHTxMINES, as in 20x12x40")
        on = {box.id: box.value for box in self.query(Checkbox)}
        first, difficulty = (str(self.query_one(f"#{name}", Select).value) for name in ("first", "difficulty"))
        rules = Rules(
            first, continues=on["continues"], questions=on["questions"], open_flags=on["open_flags"],
            flood=self.wanted.rules.flood,
        )  # fmt: skip
        wanted = Wanted(
            Level.parse(text), rules, on["no_guess"], (difficulty or None) if on["no_guess"] else None,
            int(seed) if seed else None,
        )  # fmt: skip
        wanted.game()  # checks that there is such a game
        return wanted

    def action_close(self) -> None:
        """Close the dialog without a new game."""
        self.dismiss(None)
