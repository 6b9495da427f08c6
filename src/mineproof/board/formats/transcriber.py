"""A process that reads one recorded game with ms-toollib, and writes it as RAWVF.

It runs as a script, ``python transcriber.py avf FOLDER``, with the file on standard input and an empty folder, and
imports nothing from this package. ms-toollib may end the whole process on a bad file, or never finish. So it runs alone
here, with limited time and memory where the system supports that, and leaves nothing behind.

The first line of output is for checks: ``1`` if the file says that the game was won, else ``0``, then every cell of
ms-toollib's own board at the end (``1`` open, ``*`` an opened mine, ``0`` closed). RAWVF follows.
"""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

VIDEOS = {"avf": "AvfVideo", "evf": "EvfVideo", "mvf": "MvfVideo", "rmv": "RmvVideo"}
"""The formats that it reads, and their ms-toollib classes."""
MISSING = 3
"""Exit status when ms-toollib is not installed."""
LONGEST = 2**24
"""The most bytes it may write."""
_LIMITS = {"RLIMIT_CPU": 90, "RLIMIT_AS": 2**31, "RLIMIT_FSIZE": LONGEST, "RLIMIT_CORE": 0}
_BLAST = 15  # a mine that was opened, on ms-toollib's board; numbers are themselves, all else is more than 9


def restrict() -> None:
    """Limit time, memory and file size, even when the parent process is gone. Windows has no such limits."""
    if sys.platform != "win32":
        import resource

        for name, most in _LIMITS.items():
            limit = getattr(resource, name)
            hard = resource.getrlimit(limit)[1]
            least = most if hard == resource.RLIM_INFINITY else min(most, hard)
            with suppress(ValueError, OSError):
                resource.setrlimit(limit, (least, least))


def leave(folder: Path) -> None:
    """Change to the folder and delete it, so that no file can be created: ms-toollib writes ``crash.log`` there.
    On Windows the folder stays while this process is in it; the parent deletes it."""
    os.chdir(folder)
    if sys.platform != "win32":
        folder.rmdir()


def transcribe(video: Any, board: Any, marks: bool) -> Iterator[str]:
    """The lines of a parsed game, replayed on ms-toollib's board."""
    rows, cols, size = video.row, video.column, video.pix_size
    events: list[str] = []
    held: set[str] = set()
    for record in video.events:
        mouse = record.event.unwrap_mouse()
        if mouse is None or mouse.mouse == "mv":
            continue
        row, col = mouse.y // size, mouse.x // size
        inside = row < rows and col < cols
        if inside or mouse.mouse not in ("mr", "m", "pf"):  # its board does not allow these outside
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
    """An event in RAWVF: buttons pressed and released, one at a time.

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
    for event in done:
        (held.add if event.endswith("c") else held.discard)(event[0])
    return done


def has_marks(kind: str, data: bytes) -> bool:
    """Whether question marks were enabled, in a file that ms-toollib has parsed: it does not tell."""
    if kind == "avf":
        header = re.search(rb"([\x11\x7f]).\[[0-3]\|", data, re.DOTALL)
        return header is not None and header[1] == b"\x11"
    if kind == "evf":
        return data[0] > 2 and data[2] > 127
    if kind == "mvf":
        return data[96] > 0
    first, head = (10, 28) if data[5] == 1 else (12, 30)  # sizes of the parts before the properties, and of the header
    parts = sum(int.from_bytes(data[at : at + 2], "big") for at in range(first, 20, 2))
    return data[head + parts] > 0


def main(kind: str, folder: Path) -> None:
    """Read one file."""
    restrict()
    leave(folder)
    with os.fdopen(os.dup(1), "w", encoding="ascii", newline="\n") as output:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # in case the library prints something
        try:
            import ms_toollib
        except ImportError:
            sys.exit(MISSING)
        data = sys.stdin.buffer.read()
        video = getattr(ms_toollib, VIDEOS[kind])(raw_data=data)
        video.parse()
        board = ms_toollib.MinesweeperBoard(video.board)
        output.writelines(f"{line}\n" for line in transcribe(video, board, has_marks(kind, data)))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
