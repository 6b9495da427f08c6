"""The command line. Each command is a module of its name, imported when it is called.

Exit status: 0 done, 1 the answer is "no", 2 bad usage or bad input with one sentence on stderr.
"""

from __future__ import annotations

import os
import signal
import sys
import warnings
from importlib import import_module
from typing import NoReturn, TextIO

import click

import mineproof
from mineproof.errors import MineproofError, visible

COMMANDS = (
    "watch",
    "play",
    "analyse",
    "explain",
    "hint",
    "review",
    "deduce",
    "prove",
    "generate",
    "rate",
    "convert",
    "agents",
    "arena",
    "agent",
    "experiment",
)

_show_warning = warnings.showwarning


class Commands(click.Group):
    """A group that imports a command when it is needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f"mineproof.apps.cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command


@click.group(cls=Commands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(mineproof.__version__, prog_name="mineproof")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Minesweeper where every move has a proof, and every guess its exact odds."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main(args: list[str] | None = None) -> NoReturn:
    """Run a command and exit."""
    if sys.stdout is None or sys.stdin is None:
        sys.exit(2)  # closed by the caller: there is nobody to speak to
    try:
        _look_after_signals()
        warnings.showwarning = _warn
        with cli.make_context("mineproof", list(sys.argv[1:] if args is None else args)) as context:
            cli.invoke(context)
        sys.stdout.flush()
    except click.exceptions.Exit as done:
        sys.exit(done.exit_code)
    except click.ClickException as failure:
        fail(failure.format_message())
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except (MineproofError, OSError) as failure:
        fail(sentence(failure))
    except MemoryError:
        fail("there is not enough memory for this")
    except (KeyboardInterrupt, click.Abort):
        click.echo("interrupted", err=True)
        sys.exit(130)
    sys.exit(0)


def _look_after_signals() -> None:
    """Whoever ends us gets unfinished files removed. What the caller has us ignore, as nohup does, is ignored."""

    def leave(sent: int, _: object) -> NoReturn:
        for other in endings:
            signal.signal(other, signal.SIG_IGN)  # once is enough: what is being tidied up is not disturbed
        sys.exit(128 + sent)

    endings = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    for sent, handler in ((signal.SIGINT, signal.default_int_handler), *((one, leave) for one in endings)):
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
    """A warning about another package's agent is a sentence; all others come as Python shows them."""
    from mineproof.agents.registry import PluginWarning

    if issubclass(category, PluginWarning):
        complain(str(message))
    else:
        _show_warning(message, category, filename, lineno, file, line)


def sentence(failure: Exception) -> str:
    """What to tell the user of an error."""
    if isinstance(failure, OSError) and failure.filename is not None:
        return f"{failure.filename}: {failure.strerror}"
    return str(failure)


def complain(message: str) -> None:
    """One sentence for the user."""
    click.echo(f"mineproof: {visible(message)}", err=True)


def fail(message: str) -> NoReturn:
    """One sentence, and the status of bad input."""
    complain(message)
    sys.exit(2)
