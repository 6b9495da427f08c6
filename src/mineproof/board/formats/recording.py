"""Games that people recorded with other programs: AVF, EVF, MVF and RMV files.

ms-toollib knows these formats, but not how to fail: so it works in a process of its own (`transcriber`), which writes
RAWVF, and this is read as any other. The game has to end as the file says, and as it does on ms-toollib's own board.
"""

from __future__ import annotations

import re
import subprocess
import sys
from tempfile import TemporaryFile
from typing import TYPE_CHECKING

from mineproof.board.formats import rawvf, transcriber
from mineproof.board.game import State
from mineproof.errors import InvalidText, MineproofError, MissingExtra

if TYPE_CHECKING:
    from mineproof.board.replay import Replay

MOST_BYTES = 2**22
"""Of a file: hours of a game."""
SECONDS = 60.0
"""For a file that takes a fraction of one."""
BEGINNINGS = {
    "avf": re.compile(rb".{5}[\x03-\x06]", re.DOTALL),
    "evf": re.compile(rb"[\x00-\x04]"),
    "mvf": re.compile(rb"\x11M"),
    "rmv": re.compile(rb"\*rmv"),
}
"""How every such file begins."""
_CHECKS = re.compile(rb"([01]) ([01*]+)")
_SHOWN = bytes.maketrans(b"012345678HFQS?", b"11111111100000")  # as the transcriber tells of it


def read(name: str, data: bytes) -> Replay:
    """Read a replay from a file of this format."""
    if len(data) > MOST_BYTES:
        raise InvalidText(f"this is too long to be a recorded game: {len(data):,} bytes, more than {MOST_BYTES:,}")
    checks, _, record = _transcribed(name, data).partition(b"\n")
    told = _CHECKS.fullmatch(checks)
    try:
        replay = rawvf.read(record)
    except MineproofError:  # it would speak of lines that the user has never seen
        told = None
    if told is None:
        raise _damaged(name)
    won, shown = told[1] == b"1", told[2]
    game = replay.game()
    right = game.state is State.WON if won else game.position.cells.translate(_SHOWN) == shown
    if not right:
        raise InvalidText(f"the clicks of this {name.upper()} file do not lead to the end that it tells of")
    return replay


def _transcribed(name: str, data: bytes) -> bytes:
    """What the process says of a file."""
    if not BEGINNINGS[name].match(data):
        raise _damaged(name)
    command = [sys.executable, "-P", transcriber.__file__, name]
    with TemporaryFile() as said:  # it has no name, so that nothing is left behind whatever ends us
        try:
            done = subprocess.run(
                command, input=data, stdout=said, stderr=subprocess.DEVNULL, timeout=SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            raise InvalidText(f"this {name.upper()} file cannot be read in {SECONDS:g} seconds") from None
        if done.returncode == transcriber.MISSING:
            raise MissingExtra(f"reading {name.upper()} files", "ms-toollib", "replays")
        if done.returncode:
            raise _damaged(name)
        said.seek(0)
        return said.read(transcriber.LONGEST)


def _damaged(name: str) -> InvalidText:
    return InvalidText(f"this {name.upper()} file cannot be read: it is damaged, or no {name.upper()} file at all")
