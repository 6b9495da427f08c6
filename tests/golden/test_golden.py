"""What never changes: boards by seed, whole games, pictures. A difference here breaks the ids that people share.

``python tests/golden/test_golden.py`` writes the files anew; a commit that does so says why.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from mineproof import Layout, Position, Replay, Rules
from mineproof.board.render import to_ascii, to_unicode

HERE = Path(__file__).parent
BOARDS = [
    ("beginner", "any", None, 0, 0),
    ("beginner", "safe", "A1", 1, 0),
    ("beginner-classic", "opening", "C3", 2, 5),
    ("intermediate", "opening", "C3", 2**64 - 1, 2**64 - 1),
    ("medium", "given:sqrt", None, 3, 0),
    ("expert", "safe", "A1", 42, 0),
    ("expert", "safe", "A1", 42, 1),
    ("expert", "opening", "D4", 42, 0),
    ("expert", "given", None, 42, 0),
    ("5x3x13", "any", None, 7, 0),
    ("9x9xp0.2", "any", None, 5, 0),
    ("9x9xp0.2", "safe", "E5", 5, 1),
    ("1000x1000x200000", "safe", "A1", 1, 0),
]


def board_text(level: str, rule: str, start: str | None, seed: int, index: int) -> str:
    text = str(Layout.draw(level, rule, start, seed=seed, index=index))
    return text if len(text) < 1000 else hashlib.sha256(text.encode()).hexdigest()


def key(*board: object) -> str:
    return " ".join(map(str, board))


def rendered(replay: Replay) -> str:
    """Every position of a game, as people see it."""
    game = replay.game()
    parts = [f"{game.id}\n"]
    for position, move in zip(replay.positions(), ["start", *replay.moves], strict=True):
        parts.append(f"{move}\n{to_ascii(position)}\n")
    parts.append(f"{game.state}, hits {game.hits}, deaths undone {game.deaths_undone}, score {game.score:.4f}\n")
    return "\n".join(parts)


def picture() -> Position:
    return Position.from_text("8x3x9\n12345678\nHFQS*?0H\nHHHHHHHH")


@pytest.mark.parametrize("board", BOARDS, ids=key)
def test_boards_by_seed(board: tuple[str, str, str | None, int, int]) -> None:
    assert board_text(*board) == json.loads((HERE / "boards.json").read_text())[key(*board)]


@pytest.mark.parametrize("path", sorted(HERE.glob("*.game")), ids=lambda path: path.stem)
def test_games(path: Path) -> None:
    replay = Replay.from_text(path.read_text())
    assert replay.to_text() == path.read_text()
    assert rendered(replay) == path.with_suffix(".out").read_text()


def test_there_are_games() -> None:
    rules = {str(Replay.from_text(path.read_text()).id.rules) for path in HERE.glob("*.game")}
    assert {Rules.parse(text).first_click for text in rules} >= {"any", "safe", "opening", "given:3"}


def test_pictures() -> None:
    assert to_unicode(picture(), colour=True) == (HERE / "symbols.txt").read_text()
    assert picture().to_svg([[i / 7 for i in range(8)]] * 3) == (HERE / "symbols.svg").read_text()


if __name__ == "__main__":
    (HERE / "boards.json").write_text(json.dumps({key(*b): board_text(*b) for b in BOARDS}, indent=1) + "\n")
    for game in HERE.glob("*.game"):
        game.with_suffix(".out").write_text(rendered(Replay.from_text(game.read_text())))
    (HERE / "symbols.txt").write_text(to_unicode(picture(), colour=True))
    (HERE / "symbols.svg").write_text(picture().to_svg([[i / 7 for i in range(8)]] * 3))
