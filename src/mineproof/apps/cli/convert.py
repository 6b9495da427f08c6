"""``mineproof convert``: between board, position and replay formats."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from mineproof.apps.cli.common import read_content, started
from mineproof.board.formats import Content, find_format
from mineproof.board.replay import Replay
from mineproof.files import write_file


@click.command("convert")
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option("--from", "from_format", default=None, help="Format of IN, where its name or content is not enough.")
@click.option("--to", "to_format", default=None, help="Format of OUT, where its name is not enough.")
@click.option("--step", type=int, default=None, help="Cut a replay after this many moves.")
@click.option("--start", default=None, help="Cell to start at, instead of what the board names.")
@click.option("--json", "as_json", is_flag=True, help="Say what was written as JSON.")
def command(
    source: str,
    target: str,
    from_format: str | None,
    to_format: str | None,
    step: int | None,
    start: str | None,
    as_json: bool,
) -> None:
    """Convert a board, position or replay.

    IN is a file, - for standard input, or a game id or URL itself; OUT is a file, or - for standard output with --to.
    Formats: game, mine, mbf, analysis, ptta, tatham, rawvf, jsonl, id; only written: svg; only read, with the extra
    replays: avf, mvf, rmv, evf.
    """
    if target == "-" and as_json:
        raise click.UsageError("--json tells of a file; with OUT - the result itself is printed")
    if target == "-" and to_format is None:
        raise click.UsageError("with OUT -, name a format with --to")
    known = find_format(to_format, target)
    content = read_content(source, from_format)
    if step is not None:
        content = _cut(content, step)
    content = started(content, start)
    data = known.encode(content)
    if target == "-":
        sys.stdout.buffer.write(data)
    else:
        write_file(Path(target), data)
        if as_json:
            click.echo(json.dumps({"out": target, "format": known.name, "bytes": len(data)}))


def _cut(content: Content, step: int) -> Replay:
    if not isinstance(content, Replay):
        raise click.UsageError("--step is for replays")
    content.game(step)  # says so when there is no such step
    times = None if content.times is None else content.times[:step]
    return Replay(content.id, content.moves[:step], times)
