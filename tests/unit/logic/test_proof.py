"""Every proof passes the checker, uses no clue in vain, and fails when anything in it is changed."""

from __future__ import annotations

import copy
import json
import random
from itertools import combinations
from typing import TYPE_CHECKING, Any

import pytest

from mineproof import InconsistentPosition, InvalidArgument, Limit, OutOfTime, Position, Proof, analyse, prove
from mineproof.logic import sat
from mineproof.logic.checker import find_fault
from support import awkward
from support.clocks import Ticking

if TYPE_CHECKING:
    from mineproof import Cell

WALL = Position.from_text("3x2x2\nHHH\n121")
LONG = Limit(seconds=60)


def certain(position: Position, rng: random.Random, most: int) -> list[Cell]:
    analysis = analyse(position)
    cells = sorted(analysis.safe | analysis.mined)
    rng.shuffle(cells)
    return cells[:most]


def proofs(seed: int, count: int, most: int = 2) -> list[Proof]:
    """Of cells on all kinds of positions, those among them where the number of mines decides."""
    rng = random.Random(seed)
    found: list[Proof] = []
    while len(found) < count:
        kind = rng.choice([awkward.small, awkward.small, awkward.middle, awkward.nearly_over])
        position = kind(rng) if kind is awkward.small else kind(rng, rng.choice(awkward.LEVELS))  # type: ignore[operator]
        for cell in certain(position, rng, most):
            proof = prove(position, cell, LONG)
            assert proof is not None
            assert proof.mine is (cell in analyse(position).mined)
            found.append(proof)
    return found


@pytest.mark.parametrize("seed", range(6))
def test_every_proof_passes_the_checker(seed: int) -> None:
    made = proofs(seed, 80)
    assert sum(proof.mine_count for proof in made) >= 2
    for proof in made:
        assert find_fault(proof.position, json.loads(proof.to_json())) is None, proof


def test_no_clue_is_used_in_vain() -> None:
    """The clues that are named prove the cell; without any one of them the others do not."""
    for proof in proofs(10, 60):
        others = set(proof.position.where("012345678")) - proof.because
        assert is_certain(without(proof.position, others), proof), proof
        for clue in proof.because:
            assert not is_certain(without(proof.position, {*others, clue}), proof), (proof, clue)


def test_no_fewer_clues_would_do() -> None:
    """Where the number of mines is not needed."""
    rng = random.Random(11)
    checked = 0
    while checked < 25:
        position = awkward.small(rng)
        clues = set(position.where("012345678"))
        for cell in certain(position, rng, 2) if len(clues) <= 9 else ():
            proof = prove(position, cell, LONG)
            assert proof is not None
            if len(proof.because) < 2 or proof.mine_count:
                continue
            checked += 1
            for fewer in combinations(sorted(clues), len(proof.because) - 1):
                assert not is_certain(without(position, clues.difference(fewer)), proof), (proof, fewer)


def without(position: Position, clues: set[Cell]) -> Position:
    """The same cells are safe, but their numbers are not known."""
    for clue in clues:
        position = position.with_symbol(clue, "S")
    return position


def is_certain(position: Position, proof: Proof) -> bool:
    found = sat.infer(position, LONG, mine_count=proof.mine_count)
    return proof.cell in found.safe | found.mined


def test_cells_that_can_be_either_have_no_proof() -> None:
    rng = random.Random(20)
    for _ in range(40):
        position = awkward.small(rng)
        analysis = analyse(position)
        if analysis.consistent:
            for cell in position.where("HFQ"):
                assert (prove(position, cell) is None) == (cell not in analysis.safe | analysis.mined), (position, cell)


def changed(fields: dict[str, Any], rng: random.Random) -> dict[str, Any]:
    """The same proof with something in it changed."""
    other = copy.deepcopy(fields)
    steps = other["steps"]
    step = rng.choice(steps)
    kind = rng.randrange(8)
    if kind == 0:
        steps.remove(step)
    elif kind == 1 and step["clause"]:
        step["clause"].remove(rng.choice(step["clause"]))
    elif kind == 2 and step["clause"]:
        i = rng.randrange(len(step["clause"]))
        step["clause"][i] = step["clause"][i].removeprefix("-") if "-" in step["clause"][i] else "-" + step["clause"][i]
    elif kind == 3:
        step["rule"] = rng.choice(["suppose", "given", "clue", "count", "resolve", "faith"])
    elif kind == 4 and "steps" in step:
        step["steps"][rng.randrange(2)] = rng.randint(-1, len(steps) + 1)
    elif kind == 5 and step.get("clues"):
        step["clues"][0] = rng.choice(["A1", "B2", "C3", ""])
    elif kind == 6:
        other["verdict"] = "mine" if other["verdict"] == "safe" else "safe"
    elif kind == 7:
        step["clause"].append(rng.choice(["A1", "-B2"]))
    return other


