"""``mineproof agents``: the agents that can play."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from mineproof.agents.policies import POLICIES
from mineproof.agents.registry import OWN, find_agent, registered
from mineproof.agents.systems import OTHER_NAMES, SYSTEMS, find_system
from mineproof.apps.cli.common import say_wrapped
from mineproof.logic.methods import METHODS

if TYPE_CHECKING:
    from mineproof.agents.registry import AgentSpec
    from mineproof.logic.options import Option


@click.command("agents")
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print the list as JSON.")
def command(name: str | None, as_json: bool) -> None:
    """List the agents, or those of NAME.

    NAME is an agent, or an author or system of a report.

    For each: its name, its idea, whether it finds every certain cell, its source, and the rules it was made for.
    """
    specs = registered().values() if name is None else _named(name)
    if as_json:
        fields = ("name", "version", "idea", "complete", "source", "rules")
        listed = [
            {field: getattr(spec, field) for field in fields} | {"options": list(map(as_json_has, spec.options))}
            for spec in specs
        ]
        click.echo(json.dumps(listed))
        return
    for spec in specs:
        complete = "finds every certain cell" if spec.complete else "may miss certain cells"
        source = "" if spec.source == OWN else f"source: {spec.source}; "
        say_wrapped(f"{spec.name:12} {spec.idea}", 13, always=True)
        say_wrapped(f"{'':12} {complete}; {source}rules: {spec.rules}", 13, always=True)
        for option in spec.options:
            say_wrapped(f"{'':12} {option!s:23} {option.meaning}: {option.choices}", 37, always=True)
    if name is not None:
        return
    click.echo()
    say_wrapped("Options follow a colon, as in csp:mine-count=yes,start=corner; a name alone means yes.", always=True)
    click.echo("Any method goes with any guess policy, as in sat+lowest-risk.")
    say_wrapped(f"methods: {', '.join(METHODS)}", 9, always=True)
    say_wrapped(f"policies: {', '.join(POLICIES)}", 10, always=True)


def _named(name: str) -> list[AgentSpec]:
    """Return the agents of a system, or an agent."""
    plain = name.lower()
    if plain not in registered() and (plain in SYSTEMS or plain in OTHER_NAMES):
        return [find_agent(agent) for agent in find_system(name).agents]
    return [find_agent(name)]


def as_json_has(option: Option) -> dict[str, str]:
    """Return an option as a JSON object."""
    default = option.write(option.default)
    return {"name": option.name, "default": default, "choices": option.choices, "meaning": option.meaning}
