"""Resolution of all pairs against a naive closure of sets."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

from mineproof import Limit, Position
from mineproof.logic.chaining import Area, saturate
from mineproof.logic.clauses import Clause, exactly, resolve
from mineproof.logic.reasoning import Reasoning, noted

MOST = 150


def closure(clauses: set[Clause]) -> set[Clause] | None:
    """All that follows from all pairs; None if there are too many."""
    known = set(clauses)
    while True:
        new = {found for one, other in combinations(known, 2) if (found := resolve(one, other)) is not None} - known
        known |= new
        if len(known) > MOST:
            return None
        if not new:
            return known


def read(position: Position) -> Reasoning:
    with noted() as reasonings, Reasoning(position, "chaining", Limit()) as reasoning:
        reasoning.settle()
    assert reasonings == [reasoning]
    return reasoning


def wall(rng: random.Random) -> Position:
    """Some clues in a row under a wall of closed cells; others are closed, too."""
    cols = rng.randrange(3, 7)
    mines = [rng.random() < 0.4 for _ in range(cols)]
    clues = [str(sum(mines[max(0, col - 1) : col + 2])) if rng.random() < 0.7 else "S" for col in range(cols)]
    return Position.from_text(f"{cols}x2x{sum(mines)}\n{'H' * cols}\n{''.join(clues)}")


def compare(rng: random.Random) -> str:
    """With a supposed literal or without one, the clauses are those of the closure; the empty clause ends it. A set of
    support finds the empty clause for the same literals, if the clues agree. Return what kind of case it was."""
    reasoning = read(wall(rng))
    cells = sorted({cell for constraint in reasoning.open for cell in constraint.cells})
    said = {frozenset(c) for one in reasoning.open for c in exactly(one.mines, [cell + 1 for cell in one.cells])}
    plain = closure(said)
    supposed = rng.choice([None, *(sign * (cell + 1) for cell in cells for sign in (1, -1))])
    expected = closure(said | ({frozenset((supposed,))} if supposed else set()))
    if not cells or plain is None or expected is None:
        return "nothing to compare"
    found = saturate(reasoning, reasoning.open, None, False, supposed=supposed)
    assert (found.contradiction is not None) is (frozenset() in expected)
    if found.contradiction is None:
        (area,) = (note for note in reasoning.notes or () if isinstance(note, Area))
        assert {frozenset(literals) for literals, _ in area.clauses} == expected
        assert set(found.units) == {literal for clause in expected if len(clause) == 1 for literal in clause}
        assert found.exhausted
        assert area.size == len(expected)
    if supposed is not None and frozenset() not in plain:
        supported = saturate(reasoning, reasoning.open, None, False, supposed=supposed, set_of_support=True)
        assert (supported.contradiction is None) is (found.contradiction is None)
    return "nothing supposed" if supposed is None else "refuted" if found.contradiction is not None else "possible"


def test_all_pairs_are_resolved() -> None:
    kinds = Counter(compare(random.Random(seed)) for seed in range(600))
    assert min(kinds[kind] for kind in ("nothing supposed", "refuted", "possible")) >= 10, kinds


def test_the_closure_is_of_more_than_one_clue() -> None:
    """The examples above are not all trivial."""
    reasoning = read(Position.from_text("4x2x2\nHHHH\n1211"))
    said = {frozenset(c) for one in reasoning.open for c in exactly(one.mines, [cell + 1 for cell in one.cells])}
    found = closure(said)
    assert found is not None
    assert len(found) > len(said) > 8
