"""The same games however a processor rounds: choices do not hang on the last bits of a number.

Processors differ in how they compute the last bits of exponentials and sums (fused operations, for one). Here every
floating-point operation is made to round another way, in a process of its own; the games must be the same move for
move.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

# The rounding modes of C's <fenv.h> on common machines; a child says so if it has none of these.
SCRIPT = """
import ctypes, ctypes.util, platform, sys
from mineproof import Level, Limit, Position
from mineproof.agents.registry import find_agent
from mineproof.arena.chunks import Chunk, digest, run
from mineproof.board.rules import Rules

modes = {"x86_64": (0x000, 0x400, 0x800, 0xC00), "AMD64": (0x000, 0x400, 0x800, 0xC00),
         "aarch64": (0x000000, 0x800000, 0x400000, 0xC00000), "arm64": (0x000000, 0x800000, 0x400000, 0xC00000)}
libm = ctypes.CDLL(ctypes.util.find_library("m"))
mode = modes[platform.machine()][int(sys.argv[1])]
assert libm.fesetround(mode) == 0 and libm.fegetround() == mode
found = []
for agent, level, rules, games in (
    ("best", "beginner", "safe", 400), ("best", "intermediate", "opening", 60), ("best", "expert", "safe", 40),
    ("lowest-risk", "beginner", "any", 400), ("lowest-risk", "expert", "opening", 40),
):
    version = find_agent(agent).version
    found += run(Chunk(agent, version, Level.parse(level), Rules.parse(rules), 7, 0, games, limit=Limit(600)))
position = Position.from_text(sys.argv[2])
choice = find_agent("best").make().choose(position, Limit(600)).moves[-1].cell
libm.fesetround(modes[platform.machine()][0])
print(digest(found), hash(tuple(result.risks for result in found)), choice)
"""


CLOSE = """12x12x40
02F2000013FH
13F201112FFH
2F3101F23F4H
2F310112F22H
23F10001111H
F3220000012H
34F2110124FH
FF33F112FFFH
F7F3111F5HHH
FFF31113FHHH
3433F313FHHH
1F12FHH2HHHH"""
"""Here a share of boards that playouts meet is just what a toss-up must have to count."""


def played(mode: int) -> list[str]:
    done = subprocess.run([sys.executable, "-c", SCRIPT, str(mode), CLOSE], capture_output=True, text=True, check=True)
    return done.stdout.split()


@pytest.mark.parametrize("mode", [1, 2, 3])
def test_games_do_not_hang_on_rounding(mode: int) -> None:
    nearest, other = played(0), played(mode)
    assert nearest[1] != other[1], "the numbers were to be computed another way"
    assert nearest[0] == other[0]
    assert nearest[2] == other[2]
