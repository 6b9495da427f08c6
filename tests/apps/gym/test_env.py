"""The single environment: every registered one keeps Gymnasium's contract, and it is the game."""

from __future__ import annotations

import copy
import subprocess
import sys
from typing import TYPE_CHECKING

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from hypothesis import given
from hypothesis import strategies as st

import mineproof.apps.gym
from mineproof import Game, InvalidArgument, InvalidBoard, Layout, Limit, Position, UnknownName, analyse
from mineproof.apps.gym import LEVELS, RULE_SETS, Minesweeper
from mineproof.apps.gym.setting import observe
from support import strategies

if TYPE_CHECKING:
    from random import Random

IDS = sorted(name for name in gymnasium.registry if name.startswith("mineproof/"))
KNOWN = "4x3x3=418"  # mines at B1, D2 and A3


def masked(env: Minesweeper, generator: np.random.Generator) -> int:
    return int(generator.choice(np.flatnonzero(env.action_masks())))


def test_every_level_is_there_under_every_rule_set() -> None:
    assert len(IDS) == len(LEVELS) * len(RULE_SETS) + 1
    expert = gymnasium.spec("mineproof/ExpertOpening-v0")
    assert (expert.kwargs, expert.max_episode_steps) == ({"level": "expert", "rules": "opening"}, 480)


@pytest.mark.parametrize("name", IDS)
def test_every_registered_environment_keeps_the_contract(name: str) -> None:
    env = gymnasium.make(name)
    check_env(env.unwrapped, skip_render_check="Beginner" not in name)
    env.close()


def test_an_id_may_name_its_module() -> None:
    code = "import gymnasium; print(gymnasium.make('mineproof.apps.gym:mineproof/Mini-v0').unwrapped.setting.mines)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "5\n"


@given(strategies.layouts(), st.booleans(), st.randoms(use_true_random=False))
def test_it_is_the_game(layout: Layout, flood: bool, dice: Random) -> None:
    if layout.mines == len(layout.grid):
        return
    env = Minesweeper(layout.level, "any" if flood else "any+no-flood")
    observation, info = env.reset(options={"board": layout})
    game = Game(layout, env.setting.rules)
    order = [*range(len(layout.grid)), *dice.choices(range(len(layout.grid)), k=5)]
    dice.shuffle(order)
    for action in order:
        assert np.array_equal(observation, observe(game.position))
        assert observation.shape == (layout.rows, layout.cols)
        assert info.keys() == {"action_mask"}
        assert info["action_mask"].tolist() == [symbol in b"H*?" for symbol in game.position.cells]
        cell = divmod(action, layout.cols)
        if game[cell] == "H":
            game.open(cell)
        observation, reward, terminated, truncated, info = env.step(action)
        assert (reward, terminated, truncated) == ({"won": 1, "lost": -1}.get(str(game.state), 0), game.over, False)
        if terminated:
            return
    raise AssertionError("every cell was opened, and the game is not over")


def test_an_observation_shows_no_mine_even_after_a_loss() -> None:
    env = Minesweeper("4x3x3", risk=True)
    env.reset(options={"board": KNOWN})
    observation, reward, terminated, _, info = env.step(1)
    assert (reward, terminated, observation.max()) == (-1, True, -1)
    assert np.allclose(info["risk"], 3 / 12)
    with pytest.raises(ResetNeeded, match="lost"):
        env.step(2)


def test_opening_an_open_cell_changes_nothing_until_the_steps_run_out() -> None:
    env = gymnasium.make("mineproof/Minesweeper-v0", level="4x3x3", rules="any", max_episode_steps=3)
    env.reset(options={"board": KNOWN})
    shown, *_ = env.step(10)
    for truncated in (False, True):
        again, reward, terminated, ended, info = env.step(10)
        assert np.array_equal(again, shown)
        assert (reward, terminated, ended, info["action_mask"][10]) == (0, False, truncated, 0)


def test_whoever_keeps_to_the_mask_is_never_truncated() -> None:
    env = gymnasium.make("mineproof/MiniNoFlood-v0")
    generator = np.random.default_rng(1)
    for seed in range(20):
        _, info = env.reset(seed=seed)
        ended = False
        while not ended:
            _, reward, ended, truncated, info = env.step(generator.choice(np.flatnonzero(info["action_mask"])))
            assert not truncated
        assert reward


def test_seeds_go_through_np_random() -> None:
    env = Minesweeper("beginner")
    boards = []
    for seed in (7, None, 7, None):
        env.reset(seed=seed)
        boards.append(env.game.id)
    assert boards[:2] == boards[2:]
    assert boards[0] != boards[1]
    drawn = np.random.Generator(np.random.PCG64(7)).integers(2**64, dtype=np.uint64)
    assert boards[0] == f"beginner/safe#{drawn}"
    env.reset(options={"board": "beginner/safe#42.3"})
    assert env.game.id == "beginner/safe#42.3"
    env.np_random = np.random.Generator(np.random.PCG64(7))
    env.reset()
    assert env.game.id == boards[0]


