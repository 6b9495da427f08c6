"""All agents by name, with their options, as in ``csp:mine-count,start=corner``.

An agent of a report plays as the report says (`systems`): where it starts, how it guesses, its limits, and whether it
knows the number of mines. Where the printed rule is unsound, it was changed; the option ``literal`` restores it. Other
packages add agents through the entry point group ``mineproof.agents``.
"""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any, TypeAlias

from mineproof.agents.chooser import BOARDS, ENDGAME, SOLUTIONS
from mineproof.agents.counting import Counting
from mineproof.agents.outside import OutsideAgent
from mineproof.agents.policies import POLICIES
from mineproof.agents.reasoner import Reasoner
from mineproof.agents.systems import CORNER, SYSTEMS, System
from mineproof.errors import InvalidArgument, InvalidText, Registry, UnknownName, shorten
from mineproof.logic.methods import METHODS, NO_LIMIT
from mineproof.logic.options import Option, read_options, with_defaults

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from importlib.metadata import EntryPoint

    from mineproof.agents.agent import Agent, Chooser
    from mineproof.agents.systems import Player

GROUP = "mineproof.agents"
"""The entry points of other packages' agents."""
COMMAND = "command:"
"""Prefix of the command line of a program that plays, or of its name, ``=`` and the command line."""
_NAMED = re.compile(r"([A-Za-z][A-Za-z0-9._-]*)=(.+)")


@dataclass(frozen=True, slots=True)
class AgentSpec:
    """A registered agent. A change of behaviour is a new version."""

    name: str
    version: int
    idea: str
    complete: bool
    """Whether the agent finds every certain cell."""
    source: str
    """The report that describes the agent, or its package."""
    rules: str
    """The rules that the agent was made for."""
    make: Callable[..., Agent]
    """The function that makes the agent from its options, if any."""
    looks_ahead: bool | None = None
    """Whether the agent's attribute ``player``, which plays whole games in compiled code, looks ahead; None if it has
    none, and Python plays its games."""
    options: tuple[Option, ...] = ()

    def with_options(self, name: str, text: str) -> AgentSpec:
        """Return the same agent with options given as text."""
        values = read_options(self.name, text, self.options)
        completes = [values[o.keyword] for o in self.options if o.completes and o.keyword in values]
        complete = self.complete if not completes else completes[0] is True
        return replace(self, name=name, complete=complete, make=partial(self.make, **values))


AgentLike: TypeAlias = "str | AgentSpec | System | Chooser | type[Chooser]"
"""The forms in which callers may pass an agent: a name, a spec, a system of a report, an agent or its class."""


class OwnName(str):
    """The name of an unregistered agent, which carries the agent along, even to other processes."""

    spec: AgentSpec


class PluginWarning(UserWarning):
    """An agent of another package cannot be used. The others can."""


RULE = (
    Option("dead", True, "cells that can teach nothing are opened last"),
    Option("living", True, "such cells do not count in what a click leaves"),
    Option("tossups", True, "a safe click on a pair that may end as a toss-up is worth more"),
    Option("dominance", True, "a cell that is safe wherever the chosen one is, and elsewhere too, is opened before it"),
    Option("isolated", True, "components that have nothing to do with the rest are played first"),
)
"""Parts of the rule by which ``best`` guesses; each can be switched off to measure its worth."""
PLAYOUTS = (
    Option("boards", BOARDS, "the most playouts for a guess", {}, 0),
    Option("closed", 100, "guesses are played out once at most this percentage of cells is closed", {}, 1, 100),
    Option(
        "solutions",
        SOLUTIONS,
        "guesses are played out once at most 10 to this power of boards are consistent",
        NO_LIMIT,
        1,
    ),
    Option("endgame", ENDGAME, "the most consistent boards for an exact endgame", {}, 1),
)
"""Limits of what ``best`` computes for a guess."""
BEST = (*PLAYOUTS, *RULE)
DEEP = with_defaults(BEST, boards=4000, closed=90, solutions=None, endgame=20_000)
OWN = "Mineproof"
"""The source of agents that are from no report."""


