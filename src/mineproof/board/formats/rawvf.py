"""RAWVF, the text form of recorded games: a header, the board, then mouse events.

A record of the mouse is not a record of moves: the reader follows the buttons, plays along, and keeps the clicks that
had an effect. Cells come from the pixels, because programs disagree on whether columns and rows start at 0 or at 1.
"""

from __future__ import annotations

import re
from io import StringIO
from typing import TYPE_CHECKING

from mineproof.board.formats._text import decode
from mineproof.board.game import Game, Replay, milliseconds, seconds
from mineproof.board.grid import MAX_CELLS, Cell, Grid
from mineproof.board.ids import GameId
from mineproof.board.layout import Layout
from mineproof.board.metrics import bbbv
from mineproof.board.move import Move
from mineproof.board.rules import Rules
from mineproof.errors import CannotConvert, IllegalMove, InvalidText, shorten

if TYPE_CHECKING:
    from collections.abc import Iterator

_SQUARE = 16
_EVENT = re.compile(r"(-?[0-9]{1,9})(?:[.,]([0-9]{1,9}))?\s+(\S+)(.*)", re.ASCII)
_PIXELS = re.compile(r"\(\s*(-?[0-9]{1,9})\s+(-?[0-9]{1,9})\s*\)", re.ASCII)
_MARKS_TOGGLED = "mt"
_BUTTONS = frozenset(("lc", "lr", "rc", "rr", "mr", "sc"))
_LEVELS = {"beginner": "Beginner", "beginner-classic": "Beginner", "intermediate": "Intermediate", "expert": "Expert"}


def read(data: bytes) -> Replay:
    """Read a replay; only mouse events are used."""
    lines = enumerate(StringIO(decode(data)), start=1)
    header = _read_header(lines)
    layout = _read_board(lines, header)
    for number, line in lines:
        if line.strip().lower() == "events:":
            break
        if line.strip() and ":" not in line:
            raise InvalidText("the board has more rows than announced, or Events: is missing", line=number)
    else:
        raise InvalidText("there is no line 'Events:'")
    square = _whole(header, "squaresize", _SQUARE)
    if not square:
        raise InvalidText("a square needs at least one pixel", line=header["squaresize"][0])
    marks = header.get("marks", (0, ""))[1].lower() == "on"
    super_click = header.get("superclick", (0, ""))[1].lower() == "on"
    mouse = _Mouse(Game(layout, Rules("any", questions=True)), marks, super_click)
    for number, line in lines:
        if line.strip():
            mouse.follow(line.strip(), number, square)
    questions = any(move.kind == "question" for move in mouse.moves)
    game_id = GameId(layout, Rules("any", questions=questions or marks))
    return Replay(game_id, tuple(mouse.moves), tuple(mouse.times))


