"""Registering an agent is being tested: every one of them plays by the same rules."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from mineproof import (
    AGENTS,
    METHODS,
    Cell,
    Deductions,
    Game,
    Level,
    Limit,
    Move,
    Position,
    Rules,
    UnknownName,
    analyse,
)
from mineproof.agents.agent import Agent, Decision
from mineproof.agents.policies import POLICIES, find_policy
from mineproof.agents.reasoner import Reasoner
from mineproof.agents.registry import AgentSpec, PluginWarning, find_agent, registered
from mineproof.arena.chunks import Chunk, run
from mineproof.arena.match import PlayedTurn, finish, turns
from mineproof.limit import DEFAULT
from mineproof.logic.methods import Method
from support.clocks import Ticking

if TYPE_CHECKING:
    from collections.abc import Iterator


NAMES = [
    *(name for name in AGENTS if name != "deep"),
    "deep:boards=16",
    "basic:waiting-list",
    "asp:multi-shot=no,mine-count",
    "matching:one-base=no",
    "subset+density",
    "single+best",
    "resolution+lowest-risk",
]
BOARDS = [("beginner", None), ("6x4x4", "any"), ("8x5x7", "given:sqrt+no-flood"), ("7x6x8", "safe+continue")]


def watched(name: str, level: str, rules: str | None, seed: int) -> tuple[list[tuple[Position, PlayedTurn]], Game]:
    """A game, with the position before each turn."""
    game = Game(level, rules, seed=seed)
    seen = []
    before = game.position
    for turn in turns(name, game, seed=seed):
        seen.append((before, turn))
        before = game.position
    return seen, game


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("level", "rules"), BOARDS)
def test_conformance(name: str, level: str, rules: str | None) -> None:
    for seed in range(1 if name.startswith("resolution") else 3):  # it takes longest
        seen, game = watched(name, level, rules or find_agent(name).rules, seed)
        for position, turn in seen:
            decision = turn.decision
            if decision.certain and decision.reasons:
                truth = analyse(position)
                for move in decision.moves:
                    assert move.cell in (truth.safe if move.kind in ("open", "unflag") else truth.mined)
                assert decision.risk == 0
            elif not decision.certain and turn.played:
                assert [move.kind for move in turn.played if move.kind != "flag"][-1] == "open"
                assert len([move for move in turn.played if move.kind == "open"]) == 1
                assert has_no_certain_move(name, position)
                assert decision.risk is None or 0 <= decision.risk <= 1
        assert game.over or not seen[-1][1].decision.certain
        again, _ = watched(name, level, rules or find_agent(name).rules, seed)
        assert [turn.played for _, turn in again] == [turn.played for _, turn in seen]


def has_no_certain_move(name: str, position: Position) -> bool:
    agent = find_agent(name).make()
    if isinstance(agent, Reasoner):
        return not any(method.infer(position).safe for method in agent.methods)
    return not analyse(position).safe


@pytest.mark.parametrize("name", ["careful", "sat", "matching"])
def test_who_never_guesses_is_never_wrong(name: str) -> None:
    for seed in range(10):
        result = finish(name, Game("beginner", "opening", seed=seed))
        assert result.won != result.stuck
        assert (result.guesses, result.hits) == (0, 0)


def test_registry() -> None:
    assert all(spec.name == name and spec.version >= 1 for name, spec in AGENTS.items())
    with pytest.raises(UnknownName, match="did you mean 'chaining'"):
        find_agent("chianing")
    with pytest.raises(UnknownName, match="no method 'best'"):
        find_agent("best+stop")
    with pytest.raises(UnknownName, match="did you mean 'density'"):
        find_agent("sat+densty")
    with pytest.raises(UnknownName, match="guess policy"):
        find_policy("hope")


def test_other_packages_add_agents(monkeypatch: pytest.MonkeyPatch) -> None:
    plugged(monkeypatch, AgentSpec("theirs", 1, "an idea", False, "elsewhere", "safe", lambda: Reasoner("single")))
    assert find_agent("theirs").source == "elsewhere"


@pytest.fixture(autouse=True)
def _no_plugins_are_kept() -> Iterator[None]:
    yield
    registered.cache_clear()


class Entry:
    """An entry point of a package that is called theirs."""

    name = "entry"
    dist = SimpleNamespace(name="theirs")

    def __init__(self, found: object) -> None:
        self.found = found

    def load(self) -> object:
        if isinstance(self.found, BaseException):
            raise self.found
        return self.found


def plugged(monkeypatch: pytest.MonkeyPatch, *found: object) -> None:
    """Packages with such agents are installed."""
    registered.cache_clear()
    monkeypatch.setattr("mineproof.agents.registry.entry_points", lambda group: map(Entry, found if group else ()))


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        (ImportError("no module of that name"), "ImportError: no module of that name"),
        (ZeroDivisionError(), "ZeroDivisionError"),
        (SystemExit("bye"), "SystemExit: bye"),
        ("best", "it is of type str, not an AgentSpec"),
        (AGENTS["best"], "there is already an agent best"),
        (
            replace(AGENTS["best"], name="command:ls"),
            "a name must have letters, digits, dots and dashes only, not 'command:ls'",
        ),
        (
            replace(AGENTS["best"], name="sat+best"),
            "a name must have letters, digits, dots and dashes only, not 'sat+best'",
        ),
    ],
)
def test_a_package_that_is_broken_breaks_nothing(monkeypatch: pytest.MonkeyPatch, found: object, reason: str) -> None:
    good = replace(AGENTS["sat"], name="good")
    plugged(monkeypatch, found, good)
    with pytest.warns(PluginWarning) as told:
        assert find_agent("best") is AGENTS["best"]
    assert [str(one.message) for one in told] == [f"the agent entry of the package theirs is left out: {reason}"]
    assert find_agent("good") is good
    assert registered().keys() == {*AGENTS, "good"}


def test_an_agent_without_close_plays_and_one_with_it_is_closed() -> None:
    class Bare:
        def __init__(self) -> None:
            self.closed = 0

        def reset(self, seed: int = 0) -> None:
            """There is nothing to reset."""

        def choose(self, position: Position, limit: Limit = DEFAULT) -> Decision:  # noqa: ARG002
            return Decision((), certain=False)

    class Held(Bare):
        def close(self) -> None:
            self.closed += 1

    bare, held = Bare(), Held()
    for agent in (bare, held):
        spec = AgentSpec("x", 1, "", False, "", "safe", lambda agent=agent: agent)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("mineproof.arena.chunks.find_agent", lambda _name, spec=spec: spec)
            patch.setattr("mineproof.arena.match.spec_of", lambda _name, spec=spec: spec)
            assert run(Chunk("x", 1, Level.parse("beginner"), Rules("safe"), 1, 0, 2))[0].stuck
            assert finish("x", Game("beginner", "safe", seed=1)).stuck
            assert list(turns("x", Game("beginner", "safe", seed=1)))
    assert (bare.closed, held.closed) == (0, 3)


def test_agents_of_the_reports_know_where_they_come_from() -> None:
    for name in ("basic", "normal-form", "chaining", "matching", "sat", "csp", "asp"):
        assert AGENTS[name].source != "Mineproof"
    for name in ("sat", "csp", "asp"):  # complete methods, and reports that do not use the mine count to the end
        assert METHODS[name].complete
        assert not AGENTS[name].complete
        assert find_agent(f"{name}:mine-count").complete


def test_every_policy_goes_with_every_method() -> None:
    position = Position.from_text("3x3x2\n1HH\nHHH\nHHH")
    for policy in POLICIES:
        decision = Reasoner("single", policy).choose(position)
        assert isinstance(decision, Decision)
        assert decision.stuck is (policy == "stop")


def test_density_prefers_small_numbers() -> None:
    decision = Reasoner("single", "density").choose(Position.from_text("6x3x4\nHHHHHH\nH3HH1H\nHHHHHH"))
    cell = decision.moves[0].cell
    assert cell is not None
    assert cell.col >= 3
    assert decision.alternatives[0].risk == 1 / 8
    assert decision.risk is None  # an estimate is not the odds


def test_a_game_that_continues_counts_its_hits() -> None:
    results = [finish("basic", Game("8x8x20", "any+continue", seed=seed), seed=seed) for seed in range(5)]
    assert any(result.hits > 1 for result in results)
    assert not any(result.won and result.hits for result in results)


@pytest.mark.parametrize("name", NAMES)
def test_wrong_flags_come_off(name: str) -> None:
    game = Game("beginner", "opening", seed=1)
    game.open("E5")
    for cell in analyse(game.position).safe:
        game.flag(cell)
    result = finish(name, game)
    assert result.moves > 12
    assert not result.stuck or find_agent(name).idea.endswith(("guesses", "guessing", "stops"))


def test_an_agent_that_only_moves_flags_about_ends_too() -> None:
    class Fidget(Agent):
        def reset(self, seed: int = 0) -> None:
            """There is nothing to reset."""

        def choose(self, position: Position, limit: Limit = DEFAULT) -> Decision:  # noqa: ARG002
            kind = "unflag" if position["A1"] == "F" else "flag"
            return Decision((Move(kind, Cell(0, 0)),), certain=False)

    assert finish(Fidget(), Game("5x5x5", "any", seed=1)).stuck


def test_one_limit_is_for_the_whole_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    """A method gets what those before it have left, and not as much again."""
    clock = Ticking(monkeypatch)
    given = []

    def infer(_method: Method, _position: Position, limit: Limit, **_options: object) -> Deductions:
        given.append(limit.seconds)
        clock.looks += 10
        return Deductions()

    monkeypatch.setattr(Method, "infer", infer)
    assert Reasoner("single,subset,sat").choose(Position.from_text("2x1x1\nHH"), Limit(seconds=50)).stuck
    assert given[0] < 50
    assert given[1] < given[0] - 10
    assert given[2] < given[1] - 10
