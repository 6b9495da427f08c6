"""The pages of the five reports: alike, complete, runnable, and set as `systems` sets them.

The commands in their console blocks run in `test_docs`; here run those that sentences name, with fewer games.
"""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

import pytest

from mineproof import SYSTEMS
from mineproof.arena.experiments import EXPERIMENTS
from support.processes import said
from test_docs import ROOT, console_blocks

if TYPE_CHECKING:
    from pathlib import Path

    from mineproof.agents.systems import System

INDEX = ROOT / "docs/reports.md"
FOLDER = ROOT / "docs/reports"
PAGES = [INDEX, *sorted(FOLDER.glob("*.md"))]
SECTIONS = ["What it is", "Run it", "Settings", "Its examples", "Its figures", "Its claims"]
GAMES = 2
each_system = pytest.mark.parametrize("system", SYSTEMS.values(), ids=lambda system: system.name)


def page_of(system: System) -> str:
    return (FOLDER / f"{system.name}.md").read_text()


def section(text: str, title: str) -> str:
    return re.split(rf"^## {title}$", text, flags=re.MULTILINE)[1].partition("\n## ")[0]


def table(text: str) -> list[list[str]]:
    """The cells of the first table of a text, without its head."""
    lines = re.search(r"^\|.*(?:\n\|.*)*", text, re.MULTILINE)
    assert lines is not None
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[0].split("\n")[2:]]


def values(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def test_each_system_has_a_page_and_nothing_else_has() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(SYSTEMS)


@each_system
def test_the_pages_have_the_same_sections(system: System) -> None:
    text = page_of(system)
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == SECTIONS
    claims = section(text, "Its claims")
    assert re.findall(r"^### (.+)$", claims, re.MULTILINE) == ["What it wished for", "What is different here"]


@each_system
def test_each_page_says_how_to_run_its_system(system: System) -> None:
    text = section(page_of(system), "Run it")
    assert f"$ mineproof watch --as {system.name} --seed 1 --delay 0\n" in text
    assert f'mineproof.play(mineproof.SYSTEMS["{system.name}"], seed=1)' in text
    assert f"`/watch?as={system.name}`" in text
    for command in ("play --as {}", "arena --as {} --games 200", "agents {}"):
        assert f"`mineproof {command.format(system.name)}`" in " ".join(text.split())


def test_the_index_names_agents_rules_and_levels() -> None:
    rows = table(INDEX.read_text())
    assert [values(row[1]) for row in rows] == [[name] for name in SYSTEMS]
    for row, system in zip(rows, SYSTEMS.values(), strict=True):
        assert row[0].startswith(f"[{system.authors}, ")
        assert row[0].endswith(f"](reports/{system.name}.md)")
        assert values(row[2]) == list(system.agents)
        assert values(row[3]) == [system.rules, *system.levels]


@each_system
def test_settings_are_those_of_the_system(system: System) -> None:
    """Here: the defaults of the registry. In the report: the same, unless `systems` says what else."""
    not_stated, changed = system.not_stated or {}, system.changed or {}
    expected = {("the game", "rules"): [system.rules], ("the game", "levels"): list(system.levels)}
    if "size" in not_stated:
        expected["the game", "size"] = []
    for player in system.players:
        expected[player.name, "policy"] = [player.policy]
        expected |= {(player.name, option.name): [option.write(option.default)] for option in player.options}
    agent, found = "", set()
    for first, setting, in_report, here, meaning in table(section(page_of(system), "Settings")):
        agent = first.strip("`") or agent
        name = setting.strip("`")
        found.add((agent, name))
        assert values(here) == expected[agent, name], name
        assert meaning
        if name in not_stated:
            assert in_report == not_stated[name], name
        elif name in changed:
            assert values(in_report) == [changed[name]] != values(here), name
        else:
            assert "not stated" not in in_report, f"{name}: systems.py does not say so"
            assert set(values(in_report)) <= set(values(here)), name
            assert values(in_report) or name == "levels" or in_report == "ours", name
    assert found == set(expected)
    assert {*not_stated, *changed} <= {name for _, name in found}


def commands_in_sentences(page: Path) -> set[str]:
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)
    return {" ".join(one.split()) for one in re.findall(r"`(mineproof [^`]+)`", text)}


NAMED = sorted({command for page in PAGES for command in commands_in_sentences(page)})
FORMS = {"mineproof watch", "mineproof play", "mineproof arena", "mineproof experiment", "mineproof web"}
"""Named without saying what they should do; and the server, which serves until it is stopped."""


@pytest.mark.parametrize("command", [command for command in NAMED if command not in FORMS])
def test_commands_in_sentences_run(command: str, tmp_path: Path) -> None:
    """With fewer games. What plays by typed moves is told to quit; experiments run elsewhere."""
    _, *words = shlex.split(command)
    if words[0] == "experiment":
        assert words[1:] == [name for name in EXPERIMENTS if name == words[1]]
        return
    if "--games" in words:
        words[words.index("--games") + 1] = str(GAMES)
    if words[0] == "analyse":
        words.append("-")
    status, text, complaint = said(*words, given="3x2x2\nHHH\n121\n" if "-" in words else "quit\n", cwd=tmp_path)
    assert status == 0, complaint
    assert text


def test_every_system_is_run_in_a_terminal_by_the_index() -> None:
    assert any(" --as " in command for command, _ in console_blocks(INDEX))


def test_every_experiment_has_one_home() -> None:
    """The list has all; each page of a report shows the data of its own."""
    listed = table((ROOT / "docs/experiments.md").read_text())
    assert [values(row[0]) for row in listed] == [[name] for name in EXPERIMENTS]
    for (name,), (_, _, results) in zip((values(row[0]) for row in listed), listed, strict=True):
        homes = [path for path in (*PAGES, ROOT / "docs/experiments.md") if shows(path, name)]
        assert len(homes) == 1, f"{name}: {homes}"
        link = re.search(r"\]\(([^)#]*)#", results)
        assert link is not None
        assert homes[0] == (ROOT / "docs" / (link[1] or "experiments.md")), name


def shows(page: Path, experiment: str) -> bool:
    return re.search(rf"images/{experiment}\.png\)", page.read_text()) is not None


def test_the_walk_through_is_what_the_command_draws(tmp_path: Path) -> None:
    page = (ROOT / "docs/reports/smile.md").read_text()
    (command,) = re.findall(r"^\$ mineproof (watch .*--pictures walk)$", page, re.MULTILINE)
    status, _, complaint = said(*shlex.split(command), cwd=tmp_path)
    assert status == 0, complaint
    drawn = {path.name: path.read_bytes() for path in (tmp_path / "walk").glob("*.svg")}
    kept = {path.name: path.read_bytes() for path in (ROOT / "docs/images/smile-walk").iterdir()}
    assert drawn == kept
    assert set(re.findall(r"smile-walk/(.*?)\)", page)) == {name for name in kept if name.startswith("turn")}
