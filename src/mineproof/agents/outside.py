"""Agents in other programs: one JSON position a line goes in, one JSON decision a line comes out.

`OutsideAgent` plays with such a program; `serve` is the other end, with any of our agents behind it. The protocol is
told in full in ``docs/protocol.md``.
"""

from __future__ import annotations

import json
import os
import selectors
import shlex
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Any, ClassVar
from weakref import WeakSet

from mineproof.agents.agent import Decision
from mineproof.board.grid import Cell
from mineproof.board.move import KINDS, Move
from mineproof.board.position import Position
from mineproof.errors import AgentFault, InvalidText, MineproofError, NeverAnswers, shorten
from mineproof.limit import DEFAULT, Limit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mineproof.agents.agent import Agent

PROTOCOL = 1
START_SECONDS = 20.0
"""That the first choice of a game may take longer: the program may have to be started."""
MOST_SILENT = 3
"""Starts without a single answer, after which it is no agent."""
LONGEST_LINE = 2**24
MOST_COMPLAINTS = 2**24
"""That are kept of what a program writes to standard error."""


def request(position: Position, seed: int, turn: int, limit: Limit) -> str:
    """What a program is asked: a line of JSON."""
    _, *rows = position.to_text().split()
    of_game = {"protocol": PROTOCOL, "seed": seed, "turn": turn, "seconds": limit.seconds}
    return json.dumps({**of_game, "mines": position.mines, "rows": rows})


def answer(decision: Decision) -> str:
    """What a program says: a line of JSON."""
    fields: dict[str, Any] = {"moves": list(map(str, decision.moves)), "certain": decision.certain}
    if decision.risk is not None:
        fields["risk"] = decision.risk
    return json.dumps(fields)


def read_request(line: str) -> tuple[Position, int, int, Limit]:
    """The position, the seed, the turn and the limit of a question."""
    fields = _fields(line)
    if fields.get("protocol", PROTOCOL) != PROTOCOL:
        raise InvalidText(f"this speaks protocol {PROTOCOL}, not {shorten(fields['protocol'])}")
    rows, mines = fields.get("rows"), fields.get("mines")
    if not isinstance(rows, list) or not rows or not all(isinstance(row, str) for row in rows):
        raise InvalidText("a question has its rows as a list of text")
    seed, turn, seconds = fields.get("seed", 0), fields.get("turn", 0), fields.get("seconds", DEFAULT.seconds)
    if not all(isinstance(number, int) and not isinstance(number, bool) for number in (mines, seed, turn)):
        raise InvalidText("the mines, the seed and the turn of a question are whole numbers")
    position = Position.from_text(f"{len(rows[0])}x{len(rows)}x{mines}\n" + "\n".join(rows))
    return position, seed, turn, Limit(seconds)


def read_answer(line: str) -> Decision:
    """The decision that a program wrote.

    >>> read_answer('{"moves": ["flag A1", ["open", 0, 1]], "certain": true}').moves[1]
    Move(kind='open', cell=Cell(row=0, col=1))
    """
    fields = _fields(line)
    moves, certain, risk = fields.get("moves"), fields.get("certain", False), fields.get("risk")
    if "error" in fields:
        raise AgentFault(f"it says: {shorten(fields['error'], 200)}")
    if not isinstance(moves, list):
        raise InvalidText("a decision has a list of moves")
    if not isinstance(certain, bool):
        raise InvalidText(f"a decision is certain or not: true or false, not {shorten(certain)}")
    if risk is not None and (isinstance(risk, bool) or not isinstance(risk, (int, float)) or not 0 <= risk <= 1):
        raise InvalidText(f"a risk is a number from 0 to 1, not {shorten(risk)}")
    return Decision(tuple(map(_move, moves)), certain, risk)


