"""Docs are complete and true: every command and option is documented, links lead somewhere, examples run."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest

from mineproof import AGENTS, FORMATS, LEVELS, METHODS, __version__
from mineproof.apps.cli import COMMANDS, cli
from mineproof.board.position import SYMBOLS

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


def test_versions_agree() -> None:
    assert f'version = "{__version__}"' in (ROOT / "pyproject.toml").read_text()
    assert f"[{__version__}]" in (ROOT / "CHANGELOG.md").read_text()


def test_the_page_of_explanations_is_what_is_found_today(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    assert (ROOT / "docs/explanations.md").read_text() == import_module("explanations").page()
