"""Files as other programs record games, made from our replays: what ms-toollib is known to read, byte for byte.

Nothing here is copied from anybody's file. Flags before the first open come as a list in RMV, and are clicks elsewhere.
"""

from __future__ import annotations

import re
from math import cos, sin, sqrt
from typing import TYPE_CHECKING, NamedTuple

from mineproof import Replay, write

if TYPE_CHECKING:
    from collections.abc import Callable

    from mineproof import Layout

_LINE = re.compile(r"([0-9]+)\.([0-9]{3}) ([a-z]+) [0-9]+ [0-9]+ \(([0-9]+) ([0-9]+)\)")


class Event(NamedTuple):
    """What the mouse did: milliseconds, name, pixels from the left and from the top."""

    time: int
    name: str
    x: int
    y: int


class Recording(NamedTuple):
    """What all of these files hold."""

    layout: Layout
    events: list[Event]
    won: bool
    marks: bool = False

    @classmethod
    def of(cls, replay: Replay) -> Recording:
        """A replay with the clicks that make its moves."""
        layout, text = replay.game().layout, write(replay, "rawvf").decode()
        assert layout is not None
        events = [
            Event(int(found[1] + found[2]), found[3], int(found[4]), int(found[5]))
            for found in map(_LINE.fullmatch, text.partition("Events:\n")[2].splitlines())
            if found
        ]
        return cls(layout, events, str(replay.game().state) == "won", replay.id.rules.questions)


def mines(recording: Recording, first: int, *, row_first: bool = False) -> bytes:
    """Two bytes for the number of mines, then two for each, counted from ``first``."""
    layout = recording.layout
    pairs = [(row, col) if row_first else (col, row) for row, col in layout.mine_cells]
    return layout.mines.to_bytes(2, "big") + bytes(first + number for pair in pairs for number in pair)


