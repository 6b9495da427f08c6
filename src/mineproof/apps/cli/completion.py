"""``mineproof completion``: names on Tab, in bash, zsh and fish.

The script that a shell loads asks ``mineproof`` itself, with VARIABLE in the environment; ``answer`` replies. Which
values an option takes is in one table, so a new command with an ``--agent`` completes its agents too.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem, get_completion_class, shell_complete

from mineproof.errors import MineproofError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

VARIABLE = "_MINEPROOF_COMPLETE"
SHELLS = ("bash", "zsh", "fish")
MAKERS = ("uniform", "fast")
RULES = ("any", "safe", "opening", "given")


def _names(module: str, table: str) -> Callable[[], Iterable[str]]:
    """Return a function that imports a table of names, or the function that makes it, only when it is called."""

    def names() -> Iterable[str]:
        values = getattr(import_module(f"mineproof.{module}"), table)
        return list(values() if callable(values) else values)

    return names


_AGENTS = _names("agents.registry", "registered")
_FORMATS = _names("board.formats", "FORMATS")
VALUES: dict[str, Callable[[], Iterable[str]]] = {
    "--agent": _AGENTS,
    "--as": _names("agents.systems", "SYSTEMS"),
    "--first-click": lambda: RULES,
    "--format": _FORMATS,
    "--from": _FORMATS,
    "--level": _names("board.level", "LEVELS"),
    "--method": _names("logic.methods", "METHODS"),
    "--theme": _names("board.render", "THEMES"),
    "--to": _FORMATS,
    "agent name": _AGENTS,
    "agents name": _AGENTS,
    "compare first": _AGENTS,
    "compare second": _AGENTS,
    "experiment name": _names("arena.experiments", "EXPERIMENTS"),
    "generate method": lambda: MAKERS,
}
"""The values of parameters, by command and parameter, or by the option alone."""
FILES = {"--load", "file", "source", "target"}
"""Options and arguments that take a file, even if they take something else too, such as a game id."""


class Suggested(click.types.StringParamType):
    """Text for which a shell suggests values; other values are allowed, too."""

    def __init__(self, values: Callable[[], Iterable[str]]) -> None:
        self.values = values

    def shell_complete(
        self,
        ctx: click.Context,  # noqa: ARG002
        param: click.Parameter,  # noqa: ARG002
        incomplete: str,
    ) -> list[CompletionItem]:
        return [CompletionItem(value) for value in self.values() if value.startswith(incomplete)]


def teach(command: click.Command) -> None:
    """Let the parameters of a command, and of the commands below it, suggest their values."""
    for parameter in command.params:
        if not isinstance(parameter.type, click.types.StringParamType):
            continue  # numbers, choices and paths are known to click
        if FILES.intersection([*parameter.opts, parameter.name]):
            parameter.type = click.Path()
        for key in (f"{command.name} {parameter.name}", *parameter.opts):
            if key in VALUES:
                parameter.type = Suggested(VALUES[key])
                break
    for subcommand in command.commands.values() if isinstance(command, click.Group) else ():
        teach(subcommand)


def answer(cli: click.Command) -> int:
    """Tell the shell what may follow, and return the exit status."""
    try:
        return shell_complete(cli, {}, "mineproof", VARIABLE, os.environ[VARIABLE])
    except MineproofError:
        return 1  # nothing can follow a wrong word, and a message would spoil the line that is being typed


@click.command("completion")
@click.argument("shell", type=click.Choice(SHELLS))
def command(shell: str) -> None:
    """Print a script that completes commands on Tab.

    It completes commands, options, agents, methods, levels, formats and files.

    \b
    For all new shells:
      bash   echo 'eval "$(mineproof completion bash)"' >> ~/.bashrc
      zsh    echo 'eval "$(mineproof completion zsh)"' >> ~/.zshrc
      fish   mineproof completion fish \\
               > ~/.config/fish/completions/mineproof.fish
    """
    cli = click.get_current_context().find_root().command
    script = get_completion_class(shell)
    assert script is not None
    click.echo(script(cli, {}, "mineproof", VARIABLE).source(), nl=False)
