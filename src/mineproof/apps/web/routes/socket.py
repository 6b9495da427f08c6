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
from threading import Event
from typing import Any

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from starlette.concurrency import run_in_threadpool
from starlette.websockets import WebSocketState

from mineproof.apps.web import handover
from mineproof.apps.web.games import Planned, TakenSeat
from mineproof.apps.web.problems import FAULT, BadRequest, Busy, InvalidInput, NotFound, TooMany, described
from mineproof.apps.web.services import Services
from mineproof.apps.web.work import address_of
from mineproof.board.move import Move
from mineproof.errors import MineproofError, UnknownName, shorten
from mineproof.limit import Limit
from mineproof.seat.answers import explained, guessed, hinted, numbered, overview, proved

router = APIRouter()
logger = logging.getLogger("mineproof.web")
Answer = dict[str, Any]
MOST_DELAY = 10_000
MODES = ("step", "certain", "run")
DOING = ("move", "sync", "away", "back", "pause", "resume", "stop", "cancel", "agent")

ABOUT: dict[str, tuple[str, Callable[[Services, TakenSeat, "Command", Limit], Answer]]] = {
    "analyse": ("analysis", lambda _, now, __, limit: overview(now.seat, limit).fields()),
    "hint": ("hint", lambda _, now, __, limit: hinted(now.seat, limit)),
    "guess": ("guess", lambda _, now, __, limit: guessed(now.seat, limit)),
    "why": ("why", lambda _, now, said, limit: explained(now.seat, said.text("cell"), limit)),
    "numbers": ("numbers", lambda _, now, said, limit: numbered(now.seat, said.text("cell"), limit)),
    "prove": ("proof", lambda _, now, said, limit: proved(now.seat, said.text("cell"), limit)),
    "knowledge": ("knowledge", lambda use, now, said, limit: handover.knowledge(use, now, said.text("system"), limit)),
}
"""Questions about the position: the name of the answer, and who gives it."""


class Command:
    """A message of the page."""

    def __init__(self, raw: str, most: int) -> None:
        if len(raw) > most:
            raise BadRequest(f"a message can have at most {most:,} characters")
        try:
            said = json.loads(raw)
        except (ValueError, RecursionError):
            raise BadRequest("a message must be a JSON object") from None
        if not isinstance(said, dict):
            raise BadRequest("a message must be a JSON object")
        self.said = said
        name = said.get("id")
        if not isinstance(name, str) or not re.fullmatch("[!-~]{1,64}", name):
            raise BadRequest("a message needs an id: up to 64 ASCII characters without blanks")
        self.id = name

    def text(self, name: str, default: str | None = None) -> str:
        """A field that is text."""
        found = self.said.get(name, default)
        if not isinstance(found, str) or len(found) > 100:
            raise InvalidInput(f"{name} must be text of up to 100 characters")
        return found

    def number(self, name: str, most: float) -> float | None:
        """A field that is a number, or not there."""
        found = self.said.get(name)
        if found is None:
            return None
        if isinstance(found, bool) or not isinstance(found, int | float) or not 0 <= found <= most:
            raise InvalidInput(f"{name} must be a number from 0 to {most:g}")
        return float(found)


