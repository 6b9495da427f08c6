"""The app: its screens, its themes, and what it remembers."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from rich.table import Table
from rich.text import Text
from textual.app import App
from textual.binding import Binding, BindingType
from textual.theme import Theme

from mineproof.agents.registry import AGENTS
from mineproof.apps.tui import looks
from mineproof.apps.tui.board import BoardView
from mineproof.apps.tui.games import KeptGame, kept_games, unfinished
from mineproof.apps.tui.screens.analyse import AnalyseScreen
from mineproof.apps.tui.screens.dialogs import Choose, Page, Prompt
from mineproof.apps.tui.screens.help import keys_page
from mineproof.apps.tui.screens.new import NewGame
from mineproof.apps.tui.screens.play import PlayScreen
from mineproof.apps.tui.screens.review import ReviewScreen
from mineproof.apps.tui.session import Session, Wanted, clock_text
from mineproof.apps.tui.stored import BestTimes, Choices
from mineproof.board.formats import as_game, read_file, save
from mineproof.board.game import Replay
from mineproof.board.position import Position
from mineproof.errors import IllegalMove, MineproofError

if TYPE_CHECKING:
    from collections.abc import Callable

    from mineproof.apps.tui.screens.base import BoardScreen
    from mineproof.board.grid import Cell

DARK, LIGHT, CONTRAST, SIXTEEN = "dark", "light", "contrast", "terminal"
THEMES = {
    DARK: "dark",
    LIGHT: "light",
    CONTRAST: "high contrast",
    SIXTEEN: "the sixteen colours of this terminal, on its own background",
}
PALETTES = {DARK: looks.DARK, LIGHT: looks.LIGHT, CONTRAST: looks.CONTRAST, SIXTEEN: looks.SIXTEEN}
_THEMES = (
    Theme(
        DARK, primary="#4fb8a0", secondary="#74b9ff", accent="#f2c94c", foreground="#e6e9ee", background="#101317",
        surface="#171b21", panel="#1e242c", warning="#f2c94c", error="#ff7b72", success="#3fd6a6", dark=True,
    ),
    Theme(
        LIGHT, primary="#0a7d62", secondary="#0b5fc0", accent="#8a6500", foreground="#1b1f24", background="#f0f3f6",
        surface="#ffffff", panel="#e2e8ef", warning="#8a6500", error="#b3261e", success="#0a7d62", dark=False,
    ),
    Theme(
        CONTRAST, primary="#00ffaa", secondary="#66ccff", accent="#ffee00", foreground="#ffffff", background="#000000",
        surface="#000000", panel="#1a1a1a", warning="#ffee00", error="#ff5544", success="#00ffaa", dark=True,
    ),
)  # fmt: skip


class MineproofApp(App[None]):
    """Minesweeper in a terminal."""

    TITLE = "Mineproof"
    CSS_PATH = "styles.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "help", "Keys"),
        Binding("t", "theme", show=False),
        Binding("q", "quit", "Quit"),
        Binding("ctrl+c,ctrl+q", "quit", show=False, priority=True),
    ]

    pace = 0.15
    """Seconds between two moves of an agent that plays on."""

    def __init__(
        self, session: Session | None = None, *, ascii_only: bool = False, theme: str | None = None, message: str = ""
    ) -> None:
        """Play the game of this ``session``; by default the one that was left unfinished, or a new one of the kind that
        was played last."""
        super().__init__(ansi_color=True if self.no_colours else None)
        self.ascii_only = ascii_only
        self.choices, problem = Choices.load()
        self.best_times, other_problem = BestTimes.load()
        self._message = message or problem or other_problem
        for known_theme in (*_THEMES, _sixteen()):
            self.register_theme(known_theme)
        self.theme = theme or self._first_theme()
        self.play_screen = PlayScreen(session or self._last_session())

    def _first_theme(self) -> str:
        """Return the chosen theme, unless the terminal cannot show it."""
        if self.console.color_system in (None, "standard") or self.no_colours:
            return SIXTEEN
        return self.choices.theme if self.choices.theme in THEMES else DARK

    def _last_session(self) -> Session:
        last = unfinished()
        if last is not None:
            try:
                session = Session.kept(last.path)
            except IllegalMove:
                self._message = self._message or "Your last game is open in another window. This is a new one."
            except (MineproofError, OSError) as failure:
                self._message = self._message or f"Your last game cannot continue: {failure}."
            else:
                self._message = self._message or "Your last game continues. N starts another."
                return session
        return Session.new(self.wanted)

    @property
    def wanted(self) -> Wanted:
        """The kind of game that was played last."""
        chosen = self.choices
        try:
            return Wanted.parse(chosen.level, chosen.rules, chosen.no_guess, chosen.difficulty)
        except MineproofError as failure:
            self._message = f"The last choice is ignored: {failure}."
            return Wanted()

    @property
    def session(self) -> Session:
        """The game that is being played."""
        return self.play_screen.session

    def on_mount(self) -> None:
        """Show the game."""
        if not self.is_headless:
            self._look_after_signals()
        self.push_screen(self.play_screen)
        if self._message:
            self.call_after_refresh(self.play_screen.say, self._message)

    # -- themes --------------------------------------------------------------------------------------------------

    @property
    def palette(self) -> looks.Palette:
        """The colours of the board."""
        return looks.MONO if self.no_colours else PALETTES[self.theme]

    no_colours = bool(os.environ.get("NO_COLOR"))
    """Whether the user wants no colours."""

    def action_theme(self) -> None:
        """Choose a theme."""

        def chosen(name: str | None) -> None:
            if name is not None:
                self.theme = self.choices.theme = name
                self.save_choices()
                for screen in self.screen_stack:
                    for board in screen.query(BoardView):
                        board.palette = self.palette
                        board.refresh()

        self.push_screen(Choose("Theme", list(THEMES.items()), self.theme), chosen)

    # -- choices of the player -----------------------------------------------------------------------------------

    def choose_game(self, wanted: Wanted, then: Callable[[Wanted | str], None]) -> None:
        """Ask which game to play, and pass the answer on."""

        def chosen(choice: Wanted | str | None) -> None:
            if choice is not None:
                then(choice)

        self.push_screen(NewGame(wanted), chosen)

    def remember(self, wanted: Wanted | str) -> None:
        """Remember the kind of game that was chosen."""
        if isinstance(wanted, Wanted):
            for name, value in wanted.words.items():
                setattr(self.choices, name, value)
            self.save_choices()

    def save_choices(self) -> None:
        """Write the choices to their file, or say why that fails."""
        try:
            self.choices.save()
        except OSError as failure:
            self.play_screen.say(f"The choice is not kept: {failure}")

    def choose_agent(self) -> None:
        """Ask which agent helps."""

        def chosen(name: str | None) -> None:
            if name is not None:
                self.choices.agent = name
                self.play_screen.say(f"A and G ask {name} now.")
                self.save_choices()

        options = [(spec.name, spec.idea) for spec in AGENTS.values()]
        self.push_screen(Choose("Who helps?", options, self.choices.agent), chosen)

    def action_help(self) -> None:
        """Show the list of keys."""
        self.push_screen(keys_page())

    def action_best_times(self) -> None:
        """Show the best times of each kind of game."""
        table = Table.grid(padding=(0, 2))
        for kind, times in sorted(self.best_times.times.items()):
            table.add_row(Text(kind, "bold"))
            for place, (milliseconds, day) in enumerate(times, start=1):
                table.add_row(f"{place:>3}. {clock_text(milliseconds)}.{milliseconds % 1000 // 100}   {day}")
        nothing = Text("There are none yet: games won without help, on boards that you could not know, count.")
        self.push_screen(Page("Best times", table if self.best_times.times else nothing))

    # -- other screens -------------------------------------------------------------------------------------------

    def action_analyse(self) -> None:
        """Edit and analyse the position of the game."""
        self.session.helped = True
        self.analyse(self.session.game.position, self.play_screen.board.cursor)

    def analyse(self, position: Position, cursor: Cell | None = None) -> None:
        """Edit and analyse a position."""
        self.push_screen(AnalyseScreen(position, cursor))

    def action_games(self) -> None:
        """Choose a kept game: review it, or continue it."""
        problem = self.play_screen.keep()
        games = list(kept_games())
        if not games:
            self.play_screen.say(problem or "No game is kept yet.")
            return
        names = [game.path.stem for game in games]

        def chosen(name: str | None) -> None:
            if name is not None:
                self._open_kept(games[names.index(name)])

        options = [(name, game.about) for name, game in zip(names, games, strict=True)]
        self.push_screen(Choose("Games: an unfinished one continues, others are reviewed", options), chosen)

    def _open_kept(self, game: KeptGame) -> None:
        if game.over:
            self.push_screen(ReviewScreen(game.replay))
        elif game.path == self.session.path:
            self.play_screen.say("This is the game that you are playing.")
        else:
            try:
                session = Session.kept(game.path)
            except (MineproofError, OSError) as failure:
                self.play_screen.say(f"It cannot continue: {failure}.")
            else:
                self.play_screen.begin(session, "The game continues.")

    def action_save(self) -> None:
        """Save the game, or the position that is edited, to a file."""
        screen = self.screen
        content: Position | Replay = self.session.replay()
        if isinstance(screen, AnalyseScreen):
            content = screen.position

        def named(path: str | None) -> None:
            if path is None:
                return
            try:
                save(content, Path(path).expanduser())
                self._say(f"Saved to {path}.")
            except (MineproofError, OSError) as failure:
                self._say(f"Not saved: {failure}")

        suffix = "position.mine" if isinstance(content, Position) else "my.game"
        self.push_screen(Prompt("Save to which file?", "", f"{suffix}; the ending names the format"), named)

    def action_load(self) -> None:
        """Open a file: a game or a board is played, a position is analysed."""
        self.push_screen(Prompt("Open which file?", "", "a game, a board or a position"), self._load)

    def _load(self, path: str | None) -> None:
        if path is None:
            return
        screen = self.screen
        try:
            content = read_file(Path(path).expanduser())
            if isinstance(screen, AnalyseScreen) and isinstance(content, Position):
                screen.put(content)
            elif isinstance(content, Position):
                self.analyse(content)
            else:
                times = content.times if isinstance(content, Replay) and content.moves else ()
                session = Session.of(as_game(content), times)
                while self.screen is not self.play_screen:
                    self.pop_screen()
                self.play_screen.begin(session, f"Opened {path}.")
        except (MineproofError, OSError) as failure:
            problem = failure.strerror if isinstance(failure, OSError) else failure
            self._say(f"{path}: {problem}.")

    def _say(self, message: str) -> None:
        screen: BoardScreen = self.screen if isinstance(self.screen, AnalyseScreen) else self.play_screen
        screen.say(message)

    def _look_after_signals(self) -> None:
        """Leave in order when a signal ends the app, so that the terminal is restored."""
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            sent = getattr(signal, name, None)
            if sent is not None and signal.getsignal(sent) is not signal.SIG_IGN:
                with suppress(NotImplementedError):  # Windows
                    asyncio.get_running_loop().add_signal_handler(sent, self.leave, 128 + sent)

    async def action_quit(self) -> None:
        """Leave the app."""
        self.leave()

    def leave(self, status: int = 0) -> None:
        """Leave the app. The game is kept already, except for its clock."""
        self.play_screen.leave_game()
        self.exit(return_code=status)


def _sixteen() -> Theme:
    """Return the terminal's own colours."""
    return Theme(
        SIXTEEN, ansi=True, primary="ansi_blue", secondary="ansi_cyan", warning="ansi_yellow", error="ansi_red",
        success="ansi_green", accent="ansi_yellow", foreground="ansi_default", background="ansi_default",
        surface="ansi_default", panel="ansi_default", boost="ansi_default", dark=True,
        variables={
            "block-cursor-foreground": "ansi_black", "block-cursor-background": "ansi_white",
            "input-cursor-background": "ansi_white", "input-cursor-foreground": "ansi_black",
            "input-cursor-text-style": "none", "border": "ansi_blue", "border-blurred": "ansi_default",
            "ansi-background": "ansi_black", "ansi-foreground": "ansi_white",
        },
    )  # fmt: skip


def run(session: Session | None, *, ascii_only: bool = False, agent: str | None = None) -> tuple[Session, int]:
    """Run the app until the player leaves, and return the last game and the exit status. ``agent`` is who helps."""
    app = MineproofApp(session, ascii_only=ascii_only)
    app.choices.agent = agent or app.choices.agent
    app.run()
    return app.session, app.return_code or 0


__all__ = ["THEMES", "MineproofApp", "run"]
