"""``mineproof experiment``: repeat the experiments of the reports."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from mineproof.apps.cli.common import engine_options, say, say_wrapped
from mineproof.arena.engines import chosen_engine

if TYPE_CHECKING:
    from mineproof.arena.experiments.experiment import Experiment


@click.command("experiment")
@click.argument("name", required=False)
@click.option("--all", "everything", is_flag=True, help="Run every experiment.")
@click.option(
    "--out", type=click.Path(path_type=Path), default=Path("experiments"), show_default=True, help="Output folder."
)
@click.option("--quick", is_flag=True, help="Fewer boards: all experiments take ten minutes on two cores.")
@engine_options
@click.option("--json", "as_json", is_flag=True, help="Print the summaries, or the list, as JSON.")
def command(
    name: str | None, everything: bool, out: Path, quick: bool, workers: int | None, address: str | None, as_json: bool
) -> None:
    """Run an experiment; writes data, a figure and a summary.

    Without a name, lists the experiments.

    Measurements already in the folder are reused, so an interrupted run continues where it stopped.
    """
    from mineproof.arena.experiments import EXPERIMENTS, find_experiment
    from mineproof.arena.experiments.page import write_index

    if name is not None and everything:
        raise click.UsageError("a name and --all cannot be combined")
    if name is None and not everything and quick:
        raise click.UsageError("name an experiment or use --all")
    if name is None and not everything:
        _list(list(EXPERIMENTS.values()), as_json)
        return
    chosen = list(EXPERIMENTS.values()) if everything else [find_experiment(name or "")]
    readings = _perform(chosen, out, quick, workers, address)
    page = write_index(out, EXPERIMENTS.values())
    if as_json:
        click.echo(json.dumps({"folder": str(out), "readings": readings}))
        return
    for experiment in chosen:
        for line in f"{experiment.name}: {readings[experiment.name]}\n".split("\n"):
            say_wrapped(line)
    say(f"figures and data: {page}")


def _list(experiments: list[Experiment], as_json: bool) -> None:
    if as_json:
        fields = ("name", "title", "question", "source")
        click.echo(json.dumps([{field: getattr(experiment, field) for field in fields} for experiment in experiments]))
        return
    for experiment in experiments:
        say_wrapped(f"{experiment.name:26} {experiment.question}", 27, always=True)
        say_wrapped(f"{'':26} Source: {experiment.source}.", 27, always=True)


def _perform(
    chosen: list[Experiment], out: Path, quick: bool, workers: int | None, address: str | None
) -> dict[str, str]:
    from mineproof.arena.experiments.experiment import perform

    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description:20}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    readings = {}
    with (
        chosen_engine(workers, address) as engine,
        Progress(*columns, console=console, disable=not console.is_terminal) as progress,
    ):
        for experiment in chosen:
            bar = progress.add_task(experiment.name, total=None)
            readings[experiment.name] = perform(
                experiment,
                out,
                engine,
                quick=quick,
                progress=lambda done, points, bar=bar: progress.update(bar, completed=done, total=points),  # type: ignore[misc]
            )
    return readings