def _report_agent(system: System, player: Player) -> AgentSpec:
    make = partial(_make_player, player)
    source = system.source + player.note
    version = max(METHODS[name].version for name in player.methods)
    return AgentSpec(player.name, version, player.idea, False, source, system.rules, make, options=player.options)


def _make_player(player: Player, **options: Any) -> Agent:
    values = {option.keyword: option.default for option in player.options} | options
    remembers = values.pop(player.keeps, False)
    if len(player.methods) == 1:
        return Reasoner(player.methods[0], player.policy, remembers=remembers, **values)
    start = values.pop("start")
    resolution = {"clauses": values.pop("resolution_clauses"), "set_of_support": values.pop("set_of_support")}
    resolution |= {name: values[name] for name in ("reach", "subsumption", "literal")}
    methods = METHODS["chaining"].bound(**values), METHODS["resolution"].bound(**resolution)
    return Reasoner(methods, player.policy, start=start)


def _make_deep(**options: Any) -> Agent:
    return Counting("best", **{option.keyword: option.default for option in DEEP} | options)


_AGENTS = (
    *(_report_agent(system, player) for system in SYSTEMS.values() for player in system.players),
    AgentSpec("careful", 1, "every certain move, then stops", True, OWN, "safe", partial(Counting, "stop")),
    AgentSpec(
        "lowest-risk", 1, "every certain move, otherwise the least risky cell", True, OWN, "safe",
        partial(Counting, "lowest-risk"), looks_ahead=False,
    ),
    AgentSpec(
        "best", 6, "every certain move, exact endgames, and guesses that look ahead", True, OWN, "safe",
        partial(Counting, "best"), looks_ahead=True, options=BEST,
    ),
    AgentSpec(
        "deep", 7, "as best, but plays more guesses out, on more boards", True, OWN, "safe",
        _make_deep, looks_ahead=True, options=DEEP,
    ),
)  # fmt: skip
AGENTS = Registry("agent", {spec.name: spec for spec in _AGENTS})


@cache
def registered() -> dict[str, AgentSpec]:
    """Return all agents by name, with those of other packages. Unusable ones are left out, with a warning."""
    specs = dict(AGENTS)
    for entry in entry_points(group=GROUP):
        package = "an unknown package" if entry.dist is None else f"the package {entry.dist.name}"
        try:
            spec = _load(entry, specs)
        except PluginWarning as warning:
            warnings.warn(PluginWarning(f"the agent {entry.name} of {package} is left out: {warning}"), stacklevel=2)
        else:
            specs[spec.name] = spec
    return specs


def _load(entry: EntryPoint, known: Mapping[str, AgentSpec]) -> AgentSpec:
    """Load the agent of an entry point. Raises `PluginWarning` if it cannot be used."""
    try:
        spec = entry.load()
    except (Exception, SystemExit) as failure:  # another package may do anything when it is imported
        raise PluginWarning(f"{type(failure).__name__}: {failure}".removesuffix(": ")) from None
    if not isinstance(spec, AgentSpec):
        raise PluginWarning(f"it is of type {type(spec).__name__}, not an AgentSpec")
    if not isinstance(spec.name, str) or not re.fullmatch(r"[A-Za-z0-9._-]+", spec.name):
        raise PluginWarning(f"a name must have letters, digits, dots and dashes only, not {shorten(spec.name)}")
    if spec.name in known:
        raise PluginWarning(f"there is already an agent {spec.name}")
    return spec


