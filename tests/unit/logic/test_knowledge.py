"""What agents have written down: bounded in time and size, and their own."""

from __future__ import annotations

import pytest

from mineproof import AGENTS, Limit, Position
from mineproof.agents.reasoner import Reasoner
from mineproof.agents.registry import find_agent
from mineproof.logic.knowledge import MOST, Json, in_full, in_short, written
from mineproof.logic.reasoning import Reasoning, noted

TEN = Position.from_text("5x4x6\n1HHHH\n1HH2H\nH2H2H\nH2HH1")


def concluded(name: str, position: Position) -> tuple[list[Reasoning], Json]:
    agent = find_agent(name).make()
    assert isinstance(agent, Reasoner)
    with noted() as reasonings:
        agent.conclude(position)
    return reasonings, written(reasonings, Limit())


def test_a_mine_count_over_many_cells_is_counted_not_written() -> None:
    """Its clauses are 24 over 13: five million."""
    position = Position.from_text(f"24x1x12\n{'H' * 24}")
    reasonings, found = concluded("sat:mine-count=24", position)
    assert len(found["clauses"]) == MOST
    assert (found["cut"], found["mine_count"]) == (True, True)
    assert found["encodings"] == {"direct": 2 * 2_496_144, "multiplied_out": None}
    assert in_short(reasonings) == "4,992,288 clauses about 24 cells"


def test_knowledge_has_the_options_of_its_agent() -> None:
    wide = Position.from_text("5x3x5\nHHHHH\nHHHHH\nH1H3H")
    assert concluded("normal-form", wide)[1]["forms"] == []
    assert [form["clue"] for form in concluded("normal-form:unknowns=8", wide)[1]["forms"]] == [[2, 1], [2, 3]]
    few, many = (concluded(f"chaining:clauses={most}", TEN)[1] for most in (40, 300))
    sizes = [[sum(area["count"].values()) for area in found["areas"]] for found in (few, many)]
    assert max(sizes[0]) <= 41 < max(sizes[1]) <= 301
    _, endless = concluded(
        "chaining:clauses=unlimited,resolution-clauses=40", Position.from_text("3x3x3\nHHH\nH33\nHHH")
    )
    assert max(len(area["clauses"]) for area in endless["areas"]) <= MOST


@pytest.mark.parametrize("name", [name for name, spec in AGENTS.items() if spec.looks_ahead is None and spec.options])
def test_every_agent_of_a_report_says_how_much_it_has_written(name: str) -> None:
    reasonings, found = concluded(name, TEN)
    assert in_short(reasonings)
    assert list(in_full(reasonings, Limit())) or name == "asp"
    assert found["cut"] is (name == "chaining")


def test_nothing_is_noted_unless_somebody_reads_it() -> None:
    with Reasoning(TEN, "example", Limit()) as reasoning:
        reasoning.note("unread")
    assert reasoning.notes is None
