"""All agents by name. Other packages add theirs through the entry point group ``mineproof.agents``."""

from __future__ import annotations

import re
import warnings
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
    from collections.abc import Callable, Mapping
    from importlib.metadata import EntryPoint

    from mineproof.agents.agent import Agent

GROUP = "mineproof.agents"
"""The entry points of other packages' agents."""
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
    looks_ahead: bool | None = None
    """For an agent whose games compiled code plays whole: whether it looks ahead. None: Python plays them."""


class PluginWarning(UserWarning):
    """An agent of another package that cannot be used. All others can."""


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
            lambda: Counting("lowest-risk"), looks_ahead=False,
        ),
        AgentSpec(
            "best", 1, "every certain move, exact endgames, and guesses that look ahead", True, "here", "safe",
            lambda: Counting("best"), looks_ahead=True,
        ),
    )
}  # fmt: skip


@cache
def registered() -> dict[str, AgentSpec]:
    """Ours, and those of other packages. What cannot be used is left out, with a warning."""
    found = dict(AGENTS)
    for entry in entry_points(group=GROUP):
        package = "an unknown package" if entry.dist is None else f"the package {entry.dist.name}"
        try:
            spec = _loaded(entry, found)
        except PluginWarning as warning:
            warnings.warn(PluginWarning(f"the agent {entry.name} of {package} is left out: {warning}"), stacklevel=2)
        else:
            found[spec.name] = spec
    return found


def _loaded(entry: EntryPoint, known: Mapping[str, AgentSpec]) -> AgentSpec:
    """The agent of an entry point; a `PluginWarning` if there is none that can be used."""
    try:
        spec = entry.load()
    except (Exception, SystemExit) as failure:  # another package may do anything when it is imported
        raise PluginWarning(f"{type(failure).__name__}: {failure}".removesuffix(": ")) from None
    if not isinstance(spec, AgentSpec):
        raise PluginWarning(f"it is of type {type(spec).__name__}, and no AgentSpec")
    if not isinstance(spec.name, str) or not re.fullmatch(r"[A-Za-z0-9._-]+", spec.name):
        raise PluginWarning(f"a name has letters, digits, dots and dashes; this is {shorten(spec.name)}")
    if spec.name in known:
        raise PluginWarning(f"there is an agent {spec.name} already")
    return spec


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
