"""Train a small convolutional agent with NumPy alone to play `mineproof/Mini-v0`: 6×6 cells, 5 mines.

    python examples/gym/train.py [--moves 400000] [--seed 1] [--games 10000] [--picture curve.png]

The network reads the 7×7 cells around a cell and says how likely that cell is a mine. It learns from its own games, and
only from what Gymnasium gives it: after a step it knows whether the cell that it opened was a mine. It plays the cell
with the least risk, except that a few moves are random while it learns. It prints its win rate as it learns, and in the
end that on new boards, with its 95 % interval. The picture needs matplotlib.
"""

from __future__ import annotations

import argparse
import math
from typing import TYPE_CHECKING

import gymnasium
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

import mineproof.apps.gym

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mineproof.apps.gym import MinesweeperVector

gymnasium.register_envs(mineproof.apps.gym)
LEVEL = "mineproof/Mini-v0"
REACH = 3
"""How far the network sees from a cell."""
OUTSIDE = 9
"""What lies around the board; the cells themselves are -1, 0, …, 8."""
CHANNELS = (11, 24, 32, 32, 1)
KERNELS = (3, 3, 3, 1)
GAMES = 64
"""That are played side by side."""
BATCH = 256
KEPT = 200_000
"""The last moves, from which batches are drawn."""
RANDOM_MOVES = 0.05


class Network:
    """Convolutions without padding: a window of 7×7 cells gives one number, a board with a border one for each cell."""

    def __init__(self, dice: np.random.Generator) -> None:
        self.weights: list[NDArray[np.float32]] = []
        for kernel, before, after in zip(KERNELS, CHANNELS, CHANNELS[1:], strict=False):
            size = before * kernel * kernel
            self.weights.append(dice.normal(0, math.sqrt(2 / size), (size, after)).astype(np.float32))
            self.weights.append(np.zeros(after, np.float32))
        self.means = [np.zeros_like(weight) for weight in self.weights]  # of Adam: Kingma and Ba, 2015
        self.squares = [np.zeros_like(weight) for weight in self.weights]
        self.updates = 0

    def forward(self, cells: NDArray[np.int8]) -> tuple[NDArray[np.float32], list[NDArray[np.float32]]]:
        """The logarithm of the odds of a mine at the middle of each window, and what every layer was given."""
        values = (cells[..., None] == np.arange(-1, OUTSIDE + 1, dtype=np.int8)).astype(np.float32)
        given = []
        for layer, kernel in enumerate(KERNELS):
            windows = sliding_window_view(values, (kernel, kernel), axis=(1, 2))
            columns = windows.reshape(*windows.shape[:3], -1)
            given.append(columns)
            values = columns @ self.weights[2 * layer] + self.weights[2 * layer + 1]
            if layer < len(KERNELS) - 1:
                np.maximum(values, 0, out=values)
        return values[..., 0], given

    def learn(self, windows: NDArray[np.int8], mined: NDArray[np.bool_], rate: float) -> None:
        """One step of Adam down the gradient of the cross-entropy."""
        logits, given = self.forward(windows)
        error = (1 / (1 + np.exp(-logits)) - mined[:, None, None]) / len(mined)
        gradients: list[NDArray[np.float32]] = []
        passed = error[..., None].astype(np.float32)
        for layer in reversed(range(len(KERNELS))):
            columns, kernel = given[layer], KERNELS[layer]
            flat = passed.reshape(-1, passed.shape[-1])
            gradients[:0] = [columns.reshape(len(flat), -1).T @ flat, flat.sum(axis=0)]
            if layer == 0:
                break
            pieces = (flat @ self.weights[2 * layer].T).reshape(*columns.shape[:3], -1, kernel, kernel)
            rows, cols = (size + kernel - 1 for size in columns.shape[1:3])
            passed = np.zeros((len(mined), rows, cols, CHANNELS[layer]), np.float32)
            for row in range(kernel):
                for col in range(kernel):
                    passed[:, row : rows - kernel + row + 1, col : cols - kernel + col + 1] += pieces[..., row, col]
            middle = given[layer].reshape(*columns.shape[:3], -1, kernel, kernel)
            active = np.zeros_like(passed)  # where the layer below was above zero: its values are among the columns
            for row in range(kernel):
                for col in range(kernel):
                    active[:, row : rows - kernel + row + 1, col : cols - kernel + col + 1] = middle[..., row, col]
            passed *= active > 0
        self.updates += 1
        for weight, gradient, mean, square in zip(self.weights, gradients, self.means, self.squares, strict=True):
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            speed = rate * math.sqrt(1 - 0.999**self.updates) / (1 - 0.9**self.updates)
            weight -= speed * mean / (np.sqrt(square) + 1e-8)


def with_border(boards: NDArray[np.int8]) -> NDArray[np.int8]:
    """Boards with what lies around them, as far as the network sees."""
    return np.pad(boards, ((0, 0), (REACH, REACH), (REACH, REACH)), constant_values=OUTSIDE)


