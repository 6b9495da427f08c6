"""File formats of Minesweeper: one module each, and one table of them all.

A format holds a position, layouts or a replay. `write` converts content to what the format can hold: the last position
of a replay, or the layout of a finished position.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from mineproof.board.formats import analysis, jsonl, mbf, mine, ptta, rawvf, recording, tatham
from mineproof.board.formats._text import decode
from mineproof.board.game import Game, Replay
from mineproof.board.ids import GameId
from mineproof.board.images import to_png
from mineproof.board.layout import Layout
from mineproof.board.position import Position, position_of
from mineproof.board.rules import Rules
from mineproof.errors import (
    CannotConvert,
    InvalidArgument,
    InvalidText,
    MineproofError,
    MissingExtra,
    Registry,
    shorten,
)
from mineproof.files import write_file

if TYPE_CHECKING:
    from collections.abc import Callable

    from mineproof.board.game import Prover

MOST_BYTES = 2**28
"""More than the largest board needs in any format."""

Content: TypeAlias = Position | Layout | list[Layout] | Replay
"""The content of a file."""


@dataclass(frozen=True, slots=True)
class Format:
    """How to recognise, read and write one format."""

    name: str
    about: str
    suffixes: tuple[str, ...]
    looks_like: re.Pattern[bytes] | None
    read: Callable[[bytes], Content] | None
    write: Callable[..., bytes] | None
    takes: Callable[[Content], Any]
    """Converts any content to what ``write`` takes, or raises `CannotConvert`."""
    drawn: bool = False
    """Whether it is a picture: ``write`` then takes ``known`` and ``theme`` too."""

    def __reduce__(self) -> tuple[object, ...]:
        return find_format, (self.name,)

    def encode(self, content: Content, **look: Any) -> bytes:
        """The bytes of a file with this content, as far as the format can hold it. Of a picture, ``theme`` says how
        the cells look that ``known`` calls proved in a position."""
        if self.write is None:
            raise CannotConvert(f"{self.name} can be read but not written")
        return self.write(self.takes(content), **look)


def as_position(content: Content) -> Position:
    """The position: the last one of a replay; a layout as a finished board."""
    if isinstance(content, Position):
        return content
    return content.game().position if isinstance(content, Replay) else as_layout(content).finished()


def as_layout(content: Content) -> Layout:
    """The layout: of a replay, of a finished position, or the only one of a list."""
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
    """All layouts."""
    return content if isinstance(content, list) else [as_layout(content)]


def as_replay(content: Content) -> Replay:
    """The replay; nothing else can be converted to one."""
    if isinstance(content, Replay):
        return content
    raise CannotConvert("this format holds a replay; there are no moves here")


def as_ids(content: Content) -> list[str]:
    """The id of a game without moves; everything else as explicit boards."""
    if isinstance(content, Replay) and not content.moves:
        return [str(content.id)]
    return list(map(str, as_layouts(content)))


def _read_ids(data: bytes) -> Content:
    """Explicit boards are layouts; a game with a seed or rules is a replay without moves."""
    lines = decode(data).strip().split("\n")
    if len(lines) > 1:
        return [Layout.parse(line.strip()) for line in lines]
    game_id = GameId.parse(lines[0])
    if isinstance(game_id.board, Layout) and game_id.rules == Rules("any"):
        return game_id.board
    return Replay(game_id, ())


def _draw(content: Content, known: Prover | None = None, theme: str = "plain") -> str:
    """A picture, with wrong flags crossed out if the game is over."""
    seen = content.game() if isinstance(content, Replay) else as_position(content)
    return seen.to_svg(known=None if known is None else known(position_of(seen)), theme=theme)


def _write_ids(ids: list[str]) -> bytes:
    return "".join(f"{line}\n" for line in ids).encode()


def _recorded(name: str, program: str, looks_like: re.Pattern[bytes]) -> Format:
    """A read-only format of games recorded by another program."""
    read_one = partial(recording.read, name)
    return Format(
        name, f"recorded with {program}, read only: replay", (f".{name}",), looks_like, read_one, None, as_replay
    )


def _pattern(pattern: str) -> re.Pattern[bytes]:
    return re.compile(pattern.encode(), re.ASCII)


_FORMATS = (
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
        "tatham-masked", "the same, masked, as people share it", (), None,
        tatham.read, tatham.write_masked, as_layout,
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
        None, lambda content, **look: _draw(content, **look).encode(), lambda content: content, drawn=True,
    ),
    Format(
        "png", "bitmap picture, written only: position", (".png",), None,
        None, lambda content, **look: to_png(_draw(content, **look)), lambda content: content, drawn=True,
    ),
    Format(
        "gif", "animation, written only: replay", (".gif",), None,
        None, lambda replay, **look: replay.to_gif(**look), as_replay, drawn=True,
    ),
)  # fmt: skip
FORMATS = Registry("format", {known.name: known for known in _FORMATS})
"""All formats by name."""


def recognised(data: bytes) -> Format | None:
    """The format recognised from the data."""
    start = data.removeprefix(b"\xef\xbb\xbf")
    for known in FORMATS.values():
        if known.looks_like is not None and known.looks_like.match(start):
            return known
    return None


def find_format(name: str | None, filename: str | Path | None = None, data: bytes | None = None) -> Format:
    """The format of this name; otherwise by the file's extension; otherwise recognised from the data."""
    if name is not None:
        if not isinstance(name, str):
            raise InvalidArgument(f"a format must be a name, as in mine, not {shorten(name)}")
        return FORMATS[name]
    suffix = Path(filename).suffix.lower() if filename is not None else ""
    for known in FORMATS.values():
        if suffix in known.suffixes:
            return known
    by_content = None if data is None else recognised(data)
    if by_content is not None:
        return by_content
    source = "this" if filename is None else str(filename)
    names = [known.name for known in FORMATS.values() if (known.write if data is None else known.read) is not None]
    raise InvalidText(f"the format of {source} is not clear; choose from {', '.join(names)}")


