"""Tab completes commands, options and their values, in real shells; the manual page is what the help says today."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from mineproof import AGENTS, FORMATS, LEVELS, METHODS
from mineproof.apps.cli import COMMANDS
from mineproof.apps.cli.completion import SHELLS
from mineproof.arena.experiments import EXPERIMENTS
from support.processes import said
from support.terminal import Terminal

ROOT = Path(__file__).parent.parent.parent
START = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], 'eval "$(mineproof completion bash)"'),
    "zsh": (["zsh", "-f", "-i"], 'autoload -U compinit; compinit -D; eval "$(mineproof completion zsh)"'),
    "fish": (["fish", "--no-config", "-i"], "mineproof completion fish | source"),
}


def completed(line: str, shell: str = "bash") -> list[str]:
    """What may stand at the end of a line, each with its kind, as the shell is told."""
    words = line.split(" ")
    asked = {"COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1), "_MINEPROOF_COMPLETE": f"{shell}_complete"}
    status, text, complaint = said(env={**os.environ, **asked})
    assert (status, complaint) == (0, "")
    return text.split()


@pytest.mark.parametrize(
    ("line", "values"),
    [
        ("mineproof ", COMMANDS),
        ("mineproof deduce --method ", METHODS),
        ("mineproof watch --agent ", AGENTS),
        ("mineproof arena --agent ", AGENTS),
        ("mineproof agent ", AGENTS),
        ("mineproof arena compare run ", AGENTS),
        ("mineproof play --level ", LEVELS),
        ("mineproof analyse - --from ", FORMATS),
        ("mineproof convert a b --to ", FORMATS),
        ("mineproof experiment ", EXPERIMENTS),
        ("mineproof play --first-click ", ("any", "safe", "opening", "given")),
        ("mineproof generate --method ", ("uniform", "fast")),
    ],
)
def test_every_name_is_suggested(line: str, values: object) -> None:
    assert set(completed(line)) == {f"plain,{value}" for value in values}  # type: ignore[attr-defined]


@pytest.mark.parametrize("line", ["analyse ", "review ", "convert ", "convert a ", "play --load ", "arena --out "])
def test_files_are_completed_by_the_shell(line: str) -> None:
    assert completed(f"mineproof {line}") == ["file,"]


def test_after_a_wrong_command_nothing_is_said() -> None:
    asked = {"COMP_WORDS": "mineproof nonsense ", "COMP_CWORD": "2", "_MINEPROOF_COMPLETE": "bash_complete"}
    assert said(env={**os.environ, **asked}) == (1, "", "")


@pytest.mark.parametrize("shell", SHELLS)
def test_tab_completes_a_line_in_a_real_shell(shell: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program, load = START[shell]
    assert shutil.which(program[0]), f"the tests need {shell} (Debian: apt-get install {shell})"
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    monkeypatch.setenv("HOME", str(tmp_path))
    with Terminal(program=program, cwd=tmp_path) as terminal:
        terminal.press(f"{load}; printf 're%s\\n' ady\n")
        terminal.expect("ready\n")
        for typed, added in (("mineproof wat\t", "ch"), ("--agent care\t", "ful"), ("--level exp\t", "ert")):
            terminal.press(typed)
            terminal.expect(added)
        terminal.press("--seed 5 --json\n")
        terminal.expect('"expert/opening#5", "state"')


def test_the_manual_page_is_what_the_help_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    page = (ROOT / "man/mineproof.1").read_text()
    assert page == import_module("manual").page(), "make man writes it again"


def test_the_manual_page_is_good_roff() -> None:
    formatted = subprocess.run(
        ["man", "--warnings", "--local-file", str(ROOT / "man/mineproof.1")],
        env={**os.environ, "MANWIDTH": "80", "LC_ALL": "C.UTF-8", "MAN_KEEP_FORMATTING": ""},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert formatted.stderr == ""
    for name in COMMANDS:
        assert f"mineproof {name}" in formatted.stdout
    assert "--first-click" in formatted.stdout
