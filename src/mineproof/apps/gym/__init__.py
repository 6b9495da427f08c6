"""Gymnasium environments. Importing this registers them: every level of `LEVELS` under every rule set of `RULE_SETS`,
and ``mineproof/Minesweeper-v0``, whose level and rules are arguments.

>>> import gymnasium
>>> import mineproof.apps.gym
>>> env = gymnasium.make("mineproof/Beginner-v0")
>>> observation, info = env.reset(seed=1)
>>> observation.shape, int(info["action_mask"].sum())
((9, 9), 81)
"""

from mineproof.errors import MissingExtra

try:
    import gymnasium
except ImportError:
    raise MissingExtra("an environment", "Gymnasium", "gym") from None

from mineproof.apps.gym.env import Minesweeper
from mineproof.apps.gym.setting import LEVELS, RULE_SETS, VERSION, Setting
from mineproof.apps.gym.vector import MinesweeperVector
from mineproof.apps.gym.wrappers import (
    OneHot,
    ProgressReward,
    RiskPenalty,
    VectorOneHot,
    WastePenalty,
    WithMinesLeft,
    one_hot,
)

__all__ = [
    "LEVELS",
    "RULE_SETS",
    "Minesweeper",
    "MinesweeperVector",
    "OneHot",
    "ProgressReward",
    "RiskPenalty",
    "VectorOneHot",
    "WastePenalty",
    "WithMinesLeft",
    "one_hot",
]


def _register(name: str, most_steps: int | None, **arguments: str) -> None:
    made = f"mineproof/{name}-v{VERSION}"
    if made not in gymnasium.registry:
        gymnasium.register(
            made,
            entry_point="mineproof.apps.gym.env:Minesweeper",
            vector_entry_point="mineproof.apps.gym.vector:MinesweeperVector",
            max_episode_steps=most_steps,
            kwargs=arguments,
        )


for _level, _size in LEVELS.items():
    for _rule_set, _rules in RULE_SETS.items():
        _register(_level + _rule_set, Setting.of(_size, _rules).cells, level=_size, rules=_rules)
_register("Minesweeper", None)
