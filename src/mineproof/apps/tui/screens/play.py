"""The screen on which a game is played."""

from __future__ import annotations

import asyncio
from functools import partial
from textwrap import wrap
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType

from mineproof.agents.registry import find_agent
from mineproof.apps.starting import PROMISES, started_again, without_guess
from mineproof.apps.tui import work
from mineproof.apps.tui.board import CHORD, FLAG, HIDDEN, OPEN, BoardView
from mineproof.apps.tui.looks import NOTHING, Overlay
from mineproof.apps.tui.screens.base import DOT
from mineproof.apps.tui.screens.coached import CoachedScreen
from mineproof.apps.tui.session import Session, Wanted, clock_text
from mineproof.apps.tui.sight import lost_by
from mineproof.board.game import Game, State
from mineproof.board.ids import GameId
from mineproof.board.metrics import bbbv
from mineproof.board.move import Move
from mineproof.board.position import CLOSED
from mineproof.errors import Cancelled, IllegalMove, MineproofError
from mineproof.explain.phrases import sentence
from mineproof.percent import a_percent
from mineproof.plural import plural
from mineproof.seat.seat import Seat
from mineproof.seat.turn import first_turn, is_done

if TYPE_CHECKING:
    from collections.abc import Callable

    from mineproof.agents.agent import Decision
    from mineproof.board.grid import Cell
    from mineproof.board.position import Position
    from mineproof.limit import Limit
    from mineproof.seat.reasons import Reason

AGENT, LAY, END = "agent", "lay", "end"
"""Kinds of work: an agent's turn, the search for a board, and the judgement of the last move."""
PATIENCE = 60.0
"""Time limit of the search for a board that needs no guess, in seconds."""
KEYS = (
    ("arrows", "move"), ("Enter", "open"), ("F", "flag"), ("C", "chord"), ("click", "open; right: flag"),
    ("W", "hint"), ("Y", "why this cell"), ("S", "certain cells"), ("B", "best guess"), ("V", "review"),
    ("A", "agent's step"), ("G", "agent goes on"), ("E", "analyse"), ("P", "pause"), ("?", "all keys"),
)  # fmt: skip
"""The keys that the coach lists when it has nothing to say."""
KEYS_TITLE = "Keys"


