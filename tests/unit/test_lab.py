"""The laboratory: unbiased where everything is known, continued where it stopped."""

from __future__ import annotations

from itertools import combinations
from math import sqrt
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq
import pytest
from benchmarks import lab
from benchmarks.lab import CHUNK, Shelf, Study, gain, number_of

from mineproof import InvalidArgument, Level, Limit, Position
from mineproof._native.playing import Player, Tree
from mineproof.arena.engines import processes
from mineproof.errors import BadRecords, MineproofError, OutOfTime

if TYPE_CHECKING:
    from pathlib import Path

SLOW = Limit(seconds=600)
BLUNT = {"dead": False, "living": False, "tossups": False, "dominance": False, "isolated": False}


def win_rate(player: Player, level: Level) -> float:
    """The share of all boards on which a player wins from a safe corner, by playing them all."""
    cells, won, boards = level.rows * level.cols, 0, 0
    for mines in combinations(range(1, cells), level.mines or 0):
        course = player.play(level.rows, level.cols, bytes(cell in mines for cell in range(cells)), 0, SLOW)
        assert course is not None
        won += course[0]
        boards += 1
    return won / boards


@pytest.mark.parametrize(("level", "boards"), [("4x4x4", 8), ("3x5x4", 1), ("3x5x4", 3)])
def test_differences_and_chances_are_unbiased(level: str, boards: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Perfect play against a blunt rule, and the other way round; and neither difference nor chance has the luck of
    single games in it: both are compared with playing all boards."""
    chosen = Level.parse(level)
    wins = Tree(chosen.rows, chosen.cols, chosen.mines or 0, 10**7).start(0, False, SLOW.start())
    assert wins is not None
    makers: dict[str, Any] = {"best": {"boards": 10**4, "nodes": 10**6}, "lowest-risk": {"boards": 1, **BLUNT}}
    rates = {"best": wins[0] / wins[1], "lowest-risk": win_rate(Player(**makers["lowest-risk"]), chosen)}
    assert rates["best"] > rates["lowest-risk"] + 0.01
    monkeypatch.setattr(lab, "_player", lambda name: Player(**makers[name]))
    for judge, walker in (("best", "lowest-risk"), ("lowest-risk", "best")):
        found = gain(Study(judge, walker, level, seed=5, boards=boards).games(range(400)))
        assert found.failed == 0
        assert found.all.guesses > 50
        assert abs(found.points / 100 - rates[walker] + rates[judge]) < 2 * found.half / 100
        mean, half = found.chance.mean(400)
        assert abs(mean / 100 - rates[walker]) < 2 * half / 100
        plain = 100 * 1.96 * sqrt(rates[walker] * (1 - rates[walker]) / 400)
        assert half < plain / 1.2


def test_a_rule_does_not_differ_from_itself() -> None:
    found = gain(Study("best", "best:dead=yes", "9x9x10").games(range(50)))
    assert (found.games, found.all.guesses, found.points) == (50, 0, 0.0)
    assert found.guesses > 0


def test_more_games_continue_what_was_kept(tmp_path: Path) -> None:
    study = Study("lowest-risk", "best", "8x8x10", "opening", seed=4, boards=2)
    whole, parts = Shelf(tmp_path / "whole", study), Shelf(tmp_path / "parts", study)
    there: list[int] = []
    with processes(2) as engine:
        whole.play(CHUNK + 1, engine)
    parts.play(CHUNK)
    assert parts.gain().games == CHUNK
    Shelf(tmp_path / "parts", study).play(CHUNK + 1, progress=there.append)
    assert there == [CHUNK]
    assert str(parts.gain()) == str(whole.gain())
    assert list(parts.gain().lines())
    with pytest.raises(BadRecords, match="another study: its seed is 4"):
        Shelf(tmp_path / "parts", Study("lowest-risk", "best", "8x8x10", "opening", seed=5, boards=2))
    (tmp_path / "parts" / "games" / "000000.parquet").write_bytes(b"x")
    with pytest.raises(BadRecords, match="is damaged"):
        parts.gain()
    for text in ("[]", "{}", "x", '{"judge": "best", "walker": "best", "seed": "x", "versions": [1]}'):
        (tmp_path / "parts" / "study.json").write_text(text)
        with pytest.raises(BadRecords, match="no games of the laboratory"):
            Shelf(tmp_path / "parts")
    with pytest.raises(BadRecords, match="no games of the laboratory"):
        Shelf(tmp_path / "nowhere")


def test_another_version_is_another_study(tmp_path: Path) -> None:
    Shelf(tmp_path, Study("lowest-risk", "best", "8x8x10"))
    file = tmp_path / "study.json"
    file.write_text(file.read_text().replace('"versions": [', '"versions": [99'))
    with pytest.raises(BadRecords, match="other versions"):
        Shelf(tmp_path)


def test_any_rule_is_scored_at_the_guesses_that_were_kept(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, Study("lowest-risk", "best", "8x8x10", seed=4, boards=2))
    shelf.play(CHUNK)
    (file,) = tmp_path.glob("games/*.parquet")
    kept = file.read_bytes()
    assert str(shelf.score("best")) == str(shelf.gain())  # the walker
    assert file.read_bytes() == kept
    assert shelf.score("lowest-risk").points == 0  # the judge
    other = shelf.score("best:dead=no,living=no,tossups=no,dominance=no,isolated=no")
    assert file.read_bytes() != kept  # it has weighed other cells
    assert str(shelf.score("best:dead=no,living=no,tossups=no,dominance=no,isolated=no")) == str(other)
    assert str(shelf.gain()) == str(shelf.score("best"))


def test_what_is_kept_can_be_read_by_anybody(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, Study("lowest-risk", "best", "8x8x10", seed=4, boards=2, rivals=2))
    shelf.play(CHUNK)
    guesses = [guess for game in pq.read_table(tmp_path / "games").to_pylist() for guess in game["guesses"]]
    assert len(guesses) > CHUNK / 2
    for guess in guesses:
        position = Position.from_text(guess["position"])
        assert 0 < guess["weight"] <= 1
        for choice in (guess["judge"], guess["walker"]):
            assert position[choice["cell"]] == "H"
            assert choice["why"] in ("looked", "exact", "isolated", "tossup", "implied", "played_out")
            if choice["why"] != "exact":
                assert choice["cell"] in [one["cell"] for one in guess["weighed"]]
        assert all(0 <= one["worth"] <= 1 for one in guess["weighed"])


def test_a_game_that_takes_too_long_is_left_out_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    study = Study("lowest-risk", "best", "8x8x10", seed=4, boards=2)
    games = study.games(range(20))
    weigh, slow = Study.weigh, next(game["game"] for game in games if game["guesses"])

    def late(self: Study, number: int, *others: Any) -> None:
        if number == number_of(slow, 0):
            raise OutOfTime("too long")
        weigh(self, number, *others)

    monkeypatch.setattr(Study, "weigh", late)
    found = gain(study.games(range(20)))
    assert (found.games, found.failed) == (19, 1)
    assert str(found).endswith("; 1 other game took too long")
    assert found.all.total == pytest.approx(gain(games[:slow] + games[slow + 1 :]).all.total)


@pytest.mark.parametrize("agents", [("careful", "best"), ("best", "sat")])
def test_only_what_compiled_code_plays(agents: tuple[str, str]) -> None:
    with pytest.raises(InvalidArgument, match="compiled code plays"):
        Study(*agents)


def test_bad_requests() -> None:
    with pytest.raises(InvalidArgument, match="1 to 100,000 boards"):
        Study("best", "lowest-risk", boards=0)
    with pytest.raises(InvalidArgument, match="the first click"):
        Study("best", "lowest-risk", "9x9x10", "given")
    with pytest.raises(MineproofError, match="at most 60 mines"):
        Study("best", "lowest-risk", "8x8x63", "opening")
    with pytest.raises(MineproofError, match="seed"):
        Study("best", "lowest-risk", seed=-1)
