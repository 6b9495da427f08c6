"""The compiled environment agrees with single ones, step by step, in everything that it returns."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import TimeLimit
from hypothesis import given
from hypothesis import strategies as st

from mineproof import InvalidArgument, Layout, Level, UnknownName
from mineproof._native.batch import Batch
from mineproof.apps.gym import Minesweeper, MinesweeperVector
from support import strategies

MODES = list(AutoresetMode)


def singles(count: int, level: Level | str, rules: str, most: int, mode: AutoresetMode, **more: Any) -> SyncVectorEnv:
    """Single environments, by Gymnasium's own loop."""
    made = [lambda: TimeLimit(Minesweeper(level, rules, **more), most)] * count
    return SyncVectorEnv(made, autoreset_mode=mode)


def same(one: Any, other: Any) -> None:
    """Equal values of equal types, deep inside."""
    if isinstance(one, dict):
        assert one.keys() == other.keys()
        for key in one:
            same(one[key], other[key])
    elif isinstance(one, tuple) or (isinstance(one, np.ndarray) and one.dtype == object):
        for a, b in zip(one, other, strict=True):
            same(a, b)
    elif isinstance(one, np.ndarray):
        assert one.dtype == other.dtype
        assert np.array_equal(one, other)
    else:
        assert one == other


@st.composite
def settings(draw: st.DrawFn) -> tuple[Level, str]:
    grid = draw(strategies.grids)
    first = draw(st.sampled_from(["any", "safe", "opening"]))
    free = min(3, grid.rows) * min(3, grid.cols) if first == "opening" else 1
    level = Level(grid.rows, grid.cols, draw(st.integers(0, len(grid) - free)))
    return level, first + draw(st.sampled_from(["", "+no-flood"]))


@given(settings(), st.integers(1, 4), st.integers(1, 12), st.sampled_from(MODES), st.integers(0, 2**40), st.data())
def test_the_same_as_single_environments(
    setting: tuple[Level, str], count: int, most: int, mode: AutoresetMode, seed: int, data: st.DataObject
) -> None:
    level, rules = setting
    slow = singles(count, level, rules, most, mode)
    fast = MinesweeperVector(count, level, rules, max_episode_steps=most, autoreset_mode=mode)
    assert fast.metadata["autoreset_mode"] is mode
    assert (fast.observation_space, fast.action_space) == (slow.observation_space, slow.action_space)
    same(slow.reset(seed=seed), fast.reset(seed=seed))
    for _ in range(data.draw(st.integers(1, 25))):
        drawn = data.draw(st.lists(st.integers(0, level.rows * level.cols - 1), min_size=count, max_size=count))
        expected = slow.step(np.array(drawn))
        found = fast.step(np.array(drawn))
        for one, other in zip(expected, found, strict=True):
            same(one, other)
        assert found[0] in fast.observation_space
        over = found[2] | found[3]
        if mode is AutoresetMode.DISABLED and over.any():
            with pytest.raises(ResetNeeded):
                fast.step(np.array(drawn))
            again = slow.reset(options={"reset_mask": over.copy()})
            same(again, fast.reset(options={"reset_mask": over.copy()}))


def test_many_games_by_the_same_generators() -> None:
    """More games than seeds are drawn at once, and seeds that are given again."""
    slow, fast = singles(3, "3x3x6", "any", 9, AutoresetMode.NEXT_STEP), MinesweeperVector(3, "3x3x6", "any")
    generator = np.random.default_rng(1)
    ended = 0
    for seed in ([5, 6, 5], [None, 8, None], None):
        same(slow.reset(seed=seed), fast.reset(seed=seed))  # type: ignore[arg-type]
        for _ in range(400):
            actions = generator.integers(9, size=3)
            expected = slow.step(actions)
            same(expected, fast.step(actions))
            ended += int(expected[2].sum())
        if seed is None:
            break
        assert fast.np_random_seed == slow.np_random_seed
    assert ended > 3 * 2 * 64


