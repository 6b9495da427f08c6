"""The boards of the lessons are what the lessons say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import mineproof.apps.web
from mineproof import Position, analyse, hint
from support.walls import keeps_promise

LESSONS = json.loads((Path(mineproof.apps.web.__file__).parent / "static" / "lessons.json").read_text())


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: str(lesson["name"]))
def test_every_board_needs_a_step_of_the_lesson_and_no_easier_one_helps(lesson: dict[str, Any]) -> None:
    name = lesson["name"]
    assert len(set(lesson["boards"])) == len(lesson["boards"]) == 4
    for text in lesson["boards"]:
        position = Position.from_text(text)
        assert analyse(position).safe, text
        found = hint(position)
        assert found.explanation is not None
        assert found.explanation.level == lesson["level"], text
        if name in ("1-1", "1-2"):
            assert found.explanation.technique == name, text
        if name in ("1-2-1", "1-2-2-1"):
            assert keeps_promise(position, name), text
        if lesson["level"] < 6:
            assert not found.explanation.mine_count, text


def test_lessons_go_from_easy_to_hard() -> None:
    levels = [lesson["level"] for lesson in LESSONS]
    assert levels == sorted(levels)
    assert set(levels) == {1, 2, 3, 4, 5, 6}