def read(source: str | bytes | Path, format: str | None = None) -> Content:  # noqa: A002
    """Read a file or a text; the format is recognised unless it is named.

    A ``Path`` is a file, and bytes are the content of a file. A string is text if it looks like a known format, or if
    the format is named; otherwise it is the path of a file. (Pass untrusted text as bytes: they never name a file.)

    >>> from mineproof import read
    >>> read("?analysis=afaeaaaeclTclTb2lTclT")
    Position.from_text('5x4x4\\n001HH\\n112HH\\n1F2HH\\n112HH\\n')
    >>> read("no-such.game")
    Traceback (most recent call last):
    mineproof.errors.InvalidText: 'no-such.game' is neither text in a known format nor an existing file
    """
    if isinstance(source, (bytes, bytearray, memoryview)):
        return read_bytes(bytes(source), format)
    if isinstance(source, os.PathLike):
        return read_file(source, format)
    if not isinstance(source, str):
        raise InvalidArgument(f"read takes a path, bytes or text, not {shorten(source)}")
    data = source.encode("utf-8", "surrogatepass")
    if format is not None and not is_file(source):
        return read_bytes(data, format)
    if format is None and (recognised(data) is not None or "\n" in source.strip()):
        return read_bytes(data)
    if is_file(source):
        return read_file(source, format)
    raise InvalidText(f"{shorten(source)} is neither text in a known format nor an existing file")


def read_bytes(data: bytes, format: str | None = None) -> Content:  # noqa: A002
    """Read the bytes of a file."""
    known = find_format(format, data=data)
    if known.read is None:
        raise CannotConvert(f"{known.name} can be written but not read")
    return known.read(data)


def read_file(path: str | Path, format: str | None = None) -> Content:  # noqa: A002
    """Read a file; its extension names the format, or else its first bytes do."""
    with Path(path).open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    return read_named(data, str(path), format)


def read_named(data: bytes, name: str, format: str | None = None) -> Content:  # noqa: A002
    """The same for the bytes of a file; errors mention its name."""
    if len(data) > MOST_BYTES:
        raise InvalidText(f"{name} is too long to be a board")
    if not data.strip():
        raise InvalidText(f"{name} is empty")
    known = find_format(format, name, data)
    try:
        return read_bytes(data, known.name)
    except MissingExtra:
        raise
    except MineproofError as failure:
        raise InvalidText(f"{name}: {failure}") from None


def is_file(source: str) -> bool:
    """Whether a file of this name exists."""
    try:
        return bool(source.strip()) and Path(source).exists()
    except (OSError, ValueError):  # too long for a name, as a board can be, or with a NUL in it
        return False


def save(content: Content | Game, path: str | Path, format: str | None = None) -> None:  # noqa: A002
    """Write a file completely or not at all; by default its extension names the format."""
    if not isinstance(path, (str, os.PathLike)):
        raise InvalidArgument(f"save takes something to write and a path, not {shorten(path)}")
    write_file(Path(path), write(content, find_format(format, path).name))


def as_game(content: Content) -> Game:
    """The game to continue."""
    if isinstance(content, Position):
        raise CannotConvert("this is a position: it does not say where its mines are, so it cannot be played")
    return content.game() if isinstance(content, Replay) else Game(as_layout(content))


def write(content: Content | Game, format: str) -> bytes:  # noqa: A002
    """The bytes of a file in this format.

    >>> from mineproof import Layout, write
    >>> write(Layout.parse("4x3x3=418"), "mbf").hex(" ")
    '04 03 00 03 01 00 03 01 00 02'
    """
    content = content.replay() if isinstance(content, Game) else content
    items = content if isinstance(content, list) else [content]
    if not all(isinstance(item, (Layout, Position, Replay)) for item in items):
        raise InvalidArgument(f"a file holds a layout, a position, a replay or a game, not {shorten(content)}")
    return find_format(format).encode(content)


__all__ = ["FORMATS", "Content", "Format", "find_format", "read", "save", "write"]
