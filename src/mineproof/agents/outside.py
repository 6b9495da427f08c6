"""Agents in other programs: one JSON position per line in, one JSON decision per line out.

`OutsideAgent` plays with such a program; `serve` is the other end, and answers for any agent. ``docs/protocol.md``
describes the protocol in full.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from mineproof.agents import program
from mineproof.agents.agent import Agent, Decision
from mineproof.board.grid import Cell
from mineproof.board.move import KINDS, Move
from mineproof.board.position import Position
from mineproof.errors import AgentFault, InvalidText, MineproofError, NeverAnswers, shorten
from mineproof.limit import DEFAULT, Limit
from mineproof.system import join_command, split_command

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mineproof.agents.program import Program

PROTOCOL = 1
START_SECONDS = 20.0
"""Extra seconds for the first choice of a game: the program may have to be started."""
MOST_SILENT = 3
"""The most starts in a row without an answer; then the program is given up."""
MOVES_PER_CELL = 4
"""The most moves per cell in one answer: a mark may be removed and set, and the cell opened, and again by a chord."""
MOVE_LENGTH = 64
"""The most characters of a move, with room to spare."""
OTHER_FIELDS_LENGTH = 2**16
"""The most characters of an answer apart from its moves."""
LONGEST = 2**24
"""The most characters of an answer on any board."""


def request(position: Position, seed: int, turn: int, limit: Limit) -> str:
    """Return a question to a program, as a line of JSON."""
    _, *rows = position.to_text().split()
    fields = {"protocol": PROTOCOL, "seed": seed, "turn": turn, "seconds": limit.seconds}
    return json.dumps({**fields, "mines": position.mines, "rows": rows})


def answer(decision: Decision) -> str:
    """Return a program's answer, as a line of JSON."""
    fields: dict[str, Any] = {"moves": list(map(str, decision.moves)), "certain": decision.certain}
    if decision.risk is not None:
        fields["risk"] = decision.risk
    return json.dumps(fields)


def read_request(line: str) -> tuple[Position, int, int, Limit]:
    """Return the position, the seed, the turn and the limit of a question."""
    fields = _fields(line)
    if fields.get("protocol", PROTOCOL) != PROTOCOL:
        raise InvalidText(f"the protocol is {PROTOCOL}, not {shorten(fields['protocol'])}")
    rows, mines = fields.get("rows"), fields.get("mines")
    if not isinstance(rows, list) or not rows or not all(isinstance(row, str) for row in rows):
        raise InvalidText("the rows of a question must be a list of text")
    seed, turn, seconds = fields.get("seed", 0), fields.get("turn", 0), fields.get("seconds", DEFAULT.seconds)
    if not all(isinstance(number, int) and not isinstance(number, bool) for number in (mines, seed, turn)):
        raise InvalidText("the mines, the seed and the turn of a question must be whole numbers")
    position = Position.from_text(f"{len(rows[0])}x{len(rows)}x{mines}\n" + "\n".join(rows))
    return position, seed, turn, Limit(seconds)


def read_answer(line: str, most: int | None = None) -> Decision:
    """Return the decision that a program wrote, with at most ``most`` moves.

    >>> read_answer('{"moves": ["flag A1", ["open", 0, 1]], "certain": true}').moves[1]
    Move(kind='open', cell=Cell.parse('B1'))
    """
    fields = _fields(line)
    moves, certain, risk = fields.get("moves"), fields.get("certain", False), fields.get("risk")
    if "error" in fields:
        raise AgentFault(f"it says: {shorten(fields['error'], 200)}")
    if not isinstance(moves, list):
        raise InvalidText("a decision needs a list of moves")
    if most is not None and len(moves) > most:
        raise InvalidText(f"{len(moves):,} moves are too many; this board allows at most {most:,}")
    if not isinstance(certain, bool):
        raise InvalidText(f"certain must be true or false, not {shorten(certain)}")
    if risk is not None and (isinstance(risk, bool) or not isinstance(risk, (int, float)) or not 0 <= risk <= 1):
        raise InvalidText(f"a risk must be a number from 0 to 1, not {shorten(risk)}")
    return Decision(tuple(map(_move, moves)), certain, risk)


def _fields(line: str) -> dict[str, Any]:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError):
        raise InvalidText(f"not JSON: {shorten(line.strip())}") from None
    if not isinstance(fields, dict):
        raise InvalidText(f"a line must be a JSON object, not {shorten(line.strip())}")
    return fields


def _move(item: object) -> Move:
    """Read a move: text, or a list of kind, row and column, counted from 0."""
    if isinstance(item, str):
        return Move.parse(item)
    if isinstance(item, list) and len(item) == 3 and item[0] in KINDS and all(type(n) is int for n in item[1:]):
        return Move(item[0], Cell(item[1], item[2]))
    raise InvalidText(f'a move must be like "open C4" or ["open", 3, 2], not {shorten(item)}')


def serve(agent: Agent, lines: Iterable[str]) -> Iterator[str]:
    """Answer questions line by line. An invalid question is answered with an ``error``."""
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
    """An agent that is another program. It is started for its first choice, and restarted after a fault."""

    outside = True

    def __init__(self, command: str) -> None:
        try:
            self.command = split_command(command)
        except ValueError as failure:
            raise InvalidText(f"not a command: {shorten(command)} ({failure})") from None
        if not self.command:
            raise InvalidText("a command must name a program")
        self._program: Program | None = None
        self._silent = 0  # starts without an answer; -1 once there was one
        self.reset()

    def __getstate__(self) -> dict[str, Any]:
        """Leave the running program out: a copy starts its own."""
        return {**vars(self), "_program": None}

    def reset(self, seed: int = 0) -> None:
        """Prepare a new game. The program learns of it with the first position."""
        self._seed, self._turn = seed, 0

    def choose(self, position: Position, limit: Limit = DEFAULT) -> Decision:
        """Return the program's decision. Raises `AgentFault` if it exits, is too slow or gives an invalid answer."""
        new_game = self._turn == 0
        if new_game and self._program is not None and self._program.has_more():
            self.close()  # a late answer to the last game is not a fault in the new one
        if self._program is None:
            self._program = program.start(self.command)
        seconds = limit.seconds + START_SECONDS * new_game  # alike for all games, whether or not the program must start
        moves = MOVES_PER_CELL * len(position.grid)
        try:
            question = request(position, self._seed, self._turn, limit)
            line = self._program.ask(question, seconds, min(OTHER_FIELDS_LENGTH + MOVE_LENGTH * moves, LONGEST))
            decision = read_answer(line, moves)
        except BaseException as failure:  # the program may be in the middle of a line
            self.close()
            self._silent += self._silent >= 0
            if self._silent >= MOST_SILENT and isinstance(failure, MineproofError):
                raise NeverAnswers(f"{join_command(self.command)} never gave an answer: {failure}") from None
            if isinstance(failure, MineproofError) and not isinstance(failure, AgentFault):
                raise AgentFault(f"its answer is invalid: {failure}") from None
            raise
        self._silent = -1
        self._turn += 1
        return decision

    def close(self) -> None:
        """End the program; the next choice starts it again."""
        if self._program is not None:
            self._program.stop()
            self._program = None
