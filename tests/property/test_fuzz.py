"""Every parser, on anything at all: it accepts, or raises our error. Nothing else, and never much memory."""

from __future__ import annotations

import tracemalloc
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mineproof import Cell, GameId, Layout, Level, MineproofError, Move, Position, Replay, Rules, read, write
from mineproof.board.formats import FORMATS
from support import strategies

if TYPE_CHECKING:
    from collections.abc import Callable

READABLE = sorted(name for name, known in FORMATS.items() if known.read is not None)
PARSERS = (
    Position.from_text, Replay.from_text, Layout.parse, Level.parse, Rules.parse, GameId.parse, Move.parse, Cell.parse,
)  # fmt: skip
ALPHABET = "0123456789abcdefghuvxyzHFQS*?ML=#@/:,+.%&{}[]\"' \n\r\tpAZ-é\x00"


def accepts_or_refuses(parse: Callable[[], object]) -> None:
    """Nothing but our error may come out, and that in one line."""
    refusal = ""
    try:
        parse()
    except MineproofError as failure:
        refusal = str(failure)
    assert "\n" not in refusal


@pytest.mark.parametrize("name", [None, *READABLE])
@given(data=st.binary(max_size=200) | st.text(ALPHABET, max_size=200).map(str.encode))
def test_any_bytes(name: str | None, data: bytes) -> None:
    accepts_or_refuses(lambda: read(data, name))


@pytest.mark.parametrize("parse", PARSERS)
@given(text=st.text(max_size=100) | st.text(ALPHABET, max_size=100))
def test_any_text(parse: Callable[[str], object], text: str) -> None:
    accepts_or_refuses(lambda: parse(text))


def damaged(data: bytes, cut: int, where: int, byte: int) -> bytes:
    """A right file, cut short and with a byte changed."""
    broken = bytearray(data[: max(0, len(data) - cut)])
    if broken:
        broken[where % len(broken)] = byte
    return bytes(broken)


@pytest.mark.parametrize("name", READABLE)
@given(
    replay=strategies.played(strategies.game_ids()),
    cut=st.sampled_from([0, 0, 0, 1, 5, 50]),
    where=st.integers(0, 10**6),
    byte=st.integers(0, 255),
)
def test_damaged_files(name: str, replay: Replay, cut: int, where: int, byte: int) -> None:
    try:
        data = write(replay, name)
    except MineproofError:
        return
    try:
        content = read(damaged(data, cut, where, byte), name)
    except MineproofError:
        return
    if isinstance(content, Replay):  # what was accepted can be played
        content.game()


HOSTILE = [
    ("mine", b"999999999x999999999x999999999\nH"),
    ("mine", b"4096x4096x1000000000\nH"),
    ("mine", b"4096x4096x5\nH"),
    ("mbf", b"\xff\xff\xff\xff\0\0"),
    ("analysis", b"?analysis=99999999R"),
    ("analysis", b"?analysis=bacaaaaa" + b"0" * 10_000),
    ("ptta", b"?b=999999999999999999&m=0"),
    ("ptta", b"?b=40964096&m=0"),
    ("tatham", b"4096x4096:0,0,u00"),
    ("tatham", b"999999999x999999999:0,0,u00"),
    ("jsonl", b'{"w":1000000000,"h":1000000000,"mines":[]}'),
    ("jsonl", b"[" * 100_000),
    ("jsonl", b'{"w":5,"h":5,"mines":[' + b"9" * 10_000 + b"]}"),
    ("rawvf", b"RawVF_Version: 6\nWidth: 999999999\nHeight: 999999999\nMines: 9\nBoard:\n"),
    ("rawvf", b"RawVF_Version: 6\nWidth: 4096\nHeight: 4096\nMines: 1000000000\nBoard:\n0\n"),
    ("id", b"999999999x999999999x9/any#1"),
    ("id", b"4096x4096x9/any=00"),
    ("game", b"mineproof game 1\n999999999x999999999x9/any#1\n"),
]


@pytest.mark.parametrize(("name", "data"), HOSTILE)
def test_claims_allocate_nothing(name: str, data: bytes) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(MineproofError):
            read(data, name)
        assert tracemalloc.get_traced_memory()[1] < 4_000_000
    finally:
        tracemalloc.stop()


def test_many_small_claims_together_are_bounded_too() -> None:
    line = b'{"w":4096,"h":4096,"mines":[]}\n'
    with pytest.raises(MineproofError, match="line 2"):
        read(line * 1000, "jsonl")


def test_a_short_text_cannot_cost_hours() -> None:
    game = "mineproof game 1\n4096x4096x0/any#1\n" + "open A1\nundo\n" * 1000
    with pytest.raises(MineproofError, match="line 7: this game opens and undoes too many cells"):
        Replay.from_text(game)


@pytest.mark.parametrize("name", ["mine", "game", "rawvf"])
def test_millions_of_blank_lines_cost_little_memory(name: str) -> None:
    start = {"mine": b"2x1x1\n", "game": b"mineproof game 1\n", "rawvf": b"RawVF_Version: 6\n"}[name]
    data = start + b"\n" * 1_000_000
    tracemalloc.start()
    try:
        with pytest.raises(MineproofError):
            read(data, name)
        assert tracemalloc.get_traced_memory()[1] < 8 * len(data)
    finally:
        tracemalloc.stop()
