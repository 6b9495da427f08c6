"""The socket of a game: commands in, answers and turns out.

A game is a row of the database; a conversation holds only work in progress: analyses, which end with it, and an agent
that plays. Moves are made one by one; everything else may overtake them.
"""

import asyncio
import json
import logging
import re
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from threading import Event
from typing import Any

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from starlette.concurrency import run_in_threadpool
from starlette.websockets import WebSocketState

from mineproof.apps.web import handover
from mineproof.apps.web.games import Planned, TakenSeat
from mineproof.apps.web.problems import FAULT, BadRequest, Busy, InvalidInput, NotFound, TooMany, described
from mineproof.apps.web.services import Services, player_of
from mineproof.apps.web.work import address_of
from mineproof.board.move import Move
from mineproof.errors import MineproofError, UnknownName, shorten
from mineproof.limit import Limit
from mineproof.seat.answers import Answer, explained, guessed, hinted, numbered, overview, proved

router = APIRouter()
logger = logging.getLogger("mineproof.web")
MOST_DELAY = 10_000
"""Greatest pause between two turns of an agent, in milliseconds."""
MODES = ("step", "certain", "run")
LOOKING = ("sync", "away", "back", "cancel")
"""What a visitor may do too, at another player's game."""
DOING = ("move", "sync", "away", "back", "pause", "resume", "stop", "cancel", "agent")

ABOUT: dict[str, tuple[str, Callable[[Services, TakenSeat, "Command", Limit], Answer]]] = {
    "analyse": ("analysis", lambda _, now, __, limit: overview(now.seat, limit).fields()),
    "hint": ("hint", lambda _, now, __, limit: hinted(now.seat, limit)),
    "guess": ("guess", lambda _, now, __, limit: guessed(now.seat, limit)),
    "why": ("why", lambda _, now, command, limit: explained(now.seat, command.text("cell"), limit)),
    "numbers": ("numbers", lambda _, now, command, limit: numbered(now.seat, command.text("cell"), limit)),
    "prove": ("proof", lambda _, now, command, limit: proved(now.seat, command.text("cell"), limit)),
    "knowledge": (
        "knowledge",
        lambda services, now, command, limit: handover.knowledge(services, now, command.text("system"), limit),
    ),
}
"""Questions about the position: the name of the answer, and the function that gives it."""


