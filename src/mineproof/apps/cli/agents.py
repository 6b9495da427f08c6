"""``mineproof agents``: who can play."""

from __future__ import annotations

import json

import click

from mineproof.agents.policies import POLICIES
from mineproof.agents.registry import registered
from mineproof.apps.cli.common import say
from mineproof.logic.methods import METHODS


@click.command("agents")
@click.option("--json", "as_json", is_flag=True, help="Print the list as JSON.")
def command(as_json: bool) -> None:
    """List the agents: name, idea, whether they find every certain cell, where they come from."""
    specs = registered().values()
    if as_json:
        names = ("name", "version", "idea", "complete", "source", "rules")
        click.echo(json.dumps([{name: getattr(spec, name) for name in names} for spec in specs]))
        return
    for spec in specs:
        complete = "complete" if spec.complete else "not complete"
        say(f"{spec.name:12} {spec.idea} ({complete}; {spec.source}; made for {spec.rules})")
    click.echo(f"\nor any method and guess policy, as in sat+lowest-risk\nmethods: {', '.join(METHODS)}")
    click.echo(f"policies: {', '.join(POLICIES)}")
