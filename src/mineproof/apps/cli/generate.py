"""``mineproof generate``: random boards, and boards that need no guess."""

from __future__ import annotations

import re
import sys
from contextlib import ExitStack, nullcontext
from itertools import islice
from pathlib import Path
from secrets import randbelow
from typing import TYPE_CHECKING

import click

from mineproof.apps import sheet
from mineproof.apps.cli import complain
from mineproof.apps.cli.common import board_options, can_show, game_on, given, wrapped
from mineproof.apps.cli.progress import Progress
from mineproof.board.formats import find_format, jsonl
from mineproof.board.layout import layouts
from mineproof.board.rules import Rules
from mineproof.errors import NoneFound
from mineproof.explain.step import MINE_COUNT, ONE_CLUE
from mineproof.files import whole_file, write_file
from mineproof.generate.no_guess import PATIENT, no_guess
from mineproof.generate.solution import solve
from mineproof.limit import Limit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from mineproof.board.formats import Format
    from mineproof.board.layout import Layout
    from mineproof.board.level import Level
    from mineproof.generate.no_guess import NoGuess

_STEP_LEVELS = click.IntRange(ONE_CLUE, MINE_COUNT)
_POSITIONS = ("svg", "png", "mine", "analysis")  # formats that can hold a puzzle
_LINES = ("jsonl", "id")  # formats that hold any number of boards, one per line


