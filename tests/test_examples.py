"""Examples run, are short, and what they show is true."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from mineproof import Game, Position, Replay, analyse
from mineproof.logic.single import infer

if TYPE_CHECKING:
    from collections.abc import Callable

EXAMPLES = sorted(Path(__file__).parent.parent.glob("examples/*.py"))


def play(names: dict[str, Any], text: str) -> None:
    game: Game = names["game"]
    assert text == f"{game}\n{game.state}\n"
    assert not game.hits
    assert all(deduction.mine for deduction in infer(game.position))


def replay(names: dict[str, Any], text: str) -> None:
    played: Replay = names["replay"]
    steps = range(len(played.moves) + 1)
    assert text == "".join(f"step {step}: {played.game(step).mines_left} mines left\n" for step in steps)


def svg(names: dict[str, Any], _: str) -> None:
    position: Position = names["position"]
    cells = zip(position.grid, Path("position.svg").read_text().split("<rect ")[1:], strict=True)
    shown = {cell: int(odds[1]) for cell, drawn in cells if (odds := re.search(r'class="odds"[^>]*>(\d+)<', drawn))}
    right = analyse(position).probabilities
    assert shown == {cell: round(100 * right[cell]) for cell in position.where("H")}


TRUE: dict[str, Callable[[dict[str, Any], str], None]] = {"play": play, "replay": replay, "svg": svg}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_are_short_and_true(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code = path.read_text()
    statements = [line for line in code.splitlines() if line and not line.startswith(("#", '"""'))]
    assert len(statements) <= 12
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(code, str(path), "exec"), names)
    TRUE[path.stem](names, capsys.readouterr().out)
