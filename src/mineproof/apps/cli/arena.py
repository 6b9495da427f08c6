"""``mineproof arena``: agents play the same boards and are compared."""

from __future__ import annotations

import json
import sys
import time
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from mineproof.agents.registry import COMMAND, label
from mineproof.apps.cli import Suggesting
from mineproof.apps.cli.common import (
    board_options,
    check_as,
    engine_options,
    given,
    read_layouts,
    rule_options,
    say,
    say_wrapped,
    seconds_option,
    system_option,
)
from mineproof.arena.boards import Boards
from mineproof.arena.engines import chosen_engine
from mineproof.arena.request import Request
from mineproof.arena.statistics import wilson
from mineproof.arena.tournament import MOST_GAMES, Plan, tournament
from mineproof.board.level import Level
from mineproof.errors import BadRecords, visible
from mineproof.plural import plural
from mineproof.system import join_command

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mineproof.agents.systems import System
    from mineproof.arena.tournament import Standing


@click.group("arena", cls=Suggesting, invoke_without_command=True)
@click.option("--agent", "agents", multiple=True, help="Agent; repeat for several.  [default: best]")
@click.option(
    "--agent-command", "programs", multiple=True, metavar="[NAME=]COMMAND", help="A program that plays; repeatable."
)
@click.option(
    "--games", type=click.IntRange(1, MOST_GAMES), default=None, help="Games per agent and level.  [default: 1000]"
)
@click.option("--boards", type=click.Path(), default=None, help="Play the boards of a JSON lines file.")
@board_options(first_click="safe", many=True)
@rule_options
@system_option
@seconds_option
@engine_options
@click.option("--out", type=click.Path(path_type=Path), default=None, help="Save records in this folder.")
@click.option("--resume", is_flag=True, help="Continue the run in --out; more --games extend it.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
def command(
    agents: tuple[str, ...],
    programs: tuple[str, ...],
    games: int | None,
    boards: str | None,
    levels: tuple[Level, ...],
    first_click: str,
    seed: int | None,
    continues: bool,
    no_flood: bool,
    questions: bool,
    open_flags: bool,
    seconds: float,
    workers: int | None,
    address: str | None,
    out: Path | None,
    resume: bool,
    as_json: bool,
    system: System | None,
) -> None:
    """Play agents on the same boards and compare them."""
    context = click.get_current_context()
    if context.invoked_subcommand is not None:
        if given(*context.params):
            raise click.UsageError(f"put {context.invoked_subcommand} first, and its options after it")
        return

    if resume and out is None:
        raise click.UsageError("--resume needs --out")
    if boards is not None and levels:
        raise click.UsageError("--boards cannot be combined with levels")
    check_as(system)
    named = (*agents, *(COMMAND + line for line in programs))
    if system is not None:
        named, levels = named or system.agents, levels or tuple(map(Level.parse, system.levels))
        first_click = system.rules
    request = Request(
        agents=named or None,
        levels=levels or None,
        boards=None if boards is None else _boards(boards, games),
        games=games,
        seed=seed,
        first_click=first_click if given("first_click") or system is not None else None,
        continues=continues or None,
        flood=False if no_flood else None,
        questions=questions or None,
        open_flags=open_flags or None,
        seconds=seconds if given("seconds") else None,
    )
    if out is not None and resume and ((out / "manifest.json").exists() or request == Request()):
        plan = request.resumed(out)
        _ask(out, plan, request.unnamed_programs(plan))
    else:
        plan = request.plan()
    seen: list[Standing] = []
    try:
        summary = _play(plan, out, resume, workers, address, seen)
    except KeyboardInterrupt:
        if not as_json:
            _print_so_far(plan, seen, out, boards)
        raise
    if as_json:
        click.echo(json.dumps(summary))
        return
    _print(plan, summary)


def _ask(folder: Path, plan: Plan, programs: list[str]) -> None:
    """Ask before programs are run that only the folder names: it may come from anyone."""
    if programs and not (sys.stdin.isatty() and sys.stderr.isatty()):
        again = join_command(part for agent in plan.agents for part in ("--agent", agent))
        raise BadRecords(f"the run in {folder} starts programs, so name its agents again: {again}")
    for program in programs:
        if not click.confirm(
            f"The run in {visible(folder)} starts this program: {visible(program)}\nRun it?", err=True
        ):
            raise BadRecords(f"{program} was not run")


def _play(
    plan: Plan, out: Path | None, resume: bool, workers: int | None, address: str | None, seen: list[Standing]
) -> dict[str, Any]:
    """Run a tournament and return its summary; records go into the folder, if there is one. ``seen`` receives the
    standing as soon as there is one, so that an interruption can show it."""
    with ExitStack() as stack:
        engine = stack.enter_context(chosen_engine(workers, address, plan.parts))
        store = None
        if out is not None:
            from mineproof.arena.records import Records
            from mineproof.arena.summary import read_summary

            store = stack.enter_context(Records(out, plan, resume=resume))
        with _display(plan) as show:

            def progress(standing: Standing) -> None:
                seen[:] = [standing]
                show(standing)

            standing = tournament(plan, engine, store=store, progress=progress)
        summary = standing.summary()
        if store is not None:
            played = any(work.games for work in standing.played_now.values())
            if (store.folder / "summary.json").exists() and not played:
                before = read_summary(store.folder)  # of the finished run, with its speed
                summary = before if before["fingerprint"] == summary["fingerprint"] else summary
            store.finish(summary)
    return summary


def _boards(path: str, games: int | None) -> Boards:
    """Return the boards of a file, which is read again when they are played; a source that can be read only once is
    kept in memory."""
    if Path(path).is_file():
        return Boards.counted(partial(read_layouts, path, None), games)
    return Boards.of(list(islice(read_layouts(path, None), games)))


@contextmanager
def _display(plan: Plan) -> Iterator[Callable[[Standing], None]]:
    """Show progress on a terminal, and nothing elsewhere."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda _standing: None
        return
    with Live(console=console, refresh_per_second=4, transient=True) as live:
        yield lambda standing: live.update(_picture(plan, standing, console.width))


def _picture(plan: Plan, standing: Standing, width: int) -> Group:
    """Return a table that fits the terminal: columns for which there is no room are left out."""
    table = Table(box=None, header_style="dim", padding=(0, 2, 0, 0))
    headings = ["level", "agent", "bar", "games", "won %", "95 % interval", "games/s"]
    for heading, least in (("bar", 100), ("games/s", 75), ("95 % interval", 60), ("level", 45)):
        if width < least:
            headings.remove(heading)
    for heading in headings:
        name = "" if heading == "bar" else heading
        table.add_column(name, justify="left" if heading in ("level", "agent", "bar") else "right", no_wrap=True)
    for (place, agent), tally in standing.tallies.items():
        low, high = wilson(tally.wins, tally.games)
        rate = standing.rate(place, agent)
        shown: dict[str, Any] = {
            "level": Text(visible(place)),
            "agent": Text(short(label(agent), 24)),
            "bar": ProgressBar(plan.games, tally.games, width=20, complete_style="cyan", finished_style="green"),
            "games": f"{tally.games:,}",
            "won %": f"{100 * tally.wins / tally.games:.2f}" if tally.games else "",
            "95 % interval": f"{100 * low:.2f} to {100 * high:.2f}" if tally.games else "",
            "games/s": "" if rate is None else f"{rate:,.1f}",
        }
        table.add_row(*(shown[heading] for heading in headings))
    done, now = standing.games, sum(work.games for work in standing.played_now.values())
    speed = now / standing.seconds
    left = (plan.total - done) / speed if speed > 0 else 0.0
    progress = f"{done:,} of {plan.total:,} games, {speed:,.1f} per second, "
    progress += f"{_clock(standing.seconds)} elapsed, {_clock(left)} left"
    return Group(table, Text(progress, style="dim"))


def short(agent: str, width: int) -> str:
    """Return the name of an agent, shortened for a table; for a program, its command."""
    name = visible(agent.removeprefix(COMMAND))
    return name if len(name) <= width else name[: width - 1] + "…"


def _clock(seconds: float) -> str:
    if seconds < 3600 * 48:
        return time.strftime("%H:%M:%S" if seconds >= 3600 else "%M:%S", time.gmtime(seconds))
    return f"{seconds / 86400:.0f} days"


def _print(plan: Plan, summary: dict[str, Any]) -> None:
    width = max(11, *(len(short(label(agent), 30)) for agent in plan.agents))
    for place in plan.places:
        rows = [row for row in summary["agents"] if row["level"] == place and row["games"]]
        if not rows:
            continue
        where = place if plan.boards is not None else f"{place}/{plan.rules}#{plan.seed}"
        say(f"{_games(plan, rows)} on {where}")
        say(f"{'agent':{width}}  won %  95 % interval   stuck guesses  hits   games/s  slowest  time of a game")
        for row in rows:
            say(_line(row, width))
            if row["faults"]:
                say(f"  {plural(row['faults'], 'game')} lost by a fault; the first: {row['first_fault']}")
    say(f"fingerprint {summary['fingerprint'][:16]}")


def _games(plan: Plan, rows: list[dict[str, Any]]) -> str:
    """Return in words how many games these agents have played."""
    least, most = (of(row["games"] for row in rows) for of in (min, max))
    if least == plan.games:
        return plural(plan.games, "game")
    return f"{least} {f'to {most} ' if most > least else ''}of {plan.games} games"


def _print_so_far(plan: Plan, seen: list[Standing], out: Path | None, boards: str | None) -> None:
    """Print the table so far after an interruption, and how to continue."""
    for standing in seen:
        _print(plan, standing.summary())
    if out is None:
        say("nothing was saved; a run with --out DIR can be resumed")
        return
    again = ["mineproof", "arena", "--out", str(out), "--resume", *(["--boards", boards] if boards else [])]
    if any(agent.startswith(COMMAND) for agent in plan.agents):
        again += (part for agent in plan.agents for part in ("--agent", agent))
    say(f"resume with: {join_command(again)}")


def _line(row: dict[str, Any], width: int) -> str:
    rate, low, high = (100 * number for number in row["win_rate"])
    speed = "" if row["games_per_second"] is None else f"{row['games_per_second']:,.1f}"
    times = "{:.3g} ± {:.3g} s".format(*row["seconds_per_game"]) if "seconds_per_game" in row else ""
    return (
        f"{short(row['agent'], 30):{width}} {rate:6.2f}  {f'{low:.2f} to {high:.2f}':15} {row['stuck']:5} "
        f"{row['guesses']:7.2f} {row['hits']:5.2f} {speed:>9} {row['slowest_move_ms']:5.0f} ms  {times}"
    )


@command.command("compare")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.option("--json", "as_json", is_flag=True, help="Print the comparison as JSON.")
def compare_command(folder: Path, first: str, second: str, as_json: bool) -> None:
    """Compare agents A and B: which is better, by how much, and how significantly."""
    from mineproof.arena.records import compare

    if first == second:
        raise click.UsageError(f"{first} cannot be compared with itself: name two different agents")
    comparisons = compare(folder, first, second)
    together = any(pairs.games for pairs in comparisons.values())
    if as_json:
        rows = [{"level": place, **pairs.fields()} for place, pairs in comparisons.items()]
        click.echo(json.dumps({"agents": [first, second], "levels": rows}))
        sys.exit(0 if together else 1)
    for place, pairs in comparisons.items():
        if pairs.games:
            say_wrapped(pairs.sentence(first, second, place))
        else:
            say(f"no board of {place} has been played by both yet")
    sys.exit(0 if together else 1)


@command.command("luck")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the win rates as JSON.")
def luck_command(folder: Path, as_json: bool) -> None:
    """Win rates without the luck of guesses, and what one agent wins more often than another: the same means, smaller
    errors."""
    from mineproof.arena.luck import without_luck

    rates, leads = without_luck(folder)
    if as_json:
        agents = [{"level": place, "agent": name, **(rate.fields() if rate else {})} for place, name, rate in rates]
        pairs = [{"level": place, "agents": [first, second], **lead.fields()} for place, first, second, lead in leads]
        click.echo(json.dumps({"agents": agents, "pairs": pairs}))
        return
    for place, name, rate in rates:
        say_wrapped(f"{name} on {place}: {rate or 'its risks are not exact, so its luck is not known'}")
    for place, first, second, lead in leads:
        say_wrapped(f"{first} against {second} on {place}: {lead}")


@command.command("plot")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
def plot_command(folder: Path) -> None:
    """Plot a finished run: win rates and the calibration of risks."""
    from mineproof.arena.plots import draw_run
    from mineproof.arena.summary import read_summary

    draw_run(read_summary(folder), folder / "figure")
    say(f"{folder / 'figure.png'}, {folder / 'figure.svg'}")