def choose(network: Network, boards: NDArray[np.int8], mask: NDArray[np.int8]) -> NDArray[np.int64]:
    """The closed cell with the least risk, of each board."""
    logits, _ = network.forward(with_border(boards))
    cells: NDArray[np.int64] = np.where(mask, logits.reshape(len(boards), -1), np.inf).argmin(axis=1)
    return cells


def win_rate(network: Network, games: int, seed: int) -> float:
    """The share of games won, without random moves, on the boards of this seed."""
    envs = gymnasium.make_vec(LEVEL, num_envs=min(games, GAMES), autoreset_mode="SameStep")
    boards, info = envs.reset(seed=seed)
    left = np.full(envs.num_envs, games // envs.num_envs)  # as many of each, so that short games do not count more
    left[: games % envs.num_envs] += 1
    won = 0
    while left.any():
        boards, rewards, ended, _, info = envs.step(choose(network, boards, info["action_mask"]))
        won += int((rewards[left > 0] > 0).sum())
        left[ended & (left > 0)] -= 1
    return won / games


def wilson(share: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a win rate: Wilson, 1927."""
    z = 1.96
    middle = (share + z**2 / (2 * games)) / (1 + z**2 / games)
    half = z * math.sqrt(share * (1 - share) / games + z**2 / (4 * games**2)) / (1 + z**2 / games)
    return max(0.0, middle - half), min(1.0, middle + half)


def train(most: int, seed: int, games: int, points: int = 12) -> tuple[Network, list[tuple[int, float]]]:
    """The network after this many moves, and its learning curve: moves played, and the win rate then."""
    dice = np.random.default_rng(seed)
    network = Network(dice)
    envs: MinesweeperVector = gymnasium.make_vec(LEVEL, num_envs=GAMES, autoreset_mode="SameStep")  # type: ignore[assignment]
    boards, info = envs.reset(seed=seed)
    width = boards.shape[2]
    kept = np.empty((KEPT, 2 * REACH + 1, 2 * REACH + 1), np.int8)
    mined = np.empty(KEPT, np.bool_)
    moves = 0
    curve: list[tuple[int, float]] = []
    while True:
        if moves >= most * len(curve) / points:
            curve.append((moves, win_rate(network, games, 10**6)))
            print(f"{moves:9,} moves  {curve[-1][1]:6.1%}", flush=True)
        if moves >= most:
            return network, curve
        actions = choose(network, boards, info["action_mask"])
        stray = dice.random(GAMES) < RANDOM_MOVES
        actions[stray] = np.where(info["action_mask"][stray], dice.random((stray.sum(), width**2)), -1).argmax(axis=1)
        seen = sliding_window_view(with_border(boards), (2 * REACH + 1,) * 2, axis=(1, 2))
        slots = np.arange(moves, moves + GAMES) % KEPT
        kept[slots] = seen[np.arange(GAMES), actions // width, actions % width]
        boards, rewards, _, _, info = envs.step(actions)
        mined[slots] = rewards < 0
        moves += GAMES
        drawn = dice.integers(min(moves, KEPT), size=BATCH)
        windows = kept[drawn]
        windows = windows.transpose(0, 2, 1) if dice.random() < 0.5 else windows  # a board is one of eight alike
        windows = windows[:, :: dice.choice([-1, 1]), :: dice.choice([-1, 1])]
        network.learn(windows, mined[drawn], 2e-3 * (1 - 0.95 * moves / (most + GAMES)))


def draw(curve: list[tuple[int, float]], games: int, path: str) -> None:
    """The learning curve with its intervals."""
    from mineproof.arena.plots import COLOURS, figure

    moves = [point[0] for point in curve]
    low, high = zip(*(wilson(share, games) for _, share in curve), strict=True)
    with figure() as (drawn, (axes,)):
        axes.fill_between(moves, low, high, color=COLOURS[0], alpha=0.2, linewidth=0)
        axes.plot(moves, [share for _, share in curve], marker="o", color=COLOURS[0])
        axes.set(xlabel="moves played", ylabel=f"share of {games:,} games won", ylim=(0, 1), title="6×6, 5 mines")
        axes.xaxis.set_major_formatter("{x:,.0f}")
        drawn.savefig(path)


def main() -> None:
    arguments = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    arguments.add_argument("--moves", type=int, default=400_000, help="how many it learns from")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--games", type=int, default=10_000, help="games of the last measurement")
    arguments.add_argument("--picture", help="where to draw the learning curve")
    chosen = arguments.parse_args()
    some = min(500, chosen.games)
    network, curve = train(chosen.moves, chosen.seed, some)
    if chosen.picture:
        draw(curve, some, chosen.picture)
    share = win_rate(network, chosen.games, 2 * 10**6)
    low, high = wilson(share, chosen.games)
    print(f"wins {share:.1%} of {chosen.games:,} new boards (95 % interval {low:.1%} to {high:.1%})")


if __name__ == "__main__":
    main()
