"""A process that reads one recorded game with ms-toollib, and writes it down as RAWVF.

It is run as a script, ``python transcriber.py avf``, with the file on standard input, and imports nothing of ours.
ms-toollib ends the whole process where it does not understand a file, and may work without end: so it is alone here,
with little time and memory, and leaves nothing behind.

It writes one line for the checks: ``1`` when the file says that the game was won, else ``0``, then every cell as
ms-toollib's own board has it at the end (``1`` open, ``*`` a mine that was opened, ``0`` closed). RAWVF follows.
"""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

VIDEOS = {"avf": "AvfVideo", "evf": "EvfVideo", "mvf": "MvfVideo", "rmv": "RmvVideo"}
"""The formats that it reads, and what ms-toollib calls them."""
MISSING = 3
"""Exit status when ms-toollib is not installed."""
LONGEST = 2**24
"""Bytes that it may write."""
_LIMITS = {"RLIMIT_CPU": 90, "RLIMIT_AS": 2**31, "RLIMIT_FSIZE": LONGEST, "RLIMIT_CORE": 0}
_BLAST = 15  # a mine that was opened, on ms-toollib's board; numbers are themselves, all else is more than 9


def restrict() -> None:
    """Little time, memory and room, where the system can keep that: also when nobody is left to end us."""
    with suppress(ImportError):
        import resource

        for name, most in _LIMITS.items():
            limit = getattr(resource, name)
            hard = resource.getrlimit(limit)[1]
            least = most if hard == resource.RLIM_INFINITY else min(most, hard)
            with suppress(ValueError, OSError):
                resource.setrlimit(limit, (least, least))


def leave() -> None:
    """Go to a folder that is gone, where no file can be made: ms-toollib writes ``crash.log`` to where it is."""
    folder = mkdtemp()
    os.chdir(folder)
    Path(folder).rmdir()


def transcribe(video: Any, board: Any, marks: bool) -> Iterator[str]:
    """The lines of a game that was parsed, played along on ms-toollib's board."""
    rows, cols, size = video.row, video.column, video.pix_size
    events: list[str] = []
    held: set[str] = set()
    for record in video.events:
        mouse = record.event.unwrap_mouse()
        if mouse is None or mouse.mouse == "mv":
            continue
        row, col = mouse.y // size, mouse.x // size
        inside = row < rows and col < cols
        if inside or mouse.mouse not in ("mr", "m", "pf"):  # its board has no outside for these
            board.step(mouse.mouse, (row, col) if inside else (rows, cols))
        for button in buttons(mouse.mouse, held):
            events.append(f"{record.time:.3f} {button} {col + 1} {row + 1} ({mouse.x} {mouse.y})")
    shown = "".join("1" if cell < 9 else "*" if cell == _BLAST else "0" for line in board.game_board for cell in line)
    yield f"{int(video.is_completed)} {shown}"
    yield "RawVF_Version: Rev6"
    yield f"Width: {cols}"
    yield f"Height: {rows}"
    yield f"Mines: {video.mine_num}"
    yield f"Marks: {'On' if marks else 'Off'}"
    yield f"SquareSize: {size}"
    yield "Board:"
    for line in video.board:
        yield "".join("*" if cell == -1 else "0" for cell in line)
    yield "Events:"
    yield from events


def buttons(event: str, held: set[str]) -> list[str]:
    """An event as RAWVF has it: buttons pressed and released, one at a time.

    ``l``, ``r`` and ``m`` are a button pressed or released, ``cc`` both pressed, ``pf`` a flag from before the game.

    >>> held = set()
    >>> buttons("l", held), buttons("cc", held), buttons("rr", held), buttons("l", held), buttons("pf", held)
    (['lc'], ['rc'], ['rr'], ['lr'], ['rc', 'rr'])
    """
    done = [event]
    if event == "pf":
        done = ["rc", "rr"]
    elif event == "cc":
        done = [button + "c" for button in "lr" if button not in held]
    elif event in ("l", "r", "m"):
        done = [event + ("r" if event in held else "c")]
    for one in done:
        (held.add if one.endswith("c") else held.discard)(one[0])
    return done


def has_marks(kind: str, data: bytes) -> bool:
    """Whether question marks were on, in a file that ms-toollib could read: it does not tell."""
    if kind == "avf":
        found = re.search(rb"([\x11\x7f]).\[[0-3]\|", data, re.DOTALL)
        return found is not None and found[1] == b"\x11"
    if kind == "evf":
        return data[0] > 2 and data[2] > 127
    if kind == "mvf":
        return data[96] > 0
    first, head = (10, 28) if data[5] == 1 else (12, 30)  # sizes of the parts before the properties, and of the header
    parts = sum(int.from_bytes(data[at : at + 2], "big") for at in range(first, 20, 2))
    return data[head + parts] > 0


def main(kind: str) -> None:
    """Read one file."""
    restrict()
    leave()
    with os.fdopen(os.dup(1), "w", encoding="ascii", newline="\n") as said:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # should the library print something
        try:
            import ms_toollib
        except ImportError:
            sys.exit(MISSING)
        data = sys.stdin.buffer.read()
        video = getattr(ms_toollib, VIDEOS[kind])(raw_data=data)
        video.parse()
        board = ms_toollib.MinesweeperBoard(video.board)
        said.writelines(f"{line}\n" for line in transcribe(video, board, has_marks(kind, data)))


if __name__ == "__main__":
    main(sys.argv[1])
