"""Agents in other programs: one JSON position a line goes in, one JSON decision a line comes out.

`OutsideAgent` plays with such a program; `serve` is the other end, with any of our agents behind it. The protocol is
told in full in ``docs/protocol.md``.
"""

from __future__ import annotations

import json
import os
import selectors
import shlex
import socket
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

from mineproof.agents import keeper
from mineproof.agents.agent import Agent, Decision
from mineproof.board.grid import Cell
from mineproof.board.move import KINDS, Move
from mineproof.board.position import Position
from mineproof.errors import AgentFault, InvalidText, MineproofError, NeverAnswers, shorten
from mineproof.limit import DEFAULT, Limit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

PROTOCOL = 1
START_SECONDS = 20.0
"""That the first choice of a game may take longer: the program may have to be started."""
MOST_SILENT = 3
"""Starts without a single answer, after which it is no agent."""
STOP_SECONDS = 10.0
"""For a keeper to end its program."""
MOVES_A_CELL = 4
"""In one answer: a mark may come off and another on before the cell is opened, and again by a chord."""
MOVE_LENGTH = 64
"""Characters of a move, and more than it takes."""
ROOM = 2**16
"""Characters for what else an answer says."""
LONGEST = 2**24
"""Characters of an answer, however large the board is."""
LAST_WORDS = 2000
"""Bytes that are kept of what a program writes to standard error."""
PIECE = 2**16
"""Bytes that are read at a time."""


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


def read_answer(line: str, most: int | None = None) -> Decision:
    """The decision that a program wrote, with at most so many moves.

    >>> read_answer('{"moves": ["flag A1", ["open", 0, 1]], "certain": true}').moves[1]
    Move(kind='open', cell=Cell(row=0, col=1))
    """
    fields = _fields(line)
    moves, certain, risk = fields.get("moves"), fields.get("certain", False), fields.get("risk")
    if "error" in fields:
        raise AgentFault(f"it says: {shorten(fields['error'], 200)}")
    if not isinstance(moves, list):
        raise InvalidText("a decision has a list of moves")
    if most is not None and len(moves) > most:
        raise InvalidText(f"{len(moves):,} moves are too many; at most {most:,} for this board")
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


class OutsideAgent(Agent):
    """A program that plays. It is started at its first choice, and again after a fault."""

    outside = True

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
            self.close()  # what it says too late is no fault of this game
        if self._program is None:
            self._program = _Program(self.command)
        seconds = limit.seconds + START_SECONDS * new_game  # whether it must be started or not, for all games alike
        moves = MOVES_A_CELL * len(position.grid)
        try:
            asked = request(position, self._seed, self._turn, limit)
            line = self._program.ask(asked, seconds, min(ROOM + MOVE_LENGTH * moves, LONGEST))
            decision = read_answer(line, moves)
        except BaseException as failure:  # whatever it was, the program may be in the middle of a line
            self.close()
            self._silent += self._silent >= 0
            if self._silent >= MOST_SILENT and isinstance(failure, MineproofError):
                raise NeverAnswers(f"{shlex.join(self.command)} never gave an answer: {failure}") from None
            if isinstance(failure, MineproofError) and not isinstance(failure, AgentFault):
                raise AgentFault(f"its answer makes no sense: {failure}") from None
            raise
        self._silent = -1
        self._turn += 1
        return decision

    def close(self) -> None:
        """End the program; the next choice starts it anew."""
        if self._program is not None:
            self._program.stop()
            self._program = None


class _Program:
    """A running program, and the keeper that ends it with all that it has started, also when we are killed.

    Nobody waits for it longer than they want to, and it can write as much as it likes: what is kept is little.
    """

    def __init__(self, command: list[str]) -> None:
        self.keeper, theirs = socket.socketpair()
        with theirs:
            keep = [sys.executable, "-I", "-S", keeper.__file__, str(theirs.fileno()), *command]
            try:
                self.process = subprocess.Popen(
                    keep,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    pass_fds=[theirs.fileno()],
                    start_new_session=True,  # Ctrl-C is for us
                )
            except BaseException:
                self.keeper.close()
                raise
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        self.questions, self.answers, self.complaints = self.process.stdin, self.process.stdout, self.process.stderr
        self.last_words = b""
        """What it has complained of since its last answer, as far as it is kept."""
        self.selector = selectors.DefaultSelector()
        try:
            self._begin(command[0])
        except BaseException:
            self.stop()
            raise

    def _begin(self, name: str) -> None:
        for pipe in (self.questions, self.answers, self.complaints):
            os.set_blocking(pipe.fileno(), False)
        for pipe in (self.answers, self.complaints):
            self.selector.register(pipe, selectors.EVENT_READ)
        said = self.keeper.recv(32).decode()
        if not said:
            raise NeverAnswers(f"{name} could not be started{self._complaint()}")
        if said.startswith("-"):
            raise OSError(-int(said), os.strerror(-int(said)), name)

    def __del__(self) -> None:
        if hasattr(self, "selector"):
            self.stop()

    def has_more(self) -> bool:
        """Whether it has said something that nobody asked for, or has ended."""
        return self.answers in self._ready(0)

    def ask(self, line: str, seconds: float, longest: int) -> str:
        """One line for another."""
        deadline = time.monotonic() + seconds
        asked, answered = (line + "\n").encode(), bytearray()
        self.selector.register(self.questions, selectors.EVENT_WRITE)
        while b"\n" not in answered:
            left = deadline - time.monotonic()
            ready = self._ready(left)
            if not ready or (left <= 0 and self.answers not in ready):
                raise AgentFault("it did not answer in time")
            if self.complaints in ready:
                self._hear()
            if self.questions in ready:
                try:
                    asked = asked[os.write(self.questions.fileno(), asked) :]
                except OSError:
                    raise AgentFault(f"it ended{self._complaint()}") from None
                if not asked:
                    self.selector.unregister(self.questions)
            if self.answers in ready:
                more = os.read(self.answers.fileno(), PIECE)
                answered += more
                if not more:
                    raise AgentFault(f"it ended{self._complaint()}")
                if len(answered) > longest:
                    raise AgentFault("its answer has no end")
        answer, _, rest = bytes(answered).partition(b"\n")
        if rest or asked:
            raise AgentFault("it said more than it was asked")
        self._hear()
        self.last_words = b""
        try:
            return answer.decode()
        except UnicodeDecodeError:
            raise AgentFault("its answer makes no sense: it is no UTF-8") from None

    def _ready(self, seconds: float) -> set[object]:
        """The pipes that are ready, after at most so long."""
        return {key.fileobj for key, _ in self.selector.select(max(0.0, seconds))}

    def _hear(self) -> bool:
        """Some of what it complains of; whether there was any."""
        try:
            more = os.read(self.complaints.fileno(), PIECE)
        except BlockingIOError:
            return False
        if not more and self.complaints in self.selector.get_map():  # that was the end of it
            self.selector.unregister(self.complaints)
        self.last_words = (self.last_words + more)[-LAST_WORDS:]
        return bool(more)

    def _complaint(self) -> str:
        """Its last line on standard error."""
        for _ in range(64):  # somebody may still be writing
            if not self._hear():
                break
        said = [line.strip() for line in self.last_words.decode(errors="replace").split("\n") if line.strip()]
        return f", saying: {shorten(said[-1], 200)}" if said else ""

    def stop(self) -> None:
        """End it, and whatever it has started, at once."""
        self.keeper.close()
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:  # somebody holds up the keeper
            self.process.kill()
            self.process.wait()
        self.selector.close()
        for pipe in (self.questions, self.answers, self.complaints):
            pipe.close()
