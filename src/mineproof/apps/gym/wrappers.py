"""Other observations and rewards, by wrappers."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import VectorEnv, VectorObservationWrapper
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from mineproof.apps.gym.env import Minesweeper
from mineproof.apps.gym.setting import CLOSED
from mineproof.errors import InvalidArgument

Env = gymnasium.Env[Any, int]
PLANES = 10
"""The number of planes of a one-hot observation: closed, then 0 to 8."""


def one_hot(observation: NDArray[np.int8]) -> NDArray[np.float32]:
    """Return one plane for closed cells, and one for each number; of one observation or many.

    >>> one_hot(np.array([[-1, 3]], np.int8)).argmax(axis=0).tolist()
    [[0, 4]]
    """
    values = np.arange(CLOSED, CLOSED + PLANES, dtype=np.int8)[:, None, None]
    planes: NDArray[np.float32] = (observation[..., None, :, :] == values).astype(np.float32)
    return planes


def _planes(space: gymnasium.Space[Any]) -> gymnasium.Space[Any]:
    if not isinstance(space, spaces.Box) or space.dtype != np.int8 or len(space.shape) != 2:
        raise InvalidArgument("one-hot planes are made of the numbers of a board: put OneHot next to the environment")
    return spaces.Box(0, 1, (PLANES, *space.shape), np.float32)


class OneHot(gymnasium.ObservationWrapper[NDArray[np.float32], int, Any]):
    """Observations of 10 × rows × cols zeros and ones: closed, then the numbers 0 to 8."""

    def __init__(self, env: Env) -> None:
        super().__init__(env)
        self.observation_space = _planes(env.observation_space)

    def observation(self, observation: NDArray[np.int8]) -> NDArray[np.float32]:
        """Return the planes of a board."""
        return one_hot(observation)


class VectorOneHot(VectorObservationWrapper):
    """Such observations of many games."""

    def __init__(self, env: VectorEnv[Any, Any, Any]) -> None:
        super().__init__(env)
        self.single_observation_space = _planes(env.single_observation_space)
        self.observation_space = batch_space(self.single_observation_space, env.num_envs)

    def observations(self, observations: NDArray[np.int8]) -> NDArray[np.float32]:
        """Return the planes of the boards."""
        return one_hot(observations)


class WithMinesLeft(gymnasium.ObservationWrapper[dict[str, Any], int, Any]):
    """Observations with the mine counter: a dictionary of ``board`` and ``mines_left``."""

    def __init__(self, env: Env) -> None:
        super().__init__(env)
        self._game = base(env)
        counter = spaces.Box(0, self._game.setting.mines, (1,), np.int32)
        self.observation_space = spaces.Dict({"board": env.observation_space, "mines_left": counter})

    def observation(self, observation: Any) -> dict[str, Any]:
        """Return the board and the counter."""
        return {"board": observation, "mines_left": np.array([self._game.game.mines_left], np.int32)}


class ProgressReward(gymnasium.Wrapper[Any, int, Any, int]):
    """Adds ``weight`` times the share of the safe cells that the action opened: together ``weight`` for a win."""

    def __init__(self, env: Env, weight: float = 0.1) -> None:
        super().__init__(env)
        self.weight = weight
        self._base = base(env)

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Open a cell."""
        setting, before = self._base.setting, self._base.action_masks().sum()
        observation, reward, terminated, truncated, info = self.env.step(action)
        opened = int(before - self._base.action_masks().sum())
        added = self.weight * opened / (setting.cells - setting.mines)
        return observation, float(reward) + added, terminated, truncated, info


class WastePenalty(gymnasium.Wrapper[Any, int, Any, int]):
    """Takes ``penalty`` from the reward of an action that changes nothing, because its cell is open."""

    def __init__(self, env: Env, penalty: float = 0.01) -> None:
        super().__init__(env)
        self.penalty = penalty
        self._base = base(env)

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Open a cell."""
        useful = self._base.action_masks()
        observation, reward, terminated, truncated, info = self.env.step(action)
        return observation, float(reward) - self.penalty * (not useful[action]), terminated, truncated, info


class RiskPenalty(gymnasium.Wrapper[Any, int, Any, int]):
    """Takes ``weight`` times the needless risk of an action from its reward: its exact risk minus the least that there
    was. So luck is neither rewarded nor punished. The environment must be made with ``risk=True``."""

    def __init__(self, env: Env, weight: float = 1.0) -> None:
        super().__init__(env)
        self.weight = weight
        self._needless = np.zeros(0)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Return a new game."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._needless = self._read(info)
        return observation, info

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Open a cell."""
        before = self._needless
        observation, reward, terminated, truncated, info = self.env.step(action)
        self._needless = self._read(info)
        return observation, float(reward) - self.weight * float(before[action]), terminated, truncated, info

    def _read(self, info: dict[str, Any]) -> NDArray[np.float64]:
        if "risk" not in info:
            raise InvalidArgument("the risks are missing: make the environment with risk=True")
        risk, closed = info["risk"], info["action_mask"] == 1
        needless = np.zeros(len(risk))
        if closed.any():
            needless[closed] = risk[closed] - risk[closed].min()
        return needless


def base(env: Env) -> Minesweeper:
    """Return the environment inside all wrappers."""
    unwrapped = env.unwrapped
    if not isinstance(unwrapped, Minesweeper):
        raise InvalidArgument(f"this wraps an environment of mineproof, not {type(unwrapped).__name__}")
    return unwrapped
