"""``mineproof agent``: one of the agents, for other programs to ask."""

from __future__ import annotations

import sys

import click

from mineproof.agents.outside import serve
from mineproof.agents.registry import find_agent


@click.command("agent")
@click.argument("name")
def command(name: str) -> None:
    """Answer positions with decisions: JSON lines on standard input and output.

    What the lines hold is in docs/protocol.md.
    """
    for line in serve(find_agent(name).make(), sys.stdin):
        click.echo(line)
        sys.stdout.flush()
