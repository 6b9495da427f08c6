"""What ``mineproof analyse`` says of an analysis, whatever came of it."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from mineproof import Grid, Limit, Position, analyse
from mineproof._native.counting import MARK_MINED, MARK_OPEN, MARK_SAFE, MARK_UNSURE
from mineproof.logic.conflict import NO_TIME, inconsistent, refused
from mineproof.odds import in_json
from mineproof.odds.analysis import Analysis
from mineproof.odds.words import in_words
from support.clocks import Ticking

if TYPE_CHECKING:
    from numpy.typing import NDArray

NAN = math.nan
BOARD = Position.from_text("3x2x2\n1HH\nHHH")
MARKS = bytes([MARK_OPEN, MARK_SAFE, MARK_UNSURE, MARK_MINED, MARK_UNSURE, MARK_UNSURE])


def estimated(
    odds: list[float], errors: list[float], *, marks: bytes = MARKS, consistent: bool | None = True, logs: float = NAN
) -> Analysis:
    """An analysis that was not exact."""
    return Analysis(BOARD, consistent, False, False, table(odds), marks, logs, table(errors))


def table(numbers: list[float]) -> NDArray[np.float64]:
    return np.array(numbers).reshape(2, 3)


def fields(found: Analysis, limit: Limit | None = None) -> dict[str, Any]:
    parsed: dict[str, Any] = json.loads("".join(in_json.json_parts(found, (limit or Limit()).start())))
    return parsed


def words(found: Analysis) -> list[str]:
    return in_words(found, Limit().start()).split("\n")


def test_the_errors_are_those_of_cells_that_are_not_certain() -> None:
    odds, errors = [NAN, 0, 0.25, 1, 0.5, NAN], [NAN, 0, 0.03, 0, 0.125, NAN]
    assert words(estimated(odds, errors)) == [
        "time ran out before all boards were counted; cells shown as certain are certain",
        "odds are estimates with standard errors of up to 12 percentage points",
        "1 cell has no odds: time ran out",
        "there may be more certain cells",
        "certain: 1 safe, 1 mine",
    ]
    assert "odds are off by up to 12 percentage points" in words(estimated(odds, errors, logs=1000.0))
    found = fields(estimated(odds, errors))
    assert found["odds"] == [[None, 0.0, 0.25], [1.0, 0.5, None]]
    assert found["errors"] == [[None, 0.0, 0.03], [0.0, 0.125, None]]
    assert (found["solutions"], found["least_risk"]) == (None, {"cell": [0, 1], "risk": 0.0})


@pytest.mark.parametrize("consistent", [True, None])
def test_nothing_may_be_known(consistent: bool | None) -> None:
    nothing = [NAN] * 6
    found = estimated(nothing, nothing, marks=bytes([MARK_OPEN, *[MARK_UNSURE] * 5]), consistent=consistent)
    said = words(found)
    assert said[-2:] == ["5 cells have no odds: time ran out", "there may be more certain cells"]
    assert ("no consistent board was found: there may be none" in said) is (consistent is None)
    assert len(said) == 3 + (consistent is None)
    as_json = fields(found)
    assert (as_json["consistent"], as_json["least_risk"], as_json["odds"]) == (consistent, None, [[None] * 3] * 2)
    assert as_json["errors"] == as_json["odds"]
    assert "conflict" not in as_json


def test_without_a_best_guess_the_least_risky_cell_is_named() -> None:
    unsure = bytes([MARK_OPEN, *[MARK_UNSURE] * 5])
    best = "the least risky cell is C1, with a 20 ± 10 % risk of a mine"
    odds, errors = [NAN, 0.5, 0.2, 1, 0.5, 0.5], [NAN, *[0.1] * 5]
    assert words(estimated(odds, errors, marks=unsure))[-1] == f"no cell is certain; {best}"
    mined = bytes([MARK_OPEN, MARK_UNSURE, MARK_UNSURE, MARK_MINED, MARK_UNSURE, MARK_UNSURE])
    assert words(estimated(odds, errors, marks=mined))[-2:] == ["certain: 0 safe, 1 mine", best]
    assert words(analyse(Position.from_text("2x1x2\nHH"))) == ["solutions: 1", "certain: 0 safe, 2 mines"]
    assert words(analyse(Position.from_text("1x1x0\n0"))) == ["solutions: 1"]


def test_without_time_solutions_and_conflict_are_null(monkeypatch: pytest.MonkeyPatch) -> None:
    counted, wrong = (analyse(Position.from_text(text)) for text in ("4x2x2\n1HHH\n1HHH", "5x1x1\n1H0H1"))
    assert fields(counted)["solutions"] == "8"
    assert fields(wrong)["conflict"] == {"clues": [[0, 0], [0, 2]], "mine_count": False}
    Ticking(monkeypatch)
    assert fields(counted, Limit(seconds=1))["solutions"] is None
    assert fields(wrong, Limit(seconds=1))["conflict"] is None
    assert in_words(wrong, Limit(seconds=1).start()) == f"inconsistent: {NO_TIME}"
    assert refused(inconsistent(wrong.position, Limit(seconds=1).start()))["conflict"] is None
    assert in_words(counted, Limit(seconds=1).start()).startswith("solutions: about 10^0.9")


@pytest.mark.parametrize("most", [in_json.MOST_DIGITS, 2_000])
def test_solutions_of_many_digits(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """Python refuses to write an int of more than 4,300 digits."""
    monkeypatch.setattr(in_json, "MOST_DIGITS", most)
    text = fields(analyse(Position.blank(Grid(141, 141), 10_000)))["solutions"]
    ways = math.comb(141 * 141, 10_000)
    if most == 2_000:
        assert text is None
    else:
        assert (len(text), text[:4000]) == (5983, str(ways // 10**1983)[:4000])
        assert int(text[4000:]) == ways % 10**1983


@pytest.mark.parametrize("block", [1, 2, 3, 5, 12, 100])
@pytest.mark.parametrize("shape", [(1, 12), (12, 1), (3, 4)])
def test_tables_are_written_in_blocks(monkeypatch: pytest.MonkeyPatch, block: int, shape: tuple[int, int]) -> None:
    monkeypatch.setattr(in_json, "_BLOCK", block)
    numbers = [0.0, 1.0, 1 / 3, NAN, 1 / 3, 5e-324, NAN, 1e-12, 1 - 2**-53, 0.1, 1.0, NAN]
    written = json.loads("".join(in_json._rows(np.array(numbers).reshape(shape))))
    flat = [NAN if number is None else number for row in written for number in row]
    assert [len(row) for row in written] == [shape[1]] * shape[0]
    assert np.array_equal(flat, numbers, equal_nan=True)
    board = Position.from_text(f"{shape[1]}x{shape[0]}x12\n" + ("H" * shape[1] + "\n") * shape[0])
    assert fields(analyse(board))["mined"] == [list(cell) for cell in board.grid]