def test_seeds_after_some_are_drawn_ahead_are_those_of_the_new_generator() -> None:
    fast = MinesweeperVector(2, "5x4x6", "any")
    fast.reset(seed=3)
    fast.step(np.array([0, 1]))
    fast.reset(seed=[9, 3])
    other = MinesweeperVector(2, "5x4x6", "any")
    other.reset(seed=[9, 3])
    for action in range(20):
        same(fast.step(np.array([action, action])), other.step(np.array([action, action])))


@given(st.lists(strategies.layouts(), min_size=1, max_size=1), st.booleans())
def test_given_boards(layouts: list[Layout], flood: bool) -> None:
    (layout,) = layouts
    if layout.mines == len(layout.grid):
        return
    rules = "any" if flood else "any+no-flood"
    same_level = Layout.draw(layout.level, "any", seed=1)
    boards = [layout, None, f"{layout.level}/{rules}#7.2", str(same_level)]
    fast = MinesweeperVector(4, layout.level, rules)
    envs = [Minesweeper(layout.level, rules) for _ in boards]
    observations, infos = fast.reset(seed=2, options={"board": boards})
    for i, (env, board) in enumerate(zip(envs, boards, strict=True)):
        observation, info = env.reset(seed=2 + i, options={"board": board})
        same((observation, info["action_mask"]), (observations[i], infos["action_mask"][i]))
    over = np.zeros(4, np.bool_)
    for action in range(len(layout.grid)):
        found = fast.step(np.full(4, action))
        for i, env in enumerate(envs):
            if not over[i]:
                observation, reward, over[i], *_ = env.step(action)
                same((observation, reward, over[i]), (found[0][i], found[1][i], found[2][i]))
    assert over.all()


def test_risks_are_those_of_single_environments() -> None:
    for rules in ("any", "opening"):
        slow = singles(3, "6x5x6", rules, 30, AutoresetMode.SAME_STEP, risk=True)
        fast = MinesweeperVector(3, "6x5x6", rules, autoreset_mode="SameStep", risk=True)
        same(slow.reset(seed=1), fast.reset(seed=1))
        for action in range(30):
            same(slow.step(np.full(3, action)), fast.step(np.full(3, action)))


def test_make_vec_takes_the_compiled_one_with_its_limit() -> None:
    envs = gymnasium.make_vec("mineproof/Mini-v0", num_envs=5)
    assert isinstance(envs, MinesweeperVector)
    envs.reset(seed=1)
    for step in range(1, 40):
        ended = envs.step(np.zeros(5, np.int64))[3]
        assert ended.all() == ended.any() == (step == 36)
    envs.close()


def test_what_is_returned_is_not_changed_later() -> None:
    fast = MinesweeperVector(4, "beginner", "any", autoreset_mode="SameStep")
    kept = [fast.reset(seed=1)]
    copies = [np.copy(kept[0][0])]
    for action in range(30):
        observation, *_, info = fast.step(np.full(4, action))
        kept.append((observation, info))
        copies.append(np.copy(observation))
    assert all(np.array_equal(one[0], other) for one, other in zip(kept, copies, strict=True))
    assert not any(np.shares_memory(a[0], b[0]) for a in kept for b in kept if a is not b)


def test_masks_and_pictures() -> None:
    fast = MinesweeperVector(2, "5x4x3", "opening", render_mode="ansi")
    fast.reset(seed=1)
    _, _, _, _, infos = fast.step(np.array([0, 19]))
    assert np.array_equal(fast.action_masks(), infos["action_mask"].astype(bool))
    env = Minesweeper("5x4x3", "opening", render_mode="ansi")
    env.reset(seed=2)
    env.step(19)
    texts = fast.render()
    assert texts is not None
    assert texts[1] == env.render()
    drawn = MinesweeperVector(2, "5x4x3", render_mode="rgb_array")
    drawn.reset(seed=1)
    pictures = drawn.render()
    assert pictures is not None
    assert [picture.dtype for picture in pictures] == [np.uint8, np.uint8]
    assert MinesweeperVector(1).render() is None


