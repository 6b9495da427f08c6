"""The screen on which a game is played."""

from __future__ import annotations

import asyncio
from functools import partial
from textwrap import wrap
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType

from mineproof.agents.registry import find_agent
from mineproof.apps.starting import started_again, without_guess
from mineproof.apps.tui import work
from mineproof.apps.tui.board import CHORD, FLAG, HIDDEN, OPEN, BoardView
from mineproof.apps.tui.looks import NOTHING, Overlay
from mineproof.apps.tui.screens.base import DOT
from mineproof.apps.tui.screens.coached import CoachedScreen
from mineproof.apps.tui.session import Session, Wanted, clock_text, playable
from mineproof.apps.tui.sight import lost_by
from mineproof.board.game import Game, State
from mineproof.board.ids import GameId
from mineproof.board.metrics import bbbv
from mineproof.board.move import Move
from mineproof.board.position import CLOSED
from mineproof.errors import Cancelled, IllegalMove, MineproofError
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
"""Kinds of work: an agent's turn, a board that needs no guess, and what could be known of the last move."""
PATIENCE = 60.0
"""Seconds for a board that needs no guess."""
KEYS = (
    ("arrows", "move"), ("Enter", "open"), ("F", "flag"), ("C", "chord"), ("click", "open; right: flag"),
    ("W", "hint"), ("Y", "why this cell"), ("S", "certain cells"), ("B", "best guess"), ("V", "review"),
    ("A", "agent's step"), ("G", "agent goes on"), ("E", "analyse"), ("P", "pause"), ("?", "all keys"),
)  # fmt: skip
"""What the coach lists when it has nothing to say."""
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
        self._guess_for: Position | None = None  # the agent said that only a guess is left here
        self._place: int | None = None  # of the last win among the best times

    # -- what is shown -------------------------------------------------------------------------------------------

    def on_mount(self) -> None:
        """The clock ticks."""
        super().on_mount()
        self.set_interval(0.5, self.tick)
        self.begin(self.session)

    def begin(self, session: Session, message: str = "") -> None:
        """Play this game from now on."""
        wrong = "" if session is self.session else self.leave_game()
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
        self.say(wrong or message or self._promise())

    def _promise(self) -> str:
        first = {
            "any": "The first click may be a mine.",
            "safe": "The first click is safe.",
            "opening": "The first click is an opening.",
        }.get(self.session.game.rules.first_click, "Cells marked ◇ are safe: start there.")
        guess = " The board will need no guess." if self.session.needs_board else ""
        return f"Open every cell that has no mine. {first}{guess}"

    @property
    def position(self) -> Position:
        """What the player sees."""
        return self.session.game.position

    @property
    def seat(self) -> Seat:
        """From where the player asks."""
        return self.session.seat

    def may_ask(self) -> None:
        """Not after the game, nor during a pause."""
        playable(self.session.game)
        if self.session.paused:
            raise IllegalMove("the game is paused: P continues")
        self.note_help()

    def note_help(self) -> None:
        """The game is not one for the best times. An overlay that is still on from the game before is help, too."""
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
        """The line above the board."""
        session = self.session
        best = self.mine.best_times.best(session.wanted.name)
        right = f"mines {session.game.mines_left}   time {clock_text(session.elapsed)}"
        if best is not None and self.size.width >= 72:
            right += f"   best {clock_text(best)}"
        mode = " FLAG MODE" if self.flag_mode else ""
        self.head(f"Mineproof{DOT}{session.wanted.name}{mode}", right)

    def idle(self) -> None:
        """The end of the game, the overlays, or the keys."""
        if self.session.game.over:
            self._tell_end()
        elif self.sight is not None and self.overlays:
            self.coach.tell("What can be known", self.sight.said, "numbers: risk in percent")
        elif self.has_class("beside"):
            self.coach.tell(KEYS_TITLE, [f"{key:<8}{what}" for key, what in KEYS])
        else:
            keys = "   ".join(f"{key}: {what}".replace(" ", "\xa0") for key, what in KEYS)
            self.coach.tell(KEYS_TITLE, wrap(keys, max(20, self.size.width - 3)))

    def share_room(self) -> None:
        """The list of keys has the form of the room for it."""
        super().share_room()
        if self.coach.text.startswith(KEYS_TITLE):
            self.idle()

    # -- moves ---------------------------------------------------------------------------------------------------

    def on_board_view_pressed(self, event: BoardView.Pressed) -> None:
        """The mouse."""
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
        """Make a move of the player; an agent that is playing hands back."""
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
        """After moves: the end of a game, or the next position. It is kept."""
        session = self.session
        wrong = self.keep()
        if session.game.over and session.counts and self._place is None:
            try:
                self._place = self.mine.best_times.add(session.wanted.name, session.elapsed)
            except OSError as failure:
                wrong = wrong or f"The time is not kept: {failure}"
        self.changed()
        if session.game.state is State.LOST:
            self.say(wrong or f"{self.position.where('*')[0]} was a mine.")
            self._judge_loss()
        elif session.game.over:
            self.say(wrong or "Every safe cell is open.")

    def keep(self) -> str:
        """Keep the game as it is now; if that fails, say so, and play on. What was said."""
        return self._kept(self.session.save)

    def leave_game(self) -> str:
        """The game is left, for another one or for good. What was said if it is not kept."""
        self.stop_work()
        return self._kept(self.session.leave)

    def _kept(self, how: Callable[[], None]) -> str:
        try:
            how()
        except OSError as failure:
            self.say(wrong := f"The game is not kept: {failure}")
            return wrong
        return ""

    def _find_board(self, cell: Cell) -> None:
        """Find a board that needs no guess from here, then open the cell."""
        session = self.session
        self.stop_work()
        self.say("Looking for a board that needs no guess …")

        def found(board: GameId) -> None:
            session.lay(board)
            self._play(session.opening(cell))

        work.ask(self, LAY, self._laying(cell), found, self.refused, PATIENCE)

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
        """A click of the mouse flags, for terminals without a right button."""
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
        """Choose a new game."""
        self.mine.choose_game(self.session.wanted, self._start)

    def _start(self, wanted: Wanted | str) -> None:
        self.begin(Session.new(wanted) if isinstance(wanted, Wanted) else Session.of(Game.from_id(wanted)))
        self.mine.remember(wanted)

    def action_again(self) -> None:
        """The same board from its start."""
        session = self.session
        again = Session.of(Game.from_id(started_again(session.game)))
        again.wanted = session.wanted
        if session.needs_board:  # nothing was laid yet
            again = Session.new(session.wanted)
        self.begin(again, "The same board again.")

    # -- the agent -----------------------------------------------------------------------------------------------

    def stop_work(self) -> None:
        """End an agent's turn, and the search for a board."""
        work.forget(self, AGENT, LAY)

    def forget_findings(self) -> None:
        """What was found about the position before, and about the end of the game."""
        super().forget_findings()
        work.forget(self, END)

    def action_stop(self) -> None:
        """The agent hands back; what the coach points at is cleared."""
        self.stop_work()
        self.say("")
        self.changed()

    def action_choose_agent(self) -> None:
        """Choose who helps."""
        self.mine.choose_agent()

    def action_agent(self, one: bool) -> None:
        """The agent takes one step, or plays on until only guesses are left."""
        self.stop_work()
        try:
            self.may_ask()
        except MineproofError as failure:
            self.refused(failure)
            return
        self.say("Thinking …")
        work.begin(self, AGENT, self._turns(one))

    async def _turns(self, one: bool) -> None:
        try:
            while await self._turn(one) and not one:
                self.keep()
            if self.session.game.over:
                self.moved()
            else:
                self.keep()
        except Cancelled:
            return
        except MineproofError as failure:
            self.refused(failure)

    async def _turn(self, one: bool) -> bool:
        """One decision of the agent; whether it can go on."""
        session, name, seat = self.session, self.mine.choices.agent, self.seat
        turn = await work.asked(partial(first_turn, seat, find_agent(name), 0))
        if session.needs_board and turn.left and turn.left[0].cell is not None:
            session.lay(await work.asked(self._laying(turn.left[0].cell), PATIENCE))
        if turn.stop(guess=one and self._guess_for == seat.position) is not None:
            self._hand_back(name, turn.decision, seat.position)
            return False
        moves = turn.next(one=one)
        told = {reason.move: reason for reason in await work.asked(partial(turn.reasons, moves))}
        for move in moves:
            game = session.game
            if game.over or (move.cell is not None and is_done(move, seat.position[move.cell], game[move.cell])):
                continue
            session.play(move)
            self._show_turn(name, move, told.get(move))
            if not one:
                await asyncio.sleep(self.mine.pace)
        return not session.game.over

    def _hand_back(self, name: str, decision: Decision, position: Position) -> None:
        self.changed()
        self._guess_for = position
        if decision.stuck:
            said = f"{name} finds nothing more: it is your move."
        else:
            cell = decision.moves[-1].cell
            risk = "" if decision.risk is None else f", with {a_percent(decision.risk)} risk of a mine"
            said = f"Nothing more is certain: it is your move. {name} would guess {cell}{risk}."
            if cell is not None:
                self.pointed = Overlay(best=position.grid.index(cell))
                self.draw()
        self.coach.tell(f"Agent {name}", [said], "" if decision.stuck else "A: let it guess")
        self.say("The agent hands back: it is your move.")

    def _show_turn(self, name: str, move: Move, reason: Reason | None) -> None:
        """The position after a move of the agent, with the clues of its reason."""
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
        said = [f"{plural(game.step, 'move')}, time {clock_text(session.elapsed)}, 3BV {bbbv(game.layout)}."]
        if game.hits and game.rules.continues:
            said.append(f"Mines opened: {game.hits}.")
        if game.state is State.LOST:
            shown = sum(symbol.isdigit() for symbol in session.symbols)
            said.append(f"{shown} of {len(game.grid) - game.mines} safe cells were open.")
        if known:
            said.append(known)
        if self._place is not None:
            said.append("A new best time!" if self._place == 1 else f"Number {self._place} of your best times.")
        elif game.state is State.WON and not session.counts:
            why_not = "with help or undo" if session.helped else "on a known board, or after a crash"
            said.append(f"Not for the best times: {why_not}.")
        if game.deaths_undone:
            said.append(f"Deaths undone: {game.deaths_undone}.")
        self.coach.tell(title, said, "V review   R same board   N new   U undo")

    def _judge_loss(self) -> None:
        """What could be known before the last move."""
        replay = self.session.replay()
        move = replay.moves[-1]
        hit = self.position.where("*")
        if not hit or len(replay.moves) < 2 or move.kind not in ("open", "chord"):
            return
        before = Seat.at(replay.game(len(replay.moves) - 1))
        work.ask(self, END, partial(lost_by, before, hit[0]), self._tell_end, self.refused)
