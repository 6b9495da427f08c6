"""Every experiment, on a handful of boards: data, figure, reading and page; cut off and gone on."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pyarrow.parquet as pq
import pytest

from mineproof import BadRecords, UnknownName
from mineproof.arena.engines import in_process
from mineproof.arena.experiments import EXPERIMENTS, find_experiment
from mineproof.arena.experiments.density import halfway
from mineproof.arena.experiments.experiment import (
    Experiment,
    MeasuredPoints,
    Row,
    _warm_up,
    compared,
    mean,
    perform,
    player,
    spent,
    timed_games,
)
from mineproof.arena.experiments.page import write_index
from mineproof.arena.match import Result, finish

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from mineproof.agents.agent import Agent
    from mineproof.board.game import Game
    from mineproof.limit import Limit

MODULE = "mineproof.arena.experiments.experiment"
WANTED = {
    "smile-density", "smile-waiting-list", "smile-scenarios", "matching-levels", "matching-safe-cells",
    "matching-store", "csp-guesses", "csp-time", "chaining-limit", "resolution-after-chaining", "sat-encoding",
    "ladder", "density-wall",
}  # fmt: skip


def handful(experiment: Experiment) -> Callable[[bool], list[Row]]:
    """The first block of each group of points that take little time, with one game or two boards."""
    return lambda quick: [
        small_point(point) for point in experiment.points(quick) if point.get("first", 0) == 0 and is_quick(point)
    ]


def is_quick(point: Row) -> bool:
    return (
        ("agent" not in point or point.get("percent", 0) <= 30)
        and point.get("unknowns", 0) in (0, 2, 3, 8, 15)
        and point.get("clauses", 0) <= 100
        and point.get("size", 0) in (0, 5, 6, 9, 10, 16, 50)
    )


def small_point(point: Row) -> Row:
    if "rows" in point:
        point = {**point, "rows": [row for row in point["rows"] if is_quick(row)]}
    played = "agent" in point or any("agent" in row for row in point.get("rows", ()))
    return {**point, "games": 1 if played else 2} if "games" in point else point


def small(name: str) -> Experiment:
    fields = {field: getattr(EXPERIMENTS[name], field) for field in Experiment.__dataclass_fields__}
    return Experiment(**{**fields, "points": handful(EXPERIMENTS[name])})


def test_all_of_them_are_there() -> None:
    assert set(EXPERIMENTS) == WANTED
    with pytest.raises(UnknownName, match="did you mean 'csp-time'"):
        find_experiment("csp-tme")


@pytest.mark.parametrize("name", sorted(WANTED))
def test_data_figure_and_reading(name: str, tmp_path: Path) -> None:
    experiment = small(name)
    reading = perform(experiment, tmp_path, in_process(), quick=True)
    home = tmp_path / name
    table = pq.read_table(home / "data.parquet")
    with (home / "data.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert table.num_rows == len(rows) >= len(experiment.points(True))
    assert table.column_names == list(rows[0])
    assert (home / "figure.png").read_bytes().startswith(b"\x89PNG")
    assert ElementTree.parse(home / "figure.svg").getroot().tag.endswith("svg")
    assert reading in (home / "reading.md").read_text()
    assert "nan" not in reading
    page = write_index(tmp_path, EXPERIMENTS.values()).read_text()
    assert experiment.title in page
    assert all(f"{name}/{part}" in page for part in ("figure.svg", "data.csv", "data.parquet", "figure.png"))
    assert ("<table>" in page) == (experiment.table is not None)


def counted(seen: list[Row]) -> Experiment:
    def measure(point: Row) -> list[Row]:
        if (point["size"], point["percent"]) == (10, 24) and len(seen) == 7:
            raise KeyboardInterrupt
        seen.append(point)
        return EXPERIMENTS["density-wall"].measure(point)

    measure.__module__ = EXPERIMENTS["density-wall"].measure.__module__
    fields = {field: getattr(small("density-wall"), field) for field in Experiment.__dataclass_fields__}
    return Experiment(**{**fields, "measure": measure})


def test_what_was_measured_is_not_measured_again(tmp_path: Path) -> None:
    seen: list[Row] = []
    experiment = counted(seen)
    assert len(experiment.points(True)) == 20
    for stop in (7, 20, 20):
        try:
            perform(experiment, tmp_path, in_process(), quick=True)
        except KeyboardInterrupt:
            assert len(seen) == stop
        if len(seen) == 7:
            seen.append({})  # the next time it is not interrupted
    whole = tmp_path / "whole"
    perform(small("density-wall"), whole, in_process(), quick=True)
    for file in ("data.csv", "data.parquet", "reading.md", "figure.svg", "figure.png"):
        assert (tmp_path / "density-wall" / file).read_bytes() == (whole / "density-wall" / file).read_bytes()


def test_only_the_last_line_can_be_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "points.jsonl"
    path.write_text('{"a": [{"x": 1}]}\n{"b": [{"x"')
    measured = MeasuredPoints(path)
    assert measured.rows == {"a": [{"x": 1}]}
    measured.add("c", [])
    assert [list(json.loads(line)) for line in path.read_text().splitlines()] == [["a"], ["c"]]
    path.write_text('{"a": [{"x": 1}]}')  # only the end of the line was lost
    MeasuredPoints(path).add("c", [])
    assert set(MeasuredPoints(path).rows) == {"a", "c"}
    for damaged in ("[1]", "5", '{"a": 5}', '{"a": [5]}'):
        path.write_text(damaged + '\n{"b": []}\n')
        with pytest.raises(BadRecords, match="line 1 of"):
            MeasuredPoints(path)
    path.write_text('{"a": [\n{"b": []}\n')
    with pytest.raises(BadRecords, match="line 1 of"):
        MeasuredPoints(path)


def test_processor_time_is_that_of_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [5.0]
    monkeypatch.setattr("time.process_time", lambda: clock[0])

    def work(seconds: float, *, result: str) -> str:
        clock[0] += seconds
        return result

    assert spent(work, 0.25, result="done") == ("done", 0.25)


def test_every_row_is_first_on_some_board(monkeypatch: pytest.MonkeyPatch) -> None:
    points = compared([player(agent, "5x5x4", "safe") for agent in ("basic", "careful", "best")], 7, 2)
    assert [(point["first"], point["games"]) for point in points] == [(0, 2), (2, 2), (4, 2), (6, 1)]
    played: list[str] = []

    def noted(agent: Agent, game: Game, limit: Limit) -> Result:
        played.append(game.id)
        return finish(agent, game, limit)

    monkeypatch.setattr(f"{MODULE}.play", lambda agent, *_, **__: played.append(f"{agent} warms up"))
    monkeypatch.setattr(f"{MODULE}.time.process_time", lambda: float(len(played)))
    monkeypatch.setattr(f"{MODULE}.finish", noted)
    _warm_up.cache_clear()
    found = [(row["agent"], board, result) for point in points for row, board, _, _, result in timed_games(point)]
    _warm_up.cache_clear()  # these were no games
    assert played[:3] == ["basic warms up", "careful warms up", "best warms up"]
    assert played[3:] == [f"5x5x4/safe#2026.{board}" if board else "5x5x4/safe#2026" for _, board, _ in found]
    assert [agent for agent, *_ in found] == 2 * [
        *("basic", "careful", "best"), *("careful", "best", "basic"), *("best", "basic", "careful"),
    ] + ["basic", "careful", "best"]  # fmt: skip
    assert all(result.seconds == 1 for *_, result in found)


def test_halfway() -> None:
    rows = [{"percent": x, "won": won, "games": 10} for x, won in ((10, 9), (12, 7), (14, 3))]
    assert halfway(rows, "won", falling=True) == pytest.approx(13)
    assert halfway(rows[:2], "won", falling=True) is None
    assert halfway(rows[::-1], "won", falling=False) == pytest.approx(13)
    assert mean([{"x": 1}, {"x": 3}], "x")[0] == 2
