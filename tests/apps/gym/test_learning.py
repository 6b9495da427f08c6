"""The examples that learn: a tiny run with NumPy, and the environments that the other hands to its library."""

from __future__ import annotations

import runpy
import sys
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest

EXAMPLES = Path(__file__).parents[3] / "examples/gym"


def test_a_small_network_learns(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = tmp_path / "curve.png"
    arguments = ["--moves", "1000", "--games", "10", "--seed", "3", "--picture", str(picture)]
    monkeypatch.setattr(sys, "argv", ["train.py", *arguments])
    runpy.run_path(str(EXAMPLES / "train.py"), run_name="__main__")
    said = capsys.readouterr().out
    assert said.count(" moves ") == 13
    assert "of 10 new boards (95 % interval" in said
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_its_gradient_leads_down() -> None:
    """A network that sees a few windows often enough knows them by heart."""
    names = runpy.run_path(str(EXAMPLES / "train.py"))
    dice = np.random.default_rng(1)
    network = names["Network"](dice)
    windows = dice.integers(-1, 10, size=(32, 7, 7), dtype=np.int8)
    mined = dice.random(32) < 0.5
    for _ in range(60):
        network.learn(windows, mined, 2e-3)
    assert np.array_equal(network.forward(windows)[0].ravel() > 0, mined)


def test_its_gradient_is_that_of_its_loss() -> None:
    """One weight of each layer, moved by hand."""
    names = runpy.run_path(str(EXAMPLES / "train.py"))
    dice = np.random.default_rng(2)
    network = names["Network"](dice)
    network.weights = [weight.astype(np.float64) for weight in network.weights]
    windows = dice.integers(-1, 10, size=(8, 7, 7), dtype=np.int8)
    mined = dice.random(8) < 0.5

    def loss() -> float:
        logits = network.forward(windows)[0].ravel().astype(np.float64)
        return float(np.mean(np.log1p(np.exp(logits)) - mined * logits))

    slopes = []
    for weight in network.weights:
        place = np.unravel_index(int(np.abs(weight).argmax()), weight.shape)
        kept = weight[place]
        weight[place] = kept + 1e-3
        above = loss()
        weight[place] = kept - 1e-3
        slopes.append((place, (above - loss()) / 2e-3))
        weight[place] = kept
    network.learn(windows, mined, 0.0)
    for mean, (place, slope) in zip(network.means, slopes, strict=True):
        assert 10 * mean[place] == pytest.approx(slope, rel=0.02, abs=2e-5)  # the first mean is a tenth of the gradient


def test_the_script_for_stable_baselines3_makes_environments_that_it_can_mask(monkeypatch: pytest.MonkeyPatch) -> None:
    library: Any = types.ModuleType("a stand-in")
    library.MaskablePPO = library.evaluate_policy = library.make_vec_env = library.nn = None
    library.BaseFeaturesExtractor = object
    for name in (
        *("sb3_contrib", "sb3_contrib.common.maskable.evaluation", "torch"),
        *("stable_baselines3.common.env_util", "stable_baselines3.common.torch_layers"),
    ):
        monkeypatch.setitem(sys.modules, name, library)
    names = runpy.run_path(str(EXAMPLES / "sb3.py"))
    for make in (names["played"], names["shaped"]):
        env = make()
        observation, _ = env.reset(seed=1)
        assert observation.shape == (10, 6, 6)
        masks = env.get_wrapper_attr("action_masks")()
        assert (masks.shape, masks.dtype, masks.all()) == ((36,), np.bool_, True)
        env.step(int(np.flatnonzero(masks)[0]))
        assert not env.get_wrapper_attr("action_masks")()[0]
