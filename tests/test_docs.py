"""Docs are complete and true: every command and option is documented, links lead somewhere, examples run."""

from __future__ import annotations

import inspect
import json
import os
import re
import socket
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest

from mineproof import AGENTS, FORMATS, LEVELS, METHODS, Position, __version__, why
from mineproof.agents.outside import serve
from mineproof.apps.cli import COMMANDS, cli
from mineproof.board.position import SYMBOLS
from support.processes import said

if TYPE_CHECKING:
    from mineproof.agents.registry import AgentSpec
    from mineproof.logic.methods import Method

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
CLI = (ROOT / "docs/cli.md").read_text()


def section(command: str) -> str:
    found = re.search(rf"^## `mineproof {command}.*?(?=^## |\Z)", CLI, re.DOTALL | re.MULTILINE)
    assert found is not None, f"docs/cli.md has no section on {command}"
    return found[0]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_is_documented(name: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    text = section(name)
    for parameter in command.params:
        for option in parameter.opts if isinstance(parameter, click.Option) else []:
            assert re.search(rf"`[^`]*{option}\b[^`]*`", text), f"docs/cli.md does not explain {name} {option}"
    known = {option for parameter in command.params for option in parameter.opts} | {"--help"}
    prose = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    for option in re.findall(r"(?<![\w-])--[a-z][a-z-]*", prose):
        assert option in known, f"docs/cli.md explains {name} {option}, which is not there"


def test_formats_levels_and_symbols_are_documented() -> None:
    formats = (ROOT / "docs/formats.md").read_text()
    game = (ROOT / "docs/game.md").read_text()
    assert all(f"`{name}`" in formats for name in FORMATS)
    assert all(f"`{symbol}`" in formats for symbol in SYMBOLS if not symbol.isdigit())
    assert all(f"`{name}`" in game for name in LEVELS)


@pytest.mark.parametrize("method", METHODS.values(), ids=lambda method: method.name)
def test_every_method_has_a_page(method: Method) -> None:
    page = (ROOT / f"docs/logic/{method.name}.md").read_text()
    assert (
        f"[{method.name}](logic/{method.name}.md) | {method.idea} | {'yes' if method.complete else 'no'}"
        in (ROOT / "docs/logic.md").read_text()
    )
    options = inspect.signature(import_module(f"mineproof.logic.{method.name.replace('-', '_')}").infer).parameters
    for name in list(options)[2:]:
        assert f"| `{name}` |" in page, f"{page} does not explain {name}"


@pytest.mark.parametrize("spec", AGENTS.values(), ids=lambda spec: spec.name)
def test_every_agent_is_documented(spec: AgentSpec) -> None:
    row = f"| `{spec.name}` | {spec.idea} | {'yes' if spec.complete else 'no'} | `{spec.rules}` |"
    assert row in (ROOT / "docs/agents.md").read_text()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text()):
        if not target.startswith("http"):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def console_blocks(page: Path) -> list[tuple[str, str]]:
    """Each ``$ command`` of a page with the output that the page shows."""
    found = []
    for block in re.findall(r"^```console\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = part.partition("\n")
            found.append((command, shown))
    return found


@pytest.mark.parametrize("page", [page for page in PAGES if console_blocks(page)], ids=lambda page: page.name)
def test_commands_in_the_docs_print_what_the_docs_say(page: Path, tmp_path: Path) -> None:
    """All commands of a page, one after the other in one folder; ... stands for anything."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    for command, shown in console_blocks(page):
        if command.startswith("make "):
            continue
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            env={**os.environ, "PATH": path},
            check=False,
        )
        wanted = ".*".join(map(re.escape, shown.split("...")))
        assert re.fullmatch(wanted, done.stdout + done.stderr, re.DOTALL), f"{command}\n{done.stdout}{done.stderr}"


def commands_in_sentences() -> list[tuple[str, str]]:
    """Every command that a page names in passing, with the page."""
    pattern = re.compile(r"`((?:mineproof|make|python) [^`]+)`")
    told = [(page, re.sub(r"^```.*?^```", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)) for page in PAGES]
    return [(page.name, " ".join(found.split())) for page, text in told for found in pattern.findall(text)]


def test_commands_in_sentences_exist() -> None:
    """Commands that would take too long here, or that stand for many: at least their names and options are right."""
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    told = commands_in_sentences()
    assert len(told) > 80
    for page, line in told:
        program, *words = line.split()
        if program == "make":
            assert words[0] in targets or words[0].startswith(".venv/"), f"{page}: {line}"
        elif program == "python":
            assert words[0] == "-m" or (ROOT / words[0]).exists(), f"{page}: {line}"
        elif words[0] not in ("COMMAND", "help", "--help", "--version"):
            command = cli.get_command(click.Context(cli), words[0])
            assert command is not None, f"{page}: {line}"
            known = {option for parameter in command.params for option in parameter.opts} | {"--help"}
            assert {word for word in words if word.startswith("--")} <= known, f"{page}: {line}"


def shell_blocks(name: str) -> list[str]:
    return re.findall(r"^```sh\n(.*?)^```", (ROOT / "docs" / name).read_text(), re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("block", [1, 2], ids=["many machines", "one machine"])
def test_the_commands_for_a_cluster_work(block: int, tmp_path: Path) -> None:
    """As they are on the page, but on this machine, in the background, on a free port and with fewer games."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    lines = [line.partition(" #")[0].rstrip(" &") for line in shell_blocks("cluster.md")[block].splitlines()]
    text = "\n".join(f"{line} &" if line.startswith("dask") else line for line in lines)
    for shown, here in (
        ("scheduler --port 8786", "scheduler --host 127.0.0.1 --port 8786"),
        ("//scheduler:", "//127.0.0.1:"),
        ("8786", str(port)),
        ("10000000", "300"),
        ("20000", "300"),
    ):
        text = text.replace(shown, here)
    done = subprocess.run(
        ["bash", "-c", f"trap 'kill $(jobs -p)' EXIT\n{text}"],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300,
        env={**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "300 games on expert/safe#0" in done.stdout


def test_the_program_on_the_page_of_the_protocol_plays(tmp_path: Path) -> None:
    page = (ROOT / "docs/protocol.md").read_text()
    (program,) = re.findall(r"^```python\n(import.*?)^```", page, re.DOTALL | re.MULTILINE)
    (tmp_path / "program.py").write_text(program)
    command = f"random={sys.executable} {tmp_path / 'program.py'}"
    status, text, _ = said("arena", "--agent-command", command, "--level", "beginner", "--games", 20, "--json")
    assert status == 0
    (played,) = json.loads(text)["agents"]
    assert (played["games"], played["faults"]) == (20, 0)


def test_question_and_answer_on_the_page_of_the_protocol_belong_together() -> None:
    page = (ROOT / "docs/protocol.md").read_text()
    asked, answered = map(json.loads, re.findall(r"^```json\n(.*?)^```", page, re.DOTALL | re.MULTILINE))
    (said_here,) = map(json.loads, serve(AGENTS["best"].make(), [json.dumps(asked)]))
    assert [*answered.pop("moves")[:2], "flag C1"] == said_here.pop("moves")
    assert answered == said_here


def test_blocks_that_nothing_runs_are_known() -> None:
    """All others are examples in Python, or commands with their output, which run; or text that is compared."""
    fences = {(page.name, kind) for page in PAGES for kind in re.findall(r"^```(\w+)$", page.read_text(), re.MULTILINE)}
    rest = {(name, kind) for name, kind in fences if kind not in ("python", "console")}
    assert rest == {
        ("cluster.md", "sh"),  # see above; pip install besides
        ("explanations.md", "text"),  # see below
        ("gym.md", "sh"),  # trains for minutes
        ("protocol.md", "json"),  # see above
        ("release.md", "sh"),  # containers: built by the workflow
    }


def test_the_version_is_in_one_place() -> None:
    assert 'version = { attr = "mineproof.__version__" }' in (ROOT / "pyproject.toml").read_text()
    assert f"[{__version__}]" in (ROOT / "CHANGELOG.md").read_text()


def test_the_boards_on_the_page_of_techniques_are_those_of_its_commands() -> None:
    """MINEPROOF_SNAPSHOTS=write draws them again."""
    page = (ROOT / "docs/techniques.md").read_text()
    asked = re.findall(r"images/(.*)\)\n\n```console\n\$ printf '(.*)' \| mineproof explain - (\w+)\n", page)
    assert [name for name, *_ in asked] == [f"level-{level}.svg" for level in range(1, 7)]
    for name, text, cell in asked:
        position = Position.from_text(text.replace("\\n", "\n"))
        drawn = position.to_svg(why=why(position, cell))
        if os.environ.get("MINEPROOF_SNAPSHOTS") == "write":
            (ROOT / "docs/images" / name).write_text(drawn, "utf-8")
        assert (ROOT / "docs/images" / name).read_text("utf-8") == drawn, name


def test_the_page_of_explanations_is_what_is_found_today(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    assert (ROOT / "docs/explanations.md").read_text() == import_module("explanations").page()
