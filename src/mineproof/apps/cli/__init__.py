"""The command line. Each command is a module of the same name, imported when it is called.

Exit status: 0 done, 1 the answer is "no", 2 bad usage or bad input, with one sentence on stderr.
"""

from __future__ import annotations

import io
import os
import re
import signal
import sys
import warnings
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, NoReturn, TextIO

import click

import mineproof
from mineproof.apps.cli import completion
from mineproof.board.ids import GameId
from mineproof.board.level import Level
from mineproof.errors import MineproofError, UnknownName, visible
from mineproof.system import ENDINGS, broken_pipe

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

GROUPS = {
    "Play": ("play", "watch", "web", "review"),
    "Reason": ("analyse", "hint", "explain", "prove", "deduce"),
    "Compare": ("arena", "agents", "experiment", "agent"),
    "Files": ("generate", "rate", "convert"),
    "Shell": ("completion",),
}
"""The commands, in the order of the help."""
COMMANDS = tuple(name for names in GROUPS.values() for name in names)

_show_warning = warnings.showwarning


class Suggesting(click.Group):
    """A group that suggests the closest command for a typo, and never truncates a summary."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in self.list_commands(ctx) and not args[0].startswith("-"):
            raise UnknownName("command", args[0], self.list_commands(ctx))
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self.write_commands(ctx, formatter, "Commands", self.list_commands(ctx))

    def write_commands(
        self, ctx: click.Context, formatter: click.HelpFormatter, title: str, names: Iterable[str]
    ) -> None:
        """Write names and summaries below a title; long summaries continue on the next line."""
        commands = [(name, self.get_command(ctx, name)) for name in names]
        with formatter.section(title):
            formatter.write_dl(
                [(f"{name:10}", command.get_short_help_str(500)) for name, command in commands if command is not None]
            )


class Commands(Suggesting):
    """A group that imports a command when it is needed."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read ``help COMMAND`` as ``COMMAND --help``."""
        return super().parse_args(ctx, [*args[1:], "--help"] if args[:1] == ["help"] else args)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f"mineproof.apps.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        if completion.VARIABLE in os.environ:
            completion.teach(command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, names in GROUPS.items():
            self.write_commands(ctx, formatter, title, names)


@click.group(cls=Commands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(mineproof.__version__, prog_name="mineproof")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Minesweeper where every move has a proof, and every guess its exact odds.

    mineproof help COMMAND, or mineproof COMMAND --help, explains each command.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main(args: list[str] | None = None) -> NoReturn:
    """Run a command and exit."""
    if sys.stdout is None or sys.stdin is None:
        sys.exit(2)  # closed by the caller: no message can be shown
    if completion.VARIABLE in os.environ:
        sys.exit(completion.answer(cli))
    try:
        _look_after_signals()
        if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
            sys.stdout.reconfigure(errors="replace")  # a character that the code page lacks must not stop a command
        warnings.showwarning = _warn
        with cli.make_context("mineproof", list(sys.argv[1:] if args is None else args)) as context:
            cli.invoke(context)
        sys.stdout.flush()
    except click.exceptions.Exit as done:
        sys.exit(done.exit_code)
    except click.ClickException as failure:
        fail(failure.format_message() + _suggestion(failure))
    except (MineproofError, OSError) as failure:
        if broken_pipe(failure):  # the reader, such as `head`, has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(0)
        fail(sentence(failure))
    except MemoryError:
        fail("there is not enough memory")
    except (KeyboardInterrupt, click.Abort):
        click.echo("interrupted", err=True)
        sys.exit(130)
    sys.exit(0)


def _look_after_signals() -> None:
    """Let a signal end the process in order, so that unfinished files are removed. Signals that are ignored, as under
    nohup, stay ignored."""

    def leave(sent: int, _: object) -> NoReturn:
        for other in ENDINGS:
            signal.signal(other, signal.SIG_IGN)  # a second signal must not disturb the clean-up
        sys.exit(128 + sent)

    for sent, handler in ((signal.SIGINT, signal.default_int_handler), *((ending, leave) for ending in ENDINGS)):
        if signal.getsignal(sent) is not signal.SIG_IGN:
            signal.signal(sent, handler)


def _warn(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Print a warning about another package's agent as a sentence, and all others as Python does."""
    from mineproof.agents.registry import PluginWarning

    if issubclass(category, PluginWarning):
        complain(str(message))
    else:
        _show_warning(message, category, filename, lineno, file, line)


def _suggestion(failure: click.ClickException) -> str:
    """Return what an argument too many was probably meant to be: the value of an option."""
    extra = re.search(r"unexpected extra argument \((\S+)\)", failure.format_message())
    context = failure.ctx if isinstance(failure, click.UsageError) else None
    if extra is None or context is None:
        return ""
    options = {option for parameter in context.command.params for option in parameter.opts}
    read: Callable[[str], object]
    for option, read in (("--level", Level.parse), ("--id", GameId.parse), ("--load", os.stat)):
        if option in options:
            with suppress(MineproofError, OSError):
                read(extra[1])
                return f"; did you mean {option} {extra[1]}?"
    return ""


def sentence(failure: Exception) -> str:
    """Return the message of an error."""
    if isinstance(failure, OSError) and failure.filename is not None:
        return f"{failure.filename}: {failure.strerror}"
    return str(failure)


def complain(message: str) -> None:
    """Print one sentence for the user."""
    click.echo(f"mineproof: {visible(message)}", err=True)


def fail(message: str) -> NoReturn:
    """Print one sentence, and exit with the status of bad input."""
    complain(message)
    sys.exit(2)
