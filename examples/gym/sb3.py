"""Train MaskablePPO of stable-baselines3 on `mineproof/Mini-v0`. It is no dependency of Mineproof; install it with

    pip install 'mineproof[gym]' sb3-contrib
    python examples/gym/sb3.py [STEPS]

The agent sees one-hot planes through three convolutions, is told which cells are closed, and gets a small reward for
progress. At the end it plays 1000 games without that reward, so that the mean reward says how often it wins:
(1 + mean) / 2.
"""

from __future__ import annotations

import sys
from typing import Any

import gymnasium
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

import mineproof.apps.gym
from mineproof.apps.gym import OneHot, ProgressReward

gymnasium.register_envs(mineproof.apps.gym)


class Planes(BaseFeaturesExtractor):  # type: ignore[misc]
    """Three convolutions that keep the size of the board. (Those of `CnnPolicy` want pictures of 36×36 or more.)"""

    def __init__(self, space: Any, width: int = 64) -> None:
        planes, rows, cols = space.shape
        super().__init__(space, width * rows * cols)
        layers: list[Any] = []
        for before in (planes, width, width):
            layers += [nn.Conv2d(before, width, 3, padding=1), nn.ReLU()]
        self.layers = nn.Sequential(*layers, nn.Flatten())

    def forward(self, boards: Any) -> Any:
        return self.layers(boards)


def played() -> gymnasium.Env[Any, int]:
    return OneHot(gymnasium.make("mineproof/Mini-v0"))


def shaped() -> gymnasium.Env[Any, int]:
    return ProgressReward(played(), weight=0.5)


def main() -> None:
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 400_000
    model = MaskablePPO(
        "MlpPolicy",
        make_vec_env(shaped, n_envs=64, seed=1),
        policy_kwargs={"features_extractor_class": Planes, "net_arch": {"pi": [], "vf": [64]}},
        learning_rate=1e-3,
        n_steps=64,
        batch_size=512,
        n_epochs=4,
        gamma=0.5,  # with 0.99 it learns much more slowly: docs/gym.md has both
        seed=1,
        verbose=1,
    )
    model.learn(steps, log_interval=10)
    mean, _ = evaluate_policy(model, make_vec_env(played, n_envs=8, seed=10**6), n_eval_episodes=1000)
    print(f"wins {(1 + float(mean)) / 2:.1%} of 1,000 new boards after {model.num_timesteps:,} steps")


if __name__ == "__main__":
    main()
