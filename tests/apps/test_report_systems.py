"""The five systems of the reports in the terminal and in Python: each under its own rules, by whatever name."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

import mineproof
from mineproof import AGENTS, SYSTEMS, Game
from mineproof.agents.reasoner import Reasoner
from mineproof.agents.systems import find_system
from mineproof.arena.match import turns
from mineproof.logic.matching import Follower
from support.processes import output

if TYPE_CHECKING:
    from pathlib import Path

NAMES = {
    "mcintyre": ("McIntyre", "chaining"),
    "harnjan": ("Harnjan", "sat"),
    "smile": ("S.M.I.L.E.", "nguyen", "kafafian", "normal-form", "basic"),
    "lee": ("Lee", "matching"),
    "sharma": ("Sharma", "kallingal", "joshy", "agrawal", "csp", "asp"),
}


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_name_of_a_system_finds_it(name: str) -> None:
    assert {find_system(other).name for other in (name, *NAMES[name])} == {name}


@pytest.mark.parametrize("name", SYSTEMS)
def test_watching_a_system_plays_its_game(name: str) -> None:
    system = SYSTEMS[name]
    played = json.loads(output("watch", "--as", name, "--seed", "1", "--json"))
    game = Game(system.levels[0], system.rules, seed=1)
    assert (played["id"], played["agent"]) == (game.id, system.agent)
    for _ in turns(system.agent, game):
        pass
    assert (played["moves"], played["hits"], played["score"]) == (game.step, game.hits, game.score)
    result = mineproof.play(system, seed=1)
    assert result.replay is not None
    assert (str(result.replay.id), len(result.replay.moves)) == (game.id, game.step)


def test_a_system_plays_another_level_or_agent_under_its_rules() -> None:
    chosen = ("--as", "lee", "--level", "6x5x5", "--agent", "matching+lowest-risk", "--seed", "2", "--json")
    assert json.loads(output("watch", *chosen))["id"] == "6x5x5/given:sqrt+no-flood#2"
    result = mineproof.play(SYSTEMS["sharma"], "8x8xnaive", seed=1)
    assert result.replay is not None
    assert str(result.replay.id) == "8x8x6/safe+continue#1"


def test_the_console_of_lee() -> None:
    """At each step KB, KB0 and the single clauses, as the knowledge base of the game has them; ? and X on the board."""
    seen = output("watch", "--as", "lee", "--seed", "5")
    sizes = [tuple(map(int, found)) for found in re.findall(r"# in KB: (\d+) \(single: (\d+)\), # in KB0: (\d+)", seen)]
    game = Game(SYSTEMS["lee"].levels[0], SYSTEMS["lee"].rules, seed=5)
    agent = AGENTS["matching"].make()
    assert isinstance(agent, Reasoner)
    expected = []
    while not game.over:
        decision = agent.choose(game.position)
        (mind,) = agent.minds
        assert isinstance(mind, Follower)
        clauses = mind.base.clauses
        expected.append((len(clauses), sum(len(clause) == 1 for clause in clauses), len(mind.base.facts)))
        if decision.stuck:
            break
        for move in decision.moves:
            game.play(move)
    assert sizes == expected
    board = seen.split("   A B C D E F G H I\n")[1].split("\n\n")[0]
    assert set(re.sub(r"^ *\d+", "", board, flags=re.MULTILINE)) <= set("?X.12345678 \n")


def test_the_line_below_a_turn_is_what_the_agent_has_written_down() -> None:
    for name, words in (
        ("mcintyre", r"chaining: [\d,]+ clauses in \d+ areas, the limit reached in \d+"),
        ("harnjan", r"[\d,]+ clauses about \d+ cells"),
        ("smile", r"\d+ clues in the table: \d+"),
        ("sharma", r"\d+ variables, \d+ sums"),
    ):
        assert re.search(words, output("watch", "--as", name, "--level", "9x9x10", "--seed", "3")), name


def test_playing_as_a_system() -> None:
    seen = output("play", "--as", "lee", "--seed", "1", "--plain", given="solve\n")
    assert "beginner/given:sqrt+no-flood#1: won" in seen
    assert "matching opened 71 cells and flagged 10." in seen


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_system_that_helps_does_not_guess(name: str) -> None:
    """In play, its guesses would lose the player's game."""
    for seed in "123":
        seen = output("play", "--as", name, "--seed", seed, "--plain", given="solve\n")
        assert "lost" not in seen
        assert "mines opened" not in seen


