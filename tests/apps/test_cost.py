"""A few bytes do not cost gigabytes: boards of 16 million cells through every command, in a limited address space."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

MEMORY = 9 * 2**28
"""Bytes more than a command has when it begins: those of the default limit, and an eighth for the answer."""
WITHIN = f"""
import resource
from importlib import import_module
from pathlib import Path
import sys
from mineproof.apps.cli import main

import_module(f"mineproof.apps.cli.{{sys.argv[1]}}")
used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize() + {MEMORY}
resource.setrlimit(resource.RLIMIT_AS, (used, used))
main()
"""
LARGE, MINED, EMPTY, LONG = (
    "4096x4096x3000000/any#1", "4096x4096x16777216/any#1", "4096x4096x0/any#1", "16777216x1x3/any#1"
)  # fmt: skip
NO_MINES = '{"w":4096,"h":4096,"mines":[]}'
ONES, MINES, FLAGS = (  # 3843 x 3843: all cells show 1, or a mine, or a flag
    f"?analysis=9999{code}" for code in ("aaqimnqnpkmkk", "emjcQPNOOOPPNNPO", "emjc81366122")
)  # fmt: skip
PICTURE = "mineproof: a picture can show at most 250,000 cells; this board has 16,777,216\n"
NOT_DRAWN = "the board is not drawn: it has 16,777,216 cells, more than 10,000"


def within(*args: str, given: str = "", folder: Path | None = None) -> tuple[int, str, str]:
    """Status and output of a command that has little memory."""
    done = subprocess.run(
        [sys.executable, "-c", WITHIN, *args], input=given, capture_output=True, text=True, cwd=folder, timeout=600
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("args", "status", "text", "complaint"),
    [
        (("convert", "-", "x.svg"), 2, "", PICTURE),
        (("analyse", "-", "--svg"), 2, "", PICTURE),
        (("convert", LARGE, "x.svg"), 2, "", PICTURE),
        (("generate", "--size", "4096x4096", "--mines", "9", "--seed", "1", "--out", "x.svg"), 2, "", PICTURE),
        (("analyse", "-"), 0, NOT_DRAWN, ""),
        (("analyse", LARGE), 0, NOT_DRAWN, ""),
        (("analyse", MINED), 0, NOT_DRAWN, ""),
        (("analyse", ONES, "--seconds", "600"), 1, "inconsistent: ", ""),
        (("analyse", MINES, "--seconds", "600"), 1, "inconsistent: ", ""),
        (("deduce", LARGE, "--seconds", "600"), 0, "0 safe, 0 mines; ", ""),
        (("deduce", EMPTY, "--seconds", "600"), 0, "0 safe, 0 mines; there may be others: the limit was reached", ""),
        (("deduce", ONES, "--seconds", "600"), 0, "0 safe, 0 mines; there may be others: the limit was reached", ""),
        (("prove", EMPTY, "A1", "--seconds", "600"), 2, "", "mineproof: it is not known whether A1 is certain: "),
        (("rate", "4096x4096x3/given:16000000#1"), 2, "", "mineproof: a game can name up to 100,000 safe cells, not"),
        (("rate", LARGE), 0, "4096x4096x3000000: 3BV ", ""),
        (("rate", MINES), 2, "", "mineproof: this position has hidden cells"),
        (("convert", LARGE, "x.ptta"), 0, "", ""),
        (("convert", FLAGS, "x.analysis"), 0, "", ""),
        (("play", "--id", LARGE), 0, NOT_DRAWN, ""),
        (("play", "--id", LONG), 0, NOT_DRAWN, ""),
        (("watch", "--level", "4096x4096x3"), 2, "", "mineproof: boards of up to 1,048,576 cells can be watched; this"),
    ],
    ids=lambda value: " ".join(value)[:60] if isinstance(value, tuple) else None,
)  # fmt: skip
def test_a_few_bytes_do_not_cost_gigabytes(
    tmp_path: Path, args: tuple[str, ...], status: int, text: str, complaint: str
) -> None:
    done = within(*args, given=NO_MINES if "-" in args else "", folder=tmp_path)
    assert done[0] == status
    assert text in done[1]
    assert done[2].startswith(complaint)
    assert len(done[1]) < 1000
    assert done[2].count("\n") == (status == 2)
    if status:
        assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("board", [LARGE, MINED, NO_MINES])
def test_json_of_a_large_board_is_written_as_it_is_made(tmp_path: Path, board: str) -> None:
    (tmp_path / "board.json").write_text(board)
    source = "board.json" if board is NO_MINES else board
    with (tmp_path / "out").open("w") as out:
        command = [sys.executable, "-c", WITHIN, "analyse", source, "--json", "--seconds", "600"]
        done = subprocess.run(command, stdout=out, stderr=subprocess.PIPE, text=True, cwd=tmp_path, timeout=600)
    assert (done.returncode, done.stderr) == (0, "")
    with (tmp_path / "out").open("rb") as file:
        head, _, rest = file.read(10_000).partition(b', "safe"')
        file.seek(-100, 2)
        assert file.read().endswith(b"}\n")
    fields = json.loads(head + b"}")
    assert (fields["rows"], fields["cols"], fields["consistent"], fields["exact"]) == (4096, 4096, True, True)
    assert fields["solutions"] == (None if board is LARGE else "1")
    assert rest.startswith(b': [], "mined": [[0, 0], [0, 1], ' if board is MINED else b': [], "mined": [], "odds": [[')
