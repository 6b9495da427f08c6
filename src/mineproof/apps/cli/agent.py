"""``mineproof agent``: serve an agent to other programs."""

from __future__ import annotations

import sys

import click

from mineproof.agents.outside import serve
from mineproof.agents.registry import find_agent


@click.command("agent")
@click.argument("name")
def command(name: str) -> None:
    """Serve an agent to other programs as JSON lines.

    Reads positions from standard input and writes decisions to standard output.

    docs/protocol.md describes the lines.
    """
    for line in serve(find_agent(name).make(), sys.stdin):
        click.echo(line)
        sys.stdout.flush()