@click.command("generate")
@board_options(first_click="safe")
@click.option("--no-guess", "without_guess", is_flag=True, help="Only boards that need no guess.")
@click.option(
    "--method",
    default="fast",
    show_default=True,
    help="With --no-guess: uniform makes all such boards equally likely; fast is faster.",
)
@click.option(
    "--min-level", type=_STEP_LEVELS, default=ONE_CLUE, help="Minimum level of the hardest step, with --no-guess."
)
@click.option("--max-level", type=_STEP_LEVELS, default=MINE_COUNT, help="Maximum level of any step, with --no-guess.")
@click.option("--solution", is_flag=True, help="Also print the solution of each board, with --no-guess.")
@click.option("--start", default=None, help="First click.  [default: A1; with --no-guess the middle]")
@click.option("--count", type=click.IntRange(1), default=1, show_default=True, help="Number of boards.")
@click.option("--first", type=click.IntRange(0), default=0, show_default=True, help="Number of the first board.")
@click.option("--tries", type=click.IntRange(1), default=None, help="Maximum tries per board, with --no-guess.")
@click.option(
    "--seconds",
    type=click.FloatRange(0, 1e9, min_open=True),
    default=PATIENT.seconds,
    show_default=True,
    help="Time limit per board, with --no-guess.",
)
@click.option(
    "--format",
    "format_name",
    default=None,
    help="jsonl, id, mine, mbf, ptta, tatham, tatham-masked, analysis, svg, png or html.  "
    "[default: by the ending of --out, or jsonl]",
)
@click.option(
    "--show",
    type=click.Choice(["solved", "start"]),
    default="solved",
    show_default=True,
    help="In svg, png, mine and analysis: the solved board, or the puzzle with only its start open.",
)
@click.option("--out", type=click.Path(path_type=Path), default=None, help="File, or folder for one file per board.")
@click.option("--force", is_flag=True, help="Replace files that exist.")
@click.option("--json", "as_json", is_flag=True, help="The same as --format jsonl.")
def command(
    level: Level | None,
    first_click: str,
    seed: int | None,
    without_guess: bool,
    method: str,
    min_level: int,
    max_level: int,
    solution: bool,
    start: str | None,
    count: int,
    first: int,
    tries: int | None,
    seconds: float,
    format_name: str | None,
    show: str,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Make random boards, or boards that need no guess.

    All boards that the first-click rule allows are equally likely.

    Board number i of a seed is the same on every machine and in every batch. With --no-guess, boards can be won from
    their start by certain moves alone; the first click is an opening if there is room for one. Step levels are
    1 (one clue), 2 (two clues), 3 (three or four), 4 (chains), 5 (cases) and 6 (the number of mines).

    \b
    Ten puzzles of exactly level 3, on a sheet to print, with their solutions:
      mineproof generate --no-guess --level beginner --min-level 3 \\
        --max-level 3 --count 10 --solution --out class.html
    """
    rules = Rules.parse(first_click)
    _check_given(without_guess)
    if as_json and format_name not in (None, "jsonl"):
        raise click.UsageError(f"--json means --format jsonl and cannot be combined with --format {format_name}")
    if min_level > max_level:
        raise click.UsageError(f"--min-level {min_level} is above --max-level {max_level}")
    suffix = "" if out is None else out.suffix.lower()
    on_sheet = format_name == "html" or (format_name is None and suffix in (".html", ".htm"))
    as_text = solution and not as_json and format_name is None and suffix in ("", ".txt")
    if out is not None and format_name is None and not (suffix or as_json or as_text or _device(out)):
        raise click.UsageError(
            f"{out} has no ending that names a format: use {out}.jsonl for one file, "
            f"or --format mine for a folder with one file per board"
        )
    if as_json or on_sheet or as_text or (format_name is None and not suffix):
        format_name = "jsonl"
    output_format = find_format(format_name, out)
    if solution and output_format.name != "jsonl":
        raise click.UsageError(
            f"{output_format.name} cannot hold a solution: use --json, --format html, or a .txt file"
        )
    if show == "start" and output_format.name not in _POSITIONS:
        raise click.UsageError(f"--show start needs --format {', '.join(_POSITIONS[:-1])} or {_POSITIONS[-1]}")
    if solution:
        ascii_only = out is None and not can_show("■")

        def encode(layout: Layout) -> bytes:
            return _with_solution(layout, Limit(seconds), as_text, ascii_only, to_terminal=out is None)

    else:

        def encode(layout: Layout) -> bytes:
            return output_format.encode(game_on(layout).position if show == "start" else layout)

    folder = output_format.name not in _LINES and (count > 1 or (out is not None and out.is_dir()))
    if folder and (out is None or (suffix and not out.is_dir())):
        instead = f", not {out}, or use --format jsonl" if suffix else ""
        raise click.UsageError(
            f"{output_format.name} holds one board per file: use --out FOLDER for {count} boards{instead}"
        )
    if out is not None and not force:
        _refuse_existing([_numbered(out, number, output_format) for number in range(count)] if folder else [out])
    if seed is None:
        seed = randbelow(10**9)
        click.echo(f"seed {seed}", err=True)
    with ExitStack() as stack:
        boards: Iterable[Layout]
        if without_guess:
            status = Status(count)
            stack.callback(status.clear)
            search = no_guess(
                level or "expert",
                start=start,
                method=method,
                seed=seed,
                first=first,
                count=count,
                min_level=min_level,
                max_level=max_level,
                tries=tries,
                limit=Limit(seconds),
                progress=status.tried,
            )
            boards = _board_layouts(search, status)
        else:
            at = start or ("A1" if rules.laid_after_click else None)
            boards = islice(layouts(level or "expert", rules, at, seed=seed, first=first), count)
            if out is not None and sys.stderr.isatty():
                boards = stack.enter_context(click.progressbar(boards, length=count, label="boards", file=sys.stderr))
        if on_sheet:
            _write_all(map(str.encode, sheet.sheet(boards, solutions=solution, limit=Limit(seconds))), out)
        else:
            _write(boards, output_format, encode, out, folder)


def _board_layouts(boards: Iterator[NoGuess], status: Status) -> Iterator[Layout]:
    """Yield the boards as they are found. If none is found, end with exit status 1."""
    try:
        for board in boards:
            status.found()
            yield board.layout
    except NoneFound as failure:
        status.clear()
        complain(str(failure))
        raise click.exceptions.Exit(1) from None


def _check_given(without_guess: bool) -> None:
    """Refuse options that cannot be combined."""
    if without_guess and given("first_click"):
        raise click.UsageError("with --no-guess the first click is an opening: omit --first-click")
    for option in given("method", "min_level", "max_level", "solution", "tries", "seconds"):
        if not without_guess:
            raise click.UsageError(f"{option} needs --no-guess")


def _device(path: Path) -> bool:
    """Return whether this is a device or a pipe, such as /dev/stdout."""
    return path.exists() and not path.is_file() and not path.is_dir()


def _refuse_existing(paths: Iterable[Path]) -> None:
    """Check that no file would be replaced."""
    for path in paths:
        if path.is_file():
            raise click.UsageError(f"{path} exists: use --force to replace it, or another name")


class Status(Progress):
    """A line that shows how far a search is."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self.count, self.boards = count, 0

    def tried(self, boards: int) -> None:
        """Show that this many boards were tried for the next one."""
        self.show(f"{self.boards:,} of {self.count:,} boards; {boards:,} tried for the next")

    def found(self) -> None:
        """Count a board that is about to be printed."""
        self.boards += 1
        self.tried(0)
        if self.shown and sys.stdout.isatty():
            self.clear()


def _with_solution(layout: Layout, limit: Limit, as_text: bool, ascii_only: bool, to_terminal: bool) -> bytes:
    """Return a board with its solution, as JSON or as text."""
    solution = solve(layout, limit=limit)
    if not as_text:
        return jsonl.write_one(layout, solution=solution.fields(limit))
    text = solution.text(limit, ascii_only=ascii_only)
    if to_terminal:
        text = "\n".join(wrapped(line, 5) if re.match(r" *\d+\. ", line) else line for line in text.split("\n"))
    return f"{text}\n".encode()


def _write(
    boards: Iterable[Layout], output_format: Format, encode: Callable[[Layout], bytes], out: Path | None, folder: bool
) -> None:
    if folder and out is not None:
        out.mkdir(parents=True, exist_ok=True)
        for number, layout in enumerate(boards):
            write_file(_numbered(out, number, output_format), encode(layout))
        return
    _write_all(map(encode, boards), out)


def _numbered(folder: Path, number: int, output_format: Format) -> Path:
    return folder / f"board-{number:06}{(*output_format.suffixes, f'.{output_format.name}')[0]}"


def _write_all(parts: Iterable[bytes], out: Path | None) -> None:
    with whole_file(out) if out is not None else nullcontext(sys.stdout.buffer) as file:
        for part in parts:
            file.write(part)
