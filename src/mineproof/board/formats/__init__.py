"""Formats that Minesweeper people use: one module each, and one table of them all.

A format holds a position, layouts or a replay. `write` also gives a format that holds less what it can hold: the last
position of a replay, the layout of a finished position.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from mineproof.board.formats import analysis, jsonl, mbf, mine, ptta, rawvf, recording, tatham
from mineproof.board.formats._text import decode
from mineproof.board.game import Game
from mineproof.board.ids import GameId
from mineproof.board.layout import Layout
from mineproof.board.position import Position
from mineproof.board.replay import Replay
from mineproof.board.rules import Rules
from mineproof.board.svg import to_svg
from mineproof.errors import CannotConvert, InvalidText, UnknownName

if TYPE_CHECKING:
    from collections.abc import Callable

Content: TypeAlias = Position | Layout | list[Layout] | Replay
"""What a file can hold."""


@dataclass(frozen=True, slots=True)
class Format:
    """How to recognise, read and write one format."""

    name: str
    about: str
    suffixes: tuple[str, ...]
    looks_like: re.Pattern[bytes] | None
    read: Callable[[bytes], Content] | None
    write: Callable[[Any], bytes] | None
    takes: Callable[[Content], Any]
    """Makes of any content what ``write`` takes, or raises `CannotConvert`."""

    def encode(self, content: Content) -> bytes:
        """The bytes of a file with this content, or with what of it the format can hold."""
        if self.write is None:
            raise CannotConvert(f"{self.name} can be read, not written")
        return self.write(self.takes(content))


def as_position(content: Content) -> Position:
    """The position in it: the last one of a replay; a layout as a finished board."""
    if isinstance(content, Position):
        return content
    return content.game().position if isinstance(content, Replay) else mine.finished(as_layout(content))


def as_layout(content: Content) -> Layout:
    """The layout in it: of a replay, of a finished position, or the only one of a list."""
    if isinstance(content, Position):
        return mine.layout_of(content)
    if isinstance(content, Replay):
        layout = content.game().layout
        if layout is None:
            raise CannotConvert(f"in {content.id} the mines are laid at the first click: name a start")
        first = next((move.cell for move in content.moves if move.kind == "open"), None)
        return layout if layout.starts or first is None else replace(layout, starts=(first,))
    if isinstance(content, list):
        if len(content) != 1:
            raise CannotConvert(f"this format holds one board; there are {len(content)}")
        return content[0]
    return content


def as_layouts(content: Content) -> list[Layout]:
    """All layouts in it."""
    return content if isinstance(content, list) else [as_layout(content)]


def as_replay(content: Content) -> Replay:
    """The replay; nothing else can be made one."""
    if isinstance(content, Replay):
        return content
    raise CannotConvert("this format holds a replay; there are no moves here")


def as_ids(content: Content) -> list[str]:
    """A game in which nothing was played has its own id; all else is written as explicit boards."""
    if isinstance(content, Replay) and not content.moves:
        return [str(content.id)]
    return list(map(str, as_layouts(content)))


def _read_ids(data: bytes) -> Content:
    """Explicit boards are layouts; a seeded game, or one with rules, is a replay in which nothing was played yet."""
    lines = decode(data).strip().split("\n")
    if len(lines) > 1:
        return [Layout.parse(line.strip()) for line in lines]
    game_id = GameId.parse(lines[0])
    if isinstance(game_id.board, Layout) and game_id.rules == Rules("any"):
        return game_id.board
    return Replay(game_id, ())


def _draw(content: Content) -> bytes:
    """A picture; of a game that is over, with the wrong flags crossed out."""
    svg = content.game().to_svg() if isinstance(content, Replay) else to_svg(as_position(content))
    return svg.encode()


def _write_ids(ids: list[str]) -> bytes:
    return "".join(f"{line}\n" for line in ids).encode()


def _recorded(name: str, program: str, looks_like: re.Pattern[bytes]) -> Format:
    """A format of another program's recorded games: it is read, not written."""
    read_one = partial(recording.read, name)
    return Format(
        name, f"recorded with {program}, read only: replay", (f".{name}",), looks_like, read_one, None, as_replay
    )


def _pattern(pattern: str) -> re.Pattern[bytes]:
    return re.compile(pattern.encode(), re.ASCII)


