"""Many games as one Gymnasium environment, stepped by compiled code.

With the same seeds it is the same as that many single environments: game ``i`` has its own generator, seeded with
``seed + i``, and every new game draws its board from it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from mineproof._native.batch import Batch
from mineproof.apps.gym.pictures import check_mode, pixels
from mineproof.apps.gym.setting import CLOSED, SEEDS, Setting, as_limit
from mineproof.board.grid import whole
from mineproof.board.ids import GameId
from mineproof.errors import InvalidArgument, UnknownName, shorten

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mineproof.board.game import Game
    from mineproof.board.level import Level
    from mineproof.board.rules import Rules
    from mineproof.limit import Limit

DRAWN = 64
"""The number of seeds that are drawn ahead for a game; the seeds do not depend on it."""
MOST_GAMES, MOST_CELLS = 2**20, 2**32

Seen = NDArray[np.int8]
Stepped = tuple[Seen, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]


class MinesweeperVector(VectorEnv[Seen, NDArray[np.int64], NDArray[Any]]):
    """``num_envs`` games. Arguments, rewards and infos are those of `Minesweeper`; ``max_episode_steps`` truncates, and
    ``autoreset_mode`` is one of Gymnasium's three.

    >>> envs = MinesweeperVector(3, "beginner", "opening")
    >>> observations, infos = envs.reset(seed=1)
    >>> observations, rewards, terminations, truncations, infos = envs.step(np.array([40, 0, 80]))
    >>> observations.shape, infos["action_mask"].shape
    ((3, 9, 9), (3, 81))
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 4}  # noqa: RUF012  # Gymnasium's

    def __init__(
        self,
        num_envs: int = 1,
        level: Level | str = "beginner",
        rules: Rules | str = "safe",
        *,
        max_episode_steps: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        risk: Limit | bool = False,
        render_mode: str | None = None,
    ) -> None:
        self.setting = Setting.of(level, rules)
        self.num_envs = whole(num_envs, "the number of environments")
        if not 1 <= self.num_envs * self.setting.cells <= MOST_CELLS or self.num_envs > MOST_GAMES:
            raise InvalidArgument(f"there are 1 to {MOST_GAMES:,} environments, of {MOST_CELLS:,} cells in all")
        if max_episode_steps is not None and whole(max_episode_steps, "a number of steps") < 1:
            raise InvalidArgument(f"an episode has at least one step, not {max_episode_steps}")
        self.render_mode = check_mode(render_mode, self.metadata)
        modes = [mode.value for mode in AutoresetMode]
        if not isinstance(autoreset_mode, AutoresetMode) and autoreset_mode not in modes:
            raise UnknownName("autoreset mode", autoreset_mode, modes)
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self.single_observation_space = spaces.Box(CLOSED, 8, self.setting.shape, np.int8)
        self.single_action_space = spaces.Discrete(self.setting.cells)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._limit = as_limit(risk)
        self._generators: list[np.random.Generator | None] = [None] * self.num_envs
        self._seeds: list[int] = [-1] * self.num_envs
        self._over = np.zeros(self.num_envs, np.bool_)
        self._ready = False
        self._batch = Batch(
            self.num_envs,
            *self.setting.shape,
            self.setting.mines,
            {"any": -1, "safe": 0, "opening": 1}[self.setting.rules.first_click],
            self.setting.rules.flood,
            0 if max_episode_steps is None else max_episode_steps,
            lambda game: self._generator(game).integers(SEEDS, size=DRAWN, dtype=np.uint64),
        )

    def _generator(self, game: int) -> np.random.Generator:
        generator = self._generators[game]
        if generator is None:
            generator, self._seeds[game] = seeding.np_random()
            self._generators[game] = generator
        return generator

    @property  # type: ignore[misc]  # read-only, as in SyncVectorEnv
    def np_random(self) -> tuple[np.random.Generator, ...]:  # type: ignore[override]  # as in SyncVectorEnv
        """The generator of each game; up to 64 boards are drawn ahead."""
        return tuple(map(self._generator, range(self.num_envs)))

    @property
    def np_random_seed(self) -> tuple[int, ...]:  # type: ignore[override]  # as in SyncVectorEnv
        """The seed of each game's generator."""
        return tuple(self._seeds) if self.np_random else ()

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, Any]]:
        """Start new games, all or those of ``options["reset_mask"]``. Seeds are ``seed``, ``seed + 1``, … or one for
        each. ``options["board"]`` is a board for all, or a list with one for each."""
        options = options or {}
        chosen = self._mask(options["reset_mask"]) if "reset_mask" in options else np.ones(self.num_envs, np.bool_)
        games = np.flatnonzero(chosen).tolist()
        seeds = self._one_each(
            [seed + game for game in range(self.num_envs)] if isinstance(seed, (int, np.integer)) else seed, "seeds"
        )
        boards = self._one_each(options.get("board"), "boards")
        games_on_boards = {  # read before anything changes
            game: self.setting.game_on(boards[game]) for game in games if boards[game] is not None
        }
        for game in games:
            if seeds[game] is not None:
                self._generators[game], self._seeds[game] = seeding.np_random(int(seeds[game]))
                self._batch.forget_seeds(game)
            self._start(game, games_on_boards.get(game))
            self._over[game] = False
        self._ready |= bool(chosen.all())
        observations, infos = self._seen()
        return observations, _only(infos, chosen)

    def _start(self, game: int, on_board: Game | None) -> None:
        if on_board is None:
            self._batch.start(game)
        elif on_board.layout is not None:
            self._batch.start_on(game, on_board.layout.mask)
        else:  # the first click will lay the mines
            board = GameId.parse(on_board.id)
            self._batch.start_with(game, board.seed, board.index)

    def _mask(self, mask: object) -> NDArray[np.bool_]:
        if not isinstance(mask, np.ndarray) or mask.shape != (self.num_envs,) or mask.dtype != np.bool_:
            raise InvalidArgument(f"a reset mask is an array of {self.num_envs} booleans, not {shorten(mask)}")
        return mask

    def _one_each(self, values: Any, name: str) -> list[Any]:
        if not isinstance(values, (list, tuple, np.ndarray)):
            return [values] * self.num_envs
        if len(values) != self.num_envs:
            raise InvalidArgument(f"there are {self.num_envs} games, and {len(values)} {name}")
        return list(values)

    def step(self, actions: NDArray[np.int64]) -> Stepped:
        """Open a cell in each game. A game that ended before, or ends now, starts again as the autoreset mode says."""
        if not self._ready:
            raise ResetNeeded("there are no games yet: reset the environment first")
        if self.autoreset_mode is AutoresetMode.DISABLED and self._over.any():
            raise ResetNeeded(f"games {np.flatnonzero(self._over).tolist()} are over: reset them first")
        chosen = np.asarray(actions)
        if chosen.shape != (self.num_envs,) or chosen.dtype.kind not in "iu":
            raise InvalidArgument(f"actions are {self.num_envs} whole numbers, not {shorten(actions)}")
        rewards = np.empty(self.num_envs)
        terminated, truncated = np.empty((2, self.num_envs), np.bool_)
        try:
            self._batch.step(
                np.ascontiguousarray(chosen, np.int64), rewards, terminated.view(np.uint8), truncated.view(np.uint8)
            )
        except ValueError as failure:
            raise InvalidArgument(str(failure)) from None
        self._over = terminated | truncated
        final: dict[str, Any] = {}
        if self.autoreset_mode is AutoresetMode.SAME_STEP and self._over.any():
            final = self._final()
            for game in np.flatnonzero(self._over).tolist():
                self._batch.start(game)
        observations, infos = self._seen()
        return observations, rewards, terminated, truncated, infos | final

    def _look(self) -> Seen:
        shown = np.empty((self.num_envs, *self.setting.shape), np.int8)
        self._batch.look(shown)
        return shown

    def _seen(self) -> tuple[Seen, dict[str, Any]]:
        """Return what every game shows, and the infos: an array for each key, and whether each game has it."""
        shown = self._look()
        infos: dict[str, Any] = {"action_mask": (shown == CLOSED).view(np.int8).reshape(self.num_envs, -1)}
        if self._limit is not None:
            risks = [
                self.setting.risk(self.setting.position(observation), self._limit, fixed=self._batch.fixed(game))
                for game, observation in enumerate(shown)
            ]
            infos |= {key: np.stack([risk[key] for risk in risks]) for key in risks[0]}
        return shown, infos | {f"_{key}": np.ones(self.num_envs, np.bool_) for key in infos}

    def _final(self) -> dict[str, Any]:
        """Return what the games showed that are over, as SyncVectorEnv says it."""
        shown, infos = self._seen()
        observations = np.full(self.num_envs, None, object)
        for game in np.flatnonzero(self._over).tolist():
            observations[game] = shown[game].copy()
        had = {"_final_obs": self._over.copy(), "_final_info": self._over.copy()}
        return {"final_obs": observations, "final_info": _only(infos, self._over), **had}

    def action_masks(self) -> NDArray[np.bool_]:
        """Return True for each action that opens a cell, for each game."""
        closed: NDArray[np.bool_] = self._look().reshape(self.num_envs, -1) == CLOSED
        return closed

    def render(self) -> tuple[Any, ...] | None:
        """Return what each game shows, as text or as pixels (needs the extra ``images``)."""
        positions = map(self.setting.position, self._look())
        if self.render_mode == "ansi":
            return tuple(map(str, positions))
        if self.render_mode == "rgb_array":
            return tuple(pixels(position.to_svg()) for position in positions)
        return None


def _only(infos: dict[str, Any], games: NDArray[np.bool_]) -> dict[str, Any]:
    """Return the infos of these games; Gymnasium has zeros for the others."""
    for value in infos.values():
        value[~games] = 0
    return infos
