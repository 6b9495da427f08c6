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


def agent(_: dict[str, Any], text: str) -> None:
    result, first, best = text.splitlines()
    assert result == "lost after 2 moves and 1 guess"
    assert first.startswith("First on beginner: 0 of 50 games won, ")
    assert best.startswith("best on beginner: 4")


TRUE: dict[str, Callable[[dict[str, Any], str], None]] = {"agent": agent, "play": play, "replay": replay, "svg": svg}


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


def test_the_agent_of_the_documentation_is_the_example_that_mypy_checks() -> None:
    root = Path(__file__).parent.parent
    code = (root / "examples" / "agent.py").read_text()
    own = (
        code[code.index("class First") : code.index("print(play")].replace("  # noqa: ARG002", "").strip().splitlines()
    )
    shown = "\n".join([f">>> {own[0]}", *(f"... {line}".rstrip() for line in own[1:])])
    assert shown in (root / "docs" / "agents.md").read_text()
    assert '"examples"' in re.findall(r"^files = .*", (root / "pyproject.toml").read_text(), re.MULTILINE)[0]