def test_a_changed_proof_fails_or_is_still_a_proof() -> None:
    """What the checker lets through is true of the position, whatever was done to the proof."""
    rng = random.Random(30)
    caught = tried = 0
    for proof in proofs(31, 60):
        fields = json.loads(proof.to_json())
        analysis = analyse(proof.position)
        for _ in range(20):
            other = changed(fields, rng)
            if other == fields:
                continue
            tried += 1
            if find_fault(proof.position, other) is None:
                cells = analysis.mined if other["verdict"] == "mine" else analysis.safe
                assert proof.cell in cells
            else:
                caught += 1
    assert caught > 0.97 * tried


def test_the_same_proof_fails_for_another_position() -> None:
    proof = prove(WALL, "B1")
    assert proof is not None
    assert find_fault(Position.from_text("3x2x1\nHHH\n111"), proof.fields()) is not None
    assert find_fault(Position.from_text("3x2x2\nHHH\nH21"), proof.fields()) is not None


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"steps": []}, "cannot be read"),
        ({"steps": None}, "cannot be read"),
        ({"cell": [0]}, "cannot be read"),
        ({"cell": [0, 1, 9]}, "cannot be read"),
        ({"cell": [7, 7]}, "cannot be read"),
        ({"because": [[1, 0]]}, "not those used"),
        ({"mine_count": True}, "not those used"),
        ({"verdict": "Mine"}, "cannot be read"),
        ({"verdict": "mine"}, "does not follow by suppose"),
    ],
)
def test_the_checker_says_what_is_wrong(change: dict[str, Any], fault: str) -> None:
    proof = prove(WALL, "B1")
    assert proof is not None
    found = find_fault(WALL, {**proof.fields(), **change})
    assert found is not None
    assert fault in found


def test_what_a_step_does_not_use_is_no_reason() -> None:
    proof = prove(WALL, "B1")
    assert proof is not None
    fields = proof.fields()
    fields["steps"][0]["clues"] = ["A1"]
    fields["because"].insert(0, [0, 0])
    assert find_fault(WALL, fields) == "the named clues and mine count are not those used"
    fields = proof.fields()
    for steps in ([0, -3, 6, 1], [6, 7], [7, 7], [-1, 1], [6, 0]):
        fields["steps"][-1]["steps"] = steps
        assert find_fault(WALL, fields) is not None


def test_a_proof_that_stops_early_is_none() -> None:
    proof = prove(WALL, "B1")
    assert proof is not None
    fields = proof.fields()
    fields["steps"].pop()
    assert find_fault(WALL, fields) == "the last step is not the empty clause"


def test_a_counting_step_that_does_not_count_is_found() -> None:
    position = Position.from_text("5x2x1\n11HHH\n1HHHH")
    proof = prove(position, "E1")
    assert proof is not None
    assert proof.mine_count
    assert find_fault(position, proof.fields()) is None
    two_mines = Position(position.grid, 2, position.cells)
    assert find_fault(two_mines, proof.fields()) == "step 2 does not follow by count"


def test_the_mine_count_over_hundreds_of_cells() -> None:
    """One mine, seen by a clue: all other cells are safe, and the proof does not write that in clauses."""
    position = Position.from_text("30x16x1\n1" + "H" * 29 + "\n1" + "H" * 29 + ("\n" + "H" * 30) * 14)
    proof = prove(position, "AD16")
    assert proof is not None
    assert len(proof.steps) < 10
    assert proof.find_fault() is None


def test_what_the_game_named_is_proved_by_its_word() -> None:
    proof = prove(Position.from_text("3x1x1\n1HS"), "C1")
    assert proof is not None
    assert proof.find_fault() is None
    assert str(proof).startswith("C1 is safe, named by the game.")


def test_bad_questions() -> None:
    with pytest.raises(InvalidArgument, match="B2 is open: there is nothing to prove"):
        prove(WALL, "B2")
    with pytest.raises(InvalidArgument, match="D1 is outside"):
        prove(WALL, "D1")
    with pytest.raises(InconsistentPosition, match="the clues A1, C1 cannot both be right"):
        prove(Position.from_text("5x1x1\n1H0H1"), "B1")
    with pytest.raises(OutOfTime):
        prove(awkward.sparse(40), "B1", Limit(seconds=1e-6))


def test_a_lattice_is_not_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its mines are too many to add up. Where some board holds them with a mine in the cell, and another without, that
    is not needed; else the time is used, and it is time that was missing."""
    lattice = awkward.lattice(40)
    assert prove(lattice, "A1", LONG) is None
    clock = Ticking(monkeypatch)
    with pytest.raises(OutOfTime, match="it is not known whether A1 is certain: the limit was reached"):
        prove(Position(lattice.grid, 242, lattice.cells), "A1", Limit(seconds=1000))
    assert clock.looks >= 1000


def test_it_says_what_was_missing() -> None:
    with pytest.raises(OutOfTime, match="it is not known whether A1 is certain: the clues take more memory than"):
        prove(awkward.lattice(40), "A1", Limit(seconds=60, memory=10_000))
