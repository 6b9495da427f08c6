"""``mineproof convert``: between board, position and replay formats."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from mineproof.apps.cli.common import proved, read_content, started, theme_option
from mineproof.apps.contents import cut
from mineproof.board.formats import FORMATS, find_format
from mineproof.board.game import Replay
from mineproof.files import write_file


@click.command("convert")
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option("--from", "from_format", default=None, help="Format of IN, if it cannot be recognised.")
@click.option("--to", "to_format", default=None, help="Format of OUT, if its name does not say.")
@click.option("--step", type=int, default=None, help="Cut a replay after this many moves.")
@click.option("--start", default=None, help="Cell to start at, instead of the board's own.")
@theme_option("In a picture, show proved cells in the colours of this theme")
@click.option("--json", "as_json", is_flag=True, help="Describe the written file as JSON.")
def command(
    source: str,
    target: str,
    from_format: str | None,
    to_format: str | None,
    step: int | None,
    start: str | None,
    theme: str | None,
    as_json: bool,
) -> None:
    """Convert a board, position or replay.

    IN is a file, - for standard input, or a game id or URL; OUT is a file, or - for standard output with --to.
    Formats: game, mine, mbf, analysis, ptta, tatham, tatham-masked, rawvf, jsonl, id; write only: svg and, with the
    extra images, png and gif; read only, with the extra replays: avf, mvf, rmv, evf.
    """
    if target == "-" and as_json:
        raise click.UsageError("--json describes a written file; with OUT - the result itself is printed")
    if target == "-" and to_format is None:
        raise click.UsageError("OUT - needs --to FORMAT")
    target_format = find_format(to_format, target)
    if theme is not None and not target_format.drawn:
        drawn = ", ".join(format_.name for format_ in FORMATS.values() if format_.drawn)
        raise click.UsageError(f"--theme applies to pictures ({drawn}), not to {target_format.name}")
    content = read_content(source, from_format)
    if step is not None:
        if not isinstance(content, Replay):
            raise click.UsageError("--step applies to replays")
        content = cut(content, step)
    content = started(content, start)
    data = target_format.encode(content, **({} if theme is None else {"known": proved, "theme": theme}))
    if target == "-":
        sys.stdout.buffer.write(data)
    else:
        write_file(Path(target), data)
        if as_json:
            click.echo(json.dumps({"out": target, "format": target_format.name, "bytes": len(data)}))
