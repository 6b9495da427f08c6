"""What all methods share: bad input, limits, what the game names; and the parameters of the reports."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from mineproof import METHODS, InconsistentPosition, InvalidArgument, Limit, MissingExtra, Position, UnknownName, prove
from mineproof.logic import asp, chaining, csp, matching, normal_form, resolution, subset
from mineproof.logic.methods import find_method
from support import awkward

NAMES = list(METHODS)
WALL = Position.from_text("3x2x2\nHHH\n121")


@pytest.mark.parametrize("name", NAMES)
def test_a_clue_that_cannot_be_right_is_named(name: str) -> None:
    with pytest.raises(InconsistentPosition, match=r"^the clue A1 cannot be right$"):
        METHODS[name].infer(Position.from_text("2x1x1\n2H"))


@pytest.mark.parametrize("name", [name for name, method in METHODS.items() if method.complete])
def test_a_wrong_number_of_mines_is_named(name: str) -> None:
    with pytest.raises(InconsistentPosition, match="not with this number of mines"):
        METHODS[name].infer(Position.from_text("4x1x3\n1HHS"))


@pytest.mark.parametrize("name", NAMES)
def test_cells_that_the_game_names_are_told(name: str) -> None:
    found = METHODS[name].infer(Position.from_text("4x1x1\n1HSH"))
    assert "C1 is safe, named by the game" in map(str, found)
    assert Position.from_text("1x1x0\nS").grid.at("A1") in METHODS[name].infer(Position.from_text("1x1x0\nS")).safe


@pytest.mark.parametrize("name", NAMES)
def test_shown_mines_are_knowledge_and_flags_are_not(name: str) -> None:
    assert {str(c) for c in METHODS[name].infer(Position.from_text("4x1x2\n*2HH")).mined} >= {"C1"}
    assert not METHODS[name].infer(Position.from_text("4x2x2\n1FHH\n1HHH"))


@pytest.mark.parametrize("name", NAMES)
def test_a_limit_ends_every_method(name: str) -> None:
    """Out of time, a method has what single clues prove, or less, and the complete ones say that there may be more."""
    position = awkward.sparse(40)
    found = METHODS[name].infer(position, Limit(seconds=1e-6))
    assert not found.complete
    by_single = METHODS["single"].infer(position)
    assert found.safe <= by_single.safe
    assert found.mined <= by_single.mined
    assert by_single.safe < METHODS["sat"].infer(position, mine_count=False).safe


@pytest.mark.parametrize("name", NAMES)
def test_boards_of_one_cell(name: str) -> None:
    for mines, safe, mined in ((0, 1, 0), (1, 0, 1)):
        found = METHODS[name].infer(Position.from_text(f"1x1x{mines}\nH"))
        assert found.complete is METHODS[name].complete
        if found.complete:
            assert (len(found.safe), len(found.mined)) == (safe, mined)
        else:
            assert found == []


@pytest.mark.parametrize(
    ("name", "module", "library"), [("csp", "ortools.sat.python.cp_model", "OR-tools"), ("asp", "clingo", "clingo")]
)
def test_a_missing_extra_is_one_sentence(name: str, module: str, library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(
        MissingExtra, match=rf"^the {name} method needs {library}; .* pip install 'mineproof\[logic\]'$"
    ):
        METHODS[name].infer(WALL)


def test_an_unknown_method_suggests_the_closest() -> None:
    with pytest.raises(UnknownName, match="did you mean 'chaining'"):
        find_method("chainin")


def test_limits_of_the_reports_are_the_defaults() -> None:
    assert normal_form.UNKNOWNS == 3
    assert (chaining.CLAUSES, chaining.EVERY) == (300, 5)
    assert resolution.CLAUSES > chaining.CLAUSES
    assert matching.LITERALS == 2


def test_the_limit_of_unknowns() -> None:
    """Both clues see more than three unknown cells."""
    position = Position.from_text("4x2x3\nHHHH\nH13H")
    wide = normal_form.infer(position, unknowns=8)
    assert {str(cell) for cell in wide.safe} >= {"A1", "A2"}
    assert not normal_form.infer(position)
    assert subset.infer(position).safe == wide.safe


def test_the_limit_of_clauses() -> None:
    position = Position.from_text("3x2x2\nHHH\n121")
    assert chaining.infer(position).safe
    assert not chaining.infer(position, clauses=4)
    assert resolution.infer(position).safe
    assert not resolution.infer(position, clauses=5)


def test_the_limit_of_literals() -> None:
    """Where clauses have three literals and more, two are not enough."""
    position = Position.from_text("4x3x2\nSHHH\nS22S\nSHHS")
    assert matching.infer(position, literals=None).safe > matching.infer(position).safe


def test_areas_grow_until_they_hold_the_reason() -> None:
    """Clues four cells apart, with a centre that sees only one of them at first."""
    position = Position.from_text("8x2x4\nHHHHHHHH\n1221S121")
    assert prove(position, "B1") is not None
    found = chaining.infer(position, reach=0, subsumption=True)
    assert found.safe == METHODS["sat"].infer(position, mine_count=False).safe


def test_matching_can_be_told_more() -> None:
    base = matching.KnowledgeBase(keep_parents=True)
    base.tell([1, 2, 3], 1, frozenset({7}))
    assert list(base.proved()) == []
    base.tell([1, 2], 1, frozenset({8}))
    assert list(base.proved()) == [(-3, frozenset({7, 8}))]
    assert base.facts == {-3: frozenset({7, 8})}
    assert base.rounds == 4
    # A clause that a fact makes true is not kept, and one that says less than another neither.
    before = dict(base.clauses)
    base.insert(frozenset({-3, 5}), frozenset({9}))
    base.insert(frozenset({1, 2, 6}), frozenset({9}))
    assert base.clauses == before


def test_answer_sets_are_not_grounded_again() -> None:
    """Telling one more clue grounds the rules of that clue, and nothing else."""
    position = awkward.sparse(20)
    base = asp.AnswerSets(position.grid, position.mines)
    clues = list(position.where("012345678"))
    for clue in clues[:-1]:
        base.tell(clue, int(position[clue]))
    assert base.ask() is not None
    before = base.rules
    base.tell(clues[-1], int(position[clues[-1]]))
    found = base.ask()
    assert found is not None
    assert before < base.rules < before + 20
    again = asp.infer(position)
    assert {tuple(cell) for cell in again.mined} == found.cautious
    assert {tuple(cell) for cell in again.safe} == {tuple(cell) for cell in position.where("H")} - found.brave


def test_csp_reads_the_rest_of_the_board_as_one_number() -> None:
    found = csp.infer(Position.from_text("6x2x1\n1HHHHH\n1HHHHH"))
    assert len(found.safe) == 8
    assert not csp.infer(Position.from_text("6x2x1\n1HHHHH\n1HHHHH"), mine_count=False)


@pytest.mark.parametrize(
    ("name", "option"),
    [
        ("normal-form", {"unknowns": 0}),
        ("chaining", {"clauses": 0}),
        ("chaining", {"every": 0}),
        ("chaining", {"reach": -1}),
        ("resolution", {"clauses": 1.5}),
        ("matching", {"literals": 0}),
    ],
)
def test_bad_options_are_one_sentence(name: str, option: dict[str, Any]) -> None:
    with pytest.raises(InvalidArgument, match=f"^{next(iter(option))} must be"):
        METHODS[name].infer(WALL, **option)
    with pytest.raises(InvalidArgument, match="a limit must be a Limit"):
        METHODS[name].infer(WALL, 5)  # type: ignore[arg-type]


def test_answer_sets_are_told_only_what_can_be() -> None:
    base = asp.AnswerSets(WALL.grid, 2)
    for cell, number in (((0, 3), 1), ("A1", 9), ("A1", -1)):
        with pytest.raises(InvalidArgument):
            base.tell(cell, number)
    with pytest.raises(InvalidArgument, match="from 0 to 6 mines"):
        asp.AnswerSets(WALL.grid, 7)
    base.tell("A2", 3)
    assert base.ask() is None
