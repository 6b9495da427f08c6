"""All agents by name. Other packages add theirs through the entry point group ``mineproof.agents``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from mineproof.agents.counting import Counting
from mineproof.agents.outside import OutsideAgent
from mineproof.agents.policies import POLICIES
from mineproof.agents.reasoner import Reasoner
from mineproof.errors import InvalidText, UnknownName, shorten
from mineproof.logic.methods import METHODS

if TYPE_CHECKING:
    from collections.abc import Callable

    from mineproof.agents.agent import Agent

COMMAND = "command:"
"""Before the command line of a program that plays."""


@dataclass(frozen=True, slots=True)
class AgentSpec:
    """A registered agent. Changed behaviour is a new version."""

    name: str
    version: int
    idea: str
    complete: bool
    """Whether it finds every certain cell."""
    source: str
    rules: str
    """The rules of the game that it was made for."""
    make: Callable[[], Agent]


AGENTS = {
    spec.name: spec
    for spec in (
        AgentSpec(
            "basic", 1, "single clues, else a random cell", False, "Nguyen and Kafafian 2021", "any+goes-on",
            lambda: Reasoner("single", "random"),
        ),
        AgentSpec(
            "normal-form", 1, "arrangements of two neighbouring clues, else a random cell", False,
            "Nguyen and Kafafian 2021", "any+goes-on", lambda: Reasoner("normal-form", "random"),
        ),
        AgentSpec(
            "chaining", 1, "forward chaining, then resolution, else a random cell", False, "McIntyre 2016", "given",
            lambda: Reasoner("chaining,resolution", "random"),
        ),
        AgentSpec(
            "matching", 1, "clauses matched in pairs; never guesses", False, "Lee 2023", "given:sqrt+no-flood",
            lambda: Reasoner("matching", "stop"),
        ),
        AgentSpec(
            "sat", 1, "backbones by SAT; hands over instead of guessing", True, "Harnjan", "safe",
            lambda: Reasoner("sat", "stop"),
        ),
        AgentSpec(
            "csp", 1, "a finite-domain solver, else a random cell", True, "Sharma, Kallingal Joshy and Agrawal",
            "safe+goes-on", lambda: Reasoner("csp", "random"),
        ),
        AgentSpec(
            "asp", 1, "an answer-set program, else a random cell", True,
            "Sharma, Kallingal Joshy and Agrawal, planned", "safe+goes-on", lambda: Reasoner("asp", "random"),
        ),
        AgentSpec("careful", 1, "every certain move, then stops", True, "here", "safe", lambda: Counting("stop")),
        AgentSpec(
            "lowest-risk", 1, "every certain move, else the cell with the least risk", True, "here", "safe",
            lambda: Counting("lowest-risk"),
        ),
        AgentSpec(
            "best", 1, "every certain move, exact endgames, and guesses that look ahead", True, "here", "safe",
            lambda: Counting("best"),
        ),
    )
}  # fmt: skip


@cache
def registered() -> dict[str, AgentSpec]:
    """Ours, and those of other packages."""
    found = dict(AGENTS)
    for entry in entry_points(group="mineproof.agents"):
        spec = entry.load()
        found[spec.name] = spec
    return found


def find_agent(name: str) -> AgentSpec:
    """The agent of a name; any method and policy joined by a plus, such as ``sat+lowest-risk``; or a program, such as
    ``command:python my_agent.py``.

    >>> find_agent("best").version, find_agent("sat+best").idea
    (1, 'sat, else the guess policy best')
    >>> find_agent("bets")
    Traceback (most recent call last):
    mineproof.errors.UnknownName: there is no agent 'bets'; did you mean 'best'?
    """
    known = registered()
    if name in known:
        return known[name]
    if name.startswith(COMMAND):
        command = name.removeprefix(COMMAND)
        if not command.isprintable():
            raise InvalidText(f"this is no command: {shorten(command)}")
        OutsideAgent(command)  # whether it is one
        return AgentSpec(
            name, 1, "a program that speaks the protocol", False, "outside", "safe", lambda: OutsideAgent(command)
        )
    method, plus, policy = name.partition("+")
    if not plus:
        raise UnknownName("agent", name, known)
    if method not in METHODS:
        raise UnknownName("method", method, METHODS)
    if policy not in POLICIES:
        raise UnknownName("guess policy", policy, POLICIES)
    idea = f"{method}, else the guess policy {policy}"
    return AgentSpec(name, 1, idea, METHODS[method].complete, "here", "safe", lambda: Reasoner(method, policy))