class PlayScreen(CoachedScreen):
    """A game."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "new", "New"),
        Binding("u", "undo", "Undo"),
        Binding("enter,space", "open", show=False),
        Binding("f", "flag", show=False),
        Binding("c", "chord", show=False),
        Binding("s", "toggle_overlay('certain')", "Certain"),
        Binding("b", "toggle_overlay('best')", "Best"),
        Binding("a", "agent(True)", "Agent"),
        Binding("g", "agent(False)", "Go on"),
        Binding("x", "choose_agent", show=False),
        Binding("r", "again", show=False),
        Binding("m", "flag_mode", show=False),
        Binding("p", "pause", show=False),
        Binding("e", "app.analyse", show=False),
        Binding("v", "app.games", show=False),
        Binding("d", "app.best_times", show=False),
        Binding("ctrl+s", "app.save", show=False),
        Binding("ctrl+o", "app.load", show=False),
        Binding("escape", "stop", show=False),
    ]

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.flag_mode = False
        self._guess_for: Position | None = None  # where the agent has said that only a guess is left
        self._place: int | None = None  # place of the last win among the best times

    # -- what is shown -------------------------------------------------------------------------------------------

    def on_mount(self) -> None:
        """Start the ticks of the clock, and the game."""
        super().on_mount()
        self.set_interval(0.5, self.tick)
        self.begin(self.session)

    def begin(self, session: Session, message: str = "") -> None:
        """Play this game from now on."""
        problem = "" if session is self.session else self.leave_game()
        self.session = session
        self._guess_for = self._place = None
        start = session.seat.first
        self.show_board(session.game.grid, session.symbols, NOTHING)
        if not session.game.step and start is not None:
            self.board.go(start)
        elif not session.game.step and session.game.given:
            self.board.go(session.game.given[0])
        else:
            self.board.go(next((move.cell for move in reversed(session.game.moves) if move.cell), self.board.cursor))
        self.changed()
        self.say(problem or message or self._promise())

    def _promise(self) -> str:
        promise = PROMISES.get(self.session.game.rules.first_click, "cells marked ◇ are safe: start there")
        guess = " The board will need no guess." if self.session.needs_board else ""
        return f"Open every cell that has no mine. {sentence(promise)}{guess}"

    @property
    def position(self) -> Position:
        """What the player sees."""
        return self.session.game.position

    @property
    def seat(self) -> Seat:
        """The seat from which the player asks."""
        return self.session.seat

    def check_help(self) -> None:
        """Note that the player gets help, unless the game is over or paused."""
        self.seat.check_playing()
        if self.session.paused:
            raise IllegalMove("the game is paused: P continues")
        self.note_help()

    def note_help(self) -> None:
        """Note that the game does not count for the best times. An overlay that is still on from the last game is help,
        too."""
        self.session.helped = True

    def draw(self) -> None:
        """Show the board; during a pause, only its size."""
        session = self.session
        if session.paused:
            self.show_board(session.game.grid, HIDDEN * len(session.game.grid), NOTHING)
        else:
            self.show_board(session.game.grid, session.symbols, self.overlay)
        self.tick()

    def tick(self) -> None:
        """Write the line above the board."""
        session = self.session
        best = self.app.best_times.best(session.wanted.name)
        right = f"mines {session.game.mines_left}   time {clock_text(session.elapsed)}"
        if best is not None and self.size.width >= 72:
            right += f"   best {clock_text(best)}"
        mode = " FLAG MODE" if self.flag_mode else ""
        self.head(f"Mineproof{DOT}{session.wanted.name}{mode}", right)

    def idle(self) -> None:
        """Tell the end of the game, what the overlays show, or the keys."""
        if self.session.game.over:
            self._tell_end()
        elif self.sight is not None and self.overlays:
            self.coach.tell("What can be known", self.sight.lines, "numbers: risk in percent")
        elif self.has_class("beside"):
            self.coach.tell(KEYS_TITLE, [f"{key:<8}{effect}" for key, effect in KEYS])
        else:
            keys = "   ".join(f"{key}: {effect}".replace(" ", "\xa0") for key, effect in KEYS)
            self.coach.tell(KEYS_TITLE, wrap(keys, max(20, self.size.width - 3)))

    def share_room(self) -> None:
        """Fit the screen, and give the list of keys the form of the room for it."""
        super().share_room()
        if self.coach.text.startswith(KEYS_TITLE):
            self.idle()

    # -- moves ---------------------------------------------------------------------------------------------------

    def on_board_view_pressed(self, event: BoardView.Pressed) -> None:
        """Make the move of a mouse button."""
        if event.how == FLAG or (event.how == OPEN and self.flag_mode and self._is_closed(event.cell)):
            self.move(self.session.flagging(event.cell))
        elif event.how == CHORD:
            self.move(Move("chord", event.cell))
        else:
            self._open(event.cell)

    def _is_closed(self, cell: Cell) -> bool:
        return self.session.game[cell] in CLOSED

    def action_open(self) -> None:
        """Open the cell at the cursor, or the rest around a number."""
        self._open(self.board.cursor)

    def action_flag(self) -> None:
        """Flag the cell at the cursor."""
        self.move(self.session.flagging(self.board.cursor))

    def action_chord(self) -> None:
        """Open the rest around the number at the cursor."""
        self.move(Move("chord", self.board.cursor))

    def _open(self, cell: Cell) -> None:
        if self.session.needs_board and self._is_closed(cell) and self.session.game[cell] != "F":
            self._find_board(cell)
        else:
            self.move(self.session.opening(cell))

    def move(self, move: Move) -> None:
        """Make a move of the player, which ends an agent's turn."""
        self.stop_work()
        self._play(move)

    def _play(self, move: Move) -> None:
        try:
            if self.session.paused:
                raise IllegalMove("the game is paused: P continues")
            self.session.play(move)
        except MineproofError as failure:
            self.refused(failure)
            return
        self.say("")
        self.moved()

    def moved(self) -> None:
        """Keep the game after moves, and show its end or the next position."""
        session = self.session
        problem = self.keep()
        if session.game.over and session.counts and self._place is None:
            try:
                self._place = self.app.best_times.add(session.wanted.name, session.elapsed)
            except OSError as failure:
                problem = problem or f"The time is not kept: {failure}"
        self.changed()
        if session.game.state is State.LOST:
            self.say(problem or f"{self.position.where('*')[0]} was a mine.")
            self._judge_loss()
        elif session.game.over:
            self.say(problem or "Every safe cell is open.")

    def keep(self) -> str:
        """Keep the game as it is now. Return an error message, which was shown, or an empty string."""
        return self._kept(self.session.save)

    def leave_game(self) -> str:
        """Leave the game. Return an error message, which was shown, or an empty string."""
        self.stop_work()
        return self._kept(self.session.leave)

    def _kept(self, keep: Callable[[], None]) -> str:
        try:
            keep()
        except OSError as failure:
            self.say(problem := f"The game is not kept: {failure}")
            return problem
        return ""

    def _find_board(self, cell: Cell) -> None:
        """Find a board that needs no guess from here, then open the cell."""
        session = self.session
        self.stop_work()
        self.say("Looking for a board that needs no guess …")

        def play_on(board: GameId) -> None:
            session.lay(board)
            self._play(session.opening(cell))

        work.ask(self, LAY, self._laying(cell), play_on, self.refused, PATIENCE)

    def _laying(self, cell: Cell) -> Callable[[Limit], GameId]:
        wanted = self.session.wanted
        return partial(without_guess, GameId.parse(self.session.game.id), cell, wanted.difficulty)

    def action_undo(self) -> None:
        """Take the last move back."""
        self.stop_work()
        try:
            self.session.undo()
        except MineproofError as failure:
            self.refused(failure)
            return
        deaths = self.session.game.deaths_undone
        self.say(f"Undone.{f' Deaths undone: {deaths}.' if deaths else ''}")
        self.keep()
        self.changed()

    def action_flag_mode(self) -> None:
        """Switch whether a click flags, for terminals without a right button."""
        self.flag_mode = not self.flag_mode
        self.say("A click flags now; M switches back." if self.flag_mode else "A click opens again.")
        self.tick()

    def action_pause(self) -> None:
        """Stop the clock and hide the board, or go on."""
        session = self.session
        self.stop_work()
        if session.paused:
            session.resume()
        elif session.running:
            session.pause()
        self.say("Paused: P continues." if session.paused else "")
        self.draw()

    def action_new(self) -> None:
        """Ask for a new game."""
        self.app.choose_game(self.session.wanted, self._start)

    def _start(self, wanted: Wanted | str) -> None:
        self.begin(Session.new(wanted) if isinstance(wanted, Wanted) else Session.of(Game.from_id(wanted)))
        self.app.remember(wanted)

    def action_again(self) -> None:
        """Start again on the same board."""
        session = self.session
        again = Session.of(Game.from_id(started_again(session.game)))
        again.wanted = session.wanted
        if session.needs_board:  # no mines are laid yet
            again = Session.new(session.wanted)
        self.begin(again, "The same board again.")

    # -- the agent -----------------------------------------------------------------------------------------------

    def stop_work(self) -> None:
        """End an agent's turn, and the search for a board."""
        work.forget(self, AGENT, LAY)

    def forget_findings(self) -> None:
        """Forget what was found about the previous position, and about the end of the game."""
        super().forget_findings()
        work.forget(self, END)

    def action_stop(self) -> None:
        """End the agent's turn, and clear what the coach points at."""
        self.stop_work()
        self.say("")
        self.changed()

    def action_choose_agent(self) -> None:
        """Ask which agent helps."""
        self.app.choose_agent()

    def action_agent(self, single: bool) -> None:
        """Let the agent take one step, or play on until only guesses are left."""
        self.stop_work()
        if not self.may_ask():
            return
        self.say("Thinking …")
        work.begin(self, AGENT, self._turns(single))

    async def _turns(self, single: bool) -> None:
        try:
            while await self._turn(single) and not single:
                self.keep()
            if self.session.game.over:
                self.moved()
            else:
                self.keep()
        except Cancelled:
            return
        except MineproofError as failure:
            self.refused(failure)

    async def _turn(self, single: bool) -> bool:
        """Play one decision of the agent, and return whether it can go on."""
        session, name, seat = self.session, self.app.choices.agent, self.seat
        turn = await work.asked(partial(first_turn, seat, find_agent(name), 0))
        if session.needs_board and turn.left and turn.left[0].cell is not None:
            session.lay(await work.asked(self._laying(turn.left[0].cell), PATIENCE))
        if turn.stop(guess=single and self._guess_for == seat.position) is not None:
            self._hand_back(name, turn.decision, seat.position)
            return False
        moves = turn.next(one=single)
        reasons = {reason.move: reason for reason in await work.asked(partial(turn.reasons, moves))}
        for move in moves:
            game = session.game
            if game.over or (move.cell is not None and is_done(move, seat.position[move.cell], game[move.cell])):
                continue
            session.play(move)
            self._show_turn(name, move, reasons.get(move))
            if not single:
                await asyncio.sleep(self.app.pace)
        return not session.game.over

    def _hand_back(self, name: str, decision: Decision, position: Position) -> None:
        self.changed()
        self._guess_for = position
        if decision.stuck:
            message = f"{name} finds nothing more: it is your move."
        else:
            cell = decision.moves[-1].cell
            risk = "" if decision.risk is None else f", with {a_percent(decision.risk)} risk of a mine"
            message = f"Nothing more is certain: it is your move. {name} would guess {cell}{risk}."
            if cell is not None:
                self.pointed = Overlay(best=position.grid.index(cell))
                self.draw()
        self.coach.tell(f"Agent {name}", [message], "" if decision.stuck else "A: let it guess")
        self.say("The agent hands back: it is your move.")

    def _show_turn(self, name: str, move: Move, reason: Reason | None) -> None:
        """Show the position after a move of the agent, with the clues of its reason."""
        self.forget_findings()
        if move.cell is not None:
            self.board.go(move.cell)
        if reason is not None:
            index = self.position.grid.index
            self.pointed = Overlay(clues=frozenset(map(index, reason.clues)))
            self.coach.tell(f"Agent {name}: {move}", [reason.text])
        self.say(f"{name}: {move}")
        self.draw()

    # -- the end -------------------------------------------------------------------------------------------------

    def _tell_end(self, known: str = "") -> None:
        session, game = self.session, self.session.game
        assert game.layout is not None
        title = {State.WON: "Won", State.CLEARED: "Cleared"}.get(game.state, "Lost")
        lines = [f"{plural(game.step, 'move')}, time {clock_text(session.elapsed)}, 3BV {bbbv(game.layout)}."]
        if game.hits and game.rules.continues:
            lines.append(f"Mines opened: {game.hits}.")
        if game.state is State.LOST:
            shown = sum(symbol.isdigit() for symbol in session.symbols)
            lines.append(f"{shown} of {len(game.grid) - game.mines} safe cells were open.")
        if known:
            lines.append(known)
        if self._place is not None:
            lines.append("A new best time!" if self._place == 1 else f"Number {self._place} of your best times.")
        elif game.state is State.WON and not session.counts:
            why_not = "with help or undo" if session.helped else "on a known board, or after a crash"
            lines.append(f"Not for the best times: {why_not}.")
        if game.deaths_undone:
            lines.append(f"Deaths undone: {game.deaths_undone}.")
        self.coach.tell(title, lines, "V review   R same board   N new   U undo")

    def _judge_loss(self) -> None:
        """Find out what could be known before the last move."""
        replay = self.session.replay()
        move = replay.moves[-1]
        hit = self.position.where("*")
        if not hit or len(replay.moves) < 2 or move.kind not in ("open", "chord"):
            return
        before = Seat.at(replay.game(len(replay.moves) - 1))
        work.ask(self, END, partial(lost_by, before, hit[0]), self._tell_end, self.refused)
