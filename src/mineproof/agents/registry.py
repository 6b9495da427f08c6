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
    """Whether it finds every certain cell."""
    source: str
    rules: str
    """The rules that it was made for."""
    make: Callable[..., Agent]
    """Makes the agent; takes its options, if any."""
    looks_ahead: bool | None = None
    """If compiled code plays whole games of the agent, with its attribute ``player``: whether it looks ahead. None:
    Python plays them."""
    options: tuple[Option, ...] = ()

    def with_options(self, name: str, text: str) -> AgentSpec:
        """The same agent with options given as text."""
        chosen = read_options(self.name, text, self.options)
        completes = [chosen[o.keyword] for o in self.options if o.completes and o.keyword in chosen]
        complete = self.complete if not completes else completes[0] is True
        return replace(self, name=name, complete=complete, make=partial(self.make, **chosen))


AgentLike: TypeAlias = "str | AgentSpec | System | Chooser | type[Chooser]"
"""What callers may pass as an agent: a name, a registered agent, a system of a report, an agent or its class."""


class OwnName(str):
    """The name of an unregistered agent. It carries the agent along, even to other processes."""

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
"""Parts of the guesses of ``best``, which can be switched off to measure them."""
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
"""What ``best`` may spend on a guess."""
BEST = (*PLAYOUTS, *RULE)
DEEP = with_defaults(BEST, boards=4000, closed=90, solutions=None, endgame=20_000)
OWN = "Mineproof"
"""The source of agents that are from no report."""


def _of_report(system: System, player: Player) -> AgentSpec:
    make = partial(_make, player)
    source = system.source + player.note
    version = max(METHODS[name].version for name in player.methods)
    return AgentSpec(player.name, version, player.idea, False, source, system.rules, make, options=player.options)


def _make(player: Player, **chosen: Any) -> Agent:
    values = {option.keyword: option.default for option in player.options} | chosen
    remembers = values.pop(player.keeps, False)
    if len(player.methods) == 1:
        return Reasoner(player.methods[0], player.policy, remembers=remembers, **values)
    start = values.pop("start")
    after = {"clauses": values.pop("resolution_clauses"), "set_of_support": values.pop("set_of_support")}
    after |= {name: values[name] for name in ("reach", "subsumption", "literal")}
    methods = METHODS["chaining"].bound(**values), METHODS["resolution"].bound(**after)
    return Reasoner(methods, player.policy, start=start)


def _deep(**chosen: Any) -> Agent:
    return Counting("best", **{option.keyword: option.default for option in DEEP} | chosen)


_AGENTS = (
    *(_of_report(system, player) for system in SYSTEMS.values() for player in system.players),
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
        _deep, looks_ahead=True, options=DEEP,
    ),
)  # fmt: skip
AGENTS = Registry("agent", {spec.name: spec for spec in _AGENTS})


@cache
def registered() -> dict[str, AgentSpec]:
    """Our agents and those of other packages. Unusable ones are left out, with a warning."""
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
    """The agent of an entry point; raises a `PluginWarning` if it cannot be used."""
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
    """The agent with this name: a registered one; a method and a policy joined by a plus, such as ``sat+lowest-risk``;
    or a program, such as ``command:python my_agent.py`` or, with a name of its own, ``command:mine=python
    my_agent.py``. Options follow a colon.

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
        return _program(name)
    known = registered()
    plain, colon, text = name.partition(":")
    spec = known[plain] if plain in known else _joined(plain, known)
    return spec.with_options(name, text) if colon else spec


def _program(name: str) -> AgentSpec:
    called, command = program(name)
    if called in registered():
        raise InvalidText(f"there is already an agent {called}: give the program another name")
    if not command.isprintable():
        raise InvalidText(f"not a command: {shorten(command)}")
    OutsideAgent(command)  # checks the command
    return AgentSpec(
        name, 1, "a program that speaks the protocol", False, "program", "safe", partial(OutsideAgent, command)
    )


def _joined(name: str, known: Mapping[str, AgentSpec]) -> AgentSpec:
    """A method and a guess policy."""
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
    """The name of a program, if it has one, and its command line."""
    command = agent.removeprefix(COMMAND)
    named = _NAMED.fullmatch(command)
    return ("", command) if named is None else (named[1], named[2])


def label(agent: str) -> str:
    """The name to show for an agent: for a program, the name given by the user.

    >>> label("best"), label("command:mine=python my_agent.py"), label("command:./agent --fast")
    ('best', 'mine', 'command:./agent --fast')
    """
    return (agent.startswith(COMMAND) and program(agent)[0]) or agent


def spec_of(agent: AgentLike) -> AgentSpec:
    """The spec of an agent given by name, as a spec, as a system, or as an agent or its class.

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
    """The name under which `find_agent` finds an agent."""
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
