"""Our random words against NumPy's Philox."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mineproof._native import mining
from support import strategies


@given(strategies.seeds, strategies.seeds, st.integers(0, 2))
def test_the_words_are_those_of_numpy(seed: int, index: int, purpose: int) -> None:
    theirs = np.random.Philox(key=[seed, index], counter=[0, 0, 0, purpose]).random_raw(50)
    assert mining.words(seed, index, purpose, 50) == theirs.tolist()
