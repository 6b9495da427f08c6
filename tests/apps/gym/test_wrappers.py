"""Other observations and rewards."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from mineproof import InvalidArgument, analyse
from mineproof.apps.gym import (
    Minesweeper,
    MinesweeperVector,
    OneHot,
    ProgressReward,
    RiskPenalty,
    VectorOneHot,
    WastePenalty,
    WithMinesLeft,
    one_hot,
)

BOARD = {"board": "4x3x3=418"}  # mines at B1, D2 and A3


def small(**more: Any) -> Minesweeper:
    return Minesweeper("4x3x3", "any", **more)


@pytest.mark.filterwarnings("ignore:.*different from the unwrapped version")
@pytest.mark.filterwarnings("ignore:.*alternative render modes")
@pytest.mark.parametrize("wrap", [OneHot, WithMinesLeft, ProgressReward, WastePenalty, RiskPenalty])
def test_every_wrapper_keeps_the_contract(wrap: Any) -> None:
    check_env(wrap(small(risk=True)))
    check_env(WithMinesLeft(OneHot(wrap(small(risk=True)))) if wrap not in (OneHot, WithMinesLeft) else wrap(small()))


def test_planes_say_what_the_numbers_say() -> None:
    env = OneHot(small())
    plain = small()
    env.reset(options=BOARD)
    plain.reset(options=BOARD)
    for action in (10, 11, 3):
        planes, numbers = env.step(action)[0], plain.step(action)[0]
        assert planes.shape == (10, 3, 4)
        assert (planes.sum(axis=0) == 1).all()
        assert np.array_equal(planes.argmax(axis=0) - 1, numbers)
    many = VectorOneHot(MinesweeperVector(3, "4x3x3"))
    observations, _ = many.reset(seed=1)
    assert observations in many.observation_space
    assert observations.shape == (3, 10, 3, 4)
    stepped = many.env.step(np.zeros(3, int))[0]
    assert np.array_equal(one_hot(stepped)[1], one_hot(stepped[1]))


def test_mines_left_is_the_counter_of_the_game() -> None:
    env = WithMinesLeft(OneHot(small()))
    observation, _ = env.reset(options=BOARD)
    assert observation in env.observation_space
    assert (observation["board"].shape, observation["mines_left"].tolist()) == ((10, 3, 4), [3])
    observation, *_ = env.step(1)  # a mine
    assert observation["mines_left"].tolist() == [2]


def test_progress_adds_up_to_its_weight() -> None:
    env = ProgressReward(Minesweeper("4x3x1", "any"), weight=0.5)
    env.reset(options={"board": "4x3x1=800"})  # a mine at A1
    rewards = [env.step(action)[1] for action in (1, 1, 11)]
    assert rewards[:2] == [0.5 / 11, 0]
    while not env.unwrapped.game.over:  # type: ignore[attr-defined]
        rewards.append(env.step(int(np.flatnonzero(env.unwrapped.action_masks())[-1]))[1])  # type: ignore[attr-defined]
    assert sum(rewards) == pytest.approx(1.5)


def test_waste_is_punished() -> None:
    env = WastePenalty(small(), penalty=0.25)
    env.reset(options=BOARD)
    assert [env.step(action)[1] for action in (10, 10, 1)] == [0, -0.25, -1]
    env.reset(options=BOARD)
    with pytest.raises(InvalidArgument):
        env.step(-1)


def test_only_needless_risk_is_punished() -> None:
    env = RiskPenalty(small(risk=True), weight=2)
    env.reset(options=BOARD)
    assert env.step(10)[1] == 0  # all cells were the same
    odds = analyse(env.unwrapped.game).probabilities.ravel()  # type: ignore[attr-defined]
    most, least = int(np.nanargmax(odds)), np.nanmin(odds)
    assert odds[most] > least
    _, reward, *_ = env.step(most)
    lost = -1.0 if env.unwrapped.game.over else 0.0  # type: ignore[attr-defined]
    assert reward == pytest.approx(lost - 2 * (odds[most] - least))


def test_what_cannot_be_wrapped_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="risk=True"):
        RiskPenalty(small()).reset()
    with pytest.raises(InvalidArgument, match="OneHot"):
        OneHot(WithMinesLeft(small()))
    with pytest.raises(InvalidArgument, match="CartPoleEnv"):
        WastePenalty(gymnasium.make("CartPole-v1"))
