"""Ctrl-C ends every command while it reasons, whatever it is doing."""

from __future__ import annotations

import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest

from mineproof import METHODS, Layout, Position
from mineproof.board.formats import as_position
from support.processes import wait_for

if TYPE_CHECKING:
    from pathlib import Path

TELLS = """
import sys
from pathlib import Path
from mineproof import limit
from mineproof.apps.cli import main

start = limit.Clock.__init__

def begins(clock, *given):
    start(clock, *given)
    Path("begun").touch()

limit.Clock.__init__ = begins
main()
"""
"""The command line, which leaves a file when its time begins to run: reasoning begins then."""


@pytest.fixture(scope="module")
def hard(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A position that keeps every method busy: a quarter of the cells of a large, dense board open, here and there."""
    layout = Layout.draw("2000x2000x1000000", "any", seed=1)
    cells = as_position(layout).array().ravel().copy()
    cells[(cells == ord("?")) | (np.random.default_rng(1).random(len(cells)) > 0.25)] = ord("H")
    path = tmp_path_factory.mktemp("hard") / "hard.mine"
    path.write_text(Position(layout.grid, layout.mines, cells.tobytes()).to_text())
    return path


@pytest.mark.parametrize(
    "args",
    [
        ("analyse", "HARD"), ("analyse", "HARD", "--json"), ("prove", "HARD", "A1"),
        ("watch", "--size", "1000x1000", "--mines", "180000", "--seed", "1"),
        ("generate", "--no-guess", "--size", "30x16", "--mines", "300", "--tries", "1000000000", "--seed", "1"),
        ("generate", "--no-guess", "--method", "uniform", "--size", "700x700", "--mines", "130000", "--seed", "1"),
        ("generate", "--no-guess", "--min-level", "5", "--max-level", "5", "--size", "4x4", "--mines", "4", "--tries",
         "1000000000", "--seed", "1"),
        ("rate", "1000x1000x210000/any#1"),
        ("review", "GAME", "--playouts", "1000000"),
        *(("deduce", "HARD", "--method", name) for name in METHODS),
    ],
    ids=" ".join,
)  # fmt: skip
def test_ctrl_c_while_it_reasons(tmp_path: Path, hard: Path, args: tuple[str, ...]) -> None:
    limit = () if args[0] == "watch" else ("--seconds", "600")
    (tmp_path / "GAME").write_text("mineproof game 1\nexpert/opening#3\nopen D4\nopen AD16\n")  # a guess
    command = [sys.executable, "-c", TELLS, *(str(hard) if arg == "HARD" else arg for arg in args), *limit]
    with (tmp_path / "out").open("w") as out:
        process = subprocess.Popen(command, cwd=tmp_path, stdout=out, stderr=subprocess.PIPE, text=True)
        wait_for((tmp_path / "begun").exists)
        process.send_signal(signal.SIGINT)
        _, complaint = process.communicate(timeout=120)
    assert (process.returncode, complaint) == (130, "interrupted\n")