def avf(recording: Recording, year: str = "2025") -> bytes:
    """Arbiter, a board of any size; the first event is within its first second, and time goes in hundredths."""
    grid = recording.layout.grid
    names = {"lc": 3, "lr": 5, "rc": 9, "rr": 17, "mc": 33, "mr": 65, "mv": 1}
    begun = recording.events[0].time
    events = b""
    for time, name, x, y in recording.events:
        second, rest = divmod((time - begun) // 10, 100)
        second += 1
        events += bytes([names[name], x >> 8, second & 255, x & 255, rest, y >> 8, second >> 8, y & 255])
    numbers = [[10 if recording.layout.has_mine((row, col)) else recording.layout.number((row, col)) + 1
                for col in range(grid.cols)] for row in range(grid.rows)]  # fmt: skip
    seal = sum(numbers[row][col] * col * (row + 1) for row in range(grid.rows) for col in range(grid.cols))
    size = f"W{grid.cols}H{grid.rows}M{recording.layout.mines}"
    told = f"[3|{size}|3.9.{year}.17:00:08:6660|3.17:00:14:0812|B8T6.42]"
    return b"".join((
        bytes([34, 1, 2, 3, 4, 6, grid.cols - 1, grid.rows - 1]), mines(recording, 1, row_first=True),
        bytes(len(str(seal)) + 4), b"\x08", b"\x11" if recording.marks else b"\x7f", b"=", told.encode(), events,
        bytes(8),
        b"RealTime: 6.42\rSkin: none\rSomebody\r",
    ))  # fmt: skip


def evf(recording: Recording, version: int = 3) -> bytes:
    """Metasweeper 0 to 3; the square has 20 pixels there."""
    grid, size = recording.layout.grid, 20
    names = {"mv": 1, "lc": 2, "lr": 3, "rc": 4, "rr": 5, "mc": 6, "mr": 7, "pf": 8, "cc": 9, "l": 10, "r": 11, "m": 12}
    mask = "".join(map(str, recording.layout.mask)) + "0" * (-len(grid) % 8)
    texts = ["元3.1.9", "Somebody", "", "", "1700000000000000", "1700000006000000", "", *["0"] * (version > 1)]
    events = b"".join(
        bytes([names[name]]) + time.to_bytes(3, "big") + b"".join((n * size // 16).to_bytes(2, "big") for n in (x, y))
        for time, name, x, y in recording.events
    )
    return b"".join((
        bytes([version, 128 * recording.won]), bytes([128 * recording.marks] * (version > 2)),
        bytes([grid.rows, grid.cols]),
        recording.layout.mines.to_bytes(2, "big"), bytes([size, 0, 0, 0, 8, 0, 10, 0]),
        b"".join(text.encode() + b"\0" for text in texts),
        int(mask, 2).to_bytes(len(mask) // 8, "big"), events, b"\xff",
    ))  # fmt: skip


def mvf(recording: Recording) -> bytes:
    """Clone 0.97: how the buttons were, again and again, with the bits in an order that two bytes of the file tell."""
    key, places = 1234, []
    one, two = sqrt(key), sqrt(key + 1000)
    three = sqrt(one + 1000)
    codes = (cos(three + 1000), sin(sqrt(two)), cos(three), sin(sqrt(one) + 1000), cos(sqrt(two + 1000)))
    digits = "".join(f"{round(abs(code) * 10**8):08}"[:8] for code in codes)
    places = sorted(range(40), key=lambda place: digits[place])
    held, states = dict.fromkeys("rml", 0), [(0, 0, 0, 0, 0, 0)]
    for time, name, x, y in recording.events:
        held[name[0]] = int(name[1] == "c")
        states.append((held["r"], held["m"], held["l"], x, y, time))
    events = b""
    for right, middle, left, x, y, time in states:
        seconds, rest = divmod(time // 10, 100)
        bits = [right, middle, left]
        for number, width in ((y, 9), (x, 9), (rest, 7), (seconds, 10)):
            bits += [number >> bit & 1 for bit in range(width)]
        record = bytearray(5)
        for place, bit in zip(places, bits, strict=False):
            record[place // 8] |= bit << place % 8
        events += record
    grid = recording.layout.grid
    return b"".join((
        b"\x11M", bytes(25), b"5", bytes(46), bytes([9, 3, 7, 233, 17, 0, 8, 4, 1, 0, 6, 42, 0, 8]),
        bytes([0, 8 * recording.won]), bytes(6), bytes([recording.marks, grid.cols, grid.rows]), mines(recording, 1),
        b"\x08Somebody", key.to_bytes(2, "big"), len(states).to_bytes(3, "big"), events,
    ))  # fmt: skip


def rmv(recording: Recording, version: int = 1) -> bytes:
    """Viennasweeper: flags from before the game are a list, and the first press of the left button is not there."""
    grid, names = recording.layout.grid, {"mv": 1, "lc": 2, "lr": 3, "rc": 4, "rr": 5, "mc": 6, "mr": 7}
    right, down = (12, 56) if version == 1 else (0, 0)
    start = next((at for at, event in enumerate(recording.events) if event.name == "lc"), len(recording.events))
    flags = [bytes([event.x // 16, event.y // 16]) for event in recording.events[:start] if event.name == "rc"]
    player, board = b"\0\1\x08Somebody", bytes(4) + bytes([grid.cols, grid.rows]) + mines(recording, 0)
    early = len(flags).to_bytes(2, "big") + b"".join(flags) if flags else b""
    properties = bytes([recording.marks, 0, 0, 3]) + (b"\1" if version == 1 else b"\x08\0\x10")
    played = b"".join(
        bytes([names[name]]) + time.to_bytes(3, "big") + b"\0" + (x + right).to_bytes(2, "big")
        + (y + down).to_bytes(2, "big")
        for time, name, x, y in recording.events[start + 1 :]
    ) + (b"\x10" if recording.won else b"\x0f")  # fmt: skip
    result, extension = b"\n#\n" * (version == 1), b"\0\0" * (version == 2)
    parts = (b"Vienna", player, board, early, properties, *[extension] * (version == 2))
    sizes = b"".join(len(part).to_bytes(2, "big") for part in parts)
    head = b"*rmv" + version.to_bytes(2, "big") + bytes([1, 3] * (version == 2)) + bytes(4)
    head += b"\0\3" * (version == 1) + sizes + len(played).to_bytes(4, "big") + b"\0\0"
    return head + result + b"".join(parts) + played


WRITERS: dict[str, Callable[[Recording], bytes]] = {"avf": avf, "evf": evf, "mvf": mvf, "rmv": rmv}