def find_agent(name: str) -> AgentSpec:
    """Return the agent with this name: a registered one; a method and a policy joined by a plus, such as
    ``sat+lowest-risk``; or a program, such as ``command:python my_agent.py`` or, with a name of its own,
    ``command:mine=python my_agent.py``. Options follow a colon.

    >>> find_agent("best").version, find_agent("sat+best").idea
    (6, 'sat, otherwise the guess policy best')
    >>> find_agent("csp").complete, find_agent("csp:mine-count,start=corner").complete
    (False, True)
    >>> find_agent("bets")
    Traceback (most recent call last):
    mineproof.errors.UnknownName: there is no agent 'bets'; did you mean 'best'?
    >>> find_agent("chaining:clauses=few")
    Traceback (most recent call last):
    mineproof.errors.InvalidText: the option clauses must be a whole number of at least 1, or unlimited, not 'few'
    """
    if isinstance(name, OwnName):
        return name.spec
    if name.startswith(COMMAND):
        return _program_spec(name)
    known = registered()
    plain, colon, options = name.partition(":")
    spec = known[plain] if plain in known else _method_with_policy(plain, known)
    return spec.with_options(name, options) if colon else spec


def _program_spec(name: str) -> AgentSpec:
    own_name, command = program(name)
    if own_name in registered():
        raise InvalidText(f"there is already an agent {own_name}: give the program another name")
    if not command.isprintable():
        raise InvalidText(f"not a command: {shorten(command)}")
    OutsideAgent(command)  # checks the command
    return AgentSpec(
        name, 1, "a program that speaks the protocol", False, "program", "safe", partial(OutsideAgent, command)
    )


def _method_with_policy(name: str, known: Mapping[str, AgentSpec]) -> AgentSpec:
    """Return the agent made of a method and a guess policy, as in ``sat+best``."""
    method, plus, policy = name.partition("+")
    if not plus:
        raise UnknownName("agent", name, known)
    if method not in METHODS:
        raise UnknownName("method", method, METHODS)
    if policy not in POLICIES:
        raise UnknownName("guess policy", policy, POLICIES)
    version = AGENTS["best"].version if policy == "best" else METHODS[method].version
    return AgentSpec(
        name, version, f"{method}, otherwise the guess policy {policy}", METHODS[method].complete,
        OWN, "safe", partial(Reasoner, method, policy), options=(*METHODS[method].options, CORNER),
    )  # fmt: skip


def program(agent: str) -> tuple[str, str]:
    """Return the name that the user gave a program, or nothing, and its command line."""
    command = agent.removeprefix(COMMAND)
    named = _NAMED.fullmatch(command)
    return ("", command) if named is None else (named[1], named[2])


def label(agent: str) -> str:
    """Return the name to show for an agent: for a program, the one that the user gave it.

    >>> label("best"), label("command:mine=python my_agent.py"), label("command:./agent --fast")
    ('best', 'mine', 'command:./agent --fast')
    """
    return (agent.startswith(COMMAND) and program(agent)[0]) or agent


def spec_of(agent: AgentLike) -> AgentSpec:
    """Return the spec of an agent given in any form of `AgentLike`.

    >>> spec_of("best") is spec_of(AGENTS["best"])
    True
    >>> spec_of(Counting("best")).name
    'Counting'
    """
    if isinstance(agent, str):
        return find_agent(agent)
    if isinstance(agent, AgentSpec):
        return agent
    if isinstance(agent, System):
        return AGENTS[agent.agent]
    if not callable(getattr(agent, "choose", None)):
        raise InvalidArgument(f"an agent must be a name, an AgentSpec, or have a method choose, not {shorten(agent)}")
    kind = agent if isinstance(agent, type) else type(agent)
    name = str(getattr(agent, "name", kind.__name__))
    idea = (kind.__doc__ or name).strip().partition("\n")[0]
    make: Callable[..., Any] = agent if isinstance(agent, type) else partial(_itself, agent)
    return AgentSpec(name, int(getattr(agent, "version", 1)), idea, False, kind.__module__, "safe", make)


def _itself(agent: Chooser) -> Chooser:
    return agent


def name_of(agent: AgentLike) -> str:
    """Return the name under which `find_agent` finds an agent."""
    if isinstance(agent, str):
        return agent
    spec = spec_of(agent)
    known = registered().get(spec.name)
    if known is spec:
        return spec.name
    if known is not None or spec.name.startswith(COMMAND):
        raise InvalidArgument(f"there is already an agent {spec.name}: give yours another name")
    name = OwnName(spec.name)
    name.spec = spec
    return name