def _fields(line: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        raise InvalidText(f"this is no JSON: {shorten(line.strip())}") from None
    if not isinstance(found, dict):
        raise InvalidText(f"a line is a JSON object, not {shorten(line.strip())}")
    return found


def _move(text: object) -> Move:
    """A move as text, or as a list of what, row and column, counted from 0."""
    if isinstance(text, str):
        return Move.parse(text)
    if isinstance(text, list) and len(text) == 3 and text[0] in KINDS and all(type(n) is int for n in text[1:]):
        return Move(text[0], Cell(text[1], text[2]))
    raise InvalidText(f'a move is "open C4" or ["open", 3, 2], not {shorten(text)}')


def serve(agent: Agent, lines: Iterable[str]) -> Iterator[str]:
    """Answers to questions, line by line. What cannot be understood gets a line with an ``error``."""
    for line in lines:
        if not line.strip():
            continue
        try:
            position, seed, turn, limit = read_request(line)
            if turn == 0:
                agent.reset(seed)
            yield answer(agent.choose(position, limit))
        except MineproofError as failure:
            yield json.dumps({"error": str(failure)})


class OutsideAgent:
    """A program that plays. It is started at its first choice, and again after a fault."""

    def __init__(self, command: str) -> None:
        try:
            self.command = shlex.split(command)
        except ValueError as failure:
            raise InvalidText(f"this is no command: {shorten(command)} ({failure})") from None
        if not self.command:
            raise InvalidText("a command names a program")
        self._program: _Program | None = None
        self._silent = 0  # times that it was started and did not answer once
        self.reset()

    def reset(self, seed: int = 0) -> None:
        """Before each game. The program hears of it with the first position."""
        self._seed, self._turn = seed, 0

    def choose(self, position: Position, limit: Limit = DEFAULT) -> Decision:
        """What the program says; an `AgentFault` if it dies, is late or makes no sense."""
        new_game = self._turn == 0
        if new_game and self._program is not None and self._program.has_more():
            self.restart()  # what it says too late is no fault of this game
        if self._program is None:
            self._program = _Program(self.command)
        seconds = limit.seconds + START_SECONDS * new_game  # whether it must be started or not, for all games alike
        try:
            line = self._program.ask(request(position, self._seed, self._turn, limit), seconds)
            decision = read_answer(line)
        except BaseException as failure:  # whatever it was, the program may be in the middle of a line
            self.restart()
            self._silent += self._silent >= 0
            if self._silent >= MOST_SILENT and isinstance(failure, MineproofError):
                raise NeverAnswers(f"{shlex.join(self.command)} never gave an answer: {failure}") from None
            if isinstance(failure, MineproofError) and not isinstance(failure, AgentFault):
                raise AgentFault(f"its answer makes no sense: {failure}") from None
            raise
        self._silent = -1
        self._turn += 1
        return decision

    def restart(self) -> None:
        """End the program; the next choice starts it anew."""
        if self._program is not None:
            self._program.stop()
            self._program = None


class _Program:
    """A running program, with all that it starts itself. Nobody waits for it longer than they want to."""

    running: ClassVar[WeakSet[_Program]] = WeakSet()

    def __init__(self, command: list[str]) -> None:
        self.complaints = tempfile.TemporaryFile("a+b")  # noqa: SIM115 - closed in stop()
        self.heard = 0  # bytes of them
        try:
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.complaints, start_new_session=True
            )
        except OSError:
            self.complaints.close()
            raise
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.questions, self.answers = self.process.stdin, self.process.stdout
        for pipe in (self.questions, self.answers):
            os.set_blocking(pipe.fileno(), False)
        self.running.add(self)

    def __del__(self) -> None:
        if hasattr(self, "process"):
            self.stop()

    def has_more(self) -> bool:
        """Whether it has said something that nobody asked for, or has ended."""
        return bool(self._wait({self.answers: selectors.EVENT_READ}, 0))

    def ask(self, line: str, seconds: float) -> str:
        """One line for another."""
        deadline = time.monotonic() + seconds
        if os.fstat(self.complaints.fileno()).st_size > MOST_COMPLAINTS:
            self.complaints.truncate(0)
            self.heard = 0
        asked, answered = (line + "\n").encode(), b""
        while b"\n" not in answered:
            wanted = {self.answers: selectors.EVENT_READ}
            if asked:
                wanted[self.questions] = selectors.EVENT_WRITE
            ready = self._wait(wanted, deadline - time.monotonic())
            if not ready:
                raise AgentFault("it did not answer in time")
            if self.questions in ready:
                try:
                    asked = asked[os.write(self.questions.fileno(), asked) :]
                except OSError:
                    raise AgentFault(f"it ended{self._last_words()}") from None
            if self.answers in ready:
                more = os.read(self.answers.fileno(), 2**16)
                answered += more
                if not more:
                    raise AgentFault(f"it ended{self._last_words()}")
                if len(answered) > LONGEST_LINE:
                    raise AgentFault("its answer has no end")
        answer, _, rest = answered.partition(b"\n")
        if rest or asked:
            raise AgentFault("it said more than it was asked")
        self.heard = os.fstat(self.complaints.fileno()).st_size
        try:
            return answer.decode()
        except UnicodeDecodeError:
            raise AgentFault("its answer makes no sense: it is no UTF-8") from None

    @staticmethod
    def _wait(wanted: dict[IO[bytes], int], seconds: float) -> set[object]:
        """The pipes that are ready, for at most so long."""
        with selectors.DefaultSelector() as selector:
            for pipe, event in wanted.items():
                selector.register(pipe, event)
            return {key.fileobj for key, _ in selector.select(max(0.0, seconds))}

    def _last_words(self) -> str:
        """What it has complained of since its last answer."""
        size = os.fstat(self.complaints.fileno()).st_size
        self.complaints.seek(max(self.heard, size - 2000))
        said = [line.strip() for line in self.complaints.read().decode(errors="replace").split("\n") if line.strip()]
        return f", saying: {shorten(said[-1], 200)}" if said else ""

    def stop(self) -> None:
        """End it, and whatever it has started, at once."""
        if self.complaints.closed:
            return
        with suppress(ProcessLookupError):  # it may have ended by itself
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.questions.close()
        self.answers.close()
        self.complaints.close()


def stop_programs() -> None:
    """End all programs of this process: for whoever leaves without saying good-bye."""
    for program in list(_Program.running):
        program.stop()
