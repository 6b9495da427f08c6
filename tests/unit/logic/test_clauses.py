"""Both encodings say the same, at the price that the reports name."""

from itertools import product

import pytest

from mineproof.logic.clauses import exactly, multiplied_out, resolve


@pytest.mark.parametrize("size", range(1, 6))
def test_both_encodings_have_the_same_models(size: int) -> None:
    for mines in range(size + 1):
        for values in product((False, True), repeat=size):
            true = {v if value else -v for v, value in enumerate(values, start=1)}
            wanted = sum(values) == mines
            assert all(true & set(clause) for clause in exactly(mines, range(1, size + 1))) is wanted
            assert all(true.intersection(clause) for clause in multiplied_out(mines, size)) is wanted


def test_the_example_of_the_chaining_report() -> None:
    """Three unknown cells and two mines: three clauses of two positive literals, and one of three negative ones."""
    clauses = list(exactly(2, [1, 2, 3]))
    assert sorted(clauses) == [[-1, -2, -3], [1, 2], [1, 3], [2, 3]]


def test_the_counts_of_the_sat_report() -> None:
    """5,282 clauses for one of eight when the disjunction is multiplied out, against 29."""
    assert len(multiplied_out(1, 8)) == 5282
    assert len(list(exactly(1, range(1, 9)))) == 29
    for size in range(1, 8):
        assert len(multiplied_out(1, size)) == 3**size - 2**size - size * 2 ** (size - 1) + 1


def test_too_many_mines_is_the_empty_clause() -> None:
    assert list(exactly(3, [1, 2])) == [[]]
    assert list(exactly(-1, [1, 2])) == [[]]


def test_clauses_resolve_on_exactly_one_variable() -> None:
    assert resolve(frozenset({1, 2}), frozenset({-1, -2})) is None
    assert resolve(frozenset({1, 2}), frozenset({2, 3})) is None
    assert resolve(frozenset({1}), frozenset({-1})) == frozenset()