def test_unseeded_games_differ() -> None:
    one, other = MinesweeperVector(50, "beginner", "any"), MinesweeperVector(50, "beginner", "any")
    for envs in (one, other):
        envs.reset()
    found = [envs.step(np.full(50, 40)) for envs in (one, other)]
    assert not np.array_equal(found[0][0], found[1][0])
    assert len(set(one.np_random_seed)) == 50


def test_bad_input_is_refused_and_changes_nothing() -> None:
    fast = MinesweeperVector(2, "5x4x3", "any")
    good = np.array([0, 1])
    with pytest.raises(ResetNeeded):
        fast.step(good)
    fast.reset(options={"reset_mask": np.array([True, False])})
    with pytest.raises(ResetNeeded):  # one of them has no game yet
        fast.step(good)
    before = fast.reset(seed=1)[0]
    for actions in ([0, 20], [-1, 0], [0], [0.5, 1], [[0, 1]], None):
        with pytest.raises(InvalidArgument):
            fast.step(np.array(actions))
    for options in ({"board": ["5x4x3/any#1"]}, {"reset_mask": [True, False]}, {"reset_mask": np.ones(3, bool)}):
        with pytest.raises(InvalidArgument):
            fast.reset(options=options)
    with pytest.raises(ValueError, match="plays"):
        fast.reset(options={"board": [None, "beginner/any#1"]})
    with pytest.raises(InvalidArgument):
        fast.reset(seed=[1])
    assert np.array_equal(fast.action_masks().reshape(before.shape), before == -1)
    with pytest.raises(UnknownName, match="NextStep"):
        MinesweeperVector(2, autoreset_mode="next")
    for count, most in ((0, 1), (2**21, 1), (1.5, 1), (1, 0), (1, -1)):
        with pytest.raises(InvalidArgument):
            MinesweeperVector(count, max_episode_steps=most)  # type: ignore[arg-type]


def seeds(_: int) -> Any:
    return np.zeros(64, np.uint64)


@pytest.mark.parametrize(
    "arguments",
    [(0, 3, 3, 1, 0, True, 0), (1, 0, 3, 1, 0, True, 0), (1, 3, 3, 9, -1, True, 0), (1, 3, 3, 1, 1, True, 0),
     (1, 3, 3, 1, 2, True, 0), (1, 3, 3, 1, 0, True, -1), (2**20, 2**13, 2**13, 1, 0, True, 0),
     (1, 3, 3, -1, 0, True, 0)],
)  # fmt: skip
def test_the_border_refuses_what_is_no_batch(arguments: Any) -> None:
    arguments = (*arguments, seeds)
    with pytest.raises(ValueError, match=r"no batch|no such rule|do not fit"):
        Batch(*arguments)


def test_the_border_refuses_what_does_not_fit() -> None:
    batch = Batch(2, 3, 4, 2, 0, True, 0, seeds)
    number, yes = np.zeros(2), np.zeros(2, np.uint8)
    for call in (
        lambda: batch.start(2),
        lambda: batch.start(-1),
        lambda: batch.forget_seeds(2),
        lambda: batch.start_with(2, 0, 0),
        lambda: batch.start_with(0, -1, 0),
        lambda: batch.start_on(0, b"\0" * 11),
        lambda: batch.start_on(0, b"\0" * 12),
        lambda: batch.start_on(0, b"\2" + b"\0" * 11),
        lambda: batch.fixed(2),
        lambda: batch.look(np.zeros((2, 4, 3), np.int8)),
        lambda: batch.step(np.zeros(3, np.int64), number, yes, yes),
        lambda: batch.step(np.zeros(2, np.int64), number, np.zeros(1, np.uint8), yes),
        lambda: batch.step(np.array([0, 12]), number, yes, yes),
        lambda: Batch(1, 3, 3, 1, 0, True, 0, lambda _: np.zeros(63, np.uint64)).start(0),
    ):
        with pytest.raises((ValueError, OverflowError)):
            call()
    batch.step(np.zeros(2, np.int64), number, yes, yes)  # starts both
    assert not batch.fixed(0)