def test_a_tournament_as_a_system() -> None:
    found = json.loads(output("arena", "--as", "smile", "--games", "2", "--json"))
    system = SYSTEMS["smile"]
    assert {(row["agent"], row["level"]) for row in found["agents"]} == {
        (agent, str(mineproof.Level.parse(level))) for agent in system.agents for level in system.levels
    }
    rules = output("arena", "--as", "lee", "--level", "5x5x3", "--games", "2")
    assert "2 games on 5x5x3/given:sqrt+no-flood#0" in rules


def test_rules_as_our_own_docs_write_them() -> None:
    rules = ("--first-click", "given:sqrt+no-flood", "--level", "5x4x3", "--seed", "1")
    assert json.loads(output("watch", *rules, "--json"))["id"] == "5x4x3/given:sqrt+no-flood#1"
    assert "5x4x3/given:sqrt+no-flood#1" in output("play", *rules, "--plain", given="show\n")
    assert "5x4x3/given:sqrt+no-flood#1" in output("arena", *rules, "--games", "2")
    both = ("--first-click", "given:4+no-flood", "--continue", "--level", "5x4x3", "--seed", "1", "--json")
    assert json.loads(output("watch", *both))["id"] == "5x4x3/given:4+continue+no-flood#1"
    assert output("generate", *rules)


def test_agents_are_found_by_author_and_by_system() -> None:
    def listed(name: str) -> list[str]:
        return [row["name"] for row in json.loads(output("agents", name, "--json"))]

    assert listed("smile") == listed("Kafafian") == ["normal-form", "basic"]
    assert listed("lee") == listed("matching") == ["matching"]
    assert listed("sharma") == ["csp", "asp"]
    assert listed("csp") == ["csp"]


@pytest.mark.parametrize(
    ("method", "end"),
    [
        ("sat", "there are no others"),
        ("csp", "there are no others"),
        ("csp:mine-count=no", "there may be others that this method cannot find"),
        ("sat:mine-count=12", "there may be others that this method cannot find"),
        ("single", "there may be others that this method cannot find"),
    ],
)
def test_a_limit_is_named_only_where_it_was_reached(method: str, end: str) -> None:
    assert output("deduce", "-", "--method", method, given="3x2x2\nHHH\n121\n").endswith(f"; {end}\n")


def test_a_walk_through_in_pictures(tmp_path: Path) -> None:
    output("watch", "--as", "smile", "--seed", "346", "--pictures", "walk", cwd=tmp_path)
    page = (tmp_path / "walk" / "index.md").read_text()
    assert re.findall(r"^## (.*)", page, re.MULTILINE) == [*(f"Turn {n}" for n in range(1, 6)), "The end: won"]
    assert "- A7 is safe, by clues A2, A3, C4, B5, B6 (normal-form)" in page
    assert "A3          2     2     1      2  unsure" in page  # its mine B3 was proved a turn before
    assert "B7: mines at A6 or A8" in page
    pictures = re.findall(r"\((.*\.svg)\)", page)
    assert sorted(path.name for path in (tmp_path / "walk").glob("*.svg")) == sorted(pictures)
    assert (tmp_path / "walk" / "turn-001.svg").read_text().count('class="spoken"') == 1  # a guess


def test_themes_while_watching() -> None:
    seen = output("watch", "--as", "sharma", "--level", "8x8xmedium", "--seed", "3", "--theme", "csp")
    assert "⚑" in seen


def test_a_guess_keeps_its_reason_beside_flags(tmp_path: Path) -> None:
    for seed in range(10, 30):
        args = ("watch", "--as", "sharma", "--level", "9x9xexpert", "--seed", str(seed), "--pictures", "walk")
        seen = output(*args, cwd=tmp_path)
        page = (tmp_path / "walk" / "index.md").read_text()
        assert page.count("- guess ") == len(re.findall("^guess ", seen, re.MULTILINE))
        turns = len(re.findall("^## Turn", page, re.MULTILINE))
        assert len(list((tmp_path / "walk").glob("turn-*.svg"))) == turns  # none of an earlier, longer game
