"""The summary of a finished run, read from its folder. It may be damaged: every field that is used is checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from mineproof.arena.records import read_json, read_manifest
from mineproof.errors import BadRecords

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

LARGEST = 1e18
"""The largest number that a summary may have."""


def read_summary(folder: Path) -> dict[str, Any]:
    """Read and check the summary of a finished run."""
    read_manifest(folder)
    path = folder / "summary.json"
    if not path.is_file():
        raise BadRecords(f"the run in {folder} is not finished: mineproof arena --out {folder} --resume")
    summary = read_json(path)
    valid = isinstance(summary, dict) and isinstance(summary.get("fingerprint"), str)
    if not valid or not _are_rows(summary.get("agents"), _is_agent):
        raise BadRecords(f"{path} is damaged; delete it, and --resume writes it again")
    return cast("dict[str, Any]", summary)


def _are_rows(rows: object, is_valid: Callable[[dict[str, Any]], bool]) -> bool:
    return isinstance(rows, list) and all(isinstance(row, dict) and is_valid(row) for row in rows)


def _is_agent(row: dict[str, Any]) -> bool:
    """Whether this is the row of an agent on a level, with all fields that are used."""
    rate, speed = row.get("win_rate"), row.get("games_per_second")
    times = row.get("seconds_per_game", [0, 0])  # older versions did not write it
    texts = all(isinstance(row.get(name), str) for name in ("agent", "level"))
    counts = all(
        _is_number(row.get(name)) for name in ("games", "stuck", "guesses", "hits", "slowest_move_ms", "faults")
    )
    rated = isinstance(rate, list) and len(rate) == 3 and all(_is_number(part, 1) for part in rate)
    timed = isinstance(times, list) and len(times) == 2 and all(map(_is_number, times))
    faults = isinstance(row.get("first_fault", ""), str) and ("first_fault" in row) == bool(row.get("faults"))
    calibrated = _are_rows(row.get("calibration"), _is_bin)
    return texts and counts and rated and timed and faults and calibrated and (speed is None or _is_number(speed))


def _is_bin(row: dict[str, Any]) -> bool:
    """Whether this is a row of a calibration: guesses of nearly the same risk."""
    guesses = row.get("guesses")
    return _is_number(guesses) and _is_number(row.get("struck"), guesses) and _is_number(row.get("predicted"), 1)


def _is_number(value: object, most: Any = LARGEST) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= most