class Command:
    """A message of the page."""

    def __init__(self, raw: str, most: int) -> None:
        if len(raw) > most:
            raise BadRequest(f"a message can have at most {most:,} characters")
        try:
            fields = json.loads(raw)
        except (ValueError, RecursionError):
            raise BadRequest("a message must be a JSON object") from None
        if not isinstance(fields, dict):
            raise BadRequest("a message must be a JSON object")
        self.fields = fields
        name = fields.get("id")
        if not isinstance(name, str) or not re.fullmatch("[!-~]{1,64}", name):
            raise BadRequest("a message needs an id: up to 64 ASCII characters without blanks")
        self.id = name

    def text(self, name: str, default: str | None = None) -> str:
        """A field that is text."""
        value = self.fields.get(name, default)
        if not isinstance(value, str) or len(value) > 100:
            raise InvalidInput(f"{name} must be text of up to 100 characters")
        return value

    def number(self, name: str, most: float) -> float | None:
        """A field that is a number, or not there."""
        value = self.fields.get(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
            raise InvalidInput(f"{name} must be a number from 0 to {most:g}")
        return float(value)


class Conversation:
    """One socket, one game."""

    def __init__(self, socket: WebSocket, game_id: str, services: Services) -> None:
        self.socket = socket
        self.game_id = game_id
        self.services = services
        self.player = player_of(socket)
        self.address = address_of(socket)
        self.asked: dict[str, Event] = {}
        self.tasks: set[asyncio.Task[None]] = set()
        self.stop: asyncio.Event | None = None
        """Set to stop the agent that plays; None if none does."""
        self.agent = ""
        """The name of that agent."""
        self.shown = False
        """Whether the page is on screen."""
        self._sending = asyncio.Lock()

    async def hold(self) -> None:
        """Talk with the page until it leaves."""
        pages = self.services.pages.setdefault(self.game_id, set())
        pages.add(self)
        try:
            game = await self.attend_and_get(True)
            await self.send({"event": "game", "game": game})
            while (message := await self.socket.receive())["type"] != "websocket.disconnect":
                await self.hear(message.get("text") or "")
        finally:
            pages.discard(self)
            if not pages:
                self.services.pages.pop(self.game_id, None)
            for cancel in self.asked.values():
                cancel.set()
            for task in self.tasks:
                task.cancel()
            await asyncio.shield(self.attend(False))

    async def get(self) -> Answer:
        """Return the game as this player may see it."""
        return await run_in_threadpool(self.services.games.get, self.game_id, self.player)

    async def attend_and_get(self, shown: bool) -> Answer:
        """Return the game, after noting whether its owner's page is on screen."""
        game = await self.get()
        if not game["yours"]:
            return game
        await self.attend(shown)
        return await self.get()

    async def look(self, event: str) -> None:
        """Show the page the game as its player may see it now: another may have become the owner, or hidden it."""
        try:
            game = await self.get()
        except NotFound as gone:
            await self.leave(gone)
            return
        if not game["yours"]:
            await self.attend(False)
            if self.stop is not None:
                self.stop.set()
        await self.send({"event": event, "game": game})

    async def leave(self, refused: NotFound | TooMany) -> None:
        """End the conversation, and say why."""
        await self.send({"id": None, "error": described(refused)})
        with suppress(WebSocketDisconnect, RuntimeError):
            await self.socket.close(4404 if isinstance(refused, NotFound) else 4429, shorten(str(refused))[:100])

    async def attend(self, shown: bool) -> None:
        """Note whether the page is on screen: the clock of a game that no page shows stands still."""
        if self.shown is not shown:
            self.shown = shown
            await run_in_threadpool(self.services.games.attend, self.game_id, 1 if shown else -1)

    def tell_others(self, message: Answer) -> None:
        """Tell the other pages of this game, without waiting for them."""
        for other in self.services.pages.get(self.game_id, set()) - {self}:
            other.soon(other.send(message))

    async def hear(self, raw: str) -> None:
        """Carry out a message, or begin to."""
        try:
            command = Command(raw, self.services.settings.most_message)
        except BadRequest as refused:
            await self.send({"id": None, "error": described(refused)})
            return
        await self.answering(command, self.obey(command))

    async def answering(self, command: Command, doing: Any) -> None:
        """Send the answer to a command if it is ready, or the error."""
        try:
            answer = await doing
        except MineproofError as failure:
            await self.send({"id": command.id, "error": described(failure)})
        except Exception:  # an internal error: report it to the page, and log it
            logger.exception("a command failed: %r", command.fields)
            await self.send({"id": command.id, "error": FAULT})
        else:
            if answer is not None:
                await self.send({"id": command.id, "ok": answer})

    async def obey(self, command: Command) -> Answer | None:
        """Carry out a command, and return its answer, or None if that comes later."""
        games, do = self.services.games, command.text("do")
        plays = do not in LOOKING
        await run_in_threadpool(partial(games.check, self.game_id, self.player, plays=plays))
        if do == "move":
            if self.stop is not None:
                raise Busy(f"{self.agent} is playing. Take over first.")
            await self.attend(True)
            planned = Planned(Move.parse(command.text("move")), command=command.id)
            moved = await run_in_threadpool(games.move, self.game_id, [planned])
            self.tell_others({"event": "moved", "moved": moved})
            return moved
        if do == "sync":
            return await self.get()
        if do in ("away", "back"):
            return await self.attend_and_get(do == "back")
        if do in ("pause", "resume"):
            if self.stop is not None:
                self.stop.set()
            await run_in_threadpool(games.pause, self.game_id, do == "pause")
            for other in self.services.pages.get(self.game_id, set()) - {self}:
                other.soon(other.look("paused"))
            return await self.get()
        if do == "stop":
            if self.stop is not None:
                self.stop.set()
            return {}
        if do == "cancel":
            self.asked.get(command.text("of"), Event()).set()
            return {}
        if do in ABOUT:
            cancel = self.asked[command.id] = Event()  # set now, because the next command may cancel it
            self.later(command, self.about(command, do, cancel))
            return None
        if do == "agent":
            if self.stop is not None:
                raise Busy(f"{self.agent} is playing. Take over first.")
            self.stop, self.agent, cancel = asyncio.Event(), command.text("agent", "best"), Event()
            self.asked[command.id] = cancel
            self.later(command, self.play(command, self.stop, cancel))
            return None
        raise UnknownName("command", do, [*DOING, *ABOUT])

    def later(self, command: Command, doing: Any) -> None:
        """Answer when it is done; meanwhile other commands are processed."""
        self.soon(self.answering(command, doing))

    def soon(self, doing: Any) -> None:
        """Run this beside the conversation, and end it with that."""
        task = asyncio.create_task(doing)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def about(self, command: Command, do: str, cancel: Event) -> Answer:
        """Answer a question about the position."""
        name, ask = ABOUT[do]
        try:
            taken = await run_in_threadpool(self.services.games.helped, self.game_id, do)
            seconds = command.number("seconds", self.services.settings.most_seconds)
            answer = await self.services.work.run(
                self.address, lambda limit: ask(self.services, taken, command, limit), seconds, cancel
            )
            return {"seq": taken.seq, name: answer}
        finally:
            self.asked.pop(command.id, None)

    async def play(self, command: Command, stop: asyncio.Event, cancel: Event) -> Answer:
        """Let an agent play until it stops, and report each turn."""
        open_turn: handover.OpenTurn | None = None
        try:
            name, mode = command.text("agent", "best"), command.text("mode", "step")
            if mode not in MODES:
                raise UnknownName("mode", mode, MODES)
            delay = command.number("delay_ms", MOST_DELAY)
            guess = command.fields.get("guess", mode == "run") is True
            single = mode == "step" or bool(delay)
            while True:

                def ask(
                    limit: Limit, open_turn: handover.OpenTurn | None = open_turn
                ) -> tuple[Answer, handover.OpenTurn | None]:
                    return handover.turn(
                        self.services, self.game_id, name, single=single, guess=guess, limit=limit, open_turn=open_turn
                    )

                await run_in_threadpool(partial(self.services.games.check, self.game_id, self.player, plays=True))
                turn, open_turn = await self.services.work.run(self.address, ask, None, cancel)
                if turn["stop"] is None and stop.is_set():
                    turn["stop"] = "asked"
                await self.send({"event": "turn", "id": command.id, "turn": turn})
                if turn["moves"]:
                    self.tell_others({"event": "moved", "moved": turn})
                if turn["stop"] is not None or mode == "step":
                    return turn
                if delay:
                    with suppress(TimeoutError):
                        await asyncio.wait_for(stop.wait(), delay / 1000)
                if stop.is_set():
                    return {
                        **await run_in_threadpool(self.services.games.still, self.game_id),
                        **_unplayed(turn, "asked"),
                    }
        finally:
            self.asked.pop(command.id, None)
            self.stop = None

    async def send(self, message: Answer) -> None:
        """Send one message at a time; the client may be gone."""
        async with self._sending:
            if self.socket.client_state is WebSocketState.CONNECTED:
                with suppress(WebSocketDisconnect, RuntimeError):
                    await self.socket.send_text(json.dumps(message, allow_nan=False, separators=(",", ":")))


def _unplayed(turn: Answer, stop: str) -> Answer:
    names = ("agent", "certain", "risk", "chance", "alternatives")
    return {**{name: turn[name] for name in names}, "moves": [], "why": [], "stop": stop}


@router.websocket("/api/games/{game_id}/socket")
async def game_socket(socket: WebSocket, game_id: str) -> None:
    """Talk about a game until the page leaves."""
    services: Services = socket.app.state.services
    await socket.accept()
    conversation = Conversation(socket, game_id, services)
    try:
        with services.work.slot("sockets", address_of(socket), services.settings.most_sockets):
            await conversation.hold()
    except (NotFound, TooMany) as refused:
        await conversation.leave(refused)