@pytest.mark.parametrize("rules", ["any", "safe", "opening"])
def test_the_first_click_keeps_its_rule(rules: str) -> None:
    env = Minesweeper("6x5x8", rules)
    first = []
    for seed in range(200):
        env.reset(seed=seed)
        observation, _, terminated, _, _ = env.step(14)
        first.append(-1 if terminated else int(observation.flat[14]))
    assert (min(first) == -1) == (rules == "any")
    assert (max(first) == 0) == (rules == "opening")


def test_risks_are_those_of_the_action() -> None:
    env = Minesweeper("beginner", "safe", risk=Limit(seconds=60))
    _, info = env.reset(seed=5)
    assert not info["risk"].any()
    generator = np.random.default_rng(5)
    terminated = False
    while not terminated:
        observation, _, terminated, _, info = env.step(masked(env, generator))
        right = analyse(Position(env.game.grid, 10, env.game.position.cells.translate(bytes.maketrans(b"*?", b"HH"))))
        closed = observation.ravel() < 0
        assert np.array_equal(info["risk"][closed], right.probabilities.ravel()[closed])
        assert not info["risk"][~closed].any()
        assert info["risk_exact"] is True
    _, info = env.reset(options={"board": Layout.draw("beginner", "any", seed=1)})
    assert np.allclose(info["risk"], 10 / 81)  # mines that stay where they are are no safer at the first click


def test_pictures(capsys: pytest.CaptureFixture[str]) -> None:
    env = Minesweeper("4x3x3", "any", render_mode="ansi")
    env.reset(options={"board": KNOWN})
    env.step(10)
    text = env.render()
    assert text == str(env.game)
    pixels = Minesweeper("30x16x99", render_mode="rgb_array")
    pixels.reset(seed=1)
    before = pixels.render()
    pixels.step(0)
    after = pixels.render()
    assert isinstance(before, np.ndarray)
    assert isinstance(after, np.ndarray)
    assert before.shape[1] > before.shape[0]
    assert not np.array_equal(before, after)
    human = Minesweeper("4x3x3", "any", render_mode="human")
    human.reset(options={"board": KNOWN})
    human.step(10)
    assert capsys.readouterr().out.endswith(f"{text}\n\n")
    assert Minesweeper().render() is None


def test_a_copy_is_another_environment_in_the_same_state() -> None:
    env = Minesweeper("beginner")
    env.reset(seed=3)
    env.step(40)
    again = copy.deepcopy(env)
    for action in (0, 80, 8):
        if not env.game.over:
            assert np.array_equal(env.step(action)[0], again.step(action)[0])
    assert np.array_equal(env.reset()[0], again.reset()[0])
    assert env.game.id == again.game.id


@pytest.mark.parametrize(
    ("level", "rules", "says"),
    [
        ("expert", "given", "names safe"),
        ("expert", "safe+continue", "continue"),
        ("9x9xp0.2", "safe", "probability"),
        ("3x3x9", "any", "too few safe cells"),
        ("5x5x17", "opening", "too few safe cells"),
        ("exprt", "safe", "did you mean 'expert'"),
    ],
)
def test_settings_that_no_observation_can_show_are_refused(level: str, rules: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Minesweeper(level, rules)


def test_bad_input_is_refused_in_a_sentence() -> None:
    env = Minesweeper("4x3x3", "any")
    with pytest.raises(ResetNeeded):
        env.step(0)
    env.reset(seed=1)
    for action in (-1, 12, 1.5, None, "A1"):
        with pytest.raises(InvalidArgument, match="below 12"):
            env.step(action)  # type: ignore[arg-type]
    for board, says in (("5x3x3=4180", "5x3x3"), ("4x3x3/safe#1", "plays 4x3x3/any"), ("4x3x2=410", "plays"), (7, "7")):
        with pytest.raises(ValueError, match=says):
            env.reset(options={"board": board})
    assert env.game.id  # still there
    with pytest.raises(UnknownName, match="ansi"):
        Minesweeper(render_mode="ascii")
    with pytest.raises(InvalidArgument, match="Limit"):
        Minesweeper(risk=2)  # type: ignore[arg-type]
    with pytest.raises(InvalidBoard):
        env.reset(options={"board": Layout.parse("3x4x3=418")})  # rows and columns are not swapped


def test_without_gymnasium_the_extra_is_named() -> None:
    code = "import sys; sys.modules['gymnasium'] = None; import mineproof.apps.gym"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "an environment needs Gymnasium; install it with: pip install 'mineproof[gym]'" in done.stderr


def test_public_names_are_there() -> None:
    assert all(getattr(mineproof.apps.gym, name).__doc__ for name in mineproof.apps.gym.__all__)
