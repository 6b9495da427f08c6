"""One game as a Gymnasium environment."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from mineproof.apps.gym.pictures import check_mode, pixels
from mineproof.apps.gym.setting import CLOSED, SEEDS, Setting, as_limit, observe
from mineproof.board.game import Game, State
from mineproof.errors import InvalidArgument, shorten

if TYPE_CHECKING:
    from mineproof.board.level import Level
    from mineproof.board.rules import Rules
    from mineproof.limit import Limit

REWARDS = {State.WON: 1.0, State.LOST: -1.0}


class Minesweeper(gymnasium.Env[NDArray[np.int8], int]):
    """Action ``row * cols + col`` opens that cell. The observation is -1 where a cell is closed, else its number. The
    reward is 1 for a win, -1 for a loss, else 0. Opening an open cell changes nothing; ``info["action_mask"]`` and
    `action_masks` say which cells are closed. ``risk``, True or a limit, adds the exact risk of each action.

    >>> env = Minesweeper("4x3x3", "any")
    >>> observation, info = env.reset(options={"board": "4x3x3=418"})
    >>> observation, reward, terminated, truncated, info = env.step(10)
    >>> observation.tolist(), reward, terminated
    ([[-1, -1, -1, -1], [-1, -1, -1, -1], [-1, -1, 1, -1]], 0.0, False)
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array", "human"], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        level: Level | str = "beginner",
        rules: Rules | str = "safe",
        *,
        risk: Limit | bool = False,
        render_mode: str | None = None,
    ) -> None:
        self.setting = Setting.of(level, rules)
        self.render_mode = check_mode(render_mode, self.metadata)
        self.observation_space = spaces.Box(CLOSED, 8, self.setting.shape, np.int8)
        self.action_space = spaces.Discrete(self.setting.cells)  # type: ignore[assignment]  # its actions are ints
        self._limit = as_limit(risk)
        self._game: Game | None = None

    @property
    def game(self) -> Game:
        """The game, which knows where the mines are."""
        if self._game is None:
            raise ResetNeeded("there is no game yet: reset the environment first")
        return self._game

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int8], dict[str, Any]]:
        """Return a new game, whose seed is drawn from ``np_random``; or a game on ``options["board"]``, a layout or a
        game id."""
        super().reset(seed=seed)
        board = (options or {}).get("board")
        if board is None:
            self._game = self.setting.game(int(self.np_random.integers(SEEDS, dtype=np.uint64)))
        else:
            self._game = self.setting.game_on(board)
        if self.render_mode == "human":
            self.render()
        return self._seen()

    def step(self, action: int) -> tuple[NDArray[np.int8], float, bool, bool, dict[str, Any]]:
        """Open a cell."""
        game, index = self.game, self._index(action)
        if game.over:
            raise ResetNeeded(f"the game is {game.state}: reset the environment first")
        cell = game.grid.cell(index)
        if game[cell] == "H":
            game.open(cell)
        if self.render_mode == "human":
            self.render()
        observation, info = self._seen()
        return observation, REWARDS.get(game.state, 0.0), game.over, False, info

    def _index(self, action: int) -> int:
        try:
            index = operator.index(action)
        except TypeError:
            index = -1
        if not 0 <= index < self.setting.cells:
            raise InvalidArgument(f"an action is a whole number below {self.setting.cells}, not {shorten(action)}")
        return index

    def _seen(self) -> tuple[NDArray[np.int8], dict[str, Any]]:
        observation = observe(self.game.position)
        info: dict[str, Any] = {"action_mask": (observation == CLOSED).view(np.int8).ravel()}
        if self._limit is not None:
            fixed = self.game.layout is not None
            info |= self.setting.risk(self.setting.position(observation), self._limit, fixed=fixed)
        return observation, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return True for each action that opens a cell. sb3-contrib calls a method of this name."""
        closed: NDArray[np.bool_] = observe(self.game.position).ravel() == CLOSED
        return closed

    def render(self) -> str | NDArray[np.uint8] | None:
        """Return the board as text, as pixels (needs the extra ``images``), or printed; after a loss with its mines."""
        if self.render_mode == "ansi":
            return str(self.game)
        if self.render_mode == "rgb_array":
            return pixels(self.game.to_svg())
        if self.render_mode == "human":
            print(self.game, end="\n\n", flush=True)
        return None
