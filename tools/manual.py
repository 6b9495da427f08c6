"""The manual page, from the help of the commands: ``make man`` writes man/mineproof.1.

It bears no version and no date, so that it changes only when the help does.
"""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mineproof.apps.cli import GROUPS, cli

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE = Path(__file__).parent.parent / "man/mineproof.1"
END = """\
.SH EXIT STATUS
.TP
.B 0
Done.
.TP
.B 1
The answer is "no": nothing was found, or no board is consistent with the position.
.TP
.B 2
Bad usage, bad input or too little memory; one sentence on standard error says what.
.SH ENVIRONMENT
.TP
.B NO_COLOR
Turns colours off.
.SH EXAMPLES
.nf
mineproof watch \\-\\-seed 163
mineproof play \\-\\-level beginner
printf '3x2x2\\enHHH\\en121\\en' | mineproof explain \\- B1
.fi
"""


def escaped(text: str) -> str:
    """Text that roff prints as it is."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join(f"\\&{line}" if line.startswith((".", "'")) else line for line in text.split("\n"))


def paragraphs(text: str | None) -> Iterator[str]:
    """The paragraphs of a help text; click leaves those that begin with ``\\b`` as they are, and so does roff."""
    for paragraph in inspect.cleandoc(text or "").split("\n\n"):
        if paragraph.startswith("\b"):
            yield f".PP\n.nf\n{escaped(paragraph.removeprefix(chr(8)).strip(chr(10)))}\n.fi"
        else:
            yield f".PP\n{escaped(paragraph)}"


def sections(command: click.Command, context: click.Context) -> Iterator[str]:
    """A command with its options, then the commands below it."""
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    yield f'.SS "{escaped(usage)}"'
    yield from paragraphs(command.help)
    for one in command.get_params(context):
        record = one.get_help_record(context)
        if record is not None and "--help" not in one.opts:
            yield f".TP\n.B {escaped(record[0])}\n{escaped(record[1])}"
    for name, below in command.commands.items() if isinstance(command, click.Group) else ():
        yield from sections(below, click.Context(below, info_name=name, parent=context))


def page() -> str:
    """The whole manual page."""
    top = click.Context(cli, info_name="mineproof")
    lines = [
        '.TH MINEPROOF 1 "" "Mineproof" "User Commands"',
        ".SH NAME\nmineproof \\- Minesweeper where every move has a proof, and every guess its exact odds",
        ".SH SYNOPSIS\n.B mineproof\n.I COMMAND\n[\\fIOPTIONS\\fR] [\\fIARGUMENTS\\fR]",
        ".SH DESCRIPTION",
        *paragraphs((cli.help or "").partition("\n\n")[2]),
    ]
    for title, names in GROUPS.items():
        lines.append(f'.SH "{title.upper()}"')
        for name in names:
            command = cli.get_command(top, name)
            assert command is not None
            lines.extend(sections(command, click.Context(command, info_name=name, parent=top)))
    return "\n".join(lines) + "\n" + END


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
