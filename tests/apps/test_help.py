"""Help fits 80 columns, tells of every command in full, and suggests what was meant."""

from __future__ import annotations

import os

import pytest

from mineproof.apps.cli import COMMANDS, GROUPS
from support.processes import said
from support.terminal import Terminal

NARROW = {**os.environ, "COLUMNS": "80"}


@pytest.mark.parametrize(
    "args", [(), *((name,) for name in COMMANDS), ("arena", "compare"), ("arena", "luck"), ("arena", "plot")], ids=str
)
def test_help_fits_80_columns_and_cuts_nothing_off(args: tuple[str, ...]) -> None:
    status, text, complaint = said(*args, "--help", env=NARROW)
    assert (status, complaint) == (0, "")
    assert max(map(len, text.splitlines())) <= 80
    assert "..." not in text.replace("[ARGS]...", "").replace("[NAME]...", "")


def test_commands_are_listed_in_groups_one_line_each() -> None:
    lines = said("--help", env=NARROW)[1].splitlines()
    for title, names in GROUPS.items():
        place = lines.index(f"{title}:")
        listed = lines[place + 1 : place + 1 + len(names)]
        assert [line.split()[0] for line in listed] == list(names)
        assert all(line.endswith(".") and len(line.split()) > 2 for line in listed)


def test_help_can_be_asked_for_as_a_command() -> None:
    assert said("help") == said("--help")
    assert said("help", "arena", "compare") == said("arena", "compare", "--help")


@pytest.mark.parametrize("command", ["agents", "experiment"])
def test_lists_fit_80_columns(command: str) -> None:
    assert max(map(len, said(command, env=NARROW)[1].splitlines())) <= 80


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("anlyse",), "there is no command 'anlyse'; did you mean 'analyse'?"),
        (("arena", "comprae", "run"), "there is no command 'comprae'; did you mean 'compare'?"),
        (("play", "beginner"), "Got unexpected extra argument (beginner); did you mean --level beginner?"),
        (("watch", "9x9x10"), "Got unexpected extra argument (9x9x10); did you mean --level 9x9x10?"),
        (
            ("play", "expert/safe#42"),
            "Got unexpected extra argument (expert/safe#42); did you mean --id expert/safe#42?",
        ),
        (("deduce", "-", "--method", "sat:foo"), "sat has no option 'foo'; it has encoding, mine-count"),
    ],
    ids=str,
)
def test_what_is_mistyped_gets_a_suggestion(args: tuple[str, ...], sentence: str) -> None:
    assert said(*args) == (2, "", f"mineproof: {sentence}\n")


def test_a_mistyped_option_gets_a_suggestion() -> None:
    status, _, complaint = said("watch", "--qestions")
    assert status == 2
    assert "'--questions'" in complaint
    assert complaint.count("\n") == 1


@pytest.mark.parametrize(
    ("args", "end"),
    [
        ("generate --no-guess --size 5x4 --mines 3 --seed 1 --solution", r"1 of level 6\."),
        ("play --plain --id 4x3x1/any=200", "> "),
    ],
)
def test_text_fits_the_terminal(args: str, end: str) -> None:
    with Terminal(*args.split()) as terminal:
        text = terminal.expect(f"(?s).*{end}")[0]
    assert max(map(len, text.splitlines())) <= 80
