"""What somebody asks for becomes a plan: with what is usual, or with what a run in a folder has."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mineproof import BadRecords, InvalidArgument, Layout, Level, Limit, Rules
from mineproof.arena.boards import Boards
from mineproof.arena.records import Records
from mineproof.arena.request import Request
from mineproof.arena.tournament import MOST_GAMES, Plan

if TYPE_CHECKING:
    from pathlib import Path

BEGINNER = (Level.parse("beginner"),)
LAYOUTS = [Layout.draw("beginner", "safe", "A1", seed=3, index=index) for index in range(5)]


def test_what_was_not_said_is_as_usual() -> None:
    assert Request().plan() == Plan(("best",), (Level.parse("expert"),), Rules("safe"), 1000, 0)
    said = Request(("sat",), BEGINNER, None, 7, 3, "any", True, False, True, False, 2.5)
    assert said.plan() == Plan(("sat",), BEGINNER, Rules("any", True, False, True), 7, 3, None, Limit(2.5))
    assert Request(boards=Boards.of(LAYOUTS)).plan().games == 5
    assert Request(boards=Boards.of(LAYOUTS), games=2).plan().boards == Boards.of(LAYOUTS[:2])
    with pytest.raises(InvalidArgument, match="1 to 100,000,000,000"):
        Request(games=MOST_GAMES + 1).plan()


def test_what_was_not_said_is_as_it_was(tmp_path: Path) -> None:
    begun = Plan(("sat",), BEGINNER, Rules("opening", continues=True, flood=False), 7, 3, None, Limit(2.5))
    Records(tmp_path, begun).close()
    assert Request().resumed(tmp_path) == begun
    assert Request(agents=("sat",), games=7, seed=3, seconds=2.5).resumed(tmp_path) == begun
    said = Request(seed=4, first_click="safe").resumed(tmp_path)
    assert (said.seed, str(said.rules)) == (4, "safe+continue+no-flood")
    with pytest.raises(BadRecords, match="holds another run: rules there: 'opening"):
        Records(tmp_path, said, resume=True)


def test_boards_have_to_be_given_again(tmp_path: Path) -> None:
    begun = Request(boards=Boards.of(LAYOUTS), games=3).plan()
    Records(tmp_path, begun).close()
    assert Request(boards=Boards.of(LAYOUTS)).resumed(tmp_path) == begun
    with pytest.raises(BadRecords, match="give the same --boards again"):
        Request().resumed(tmp_path)


def test_programs_that_nobody_has_named_are_told(tmp_path: Path) -> None:
    begun = Request(agents=("best", "command:ls -l", "command:cat")).plan()
    Records(tmp_path, begun).close()
    for agents, unnamed in ((None, ["ls -l", "cat"]), (begun.agents, []), (("best", "command:cat"), [])):
        request = Request(agents=agents)
        assert request.unnamed_programs(request.resumed(tmp_path)) == unnamed
    assert Request(agents=("best",)).unnamed_programs(begun) == ["ls -l", "cat"]
