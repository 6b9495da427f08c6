"""A minute of ``make soak``; and that it finds what is wrong."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from mineproof import CellSet, Chance, Conflict, Position, analyse, find_conflict, hint, prove, why
from support import kinds, soak
from support.campaign import Campaign, Report

if TYPE_CHECKING:
    from collections.abc import Callable

SEED, EACH = 1, 40
PROGRAM = [sys.executable, str(Path(__file__).parents[2] / "benchmarks" / "soak.py")]
WALL = Position.from_text("3x2x2\nHHH\n121")
GUESS = Position.from_text("3x1x1\nHHH")


@pytest.mark.parametrize("part", range(2))
@pytest.mark.parametrize("kind", kinds.KINDS)
def test_the_referee_agrees(kind: str, part: int) -> None:
    """Positions of each kind; a wrong answer names the position and how to ask again."""
    first = list(kinds.KINDS).index(kind)
    for turn in range(part, EACH, 2):
        number = first + turn * len(kinds.KINDS)
        report = soak.examine(SEED, number)
        assert not report.faults, f"SEED={SEED} ONLY={number}: {report.position}"
        assert report.counts["checks"]


def test_a_number_is_the_same_position_in_every_run() -> None:
    for number in range(2 * len(kinds.KINDS)):
        assert kinds.start(3, number)[:2] == kinds.start(3, number)[:2]


def altered(ask: Callable[..., Any], **changes: Any) -> Callable[..., Any]:
    """The same question with a wrong answer."""
    return lambda *given, **options: replace(ask(*given, **options), **changes)


def wrong_risk(position: Position, *given: Any, **options: Any) -> object:
    analysis = analyse(position, *given, **options)
    return replace(analysis, probabilities=np.where(analysis.probabilities > 0.5, 1.0, analysis.probabilities * 0.999))


def wrong_step(position: Position, *given: Any) -> object:
    found = why(position, *given)
    return (
        replace(found, steps=(replace(found.steps[0], mine=not found.steps[0].mine), *found.steps[1:]))
        if found.steps
        else found
    )


@pytest.mark.parametrize(
    ("position", "name", "answer", "fault"),
    [
        (GUESS, "analyse", wrong_risk, "analyse: risk of A1"),
        (WALL, "analyse", altered(analyse, marks=bytes(6)), "analyse: safe"),
        (WALL, "why", altered(why, mine=False), "why A1"),
        (WALL, "why", wrong_step, "step 1 does not settle"),
        (WALL, "why", altered(why, because=(WALL.grid.at("A2"),)), "does not follow from A2"),
        (WALL, "why", altered(why, because=tuple(WALL.where("12"))), "follows from fewer clues"),
        (WALL, "why", altered(why, mine_count=True), "without the number of mines"),
        (WALL, "hint", altered(hint, cell=WALL.grid.at("A1")), "hint: A1 is not safe"),
        (WALL, "prove", altered(prove, because=CellSet(WALL.where("1"))), "does not follow from A2, C2"),
        (WALL, "prove", lambda *_: None, "nothing"),
        (GUESS, "hint", altered(hint, cell=None), "hint: None is no guess"),
        (GUESS, "winning_chance", lambda *_, **__: Chance(0.5), "winning_chance: 0.5, but it is 2/3"),
        (GUESS, "why", lambda *_: 1 / 0, "ZeroDivisionError"),
        (WALL, "find_conflict", lambda *_: Conflict(CellSet(), mine_count=True), "analyse: conflict"),
        (Position.from_text("5x1x1\n1H0H1"), "find_conflict", lambda *_: None, "find_conflict: None"),
        (
            Position.from_text("5x1x1\n1H0H1"),
            "find_conflict",
            altered(find_conflict, clues=CellSet.parse("A1 C1 E1")),
            "A1 is not needed",
        ),
    ],
)
def test_a_wrong_answer_is_found(
    monkeypatch: pytest.MonkeyPatch, position: Position, name: str, answer: Callable[..., Any], fault: str
) -> None:
    examine = partial(soak.Examination, position)
    assert not examine(random.Random(1)).report("").faults
    monkeypatch.setattr(soak, name, answer)
    assert any(fault in found for found in examine(random.Random(1)).report("").faults)


def test_a_wrong_answer_is_printed_with_its_position(capsys: pytest.CaptureFixture[str]) -> None:
    campaign = Campaign(kinds.start, soak.examine, 7, iter([]))
    campaign.add(5, Report("row", repr(WALL), {"checks": 3}, ["analyse: risk of A1: 0.5, but it is 1"], 0.5))
    campaign.add(6, Report("torn", repr(GUESS), {"checks": 4}, [], 0.5))
    said = capsys.readouterr().out
    assert repr(WALL) in said
    assert "analyse: risk of A1: 0.5, but it is 1" in said
    assert "SEED=7 ONLY=5" in said
    assert [line.split() for line in campaign.table().splitlines()] == [
        ["kind", "positions", "checks", "wrong", "per", "second"],
        ["row", "1", "3", "1", "2.0"],
        ["torn", "1", "4", "0", "2.0"],
        ["all", "2", "7", "1", "2.0"],
    ]


def test_a_process_that_dies_is_a_wrong_answer(capfd: pytest.CaptureFixture[str]) -> None:
    died: Any = os._exit  # which takes no two arguments
    assert Campaign(kinds.start, died, 1, iter(range(2))).run(1) == 1
    said = capfd.readouterr().out
    assert repr(kinds.start(1, 1)[1]) in said
    assert said.count("the process ended with status 1") == 2


def test_the_program() -> None:
    found = subprocess.run([*PROGRAM, "--seed=1", "--only=4"], capture_output=True, text=True, check=True)
    assert found.stdout.startswith("seed 1\n")
    assert found.stdout.splitlines()[-1].split()[:2] == ["all", "1"]


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is no signal there")
def test_ctrl_c_ends_it_with_the_table() -> None:
    with subprocess.Popen([*PROGRAM, "--seed=1"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "seed 1\n"
        program.send_signal(signal.SIGINT)
        table, trouble = program.communicate()
    assert program.returncode == 0
    assert table.splitlines()[-1].startswith("all")
    assert not trouble