FORMATS = {
    known.name: known
    for known in (
        Format(
            "game", "a game saved by Mineproof: replay", (".game",), _pattern(r"mineproof game"),
            lambda data: Replay.from_text(decode(data)), lambda replay: replay.to_text().encode(), as_replay,
        ),
        Format(
            "mine", "text: position or finished board", (".mine", ".txt"),
            _pattern(r"\s*[0-9]+\s*[xX]\s*[0-9]+\s*[xX]\s*[0-9]+\s*\n"), mine.read, mine.write, as_position,
        ),
        Format("mbf", "board file: layout", (".mbf", ".abf"), None, mbf.read, mbf.write, as_layout),
        Format(
            "analysis", "analysis URL: position", (".analysis",), _pattern(r"[^\n]*[?&]analysis="),
            analysis.read, analysis.write, as_position,
        ),
        Format(
            "ptta", "PTTA URL: layout", (".ptta",), _pattern(r"[^\n]*\bb=[0-9]+&m="), ptta.read, ptta.write, as_layout,
        ),
        Format(
            "tatham", "id of Simon Tatham's Mines: layout with first click", (".tatham",),
            _pattern(r"\s*[0-9]+x[0-9]+(n[0-9]+)?a?:[0-9]+,[0-9]+,"), tatham.read, tatham.write, as_layout,
        ),
        Format(
            "rawvf", "recorded mouse: replay", (".rawvf",), _pattern(r"[Rr]aw[Vv][Ff]_"),
            rawvf.read, rawvf.write, as_replay,
        ),
        _recorded(
            "avf", "Minesweeper Arbiter",
            _pattern(r"(?s).{5}[\x03-\x06].{4,150000}?[\x11\x7f].\[[0-3]\|[^\]]{0,100}B[0-9]{1,5}T[0-9.,]{1,12}\]"),
        ),
        _recorded("mvf", "Minesweeper Clone", recording.BEGINNINGS["mvf"]),
        _recorded("rmv", "Viennasweeper", recording.BEGINNINGS["rmv"]),
        _recorded(
            "evf", "Metasweeper",
            _pattern(r"(?s)[\x00-\x04].{13,35}(\xe5\x85\x83|Arbiter\x00|0\.97 beta\x00|Viennasweeper\x00)"),
        ),
        Format(
            "jsonl", "JSON lines: layouts", (".jsonl", ".json"), _pattern(r"\s*\{"),
            jsonl.read, jsonl.write, as_layouts,
        ),
        Format(
            "id", "game id or explicit boards: layouts", (".id",),
            _pattern(r"\s*[0-9A-Za-z][-0-9A-Za-z.%]*(/[^\n#=]+)?(#[0-9.]+|=[0-9A-Fa-f]+(@[A-Za-z0-9,]+)?)\s*($|\n)"),
            _read_ids, _write_ids, as_ids,
        ),
        Format(
            "svg", "picture, written only: position", (".svg",), None,
            None, _draw, lambda content: content,
        ),
    )
}  # fmt: skip
"""All formats by name."""


def find_format(name: str | None, filename: str | Path | None = None, data: bytes | None = None) -> Format:
    """The format of this name; else of the file's ending; else the one that the data looks like."""
    if name is not None:
        if name not in FORMATS:
            raise UnknownName("format", name, FORMATS)
        return FORMATS[name]
    suffix = Path(filename).suffix.lower() if filename is not None else ""
    for known in FORMATS.values():
        if suffix in known.suffixes:
            return known
    start = (data or b"").removeprefix(b"\xef\xbb\xbf")
    for known in FORMATS.values():
        if data is not None and known.looks_like is not None and known.looks_like.match(start):
            return known
    what = "this" if filename is None else str(filename)
    raise InvalidText(f"the format of {what} is not clear; name one of {', '.join(FORMATS)}")


def read(data: bytes | str, format: str | None = None) -> Content:  # noqa: A002
    """What a file's bytes, or text, hold; the format is recognised where it is not named.

    >>> from mineproof import read
    >>> read("?analysis=afaeaaaeclTclTb2lTclT")
    Position.from_text('5x4x4\\n001HH\\n112HH\\n1F2HH\\n112HH\\n')
    """
    if isinstance(data, str):
        data = data.encode("utf-8", "surrogatepass")
    known = find_format(format, data=data)
    if known.read is None:
        raise CannotConvert(f"{known.name} can be written, not read")
    return known.read(data)


def write(content: Content | Game, format: str) -> bytes:  # noqa: A002
    """The bytes of a file in this format.

    >>> from mineproof import Layout, write
    >>> write(Layout.parse("4x3x3=418"), "mbf").hex(" ")
    '04 03 00 03 01 00 03 01 00 02'
    """
    return find_format(format).encode(content.replay() if isinstance(content, Game) else content)


__all__ = ["FORMATS", "Content", "Format", "find_format", "read", "write"]
