"""``mineproof completion``: names on Tab, in bash, zsh and fish.

The script that a shell loads asks ``mineproof`` itself, with VARIABLE in the environment; ``answer`` replies. Which
values an option takes is one table, so that a new command with an ``--agent`` completes its agents too.
"""

from __future__ import annotations

import os
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


def _agents() -> Iterable[str]:
    from mineproof.agents.registry import registered

    return registered()


def _experiments() -> Iterable[str]:
    from mineproof.arena.experiments import EXPERIMENTS

    return EXPERIMENTS


def _formats() -> Iterable[str]:
    from mineproof.board.formats import FORMATS

    return FORMATS


def _levels() -> Iterable[str]:
    from mineproof.board.level import LEVELS

    return LEVELS


def _methods() -> Iterable[str]:
    from mineproof.logic.methods import METHODS

    return METHODS


def _systems() -> Iterable[str]:
    from mineproof.agents.systems import SYSTEMS

    return SYSTEMS


def _themes() -> Iterable[str]:
    from mineproof.board.render import THEMES

    return THEMES


VALUES: dict[str, Callable[[], Iterable[str]]] = {
    "--agent": _agents,
    "--as": _systems,
    "--first-click": lambda: RULES,
    "--format": _formats,
    "--from": _formats,
    "--level": _levels,
    "--method": _methods,
    "--theme": _themes,
    "--to": _formats,
    "agent name": _agents,
    "agents name": _agents,
    "compare first": _agents,
    "compare second": _agents,
    "experiment name": _experiments,
    "generate method": lambda: MAKERS,
}
"""The values of parameters: by the command's name and their own, else by the option alone."""
FILES = {"--load", "file", "source", "target"}
"""Options and arguments that are files, or also something else, such as a game id."""


class Suggested(click.types.StringParamType):
    """Text for which a shell suggests some values; any other is right, too."""

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
    for one in command.params:
        if not isinstance(one.type, click.types.StringParamType):
            continue  # numbers, choices and paths are known to click
        if FILES.intersection([*one.opts, one.name]):
            one.type = click.Path()
        for key in (f"{command.name} {one.name}", *one.opts):
            if key in VALUES:
                one.type = Suggested(VALUES[key])
                break
    for below in command.commands.values() if isinstance(command, click.Group) else ():
        teach(below)


def answer(cli: click.Command) -> int:
    """Tell the shell what may follow; the exit status."""
    try:
        return shell_complete(cli, {}, "mineproof", VARIABLE, os.environ[VARIABLE])
    except MineproofError:
        return 1  # after what is wrong already, nothing can follow; a message would spoil the line that is being typed


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
