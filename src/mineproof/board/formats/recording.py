"""Games recorded with other programs: AVF, EVF, MVF and RMV files.

ms-toollib reads these formats, but may crash on bad files. So it runs in a separate process (`transcriber`), which
writes RAWVF, read like any other. The game must end as the file says, and as it does on ms-toollib's own board.
"""

from __future__ import annotations

import re
import subprocess
import sys
from tempfile import TemporaryDirectory, TemporaryFile
from typing import TYPE_CHECKING

from mineproof.board.formats import rawvf, transcriber
from mineproof.board.game import State
from mineproof.errors import InvalidText, MineproofError, MissingExtra

if TYPE_CHECKING:
    from mineproof.board.game import Replay

MOST_BYTES = 2**22
"""The largest file: hours of play."""
SECONDS = 60.0
"""Time limit in seconds for a file that usually takes a fraction of one."""
BEGINNINGS = {
    "avf": re.compile(rb".{5}[\x03-\x06]", re.DOTALL),
    "evf": re.compile(rb"[\x00-\x04]"),
    "mvf": re.compile(rb"\x11M"),
    "rmv": re.compile(rb"\*rmv"),
}
"""The first bytes of every such file."""
_CHECKS = re.compile(rb"([01]) ([01*]+)")
_SHOWN = bytes.maketrans(b"012345678HFQS?", b"11111111100000")  # as the transcriber reports it


def read(name: str, data: bytes) -> Replay:
    """Read a replay from a file of this format."""
    if len(data) > MOST_BYTES:
        raise InvalidText(
            f"this is too long to be a recorded game: {len(data):,} bytes; at most {MOST_BYTES:,} are allowed"
        )
    checks, _, record = _transcribed(name, data).partition(b"\n")
    reported = _CHECKS.fullmatch(checks)
    try:
        replay = rawvf.read(record)
    except MineproofError:  # its message would mention lines that the user has never seen
        reported = None
    if reported is None:
        raise _damaged(name)
    won, shown = reported[1] == b"1", reported[2]
    game = replay.game()
    right = game.state is State.WON if won else game.position.cells.translate(_SHOWN) == shown
    if not right:
        raise InvalidText(f"the clicks of this {name.upper()} file do not lead to the result that it states")
    return replay


def _transcribed(name: str, data: bytes) -> bytes:
    """The output of the process for a file."""
    if not BEGINNINGS[name].match(data):
        raise _damaged(name)
    # The file has no name, and the process removes the folder: nothing is left behind whatever ends us (on Windows, an
    # empty folder may be).
    with TemporaryFile() as output, TemporaryDirectory() as folder:
        command = [sys.executable, "-P", transcriber.__file__, name, folder]
        try:
            done = subprocess.run(
                command, input=data, stdout=output, stderr=subprocess.DEVNULL, timeout=SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            raise InvalidText(f"this {name.upper()} file could not be read in {SECONDS:g} seconds") from None
        if done.returncode == transcriber.MISSING:
            raise MissingExtra(f"reading {name.upper()} files", "ms-toollib", "replays")
        if done.returncode:
            raise _damaged(name)
        output.seek(0)
        return output.read(transcriber.LONGEST)


def _damaged(name: str) -> InvalidText:
    return InvalidText(f"this {name.upper()} file cannot be read: it is damaged, or not an {name.upper()} file")
