"""``import mineproof`` is quick, and rooms that must not know each other do not."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import mineproof

HEAVY = {
    "numpy", "click", "rich", "pysat", "ms_toollib", "ortools", "clingo", "pyarrow", "matplotlib", "distributed",
    "textual", "fastapi", "uvicorn", "sqlalchemy", "gymnasium", "asyncio", "multiprocessing", "http", "email", "xml",
    "unittest", "logging",
}  # fmt: skip


def modules_after(statement: str) -> set[str]:
    code = f"import json, sys; {statement}; print(json.dumps(sorted(sys.modules)))"
    return set(json.loads(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout))


def test_importing_the_package_drags_in_nothing_heavy() -> None:
    assert not {name.partition(".")[0] for name in modules_after("import mineproof")} & HEAVY


def test_playing_a_game_needs_nothing_heavy() -> None:
    loaded = modules_after("import mineproof; print(mineproof.Game('expert', seed=1), file=sys.stderr)")
    assert not {name.partition(".")[0] for name in loaded} & HEAVY


def test_the_compiled_room_imports_no_python_room() -> None:
    """import-linter reads Python only, so the sources are read here."""
    native = Path(mineproof.__file__).parent / "_native"
    sources = [*native.glob("*.pyx"), *native.glob("*.pxd")]
    assert sources
    for source in sources:
        for line in source.read_text().splitlines():
            if re.match(r"\s*(from|import|cimport)\b.*mineproof", line):
                assert "mineproof._native" in line, f"{source.name}: {line}"