def write(replay: Replay) -> bytes:
    """Write a replay under the usual rules; moves without times all happen at 0.000."""
    rules = replay.id.rules
    if rules.continues or not rules.flood or rules.first_click.startswith("given"):
        raise CannotConvert(f"RAWVF supports only the usual rules, not {rules}")
    if any(move.kind == "undo" for move in replay.moves):
        raise CannotConvert("RAWVF has no undo")
    layout = replay.game().layout
    if layout is None:
        raise CannotConvert("the mines of this game are only laid at its first click")
    grid = layout.grid
    times = replay.times or (0,) * len(replay.moves)
    header = {
        "RawVF_Version": "Rev6",
        "Program": "Mineproof",
        "Level": _LEVELS.get(str(layout.level), "Custom"),
        "Width": grid.cols,
        "Height": grid.rows,
        "Mines": layout.mines,
        "Marks": "On" if rules.questions else "Off",
        "SquareSize": _SQUARE,
        "BBBV": bbbv(layout),
        "Time": seconds(times[-1] if times else 0),
        "Mode": "Classic",
    }
    rows = layout.mask.translate(bytes.maketrans(b"\0\1", b"0*")).decode()
    lines = [f"{key}: {value}" for key, value in header.items()]
    lines += ["Board:", *(rows[i : i + grid.cols] for i in range(0, len(rows), grid.cols)), "Events:"]
    game = Game.from_id(replay.id)
    for move, time in zip(replay.moves, times, strict=True):
        assert move.cell is not None
        for event in _events(game, move):
            x, y = (n * _SQUARE + _SQUARE // 2 for n in (move.cell.col, move.cell.row))
            lines.append(f"{seconds(time)} {event} {move.cell.col + 1} {move.cell.row + 1} ({x} {y})")
        game.play(move)
    return "\n".join([*lines, ""]).encode()


def _events(game: Game, move: Move) -> list[str]:
    """The mouse events of a move. The right button cycles through flag, question mark (if allowed) and nothing."""
    if move.kind == "open":
        return ["lc", "lr"]
    if move.kind == "chord":
        return ["mc", "mr"]
    assert move.cell is not None
    cycle = "HFQ" if game.rules.questions else "HF"
    target = {"flag": "F", "unflag": "H", "question": "Q"}[move.kind]
    presses = (cycle.index(target) - cycle.index(game[move.cell])) % len(cycle)
    return ["rc", "rr"] * presses


class _Mouse:
    """Follows the buttons and plays what they do."""

    def __init__(self, game: Game, marks: bool, super_click: bool) -> None:
        self.game = game
        self.marks = marks
        self.super_click = super_click
        self.pending: str | None = None  # what the next release does
        self.left = self.right = False
        self.moves: list[Move] = []
        self.times: list[int] = []

    def follow(self, line: str, number: int, square: int) -> None:
        """One line of the record."""
        match = _EVENT.fullmatch(line)
        if match is None:
            raise InvalidText(f"an event must be a time and a name, not {shorten(line)}", line=number)
        event = match[3]
        if event == _MARKS_TOGGLED:
            self.marks = not self.marks
        if event not in _BUTTONS:
            return
        pixels = _PIXELS.search(match[4])
        if pixels is None:
            raise InvalidText("a mouse event needs its pixels in parentheses", line=number)
        x, y = int(pixels[1]), int(pixels[2])
        cell = Cell(y // square, x // square)
        self._button(event, cell if cell in self.game.grid else None, milliseconds(match[1], match[2] or ""))

    def _button(self, event: str, cell: Cell | None, time: int) -> None:
        if event in ("lc", "sc"):
            self.left = True
            self.pending = "chord" if event == "sc" or self.right else "open"
        elif event == "mr":  # this button is independent of the others
            if cell is not None:
                self._release("chord", cell, time)
        elif event == "rc":
            self.right = True
            if self.left:
                self.pending = "chord"
            elif cell is not None:
                self._note(cell, time)
        else:
            self.left = self.left and event != "lr"
            self.right = self.right and event != "rr"
            kind, self.pending = self.pending, None
            if kind == "open" and event == "rr":
                self.pending = kind
            elif kind is not None and cell is not None:
                self._release(kind, cell, time)

    def _release(self, kind: str, cell: Cell, time: int) -> None:
        if kind == "open" and self.super_click and self.game[cell] in "012345678":
            kind = "chord"
        self._try(Move(kind, cell), time)

    def _note(self, cell: Cell, time: int) -> None:
        after_flag = "question" if self.marks else "unflag"
        kind = {"H": "flag", "F": after_flag, "Q": "unflag"}.get(self.game[cell])
        if kind is not None:
            self._try(Move(kind, cell), time)

    def _try(self, move: Move, time: int) -> None:
        try:
            self.game.play(move)
        except IllegalMove:  # a click without effect: people make many
            return
        self.moves.append(move)
        self.times.append(time)


def _read_header(lines: Iterator[tuple[int, str]]) -> dict[str, tuple[int, str]]:
    """``Key: value`` lines up to ``Board:``, with their line numbers; keys in lower case."""
    header: dict[str, tuple[int, str]] = {}
    for number, line in lines:
        key, colon, value = line.strip().partition(":")
        if key.strip().lower() == "board":
            return header
        if line.strip() and not colon:
            raise InvalidText(f"a header line must be 'Key: value', not {shorten(line.strip())}", line=number)
        header[key.strip().lower()] = (number, value.strip())
    raise InvalidText("there is no line 'Board:'")


def _whole(header: dict[str, tuple[int, str]], key: str, default: int | None = None) -> int | None:
    if key not in header:
        return default
    number, value = header[key]
    if not re.fullmatch(r"[0-9]{1,9}", value, re.ASCII):
        raise InvalidText(f"{key} must be a number, not {shorten(value)}", line=number)
    return int(value)


def _read_board(lines: Iterator[tuple[int, str]], header: dict[str, tuple[int, str]]) -> Layout:
    cols, rows = _whole(header, "width"), _whole(header, "height")
    if cols is None or rows is None:
        raise InvalidText("the header has no Width or no Height")
    if not 0 < rows * cols <= MAX_CELLS:
        raise InvalidText(f"a board of {cols}x{rows} is impossible", line=header["width"][0])
    mask = bytearray()
    for _ in range(rows):
        number, line = next(lines, (None, ""))
        row = line.strip()
        if len(row) != cols or row.strip("*0"):
            raise InvalidText(f"a row of the board must be {cols} times * or 0, not {shorten(row)}", line=number)
        mask += row.encode().translate(bytes.maketrans(b"0*", b"\0\1"))
    layout = Layout(Grid(rows, cols), bytes(mask))
    mines = _whole(header, "mines")
    if mines is not None and mines != layout.mines:
        raise InvalidText(f"{mines} mines are announced, but the board has {layout.mines}", line=header["mines"][0])
    return layout