class Conversation:
    """One socket, one game."""

    def __init__(self, socket: WebSocket, game_id: str, services: Services) -> None:
        self.socket = socket
        self.game_id = game_id
        self.use = services
        self.address = address_of(socket)
        self.asked: dict[str, Event] = {}
        self.tasks: set[asyncio.Task[None]] = set()
        self.stop: asyncio.Event | None = None
        """While an agent plays."""
        self.agent = ""
        """Its name."""
        self.here = False
        """Whether the page is on screen."""
        self._sending = asyncio.Lock()

    async def hold(self) -> None:
        """Until the page leaves."""
        pages = self.use.pages.setdefault(self.game_id, set())
        pages.add(self)
        try:
            await self.attend(True)
            game = await run_in_threadpool(self.use.games.get, self.game_id)
            await self.send({"event": "game", "game": game})
            while (message := await self.socket.receive())["type"] != "websocket.disconnect":
                await self.hear(message.get("text") or "")
        finally:
            pages.discard(self)
            if not pages:
                self.use.pages.pop(self.game_id, None)
            for cancel in self.asked.values():
                cancel.set()
            for task in self.tasks:
                task.cancel()
            await asyncio.shield(self.attend(False))

    async def attend(self, here: bool) -> None:
        """The page comes on screen, or goes: the clock of a game that no page shows stands still."""
        if self.here is not here:
            self.here = here
            await run_in_threadpool(self.use.games.attend, self.game_id, 1 if here else -1)

    def tell_others(self, message: Answer) -> None:
        """Tell the other pages of this game, without waiting for them."""
        for other in self.use.pages.get(self.game_id, set()) - {self}:
            other.soon(other.send(message))

    async def hear(self, raw: str) -> None:
        """Carry out a message, or start to."""
        try:
            said = Command(raw, self.use.settings.most_message)
        except BadRequest as refused:
            await self.send({"id": None, "error": described(refused)})
            return
        await self.answering(said, self.obey(said))

    async def answering(self, said: Command, doing: Any) -> None:
        """Send the answer to a command if it is ready, or the error."""
        try:
            answer = await doing
        except MineproofError as failure:
            await self.send({"id": said.id, "error": described(failure)})
        except Exception:  # an internal error: report it to the page, and log it
            logger.exception("a command failed: %r", said.said)
            await self.send({"id": said.id, "error": FAULT})
        else:
            if answer is not None:
                await self.send({"id": said.id, "ok": answer})

    async def obey(self, said: Command) -> Answer | None:
        """The answer, or None when it comes later."""
        games, do = self.use.games, said.text("do")
        if do == "move":
            if self.stop is not None:
                raise Busy(f"{self.agent} is playing. Take over first.")
            await self.attend(True)
            planned = Planned(Move.parse(said.text("move")), command=said.id)
            moved = await run_in_threadpool(games.move, self.game_id, [planned])
            self.tell_others({"event": "moved", "moved": moved})
            return moved
        if do == "sync":
            return await run_in_threadpool(games.get, self.game_id)
        if do in ("away", "back"):
            await self.attend(do == "back")
            return await run_in_threadpool(games.get, self.game_id)
        if do in ("pause", "resume"):
            if self.stop is not None:
                self.stop.set()
            game = await run_in_threadpool(games.pause, self.game_id, do == "pause")
            self.tell_others({"event": "paused", "game": game})
            return game
        if do == "stop":
            if self.stop is not None:
                self.stop.set()
            return {}
        if do == "cancel":
            self.asked.get(said.text("of"), Event()).set()
            return {}
        if do in ABOUT:
            cancel = self.asked[said.id] = Event()  # set now, because the next command may cancel it
            self.later(said, self.about(said, do, cancel))
            return None
        if do == "agent":
            if self.stop is not None:
                raise Busy(f"{self.agent} is playing. Take over first.")
            self.stop, self.agent, cancel = asyncio.Event(), said.text("agent", "best"), Event()
            self.asked[said.id] = cancel
            self.later(said, self.play(said, self.stop, cancel))
            return None
        raise UnknownName("command", do, [*DOING, *ABOUT])

    def later(self, said: Command, doing: Any) -> None:
        """Answer when it is done; meanwhile other commands are processed."""
        self.soon(self.answering(said, doing))

    def soon(self, doing: Any) -> None:
        """Do it beside the rest, as long as the page is there."""
        task = asyncio.create_task(doing)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def about(self, said: Command, do: str, cancel: Event) -> Answer:
        """Whatever is asked about the position."""
        name, ask = ABOUT[do]
        try:
            taken = await run_in_threadpool(self.use.games.helped, self.game_id, do)
            seconds = said.number("seconds", self.use.settings.most_seconds)
            found = await self.use.work.run(
                self.address, lambda limit: ask(self.use, taken, said, limit), seconds, cancel
            )
            return {"seq": taken.seq, name: found}
        finally:
            self.asked.pop(said.id, None)

    async def play(self, said: Command, stop: asyncio.Event, cancel: Event) -> Answer:
        """Let an agent play until it stops, and report each turn."""
        rest: handover.Rest | None = None
        try:
            name, mode = said.text("agent", "best"), said.text("mode", "step")
            if mode not in MODES:
                raise UnknownName("mode", mode, MODES)
            delay = said.number("delay_ms", MOST_DELAY)
            guess = said.said.get("guess", mode == "run") is True
            one = mode == "step" or bool(delay)
            while True:

                def ask(limit: Limit, rest: handover.Rest | None = rest) -> tuple[Answer, handover.Rest | None]:
                    return handover.turn(self.use, self.game_id, name, one=one, guess=guess, limit=limit, rest=rest)

                turn, rest = await self.use.work.run(self.address, ask, None, cancel)
                if turn["stop"] is None and stop.is_set():
                    turn["stop"] = "asked"
                await self.send({"event": "turn", "id": said.id, "turn": turn})
                if turn["moves"]:
                    self.tell_others({"event": "moved", "moved": turn})
                if turn["stop"] is not None or mode == "step":
                    return turn
                if delay:
                    with suppress(TimeoutError):
                        await asyncio.wait_for(stop.wait(), delay / 1000)
                if stop.is_set():
                    return {**await run_in_threadpool(self.use.games.still, self.game_id), **_unplayed(turn, "asked")}
        finally:
            self.asked.pop(said.id, None)
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
    use: Services = socket.app.state.services
    await socket.accept()
    try:
        with use.work.one_of("sockets", address_of(socket), use.settings.most_sockets):
            await Conversation(socket, game_id, use).hold()
    except (NotFound, TooMany) as refused:
        code = 4404 if isinstance(refused, NotFound) else 4429
        await socket.send_text(json.dumps({"id": None, "error": described(refused)}))
        await socket.close(code, shorten(str(refused))[:100])
